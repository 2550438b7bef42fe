"""The SQL of parameters."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import sqlalchemy as sa

from catenary_core.access import references, rights, visibility
from catenary_core.database.columns import Id, active_user
from catenary_core.database.statements import Row, Statement
from catenary_core.resources.listing import Listing, Probe
from catenary_core.services.parameter.assets.queries import children_of
from catenary_core.services.parameter.embedded_queries import json_object, listed, row_times
from catenary_core.services.parameter.filters import by_ids, ids
from catenary_core.services.parameter.tables import (
    STATUSES,
    asset,
    known_source,
    known_source_type,
    parameter,
    parameter_parent,
    revision,
    tagged,
)
from catenary_core.services.parameter.types.queries import version_column

UNANSWERED = "unanswered"
"""The QA state of a parameter without an entry."""
_SOURCE = ("id", "created_at", "date_day", "date_month", "date_year", "reference", "title", "url")
_maker, _reviser = active_user.alias("maker"), active_user.alias("reviser")
_visible = visibility.visible(parameter.c.project_id)

# Types are ids here; the message replaces them with the node's cached types, and adds the parameter's project.
_parent = json_object(
    id=asset.c.id,
    parent=asset.c.parent_id,
    children=children_of(asset.c.id),
    name=asset.c.name,
    asset_type=asset.c.asset_type_id,
    asset_sub_type=asset.c.asset_sub_type_id,
    **row_times(asset),
)
ROWS = sa.select(
    parameter.c.id,
    parameter.c.project_id,
    listed(_parent, asset.c.id, where=asset.c.id == sa.any_(parameter.c.parent_ids)).label("parents"),
    parameter.c.parameter_type_id,
    _maker.c.staff_name.label("maker_name"),
    _maker.c.email.label("maker_email"),
    parameter.c.created_at,
    parameter.c.updated_at,
    parameter.c.deleted_at,
    parameter.c.entry_id,
    parameter.c.revision_id,
    parameter.c.status,
    revision.c.value_id,
    revision.c.value,
    parameter.c.unit_id,
    revision.c.created_at.label("revised_at"),
    _reviser.c.staff_name.label("reviser_name"),
    _reviser.c.email.label("reviser_email"),
    *(known_source.c[name].label(f"source_{name}") for name in _SOURCE),
    known_source_type.c.id.label("source_type_id"),
    known_source_type.c.name.label("source_type_name"),
    version_column,
    visibility.confidential(parameter.c.project_id),
).select_from(
    parameter.outerjoin(_maker, _maker.c.user_id == parameter.c.created_by)
    .outerjoin(revision, revision.c.revision_id == parameter.c.revision_id)
    .outerjoin(_reviser, _reviser.c.user_id == revision.c.created_by)
    .outerjoin(known_source, known_source.c.id == parameter.c.source_id)
    .outerjoin(known_source_type, known_source_type.c.id == known_source.c.source_type_id)
)
"""The rows that `messages.parameter` takes."""


def _in_states(states: tuple[str, ...]) -> sa.ColumnElement[bool]:
    # The states are literals in the statement's text, so that the planner knows which of them are rare.
    answers: list[sa.ColumnElement[Any]] = [sa.literal_column(f"'{state}'") for state in states if state != UNANSWERED]
    conditions: list[sa.ColumnElement[bool]] = []
    if UNANSWERED in states:
        conditions.append(parameter.c.status.is_(None))
    if answers:
        conditions.append(parameter.c.status.in_(answers))
    return sa.or_(*conditions)


def state_filter(states: set[str]) -> str:
    """Return the name of the filter by QA states."""
    return f"qa_status {' '.join(sorted(states))}"


# A literal, as in the index of such parameters.
_project_wide = parameter.c.parent_ids == sa.literal_column("'{}'::uuid[]")


def project_wide_filter(*, wide: bool) -> str:
    """Return the name of the filter by whether parameters have no parents."""
    return f"project_parameter {wide}"


_parents = sa.select(parameter_parent.c.parameter_id)
_of_types = _parents.join(asset, asset.c.id == parameter_parent.c.asset_id)
_sources_of_types = sa.select(known_source.c.id).where(known_source.c.source_type_id == sa.any_(ids("source_type_id")))
_marked = {
    name: sa.select(tagged.c.reference_id).where(
        tagged.c.tag_id == sa.any_(ids(name)), visibility.visible(tagged.c.tag_scope)
    )
    for name in ("tag_id", "category_id", "report_id", "discipline_id")
}
"""The ids to which the tags of each filter are linked. All but the first are of version 0, where a tag has a use."""
# Reads link by link from the assets of a type: the planner would otherwise read all links. OFFSET 0 prevents that.
_link = (
    sa.select(parameter_parent.c.parameter_id)
    .where(parameter_parent.c.asset_id == asset.c.id)
    .offset(sa.literal_column("0"))
    .lateral("link")
)
_below_assets = sa.select(_link.c.parameter_id).select_from(asset.join(_link, sa.true()))
_all_states = (*STATUSES, UNANSWERED)


PARAMETERS: Listing[Row] = Listing(
    key="parameters",
    rows=ROWS,
    sorts={name: parameter.c[name] for name in ("id", "created_at", "updated_at")},
    deleted_at=parameter.c.deleted_at,
    filters={
        "parameter_id": parameter.c.id == sa.any_(ids("parameter_id")),
        **by_ids("project_id", parameter.c.project_id),
        **by_ids("parameter_type_id", parameter.c.parameter_type_id),
        "asset_id": parameter.c.id.in_(_parents.where(parameter_parent.c.asset_id == sa.any_(ids("asset_id")))),
        **{
            name: parameter.c.id.in_(_of_types.where(condition))
            for name, condition in by_ids("asset_type_id", asset.c.asset_type_id).items()
        },
        **by_ids("source_id", parameter.c.source_id),
        "source_type_id": parameter.c.source_id.in_(_sources_of_types),
        **by_ids("unit_id", parameter.c.unit_id),
        **{name: parameter.c.id.in_(marked) for name, marked in _marked.items()},
        project_wide_filter(wide=True): _project_wide,
        project_wide_filter(wide=False): ~_project_wide,
        **{
            state_filter(set(states)): _in_states(states)
            for size in range(1, len(_all_states) + 1)
            for states in combinations(_all_states, size)
        },
    },
    always=(visibility.visible_of_many(parameter.c.project_id),),
    counted=parameter,
    probes={
        "asset_id": Probe(parameter.c.id, _parents.where(parameter_parent.c.asset_id == sa.any_(ids("asset_id")))),
        **{
            name: Probe(parameter.c.id, _below_assets.where(condition))
            for name, condition in by_ids("asset_type_id", asset.c.asset_type_id).items()
        },
        "source_type_id": Probe(parameter.c.source_id, _sources_of_types),
        **{
            name: Probe(
                parameter.c.id,
                marked,
                marked.where(tagged.c.reference_id == parameter.c.id).offset(sa.literal_column("0")).exists(),
            )
            for name, marked in _marked.items()
        },
    },
)

GET = Statement(ROWS.where(parameter.c.id == sa.bindparam("id", type_=Id), _visible))
READ = Statement(ROWS.where(parameter.c.id == sa.any_(ids("ids"))))
"""Parameters by ids, for callers that are known to see them."""

# Sorted by the unique key, so that two writers can't deadlock.
ADD = Statement(
    sa.text(
        """
        WITH made AS (
            INSERT INTO parameter.parameter (id, project_id, parameter_type_id, parent_ids, created_by)
            SELECT g.id, g.project_id, g.parameter_type_id, string_to_array(g.parent_ids, ',')::uuid[], :created_by
              FROM unnest(:ids, :project_ids, :type_ids, :parent_ids) AS g (id, project_id, parameter_type_id, parent_ids)
             ORDER BY g.project_id, g.parameter_type_id, g.parent_ids
            ON CONFLICT DO NOTHING
            RETURNING id, parent_ids
        ), linked AS (
            INSERT INTO parameter.parameter_parent (parameter_id, asset_id)
            SELECT made.id, unnest(made.parent_ids) FROM made
        )
        SELECT id FROM made
        """
    ).bindparams(
        ids("ids"),
        ids("project_ids"),
        ids("type_ids"),
        sa.bindparam("parent_ids", type_=sa.ARRAY(sa.Text)),
        sa.bindparam("created_by", type_=Id),
    )
)
"""Insert the parameters whose id isn't taken and whose key no active parameter has; return their ids.

`parent_ids` has sorted ids with commas between them.
"""
ADDRESSED = Statement(
    sa.text(
        """
        SELECT p.id, p.project_id, p.parameter_type_id, array_to_string(p.parent_ids, ',') AS parent_ids,
               p.entry_id, p.revision_id
          FROM unnest(:project_ids, :type_ids, :parent_ids) AS g (project_id, parameter_type_id, parent_ids)
          JOIN parameter.parameter p ON p.project_id = g.project_id AND p.parameter_type_id = g.parameter_type_id
           AND p.parent_ids = string_to_array(g.parent_ids, ',')::uuid[] AND p.deleted_at IS NULL
        """
    ).bindparams(ids("project_ids"), ids("type_ids"), sa.bindparam("parent_ids", type_=sa.ARRAY(sa.Text)))
)
"""The active parameters that project, type and parents name, with entry and latest revision, if any."""
REFERRED = Statement(
    sa.union_all(
        sa.select(asset.c.id, asset.c.project_id).where(
            asset.c.id == sa.any_(ids("asset_ids")), asset.c.deleted_at.is_(None)
        ),
        sa.select(known_source.c.id, sa.cast(sa.null(), Id)).where(
            known_source.c.id == sa.any_(ids("source_ids")),
            known_source.c.deleted_at.is_(None),
            references.visible_reference(known_source),
        ),
    )
)
"""The active assets of `asset_ids` and the active sources of `source_ids` that the caller may see.

An asset has its project; a source has none.
"""
PARENT_ASSETS = Statement(
    sa.select(asset.c.id, asset.c.project_id).where(asset.c.id == sa.any_(ids("ids")), asset.c.deleted_at.is_(None))
)
"""The active assets among `ids`."""
MOVE = Statement(
    sa.text(
        """
        WITH unlinked AS (
            DELETE FROM parameter.parameter_parent WHERE parameter_id = :id AND asset_id <> ALL (:parent_ids)
        ), linked AS (
            INSERT INTO parameter.parameter_parent (parameter_id, asset_id)
            SELECT :id, unnest(:parent_ids) ON CONFLICT DO NOTHING
        )
        UPDATE parameter.parameter SET parent_ids = :parent_ids, updated_at = clock_timestamp() WHERE id = :id
        """
    ).bindparams(sa.bindparam("id", type_=Id), ids("parent_ids"))
)
HOLD = Statement(
    sa.select(
        parameter.c.id,
        parameter.c.project_id,
        parameter.c.parameter_type_id,
        parameter.c.parent_ids,
        rights.kept(parameter.c.project_id),
    )
    .where(parameter.c.id == sa.bindparam("id", type_=Id), parameter.c.deleted_at.is_(None), _visible)
    .with_for_update(of=parameter, key_share=True)
)
"""An active parameter, locked against other writers."""
