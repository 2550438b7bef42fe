"""Comments of projects over the dispatcher, and the members whom they mention."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from catenary_core.call.errors import CallError
from catenary_core.server.dispatch import UnaryResponse
from factories.services.evaluations import CALLERS, ROLES, Node, Refusal, refusal, run_sql

COMMENTS = "/catenary.platform.v1.CommentService/"
ROWS = "/catenary.comments.v2.CommentService/"
CAMERA: dict[str, Any] = {
    "position": [40.0, -60.0, 35.0],
    "target": [0.0, 0.0, 20.0],
    "projection": "CAMERA_PROJECTION_PERSPECTIVE",
    "fov_degrees": 35.0,
}


async def answer(
    node: Node, method: str, caller: str = "evaluator", metadata: Mapping[str, str] | None = None, **fields: Any
) -> UnaryResponse:
    """Call a method, of the platform's CommentService unless it has a path, and return the whole response."""
    path = method if method.startswith("/") else COMMENTS + method
    request = node.dispatch.bindings[path].request(**fields)
    return await node.dispatch.call(path, request, {"authorization": caller, **(metadata or {})})


async def call(node: Node, method: str, caller: str = "evaluator", **fields: Any) -> dict[str, Any]:
    """Call a method, and return its answer."""
    return (await answer(node, method, caller, **fields)).body


async def refused(node: Node, method: str, caller: str = "evaluator", **fields: Any) -> Refusal:
    """Call a method that refuses, and return the refusal."""
    with pytest.raises(CallError) as caught:
        await call(node, method, caller, **fields)
    return refusal(caught.value)


async def write(
    node: Node, project: str, caller: str = "evaluator", content: str = "A", **fields: Any
) -> dict[str, Any]:
    """Write a comment, and return it."""
    made = await call(node, "CreateComment", caller, project_id=project, content=content, **fields)
    found: dict[str, Any] = made["comment"]
    return found


async def listed(node: Node, project: str, **fields: Any) -> list[dict[str, Any]]:
    """Return the first page of a project's comments."""
    found: list[dict[str, Any]] = (await call(node, "ListComments", "viewer", project_id=project, **fields))["comments"]
    return found


async def join(node: Node, project: str, *callers: str) -> None:
    """Make callers members of a project, known by the names that they have here."""
    for caller in callers:
        await run_sql(
            node.frame.db,
            'INSERT INTO identity."user" (id, staff_name, email, admin) VALUES (:u, :n, :n, false)'
            " ON CONFLICT (id) DO UPDATE SET staff_name = excluded.staff_name, email = excluded.email",
            u=CALLERS[caller].user_id,
            n=caller,
        )
        await run_sql(
            node.frame.db,
            "INSERT INTO projects.member (project_id, member_id, is_team, role) VALUES (:p, :u, false, :r)"
            " ON CONFLICT DO NOTHING",
            p=project,
            u=CALLERS[caller].user_id,
            r=ROLES[caller],
        )
