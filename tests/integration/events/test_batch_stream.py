"""The stream of a batch over HTTP: server-sent events, and lines of JSON."""

from __future__ import annotations

from typing import Any

import aiohttp
import orjson
import pytest

from factories.events.world import World
from factories.services.evaluations import deploy, run_sql

LINES = "application/x-ndjson"


async def _ended_batch(here: World, mass: float) -> tuple[Any, str]:
    """Return the maker and the path of a batch of two points that have ended."""
    owner = await here.caller(f"o{mass:g}")
    project_id = await here.project(owner)
    frame = here.core.frame
    await deploy(frame.db, frame.objects, project_id=project_id)
    body = {"evaluations": [{"parameters": {"span": 10}}, {"parameters": {"span": 11}}]}
    made = (await here.call(owner, "POST", f"/v1/projects/{project_id}/evaluate/batch", 202, json=body))["data"][
        "batch"
    ]
    await run_sql(
        frame.db,
        "UPDATE evaluations.point SET status = 'completed', position = index + 1, completed_at = now(),"
        " metrics = json_build_object('mass', json_build_object('value', CAST(:mass AS float), 'unit', 'kg'))"
        " WHERE batch_id = :id",
        mass=mass,
        id=made["batch_id"],
    )
    await run_sql(
        frame.db,
        "UPDATE evaluations.batch SET status = 'completed', queued = 0, completed = 2, completed_at = now()"
        " WHERE batch_id = :id",
        id=made["batch_id"],
    )
    return owner, f"{here.url}/v1/batches/{made['batch_id']}/stream"


async def _lines(here: World, url: str, headers: dict[str, str]) -> list[dict[str, Any]]:
    async with here.http.get(url, headers={**headers, "Accept": LINES}) as answer:
        assert (answer.status, answer.headers["Content-Type"]) == (200, LINES)
        assert "Accept" in answer.headers["Vary"]
        return [orjson.loads(line) for line in (await answer.read()).split(b"\n") if line]


async def test_a_stream_comes_as_lines_and_goes_on_after_an_item(here: World) -> None:
    owner, url = await _ended_batch(here, 5)
    found = await _lines(here, url, owner.headers)
    assert [one["id"] for one in found] == ["1", "2", "3"]
    assert [one["result"]["index"] for one in found[:2]] == [0, 1]
    assert (found[0]["batch"], found[2]["result"], found[2]["batch"]["status"]) == (None, None, "completed")
    assert await _lines(here, f"{url}?after=2", owner.headers) == found[2:]


async def test_the_same_items_come_as_server_sent_events(here: World) -> None:
    owner, url = await _ended_batch(here, 6)
    lines = await _lines(here, url, owner.headers)
    for accept in ("text/event-stream", "*/*", f"{LINES};q=0.5, text/event-stream"):
        async with here.http.get(url, headers={**owner.headers, "Accept": accept, "Last-Event-ID": "1"}) as answer:
            assert answer.headers["Content-Type"] == "text/event-stream"
            blocks = [block for block in (await answer.read()).split(b"\n\n") if b"data: " in block]
        fields = [dict(line.split(b": ", 1) for line in block.split(b"\n")) for block in blocks]
        assert [one[b"id"] for one in fields] == [b"2", b"3"]
        assert [orjson.loads(one[b"data"]) for one in fields] == lines[1:]


async def test_streams_of_two_batches_share_no_bytes(here: World) -> None:
    """The ids of their items are the same."""
    masses = []
    for mass in (7.0, 8.0):
        owner, url = await _ended_batch(here, mass)
        masses.append((await _lines(here, url, owner.headers))[0]["result"]["metrics"]["mass"]["value"])
    assert masses == [7.0, 8.0]


async def test_events_come_as_lines_too(here: World) -> None:
    owner = await here.caller("l")
    url = f"{here.url}/v1/events?types=project.*"
    async with here.http.get(url, headers={**owner.headers, "Accept": LINES}) as answer:
        assert answer.headers["Content-Type"] == LINES
        project_id = await here.project(owner)
        event = orjson.loads(await answer.content.readline())
        assert (event["type"], event["project_id"]) == ("project.created", project_id)


@pytest.mark.parametrize("after", ["9", "x"])
async def test_an_unknown_item_is_refused_before_the_stream(here: World, after: str) -> None:
    owner, url = await _ended_batch(here, 9)
    async with aiohttp.ClientSession() as http, http.get(f"{url}?after={after}", headers=owner.headers) as answer:
        assert answer.status == 400
        assert (await answer.json())["error"]["details"]["parameter"] == "after"
