"""Locks of things that aren't one row, held until the end of the transaction."""

from __future__ import annotations

from collections.abc import Iterable

from catenary_core.database.transactions import Transaction
from catenary_core.services.parameter.assets import queries


async def hold_tree(tx: Transaction, name: str) -> None:
    """Waits for other changes of a tree of types, so that no two of them make a circle."""
    await tx.all(queries.HOLD_ALONE, names=[f"parameter.tree.{name}"])


async def hold_assets(tx: Transaction, project_ids: Iterable[str], *, alone: bool) -> None:
    """Keeps the asset trees of projects as they are.

    What refers to assets holds them shared, so that they stay active; what moves or deletes assets holds them alone.
    """
    names = [f"parameter.assets.{project_id}" for project_id in sorted(set(project_ids))]
    await tx.all(queries.HOLD_ALONE if alone else queries.HOLD_SHARED, names=names)
