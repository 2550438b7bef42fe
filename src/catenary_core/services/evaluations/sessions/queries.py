"""The SQL of live sessions, of which none runs for a design."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY

from catenary_core.database.columns import Id
from catenary_core.database.statements import Statement

_deployed = sa.table(
    "deployed",
    *(sa.column(name) for name in ("project_id", "model_version_id", "parameters")),
    schema="models",
)
_checked = sa.table(
    "checked_version", *(sa.column(name) for name in ("model_version_id", "parameters")), schema="models"
)

DEPLOYED_VERSIONS = Statement(
    sa.select(_deployed.c.project_id, _deployed.c.model_version_id, _deployed.c.parameters).where(
        _deployed.c.project_id == sa.any_(sa.bindparam("project_ids", type_=ARRAY(Id)))
    )
)
"""The versions that projects evaluate, with the parameters as the projects have narrowed them."""
CHOSEN_VERSIONS = Statement(
    sa.select(_checked.c.model_version_id, _checked.c.parameters).where(
        _checked.c.model_version_id == sa.any_(sa.bindparam("model_version_ids", type_=ARRAY(Id)))
    )
)
"""The versions that are not deleted, with the parameters as they declare them."""
