"""The SQL of tag types, tags and tag links."""

from __future__ import annotations

from functools import cache

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert

from catenary.metadata.v1 import tag_service_pb2, tag_type_service_pb2
from catenary.metadata.v1.tag_link_service_shapes import ListTagLinksResponse
from catenary.metadata.v1.tag_service_shapes import ListTagsResponse
from catenary.metadata.v1.tag_shapes import Tag
from catenary.metadata.v1.tag_type_service_shapes import ListTagTypesResponse
from catenary.metadata.v1.tag_type_shapes import TagType
from catenary_core.access import references
from catenary_core.access.visibility import confidential, is_confidential, visible
from catenary_core.call.resource_paths import resource_path
from catenary_core.database.columns import DELETED, INSTANT, TIES, Id
from catenary_core.database.statements import Statement
from catenary_core.resources.listing import Listing
from catenary_core.resources.resource import Resource
from catenary_core.services.metadata import messages
from catenary_core.services.metadata.tables import tag, tag_link, tag_type


def _named(name: str, column: sa.Column[str]) -> dict[str, sa.ColumnElement[bool]]:
    """Build the filters `<name>` for several ids and `one_<name>` for one.

    They are separate for the planner's sake: it assumes ten ids for an array of unknown length, but knows for a single
    id that an index returns its rows in order.
    """
    return {
        name: column == sa.any_(sa.bindparam(name, type_=sa.ARRAY(Id))),
        f"one_{name}": column == sa.bindparam(f"one_{name}", type_=Id),
    }


_type_rows = sa.select(
    tag_type.c.id,
    tag_type.c.name,
    tag_type.c.allow_custom,
    tag_type.c.created_at,
    tag_type.c.updated_at,
    tag_type.c.deleted_at,
)

TAG_TYPE: Resource[TagType] = Resource(
    service="metadata",
    name="tag_type",
    path=resource_path(tag_type_service_pb2, "GetTagType"),
    table=tag_type,
    rows=_type_rows,
    unique=("name",),
)
TAG_TYPES: Listing[ListTagTypesResponse] = Listing(
    key="tag_types",
    rows=_type_rows,
    sorts={name: tag_type.c[name] for name in ("id", "created_at", "updated_at", "name")},
    deleted_at=tag_type.c.deleted_at,
    filters=_named("tag_type_id", tag_type.c.id),
)

_id = sa.bindparam("id", type_=Id)
_may_see = visible(tag.c.tag_scope)
_tag_rows = sa.select(
    confidential(tag.c.tag_scope),
    tag.c.id,
    tag.c.name,
    tag.c.tag_scope,
    tag.c.created_at,
    tag.c.updated_at,
    tag.c.deleted_at,
    *(column.label(f"type_{column.name}") for column in _type_rows.selected_columns),
).join(tag_type, tag_type.c.id == tag.c.tag_type_id)
_global = tag.c.tag_scope.is_(None)
_scopes = _named("tag_scope", tag.c.tag_scope)

TAG: Resource[Tag] = Resource(
    service="metadata",
    name="tag",
    path=resource_path(tag_service_pb2, "GetTag"),
    table=tag,
    rows=_tag_rows,
    unique=("name", "tag_type_id", "tag_scope"),
    project="tag_scope",
    always=(_may_see,),
    message=messages.tag,
)
TAGS: Listing[ListTagsResponse] = Listing(
    key="tags",
    rows=_tag_rows,
    sorts={name: tag.c[name] for name in ("id", "created_at", "updated_at", "name")},
    deleted_at=tag.c.deleted_at,
    filters={
        **_named("tag_id", tag.c.id),
        **_named("tag_type_id", tag.c.tag_type_id),
        **_scopes,
        **{f"{name}_and_global": sa.or_(condition, _global) for name, condition in _scopes.items()},
        "only_global": _global,
        "no_global": sa.not_(_global),
    },
    always=(_may_see,),
    message=messages.tag,
)

HOLD_TYPE = Statement(
    sa.select(tag_type.c.allow_custom)
    .where(tag_type.c.id == _id, tag_type.c.deleted_at.is_(None))
    .with_for_update(read=True)
)
"""An active tag type, locked against change and deletion until the transaction ends."""

_link_key = (tag_link.c.tag_id, tag_link.c.reference_id)
_link_columns = (
    *_link_key,
    tag_link.c.reference_table,
    tag_link.c.reference_url,
    tag_link.c.created_at,
    tag_link.c.updated_at,
    tag_link.c.deleted_at,
)
_tag_id = sa.bindparam("tag_id", type_=Id)
_reference_id = sa.bindparam("reference_id", type_=Id)

TAG_LINKS: Listing[ListTagLinksResponse] = Listing(
    key="tag_links",
    rows=sa.select(*_link_columns, confidential(tag_link.c.environment_project_id)),
    sorts={
        "id": tag_link.c.reference_id,
        "created_at": tag_link.c.created_at,
        "updated_at": tag_link.c.updated_at,
    },
    deleted_at=tag_link.c.deleted_at,
    always=(tag_link.c.tag_id == _tag_id, references.visible_references(tag_link)),
    id_field="reference_id",
)
"""The links of the tag `tag_id`; within a tag the `reference_id` identifies a link."""

GET_LINK = Statement(
    sa.select(*_link_columns, confidential(tag.c.tag_scope, tag_link.c.environment_project_id))
    .join(tag, tag.c.id == tag_link.c.tag_id)
    .where(
        tag_link.c.tag_id == _tag_id,
        tag_link.c.reference_id == _reference_id,
        _may_see,
        references.visible_reference(tag_link),
    )
)
"""One link, deleted or not, that the caller may see, of a tag that the caller may see."""

HOLD_TAGS = Statement(
    sa.select(tag.c.id, tag.c.tag_scope)
    .where(tag.c.id == sa.any_(sa.bindparam("ids", type_=sa.ARRAY(Id))), tag.c.deleted_at.is_(None), _may_see)
    .order_by(tag.c.id)
    .with_for_update(read=True, key_share=True, of=tag)
)
"""The active tags among `ids` that the caller may see, locked against deletion until the transaction ends."""

_active_link = sa.and_(
    tag_link.c.tag_id == _tag_id, tag_link.c.reference_id == _reference_id, tag_link.c.deleted_at.is_(None)
)


HOLD_LINK = Statement(
    sa.select(*_link_columns).where(_active_link, references.visible_reference(tag_link)).with_for_update(of=tag_link)
)
"""An active link that the caller may see, locked against other writers until the transaction ends."""


@cache
def update_link(fields: frozenset[str]) -> Statement:
    """Build the update of an active link's given fields."""
    values = {name: sa.bindparam(f"new_{name}", type_=tag_link.c[name].type) for name in sorted(fields)}
    changed = sa.update(tag_link).where(_active_link).values(**values, updated_at=INSTANT)
    return Statement(changed.returning(*_link_columns))


_deleted = sa.update(tag_link).values(DELETED).returning(*_link_columns)
DELETE_LINK = Statement(_deleted.where(_active_link))
DELETE_LINKS = Statement(_deleted.where(tag_link.c.tag_id == _tag_id, tag_link.c.deleted_at.is_(None)))
"""Delete every active link of a tag whose row the transaction has locked."""

_CONTENT = ("tag_id", "reference_id", "reference_table", "reference_url", *TIES)
_given = (
    sa.func.unnest(*(sa.bindparam(name, type_=sa.ARRAY(tag_link.c[name].type)) for name in _CONTENT))
    .table_valued(*(sa.column(name, tag_link.c[name].type) for name in _CONTENT))
    .render_derived("given")
)
_same_link = sa.and_(tag_link.c.tag_id == _given.c.tag_id, tag_link.c.reference_id == _given.c.reference_id)
_given_rows = sa.select(*(_given.c[name] for name in _CONTENT)).order_by(_given.c.tag_id, _given.c.reference_id)

INSERT_LINKS = Statement(
    insert(tag_link).from_select(_CONTENT, _given_rows).on_conflict_do_nothing().returning(*_link_key)
)
"""Insert the listed links that have no row yet; return their keys.

Rows are inserted in the order of the keys, so that parallel writers of the same links can't deadlock.
"""

HOLD_LINKS = Statement(
    sa.select(
        *_link_columns,
        *(tag_link.c[name] for name in TIES),
        references.visible_reference(tag_link).label("seen"),
    )
    .join(_given, _same_link)
    .order_by(*_link_key)
    .with_for_update(of=tag_link)
)
"""The listed links, deleted or not, locked against other writers; `seen`: whether the caller may see the link."""

PUT_LINKS = Statement(
    sa.update(tag_link)
    .where(_same_link)
    .values(
        reference_table=_given.c.reference_table,
        reference_url=_given.c.reference_url,
        **{name: _given.c[name] for name in TIES},
        updated_at=INSTANT,
        deleted_at=None,
    )
    .returning(*_link_columns)
)
"""Give the listed links their new content and revive deleted ones."""

_keys = (
    sa.func.unnest(*(sa.bindparam(f"{column.name}s", type_=sa.ARRAY(Id)) for column in _link_key))
    .table_valued(*(sa.column(column.name, Id) for column in _link_key))
    .render_derived("keys")
)
_tie = tag_link.c.environment_project_id
PROJECTS_OF_LINKS = Statement(
    sa.select(
        *_link_key,
        sa.case((sa.or_(_tie.is_(None), is_confidential(tag.c.tag_scope)), tag.c.tag_scope), else_=_tie).label(TIES[0]),
        tag_link.c.project_id,
    )
    .join(tag, tag.c.id == tag_link.c.tag_id)
    .join(_keys, sa.and_(tag_link.c.tag_id == _keys.c.tag_id, tag_link.c.reference_id == _keys.c.reference_id))
)
"""The projects whose viewers see the events of links: of the tag's and the reference's, one that is confidential."""
