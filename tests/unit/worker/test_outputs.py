"""Files and charts of a result: what the child refuses, what the host believes, and what the core takes."""

from __future__ import annotations

import struct
from typing import Any

import orjson
import protovalidate
import pytest

from catenary_core.call.errors import DomainError
from catenary_core.services.worker import outcome as core
from catenary_wire import model_limits
from catenary_worker import completion, outputs, received
from catenary_worker.task import ModelFaultError, Outcome, ResultFile, Task
from factories.services.verdicts import DESCRIPTION, disbeliefs, taken_by_core

TASK = Task("evaluate", "python", b"", description=DESCRIPTION)
TABLES = {"t": [{"a": 1, "b": 2.5, "c": "x"}]}
CHART = {"kind": "bar", "table": "t", "x": "c", "y": ["a", "b"]}
HEADER: dict[str, Any] = {
    "status": "completed",
    "metrics": {"m": 1},
    "tables": TABLES,
    "charts": {"sizes": CHART},
    "geometry": [],
    "files": ["report.pdf", "page.html"],
}
CONTENTS = [b"%PDF-1.7", b"<script>alert(1)</script>"]
MIB = 1024 * 1024


def judged(header: dict[str, Any], contents: list[bytes]) -> Outcome:
    """Return the host's outcome of a message without its pipe."""
    header = orjson.loads(orjson.dumps({**header, "blobs": [len(content) for content in contents]}))
    announced = received.announced(TASK, header)
    return received.outcome(TASK, header, announced.geometry, [bytearray(content) for content in contents])


def test_files_and_charts_of_a_true_message_are_taken_by_host_and_core() -> None:
    outcome = judged(HEADER, CONTENTS)
    assert outcome.files == [ResultFile(name, data) for name, data in zip(HEADER["files"], CONTENTS, strict=True)]
    assert outcome.charts == {"sizes": CHART}
    assert disbeliefs(outcome) == []
    taken_by_core(outcome)
    ended = core._read(completion.message(outcome, None), "digest")
    assert [(file.name, file.size) for file in ended.files] == [("report.pdf", 8), ("page.html", 25)]
    assert ended.charts == {"sizes": CHART}


def test_files_stand_behind_the_geometry() -> None:
    points = struct.pack("<6d", 0, 1, 0, 0, 0, 0)
    part = {"name": "p", "lines": True, "density": None, "color": None}
    geometry = [{"name": "g", "parts": [part], "step": False}]
    with pytest.raises(received.DamagedError):
        judged({**HEADER, "geometry": geometry}, CONTENTS)  # the sizes are those of three blobs
    outcome = judged({**HEADER, "geometry": geometry}, [points, *CONTENTS])
    assert ([item.name for item in outcome.geometry], [item.data for item in outcome.files]) == (["g"], CONTENTS)


def test_a_message_without_charts_and_files_has_none() -> None:
    bare = {name: value for name, value in HEADER.items() if name not in ("charts", "files")}
    assert (judged(bare, []).files, judged(bare, []).charts) == ([], {})


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_a_model_may_give_bytes_of_any_kind(kind: Any) -> None:
    assert outputs.files({"a.bin": kind(b"\x00\xff")}) == {"a.bin": b"\x00\xff"}


REFUSED_FILES: dict[str, tuple[dict[Any, Any], str]] = {
    "text": ({"a.txt": "text"}, "file 'a.txt' must be bytes, not 'text'; of a text give text.encode()."),
    "a list": ({"a.txt": [1]}, "file 'a.txt' must be bytes, not [1]"),
    "a folder": ({"a/b.txt": b"x"}, "file 'a/b.txt' has a name that is none: give letters, digits"),
    "a parent folder": ({"../a": b"x"}, "file '../a' has a name that is none"),
    "two dots": ({"..": b"x"}, "file '..' has a name that is none"),
    "a control character": ({"a\n.txt": b"x"}, "file 'a\\n.txt' has a name that is none"),
    "300 letters": ({"x" * 300: b"x"}, "file 'xxx"),
    "a number": ({3: b"x"}, "file 3 has a name that is none"),
    "nothing in it": ({"a.txt": b""}, "file a.txt is empty; leave it out."),
    "17 MiB": ({"a.bin": bytes(17 * MIB)}, "file a.bin has 17,825,792 bytes; at most 16 MiB are allowed."),
    "five of 16 MiB": (
        dict.fromkeys(("a", "b", "c", "d", "e"), bytes(16 * MIB)),
        "The files have 83,886,080 bytes together; at most 64 MiB are allowed.",
    ),
    "1,000 files": (
        {f"f{number}": b"x" for number in range(1_000)},
        "evaluate returned 1,000 files; at most 64 are allowed.",
    ),
}


@pytest.mark.parametrize("name", REFUSED_FILES)
def test_a_file_that_may_not_be_is_refused_by_child_and_host_alike(name: str) -> None:
    given, message = REFUSED_FILES[name]
    with pytest.raises(ModelFaultError) as caught:
        outputs.files(given)
    assert caught.value.message.startswith(message)
    if all(isinstance(content, bytes) for content in given.values()) and len(given) < 1_000:
        sizes = [len(content) for content in given.values()]
        with pytest.raises(ModelFaultError) as caught:
            received.announced(TASK, {**HEADER, "files": list(given), "blobs": sizes})
        assert caught.value.message.startswith(message)


def test_the_largest_file_and_the_most_files_are_taken() -> None:
    taken_by_core(judged({**HEADER, "files": ["a.bin"]}, [bytes(model_limits.FILE_BYTES)]))
    names = [f"f{number}" for number in range(model_limits.MOST_FILES)]
    taken_by_core(judged({**HEADER, "files": names}, [b"x"] * len(names)))


@pytest.mark.parametrize(
    "header",
    [{"files": {}}, {"files": "ab"}, {"files": 2}, {"files": ["a.txt"]}, {"files": ["a", "b", "c"]}, {"files": None}],
)
def test_a_message_whose_files_are_not_those_that_follow_is_damaged(header: dict[str, Any]) -> None:
    with pytest.raises(received.DamagedError):
        judged({**HEADER, **header}, CONTENTS)


def test_two_files_of_one_name_are_refused() -> None:
    with pytest.raises(ModelFaultError, match="evaluate returned two files of one name"):
        judged({**HEADER, "files": ["a", "a"]}, CONTENTS)


def test_a_failure_brings_no_file() -> None:
    with pytest.raises(received.DamagedError):
        judged({"status": "failed", "error": {"message": "x", "line": None}, "files": ["a"]}, [b"x"])


def test_without_the_host_s_check_a_name_with_a_path_reaches_the_core_which_refuses_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with monkeypatch.context() as unguarded:
        unguarded.setattr(outputs, "check_files", lambda _: None)
        outcome = judged({**HEADER, "files": ["../../secret", "page.html"]}, CONTENTS)
    assert outcome.files[0].name == "../../secret"
    with pytest.raises((AssertionError, DomainError, protovalidate.ValidationError)):
        taken_by_core(outcome)


REFUSED_CHARTS: dict[str, tuple[dict[Any, Any], str]] = {
    "an undeclared table": ({"c": {**CHART, "table": "u"}}, "chart c must have a table that is returned beside it (t), not {"),
    "an undeclared column": ({"c": {**CHART, "y": ["d"]}}, "chart c has a column that no row of the table t has"),
    "a column of text": ({"c": {**CHART, "y": ["c"]}}, "chart c has a column of the table t whose cells are not all numbers"),
    "a kind that is none": ({"c": {**CHART, "kind": "pie"}}, "chart c must have a kind of line, bar, scatter"),
    "no dict": ({"c": [CHART]}, "chart c must have exactly kind, table, x and y, not ["),
    "a name with a path": ({"../c": CHART}, "chart '../c' is not a name"),
    "65 charts": ({f"c{number}": CHART for number in range(65)}, "evaluate returned more than 64 charts."),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED_CHARTS)
def test_a_chart_that_may_not_be_is_refused_by_child_host_and_core(name: str) -> None:
    given, message = REFUSED_CHARTS[name]
    with pytest.raises(ModelFaultError) as caught:
        outputs.charts(given, TABLES)
    assert caught.value.message.startswith(message)
    with pytest.raises(ModelFaultError) as caught:
        judged({**HEADER, "charts": given, "files": []}, [])
    assert caught.value.message.startswith(message)
    told = completion.message(Outcome("completed", tables=TABLES, charts=given), None)
    with pytest.raises(DomainError, match=r"^outcome\.charts"):
        core._read(told, "digest")


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ([("a", 1), ("a", 1)], "outcome.files have a name twice."),
        ([(f"f{number}", 1) for number in range(65)], "outcome.files are over 64."),
        ([(f"f{number}", 16 * MIB) for number in range(5)], "outcome.files have over 67108864 bytes together."),
    ],
)
def test_the_core_holds_announced_files_to_the_limits_too(files: list[tuple[str, int]], why: str) -> None:
    told = completion.message(Outcome("completed"), None)
    for name, size in files:
        told.files.add(name=name, size=size, sha256="0" * 64)
    with pytest.raises(DomainError) as caught:
        core._read(told, "digest")
    assert caught.value.message == why


def test_a_job_that_failed_brings_no_files_to_the_core() -> None:
    told = completion.message(completion.refused("x"), None)
    told.files.add(name="a", size=1, sha256="0" * 64)
    with pytest.raises(DomainError, match="come with a completed job only"):
        core._read(told, "digest")
