"""The accounts of a month: evaluations and compute seconds of each project, and of each user who pays.

Work begins under the lock of the row of who pays, and is counted at the end of the same transaction: so two who begin
at once, at any nodes, do not exceed a quota together. Whoever locks that row does it before the rows of turns and of
projects' months, and after the counter of a project's hour.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import UUID, insert

from catenary_core.call.errors import DomainError
from catenary_core.database.statements import Statement, metadata
from catenary_core.settings import Tier

month_account = sa.Table(
    "month",
    metadata,
    sa.Column("project_id", UUID(as_uuid=False), nullable=False),
    # Who paid at that time.
    sa.Column("user_id", UUID(as_uuid=False), nullable=False),
    # Year and month in UTC, as `2026-11`.
    sa.Column("month", sa.Text, nullable=False),
    sa.Column("evaluations", sa.BigInteger, nullable=False),
    # Seconds that workers held jobs.
    sa.Column("seconds", sa.Float, nullable=False),
    sa.PrimaryKeyConstraint("project_id", "user_id", "month"),
    sa.Index("month_user_id_month_idx", "user_id", "month"),
    schema="quotas",
)
"""The use of each project in each month."""
user_month_account = sa.Table(
    "user_month",
    metadata,
    # Who paid at that time.
    sa.Column("user_id", UUID(as_uuid=False), nullable=False),
    sa.Column("month", sa.Text, nullable=False),
    # The sums over the rows of `month`.
    sa.Column("evaluations", sa.BigInteger, nullable=False),
    sa.Column("seconds", sa.Float, nullable=False),
    sa.PrimaryKeyConstraint("user_id", "month"),
    schema="quotas",
)
"""The use of each user who pays in each month."""

COUNT = Statement(
    sa.text(
        """
        WITH use AS MATERIALIZED (
            SELECT project_id, coalesce(CAST(:user_id AS uuid), user_id) AS user_id,
                   to_char(transaction_timestamp(), 'YYYY-MM') AS month, CAST(:evaluations AS bigint) AS evaluations,
                   CAST(:seconds AS double precision) + coalesce(
                       greatest(0, extract(epoch FROM clock_timestamp() - CAST(:leased_at AS timestamptz))), 0
                   ) AS seconds
            FROM projects.payer WHERE project_id = CAST(:project_id AS uuid)
        ), paid AS (
            INSERT INTO quotas.user_month AS kept (user_id, month, evaluations, seconds)
            SELECT user_id, month, greatest(0, evaluations), seconds FROM use
            ON CONFLICT (user_id, month) DO UPDATE
            SET evaluations = greatest(0, kept.evaluations + CAST(:evaluations AS bigint)),
                seconds = kept.seconds + excluded.seconds
            RETURNING user_id
        )
        INSERT INTO quotas.month AS kept (project_id, user_id, month, evaluations, seconds)
        SELECT use.project_id, paid.user_id, use.month, greatest(0, use.evaluations), use.seconds FROM use, paid
        ON CONFLICT (project_id, user_id, month) DO UPDATE
        SET evaluations = greatest(0, kept.evaluations + CAST(:evaluations AS bigint)),
            seconds = kept.seconds + excluded.seconds
        """
    )
)
"""Count evaluations and seconds in this month of a project and its payer.

Evaluations below 0 are given back, as far as the month has them. Seconds since `leased_at` are added, unless it is null.
The payer is `user_id` if it is given: the one whose row the transaction has locked.
"""
_Id = UUID(as_uuid=False)
_payer = sa.table("payer", sa.column("project_id", _Id), sa.column("user_id", _Id), schema="projects")
_tier = sa.table("user_tier", sa.column("user_id", _Id), sa.column("tier", sa.Text), schema="identity")
# One month for a whole transaction: what is checked in a month is counted in it.
_month = sa.func.to_char(sa.func.transaction_timestamp(), sa.literal_column("'YYYY-MM'"))
_seconds_left = sa.cast(
    sa.func.extract(
        "epoch",
        sa.func.date_trunc(sa.literal_column("'month'"), sa.func.transaction_timestamp())
        + sa.literal_column("interval '1 month'")
        - sa.func.transaction_timestamp(),
    ),
    sa.Float,
).label("seconds_left")


def _account(of: sa.FromClause) -> sa.Select[Any]:
    """Build the use of the user of `of` with the user's tier, as the fields of `MonthAccount`."""
    tier = sa.select(_tier.c.tier).where(_tier.c.user_id == of.c.user_id).scalar_subquery().label("tier")
    return sa.select(of.c.user_id, of.c.month, of.c.evaluations, of.c.seconds, tier, _seconds_left)


def _locked(payer: sa.Select[Any]) -> sa.CTE:
    """Build a CTE with the row of this month, locked, of the user that `payer` selects."""
    new = insert(user_month_account).from_select(
        ["user_id", "month", "evaluations", "seconds"],
        payer.add_columns(_month, sa.literal_column("0"), sa.literal_column("0")),
    )
    kept = new.on_conflict_do_update(
        index_elements=[user_month_account.c.user_id, user_month_account.c.month],
        set_={"seconds": user_month_account.c.seconds},
    )
    return kept.returning(*user_month_account.c).cte("locked_month")


def locked_for(added: sa.CTE, locked_before: sa.CTE) -> sa.Subquery:
    """Return the locked month of who pays for a row inserted by the same statement, saving a round trip.

    Its columns are the fields of `MonthAccount`. Without an inserted row, nothing is locked.

    Args:
        added: CTE with the inserted row, which has a `project_id`.
        locked_before: CTE with one row whose lock comes before this one, so that all lock in one order.
    """
    payer = (
        sa.select(_payer.c.user_id)
        .select_from(added.join(locked_before, sa.true()))
        .join(_payer, _payer.c.project_id == added.c.project_id)
    )
    return _account(_locked(payer)).subquery("account")


_project = _payer.c.project_id == sa.bindparam("project_id", type_=_Id)
LOCK = Statement(_account(_locked(sa.select(_payer.c.user_id).where(_project))))
STANDING = Statement(
    _account(
        sa.select(
            _payer.c.user_id,
            _month.label("month"),
            sa.func.coalesce(user_month_account.c.evaluations, 0).label("evaluations"),
            sa.func.coalesce(user_month_account.c.seconds, 0.0).label("seconds"),
        )
        .outerjoin_from(
            _payer,
            user_month_account,
            sa.and_(user_month_account.c.user_id == _payer.c.user_id, user_month_account.c.month == _month),
        )
        .where(_project)
        .subquery("use")
    )
)


@dataclass(frozen=True, slots=True)
class MonthAccount:
    """The use of a user who pays for a project, in this month."""

    user_id: str
    """Id of the user."""
    month: str
    """Year and month in UTC, as `2026-11`."""
    evaluations: int
    """Evaluations and checks of versions."""
    seconds: float
    """Compute seconds."""
    tier: str | None
    """Name of the user's tier."""
    seconds_left: float
    """Seconds until the next month."""

    def refusal(self, name: str, tier: Tier, more: int) -> DomainError | None:
        """Return QUOTA_EXCEEDED if the tier has fewer than `more` evaluations left, or no compute second; else None."""
        if tier.evaluations is not None and self.evaluations + more > tier.evaluations:
            return self._refusal("evaluations", name, tier.evaluations, self.evaluations, more)
        if tier.compute_seconds is not None and self.seconds >= tier.compute_seconds:
            return self._refusal("compute seconds", name, tier.compute_seconds, math.floor(self.seconds), 0)
        return None

    def _refusal(self, quota: str, tier: str, limit: int, used: int, more: int) -> DomainError:
        year, month = divmod(int(self.month[:4]) * 12 + int(self.month[5:]), 12)  # the month after, from 0
        renews_on = f"{year:04}-{month + 1:02}-01"
        needed = f", and this needs {more:,}" if more > 1 else ""
        return DomainError(
            "QUOTA_EXCEEDED",
            f"The user who pays for this project has used {used:,} of the {limit:,} {quota} of {self.month} (tier {tier})"
            f"{needed}. The count begins again on {renews_on} at 00:00 UTC; until then an Admin can give another tier.",
            details={
                "quota": quota.replace(" ", "_"),
                "tier": tier,
                "limit": limit,
                "used": used,
                "renews_at": f"{renews_on}T00:00:00.000000Z",
            },
            retry_after=self.seconds_left,
        )
