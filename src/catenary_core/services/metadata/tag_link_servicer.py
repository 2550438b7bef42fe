"""TagLinkService: links of tags to the objects that they mark."""

from __future__ import annotations

from typing import Any

from catenary.metadata.v1 import tag_link_service_pb2, tag_link_service_shapes
from catenary.metadata.v1.tag_link_shapes import TagLink
from catenary_core.access.visibility import viewer
from catenary_core.call import field_masks, preconditions
from catenary_core.call.call import Call
from catenary_core.call.errors import invalid, not_found
from catenary_core.database.statements import Statement
from catenary_core.database.transactions import Transaction
from catenary_core.frame import Frame
from catenary_core.resources import pages
from catenary_core.services.metadata import links, messages, queries
from catenary_wire.sentences import Fields


class TagLinkServicer:
    """`catenary.metadata.v1.TagLinkService`."""

    def __init__(self, frame: Frame) -> None:
        self._db = frame.db

    async def list_tag_links(
        self, request: tag_link_service_pb2.ListTagLinksRequest, call: Call
    ) -> tag_link_service_shapes.ListTagLinksResponse:
        """List a page of a tag's links. `show_deleted` also accepts a deleted tag."""
        async with self._db.read() as tx:
            await queries.TAG.get(tx, request.tag_id, show_deleted=request.show_deleted, **viewer(call))
        return await pages.page(self._db, queries.TAG_LINKS, request, {}, tag_id=request.tag_id, **viewer(call))

    async def get_tag_link(
        self, request: tag_link_service_pb2.GetTagLinkRequest, call: Call
    ) -> tag_link_service_shapes.GetTagLinkResponse:
        """Return one link of a tag."""
        async with self._db.read() as tx:
            row = await tx.one_or_none(queries.GET_LINK, **_key(request), **viewer(call))
        if row is None or (row["deleted_at"] is not None and not request.show_deleted):
            raise not_found("tag link")
        return {"tag_link": messages.tag_link(row)}

    async def update_tag_link(
        self, request: tag_link_service_pb2.UpdateTagLinkRequest, call: Call
    ) -> tag_link_service_shapes.UpdateTagLinkResponse:
        """Change a link's reference table or address."""
        values = field_masks.new_values(request)
        if not values:
            raise invalid(
                "reference_table",
                "There is nothing to change; give {field}, {url} or both.",
                value=None,
                constraint="required",
                url=Fields("reference_url"),
            )
        new = {f"new_{name}": value for name, value in values.items()}
        async with self._db.transaction() as tx:
            link = await _written(tx, call, "updated", queries.update_link(frozenset(values)), request, **new)
        return {"tag_link": link}

    async def delete_tag_link(
        self, request: tag_link_service_pb2.DeleteTagLinkRequest, call: Call
    ) -> tag_link_service_shapes.DeleteTagLinkResponse:
        """Delete a link."""
        async with self._db.transaction() as tx:
            link = await _written(tx, call, "deleted", queries.DELETE_LINK, request)
        return {"tag_link": link}

    async def put_tag_links(
        self, request: tag_link_service_pb2.PutTagLinksRequest, call: Call
    ) -> tag_link_service_shapes.PutTagLinksResponse:
        """Create, change or revive links."""
        async with self._db.transaction() as tx:
            return {"tag_links": await links.put(tx, call, request.tag_links, create_only=request.create_only)}


def _key(request: Any) -> dict[str, str]:
    return {"tag_id": request.tag_id, "reference_id": request.reference_id}


async def _written(tx: Transaction, call: Call, what: str, statement: Statement, request: Any, **new: str) -> TagLink:
    """Run a statement that writes one active link, with its event; return the link.

    Raises NOT_FOUND: no such active link, or the caller may not see the tag or the link. Raises PRECONDITION_FAILED: the link
    differs from If-Match.
    """
    held = await tx.one_or_none(queries.HOLD_TAGS, ids=[request.tag_id], **viewer(call))
    before = None if held is None else await tx.one_or_none(queries.HOLD_LINK, **_key(request), **viewer(call))
    if before is None:
        raise not_found("tag link")
    preconditions.check(call, messages.tag_link(before))
    link = messages.tag_link(await tx.one(statement, **_key(request), **new))
    await links.note(tx, call, what, [link])
    return link
