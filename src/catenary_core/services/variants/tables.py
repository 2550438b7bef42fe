"""The table of variants, and the views on it for other services.

- `variants.active_variant(variant_id, project_id, evaluation_id, created_by)`: the active variants
- `variants.named(evaluation_id, model_version_id)`: the evaluations that variants keep, and the versions of these
- `variants.active_variant(variant_id, project_id, evaluation_id)`: the variants that aren't deleted
- `variants.referable(id, project_id)`: the variants, deleted ones too, that a `reference_id` may name
"""

from __future__ import annotations

import sqlalchemy as sa

from catenary_core.database.columns import Id, id_column, times
from catenary_core.database.statements import metadata

_ACTIVE = sa.text("deleted_at IS NULL")

variant = sa.Table(
    "variant",
    metadata,
    id_column("variant_id"),
    sa.Column("project_id", Id, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("note", sa.Text, nullable=False),
    # An evaluation, or a point that is one; it stays as long as the variant.
    sa.Column("evaluation_id", Id, nullable=False),
    sa.Column("model_version_id", Id, nullable=False),
    sa.Column("created_by", Id, nullable=False),
    *times(),
    sa.Index("variant_active_idx", "project_id", "created_at", "variant_id", postgresql_where=_ACTIVE),
    sa.Index("variant_evaluation_idx", "evaluation_id", postgresql_where=_ACTIVE),
    sa.Index("variant_version_idx", "model_version_id", postgresql_where=_ACTIVE),
    schema="variants",
)
