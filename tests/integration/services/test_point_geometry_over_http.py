"""Geometry of a batch's points through edge, core, worker and sandbox."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from factories.events.world import SECONDS, Caller, World, world
from factories.installations.serving import working
from factories.sessions.explorer import deployed


async def _batch(here: World, caller: Caller, project_id: str, **body: Any) -> list[Any]:
    """Return the results of a batch of two points when it has ended."""
    points = [{"parameters": {"span": span}} for span in (10, 20)]
    path = f"/v1/projects/{project_id}/evaluate/batch"
    made = await here.call(caller, "POST", path, 202, json={"evaluations": points, **body})
    path = f"/v1/batches/{made['data']['batch']['batch_id']}"
    async with asyncio.timeout(SECONDS):
        while (await here.call(caller, "GET", path))["data"]["batch"]["status"] != "completed":  # noqa: ASYNC110 (a row)
            await asyncio.sleep(0.05)
    results: list[Any] = (await here.call(caller, "GET", f"{path}/results"))["data"]["results"]
    return results


async def _get(here: World, caller: Caller, url: str) -> tuple[int, dict[str, str], bytes]:
    async with here.http.get(here.url + url, headers=caller.headers) as answer:
        return answer.status, dict(answer.headers), await answer.read()


@pytest.mark.parametrize(
    "remote", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["in one process", "over gRPC"]
)
async def test_the_geometry_of_a_point_is_there_after_it_was_asked_for(
    started_dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, remote: bool
) -> None:
    async with world(started_dsn, tmp_path, remote=remote) as here:
        owner, viewer = await here.caller("Owner"), await here.caller("Viewer")
        project_id = await here.project(owner)
        path = f"/v1/projects/{project_id}/members/{viewer.user_id}"
        await here.call(owner, "PUT", path, json={"role": "viewer"})
        await deployed(here, monkeypatch, project_id)
        async with working(here.node):
            point, _ = await _batch(here, owner, project_id)
            assert [(one["name"], one["format"], one["size"]) for one in point["geometry"]] == [
                ("plate", "glb", None),
                ("slab", "glb", None),
            ]
            url = point["geometry"][0]["url"]
            assert (await _get(here, viewer, url))[0] == 404
            status, headers, content = await _get(here, owner, url)
            assert (status, content, headers["Cache-Control"]) == (202, b"", "no-store")
            assert "Retry-After" in headers
            assert "ETag" not in headers
            async with asyncio.timeout(SECONDS):
                while (await _get(here, owner, url))[0] == 202:  # noqa: ASYNC110 (a row of the core's)
                    await asyncio.sleep(0.05)
            for caller in (owner, viewer):
                status, headers, content = await _get(here, caller, url)
                assert (status, headers["Content-Type"], content[:4]) == (200, "model/gltf-binary", b"glTF")
                assert headers["Cache-Control"] == "no-cache"
            alone = (await here.call(viewer, "GET", f"/v1/evaluations/{point['evaluation_id']}"))["data"]["evaluation"]
            assert (alone["geometry"][0]["size"], alone["metrics"]) == (len(content), point["metrics"])
            for one in await _batch(here, owner, project_id, geometry=True):
                assert (await _get(here, viewer, one["geometry"][1]["url"]))[0] == 200
                assert one["geometry"][0]["size"] > 0
