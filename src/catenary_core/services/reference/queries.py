"""The SQL of sources and source types."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.sql.elements import ColumnElement

from catenary.reference.v2 import source_service_pb2, source_type_service_pb2
from catenary.reference.v2.source_service_shapes import ListSourcesResponse
from catenary.reference.v2.source_shapes import Source
from catenary.reference.v2.source_type_service_shapes import ListSourceTypesResponse
from catenary.reference.v2.source_type_shapes import SourceType
from catenary_core.access import references, visibility
from catenary_core.call.resource_paths import resource_path
from catenary_core.database.columns import Id
from catenary_core.resources.listing import Listing, by_index
from catenary_core.resources.resource import Resource
from catenary_core.services.reference.messages import source_message
from catenary_core.services.reference.tables import source, source_type

_type_rows = sa.select(source_type)

SOURCE_TYPE: Resource[SourceType] = Resource(
    service="reference",
    name="source_type",
    path=resource_path(source_type_service_pb2, "GetSourceType"),
    table=source_type,
    rows=_type_rows,
    unique=("name",),
)
SOURCE_TYPES: Listing[ListSourceTypesResponse] = Listing(
    key="source_types",
    rows=_type_rows,
    sorts={name: source_type.c[name] for name in ("id", "created_at", "updated_at", "name")},
    deleted_at=source_type.c.deleted_at,
)

# A view of the parameter service: the source of each revision, and the revision's project.
_use = sa.table("source_use", sa.column("source_id", Id), sa.column("project_id", Id), schema="parameter")


def _is_used_by(project_id: ColumnElement[Any]) -> ColumnElement[bool]:
    used = sa.exists().where(_use.c.source_id == source.c.id, _use.c.project_id == project_id)
    return used.correlate_except(_use)


_source_rows = sa.select(
    source,
    source_type.c.name.label("type_name"),
    source_type.c.visible.label("type_visible"),
    source_type.c.created_at.label("type_created_at"),
    source_type.c.updated_at.label("type_updated_at"),
    source_type.c.deleted_at.label("type_deleted_at"),
    visibility.confidential(source.c.environment_project_id),
).select_from(source.join(source_type))

SOURCE: Resource[Source] = Resource(
    service="reference",
    name="source",
    path=resource_path(source_service_pb2, "GetSource"),
    table=source,
    rows=_source_rows,
    owned=True,
    tied=True,
    always=(references.visible_reference(source),),
    used_unseen=visibility.some_hidden(_is_used_by),
    message=source_message,
)
SOURCES: Listing[ListSourcesResponse] = Listing(
    key="sources",
    rows=_source_rows,
    sorts={name: source.c[name] for name in ("id", "created_at", "updated_at")},
    deleted_at=source.c.deleted_at,
    filters={
        "source_id": source.c.id == sa.any_(sa.bindparam("source_id", type_=sa.ARRAY(Id))),
        "reference_id": source.c.reference_id == sa.any_(sa.bindparam("reference_id", type_=sa.ARRAY(Id))),
        "source_type_id": source.c.source_type_id == sa.any_(sa.bindparam("source_type_id", type_=sa.ARRAY(Id))),
        "title": source.c.title == sa.any_(sa.bindparam("title", type_=sa.ARRAY(sa.Text))),
        "reference": source.c.reference == sa.any_(sa.bindparam("reference", type_=sa.ARRAY(sa.Text))),
    },
    always=(references.visible_references(source),),
    counted=source,
    probes=by_index(source, "reference_id", "source_type_id", "title", "reference"),
    message=source_message,
)
