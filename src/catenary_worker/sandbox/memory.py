"""This process's memory, and the pages of it that an evaluation uses.

A forked child shares every page with its parent until one of them writes to it. CPython writes to most pages that it
reads, since an object's reference count lies in the object. Pages of a file, such as a library's code, must be mapped
by each process. The 2,000 page faults that a child would have in the middle of a user's model can be taken earlier,
while the child waits for a task; the parent finds these pages once.
"""

import array
import ctypes
import mmap
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

Pages = Sequence[tuple[int, int]]
"""Ranges of addresses: start and size in bytes."""

_SIZES = range(16, 513, 16)  # pymalloc's size classes (CPython 3.11, Objects/obmalloc.c)
_SEALED = 64 * 1024
_POPULATE_READ, _POPULATE_WRITE = 22, 23  # madvise(2), Linux 5.14
# An entry of /proc/PID/pagemap (Linux, Documentation/admin-guide/mm/pagemap.rst).
_ENTRY_BYTES = 8
_PRESENT, _OF_FILE, _EXCLUSIVE = 1 << 63, 1 << 61, 1 << 56

_MADVISE = ctypes.CDLL(None).madvise
_MADVISE.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
_ALLOCATE = ctypes.pythonapi.PyObject_Malloc
_ALLOCATE.argtypes, _ALLOCATE.restype = (ctypes.c_size_t,), ctypes.c_void_p


@dataclass(frozen=True)
class UsedPages:
    """The pages, mapped before some work, that the work uses."""

    wrote: Pages = ()
    """Pages that the work writes to."""
    read: Pages = ()
    """Pages of files that the work reads."""


class Memory:
    """This process's figures in /proc. The files are opened once, so that they can be read in a root without /proc."""

    def __init__(self) -> None:
        self._processes = os.open("/proc", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        self._statm, self._maps = (
            os.open(f"/proc/self/{name}", os.O_RDONLY | os.O_CLOEXEC) for name in ("statm", "maps")
        )

    def close(self) -> None:
        """Close the opened files."""
        for descriptor in (self._processes, self._statm, self._maps):
            os.close(descriptor)

    def size(self) -> int:
        """Return the bytes of address space."""
        return int(os.pread(self._statm, 100, 0).split()[0]) * mmap.PAGESIZE

    def used_by(self, work: Callable[[], None]) -> UsedPages:
        """Return the pages, mapped before `work`, that `work` uses, in order; none where the system does not tell.

        A child does the work: it shares all pages that it does not write to, and of files has only the pages that it
        reads.

        Raises:
            RuntimeError: The work failed.
        """
        done, tell = os.pipe()
        wait, end = os.pipe()
        child = os.fork()
        if child == 0:
            code = 1
            try:
                os.close(end)
                work()
                os.write(tell, b"1")
                os.read(wait, 1)
                code = 0
            finally:
                os._exit(code)
        os.close(tell)
        try:
            if not os.read(done, 1):
                raise RuntimeError("the work failed")
            with suppress(OSError):
                pagemap = os.open(f"{child}/pagemap", os.O_RDONLY | os.O_CLOEXEC, dir_fd=self._processes)
                try:
                    return UsedPages(
                        self._wanted_pages(pagemap, "w", _is_own), self._wanted_pages(pagemap, "-", _is_of_file)
                    )
                finally:
                    os.close(pagemap)
            return UsedPages()
        finally:
            os.close(end)
            os.waitpid(child, 0)
            os.close(wait)
            os.close(done)

    def _wanted_pages(self, pagemap: int, writable: str, is_wanted: Callable[[int], bool]) -> Pages:
        """Return the wanted pages of the mappings that are `writable` ("w") or not ("-"), neighbours as one range."""
        found: list[tuple[int, int]] = []
        for start, end in self._mappings(writable):
            for number, entry in enumerate(_entries(pagemap, start, end)):
                page = start + number * mmap.PAGESIZE
                if not is_wanted(entry):
                    continue
                if found and sum(found[-1]) == page:
                    found[-1] = (found[-1][0], found[-1][1] + mmap.PAGESIZE)
                else:
                    found.append((page, mmap.PAGESIZE))
        return found

    def _mappings(self, writable: str) -> list[tuple[int, int]]:
        """Return start and end of the mappings that are `writable` ("w") or not ("-").

        The kernel's own mappings, which lie above all others, are left out.
        """
        os.lseek(self._maps, 0, os.SEEK_SET)
        text = b"".join(iter(lambda: os.read(self._maps, 1 << 16), b"")).decode()
        lines = [line.split() for line in text.splitlines()]
        bounds = [line[0].split("-") for line in lines if line[1][1] == writable and not line[-1].startswith("[v")]
        return [(int(start, 16), int(end, 16)) for start, end in bounds]


def _entries(pagemap: int, start: int, end: int) -> Sequence[int]:
    pages = (end - start) // mmap.PAGESIZE
    return array.array("Q", os.pread(pagemap, pages * _ENTRY_BYTES, start // mmap.PAGESIZE * _ENTRY_BYTES))


def _is_own(entry: int) -> bool:
    return bool(entry & _PRESENT and entry & _EXCLUSIVE and not entry & _OF_FILE)


def _is_of_file(entry: int) -> bool:
    return bool(entry & _PRESENT and entry & _OF_FILE)


def prepare(used: UsedPages) -> None:
    """Copy the written pages into this process and map the read ones, before they are needed.

    What the system cannot do in advance happens when a page is first used.
    """
    for pages, advice in ((used.wrote, _POPULATE_WRITE), (used.read, _POPULATE_READ)):
        for start, size in pages:
            _MADVISE(start, size, advice)


def seal() -> None:
    """Fill the gaps among this process's objects, which costs about 2 MiB.

    A child's new objects then share new pages, instead of a copy of an old page for each.
    """
    for size in _SIZES:
        for _ in range(_SEALED // size):
            _ALLOCATE(size)
