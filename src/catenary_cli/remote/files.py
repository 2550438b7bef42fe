"""`catenary file`: the files of a project on a running server, for parameters of the type `file`."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any
from urllib.parse import quote

from catenary_cli import show
from catenary_cli.remote.api import Access, Api
from catenary_wire.model_limits import INPUT_FILE_BYTES, is_file_name

_TYPE = "application/octet-stream"


async def upload(access: Access, project_id: str, file: Path, name: str | None, *, as_json: bool) -> None:
    """Upload a file to a project; print its id, which a parameter takes as its value.

    Raises:
        ValueError: The file is too large.
    """
    size = await asyncio.to_thread(os.path.getsize, file)
    if size > INPUT_FILE_BYTES:
        most = f"{INPUT_FILE_BYTES >> 20} MiB"
        raise ValueError(f"{file.name} has {size:,} bytes; a file for a parameter has at most {most}")
    async with Api(access) as api:
        with show.progress(f"Uploading {file.name}"):
            path = f"projects/{project_id}/files?name={quote(name or file.name, safe='')}"
            made = (await api.post_content(path, await asyncio.to_thread(file.read_bytes), _TYPE))["file"]
    if as_json:
        show.json({"file": made})
    else:
        show.line(f"{made['name']}: file {made['file_id']}, {_bytes(made)}")


async def list_files(access: Access, project_id: str, *, as_json: bool) -> None:
    """Print the files of a project, newest first."""
    async with Api(access) as api:
        files = await api.pages(f"projects/{project_id}/files", "files")
    if as_json:
        show.json({"files": files})
        return
    rows = [[one["name"], one["file_id"], _bytes(one), _time(one)] for one in files]
    show.rows(("Name", "Id", "Size", "Uploaded (UTC)"), rows, "The project has no files.")


async def show_file(access: Access, file_id: str, *, as_json: bool) -> None:
    """Print a file, without its content."""
    async with Api(access) as api:
        file = await _found(api, file_id)
    if as_json:
        show.json({"file": file})
        return
    uploader = (file["created_by"] or {}).get("staff_name")
    show.pairs(
        {
            "File": f"{file['name']} ({file['file_id']})",
            "Size": _bytes(file),
            "SHA-256": file["sha256"],
            "As a value": file["value"],
            "Uploaded": f"{_time(file)} UTC" + (f" by {uploader}" if uploader else ""),
        }
    )


async def name_of(access: Access, file_id: str) -> str:
    """Return the name of a file."""
    async with Api(access) as api:
        return str((await _found(api, file_id))["name"])


async def delete(access: Access, file_id: str, name: str) -> None:
    """Delete a file; `name` is its name for the person."""
    async with Api(access) as api:
        await api.delete(f"files/{file_id}")
    show.line(f"{name}: deleted")


async def download(access: Access, file_id: str, target: Path | None) -> None:
    """Write the content of a file to a target, by default under its own name into the current folder.

    Raises:
        ValueError: The file's own name is no name for a file here, or is one that is there already.
    """
    async with Api(access) as api:
        if target is None:
            target = _own_place(str((await _found(api, file_id))["name"]))
        size = await api.download(f"files/{file_id}/content", target)
    show.line(f"Wrote {target} ({size:,} bytes)")


def _own_place(name: str) -> Path:
    if not is_file_name(name):
        raise ValueError(f"the name {name} may lead elsewhere on this machine; give the place with --out")
    target = Path(name)
    if target.exists():
        raise ValueError(f"{name} is there already; give another place with --out")
    return target


async def _found(api: Api, file_id: str) -> dict[str, Any]:
    return dict((await api.get(f"files/{file_id}"))["file"])


def _bytes(file: dict[str, Any]) -> str:
    return f"{show.number(file['size'])} bytes"


def _time(file: dict[str, Any]) -> str:
    return str(file["created_at"])[:16].replace("T", " ")
