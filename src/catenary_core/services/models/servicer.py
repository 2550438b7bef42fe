"""ModelService: models and their versions."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Protocol

import uuid_utils

from catenary.platform.v1 import model_service_pb2, model_service_shapes, role_pb2
from catenary.platform.v1.model_shapes import Model, ModelVersion
from catenary_core.call import byte_range, field_masks, preconditions, prefer
from catenary_core.call.call import Call
from catenary_core.call.errors import DomainError, conflict, invalid, not_found, shortened
from catenary_core.database.statements import Row, Statement, shaped
from catenary_core.database.transactions import Transaction
from catenary_core.frame import Frame
from catenary_core.jobs import queue
from catenary_core.jobs.endings import EndWaiters
from catenary_core.jobs.submitter import Submitter
from catenary_core.limits import accounts, counters, hourly
from catenary_core.resources import platform_pages
from catenary_core.services.models import checks, deployments, queries, sources
from catenary_core.services.models.tables import CHANNEL, FINAL
from catenary_core.storage import holdings


class ModelServicer:
    """`catenary.platform.v1.ModelService`."""

    def __init__(self, frame: Frame, endings: EndWaiters) -> None:
        """Create the servicer; `endings` waits for the ends of checks."""
        self._db = frame.db
        self._objects = frame.objects
        self._endings = endings
        self._settings = frame.settings

    async def list_models(
        self, request: model_service_pb2.ListModelsRequest, call: Call
    ) -> model_service_shapes.ListModelsResponse:
        """List the models of a project, oldest first."""
        page = platform_pages.page_of(request)
        async with self._db.read() as tx:
            given = {"project_id": request.project_id, "search": request.search}
            rows, next_cursor = await queries.LIST_MODELS.read(tx, page, **given)
        return {"models": [shaped(Model, row) for row in rows], "next_cursor": next_cursor}

    async def create_model(
        self, request: model_service_pb2.CreateModelRequest, call: Call
    ) -> model_service_shapes.CreateModelResponse:
        """Create a model. Names are unique in a project."""
        async with self._db.transaction() as tx:
            await tx.one(queries.LOCK_NAMES, project_id=request.project_id)
            row = await tx.one_or_none(
                queries.INSERT_MODEL,
                model_id=str(uuid_utils.uuid7()),
                project_id=request.project_id,
                name=request.name,
            )
        if row is None:
            raise _taken(request.name)
        return {"model": shaped(Model, row)}

    async def get_model(
        self, request: model_service_pb2.GetModelRequest, call: Call
    ) -> model_service_shapes.GetModelResponse:
        """Return one model."""
        async with self._db.read() as tx:
            return {"model": await _model(tx, request.project_id, request.model_id)}

    async def update_model(
        self, request: model_service_pb2.UpdateModelRequest, call: Call
    ) -> model_service_shapes.UpdateModelResponse:
        """Rename a model. Without a name it stays as it is."""
        values = field_masks.new_values(request)
        key = {"project_id": request.project_id, "model_id": request.model_id}
        async with self._db.transaction() as tx:
            await tx.one(queries.LOCK_NAMES, project_id=request.project_id)
            model = await _held_model(tx, call, request.project_id, request.model_id)
            if not values:
                return {"model": model}
            if await tx.one_or_none(queries.OTHER_OF_NAME, **key, name=request.name) is not None:
                raise _taken(request.name)
            return {"model": shaped(Model, await tx.one(queries.RENAME_MODEL, **key, name=request.name))}

    async def delete_model(
        self, request: model_service_pb2.DeleteModelRequest, call: Call
    ) -> model_service_shapes.DeleteModelResponse:
        """Delete a model with its versions, none deployed or kept by a variant, and end their checks."""
        key = {"project_id": request.project_id, "model_id": request.model_id}
        async with self._db.transaction() as tx:
            await _held_model(tx, call, request.project_id, request.model_id)
            # The end of a check locks in the same order: its job, the deployments, the version.
            for row in await tx.all(queries.UNCHECKED, model_id=request.model_id):
                await queue.drop(tx, row["model_version_id"])
            if any(row["model_id"] == request.model_id for row in await deployments.deployed(tx, request.project_id)):
                raise DomainError(
                    "CONFLICT",
                    "A version of this model is deployed or waits to be; deploy one of another model, or delete the project.",
                )
            _refuse_needed(await tx.one(queries.NEEDED_MODEL, model_id=request.model_id), "a version of this model")
            deleted = await tx.all(queries.DELETE_VERSIONS, model_id=request.model_id)
            await accounts.release(tx, request.project_id, sum(version["size"] for version in deleted))
            await holdings.release(tx, [version["model_version_id"] for version in deleted])
            await tx.notify(CHANNEL)
            row = await tx.one(queries.DELETE_MODEL, **key)
        return {"model": shaped(Model, row)}

    async def list_model_versions(
        self, request: model_service_pb2.ListModelVersionsRequest, call: Call
    ) -> model_service_shapes.ListModelVersionsResponse:
        """List the versions of a model, newest first."""
        page = platform_pages.page_of(request)
        async with self._db.read() as tx:
            await _model(tx, request.project_id, request.model_id)
            rows, next_cursor = await queries.LIST_VERSIONS.read(tx, page, model_id=request.model_id)
        return {"model_versions": [shaped(ModelVersion, row) for row in rows], "next_cursor": next_cursor}

    async def upload_model_version(
        self, parts: AsyncIterator[model_service_pb2.UploadModelVersionRequest], call: Call
    ) -> model_service_shapes.UploadModelVersionResponse:
        """Store a file as the next version of a model and queue its check."""
        head = await anext(parts)
        kind = sources.kind_of(head.content_type)
        if not head.model_id:
            raise invalid("model_id", "{field} is missing in the first message.", value=None, constraint="required")
        # The policy has authorized these ids; those of later messages are ignored.
        project_id, model_id = head.project_id, head.model_id
        async with self._db.read() as tx:
            await _model(tx, project_id, model_id)
            await hourly.check_evaluations(tx, project_id, self._settings.evaluations_per_hour)
            await accounts.check_use(tx, self._settings.tiers, project_id, 1)
            await accounts.check_room(tx, self._settings.tiers, project_id, 1)
        with tempfile.NamedTemporaryFile(prefix="catenary-upload-") as file:
            path = Path(file.name)
            size, sha256 = await sources.receive(_with_first(head, parts), path)
            await asyncio.to_thread(sources.check, kind, path)
            # Again, since an upload may take longer than others need to use the limit up: what is refused isn't stored.
            async with self._db.read() as tx:
                await hourly.check_evaluations(tx, project_id, self._settings.evaluations_per_hour)
                await accounts.check_use(tx, self._settings.tiers, project_id, 1)
                await accounts.check_room(tx, self._settings.tiers, project_id, size)
                await holdings.claim(tx, [sha256])
            await self._objects.put_hashed(sha256, path, durable=True)
        version_id = str(uuid_utils.uuid7())
        async with self._db.transaction() as tx:
            if await tx.one_or_none(queries.LOCK_MODEL, project_id=project_id, model_id=model_id) is None:
                raise not_found("model")
            row = await tx.one(
                queries.INSERT_VERSION,
                model_version_id=version_id,
                model_id=model_id,
                project_id=project_id,
                kind=kind.name,
                size=size,
                sha256=sha256,
                created_by=call.caller.user_id,
            )
            payload = {
                "model_version_id": version_id,
                "model_kind": kind.name,
                "source_sha256": sha256,
                "timeout_seconds": self._settings.evaluation_timeout,
                "memory_bytes": self._settings.evaluation_memory,
            }
            refusal = await holdings.store(tx, self._settings.tiers, project_id, version_id, [sha256], size)
            if refusal is not None:
                raise refusal
            await queue.enqueue(tx, Submitter.of(call), checks.JOB_KIND, version_id, payload)
            counted = await counters.lock(tx, counters.PROJECT_EVALUATIONS, project_id)
            limit = self._settings.evaluations_per_hour
            hourly.report(call, await hourly.charge_evaluation(tx, project_id, limit, counted))
            await accounts.spend(tx, self._settings.tiers, project_id, 1)
        return {"model_version": shaped(ModelVersion, row)}

    async def get_model_version(
        self, request: model_service_pb2.GetModelVersionRequest, call: Call
    ) -> model_service_shapes.GetModelVersionResponse:
        """Return one version, after waiting for the end of its check if the request prefers to wait."""
        preference = prefer.parse(request.prefer).of_read()
        until = prefer.wait_end(call, preference.wait or 0)
        row = await self._endings.row(request.model_version_id, partial(self._version_row, request), until)
        if row["deleted_at"] is not None:  # during the wait
            raise not_found("model version")
        final = row["status"] in FINAL
        if not final:
            call.reply["retry-after"] = prefer.RETRY_AFTER
        call.reply.update(preference.applied(final=final))
        return {"model_version": shaped(ModelVersion, row)}

    async def delete_model_version(
        self, request: model_service_pb2.DeleteModelVersionRequest, call: Call
    ) -> model_service_shapes.DeleteModelVersionResponse:
        """Delete a version that isn't deployed and that no work or variant needs, and end its check."""
        version_id = request.model_version_id
        async with self._db.transaction() as tx:
            await queue.drop(tx, version_id)
            deployed = await deployments.deployed(tx, request.project_id)
            row = await _found_version(tx, queries.LOCK_VERSION, request)
            preconditions.check(call, shaped(ModelVersion, row))
            if any(one["model_version_id"] == version_id for one in deployed):
                raise DomainError(
                    "CONFLICT",
                    "This version is deployed or waits to be; deploy another version, and delete this one then.",
                )
            _refuse_needed(await tx.one(queries.NEEDED_VERSION, model_version_id=version_id), "this version")
            row = await tx.one(queries.DELETE_VERSION, model_version_id=version_id)
            await accounts.release(tx, request.project_id, row["size"])
            await holdings.release(tx, [version_id])
            await tx.notify(CHANNEL)
        return {"model_version": shaped(ModelVersion, row)}

    async def download_model_source(
        self, request: model_service_pb2.DownloadModelSourceRequest, call: Call
    ) -> AsyncIterator[model_service_shapes.DownloadModelSourceResponse]:
        """Stream the bytes of a version's file, or a range of them."""
        row, model_name = await self._version(request)
        kind = sources.KINDS[row["kind"]]
        first, length, headers = byte_range.reply_headers(
            request.range,
            request.if_range,
            size=row["size"],
            sha256=row["sha256"],
            content_type=kind.content_type,
        )
        name = sources.file_name(model_name, row["number"], kind)
        disposition = f'attachment; filename="{name}"'
        call.reply.update(headers, **{"content-disposition": disposition})
        return _chunks(self._objects.read(row["sha256"], first, length))

    async def get_model_version_log(
        self, request: model_service_pb2.GetModelVersionLogRequest, call: Call
    ) -> model_service_shapes.GetModelVersionLogResponse:
        """Return the output of the check of a version."""
        async with self._db.read() as tx:
            row = await _found_version(tx, queries.GET_VERSION_LOG, request)
        if call.role < role_pb2.ROLE_EDITOR and row["created_by"] != call.caller.user_id:
            raise DomainError(
                "PERMISSION_DENIED", "Only editors of the project and who uploaded the version see its log."
            )
        return {"log": row["log"]}

    async def _version_row(self, request: model_service_pb2.GetModelVersionRequest) -> Row:
        return (await self._version(request))[0]

    async def _version(
        self, request: model_service_pb2.GetModelVersionRequest | model_service_pb2.DownloadModelSourceRequest
    ) -> tuple[Row, str]:
        """Return a version's row, and the name of its model."""
        async with self._db.read() as tx:
            row = await _found_version(tx, queries.GET_VERSION, request)
        return row, row.pop("model_name")


async def _model(tx: Transaction, project_id: str, model_id: str) -> Model:
    row = await tx.one_or_none(queries.GET_MODEL, project_id=project_id, model_id=model_id)
    if row is None:
        raise not_found("model")
    return shaped(Model, row)


class _OfVersion(Protocol):
    """A request for one version."""

    project_id: str
    model_id: str
    model_version_id: str


def _refuse_needed(found: Row, version: str) -> None:
    """Refuse the deletion of what something needs.

    Raises CONFLICT: a variant keeps a design of it, or an unfinished batch or study evaluates it.
    """
    if found["saved"]:
        raise DomainError("CONFLICT", f"Variants keep designs of {version}; delete these variants first.")
    if found["at_work"]:
        raise DomainError(
            "CONFLICT", f"An unfinished batch or study evaluates {version}; cancel it or wait for its end."
        )


async def _found_version(tx: Transaction, statement: Statement, request: _OfVersion) -> Row:
    """Run a statement for one version; return its row.

    Raises NOT_FOUND: no such active version.
    """
    row = await tx.one_or_none(
        statement,
        project_id=request.project_id,
        model_id=request.model_id,
        model_version_id=request.model_version_id,
    )
    if row is None:
        raise not_found("model version")
    return row


async def _held_model(tx: Transaction, call: Call, project_id: str, model_id: str) -> Model:
    """Lock an active model, compare it with If-Match and return it.

    Raises NOT_FOUND: no such active model. Raises PRECONDITION_FAILED: the model differs from If-Match.
    """
    if await tx.one_or_none(queries.LOCK_MODEL, project_id=project_id, model_id=model_id) is None:
        raise not_found("model")
    model = await _model(tx, project_id, model_id)
    preconditions.check(call, model)
    return model


def _taken(name: str) -> DomainError:
    return conflict(
        "name",
        "The project has a model with this {field}; take another name, or upload a version to that model.",
        value=shortened(name),
    )


async def _with_first(
    first: model_service_pb2.UploadModelVersionRequest,
    rest: AsyncIterator[model_service_pb2.UploadModelVersionRequest],
) -> AsyncIterator[model_service_pb2.UploadModelVersionRequest]:
    yield first
    async for part in rest:
        yield part


async def _chunks(content: AsyncIterator[bytes]) -> AsyncIterator[model_service_shapes.DownloadModelSourceResponse]:
    async for chunk in content:
        yield {"chunk": chunk}
