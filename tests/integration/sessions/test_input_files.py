"""Files as values of designs: one that the session knows, one that is new, and those of others."""

from __future__ import annotations

import hashlib

import pytest
import uuid_utils

from catenary_core.services.evaluations.sessions import input_files
from factories.installations.serving import working
from factories.services.evaluations import parameter, run_sql
from factories.sessions import explorer as models
from factories.sessions.explorer import deployed, exploring
from integration.sessions.conftest import Place

pytestmark = pytest.mark.sampled

READER = b"""
PARAMETERS = [{"name": "profile", "type": "file"}]
METRICS = [{"name": "sum"}]
def evaluate(p):
    with open(p["profile"]) as file:
        return {"metrics": {"sum": sum(map(float, file))}}
"""


async def _file(place: Place, content: bytes, name: str) -> str:
    """Store a file of the place's project, as an upload does; return its id."""
    frame, file_id = place.here.core.frame, str(uuid_utils.uuid7())
    sha256 = await frame.objects.put(content, durable=True)
    await run_sql(
        frame.db,
        "INSERT INTO evaluations.input_file (file_id, project_id, name, suffix, size, sha256, created_by)"
        " VALUES (CAST(:f AS uuid), CAST(:p AS uuid), :n, '.csv', :size, :sha, CAST(:f AS uuid))",
        f=file_id,
        p=place.project_id,
        n=name,
        size=len(content),
        sha=sha256,
    )
    return file_id


@pytest.mark.slow
async def test_designs_read_files_also_those_uploaded_meanwhile(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "PARAMETERS", [parameter("profile", "file", None, max_bytes=1000)])
    monkeypatch.setattr(input_files, "RELOAD_SECONDS", 0.0)
    await deployed(place.here, monkeypatch, place.project_id, READER)
    first = await _file(place, b"1\n2\n", "a.csv")
    async with working(place.here.node), exploring(place.here, place.owner, place.project_id) as explorer:
        await explorer.receive()
        await explorer.send(1, {"profile": first})
        answer = await explorer.receive()
        assert answer.evaluation.metrics["sum"].value.text == "3.0"
        await explorer.send(2, {"profile": str(uuid_utils.uuid7())})
        assert (await explorer.receive()).error.message.startswith("profile must be the file_id of a file")
        await explorer.send(3)
        assert "profile is missing and has no default" in (await explorer.receive()).error.message
        await explorer.send(4, {"profile": await _file(place, b"40\n", "b.csv")})
        assert (await explorer.receive()).evaluation.metrics["sum"].value.text == "40.0"
        await run_sql(place.here.core.frame.db, "DELETE FROM evaluations.input_file WHERE name = 'a.csv'")
        await explorer.send(5, {"profile": first})
        again = await explorer.receive()
        assert again.evaluation.metrics["sum"].value.text == "3.0", "the session knows the file, and the worker has it"


async def test_unknown_files_cost_one_look_a_second(place: Place) -> None:
    now, slept = [100.0], list[float]()

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    files = input_files.SessionFiles(place.here.core.frame.db, place.project_id, lambda: now[0], sleep)
    declared = [parameter("profile", "file", None, max_bytes=1000)]
    assert await files.look(declared)
    now[0] += 0.25
    file_id = await _file(place, b"1\n", "a.csv")
    assert await files.look(declared), "one that was uploaded since the last look is found"
    assert [file_id in one["files"] for one in files.beside(declared)] == [True]
    now[0] += input_files.RELOAD_SECONDS
    assert await files.look(declared)
    assert slept == [0.75]
    assert not await files.look([parameter("span", "number", 1.0)])


async def test_a_design_with_a_deleted_file_names_the_file_and_the_way_out(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models, "PARAMETERS", [parameter("profile", "file", None, max_bytes=1000)])
    await deployed(place.here, monkeypatch, place.project_id, READER)
    kept, gone = await _file(place, b"1\n", "kept.csv"), await _file(place, b"2\n", "gone.csv")
    async with working(place.here.node), exploring(place.here, place.owner, place.project_id) as explorer:
        await explorer.receive()
        await explorer.send(1, {"profile": kept})
        await explorer.receive()
        await run_sql(place.here.core.frame.db, "DELETE FROM evaluations.input_file WHERE name = 'gone.csv'")
        await explorer.send(2, {"profile": gone})  # the session has seen it, and no worker has fetched it
        told = (await explorer.receive()).evaluation
        sha256 = hashlib.sha256(b"2\n").hexdigest()
        assert told.error.message == (
            f"The file of profile (SHA-256 {sha256}) was deleted from the project; upload it again and give its new"
            " file_id."
        )
        await explorer.send(3, {"profile": await _file(place, b"2\n", "again.csv")})
        answer = await explorer.receive()
        assert answer.evaluation.metrics["sum"].value.text == "2.0", answer
