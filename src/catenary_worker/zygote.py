"""The warm process that evaluations are forked from: `python -P -m catenary_worker.zygote FD`.

It enters its read-only root, imports the runtime once, and then forks a child into a cell of its own whenever the host
asks for one. The host talks to the child over two pipes, and reads from a third what the model prints; the zygote hands
their ends over the control socket, so it never reads a byte of a model itself. Control messages are JSON datagrams:

    to the host    {"state": {...}} once; {"child": pid} with its three pipes; {"ended": pid, "code": exit code}
    from the host  {"fork": true, "renders": whether its task will render}; {"kill": pid}; closing the socket ends
                   everything

A child is pid 1 of its pid namespace: when it ends, every process that it started ends.
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
import time
from collections.abc import Container
from dataclasses import asdict, dataclass
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import NoReturn

from catenary_worker.sandbox import memory, namespaces, pipe, runtime, seccomp
from catenary_worker.task import WORK_SECONDS, InputFile, Task

LINGER_SECONDS = 0.1
"""Longest life of a child after its result.

The host can deliver the result first: the end of a child takes a processor for some ms.
"""


@dataclass(frozen=True)
class State:
    """State of the sandbox on this machine."""

    enforced: bool
    """True if children run in the sandbox."""
    reason: str | None = None
    """The cause of a missing sandbox, as a text for an operator."""


@dataclass(frozen=True)
class Cell:
    """The facts about its surroundings that a child needs."""

    identity: namespaces.SandboxUser | None
    """The user that the child runs as; None without a sandbox."""
    calls: dict[str, bytes] | None
    """Compiled system call filters by name (see `seccomp.programs`); None without a sandbox."""
    openscad: str | None
    """Path of the OpenSCAD program; None where it is not installed."""
    runtime_memory: int
    """Bytes of address space of the loaded runtime."""
    used: memory.UsedPages
    """The memory pages that every evaluation uses."""


def prepare(*, allow_unsandboxed: bool) -> tuple[State, Cell | None]:
    """Enter the root where possible and load the runtime.

    Returns:
        The state of the sandbox, and the cell of the children. Without a sandbox the cell is None unless
        `allow_unsandboxed`.
    """
    state, program = probe(), runtime.openscad()
    if not state.enforced and not allow_unsandboxed:
        return state, None
    own = memory.Memory()
    identity = calls = None
    if state.enforced:
        calls = seccomp.programs()
        identity = namespaces.enter_root(*runtime.paths())
    with namespaces.writable_cell() if identity else tempfile.TemporaryDirectory(prefix=_prefix()) as home:
        runtime.load(home)
    from catenary_worker import execution

    memory.seal()
    cell = Cell(identity, calls, program, own.size(), own.used_by(execution.rehearse))
    own.close()
    return state, cell


def _prefix() -> str:
    """Return the beginning of the names of this process's temporary folders."""
    return f"catenary-model-{os.getpid()}-"


def probe() -> State:
    """Try the whole sandbox once, in a process that then ends: a half-made root cannot be left again."""
    if reason := namespaces.platform_fault():
        return State(False, reason)
    answer, report = os.pipe()
    tried = os.fork()
    if tried == 0:
        try:
            calls = seccomp.programs()
            cell = Cell(namespaces.enter_root(*runtime.paths()), calls, None, 0, memory.UsedPages())
            if (child := namespaces.fork_cell()) == 0:
                _enter(cell, None)
                namespaces.filter_calls(calls["model"])
                os.write(report, pipe.READY)
            else:
                os.waitpid(child, 0)
        except OSError as error:
            os.write(report, f"this system forbids it ({error})".encode())
        finally:
            os._exit(0)
    os.close(report)
    os.waitpid(tried, 0)
    outcome = os.read(answer, 1_000)
    os.close(answer)
    return (
        State(True) if outcome == pipe.READY else State(False, outcome.decode() or "a child could not enter its cell")
    )


@dataclass(frozen=True)
class _Forked:
    """A running child."""

    pid: int
    end: int
    """File descriptor that becomes readable when the child ends."""
    folder: str | None
    """The child's working folder where there is no sandbox, else None."""


def serve(control: socket.socket, cell: Cell) -> None:
    """Fork and kill children for the host, report their ends and clean up, until the host closes the socket."""
    children: dict[int, _Forked] = {}
    try:
        while True:
            ready, _, _ = select.select([control.fileno(), *(child.end for child in children.values())], [], [])
            for child in [child for child in children.values() if child.end in ready]:
                del children[child.pid]
                code = _finish(child, children)
                control.send(json.dumps({"ended": child.pid, "code": code}).encode())
            if control.fileno() not in ready:
                continue
            message = control.recv(4_096)
            if not message:
                return
            wanted = json.loads(message)
            if "fork" in wanted:
                _fork(control, cell, children, renders=wanted["renders"])
            elif wanted["kill"] in children:
                _kill(wanted["kill"])
    except (BrokenPipeError, ConnectionResetError):
        return
    finally:
        for pid in list(children):
            _finish(children.pop(pid), children)


def _fork(control: socket.socket, cell: Cell, children: dict[int, _Forked], *, renders: bool) -> None:
    """Add a child, and hand its pipes to the host."""
    task_read, task_write = os.pipe()
    result_read, result_write = os.pipe()
    printed_read, printed_write = os.pipe()
    folder = None if cell.identity else tempfile.mkdtemp(prefix=_prefix())
    pid = namespaces.fork_cell() if cell.identity else os.fork()
    if pid == 0:
        _run(cell, task_read, result_write, printed_write, folder, renders=renders)
    children[pid] = _Forked(pid, os.pidfd_open(pid), folder)
    try:
        socket.send_fds(control, [json.dumps({"child": pid}).encode()], [task_write, result_read, printed_read])
    finally:
        for descriptor in (task_read, task_write, result_read, result_write, printed_read, printed_write):
            os.close(descriptor)


def _finish(child: _Forked, others: Container[int]) -> int:
    """Kill a child and its leftover processes, reap them, remove its folder; return its exit code.

    The exit code of a child that a signal ended is 128 + signal.
    """
    _kill(child.pid)
    _, status = os.waitpid(child.pid, 0)
    os.close(child.end)
    for orphan in _orphans(others):
        os.kill(orphan, signal.SIGKILL)
        os.waitpid(orphan, 0)
    if child.folder is not None:
        shutil.rmtree(child.folder, ignore_errors=True)
    return _exit_code(status)


def _kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)  # our child is not reaped yet, so no other process has its pid
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


def _exit_code(status: int) -> int:
    return 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def _orphans(others: Container[int]) -> list[int]:
    """Return the processes that this one has adopted; only without a sandbox can there be any."""
    try:
        text = Path(f"/proc/self/task/{os.getpid()}/children").read_text()
    except OSError:
        return []  # the sandbox's root has no /proc; the end of the child's pid namespace has ended its processes
    return [pid for pid in map(int, text.split()) if pid not in others]


def _enter(cell: Cell, folder: str | None) -> None:
    os.setsid()
    namespaces.die_with_parent()
    os.environ.clear()
    os.environ.update(runtime.ONE_THREAD, HOME=".", LANG="C.UTF-8", TMPDIR=".")
    tempfile.tempdir = None  # it is looked for again, and is then the working folder
    if cell.identity:
        namespaces.enter_cell(cell.identity)
    elif folder:
        os.chdir(folder)
    namespaces.forbid_privileges()


def _run(
    cell: Cell, task_pipe: int, result_pipe: int, printed_pipe: int, folder: str | None, *, renders: bool
) -> NoReturn:
    """Run as the child: enter the cell, receive one task, perform it, send the result, exit.

    A child that the host keeps performs further points of its task (`reuse`).

    All that needs no task is done before there is one. That includes the filter, which takes the kernel as long as a
    small model; only a child that `renders` installs it later, since it has another process to start, which the filter
    forbids.
    """
    code = 1
    try:
        memory.prepare(
            cell.used
        )  # first of all: what follows writes to many of these pages too, each with a fault of its own
        namespaces.close_files([task_pipe, result_pipe, printed_pipe])
        for standard in (1, 2):
            os.dup2(printed_pipe, standard)
        os.close(printed_pipe)
        _enter(cell, folder)
        from catenary_worker import execution, reuse
        from catenary_worker.models import openscad

        program = cell.openscad if renders else None
        namespaces.limit()
        if cell.calls and program is None:
            namespaces.filter_calls(cell.calls["model"])
        os.write(result_pipe, pipe.READY)
        header, (source, compiled, *contents) = pipe.read_message(task_pipe)
        header.pop("blobs")
        keeps, names = header.pop("keeps"), header.pop("file_names")
        files = [InputFile(name, content) for name, content in zip(names.values(), contents, strict=True)]
        task = Task(source=source, code=compiled, files=dict(zip(names, files, strict=True)), **header)
        namespaces.limit_task(cell.runtime_memory + task.memory, task.timeout + (WORK_SECONDS if keeps else 0))
        if keeps:
            reuse.serve(task, task_pipe, result_pipe)
            os._exit(0)
        os.close(task_pipe)
        renderer = None
        if program is not None:
            renderer = openscad.prepare(program, cell.calls["program"] if cell.calls else None, result_pipe)
            if cell.calls:
                namespaces.filter_calls(cell.calls["model"])
        answer = execution.respond(task, execution.Program(renderer), partial(pipe.write_all, result_pipe))
        pipe.write_all(result_pipe, answer.pieces)
        code = 0
        # Exiting frees all its memory, which takes a processor for some ms: the host chooses the moment and kills it.
        time.sleep(LINGER_SECONDS)
    finally:
        os._exit(code)


def main() -> None:
    """Serve the control socket whose descriptor is the first argument.

    The second argument `unsandboxed` allows models to run without a sandbox.
    """
    number = int(sys.argv[1])
    namespaces.close_others([number])  # uvloop passes on its copies of 0, 1 and 2, and what its own process was passed
    control = socket.socket(fileno=number)
    for stream in (sys.stdout, sys.stderr):  # a line that a model printed is there even if its process then crashes
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace", line_buffering=True)
    namespaces.adopt_orphans()
    with contextlib.suppress(OSError):  # when the machine runs out of memory, a model is killed before the database
        Path("/proc/self/oom_score_adj").write_text("500")
    state, cell = prepare(allow_unsandboxed="unsandboxed" in sys.argv[2:])
    control.send(json.dumps({"state": asdict(state)}).encode())
    if cell is not None:
        serve(control, cell)


if __name__ == "__main__":
    main()
