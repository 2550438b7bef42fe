"""The part of the platform's walk with many designs: batches, plans, tables of evaluations, studies."""

from __future__ import annotations

import asyncio
from typing import Any

from factories.walks.recording import Walk


async def batches(call: Walk, path: str) -> None:
    """Evaluate several designs in one call, and delete the batches."""
    given = [{"parameters": {"side": 3.0}}, {"parameters": {"side": 4.0}}, {"parameters": {}}]
    await call("POST", f"{path}/evaluate/batch", 400, json={"evaluations": []})
    await call("POST", f"{path}/evaluate/batch", 400, json={"evaluations": [*given, {"parameters": {"width": 3}}]})
    made = (await call("POST", f"{path}/evaluate/batch", 202, json={"evaluations": given}))["data"]["batch"]
    assert made["counts"]["cached"] >= 1
    one = f"/v1/batches/{made['batch_id']}"
    async with asyncio.timeout(60):
        while (await call.http.get(one)).json()["data"]["batch"]["status"] != "completed":  # noqa: ASYNC110 (it is another process)
            await asyncio.sleep(0.05)
    await call("GET", one, 200)
    results = (await call("GET", f"{one}/results", 200))["data"]["results"]
    assert [point["metrics"]["volume"]["value"] for point in results[:2]] == [27, 64]
    await call("GET", f"{one}/results?status=failed", 200)
    await call("GET", f"{path}/batches", 200)
    # All of it is stored by now.
    again = (await call("POST", f"{path}/evaluate/batch", 202, json={"evaluations": given}))["data"]["batch"]
    assert again["status"] == "completed", again
    for batch in (one, f"/v1/batches/{again['batch_id']}"):
        await call("DELETE", batch, 409)
        await call("DELETE", f"{batch}?remove=true", 200)
        await call("GET", batch, 404)


async def plans(call: Walk, project: str) -> None:
    """Make plans, evaluate one, and take evaluations as a table, out and in."""
    path, table = f"/v1/projects/{project}", {"Accept": "text/csv"}
    route = f"{path}/evaluate/plan"
    grid = {"kind": "grid", "parameters": {"side": {"min": 2, "max": 3}, "open": {}}}
    plan = (await call("POST", route, 201, json=grid))["data"]["plan"]
    assert plan["evaluations"][0] == {"parameters": {"open": False, "side": 2.0}}
    sample = {"kind": "halton", "parameters": {"side": {"values": [2, 3]}}, "size": 5, "seed": 1}
    await call("POST", route, 201, json=sample)
    for wrong in (
        {**sample, "size": 10_001},
        {**sample, "kind": "random"},
        {**sample, "parameters": {"side": {"values": [9]}}},
        {**sample, "parameters": {"side": {"width": 9}}},
        {"kind": "csv", "csv": "in:side\n=1+1\n"},
    ):
        await call("POST", route, 400, json=wrong)
    one = f"/v1/plans/{plan['plan_id']}"
    await call("GET", f"{one}/points", 200, params={"limit": 1})
    await call("GET", f"{one}/points/evaluations.csv", 200)
    await call("GET", one, 200)
    await call("GET", one, 200, headers=table)
    await call("GET", f"{one}/evaluations.csv", 200)
    first = await call("GET", f"{path}/plans", 200, params={"limit": 1})
    await call("GET", f"{path}/plans", 200, params={"cursor": first["metadata"]["next_cursor"]})
    await call("GET", f"{path}/plans", 400, params={"cursor": "damaged"})
    batch = f"{path}/evaluate/batch"
    await _until_ended(call, await call("POST", batch, 202, json={"plan_id": plan["plan_id"]}))
    await call("POST", batch, 400, json={"plan_id": project})
    await call("POST", batch, 400, json={"plan_id": plan["plan_id"], "evaluations": [{"parameters": {}}]})
    await call("DELETE", one, 200)
    await call("GET", one, 404)
    exchange, file = f"{path}/evaluations.csv", {"Content-Type": "text/csv"}
    exported = await call.http.get(exchange)
    assert exported.text.startswith("in:side [m],"), exported.text
    await call("GET", exchange, 200)
    await call("GET", exchange, 200, params={"status": "failed,timed_out"})
    await call("GET", exchange, 404, params={"model_version_id": project})
    await call("GET", exchange, 404, params={"batch_id": project})
    await call("GET", exchange, 400, params={"model_version_id": "x"})
    await _until_ended(call, await call("POST", exchange, 202, content=exported.content, headers=file))
    form = {"file": ("evaluations.csv", b"in:side\n2\n")}
    await _until_ended(call, await call("POST", exchange, 202, files=form))
    await call("POST", exchange, 400, content=b"in:side\n=1+1\n", headers=file)
    await call("POST", exchange, 415, content=b"in:side\n2\n", headers={"Content-Type": "text/plain"})


async def _until_ended(call: Walk, made: dict[str, Any]) -> None:
    one = f"/v1/batches/{made['data']['batch']['batch_id']}"
    async with asyncio.timeout(60):
        while (await call.http.get(one)).json()["data"]["batch"]["status"] != "completed":  # noqa: ASYNC110 (it is another process)
            await asyncio.sleep(0.05)


async def studies(call: Walk, path: str) -> None:
    """Run a study to its end, resume it with a larger budget and delete it."""
    study = {
        "kind": "optimization",
        "objectives": [{"metric": "volume"}, {"expression": "side", "direction": "maximize", "reference": 1.0}],
        "constraints": [{"metric": "volume", "op": "<=", "value": 100}],
        "parameters": {"side": {"min": 2}, "kind": {"fixed": "a"}},
        "population": 4,
        "budget": 6,
        "seed": 1,
    }
    for wrong in (
        {**study, "objectives": []},
        {**study, "objectives": [{"metric": "mass"}]},
        {**study, "objectives": [{"expression": "volume + side"}]},
        {**study, "parameters": {"side": {"min": 5, "max": 3}}},
        {**study, "parameters": {"kind": {"fixed": "c"}}},
        {**study, "budget": 0},
        {**study, "kind": "guess"},
        {**study, "algorithm": "morris"},
        {**study, "start_from": ["0199aaaa-0000-7000-8000-000000000001"]},
    ):
        await call("POST", f"{path}/studies", 400, json=wrong)
    made = (await call("POST", f"{path}/studies", 202, json=study))["data"]["study"]
    one = f"/v1/studies/{made['study_id']}"
    done = await _ended(call, one)
    assert (done["status"], done["counts"]["total"], done["generation"]) == ("completed", 6, 2)
    results = (await call("GET", f"{one}/results", 200))["data"]["results"]
    for point in results:
        assert point["objectives"][0]["value"] == point["metrics"].get("volume", {"value": None})["value"], point
    await call("GET", f"{one}/results?limit=2", 200)
    await call("GET", f"{one}/results", 200, headers={"Accept": "text/csv"})
    await call("GET", f"{one}/results/points.csv", 200)
    await call("GET", f"{one}/front", 200)
    shown = (await call("GET", f"{one}/front?representatives=2", 200))["data"]
    assert shown["knee"] in [point["index"] for point in shown["points"]]
    await call("GET", f"{one}/front?representatives=101", 400)
    await call("GET", f"{one}/indices", 200)
    await call("GET", f"{path}/studies", 200)
    await call("GET", f"{path}/studies?status=completed", 200)
    await call("POST", f"{one}/resume", 409, json={})
    await call("POST", f"{one}/resume", 400, json={"budget": 5})
    await call("POST", f"{one}/resume", 202, json={"budget": 8})
    assert (await _ended(call, one))["counts"]["total"] == 8
    await call("POST", f"{one}/cancel", 200, json={})
    await call("DELETE", one, 409)
    await call("DELETE", f"{one}?remove=true", 200)
    await call("GET", one, 404)


async def _ended(call: Walk, one: str) -> dict[str, Any]:
    async with asyncio.timeout(120):
        while (await call.http.get(one)).json()["data"]["study"]["completed_at"] is None:  # noqa: ASYNC110 (it is another process)
            await asyncio.sleep(0.05)
    found: dict[str, Any] = (await call("GET", one, 200))["data"]["study"]
    return found
