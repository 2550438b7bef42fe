"""The servicers of the parameter service."""

from __future__ import annotations

from catenary_core.frame import Frame
from catenary_core.services.parameter.assets.servicer import AssetServicer
from catenary_core.services.parameter.entries.servicer import EntryServicer
from catenary_core.services.parameter.older_servicer import OlderParameterServicer
from catenary_core.services.parameter.parameters.servicer import ParameterServicer
from catenary_core.services.parameter.sets.servicer import ParameterSetServicer
from catenary_core.services.parameter.types.asset_type_servicer import (
    AssetSubTypeServicer,
    AssetTypeGroupServicer,
    AssetTypeServicer,
)
from catenary_core.services.parameter.types.known_types import KnownTypes
from catenary_core.services.parameter.types.parameter_type_servicer import ItemTypeServicer, ParameterTypeServicer
from catenary_core.services.parameter.units.servicer import UnitServicer, UnitSystemServicer, UnitTypeServicer


def servicers(frame: Frame) -> dict[str, object]:
    """Return the servicers by the full name of their proto service; they share one cache of types and units."""
    known = KnownTypes()
    return {
        f"catenary.parameter.v1.{name}": servicer
        for name, servicer in {
            "AssetService": AssetServicer(frame, known),
            "AssetSubTypeService": AssetSubTypeServicer(frame),
            "AssetTypeGroupService": AssetTypeGroupServicer(frame),
            "AssetTypeService": AssetTypeServicer(frame),
            "EntryService": EntryServicer(frame, known),
            "ItemTypeService": ItemTypeServicer(frame),
            "OlderService": OlderParameterServicer(frame),
            "ParameterService": ParameterServicer(frame, known),
            "ParameterSetService": ParameterSetServicer(frame, known),
            "ParameterTypeService": ParameterTypeServicer(frame),
            "UnitService": UnitServicer(frame),
            "UnitSystemService": UnitSystemServicer(frame),
            "UnitTypeService": UnitTypeServicer(frame),
        }.items()
    }
