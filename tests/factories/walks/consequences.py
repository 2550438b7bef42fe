"""Walks whose writes have consequences: what goes along with them has events of its own."""

from __future__ import annotations

import asyncio
from typing import Any

from factories.walks.pages import NOBODY, URL
from factories.walks.recording import Walk

PARAMETER = "/parameter/v1"
CANARY = "words that no event repeats"
_PYTHON = {"Content-Type": "text/x-python"}
_SLOW = b"""
import time
PARAMETERS = [{"name": "seconds", "type": "number", "min": 0, "max": 60, "default": 0}]
METRICS = [{"name": "seconds"}]

def evaluate(p):
    time.sleep(p["seconds"])
    return {"metrics": {"seconds": p["seconds"]}, "geometry": {}, "tables": {}}
"""


async def walk_rows_of_a_project(call: Walk, project: str) -> None:
    """Make, change and delete a row of every kind that belongs to a project of the environment context service."""
    kind = (await call("GET", "/reference/v2/source_types", 200))["source_types"][0]["id"]
    source = (
        await call(
            "POST",
            "/reference/v2/sources",
            201,
            json={"source_type_id": kind, "title": "T", "reference": "R", "date_year": "2028"},
        )
    )["source"]["id"]

    async def new(route: str, **item: Any) -> str:
        made = await call("POST", f"{PARAMETER}/{route}", 201, json=item)
        return str(made[route][0]["id"])

    group = await new("asset_type_groups", name=f"G {project}")
    asset_type = await new("asset_types", name=f"T {project}", asset_type_group_id=group)
    first_type = await new("parameter_types", name=f"A {project}", data_type="string")
    second_type = await new("parameter_types", name=f"B {project}", data_type="string")
    asset = await new("assets", project_id=project, asset_type_id=asset_type, name="Tower")
    await call("PATCH", f"{PARAMETER}/assets/{asset}", 200, json={"name": "Spire"})
    entry: dict[str, Any] = {"source_id": source, "values": [{"value": "é"}], "comment": CANARY}
    item = {"project_id": project, "parent_ids": [asset]}
    one = (
        await call(
            "POST",
            f"{PARAMETER}/parameters",
            201,
            json={"parameters": [{**item, "parameter_type_id": first_type, "entries": [entry]}]},
        )
    )["parameters"][0]
    entry_id = one["selected_entry"]["entry_id"]
    revised = {**entry, "entry_id": entry_id, "values": [{"value": "other"}]}
    await call(
        "POST",
        f"{PARAMETER}/parameters",
        200,
        json={"parameters": [{**item, "parameter_type_id": first_type, "entries": [revised]}]},
    )
    put = {**entry, "entry_id": entry_id, "parameter_id": one["id"], "values": [{"value": "third"}]}
    (now,) = (await call("PUT", f"{PARAMETER}/entries", 200, json={"entries": [put]}))["entries"]
    judged = {"revision_id": now["revision_id"], "status": "rejected", "comment": CANARY}
    await call("PATCH", f"{PARAMETER}/revisions", 200, json={"revisions": [judged]})
    await call("PATCH", f"{PARAMETER}/parameters/{one['id']}", 200, json={"parent_ids": []})
    await call("PATCH", f"{PARAMETER}/parameters/{one['id']}", 200, json={"parent_ids": [asset]})
    two = await call(
        "POST", f"{PARAMETER}/parameters", 201, json={**item, "parameter_type_id": second_type, "entries": [entry]}
    )
    await call("DELETE", f"{PARAMETER}/parameters/{two['parameters'][0]['id']}", 200)
    await _set(call, project, asset, f"S {project}")
    await call("DELETE", f"{PARAMETER}/assets/{asset}", 200)
    await _tag(call, project)


async def _set(call: Walk, project: str, asset: str, name: str) -> None:
    categories, types = f"{PARAMETER}/parameter_set_categories", f"{PARAMETER}/parameter_set_types"
    sets = f"{PARAMETER}/parameter_sets"
    category = (await call("POST", categories, 201, json={"name": name}))["parameter_set_category"]["id"]
    kind = {"name": name, "parameter_set_category_id": category, "item_type_ids": []}
    type_id = (await call("POST", types, 201, json=kind))["parameter_set_type"]["id"]
    given = {"name": name, "parameter_set_type_id": type_id, "project_id": project, "asset_id": asset}
    made = (await call("POST", sets, 201, json=given))["parameter_set"]["id"]
    await call("DELETE", f"{sets}/{made}", 200)


async def _tag(call: Walk, project: str) -> None:
    tags, links = "/metadata/v1/tags", "/metadata/v1/tag_links"
    kind = {"name": f"K {project}", "allow_custom": True}
    type_id = (await call("POST", "/metadata/v1/tag_types", 201, json=kind))["tag_type"]["id"]
    given = {"name": "t", "tag_type_id": type_id, "tag_scope": project}
    tag = (await call("POST", tags, 201, json=given))["tag"]["id"]
    await call("PATCH", f"{tags}/{tag}", 200, json={"name": "u"})
    things = [f"00000000-0000-7000-8000-00000000000{digit}" for digit in "ab"]
    put = [{"tag_id": tag, "reference_id": one, "reference_table": "t", "reference_url": URL} for one in things]
    await call("PUT", links, 200, json={"tag_links": put})
    await call("PUT", links, 200, json={"tag_links": [{**put[0], "reference_table": "v"}]})
    await call("PATCH", f"{tags}/{tag}/links/{things[0]}", 200, json={"reference_table": "w"})
    await call("DELETE", f"{tags}/{tag}/links/{things[0]}", 200)
    await call("DELETE", f"{tags}/{tag}", 200)  # and the other link with it


async def walk_ends_of_jobs(call: Walk) -> None:
    """End checks and evaluations, good and bad, in a project of its own, with a worker."""
    project = (await call("POST", "/v1/projects", 201, json={"name": "Ends"}))["data"]["project"]["project_id"]
    path = f"/v1/projects/{project}"
    model = (await call("POST", f"{path}/models", 201, json={"name": "Slow"}))["data"]["model"]["model_id"]
    versions = f"{path}/models/{model}/versions"
    for content, ends in ((b"def evaluate(p): return None\nPARAMETERS = 5\n", "failed"), (_SLOW, "active")):
        await _deployed_unchecked(call, path, versions, content)
        await _until(call, f"{path}/deployments", "deployments", ends)
    body = {"parameters": {"seconds": 50}}
    asked = await call("POST", f"{path}/evaluate", 202, json=body, headers={"Prefer": "respond-async"})
    one = f"/v1/evaluations/{asked['data']['evaluation']['evaluation_id']}"
    await call("DELETE", one, 200)
    await call("GET", f"/v1/evaluations/{NOBODY}", 404)
    study = {"kind": "optimization", "objectives": [{"expression": "seconds"}], "budget": 4, "seed": 1}
    study["parameters"] = {"seconds": {"min": 40, "max": 50}}
    for method, end in (("POST", "/cancel"), ("DELETE", "")):
        made = (await call("POST", f"{path}/studies", 202, json=study))["data"]["study"]
        more = {"json": {}} if end else {}
        await call(method, f"/v1/studies/{made['study_id']}{end}", 200, **more)
    many = await call("POST", f"{path}/evaluate/batch", 202, json={"evaluations": [body, body]})
    one = f"/v1/batches/{many['data']['batch']['batch_id']}"
    await call("DELETE", f"{one}?remove=true", 409)
    await call("DELETE", one, 200)
    await call("DELETE", one, 409)
    await call("DELETE", f"{one}?remove=true", 200)


async def _deployed_unchecked(call: Walk, path: str, versions: str, content: bytes) -> None:
    """Deploy a new version before its check is done, so that the deployment ends with it."""
    for number in range(20):
        # Another file each time, whose check begins anew.
        given = content + b"# %d\n" % number
        made = await call("POST", versions, 201, content=given, headers=_PYTHON)
        version = {"model_version_id": made["data"]["model_version"]["model_version_id"]}
        asked = await call.http.post(f"{path}/deployments", json=version)
        if asked.status_code != 409:  # a bad model whose check was faster, on a machine that stood still
            assert asked.status_code == 201, asked.text
            return
    raise AssertionError("each check was done before its deployment was asked for")


async def _until(call: Walk, path: str, rows: str, status: str) -> None:
    """Wait until the newest or oldest row of a list has a status."""
    async with asyncio.timeout(60):
        while True:
            found = (await call.http.get(path)).json()["data"][rows]
            if status in (found[0]["status"], found[-1]["status"]):
                return
            await asyncio.sleep(0.05)
