"""The warm process that evaluations are forked from: `python -P -m catenary_worker.zygote FD`.

It enters its read-only root, imports the runtime once, and then keeps one child ready in a cell of its own. The host
talks to the child over two pipes whose ends the zygote hands over the control socket, so the zygote itself never reads
a byte of a model. Control messages are JSON datagrams:

    to the host    {"state": {...}} once, then in turn {"spare": true} with the two pipes, {"ended": exit code}
    from the host  "kill" ends the child; closing the socket ends everything

Two processes stand behind an evaluation: a warden, which makes the namespaces and waits, and the child, pid 1 in them;
its end ends all that it started.
"""

import contextlib
import json
import os
import select
import shutil
import signal
import socket
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NoReturn

from catenary_worker import pipe, runtime, sandbox, seccomp
from catenary_worker.task import Task

PIPE_BYTES = 1 << 20
_F_SETPIPE_SZ = 1031


@dataclass(frozen=True)
class State:
    """Whether models run in a sandbox here, and if not why (text for an operator)."""

    enforced: bool
    reason: str | None = None


@dataclass(frozen=True)
class Cell:
    """All that a child needs to know of where it runs. `identity` and `calls` are None without a sandbox."""

    identity: sandbox.Identity | None
    calls: dict[str, bytes] | None
    openscad: str | None
    runtime_memory: int


def prepare(*, allow_unsandboxed: bool) -> tuple[State, Cell | None]:
    """Enter the root where that is possible and load the runtime. Without a sandbox there is a cell only on request."""
    state, program = probe(), runtime.openscad()
    if not state.enforced and not allow_unsandboxed:
        return state, None
    memory = os.open("/proc/self/statm", os.O_RDONLY | os.O_CLOEXEC)
    identity = calls = None
    if state.enforced:
        calls = seccomp.programs()
        identity = sandbox.enter_root(*runtime.paths())
    runtime.load()
    # In pages; read by its descriptor, since the root has no /proc.
    size = int(os.pread(memory, 100, 0).split()[0]) * os.sysconf("SC_PAGE_SIZE")
    os.close(memory)
    return state, Cell(identity, calls, program, size)


def probe() -> State:
    """Try the whole sandbox once, in a process that is thrown away: a half-made root could not be left again."""
    if reason := sandbox.platform_fault():
        return State(False, reason)
    answer, report = os.pipe()
    tried = os.fork()
    if tried == 0:
        try:
            calls = seccomp.programs()
            cell = Cell(sandbox.enter_root(*runtime.paths()), calls, None, 0)
            sandbox.unshare_cell()
            if (child := os.fork()) == 0:
                _enter(cell, None)
                sandbox.filter_calls(calls["model"])
                os.write(report, pipe.READY)
            else:
                os.waitpid(child, 0)
        except OSError as error:
            os.write(report, f"this system forbids it ({error})".encode())
        finally:
            os._exit(0)
    os.close(report)
    os.waitpid(tried, 0)
    said = os.read(answer, 1_000)
    os.close(answer)
    return State(True) if said == pipe.READY else State(False, said.decode() or "a child could not enter its cell")


def serve(control: socket.socket, cell: Cell) -> None:
    """Keep a child ready, hand it out, wait for its end, clean up; until the host closes the control socket."""
    while True:
        task_read, task_write = os.pipe()
        result_read, result_write = os.pipe()
        folder = None if cell.identity else tempfile.mkdtemp(prefix="catenary-model-")
        warden = os.fork()
        if warden == 0:
            _ward(cell, task_read, result_write, folder)
        try:
            message = json.dumps({"spare": True}).encode()
            socket.send_fds(control, [message], [task_write, result_read])
        except OSError:
            _finish(warden, folder)
            return
        for descriptor in (task_read, task_write, result_read, result_write):
            os.close(descriptor)
        open_still = _wait(control, warden)
        code = _finish(warden, folder)
        if not open_still:
            return
        try:
            control.send(json.dumps({"ended": code}).encode())
        except OSError:
            return


def _wait(control: socket.socket, warden: int) -> bool:
    """Wait until the child ends or is to be killed; False when the host is gone."""
    ended = os.pidfd_open(warden)
    try:
        ready, _, _ = select.select([control, ended], [], [])
        return not (control in ready and control.recv(64) == b"")
    finally:
        os.close(ended)


def _finish(warden: int, folder: str | None) -> int:
    """Kill the child's group, reap everything that it left, remove its folder; its exit code (128 + signal)."""
    os.kill(warden, signal.SIGKILL)  # it may not lead its group yet; one that has ended keeps its exit code
    _kill_group(warden)
    _, status = os.waitpid(warden, 0)
    with contextlib.suppress(ChildProcessError):
        while True:
            for orphan in _children():
                os.kill(orphan, signal.SIGKILL)
            os.waitpid(-1, 0)
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)
    return _exit_code(status)


def _exit_code(status: int) -> int:
    return 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def _kill_group(group: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def _children() -> list[int]:
    """Processes that this one has adopted. Only without a sandbox can there be any that left the child's group."""
    try:
        text = Path(f"/proc/self/task/{os.getpid()}/children").read_text()
    except OSError:
        return []  # the sandbox's root has no /proc: the end of its pid namespace has ended them
    return [int(pid) for pid in text.split()]


def _ward(cell: Cell, task: int, result: int, folder: str | None) -> NoReturn:
    """The warden: a session of its own, the namespaces, then wait for the child and exit as it did."""
    code = 1
    try:
        os.setsid()
        sandbox.die_with_parent()
        if cell.identity:
            sandbox.unshare_cell()
        child = os.fork()
        if child == 0:
            _run(cell, task, result, folder)
        sandbox.close_files([])
        _, status = os.waitpid(child, 0)
        code = _exit_code(status)
    finally:
        os._exit(code)


def _enter(cell: Cell, folder: str | None) -> None:
    sandbox.die_with_parent()
    os.environ.clear()
    os.environ.update(runtime.ONE_THREAD, HOME=".", LANG="C.UTF-8", TMPDIR=".")
    if cell.identity:
        sandbox.enter_cell(cell.identity)
    elif folder:
        os.chdir(folder)
    sandbox.forbid_privileges()


def _run(cell: Cell, task_pipe: int, result_pipe: int, folder: str | None) -> NoReturn:
    """The child: enter the cell, take one task, perform it, answer, die."""
    code = 1
    try:
        sandbox.close_files([task_pipe, result_pipe])
        _enter(cell, folder)
        from catenary_worker import execution, openscad  # noqa: PLC0415 - loaded by the zygote, after its root

        os.write(result_pipe, pipe.READY)
        header, (source,) = pipe.read_message(task_pipe)
        os.close(task_pipe)
        header.pop("blobs")
        task = Task(source=source, **header)
        sandbox.limit(cell.runtime_memory + task.memory, task.timeout)
        renderer = None
        if task.kind == "openscad" and task.mode == "evaluate" and cell.openscad:
            renderer = openscad.prepare(cell.openscad, cell.calls and cell.calls["program"], result_pipe)
        if cell.calls:
            sandbox.filter_calls(cell.calls["model"])
        pipe.write_all(result_pipe, pipe.pack(*execution.perform(task, renderer)))
        code = 0
    finally:
        os._exit(code)


def main() -> None:
    """Serve the control socket whose descriptor is the first argument (`unsandboxed` as the second allows that), or
    with `probe` print the state as JSON."""
    if sys.argv[1] == "probe":
        print(json.dumps(asdict(probe())))
        return
    control = socket.socket(fileno=int(sys.argv[1]))
    sandbox.adopt_orphans()
    state, cell = prepare(allow_unsandboxed="unsandboxed" in sys.argv[2:])
    control.send(json.dumps({"state": asdict(state)}).encode())
    if cell is not None:
        serve(control, cell)


if __name__ == "__main__":
    main()
