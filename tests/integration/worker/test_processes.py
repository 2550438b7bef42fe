"""A host in a process of its own: killed, and as another user than root."""

import asyncio
import contextlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
import uvloop

from catenary_worker.sandbox import runtime
from integration.worker.zygotes import Without, gone, model

HOST = """
import asyncio, sys
from catenary_worker.host import Zygote
from catenary_worker.task import Task
async def main():
    zygote = Zygote()
    state = await zygote.start()
    outcome = await zygote.run(Task("evaluate", "python", sys.stdin.buffer.read(), {"size": 2.0}))
    print(zygote.pid, state.enforced, outcome.status, outcome.error, outcome.metrics.get("volume"), flush=True)
    await asyncio.sleep(600 if "wait" in sys.argv else 0)
    await zygote.close()
asyncio.run(main())
"""


def test_a_killed_host_takes_its_zygote_and_its_children_along() -> None:
    environment = {**os.environ, "PYTHONPATH": runtime.environment()["PYTHONPATH"]}
    command = [sys.executable, "-c", HOST, "wait"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as process:
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(model("good"))
            process.stdin.close()
            pid = int(process.stdout.readline().split()[0])
            children = Path(f"/proc/{pid}/task/{pid}/children")
            while not children.read_text():  # the next child is on its way
                time.sleep(0.01)
            behind = {pid, *map(int, children.read_text().split())}
        finally:
            process.kill()
    assert len(behind) >= 2
    assert asyncio.run(gone(behind))


ROOT = """
import os
from pathlib import Path
from catenary_worker.sandbox import namespaces, runtime
namespaces.enter_root(*runtime.paths())
stranger = lambda path: path.stat().st_mode & 0o005 == 0o005
above = [path for path in Path(os.__file__).parents if not stranger(path)]
print(above, Path(namespaces.CELL).stat().st_mode & 0o777 == 0o755, oct(os.umask(0)))
"""


def test_a_closed_umask_leaves_the_runtime_readable_for_the_user_of_the_sandbox() -> None:
    environment = {**os.environ, "PYTHONPATH": runtime.environment()["PYTHONPATH"]}
    done = subprocess.run(
        [sys.executable, "-c", ROOT], capture_output=True, env=environment, umask=0o077, check=False, timeout=120
    )
    # The umask of before is back: what the zygote makes later is for its own user alone.
    assert done.stdout.decode() == "[] True 0o77\n", done.stderr.decode()


AS_NOBODY = r"""
set -e
cd /
for path in "$@"; do  # make the runtime reachable for another user: hide each closed folder above it, in this namespace
  top=$path
  while [ "$top" != / ]; do
    case $(stat -c %A "$top") in *[xt]) ;; *) closed=$top;; esac
    top=$(dirname "$top")
  done
  if [ -n "$closed" ]; then
    mount --bind "$path" /mnt
    mountpoint -q "$closed" || mount -t tmpfs -o mode=755 tmpfs "$closed"
    mkdir -p "$path"
    mount --move /mnt "$path"
  fi
  closed=
done
exec setpriv --reuid=65534 --regid=65534 --clear-groups --bounding-set=-all --inh-caps=-all "$PYTHON" -c "$HOST"
"""


@pytest.mark.slow
def test_the_sandbox_works_for_a_user_that_is_not_root() -> None:
    if os.geteuid() != 0:
        pytest.skip("every test of this folder already runs as another user than root")
    if not shutil.which("unshare") or not shutil.which("setpriv"):
        pytest.skip("needs unshare and setpriv (apt-get install util-linux)")
    source_root = runtime.environment()["PYTHONPATH"]
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": source_root, "PYTHON": sys.executable, "HOST": HOST}
    command = ["unshare", "-m", "sh", "-c", AS_NOBODY, "sh", sys.base_prefix, sys.prefix, source_root]
    done = subprocess.run(command, input=model("good"), capture_output=True, env=environment, check=False, timeout=60)
    words = done.stdout.decode().split(" ", 1)
    assert words[1:] == ["True completed None {'value': 8.0, 'unit': 'm3'}\n"], done.stderr.decode()
    snooped = subprocess.run(
        command,
        input=model("hostile/snoop").replace(b"PARAMETERS = []", b'METRICS = [{"name": "volume"}]').replace(
            b'METRICS = [{"name": "value"}]', b"PARAMETERS = []"
        ).replace(b'{"value": len(rows)}', b'{"volume": sum(row["kind"] == "writable" for row in rows)}'),
        capture_output=True, env=environment, check=False, timeout=60,
    )  # fmt: skip
    assert "completed None {'value': 0" in snooped.stdout.decode(), snooped.stderr.decode()


def _targets(pid: int | None) -> set[str]:
    """Return what the descriptors of a process lead to."""
    found = set()
    for link in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # of the child that it is starting
            found.add(str(link.readlink()))
    return found


# Slow: two zygotes. The loop is the one of our processes.
@pytest.mark.slow
@pytest.mark.parametrize(("guards", "reached"), [((), False), (("close_others",), True)])
def test_a_zygote_has_no_descriptor_of_its_worker(
    tmp_path: Path, without: Without, guards: tuple[str, ...], *, reached: bool
) -> None:
    async def targets() -> set[str]:
        zygote = without(*guards)
        await zygote.start()
        try:
            return _targets(zygote.pid)
        finally:
            await zygote.close()

    with (tmp_path / "secret").open("w") as stray:
        os.set_inheritable(stray.fileno(), True)
        found = uvloop.run(targets())
    assert (str(tmp_path / "secret") in found) is reached
