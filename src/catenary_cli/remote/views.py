"""`catenary view`: what a page shows of a project on a running server, saved under names."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import orjson

from catenary_cli import show
from catenary_cli.remote.api import Access, Api, ApiError

_STDIN = Path("-")
_SET_BY_SERVER = ("view_id", "project_id", "omitted", "created_by", "created_at", "updated_at", "deleted_at")
"""Fields of an answer that no request has."""
_PRECONDITION_FAILED = 412


@dataclass(frozen=True, slots=True)
class FoundView:
    """A view as it was read."""

    path: str
    view: Mapping[str, Any]
    tag: str
    """Entity tag, which a change must still find."""


async def list_views(access: Access, project_id: str, *, as_json: bool) -> None:
    """Print the views of a project, newest first."""
    async with Api(access) as api:
        views = await api.pages(f"projects/{quote(project_id, safe='')}/views", "views")
    if as_json:
        show.json({"views": views})
        return
    columns = ("Name", "Id", "Default", "Shows", "Saved by", "Changed (UTC)")
    rows = [
        [one["name"], one["view_id"], "yes" if one["is_default"] else "", _shown(one), _author(one), _changed(one)]
        for one in views
    ]
    show.rows(columns, rows, "The project has no views.")


async def show_view(access: Access, view_id: str, *, as_json: bool) -> None:
    """Print a view."""
    view = (await read(access, view_id)).view
    if as_json:
        show.json({"view": view})
        return
    told = {
        "View": f"{view['name']} ({view['view_id']})",
        "Default": "yes" if view["is_default"] else "no",
        "Changed": f"{_changed(view)} UTC; saved first by {_author(view)}",
        "Shows": _shown(view),
        "Hidden parts": ", ".join((view["viewer"] or {}).get("hidden_parts", [])),
        "Charts": ", ".join(f"{one['kind']} of {', '.join(one['axes'])}" for one in view["charts"]),
        "Controls": ", ".join(one["parameter"] for one in view["controls"]),
        "Metrics": ", ".join(view["metrics"]),
        "Left out": ", ".join(view["omitted"]),
    }
    show.pairs({name: text for name, text in told.items() if text})


async def create(access: Access, project_id: str, file: Path, *, as_json: bool) -> None:
    """Save a view from a file and print its id.

    Raises:
        ValueError: The file has no view.
    """
    content, _ = await asyncio.to_thread(content_of, file)
    async with Api(access) as api:
        view = (await api.post(f"projects/{quote(project_id, safe='')}/views", content))["view"]
    _print(view, "saved", as_json=as_json)


async def replace(access: Access, view_id: str, file: Path, *, as_json: bool) -> None:
    """Replace a view by that of a file; one that names its time must be of that time.

    Raises:
        ValueError: The file has no view, or the view was changed since the file's time.
    """
    content, time = await asyncio.to_thread(content_of, file)
    async with Api(access) as api:
        found = await _found(api, view_id)
        if time is not None and time != found.view["updated_at"]:
            raise _conflict(found.view)
        view = await _put(api, found, content)
    if (lost := lost_text(found)) is not None:
        show.note(lost)
    _print(view, "replaced", as_json=as_json)


async def read(access: Access, view_id: str) -> FoundView:
    """Return a view with its entity tag."""
    async with Api(access) as api:
        return await _found(api, view_id)


async def set_default(access: Access, found: FoundView, *, is_default: bool) -> None:
    """Make a view the one that a page opens first, or no longer.

    Raises:
        ValueError: Somebody changed the view since it was read.
    """
    content = {name: value for name, value in found.view.items() if name not in _SET_BY_SERVER}
    async with Api(access) as api:
        view = await _put(api, found, {**content, "is_default": is_default})
    show.line(f"{view['name']}: {'the default' if view['is_default'] else 'not the default'}")


async def delete(access: Access, found: FoundView) -> None:
    """Delete a view.

    Raises:
        ValueError: Somebody changed the view since it was read.
    """
    async with Api(access) as api:
        try:
            await api.delete(found.path, {"If-Match": found.tag})
        except ApiError as error:
            raise (_conflict(found.view) if error.status == _PRECONDITION_FAILED else error) from None
    show.line(f"{found.view['name']}: deleted")


def lost_text(found: FoundView) -> str | None:
    """Return a sentence on what a view loses by a change; None if it loses nothing."""
    omitted = found.view["omitted"]
    return f"The view loses what the deployed version lacks: {', '.join(omitted)}." if omitted else None


def content_of(file: Path) -> tuple[dict[str, Any], str | None]:
    """Read the view of a file, as a request has it or as `show --json` prints it; return it and the time that it names.

    Raises:
        ValueError: The file has no JSON object.
    """
    name = "standard input" if file == _STDIN else file.name
    text = sys.stdin.buffer.read() if file == _STDIN else file.read_bytes()
    try:
        given = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise ValueError(f"{name} must be JSON: {error}") from None
    view = given.get("view", given) if isinstance(given, dict) else None
    if not isinstance(view, dict):
        raise ValueError(f'{name} must have one view, as an object: {{"name": "Facade", …}}')
    time = view.get("updated_at")
    content = {name: value for name, value in view.items() if name not in _SET_BY_SERVER}
    return content, time if isinstance(time, str) else None


async def _found(api: Api, view_id: str) -> FoundView:
    path = f"views/{quote(view_id, safe='')}"
    data, tag = await api.tagged(path)
    return FoundView(path, data["view"], tag)


async def _put(api: Api, found: FoundView, content: Mapping[str, Any]) -> dict[str, Any]:
    try:
        return dict((await api.put(found.path, content, {"If-Match": found.tag}))["view"])
    except ApiError as error:
        raise (_conflict(found.view) if error.status == _PRECONDITION_FAILED else error) from None


def _conflict(view: Mapping[str, Any]) -> ValueError:
    return ValueError(
        f"somebody changed {view['name']} meanwhile; look at it with `catenary view show`, then try again"
    )


def _print(view: Mapping[str, Any], done: str, *, as_json: bool) -> None:
    if as_json:
        show.json({"view": view})
    else:
        show.line(f"{view['name']}: view {view['view_id']}, {done}")


def _shown(view: Mapping[str, Any]) -> str:
    """Return what a view has, such as `camera, section, 2 charts`."""
    viewer: Mapping[str, Any] = view["viewer"] or {}
    plain = [name for name in ("camera", "section") if viewer.get(name)]
    parts = len(viewer.get("hidden_parts", []))
    counted = [f"{parts} hidden"] if parts else []
    counted += [f"{len(view[name])} {name}" for name in ("charts", "controls", "metrics") if view[name]]
    return ", ".join([*plain, *counted]) or "-"


def _author(view: Mapping[str, Any]) -> str:
    return str((view["created_by"] or {}).get("staff_name") or "-")


def _changed(view: Mapping[str, Any]) -> str:
    return str(view["updated_at"])[:16].replace("T", " ")
