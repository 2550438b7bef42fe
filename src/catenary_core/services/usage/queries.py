"""The SQL of usage."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import UUID

from catenary_core.database.statements import Statement
from catenary_core.limits.accounts import project_account, user_account
from catenary_core.limits.month_accounts import month_account

_Id = UUID(as_uuid=False)
_payer = sa.table("payer", sa.column("project_id", _Id), sa.column("user_id", _Id), schema="projects")
_tier = sa.table("user_tier", sa.column("user_id", _Id), sa.column("tier", sa.Text), schema="identity")
_month = sa.func.coalesce(
    sa.bindparam("month", type_=sa.Text), sa.func.to_char(sa.func.clock_timestamp(), sa.literal_column("'YYYY-MM'"))
)


def _used(subject: sa.Column[Any], stored: sa.ColumnElement[Any], *also: sa.ColumnElement[Any]) -> sa.Select[Any]:
    """Build the usage of a subject in a month: one row, zero where nothing is counted."""
    given = sa.bindparam("subject", type_=_Id)
    return sa.select(
        _month.label("month"),
        sa.func.coalesce(sa.cast(sa.func.sum(month_account.c.evaluations), sa.BigInteger), 0).label("evaluations"),
        sa.func.coalesce(sa.func.sum(month_account.c.seconds), 0.0).label("compute_seconds"),
        sa.func.coalesce(stored, 0).label("storage"),
        *also,
    ).where(subject == given, month_account.c.month == _month)


_subject = sa.bindparam("subject", type_=_Id)
_payer_of = sa.select(_payer.c.user_id).where(_payer.c.project_id == _subject).scalar_subquery()
OF_PROJECT = Statement(
    _used(
        month_account.c.project_id,
        sa.select(project_account.c.storage).where(project_account.c.project_id == _subject).scalar_subquery(),
        _payer_of.label("user_id"),
        sa.select(_tier.c.tier).where(_tier.c.user_id == _payer_of).scalar_subquery().label("tier"),
    )
)
"""The use of a project in a month and its storage, with the user who pays and that user's tier."""
OF_USER = Statement(
    _used(
        month_account.c.user_id,
        sa.select(user_account.c.storage).where(user_account.c.user_id == _subject).scalar_subquery(),
        _subject.label("user_id"),
        sa.select(_tier.c.tier).where(_tier.c.user_id == _subject).scalar_subquery().label("tier"),
    )
)
"""The use and the storage of the projects for which a user pays, with the user's tier."""
