"""The warnings in the middle of a long output, which is cut there."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from catenary_worker.printed import KEPT_BYTES, Printed

LINE = b"x" * 99 + b"\n"
MANY = KEPT_BYTES // len(LINE)


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    yield reading, writing
    os.close(reading)
    os.close(writing)


def text(pipe: tuple[int, int], output: bytes, size: int = 4096) -> str:
    printed = Printed(pipe[0])
    for start in range(0, len(output), size):
        os.write(pipe[1], output[start : start + size])
        assert printed.receive()
    return printed.text()


@pytest.mark.parametrize("size", [77, 4096, 65_536])
@pytest.mark.parametrize("before", range(MANY - 2, 2 * MANY, 7))
def test_a_warning_at_any_place_is_kept(pipe: tuple[int, int], before: int, size: int) -> None:
    output = LINE * before + b"WARNING: no part 'foot'\n" + LINE * (3 * MANY - before)
    assert "\nWARNING: no part 'foot'\n" in text(pipe, output, size)


@pytest.mark.parametrize("cut", range(1, 24))
def test_a_warning_that_the_cut_divides_is_whole(pipe: tuple[int, int], cut: int) -> None:
    warning = b"WARNING: no part 'foot'\n"
    begun = b"x" * (KEPT_BYTES - cut - 1) + b"\n" + warning + LINE * (2 * MANY)
    ended = LINE * (2 * MANY) + warning + b"x" * (KEPT_BYTES - cut)
    for output in (begun, ended):
        assert "\nWARNING: no part 'foot'\n" in text(pipe, output)


def test_equal_warnings_are_kept_once_and_the_others_up_to_a_limit(pipe: tuple[int, int]) -> None:
    warnings = b"".join(b"WARNING: %04d %s\n" % (number // 2, b"y" * 80) for number in range(1000))
    found = text(pipe, LINE * MANY + warnings + LINE * (2 * MANY))
    kept = [line for line in found.splitlines() if line.startswith("WARNING: ")]
    assert 40 <= len(kept) <= 45
    assert len(set(kept)) == len(kept)
    assert "[The end of the output:]\n" in found


def test_without_a_warning_only_the_bytes_that_are_left_out_are_told(pipe: tuple[int, int]) -> None:
    output = LINE * (4 * MANY) + b"in the middle WARNING: of a line\n"
    assert f"\n[{len(output) - 2 * KEPT_BYTES:,} bytes are left out]\n" in text(pipe, output)
