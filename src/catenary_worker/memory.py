"""This process's memory, and the pages of it that an evaluation writes to.

A forked child shares every page with its parent until one of them writes to it, and CPython writes to most of what it
touches, since an object's reference count lies in the object. What a child takes 1,600 faults for in the middle of a
user's model can be done ahead of it, while the child waits for a task: the parent finds the pages out once.
"""

import array
import ctypes
import mmap
import os
from collections.abc import Callable, Sequence

Pages = Sequence[tuple[int, int]]
"""Ranges of addresses: start and size in bytes."""

_SIZES = range(16, 513, 16)  # pymalloc's size classes (CPython 3.11, Objects/obmalloc.c)
_SEALED = 64 * 1024
_POPULATE_WRITE = 23  # madvise(2), Linux 5.14
# An entry of /proc/PID/pagemap (Linux, Documentation/admin-guide/mm/pagemap.rst).
_ENTRY_BYTES = 8
_PRESENT, _OF_FILE, _EXCLUSIVE = 1 << 63, 1 << 61, 1 << 56

_MADVISE = ctypes.CDLL(None).madvise
_MADVISE.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
_ALLOCATE = ctypes.pythonapi.PyObject_Malloc
_ALLOCATE.argtypes, _ALLOCATE.restype = (ctypes.c_size_t,), ctypes.c_void_p


class Memory:
    """What /proc says of this process. It is opened once, so that it can be read in a root without /proc."""

    def __init__(self) -> None:
        self._statm, self._maps, self._pagemap = (
            os.open(f"/proc/self/{name}", os.O_RDONLY | os.O_CLOEXEC) for name in ("statm", "maps", "pagemap")
        )

    def close(self) -> None:
        """Closes what was opened."""
        for descriptor in (self._statm, self._maps, self._pagemap):
            os.close(descriptor)

    def size(self) -> int:
        """Bytes of address space."""
        return int(os.pread(self._statm, 100, 0).split()[0]) * mmap.PAGESIZE

    def written_by(self, work: Callable[[], None]) -> Pages:
        """The pages of before that `work` writes to, in order.

        A child that does nothing shares all pages meanwhile; those that are this process's own after `work` are what
        was written to.
        """
        wait, end = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(end)
            os.read(wait, 1)
            os._exit(0)
        try:
            work()
            return self._own()
        finally:
            os.close(end)
            os.waitpid(child, 0)
            os.close(wait)

    def _own(self) -> Pages:
        """The anonymous pages that no other process shares, neighbours as one range."""
        found: list[tuple[int, int]] = []
        for start, end in self._writable():
            entries = array.array("Q", self._entries(start, end))
            own = [start + i * mmap.PAGESIZE for i, entry in enumerate(entries) if _is_own(entry)]
            for page in own:
                if found and sum(found[-1]) == page:
                    found[-1] = (found[-1][0], found[-1][1] + mmap.PAGESIZE)
                else:
                    found.append((page, mmap.PAGESIZE))
        return found

    def _writable(self) -> list[tuple[int, int]]:
        """The writable mappings: start and end."""
        os.lseek(self._maps, 0, os.SEEK_SET)
        text = b"".join(iter(lambda: os.read(self._maps, 1 << 16), b"")).decode()
        lines = [line.split(None, 2) for line in text.splitlines()]
        bounds = [span.split("-") for span, permissions, _ in lines if permissions[1] == "w"]
        return [(int(start, 16), int(end, 16)) for start, end in bounds]

    def _entries(self, start: int, end: int) -> bytes:
        pages = (end - start) // mmap.PAGESIZE
        return os.pread(self._pagemap, pages * _ENTRY_BYTES, start // mmap.PAGESIZE * _ENTRY_BYTES)


def _is_own(entry: int) -> bool:
    return bool(entry & _PRESENT and entry & _EXCLUSIVE and not entry & _OF_FILE)


def own(pages: Pages) -> None:
    """Give this process its own copy of each of the pages. Where the system can't, they are copied when written to."""
    for start, size in pages:
        _MADVISE(start, size, _POPULATE_WRITE)


def seal() -> None:
    """Fill the gaps among this process's objects, so that a child's new objects get new pages together instead of a copy
    of an old page for each. Costs some 2 MiB."""
    for size in _SIZES:
        for _ in range(_SEALED // size):
            _ALLOCATE(size)
