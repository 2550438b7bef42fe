"""Parameters that are files: what a model reads in the sandbox, and what it can't reach or change."""

from __future__ import annotations

import asyncio
import io
import zipfile
from dataclasses import replace
from typing import Any, cast

import orjson
import pytest

from catenary.worker.v1 import worker_service_pb2 as pb
from catenary_core.services.models import declarations
from catenary_worker import kept
from catenary_worker.fetched_files import FileGoneError, InputFiles
from catenary_worker.host import Zygote
from catenary_worker.jobs import chunks
from catenary_worker.jobs.check import check
from catenary_worker.kept import Keeper, Kept
from catenary_worker.reused import ReusedChild
from catenary_worker.task import InputFile, Task
from factories.services.verdicts import taken_by_core
from integration.worker.zygotes import described

# The zygote belongs to the event loop of its module.
pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.sampled]

READER = b"""
import os
PARAMETERS = [{"name": "profile", "type": "file", "accept": [".csv", ".txt"], "max_bytes": 1000}]
METRICS = [{"name": "sum"}]
def evaluate(p):
    with open(p["profile"]) as file:
        numbers = [float(line) for line in file]
    print(p["profile"], sorted(os.listdir(os.path.dirname(p["profile"]))))
    return {"metrics": {"sum": sum(numbers)}}
"""
WRITER = b"""
PARAMETERS = [{"name": "profile", "type": "file"}]
def evaluate(p):
    try:
        open(p["profile"], "w")
    except PermissionError:
        return {"metrics": {"refused": 1}}
    return {"metrics": {"refused": 0}}
"""


def _zip(source: bytes, **more: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("model.py", source)
        for name, content in more.items():
            archive.writestr(name.replace("__", "/").replace("_csv", ".csv"), content)
    return packed.getvalue()


def _with_default(default: str, more: str = "") -> bytes:
    return READER.replace(b'"max_bytes": 1000', f'"max_bytes": 1000, "default": "{default}"{more}'.encode())


def _file(content: bytes, name: str = "profile.csv") -> dict[str, InputFile]:
    return {"profile": InputFile(name, content)}


async def test_a_model_reads_a_file_at_a_path_of_the_platform_s(zygote: Zygote) -> None:
    task = await described(zygote, Task("evaluate", "python", READER))
    outcome = await zygote.run(replace(task, parameters={"profile": "0" * 64 + ".csv"}, files=_file(b"1\n2.5\n")))
    assert outcome.error is None
    assert outcome.metrics == {"sum": {"value": 3.5, "unit": None}}
    path, _, listed = outcome.log.strip().partition(" ")
    assert path.endswith("/input-files/profile.csv")
    assert listed == "['profile.csv']"


async def test_a_model_can_t_write_to_its_file(zygote: Zygote) -> None:
    task = await described(zygote, Task("evaluate", "python", WRITER))
    assert zygote.state is not None
    if not zygote.state.enforced:
        pytest.skip("without a sandbox a model may run as root, who may write everywhere")
    outcome = await zygote.run(replace(task, parameters={"profile": "0" * 64}, files=_file(b"1\n", "profile")))
    assert outcome.metrics == {"refused": {"value": 1, "unit": None}}


async def test_the_default_is_a_file_of_the_zip(zygote: Zygote) -> None:
    source = _zip(_with_default("data/section.csv"), data__section_csv=b"7\n8\n")
    outcome, deterministic = await check(zygote, Task("evaluate", "zip", source))
    assert (outcome.status, outcome.error, deterministic, outcome.repeatable) == ("completed", None, True, True)
    assert outcome.metrics["sum"]["value"] == 15.0
    taken_by_core(outcome)
    (declared,) = declarations.normalised(dict(outcome.description or {})).parameters
    assert (declared["type"], declared["default"], declared["accept"], declared["max_bytes"]) == (
        "file",
        "data/section.csv",
        [".csv", ".txt"],
        1000,
    )


async def test_without_a_default_the_check_evaluates_nothing_and_says_so(zygote: Zygote) -> None:
    outcome, deterministic = await check(zygote, Task("evaluate", "python", READER))
    assert (outcome.status, deterministic, outcome.repeatable) == ("completed", None, False)
    assert outcome.not_repeatable == "Nothing was evaluated in the check, since profile has no default file."
    assert not outcome.metrics
    taken_by_core(outcome)
    given = Task("evaluate", "python", READER, files=_file(b"4\n"))
    outcome, deterministic = await check(zygote, given)
    assert (deterministic, outcome.repeatable, outcome.metrics["sum"]["value"]) == (True, True, 4.0)


@pytest.mark.parametrize(
    ("source", "kind", "message"),
    [
        (_with_default("data/none.csv"), "python", "is no file of the model's zip"),
        (_zip(_with_default("data/none.csv"), data__section_csv=b"1\n"), "zip", "is no file of the model's zip"),
        (_zip(_with_default("big.csv"), big_csv=b"1\n" * 501), "zip", "has more than 1,000 bytes (max_bytes)."),
        (_with_default("../section.csv"), "python", "must be a path of a file in the model's zip"),
        (_with_default("/etc/passwd"), "python", "must be a path of a file in the model's zip"),
        (_with_default("section.dxf"), "python", "must end in one of .csv, .txt."),
        (READER.replace(b".txt", b".TXT"), "python", "must be a list of suffixes in lower case"),
        (READER.replace(b".txt", b".csv"), "python", "accept has a suffix twice"),
        (READER.replace(b"1000", b"17_000_000"), "python", "must be a whole number from 1 to 16,777,216"),
        (READER.replace(b'"max_bytes": 1000', b'"unit": "m"'), "python", "unit"),
    ],
)
async def test_a_wrong_declaration_fails_the_check(zygote: Zygote, source: bytes, kind: Any, message: str) -> None:
    outcome, _ = await check(zygote, Task("evaluate", kind, source))
    assert outcome.status == "failed"
    assert outcome.error is not None
    assert message in outcome.error.message


async def test_more_files_than_a_model_may_take_are_refused(zygote: Zygote) -> None:
    entries = ", ".join(f'{{"name": "f{number}", "type": "file"}}' for number in range(5))
    source = f"PARAMETERS = [{entries}]\ndef evaluate(p):\n    return {{}}\n".encode()
    outcome, _ = await check(zygote, Task("evaluate", "python", source))
    assert outcome.error is not None
    assert outcome.error.message == "PARAMETERS: more than 4 parameters have the type file."


async def test_a_zip_that_has_the_folder_of_files_is_refused(zygote: Zygote) -> None:
    source = _zip(READER, **{"input-files__other_csv": b"1\n"})
    task = await described(zygote, Task("evaluate", "zip", source))
    outcome = await zygote.run(replace(task, parameters={"profile": "0" * 64}, files=_file(b"1\n")))
    assert outcome.error is not None
    assert "The zip holds input-files" in outcome.error.message


class _Filler:
    """Gives files to points by their values."""

    def __init__(self, **contents: bytes) -> None:
        self.contents = contents

    async def __call__(self, task: Task) -> Task:
        content = self.contents.get(str(task.parameters["profile"]))
        if content is None:
            raise FileGoneError("The file of profile was deleted from the project; upload it again.")
        return replace(task, files=_file(content))


async def _points(zygote: Zygote, values: list[str], filler: _Filler) -> list[Any]:
    task = replace(await described(zygote, Task("evaluate", "python", READER)), repeatable=True)
    async with Kept(zygote, task, filler) as running:
        return [await running.evaluate({"profile": value}) for value in values]


async def test_points_of_one_file_share_a_child_and_others_do_not(zygote: Zygote) -> None:
    filler = _Filler(a=b"1\n", b=b"2\n")
    outcomes = await _points(zygote, ["a", "a", "b", "b", "a"], filler)
    assert [outcome.metrics["sum"]["value"] for outcome in outcomes] == [1.0, 1.0, 2.0, 2.0, 1.0]
    assert [outcome.reused for outcome in outcomes] == [False, True, False, True, False]


class _Files(InputFiles):
    """Gives files to the points of a chunk by their values."""

    def __init__(self, **contents: bytes) -> None:
        self._filler = _Filler(**contents)

    async def filled(self, model_version_id: str, task: Task) -> Task:
        return await self._filler(task)


async def _none(running: chunks.Chunks, job: pb.Job) -> list[pb.JobPoint]:
    return []


@pytest.mark.parametrize("ordered", [True, False])
async def test_a_chunk_of_two_files_in_turns_has_a_child_for_each_file(
    zygote: Zygote, monkeypatch: pytest.MonkeyPatch, ordered: bool
) -> None:
    """Without the order each point would have a child of its own, as if the model were not repeatable."""
    children: list[ReusedChild] = []
    run = ReusedChild.run

    async def noting(self: ReusedChild, task: Task) -> Any:
        children.append(self)
        return await run(self, task)

    monkeypatch.setattr(ReusedChild, "run", noting)
    monkeypatch.setattr(kept, "PAYING_SECONDS", 60.0)
    monkeypatch.setattr(chunks.Chunks, "_further", _none)
    if not ordered:
        monkeypatch.setattr(chunks, "declared", lambda _: [])
    task = replace(await described(zygote, Task("evaluate", "python", READER)), repeatable=True)
    points = [pb.JobPoint(index=at, parameters={"profile": {"text": f'"{"ab"[at % 2]}"'}}) for at in range(12)]
    job, stub = pb.Job(job_id="job", source_sha256="file", points=points), None
    running = chunks.Chunks(cast("Any", stub), (), Keeper(zygote), _Files(a=b"1\n", b=b"2\n"))
    stopping = asyncio.get_running_loop().create_future()
    results = await running.run(job, task, "digest", stopping, lambda: None)
    sums = {one.index: orjson.loads(one.outcome.metrics.text)["sum"]["value"] for one in results}
    assert sums == {at: 1.0 + at % 2 for at in range(12)}
    # The last point of each file is run once more, by a fresh child that confirms the one before.
    assert (len(set(children)), len(children)) == ((4, 14) if ordered else (12, 12))


async def test_without_the_look_at_the_files_a_point_would_read_those_of_another(
    zygote: Zygote, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Alike(dict[str, InputFile]):
        """Files that equal all others."""

        __hash__ = None  # type: ignore[assignment]  # as of a dict

        def __eq__(self, other: object) -> bool:
            return True

        def __ne__(self, other: object) -> bool:
            return False

    class AlikeFiller(_Filler):
        async def __call__(self, task: Task) -> Task:
            return replace(filled := await super().__call__(task), files=Alike(filled.files))

    monkeypatch.setattr(kept, "PAYING_SECONDS", 60.0)
    outcomes = await _points(zygote, ["a", "b"], AlikeFiller(a=b"1\n", b=b"2\n"))
    assert [outcome.metrics["sum"]["value"] for outcome in outcomes] == [1.0, 1.0], (
        "the second point read the first's file"
    )


async def test_a_point_whose_file_is_gone_fails_alone(zygote: Zygote) -> None:
    first, second, third = await _points(zygote, ["a", "gone", "a"], _Filler(a=b"1\n"))
    assert (first.status, second.status, third.status) == ("completed", "failed", "completed")
    assert second.error is not None
    assert second.error.message == "The file of profile was deleted from the project; upload it again."


async def test_a_changed_file_costs_the_child(zygote: Zygote) -> None:
    changes = READER.replace(
        b"    return", b"    os.chmod(p['profile'], 0o644)\n    open(p['profile'], 'a').write('1\\n')\n    return"
    )
    task = replace(await described(zygote, Task("evaluate", "python", changes)), repeatable=True)
    async with Kept(zygote, task, _Filler(a=b"1\n")) as running:
        outcomes = [await running.evaluate({"profile": "a"}) for _ in range(3)]
    assert [outcome.metrics["sum"]["value"] for outcome in outcomes] == [1.0, 1.0, 1.0]
