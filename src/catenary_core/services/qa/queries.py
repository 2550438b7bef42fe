"""The SQL of QA records and record types."""

from __future__ import annotations

import sqlalchemy as sa

from catenary.qa.v2 import record_service_pb2, record_type_service_pb2
from catenary.qa.v2.record_service_shapes import ListRecordsResponse
from catenary.qa.v2.record_shapes import Record
from catenary.qa.v2.record_type_service_shapes import ListRecordTypesResponse
from catenary.qa.v2.record_type_shapes import RecordType
from catenary_core.access import references, visibility
from catenary_core.call.resource_paths import resource_path
from catenary_core.database.columns import Id, creator, with_creator
from catenary_core.database.statements import Statement
from catenary_core.resources.listing import Listing, by_index
from catenary_core.resources.resource import Resource
from catenary_core.services.qa.tables import record, record_type

_type_rows = sa.select(record_type)

RECORD_TYPE: Resource[RecordType] = Resource(
    service="qa",
    name="record_type",
    path=resource_path(record_type_service_pb2, "ListRecordTypes"),
    table=record_type,
    rows=_type_rows,
    unique=("name",),
)
TYPES_BY_NAME = Statement(
    sa.select(record_type.c.id, record_type.c.name).where(
        record_type.c.name == sa.any_(sa.bindparam("names", type_=sa.ARRAY(sa.Text))),
        record_type.c.deleted_at.is_(None),
    )
)
RECORD_TYPES: Listing[ListRecordTypesResponse] = Listing(
    key="record_types",
    rows=_type_rows,
    sorts={name: record_type.c[name] for name in ("id", "created_at", "updated_at", "name")},
    deleted_at=record_type.c.deleted_at,
)

_record_rows = sa.select(
    record.c.id,
    record.c.type_id,
    record.c.reference_id,
    record.c.reference_table,
    record.c.reference_url,
    creator(record.c.created_by),
    record.c.created_at,
    record.c.updated_at,
    record.c.deleted_at,
    visibility.confidential(record.c.environment_project_id),
).select_from(with_creator(record))

RECORD: Resource[Record] = Resource(
    service="qa",
    name="record",
    path=resource_path(record_service_pb2, "GetRecord"),
    table=record,
    rows=_record_rows,
    private=frozenset({"created_by"}),
    owned=True,
    tied=True,
    always=(references.visible_reference(record),),
)
RECORDS: Listing[ListRecordsResponse] = Listing(
    key="records",
    rows=_record_rows,
    sorts={name: record.c[name] for name in ("id", "created_at", "updated_at")},
    deleted_at=record.c.deleted_at,
    filters={
        "reference_id": record.c.reference_id == sa.any_(sa.bindparam("reference_id", type_=sa.ARRAY(Id))),
        "type_id": record.c.type_id == sa.any_(sa.bindparam("type_id", type_=sa.ARRAY(Id))),
    },
    always=(references.visible_references(record),),
    counted=record,
    probes=by_index(record, "reference_id", "type_id"),
)
