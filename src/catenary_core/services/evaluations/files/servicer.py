"""FileService: files of projects, which models read."""

from __future__ import annotations

import hashlib
import re
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import uuid_utils

from catenary.platform.v1 import file_service_pb2 as pb
from catenary.platform.v1 import file_service_shapes as shapes
from catenary.platform.v1 import role_pb2
from catenary.platform.v1.file_shapes import File
from catenary_core.call import byte_range, preconditions
from catenary_core.call.call import Call
from catenary_core.call.errors import DomainError, invalid, not_found
from catenary_core.database.statements import Row, shaped
from catenary_core.database.transactions import Transaction
from catenary_core.frame import Frame
from catenary_core.limits import accounts
from catenary_core.resources.platform_pages import page_of
from catenary_core.services.evaluations.files import queries
from catenary_core.storage import holdings
from catenary_wire import media_types
from catenary_wire.input_files import suffix_of
from catenary_wire.model_limits import INPUT_FILE_BYTES

MAX_FILES = 1_000
"""Maximum files of a project."""


class FileServicer:
    """`catenary.platform.v1.FileService`."""

    def __init__(self, frame: Frame) -> None:
        self._settings = frame.settings
        self._db = frame.db
        self._objects = frame.objects

    async def project_of(self, file_id: str) -> str | None:
        """Return the active project of a file, for the policy."""
        async with self._db.read() as tx:
            row = await tx.one_or_none(queries.PROJECT_OF, file_id=file_id)
        return None if row is None else row["project_id"]

    async def upload_file(self, parts: AsyncIterator[pb.UploadFileRequest], call: Call) -> shapes.UploadFileResponse:
        """Store a file and hold it until it is deleted."""
        head = await anext(parts)
        if not head.name.strip():
            raise invalid(
                "name", "{field} is empty; give the name of the file.", value=head.name, constraint="required"
            )
        project_id = head.project_id
        async with self._db.read() as tx:
            await _check_number(tx, project_id)
            await accounts.check_room(tx, self._settings.tiers, project_id, 1)
        with tempfile.NamedTemporaryFile(prefix="catenary-upload-") as file:
            size, sha256 = await _receive(head, parts, Path(file.name))
            # Again, since an upload takes time: what is refused isn't stored.
            async with self._db.read() as tx:
                await accounts.check_room(tx, self._settings.tiers, project_id, size)
                await holdings.claim(tx, [sha256])
            await self._objects.put_hashed(sha256, Path(file.name), durable=True)
        async with self._db.transaction() as tx:
            await tx.one(queries.LOCK_PROJECT, project_id=project_id)
            await _check_number(tx, project_id)
            row = await tx.one(
                queries.INSERT,
                file_id=str(uuid_utils.uuid7()),
                project_id=project_id,
                name=head.name,
                suffix=suffix_of(head.name),
                size=size,
                sha256=sha256,
                created_by=call.caller.user_id,
            )
            refusal = await holdings.store(tx, self._settings.tiers, project_id, row["file_id"], [sha256], size)
            if refusal is not None:
                raise refusal
        return {"file": shaped(File, row)}

    async def list_files(self, request: pb.ListFilesRequest, call: Call) -> shapes.ListFilesResponse:
        """List the files of a project, newest first."""
        page = page_of(request)
        async with self._db.read() as tx:
            rows, cursor = await queries.LIST.read(tx, page, project_id=request.project_id)
        return {"files": [shaped(File, row) for row in rows], "next_cursor": cursor}

    async def get_file(self, request: pb.GetFileRequest, call: Call) -> shapes.GetFileResponse:
        """Return one file."""
        async with self._db.read() as tx:
            return {"file": shaped(File, await _row(tx, request.file_id))}

    async def download_file(
        self, request: pb.DownloadFileRequest, call: Call
    ) -> AsyncIterator[shapes.DownloadFileResponse]:
        """Stream the content of a file, or a range of it, as an attachment."""
        async with self._db.read() as tx:
            row = await _row(tx, request.file_id)
        first, length, headers = byte_range.reply_headers(
            request.range,
            request.if_range,
            size=row["size"],
            sha256=row["sha256"],
            content_type=media_types.OTHER,
        )
        call.reply.update(headers)
        call.reply["content-disposition"] = f'attachment; filename="{_plain(row["name"])}"'
        content = self._objects.read(row["sha256"], first, length)
        return ({"chunk": chunk} async for chunk in content)

    async def delete_file(self, request: pb.DeleteFileRequest, call: Call) -> shapes.DeleteFileResponse:
        """Delete a file of the caller's, or for an editor of anybody's, that nothing under way needs."""
        async with self._db.transaction() as tx:
            # One deletion of a project at a time: of two equal files that work needs, each would take the other for the last.
            before = await _row(tx, request.file_id)
            await tx.one(queries.LOCK_PROJECT, project_id=before["project_id"])
            await tx.one_or_none(queries.LOCK, file_id=request.file_id)
            row = await _row(tx, request.file_id)
            if call.role < role_pb2.ROLE_EDITOR and row["created_by"]["user_id"] != call.caller.user_id:
                raise DomainError("PERMISSION_DENIED", "Somebody else uploaded the file; only editors may delete it.")
            preconditions.check(call, shaped(File, row))
            named = {name: row[name] for name in ("file_id", "project_id", "sha256")}
            if (await tx.one(queries.IN_USE, **named))["in_use"]:
                raise DomainError(
                    "CONFLICT",
                    "An evaluation, batch or study that has not ended uses this file; cancel it, or delete the file then.",
                )
            await tx.execute(queries.DELETE, file_id=request.file_id)
            await accounts.release(tx, row["project_id"], row["size"])
            await holdings.release(tx, [request.file_id])
        return {"file": shaped(File, row)}


async def _check_number(tx: Transaction, project_id: str) -> None:
    """Check that a project may have another file.

    Raises CONFLICT: it has MAX_FILES already.
    """
    if (await tx.one(queries.COUNT, project_id=project_id))["files"] >= MAX_FILES:
        raise DomainError("CONFLICT", f"The project has {MAX_FILES:,} files already; delete some that are not needed.")


async def _row(tx: Transaction, file_id: str) -> Row:
    row = await tx.one_or_none(queries.ONE, file_id=file_id)
    if row is None:
        raise not_found("file")
    return row


async def _receive(
    head: pb.UploadFileRequest, rest: AsyncIterator[pb.UploadFileRequest], target: Path
) -> tuple[int, str]:
    """Write an upload to a file; return its size and SHA-256.

    Raises PAYLOAD_TOO_LARGE: the file is over 16 MiB. Raises VALIDATION_ERROR: the file is empty.
    """
    size, digest = 0, hashlib.sha256()
    with target.open("wb") as file:
        chunk = head.chunk
        while True:
            size += len(chunk)
            if size > INPUT_FILE_BYTES:
                raise DomainError(
                    "PAYLOAD_TOO_LARGE",
                    f"A file for parameters has at most {INPUT_FILE_BYTES >> 20} MiB; this one has more.",
                )
            file.write(chunk)
            digest.update(chunk)
            part = await anext(rest, None)
            if part is None:
                break
            chunk = part.chunk
    if size == 0:
        raise invalid("file", "{field} is empty; send its content as the body.", value=None, constraint="required")
    return size, digest.hexdigest()


def _plain(name: str) -> str:
    """Return a file name of ASCII letters, digits, `.`, `_` and `-` alone, safe in every file system and header."""
    suffix = suffix_of(name)
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", name[: len(name) - len(suffix)]).strip("-.")[:80].strip("-.")
    return f"{plain or 'file'}{suffix}"
