"""Writes of tag links, with their events."""

from __future__ import annotations

from collections.abc import Sequence

from catenary.metadata.v1 import tag_link_service_pb2
from catenary.metadata.v1.tag_link_shapes import TagLink
from catenary.metadata.v1.tag_shapes import Tag
from catenary_core.access import references
from catenary_core.access.visibility import viewer
from catenary_core.call.call import Call
from catenary_core.call.errors import DomainError, conflict, invalid
from catenary_core.call.item_faults import ItemFaults
from catenary_core.call.resource_paths import resource_path
from catenary_core.database.columns import TIES
from catenary_core.database.statements import Row
from catenary_core.database.transactions import Transaction
from catenary_core.event_log import events
from catenary_core.resources.resource import unknown
from catenary_core.services.metadata import messages, queries
from catenary_wire.sentences import Fields

_CONTENT = ("reference_table", "reference_url")
_COMPARED = (*_CONTENT, *TIES)
"""Columns that a put gives to a link; one that somebody put who doesn't see the reference's project lacks its tie."""
_LINK = resource_path(tag_link_service_pb2, "GetTagLink")
Key = tuple[str, str]
"""The `tag_id` and the `reference_id` of a link."""


async def put(
    tx: Transaction, call: Call, items: Sequence[tag_link_service_pb2.NewTagLink], *, create_only: bool = False
) -> list[TagLink]:
    """Create, change or revive tag links; return them in the order of `items`.

    A link that is active with equal content and ties stays as it is and writes no event.

    Raises VALIDATION_ERROR: a pair of tag and reference is given twice, or a tag isn't active or visible to the caller.
    Raises CONFLICT: a link exists already that the caller may not see, or with `create_only` any.
    """
    faults = ItemFaults()
    given: dict[Key, tag_link_service_pb2.NewTagLink] = {}
    tags = {tag["id"] for tag in await tx.all(queries.HOLD_TAGS, ids=[item.tag_id for item in items], **viewer(call))}
    for index, item in enumerate(items):
        with faults.of(index):
            if item.tag_id not in tags:
                raise unknown(f"tag_links[{index}].tag_id", item.tag_id, "tag")
        with faults.of(index):
            if given.setdefault((item.tag_id, item.reference_id), item) is not item:
                raise _twice(f"tag_links[{index}].reference_id", item.reference_id)
    faults.refuse()
    ties = await references.ties_of(tx, call, [item.reference_id for item in items])
    rows = {
        key: {name: getattr(item, name) for name in ("tag_id", "reference_id", *_CONTENT)} | tie
        for (key, item), tie in zip(given.items(), ties, strict=True)
    }
    lists = _lists(list(rows.values()))
    made = {_key(row) for row in await tx.all(queries.INSERT_LINKS, **lists)}
    now = {_key(row): row for row in await tx.all(queries.HOLD_LINKS, **lists, **viewer(call))}
    revived = {key for key, row in now.items() if row["deleted_at"] is not None}
    new = made | revived
    for index, (key, row) in enumerate((key, now[key]) for key in given):
        with faults.of(index):
            if not row["seen"] or (create_only and key not in new):
                raise _taken(f"tag_links[{index}].reference_id", row["reference_id"])
    faults.refuse()
    changed = {key for key, row in now.items() if any(row[name] != rows[key][name] for name in _COMPARED)}
    if stale := revived | changed:
        put_now = await tx.all(queries.PUT_LINKS, **_lists([row for key, row in rows.items() if key in stale]))
        now |= {_key(row): row for row in put_now}
    answer = {key: messages.tag_link(now[key]) for key in given}
    await note(tx, call, "created", [link for key, link in answer.items() if key in made | revived])
    await note(tx, call, "updated", [link for key, link in answer.items() if key in changed - revived])
    return list(answer.values())


async def delete_all(tx: Transaction, call: Call, tag: Tag) -> None:
    """Delete the active links of a tag that the same transaction deletes."""
    rows = await tx.all(queries.DELETE_LINKS, tag_id=tag["id"])
    await note(tx, call, "deleted", [messages.tag_link(row) for row in rows])


async def note(tx: Transaction, call: Call, what: str, links: Sequence[TagLink]) -> None:
    """Write the event `metadata.tag_link.<what>` of each link."""
    if not links:
        return
    ids = {f"{name}s": [link[name] for link in links] for name in ("tag_id", "reference_id")}
    projects = {_key(row): row for row in await tx.all(queries.PROJECTS_OF_LINKS, **ids)}
    changes = [
        events.Change(
            _LINK.format(link["reference_id"], tag_id=link["tag_id"]),
            {"tag_link": link},
            *(projects[link["tag_id"], link["reference_id"]][name] for name in TIES),
        )
        for link in links
    ]
    await events.write_all(tx, call, f"metadata.tag_link.{what}", changes)


def _twice(field: str, reference_id: str) -> DomainError:
    return invalid(
        field,
        "{field} stands with this {tag_id} in an earlier item; give each link once.",
        value=reference_id,
        constraint="unique",
        tag_id=Fields("tag_id"),
    )


def _taken(field: str, reference_id: str) -> DomainError:
    return conflict(
        field,
        "{field}: the tag has a link to this {reference_id} already; change that one.",
        value=reference_id,
        reference_id=Fields("reference_id"),
    )


def _key(row: Row) -> Key:
    return row["tag_id"], row["reference_id"]


def _lists(rows: Sequence[Row]) -> dict[str, list[str | None]]:
    return {name: [row[name] for row in rows] for name in ("tag_id", "reference_id", *_CONTENT, *TIES)}
