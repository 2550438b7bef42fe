"""Locks of objects that aren't one row, held until the transaction ends."""

from __future__ import annotations

from collections.abc import Iterable

from catenary_core.database.transactions import Transaction
from catenary_core.services.parameter.assets import queries


async def hold_tree(tx: Transaction, name: str) -> None:
    """Lock a tree of types against other changes, so that two changes can't form a cycle."""
    await tx.all(queries.HOLD_ALONE, names=[f"parameter.tree.{name}"])


async def hold_assets(tx: Transaction, project_ids: Iterable[str], *, alone: bool) -> None:
    """Lock the asset trees of projects.

    Writers that refer to assets take the lock shared, so that the assets stay active; writers that move or delete
    assets take it `alone`.
    """
    names = [f"parameter.assets.{project_id}" for project_id in sorted(set(project_ids))]
    await tx.all(queries.HOLD_ALONE if alone else queries.HOLD_SHARED, names=names)
