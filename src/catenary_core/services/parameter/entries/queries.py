"""The SQL of entries and revisions."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSON, insert

from catenary.parameter.v1 import entry_service_pb2
from catenary.parameter.v1.entry_service_shapes import ListEntriesResponse, ListRevisionsResponse
from catenary.parameter.v1.entry_shapes import Entry, Revision
from catenary_core.access import references, rights, visibility
from catenary_core.call.resource_paths import resource_path
from catenary_core.database.columns import CLOCK, Id, active_user
from catenary_core.database.statements import Statement
from catenary_core.resources.listing import Listing
from catenary_core.resources.resource import Resource
from catenary_core.services.parameter import messages
from catenary_core.services.parameter.embedded_queries import (
    creator_object,
    json_object,
    source_from,
    source_object,
    unit_reference,
)
from catenary_core.services.parameter.filters import ids
from catenary_core.services.parameter.tables import (
    entry,
    known_source,
    parameter,
    parameter_type,
    revision,
    unit,
)
from catenary_core.services.parameter.types.queries import version_column

_value = json_object(id=revision.c.value_id, value=revision.c.value, unit=unit_reference(unit))
_content = (
    revision.c.revision_id,
    revision.c.status,
    sa.func.json_build_array(_value).label("values"),
    source_object.label("source"),
    revision.c.comment,
    revision.c.location_in_source,
    creator_object().label("created_by"),
)


def _with_content(entry_to_revision: sa.FromClause) -> sa.FromClause:
    return (
        entry_to_revision.join(source_from, known_source.c.id == revision.c.source_id)
        .outerjoin(unit, unit.c.id == revision.c.unit_id)
        .outerjoin(active_user, active_user.c.user_id == revision.c.created_by)
    )


_entry_rows = sa.select(
    entry.c.entry_id,
    entry.c.parameter_id,
    *_content,
    entry.c.created_at,
    entry.c.updated_at,
    entry.c.deleted_at,
    visibility.confidential(entry.c.project_id),
).select_from(_with_content(entry.join(revision, revision.c.revision_id == entry.c.revision_id)))
ENTRY: Resource[Entry] = Resource(
    service="parameter",
    name="entry",
    path=resource_path(entry_service_pb2, "ListEntries"),
    table=entry,
    rows=_entry_rows,
    id_field="entry_id",
    private=frozenset({"created_by", "comment"}),
)
ENTRIES: Listing[ListEntriesResponse] = Listing(
    key="entries",
    rows=_entry_rows,
    sorts={
        "id": entry.c.entry_id,
        "created_at": entry.c.created_at,
        "updated_at": entry.c.updated_at,
    },
    deleted_at=entry.c.deleted_at,
    filters={"parameter_id": entry.c.parameter_id == sa.any_(ids("parameter_id"))},
    always=(visibility.visible_of_many(entry.c.project_id),),
    id_field="entry_id",
    counted=entry,
)

_reviewer = active_user.alias("reviewer")
_revision_rows = sa.select(
    entry.c.entry_id,
    *_content,
    revision.c.review_comment,
    _reviewer.c.staff_name.label("reviewer_name"),
    _reviewer.c.email.label("reviewer_email"),
    revision.c.reviewed_at,
    revision.c.created_at,
    revision.c.updated_at,
    entry.c.deleted_at,
    visibility.confidential(entry.c.project_id),
).select_from(
    _with_content(entry.join(revision, revision.c.entry_id == entry.c.entry_id)).outerjoin(
        _reviewer, _reviewer.c.user_id == revision.c.reviewed_by
    )
)
REVISION: Resource[Revision] = Resource(
    service="parameter",
    name="revision",
    path=resource_path(entry_service_pb2, "ListRevisions"),
    table=revision,
    rows=_revision_rows,
    id_field="revision_id",
    private=frozenset({"created_by", "comment", "review"}),
    message=messages.revision,
)
REVISIONS: Listing[ListRevisionsResponse] = Listing(
    key="revisions",
    rows=_revision_rows,
    sorts={
        "id": revision.c.revision_id,
        "created_at": revision.c.created_at,
        "updated_at": revision.c.updated_at,
    },
    deleted_at=entry.c.deleted_at,
    always=(visibility.visible(entry.c.project_id), entry.c.entry_id == sa.bindparam("entry_id", type_=Id)),
    id_field="revision_id",
    descending=True,
    message=messages.revision,
)
VISIBLE_ENTRY = Statement(
    sa.select(entry.c.deleted_at).where(
        entry.c.entry_id == sa.bindparam("entry_id", type_=Id), visibility.visible(entry.c.project_id)
    )
)

_visible = visibility.visible(parameter.c.project_id)
TYPES = Statement(sa.select(parameter.c.id, parameter.c.parameter_type_id).where(parameter.c.id == sa.any_(ids("ids"))))
"""The parameter types of parameters."""
HOLD_REVISED = Statement(
    sa.select(
        revision.c.revision_id,
        revision.c.entry_id,
        revision.c.created_by,
        parameter.c.revision_id.label("latest_id"),
        parameter.c.project_id,
        rights.kept(parameter.c.project_id),
    )
    .select_from(
        revision.join(entry, entry.c.entry_id == revision.c.entry_id).join(
            parameter, parameter.c.id == entry.c.parameter_id
        )
    )
    .where(
        revision.c.revision_id == sa.any_(ids("ids")),
        entry.c.deleted_at.is_(None),
        parameter.c.deleted_at.is_(None),
        _visible,
    )
    .order_by(parameter.c.id)
    .with_for_update(of=parameter, key_share=True)
)
"""Each revision of `ids` with the latest revision of its entry.

Only of active parameters that the caller may see. The parameters are locked in the order of their ids, so that their
writers follow each other.
"""

ACTIVE_SOURCES = Statement(
    sa.select(known_source.c.id).where(
        known_source.c.id == sa.any_(ids("ids")),
        known_source.c.deleted_at.is_(None),
        references.visible_reference(known_source),
    )
)
"""The active sources among `ids` that the caller may see."""

_item = sa.select(
    sa.func.json_to_recordset(sa.bindparam("items", type_=JSON))
    .table_valued(
        *(sa.column(name, Id) for name in ("parameter_id", "entry_id", "new_id", "value_id", "unit_id", "source_id")),
        *(sa.column(name, sa.Text) for name in ("value", "comment", "location")),
    )
    .render_derived("given", with_types=True)
).subquery("item")
_before = revision.alias("before")
# Looked up only for an item without a unit, as coalesce stops at its first value.
_unit_id = sa.func.coalesce(
    _item.c.unit_id,
    sa.select(parameter_type.c.default_unit_id)
    .where(parameter_type.c.id == parameter.c.parameter_type_id)
    .scalar_subquery(),
)
_known = (
    sa.select(
        *(column for column in _item.c if column.name != "unit_id"),
        _unit_id.label("unit_id"),
        parameter.c.project_id,
        rights.kept(parameter.c.project_id),
        parameter.c.parameter_type_id,
        parameter.c.entry_id.label("held_entry_id"),
        parameter.c.revision_id.label("before_id"),
        # The locked row is current; the revision is as it was when the statement began, before it may have waited for
        # the lock.
        sa.and_(
            parameter.c.revision_id.is_not(None),
            sa.or_(_before.c.revision_id.is_(None), _before.c.status != parameter.c.status),
        ).label("stale"),
        sa.or_(
            _before.c.status == "rejected",
            sa.cast(_before.c.value, sa.Text) != _item.c.value,
            _before.c.source_id != _item.c.source_id,
            _before.c.unit_id.is_distinct_from(_unit_id),
            _before.c.comment.is_distinct_from(_item.c.comment),
            _before.c.location_in_source.is_distinct_from(_item.c.location),
        ).label("differs"),
    )
    .select_from(
        _item.join(parameter, parameter.c.id == _item.c.parameter_id).outerjoin(
            _before, _before.c.revision_id == parameter.c.revision_id
        )
    )
    .where(parameter.c.deleted_at.is_(None), _visible)
    .order_by(parameter.c.id)
    .with_for_update(of=parameter, key_share=True)
    .cte("known")
)
_changed = (
    sa.select(_known)
    .where(
        sa.or_(
            _known.c.before_id.is_(None),
            sa.and_(_known.c.held_entry_id == _known.c.entry_id, ~_known.c.stale, _known.c.differs),
        ),
        sa.or_(_known.c.unit_id.is_(None), sa.exists().where(unit.c.id == _known.c.unit_id)),
    )
    .cte("changed")
)
_written = (entry.c.entry_id, entry.c.created_at, entry.c.updated_at)
_made = (
    insert(entry)
    .from_select(
        ["entry_id", "parameter_id", "project_id", "revision_id"],
        sa.select(_changed.c.entry_id, _changed.c.parameter_id, _changed.c.project_id, _changed.c.new_id).where(
            _changed.c.before_id.is_(None)
        ),
    )
    .on_conflict_do_nothing()
    .returning(*_written)
    .cte("made")
)
_moved = (
    sa.update(entry)
    .values(revision_id=_changed.c.new_id, updated_at=CLOCK)
    .where(_changed.c.before_id.is_not(None), entry.c.entry_id == _changed.c.entry_id)
    .returning(*_written)
    .cte("moved")
)
_revised = (
    sa.insert(revision)
    .from_select(
        [
            *("revision_id", "entry_id", "project_id", "status", "value_id", "value", "unit_id", "source_id"),
            *("comment", "location_in_source", "created_by"),
        ],
        sa.select(
            *(_changed.c.new_id, _changed.c.entry_id, _changed.c.project_id),
            *(sa.literal_column("'answered'"), _changed.c.value_id),
            sa.cast(_changed.c.value, JSON),
            *(_changed.c.unit_id, _changed.c.source_id, _changed.c.comment, _changed.c.location),
            sa.bindparam("viewer_id", type_=Id),
        ).where(sa.or_(_changed.c.before_id.is_not(None), _changed.c.entry_id.in_(sa.select(_made.c.entry_id)))),
    )
    .cte("revised")
)
_updated_parameters = (
    sa.update(parameter)
    .values(
        entry_id=_changed.c.entry_id,
        revision_id=_changed.c.new_id,
        status=sa.literal_column("'answered'"),
        unit_id=_changed.c.unit_id,
        source_id=_changed.c.source_id,
    )
    .where(parameter.c.id == _changed.c.parameter_id)
    .cte("pointed")
)
_now = sa.union_all(sa.select(_made), sa.select(_moved)).cte("now")
PUT = Statement(
    sa.select(
        _known.c.parameter_id,
        _known.c.project_id,
        _known.c.kept,
        _known.c.parameter_type_id,
        _known.c.unit_id,
        _known.c.held_entry_id,
        _known.c.before_id,
        _known.c.stale,
        _now.c.entry_id.is_not(None).label("changed"),
        _now.c.created_at,
        _now.c.updated_at,
        # Subqueries for each row: the planner assumes a hundred items and would read all sources. The lock lets the source be
        # neither changed nor deleted until the revision that names it can be found, and shows it as it is by then.
        sa.select(sa.type_coerce(source_object, JSON))
        .select_from(source_from)
        .where(known_source.c.id == _known.c.source_id, references.visible_reference(known_source))
        .with_for_update(read=True, key_share=True, of=known_source)
        .scalar_subquery()
        .label("source"),
        sa.select(sa.type_coerce(creator_object(), JSON))
        .where(active_user.c.user_id == sa.bindparam("viewer_id", type_=Id))
        .scalar_subquery()
        .label("created_by"),
        version_column,
    )
    .select_from(_known.outerjoin(_now, _now.c.entry_id == _known.c.entry_id))
    .add_cte(_revised, _updated_parameters)
)
"""Give each listed parameter its content: an entry with a first revision, or a further revision of its entry.

A value without a unit has the default unit of its parameter's type. No revision is added where the content equals that
of the latest one and the latest one isn't rejected.

Locks the active parameters of the items that the caller may see, in the order of their ids, so that their writers
follow each other, and returns one row for each of them. The caller rolls back if a row shows an error:

- `held_entry_id` is another entry than the item's: the parameter has an entry already.
- not `changed` and no `before_id`: the id of the new entry is taken.
- `source` is null or deleted: there is no such active source that the caller may see.

Nothing is written for a unit that doesn't exist.

`stale`: a writer that this statement waited for has added a revision that the statement's snapshot can't see. Nothing
is written for that parameter; the same statement, run again, sees the revision.
"""

_texts = sa.ARRAY(sa.Text)
SET_STATUS = Statement(
    sa.text(
        """
        WITH judged AS (
            UPDATE parameter.revision r
               SET status = j.status, review_comment = j.comment, reviewed_by = :reviewed_by,
                   reviewed_at = statement_timestamp(), updated_at = statement_timestamp()
              FROM unnest(:revision_ids, :states, :comments) AS j (revision_id, status, comment)
             WHERE r.revision_id = j.revision_id
            RETURNING r.entry_id, r.status
        ), stated AS (
            UPDATE parameter.parameter p SET status = judged.status
              FROM judged JOIN parameter.entry e ON e.entry_id = judged.entry_id WHERE p.id = e.parameter_id
        )
        UPDATE parameter.entry e SET updated_at = clock_timestamp() FROM judged WHERE e.entry_id = judged.entry_id
        """
    ).bindparams(
        ids("revision_ids"),
        *(sa.bindparam(name, type_=_texts) for name in ("states", "comments")),
        sa.bindparam("reviewed_by", type_=Id),
    )
)
"""Set the status of revisions, with the review that gives it."""
