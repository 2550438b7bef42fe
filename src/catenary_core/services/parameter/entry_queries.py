"""The SQL of entries and revisions."""

from __future__ import annotations

import sqlalchemy as sa

from catenary_core import visibility
from catenary_core.data_paging import Listing
from catenary_core.data_rows import Resource
from catenary_core.data_tables import Id, active_user
from catenary_core.db import Statement
from catenary_core.services.parameter.embedded import (
    creator_object,
    json_object,
    source_from,
    source_object,
    unit_reference,
)
from catenary_core.services.parameter.filters import ids
from catenary_core.services.parameter.known_types import version_column
from catenary_core.services.parameter.tables import entry, known_source, parameter, revision, unit

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
ENTRY = Resource(
    service="parameter",
    name="entry",
    path="/parameter/v1/entries/{}",
    table=entry,
    rows=_entry_rows,
    id_field="entry_id",
    private=frozenset({"created_by", "comment"}),
)
ENTRIES = Listing(
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

_revision_rows = sa.select(
    entry.c.entry_id,
    *_content,
    revision.c.created_at,
    revision.c.updated_at,
    entry.c.deleted_at,
    visibility.confidential(entry.c.project_id),
).select_from(_with_content(entry.join(revision, revision.c.entry_id == entry.c.entry_id)))
REVISION = Resource(
    service="parameter",
    name="revision",
    path="/parameter/v1/entries/{entry_id}/revisions/{}",
    table=revision,
    rows=_revision_rows,
    id_field="revision_id",
    private=frozenset({"created_by", "comment"}),
)
REVISIONS = Listing(
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
)
SEEN_ENTRY = Statement(
    sa.select(entry.c.deleted_at).where(
        entry.c.entry_id == sa.bindparam("entry_id", type_=Id), visibility.visible(entry.c.project_id)
    )
)

_visible = visibility.visible(parameter.c.project_id)
HOLD = Statement(
    sa.select(
        parameter.c.id,
        parameter.c.parameter_type_id,
        parameter.c.entry_id,
        parameter.c.revision_id,
        version_column,
    )
    .where(parameter.c.id == sa.any_(ids("ids")), parameter.c.deleted_at.is_(None), _visible)
    .order_by(parameter.c.id)
    .with_for_update(of=parameter, key_share=True)
)
"""The active parameters of `ids` that the caller may see, in order, so that their writers follow each other. Their entry and
latest revision are those that the writer before has left."""

HOLD_REVISED = Statement(
    sa.select(revision.c.revision_id, parameter.c.revision_id.label("latest_id"))
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
"""The same for the parameters of revisions: each revision with the latest one of its entry."""

_texts = sa.ARRAY(sa.Text)
PUT = Statement(
    sa.text(
        """
        WITH item AS (
            SELECT * FROM unnest(:parameter_ids, :entry_ids, :before_ids, :new_ids, :value_ids, :contents, :unit_ids, :source_ids,
                                 :comments, :locations)
              AS i (parameter_id, entry_id, before_id, new_id, value_id, value, unit_id, source_id, comment, location)
        ), changed AS (
            SELECT i.* FROM item i LEFT JOIN parameter.revision b ON b.revision_id = i.before_id
             WHERE i.before_id IS NULL OR b.status = 'rejected'
                OR (b.value::text, b.unit_id, b.source_id, b.comment, b.location_in_source)
                   IS DISTINCT FROM (i.value, i.unit_id, i.source_id, i.comment, i.location)
        ), made AS (
            INSERT INTO parameter.entry (entry_id, parameter_id, project_id, revision_id)
            SELECT c.entry_id, p.id, p.project_id, c.new_id
              FROM changed c JOIN parameter.parameter p ON p.id = c.parameter_id
             WHERE c.before_id IS NULL
            ON CONFLICT DO NOTHING RETURNING entry_id
        ), moved AS (
            UPDATE parameter.entry e SET revision_id = c.new_id, updated_at = clock_timestamp()
              FROM changed c WHERE c.before_id IS NOT NULL AND e.entry_id = c.entry_id
        ), revised AS (
            INSERT INTO parameter.revision (revision_id, entry_id, status, value_id, value, unit_id, source_id, comment,
                                            location_in_source, created_by)
            SELECT new_id, entry_id, 'answered', value_id, value::json, unit_id, source_id, comment, location, :created_by
              FROM changed
             WHERE before_id IS NOT NULL OR entry_id IN (SELECT entry_id FROM made)
        ), pointed AS (
            UPDATE parameter.parameter p
               SET entry_id = c.entry_id, revision_id = c.new_id, status = 'answered', unit_id = c.unit_id,
                   source_id = c.source_id
              FROM changed c WHERE p.id = c.parameter_id
        )
        SELECT i.entry_id, c.entry_id IS NOT NULL AS changed, i.before_id IS NULL AND m.entry_id IS NULL AS taken,
               s.id IS NOT NULL AS source_known
          FROM item i LEFT JOIN changed c ON c.entry_id = i.entry_id LEFT JOIN made m ON m.entry_id = i.entry_id
          LEFT JOIN reference.known_source s ON s.id = i.source_id AND s.deleted_at IS NULL
        """
    ).bindparams(
        *(
            ids(name)
            for name in ("parameter_ids", "entry_ids", "before_ids", "new_ids", "value_ids", "unit_ids", "source_ids")
        ),
        *(sa.bindparam(name, type_=_texts) for name in ("contents", "comments", "locations")),
        sa.bindparam("created_by", type_=Id),
    )
)
"""Writes the content of entries whose parameters the caller holds: an entry with its first revision where `before_ids` is NULL,
else a revision after that one, unless it would say the same and that one isn't rejected. For each entry: whether it
changed, whether its id is taken, and whether its source is active; the caller rolls back where one is wrong."""

JUDGE = Statement(
    sa.text(
        """
        WITH judged AS (
            UPDATE parameter.revision r
               SET status = j.status, comment = coalesce(j.comment, r.comment), updated_at = clock_timestamp()
              FROM unnest(:revision_ids, :states, :comments) AS j (revision_id, status, comment)
             WHERE r.revision_id = j.revision_id
            RETURNING r.entry_id, r.status
        ), stated AS (
            UPDATE parameter.parameter p SET status = judged.status
              FROM judged JOIN parameter.entry e ON e.entry_id = judged.entry_id WHERE p.id = e.parameter_id
        )
        UPDATE parameter.entry e SET updated_at = clock_timestamp() FROM judged WHERE e.entry_id = judged.entry_id
        """
    ).bindparams(ids("revision_ids"), *(sa.bindparam(name, type_=_texts) for name in ("states", "comments")))
)
"""Gives revisions their new status, and a comment where there is one."""
