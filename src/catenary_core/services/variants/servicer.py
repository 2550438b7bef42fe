"""VariantService: designs of projects that are saved under a name."""

from __future__ import annotations

from collections.abc import AsyncIterator

import uuid_utils

from catenary.platform.v1 import evaluation_service_pb2, variant_shapes
from catenary.platform.v1 import variant_service_pb2 as pb
from catenary.platform.v1 import variant_service_shapes as shapes
from catenary_core.call import byte_range, field_masks, preconditions
from catenary_core.call.call import Call
from catenary_core.call.errors import invalid, not_found
from catenary_core.database.statements import Row
from catenary_core.database.transactions import Transaction
from catenary_core.event_log import events
from catenary_core.frame import Evaluations, Frame
from catenary_core.resources.platform_pages import page_of
from catenary_core.services.variants import comparison, messages, queries, rules


class VariantServicer:
    """`catenary.platform.v1.VariantService`."""

    def __init__(self, frame: Frame, evaluations: Evaluations) -> None:
        self._db = frame.db
        self._objects = frame.objects
        self._evaluations = evaluations

    async def project_of(self, variant_id: str) -> str | None:
        """Return the active project of a variant, for the policy."""
        async with self._db.read() as tx:
            row = await tx.one_or_none(queries.PROJECT_OF, variant_id=variant_id)
        return None if row is None else row["project_id"]

    async def list_variants(self, request: pb.ListVariantsRequest, call: Call) -> shapes.ListVariantsResponse:
        """List the variants of a project, newest first."""
        page = page_of(request)
        async with self._db.read() as tx:
            rows, cursor = await queries.LIST.read(tx, page, project_id=request.project_id, search=request.search)
            shown = await self._evaluations.listed(tx, [row["evaluation_id"] for row in rows])
            pictures = await self._evaluations.pictures(tx, shown.values())
        variants = [messages.variant(row, shown[row["evaluation_id"]], pictures, call) for row in rows]
        return {"variants": variants, "next_cursor": cursor}

    async def create_variant(self, request: pb.CreateVariantRequest, call: Call) -> shapes.CreateVariantResponse:
        """Save an evaluation, or begin one of the given values and save it."""
        rules.check_source(request)
        async with self._db.transaction() as tx:
            evaluation_id = request.evaluation_id or await self._submit(tx, request, call)
            version = await self._evaluations.hold(tx, request.project_id, evaluation_id)
            if version is None:
                raise invalid(
                    "evaluation_id",
                    "{field} names no evaluation of this project; give the id of one.",
                    value=evaluation_id,
                    constraint="unknown",
                )
            variant_id = str(uuid_utils.uuid7())
            await tx.execute(
                queries.INSERT,
                variant_id=variant_id,
                project_id=request.project_id,
                name=request.name,
                note=request.note,
                evaluation_id=evaluation_id,
                model_version_id=version,
                created_by=call.caller.user_id,
            )
            variant = await self._shown(tx, await _one(tx, variant_id), call)
            await _write_event(tx, call, "project.variant.created", variant)
        if not request.HasField("evaluation_id"):
            call.reply.update({"catenary-status": "202", "location": messages.VARIANT_PATH.format(variant_id)})
        return {"variant": variant}

    async def compare_variants(self, request: pb.CompareVariantsRequest, call: Call) -> shapes.CompareVariantsResponse:
        """Compare variants of a project with the first of them."""
        async with self._db.read() as tx:
            ids = list(request.variant_id)
            found = {
                row["variant_id"]: row for row in await tx.all(queries.SEVERAL, project_id=request.project_id, ids=ids)
            }
            if len(found) < len(ids):
                raise not_found("variant")
            rows = [found[id_] for id_ in ids]
            shown = await self._evaluations.listed(tx, [row["evaluation_id"] for row in rows])
            versions = await tx.all(queries.DECLARED, ids=[row["model_version_id"] for row in rows])
        declared = {version["model_version_id"]: version for version in versions}
        return {"comparison": comparison.compared(rows, [shown[row["evaluation_id"]] for row in rows], declared)}

    async def get_variant(self, request: pb.GetVariantRequest, call: Call) -> shapes.GetVariantResponse:
        """Return one variant."""
        async with self._db.read() as tx:
            return {"variant": await self._shown(tx, await _one(tx, request.variant_id), call)}

    async def download_variant_thumbnail(
        self, request: pb.DownloadVariantThumbnailRequest, call: Call
    ) -> AsyncIterator[shapes.DownloadVariantThumbnailResponse]:
        """Stream the bytes of a variant's picture, or a range of them."""
        async with self._db.read() as tx:
            row = await _one(tx, request.variant_id)
            evaluation = await self._evaluations.one(tx, call, row["evaluation_id"])
        picture = await self._evaluations.picture(call, evaluation)
        if picture is None:
            return _chunks(_nothing())
        sha256, size = picture
        first, length, headers = byte_range.reply_headers(
            request.range, request.if_range, size=size, sha256=sha256, content_type="image/png"
        )
        call.reply.update(headers)
        return _chunks(self._objects.read(sha256, first, length))

    async def update_variant(self, request: pb.UpdateVariantRequest, call: Call) -> shapes.UpdateVariantResponse:
        """Change the given fields. Without any, the variant stays as it is."""
        values = field_masks.new_values(request)
        async with self._db.transaction() as tx:
            row, variant = await self._held(tx, request.variant_id, call)
            if values:
                new = {name: values.get(name, row[name]) for name in ("name", "note")}
                row = await tx.one(queries.UPDATE, variant_id=request.variant_id, **new)
                variant = await self._shown(tx, row, call)
                await _write_event(tx, call, "project.variant.updated", variant)
        return {"variant": variant}

    async def delete_variant(self, request: pb.DeleteVariantRequest, call: Call) -> shapes.DeleteVariantResponse:
        """Delete a variant, which then keeps its evaluation no more."""
        async with self._db.transaction() as tx:
            await self._held(tx, request.variant_id, call)
            row = await tx.one(queries.DELETE, variant_id=request.variant_id)
            variant = await self._shown(tx, row, call)
            await _write_event(tx, call, "project.variant.deleted", variant)
        return {"variant": variant}

    async def _submit(self, tx: Transaction, request: pb.CreateVariantRequest, call: Call) -> str:
        wanted = evaluation_service_pb2.EvaluateRequest(project_id=request.project_id, parameters=request.parameters)
        if request.HasField("model_version_id"):
            wanted.model_version_id = request.model_version_id
        return await self._evaluations.submit(tx, call, wanted)

    async def _held(self, tx: Transaction, variant_id: str, call: Call) -> tuple[Row, variant_shapes.Variant]:
        """Lock a variant that the caller may change, compare it with If-Match and return its row and itself.

        Raises NOT_FOUND: there is none. Raises PERMISSION_DENIED: it is another user's, and the caller is no editor.
        Raises PRECONDITION_FAILED: the variant differs from If-Match.
        """
        if await tx.one_or_none(queries.LOCK, variant_id=variant_id) is None:
            raise not_found("variant")
        row = await _one(tx, variant_id)
        rules.check_owner(row, call)
        variant = await self._shown(tx, row, call)
        preconditions.check(call, variant)
        return row, variant

    async def _shown(self, tx: Transaction, row: Row, call: Call) -> variant_shapes.Variant:
        evaluation = await self._evaluations.one(tx, call, row["evaluation_id"])
        return messages.variant(row, evaluation, await self._evaluations.pictures(tx, [evaluation]), call)


async def _chunks(content: AsyncIterator[bytes]) -> AsyncIterator[shapes.DownloadVariantThumbnailResponse]:
    async for chunk in content:
        yield {"chunk": chunk}


async def _nothing() -> AsyncIterator[bytes]:
    """Yield the content of a download that is not there yet."""
    nothing: tuple[bytes, ...] = ()
    for one in nothing:
        yield one


async def _one(tx: Transaction, variant_id: str) -> Row:
    """Return an active variant.

    Raises NOT_FOUND: there is none.
    """
    row = await tx.one_or_none(queries.ONE, variant_id=variant_id)
    if row is None:
        raise not_found("variant")
    return row


async def _write_event(tx: Transaction, call: Call, type_: str, variant: variant_shapes.Variant) -> None:
    await events.write(
        tx,
        call,
        type_,
        subject=messages.VARIANT_PATH.format(variant["variant_id"]),
        data=messages.event_data(variant),
        project_id=variant["project_id"],
    )
