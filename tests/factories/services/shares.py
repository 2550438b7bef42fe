"""Shares and their links over HTTP."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import uuid_utils

from factories.events.world import Caller, World
from factories.services.evaluations import deploy, run_sql


@dataclass(frozen=True)
class Link:
    """A caller with a share link alone."""

    share_id: str
    token: str

    @property
    def headers(self) -> dict[str, str]:
        return {"X-Share-Token": self.token}


async def share(here: World, owner: Caller, project_id: str, status: int = 201, **fields: Any) -> Any:
    """Make a share, and return it or the error."""
    path = f"/v1/projects/{project_id}/shares"
    body = await here.call(owner, "POST", path, status, json=fields)
    return body["data"]["share"] if status == 201 else body["error"]


async def link(here: World, owner: Caller, project_id: str, **fields: Any) -> Link:
    """Make a link."""
    path = f"/v1/projects/{project_id}/shares"
    made = (await here.call(owner, "POST", path, 201, json={"kind": "link", **fields}))["data"]
    return Link(made["share"]["share_id"], made["url"].partition("#share=")[2])


async def status(here: World, caller: Caller | Link | None, path: str, method: str = "GET", **given: Any) -> int:
    """Return the status of a call."""
    headers = {} if caller is None else caller.headers
    async with here.http.request(method, here.url + path, headers=headers, **given) as answer:
        await answer.read()
        return answer.status


async def read(here: World, caller: Caller | Link, path: str) -> Any:
    """Return the data of a successful GET."""
    async with here.http.get(here.url + path, headers=caller.headers) as answer:
        body = await answer.json()
        assert answer.status == 200, body
        return body["data"]


async def variant(here: World, owner: Caller, project_id: str) -> dict[str, Any]:
    """Make a variant of an evaluation of its own, which stays queued; deploy a model where none is."""
    frame = here.core.frame
    if not (await read(here, owner, f"/v1/projects/{project_id}"))["project"]["deployed_model_version_id"]:
        await deploy(frame.db, frame.objects, project_id=project_id)
    path = f"/v1/projects/{project_id}/variants"
    body = {"name": str(uuid_utils.uuid7()), "parameters": {"title": str(uuid_utils.uuid7())}}
    made: dict[str, Any] = (await here.call(owner, "POST", path, 202, json=body))["data"]["variant"]
    return made


async def expire(here: World, share_id: str) -> None:
    """Let a share's time be over, as if it had been given so: no statement of the platform's moves its end."""
    past = "UPDATE projects.share SET expires_at = statement_timestamp() WHERE share_id = :id"
    await run_sql(here.core.frame.db, past, id=share_id)
