"""Writes of tag links, with their events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from catenary.metadata.v1 import tag_link_service_pb2
from catenary.metadata.v1.tag_link_shapes import TagLink
from catenary.metadata.v1.tag_shapes import Tag
from catenary_core.access.visibility import viewer
from catenary_core.call.call import Call
from catenary_core.call.errors import DomainError, conflict, invalid
from catenary_core.call.resource_paths import resource_path
from catenary_core.database.statements import Row
from catenary_core.database.transactions import Transaction
from catenary_core.event_log import events
from catenary_core.resources.resource import unknown
from catenary_core.services.metadata import messages, queries
from catenary_wire.sentences import Fields

_CONTENT = ("reference_table", "reference_url")
_LINK = resource_path(tag_link_service_pb2, "GetTagLink")
Key = tuple[str, str]
"""The `tag_id` and the `reference_id` of a link."""


async def put(
    tx: Transaction, call: Call, items: Sequence[tag_link_service_pb2.NewTagLink], *, create_only: bool = False
) -> list[TagLink]:
    """Create, change or revive tag links; return them in the order of `items`.

    A link that is active with equal content stays as it is and writes no event.

    Raises VALIDATION_ERROR: a pair of tag and reference is given twice, or a tag isn't active or visible to the caller.
    Raises CONFLICT: with `create_only`, a link exists already.
    """
    given = _by_key(items)
    tags = await tx.all(queries.HOLD_TAGS, ids=list({item.tag_id for item in items}), **viewer(call))
    known = {tag["id"]: tag["tag_scope"] for tag in tags}
    for index, item in enumerate(items):
        if item.tag_id not in known:
            raise unknown(f"tag_links[{index}].tag_id", item.tag_id, "tag")
    made = {_key(row) for row in await tx.all(queries.INSERT_LINKS, **_lists(list(given.values())))}
    now = {_key(row): row for row in await tx.all(queries.HOLD_LINKS, **_lists(items))}
    revived = {key for key, row in now.items() if row["deleted_at"] is not None}
    if create_only:
        for index, item in enumerate(items):
            if (item.tag_id, item.reference_id) not in made | revived:
                raise _taken(f"tag_links[{index}].reference_id", item.reference_id)
    changed = {key for key, row in now.items() if any(row[name] != getattr(given[key], name) for name in _CONTENT)}
    if stale := revived | changed:
        put_now = await tx.all(queries.PUT_LINKS, **_lists([item for key, item in given.items() if key in stale]))
        now |= {_key(row): row for row in put_now}
    answer = {key: messages.tag_link(now[key]) for key in given}
    await note(tx, call, "created", [link for key, link in answer.items() if key in made | revived], known)
    await note(tx, call, "updated", [link for key, link in answer.items() if key in changed - revived], known)
    return list(answer.values())


async def delete_all(tx: Transaction, call: Call, tag: Tag) -> None:
    """Delete the active links of a tag that the same transaction deletes."""
    rows = await tx.all(queries.DELETE_LINKS, tag_id=tag["id"])
    await note(tx, call, "deleted", [messages.tag_link(row) for row in rows], {tag["id"]: tag["tag_scope"]})


async def note(
    tx: Transaction, call: Call, what: str, links: Sequence[TagLink], scopes: Mapping[str, str | None]
) -> None:
    """Write the event `metadata.tag_link.<what>` of each link.

    `scopes` maps the id of each link's tag to its `tag_scope`.
    """
    changes = [
        events.Change(
            _LINK.format(link["reference_id"], tag_id=link["tag_id"]),
            {"tag_link": link},
            scopes[link["tag_id"]],
        )
        for link in links
    ]
    await events.write_all(tx, call, f"metadata.tag_link.{what}", changes)


def _by_key(items: Sequence[tag_link_service_pb2.NewTagLink]) -> dict[Key, tag_link_service_pb2.NewTagLink]:
    found: dict[Key, tag_link_service_pb2.NewTagLink] = {}
    for index, item in enumerate(items):
        if found.setdefault((item.tag_id, item.reference_id), item) is not item:
            raise invalid(
                f"tag_links[{index}].reference_id",
                "{field} stands with this {tag_id} in an earlier item; give each link once.",
                value=item.reference_id,
                constraint="unique",
                tag_id=Fields("tag_id"),
            )
    return found


def _taken(field: str, reference_id: str) -> DomainError:
    return conflict(
        field,
        "The tag has a link to this {reference_id} already; change that one.",
        value=reference_id,
        reference_id=Fields("reference_id"),
    )


def _key(row: Row) -> Key:
    return row["tag_id"], row["reference_id"]


def _lists(items: Sequence[tag_link_service_pb2.NewTagLink]) -> dict[str, list[str]]:
    names = ("tag_id", "reference_id", *_CONTENT)
    return {name: [getattr(item, name) for item in items] for name in names}
