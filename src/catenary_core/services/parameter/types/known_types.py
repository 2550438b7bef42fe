"""The node's cache of types and units.

They seldom change and every parameter embeds them. The cache is valid while `parameter.catalogue` has its version,
which every statement that reads parameters also reads: a node never answers with a type or unit from before a change
that was committed when the request came.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from catenary.parameter.v1.asset_sub_type_shapes import AssetSubType
from catenary.parameter.v1.parameter_shapes import ParentAssetType
from catenary.parameter.v1.parameter_type_shapes import ParameterType
from catenary.parameter.v1.unit_shapes import UnitReference
from catenary_core.database.statements import Row, ShapeT, shaped
from catenary_core.database.transactions import Transaction
from catenary_core.services.parameter.types import queries


@dataclass(frozen=True, slots=True)
class TypeSnapshot:
    """The types and units of one version, also deleted ones, as messages embed them."""

    version: int
    """The version of `parameter.catalogue` that the rows have at least."""
    parameter_types: dict[str, ParameterType]
    """Parameter types by id; so are the other maps."""
    units: dict[str, UnitReference]
    active_units: frozenset[str]
    """Ids of the units that aren't deleted."""
    asset_types: dict[str, ParentAssetType]
    asset_sub_types: dict[str, AssetSubType]

    def fitting_unit(self, parameter_type: ParameterType, unit_id: str | None) -> bool:
        """Return whether a value of the parameter type may have this unit."""
        unit_type = parameter_type["unit_type"]
        if unit_type is None or unit_id is None:
            return unit_type is None and unit_id is None
        return unit_id in self.active_units and self.units[unit_id]["unit_type_id"] == unit_type["id"]


class KnownTypes:
    """The types and units as this process last read them."""

    def __init__(self) -> None:
        self._types = TypeSnapshot(0, {}, {}, frozenset(), {}, {})
        self._reading = asyncio.Lock()

    async def current(self, tx: Transaction) -> TypeSnapshot:
        """Return the current types and units."""
        return await self.of_version(tx, (await tx.one(queries.CATALOGUE_VERSION))["catalogue_version"])

    async def of_version(self, tx: Transaction, version: int) -> TypeSnapshot:
        """Return the types and units of a version that a statement has read, or newer ones."""
        if self._types.version < version:
            async with self._reading:
                if self._types.version < version:
                    self._types = await _read(tx)
        return self._types


async def _read(tx: Transaction) -> TypeSnapshot:
    # Read first: the rows may then be newer than the version, never older.
    version = (await tx.one(queries.CATALOGUE_VERSION))["catalogue_version"]
    units = await tx.all(queries.KNOWN_UNITS)
    return TypeSnapshot(
        version=version,
        active_units=frozenset(row["id"] for row in units if row.pop("active")),
        units=_by_id(UnitReference, units),
        parameter_types=_by_id(ParameterType, await tx.all(queries.KNOWN_PARAMETER_TYPES)),
        asset_types=_by_id(ParentAssetType, await tx.all(queries.KNOWN_ASSET_TYPES)),
        asset_sub_types=_by_id(AssetSubType, await tx.all(queries.KNOWN_ASSET_SUB_TYPES)),
    )


def _by_id(shape: type[ShapeT], rows: list[Row]) -> dict[str, ShapeT]:
    return {row["id"]: shaped(shape, row) for row in rows}
