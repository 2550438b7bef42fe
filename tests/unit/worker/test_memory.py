"""The pages that work writes to, and a child's own copies of them."""

import ctypes
import gc
import mmap
import os
import resource
from collections.abc import Callable
from pathlib import Path

import pytest

from catenary_worker.sandbox import memory

PAGES = 64


def address(area: mmap.mmap) -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(area))


@pytest.fixture
def area() -> mmap.mmap:
    """Pages that no other process shares yet."""
    found = mmap.mmap(-1, PAGES * mmap.PAGESIZE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    found.write(b"x" * len(found))
    return found


def touch(area: mmap.mmap, pages: range) -> Callable[[], None]:
    def work() -> None:
        for page in pages:
            area[page * mmap.PAGESIZE] = 1

    return work


def touched(area: mmap.mmap, found: memory.Pages) -> set[int]:
    """Return the numbers of the area's pages among those found."""
    start = address(area)
    addresses = {at for low, size in found for at in range(low, low + size, mmap.PAGESIZE)}
    return {page for page in range(PAGES) if start + page * mmap.PAGESIZE in addresses}


def faults_in_a_child(work: Callable[[], None], used: memory.UsedPages) -> int:
    """Count the faults of `work` in a forked child that was first prepared for the pages in `used`."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        gc.disable()  # a collection writes to pages too
        memory.prepare(used)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        work()
        os.write(write, str(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before).encode())
        os._exit(0)
    os.waitpid(child, 0)
    found = int(os.read(read, 100))
    os.close(read)
    os.close(write)
    return found


def test_only_the_pages_that_work_writes_to_are_found(area: mmap.mmap) -> None:
    own = memory.Memory()
    found = own.used_by(touch(area, range(10, 30)))
    own.close()
    assert touched(area, found.wrote) == set(range(10, 30))
    assert touched(area, found.read) == set()
    for start, size in [*found.wrote, *found.read]:
        assert size > 0
        assert start % mmap.PAGESIZE == size % mmap.PAGESIZE == 0


def test_a_child_that_owns_its_pages_writes_to_them_without_a_fault(area: mmap.mmap) -> None:
    work = touch(area, range(PAGES))
    own = memory.Memory()
    found = own.used_by(work)
    own.close()
    assert faults_in_a_child(work, memory.UsedPages()) >= PAGES
    assert faults_in_a_child(work, found) < PAGES // 2


def test_the_pages_of_a_file_that_work_looks_at_are_found_and_read_without_a_fault(tmp_path: Path) -> None:
    file = tmp_path / "pages"
    file.write_bytes(b"x" * PAGES * mmap.PAGESIZE)
    with file.open("rb") as opened:
        area = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)

    def work() -> None:
        for page in range(0, PAGES, 8):
            assert area[page * mmap.PAGESIZE] == ord("x")

    own = memory.Memory()
    found = own.used_by(work)
    own.close()
    alone, prepared = (
        faults_in_a_child(work, memory.UsedPages()),
        faults_in_a_child(work, memory.UsedPages(read=found.read)),
    )
    assert found.read
    assert prepared < alone


def test_where_the_system_tells_nothing_of_a_process_nothing_is_found(area: mmap.mmap, tmp_path: Path) -> None:
    own = memory.Memory()
    os.dup2(os.open(tmp_path, os.O_RDONLY), own._processes)
    assert own.used_by(touch(area, range(10, 30))) == memory.UsedPages()
    own.close()


def test_work_that_fails_is_told(area: mmap.mmap) -> None:
    own = memory.Memory()
    with pytest.raises(RuntimeError, match="the work failed"):
        own.used_by(lambda: area.seek(-1))
    own.close()


def test_the_size_is_that_of_the_address_space() -> None:
    own = memory.Memory()
    before = own.size()
    with mmap.mmap(-1, 1 << 24):
        assert 1 << 24 <= own.size() - before < 1 << 25
    own.close()


def test_pages_that_are_no_ones_are_passed_over(area: mmap.mmap) -> None:
    no_ones = (0, mmap.PAGESIZE)
    memory.prepare(memory.UsedPages([no_ones], [no_ones]))
    work = touch(area, range(PAGES))
    own = memory.Memory()
    found = own.used_by(work)
    own.close()
    assert faults_in_a_child(work, memory.UsedPages([no_ones, *found.wrote], [no_ones])) < PAGES // 2
