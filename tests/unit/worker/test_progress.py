"""The progress that a model tells by lines of its output."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from catenary_worker.printed import Printed

Told = list[tuple[float, str, str]]


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    yield reading, writing
    os.close(reading)
    os.close(writing)


def told(pipe: tuple[int, int], *pieces: bytes) -> Told:
    found: Told = []
    printed = Printed(pipe[0], found.append)
    for piece in pieces:
        os.write(pipe[1], piece)
        assert printed.receive()
    return found


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        (b"progress 0.4 meshing\n", [(0.4, "meshing", "")]),
        (b"progress 1\n", [(1.0, "", "")]),
        (b"progress .25\tthe roof \n", [(0.25, "the roof", "")]),
        (b"before\nprogress 0.1 a\nprogress 0.2 b\nafter\n", [(0.2, "b", "after")]),
        (b"progress 0.1 a\nprogress 7 b\n", [(0.1, "a", "progress 7 b")]),
        (b"progress 1.5 b\n", [(0.0, "", "progress 1.5 b")]),
        (b"progress . b\n", [(0.0, "", "progress . b")]),
        (b"progress nan\nprogress 1e-1\nprogress\nin progress 0.5\n", [(0.0, "", "in progress 0.5")]),
        (b"progress -0.5\n", [(0.0, "", "progress -0.5")]),
        (b"progress 0.5 a\x1b[31mb\xff\n", [(0.5, "a\\x1b[31mb\ufffd", "")]),
        (b"progress 0.5 " + b"x" * 1000 + b"\n", [(0.5, "x" * 200, "")]),
        (b"progress 0.5 unfinished", []),
        (b"1,204 elements\n\n  \n", [(0.0, "", "1,204 elements")]),
        (b"red \x1b[31m" + b"x" * 1000 + b"\n", [(0.0, "", "red \\x1b[31m" + "x" * 188)]),
        (b"\n \n", []),
    ],
)
def test_a_line_of_progress_is_told_and_anything_else_is_output(
    pipe: tuple[int, int], output: bytes, expected: Told
) -> None:
    assert told(pipe, output) == expected


def test_a_line_may_come_in_pieces(pipe: tuple[int, int]) -> None:
    assert told(pipe, b"progr", b"ess 0.", b"75 half", b" of it\nprogress 0.9\n") == [(0.9, "", "")]
    assert told(pipe, b"progr", b"ess 0.", b"75 half", b" of it\n") == [(0.75, "half of it", "")]


def test_a_model_that_prints_without_end_and_lines_keeps_little(pipe: tuple[int, int]) -> None:
    printed = Printed(pipe[0], lambda *_: None)
    for _ in range(50):
        os.write(pipe[1], b"x" * 60_000)
        printed.receive()
    assert len(printed._line) <= 1_024


def test_what_was_told_before_stays_beside_what_is_new(pipe: tuple[int, int]) -> None:
    assert told(pipe, b"progress 0.4 meshing\n", b"1,204 elements\n", b"progress 0.5 solving\n") == [
        (0.4, "meshing", ""),
        (0.4, "meshing", "1,204 elements"),
        (0.5, "solving", "1,204 elements"),
    ]
