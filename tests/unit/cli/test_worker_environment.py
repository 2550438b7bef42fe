"""The variables and descriptors of a worker, whatever its operator's shell has."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from catenary_cli.server import worker_environment
from factories.installations.installation import environment

SECRETS = (
    "CATENARY_DATABASE_URL", "CATENARY_SECRET_KEY", "CATENARY_OIDC_ISSUERS", "CATENARY_CLIENT_SECRET", "PGPASSWORD",
    "PGPASSFILE", "PGSERVICEFILE", "AWS_SECRET_ACCESS_KEY", "GOOGLE_APPLICATION_CREDENTIALS", "AZURE_STORAGE_KEY",
    "SSH_AUTH_SOCK", "GITHUB_TOKEN", "path", "XLC_ALL",
)  # fmt: skip
NEEDED = (
    "PATH", "HOME", "TMPDIR", "LC_ALL", "PYTHONPATH", "SSL_CERT_FILE", "GRPC_VERBOSITY", "https_proxy", "HTTPS_PROXY",
    "no_grpc_proxy", "OTEL_EXPORTER_OTLP_ENDPOINT", "CATENARY_CORE", "CATENARY_CORE_CA", "CATENARY_WORKER_TOKEN",
    "CATENARY_WORKER_ALLOW_UNSANDBOXED", "CATENARY_READY_FD",
)  # fmt: skip


def test_of_a_shells_variables_a_worker_gets_what_it_needs_to_run_and_no_other() -> None:
    assert worker_environment.allowed(dict.fromkeys((*SECRETS, *NEEDED), "x")).keys() == set(NEEDED)


# Shows its start's variables, and whether the descriptor of its first argument is open.
_WORKER = """
import os, sys
from pathlib import Path
from catenary_cli.server import worker_environment
if "guarded" in sys.argv:
    worker_environment.enter()
names = Path("/proc/self/environ").read_bytes().decode().split(chr(0))
print("canary" in "".join(names), os.path.exists(f"/proc/self/fd/{sys.argv[1]}"), os.environ["CATENARY_WORKER_TOKEN"])
"""


@pytest.mark.parametrize(("guard", "reached"), [("guarded", "False False token"), ("without", "True True token")])
def test_a_worker_that_runs_apart_drops_what_its_shell_has(tmp_path: Path, guard: str, reached: str) -> None:
    (tmp_path / "worker.py").write_text(_WORKER)
    with (tmp_path / "secret").open("w") as stray:
        os.set_inheritable(stray.fileno(), True)
        line = [sys.executable, str(tmp_path / "worker.py"), str(stray.fileno()), guard]
        variables = {**environment(), "AWS_SECRET_ACCESS_KEY": "canary", "CATENARY_WORKER_TOKEN": "token"}
        done = subprocess.run(
            line, capture_output=True, text=True, env=variables, pass_fds=[stray.fileno()], check=False, timeout=120
        )
    assert done.stdout.strip() == reached, done.stderr
