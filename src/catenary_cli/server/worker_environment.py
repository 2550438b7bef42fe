"""The surroundings of a worker: variables by an allow-list, and no descriptor but its own.

A worker reads what the models of strangers send. Whatever else its operator's shell has, such as the credentials of a
cloud or of the database, is of no use to it and must not be there for a model that breaks out.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from catenary_cli.server.processes import READY_FD

_NAMES = frozenset({
    "PATH", "HOME", "TMPDIR", "TZ", "LANG", "LANGUAGE", "LD_LIBRARY_PATH", "NO_COLOR",
    "SSL_CERT_FILE", "SSL_CERT_DIR", "GRPC_PROXY", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "NO_GRPC_PROXY",
    "CATENARY_CORE", "CATENARY_CORE_CA", "CATENARY_WORKER_TOKEN", "CATENARY_WORKER_NAME",
    "CATENARY_WORKER_ALLOW_UNSANDBOXED", READY_FD,
})  # fmt: skip
_PREFIXES = ("LC_", "PYTHON", "GRPC_", "OTEL_")


def allowed(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that a worker may have: how to run, how to reach its core, where traces go."""
    return {
        name: value
        for name, value in environment.items()
        # Proxies have both cases.
        if (name.upper() if name.lower().endswith("_proxy") else name) in _NAMES or name.startswith(_PREFIXES)
    }


def enter() -> None:
    """Close the descriptors that a shell left open; with variables beside the allowed ones, start this program again.

    To remove a variable is not enough: `/proc/PID/environ` shows those of the start.
    """
    own = os.environ.get(READY_FD)
    for descriptor in map(int, os.listdir("/proc/self/fd")):  # noqa: PTH208 (names only)
        try:
            # What this process has opened itself is closed for the programs that it starts.
            if descriptor > 2 and str(descriptor) != own and os.get_inheritable(descriptor):
                os.close(descriptor)
        except OSError:  # the listing's own, closed by now
            continue
    variables = allowed(os.environ)
    if variables.keys() != os.environ.keys():
        os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], variables)  # noqa: S606 (as it was started)
