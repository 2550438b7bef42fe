"""Locks of things that aren't one row, held until the end of the transaction."""

from __future__ import annotations

from collections.abc import Iterable

import sqlalchemy as sa

from catenary_core.db import Statement, Transaction

_names = sa.func.unnest(sa.bindparam("names", type_=sa.ARRAY(sa.Text))).column_valued("name")
_key = sa.func.hashtextextended(_names, 0)
# Rows of an unnest come in the array's order, so that locks are taken in the order of the names.
_ALONE = Statement(sa.select(sa.func.pg_advisory_xact_lock(_key)))
_SHARED = Statement(sa.select(sa.func.pg_advisory_xact_lock_shared(_key)))


async def hold_tree(tx: Transaction, name: str) -> None:
    """Waits for other changes of a tree of types, so that no two of them make a circle."""
    await tx.all(_ALONE, names=[f"parameter.tree.{name}"])


async def hold_assets(tx: Transaction, project_ids: Iterable[str], *, alone: bool) -> None:
    """Keeps the asset trees of projects as they are.

    What refers to assets holds them shared, so that they stay active; what moves or deletes assets holds them alone.
    """
    names = [f"parameter.assets.{project_id}" for project_id in sorted(set(project_ids))]
    await tx.all(_ALONE if alone else _SHARED, names=names)
