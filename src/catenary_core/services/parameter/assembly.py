"""The parts that the parameter service adds to a core."""

from __future__ import annotations

from catenary_core.frame import Assembly, CoreParts, Frame
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
from catenary_core.services.parameter.units import catalogue
from catenary_core.services.parameter.units.servicer import UnitServicer, UnitSystemServicer, UnitTypeServicer


def assemble(frame: Frame, parts: CoreParts) -> None:
    """Add the service's parts; its servicers share one cache of types and units."""
    known = KnownTypes()
    parts.servicers |= {
        "catenary.parameter.v1.AssetService": AssetServicer(frame, known),
        "catenary.parameter.v1.AssetSubTypeService": AssetSubTypeServicer(frame),
        "catenary.parameter.v1.AssetTypeGroupService": AssetTypeGroupServicer(frame),
        "catenary.parameter.v1.AssetTypeService": AssetTypeServicer(frame),
        "catenary.parameter.v1.EntryService": EntryServicer(frame, known, parts.record_reviews),
        "catenary.parameter.v1.ItemTypeService": ItemTypeServicer(frame),
        "catenary.parameter.v1.OlderService": OlderParameterServicer(frame),
        "catenary.parameter.v1.ParameterService": ParameterServicer(frame, known),
        "catenary.parameter.v1.ParameterSetService": ParameterSetServicer(frame, known),
        "catenary.parameter.v1.ParameterTypeService": ParameterTypeServicer(frame),
        "catenary.parameter.v1.UnitService": UnitServicer(frame),
        "catenary.parameter.v1.UnitSystemService": UnitSystemServicer(frame),
        "catenary.parameter.v1.UnitTypeService": UnitTypeServicer(frame),
    }


ASSEMBLY = Assembly(assemble=assemble, catalogues=(catalogue,))
