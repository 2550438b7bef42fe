"""The work of a child that its host keeps for several points of one model, and the clean-up between them.

What a model leaves in its own variables can't be cleared; that is what the check of a version and the audit of `kept`
look for. Cleared is what lies outside of it: files in the working folder, timers and signal handlers, the seeds of the
random generators, the environment. Where that fails, the child ends, and the host takes a fresh one.
"""

from __future__ import annotations

import ctypes
import importlib
import operator
import os
import random
import select
import shutil
import signal
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from catenary_worker import execution
from catenary_worker.sandbox import pipe
from catenary_worker.task import Task

_TIMERS = (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF)
_STANDARD = (0, 1, 2)
_MOST_BYTES = 1024 * 1024
"""Bytes of the results of several points that one message has room for."""
# Bound before any model runs, which may replace them.
_get_random, _set_random = random.getstate, random.setstate
_get_numpy, _set_numpy = partial(np.random.get_state, legacy=False), np.random.set_state
_get_generator: Callable[[], Any] = np.random.get_bit_generator  # type: ignore[attr-defined]  # the stubs lack it
_bytes_at = ctypes.string_at
_NUMPY_BYTES = 4 * (624 + 1)
"""Bytes of a Mersenne twister's state: its words, and the number of those that are used."""
_is = operator.is_
_select, _clock = select.select, time.perf_counter
_get_handler: Callable[[int], Any] = importlib.import_module("_signal").getsignal
"""The kernel's number or a function, without the enums of `signal.getsignal`, which cost 0.1 ms for all signals."""


def serve(task: Task, task_pipe: int, result_pipe: int) -> None:
    """Evaluate a task, then further points of its model, until the host closes its pipe or something can't be cleared.

    A result goes out after the clean-up, together with READY if the next point may come: so the host wakes once a
    message. One message may give several points without geometry, whose results go out together; and what a point wants
    `early` goes out before its geometry is looked at.
    """
    surroundings = Surroundings(Path.cwd())
    program = execution.Program(loaded=surroundings.remember)
    send = partial(pipe.write_all, result_pipe)
    pieces = execution.respond(task, program, send).pieces
    while surroundings.restore():
        _write(result_pipe, pieces, pipe.READY)
        try:
            header = _next_message(task_pipe)
        except EOFError:
            return
        if "points" in header:
            tasks = [replace(task, parameters=values, geometry=False, early=False) for values in header["points"]]
            pieces = _respond_to_all(tasks, program, surroundings, task_pipe)
        else:
            task = replace(task, **{name: header[name] for name in ("parameters", "geometry", "early")})
            pieces = execution.respond(task, program, send).pieces
    _write(result_pipe, pieces)


def _write(result_pipe: int, pieces: Sequence[pipe.Blob], end: bytes = b"") -> None:
    """Write a result and an end, in one call of the kernel where the result has no blobs."""
    head, *blobs = pieces
    pipe.write_all(result_pipe, [head, *blobs, end] if blobs else [bytes(head) + end])


def _next_message(task_pipe: int) -> dict[str, Any]:
    """Read the header of the next message; pass over a call to give back points that came when the last had begun."""
    while (header := pipe.read_message(task_pipe)[0]).get("points") == []:
        pass
    return header


def _respond_to_all(
    tasks: Sequence[Task], program: execution.Program, surroundings: Surroundings, task_pipe: int
) -> list[pipe.Blob]:
    """Return the message with the results of the first points: up to one that does not complete, or can't be cleared.

    Ends also where the host has sent the next message, which is the call to give back the other points. A result that
    would make the message too large is left out: the host gives its point again.
    """
    found: list[bytes] = []
    seconds: list[float] = []
    size = 0
    for task in tasks:
        began = _clock()
        answer = execution.respond(task, program)
        took = _clock() - began
        text = bytes(answer.pieces[0])[pipe.LENGTH.size :]
        size += len(text)
        if found and size > _MOST_BYTES:
            break
        found.append(text)
        seconds.append(took)
        if not answer.is_completed or _is_readable(task_pipe) or task is tasks[-1] or not surroundings.restore():
            break
    head = b'{"points": [%b], "seconds": [%b]}' % (b", ".join(found), ", ".join(map(repr, seconds)).encode())
    return [pipe.LENGTH.pack(len(head)) + head]


def _is_readable(descriptor: int) -> bool:
    """Return whether a read would not wait."""
    return bool(_select([descriptor], (), (), 0)[0])


class Surroundings:
    """The state of a process outside of its model, as it was when the model had been loaded."""

    def __init__(self, folder: Path) -> None:
        """Remember nothing yet; `folder` is the working folder."""
        self._folder = folder
        self._remembered = False

    def remember(self) -> None:
        """Remember the state of now."""
        self._timers = any(signal.getitimer(timer)[0] for timer in _TIMERS)
        self._handlers = {number: _get_handler(number) for number in map(int, signal.valid_signals())}
        self._mask = signal.pthread_sigmask(signal.SIG_BLOCK, ())
        self._random, self._numpy, self._generator = _get_random(), _get_numpy(), _get_generator()
        self._numpy_words = self._numpy_state()
        self._environment, self._path = dict(os.environ), list(sys.path)
        self._streams = sys.stdin, sys.stdout, sys.stderr
        self._recursion = sys.getrecursionlimit()
        self._descriptors = [_identity(number) for number in _STANDARD]
        os.umask(umask := os.umask(0o077))
        self._umask = umask
        self._files: dict[str, tuple[int, ...]] = {}
        self._mark(self._folder)
        self._remembered = True

    def restore(self) -> bool:
        """Restore the remembered state; return False if that is not possible, or there is none."""
        if not self._remembered or self._timers:
            return False
        try:
            for timer in _TIMERS:
                signal.setitimer(timer, 0)
            if not all(map(_is, map(_get_handler, self._handlers), self._handlers.values())):
                for number, handler in self._handlers.items():
                    if _get_handler(number) is not handler:
                        signal.signal(number, handler)
            signal.pthread_sigmask(signal.SIG_SETMASK, self._mask)
            if [_identity(number) for number in _STANDARD] != self._descriptors:
                return False
            sys.stdin, sys.stdout, sys.stderr = self._streams
            os.umask(self._umask)
            os.chdir(self._folder)
            if dict(os.environ) != self._environment:
                os.environ.clear()
                os.environ.update(self._environment)
            sys.path[:] = self._path
            sys.setrecursionlimit(self._recursion)
            _set_random(self._random)
            self._restore_numpy()
            return self._empty(self._folder) == len(self._files)
        except Exception:  # noqa: BLE001 - a user may have replaced anything
            return False

    def _numpy_state(self) -> bytes:
        """Return the state of numpy's generator, without the normal number that it may keep beside it."""
        return _bytes_at(self._generator.ctypes.state_address, _NUMPY_BYTES)

    def _restore_numpy(self) -> None:
        """Restore numpy's generator; the call of numpy takes as long as all else here, and most models draw nothing."""
        keeps_a_number = self._numpy["has_gauss"]
        if keeps_a_number or _get_generator() is not self._generator or self._numpy_state() != self._numpy_words:
            _set_numpy(self._numpy)

    def _mark(self, folder: Path) -> None:
        """Remember the files below a folder; set their times of change to 0, so that a later change is seen."""
        for entry in os.scandir(folder):
            if entry.is_dir(follow_symlinks=False):
                self._files[entry.path] = ()
                self._mark(Path(entry.path))
            else:
                os.utime(entry.path, ns=(0, 0), follow_symlinks=False)
                self._files[entry.path] = _identity(entry.path)

    def _empty(self, folder: Path) -> int:
        """Remove all below a folder that was not there; return how many are left of those that were, unchanged."""
        found = 0
        for entry in list(os.scandir(folder)):
            is_folder = entry.is_dir(follow_symlinks=False)
            if entry.path not in self._files:
                if is_folder:
                    shutil.rmtree(entry.path)
                else:
                    Path(entry.path).unlink()
            elif is_folder and not self._files[entry.path]:
                found += 1 + self._empty(Path(entry.path))
            elif not is_folder and _identity(entry.path) == self._files[entry.path]:
                found += 1
        return found


def _identity(file: int | str) -> tuple[Any, ...]:
    """Return what tells a descriptor from another, or a path's file from another and from a changed one."""
    if isinstance(file, int):
        found = os.fstat(file)
        return found.st_dev, found.st_ino
    found = Path(file).lstat()
    return found.st_ino, found.st_mode, found.st_size, found.st_mtime_ns
