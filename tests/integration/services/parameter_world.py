"""The rows that parameters need, made through the services: a project, a source, types, units and assets."""

from __future__ import annotations

from typing import Any

from catenary.parameter.v1 import parameter_type_pb2
from catenary_core.frame import Frame
from catenary_core.services.qa import catalogue as record_types
from factories.services.calls import Caller
from integration.services.data_world import World, world_of

NUMBER = parameter_type_pb2.DATA_TYPE_NUMBER


class ParameterWorld:
    """Short makers on top of the data services, as ann (any user) and ada (Admin)."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.db = world.db
        self.ann = world.as_("ann", "parameter")
        self.bob = world.as_("bob", "parameter")
        self.ada = world.as_("ada", "parameter")
        self._made = 0

    def name(self, stem: str) -> str:
        """Return a name that no other row has."""
        self._made += 1
        return f"{stem} {self._made}"

    async def project(self, **fields: Any) -> str:
        """Create a project of ann's; return its id."""
        caller = self.world.as_("ann", "environment")
        made = await caller.call("CreateProject", project_number=self.name("P"), **fields)
        return str(made["project"]["project_id"])

    async def source(self, title: str = "Survey") -> dict[str, Any]:
        """Create a source of a new type."""
        ada = self.world.as_("ada", "reference")
        kind = (await ada.call("CreateSourceType", name=self.name("Kind")))["source_type"]
        made = await ada.call(
            "CreateSource", title=title, source_type_id=kind["id"], reference="DOC-1", date_year="2026"
        )
        return dict(made["source"])

    async def one(self, method: str, items: str, caller: Caller | None = None, **item: Any) -> dict[str, Any]:
        """Create one row by a method that makes several, as Admin unless a caller is given."""
        fields = {key: item.pop(key) for key in ("asset_type_id",) if method == "CreateAssetSubTypes"}
        return dict((await (caller or self.ada).call(method, **fields, **{items: [item]}))[items][0])

    async def unit_type(self) -> dict[str, Any]:
        """Create a unit type."""
        return await self.one("CreateUnitTypes", "unit_types", name=self.name("Length"))

    async def unit_system(self) -> dict[str, Any]:
        """Create a unit system."""
        return await self.one("CreateUnitSystems", "unit_systems", name=self.name("System"))

    async def unit(self, unit_type_id: str, symbol: str = "m") -> dict[str, Any]:
        """Create a unit of a new system."""
        system = await self.unit_system()
        fields = {"symbol": symbol, "unit_type_id": unit_type_id, "unit_system_id": system["id"]}
        return await self.one("CreateUnits", "units", **fields)

    async def parameter_type(self, data_type: int = NUMBER, **fields: Any) -> dict[str, Any]:
        """Create a parameter type, without a unit unless `fields` name one."""
        fields = {"name": self.name("Quantity"), "data_type": data_type, **fields}
        return await self.one("CreateParameterTypes", "parameter_types", **fields)

    async def asset_type(self, **fields: Any) -> dict[str, Any]:
        """Create an asset type in a new group."""
        group = await self.one("CreateAssetTypeGroups", "asset_type_groups", name=self.name("Group"))
        fields = {"name": self.name("Type"), "asset_type_group_id": group["id"], **fields}
        return await self.one("CreateAssetTypes", "asset_types", **fields)

    async def sub_type(self, asset_type_id: str, name: str, **fields: Any) -> dict[str, Any]:
        """Create a sub type."""
        fields = {"asset_type_id": asset_type_id, "name": name, **fields}
        return await self.one("CreateAssetSubTypes", "asset_sub_types", **fields)

    async def asset(self, project_id: str, asset_type_id: str, name: str = "Tower", **fields: Any) -> dict[str, Any]:
        """Create an asset of ann's."""
        fields = {"project_id": project_id, "asset_type_id": asset_type_id, "name": name, **fields}
        return await self.one("CreateAssets", "assets", self.ann, **fields)

    async def parameter(self, project_id: str, parameter_type_id: str, **fields: Any) -> dict[str, Any]:
        """Create a parameter of ann's."""
        fields = {"project_id": project_id, "parameter_type_id": parameter_type_id, **fields}
        return await self.one("CreateParameters", "parameters", self.ann, **fields)

    async def put(self, entry: dict[str, Any], caller: Caller | None = None) -> dict[str, Any]:
        """One entry, put."""
        return dict((await (caller or self.ann).call("PutEntries", entries=[entry]))["entries"][0])


async def parameter_world_of(frame: Frame) -> ParameterWorld:
    """Make a world of parameters on the frame's database, which has the record types of reviews."""
    async with frame.db.transaction() as tx:
        await record_types.load_at_first_start(tx)
    return ParameterWorld(await world_of(frame))


def number(value: int | float, unit_id: str | None = None) -> dict[str, Any]:
    """Return a value as requests have it."""
    kind = "integer_value" if isinstance(value, int) else "double_value"
    return {"value": {kind: value}, **({} if unit_id is None else {"unit_id": unit_id})}


async def check_refusals(caller: Caller, refused: list[tuple[str, dict[str, Any], str]]) -> None:
    """Check that each (method, request, field) is a VALIDATION_ERROR that names the field.

    One database serves for all this bad input.
    """
    for method, fields, field in refused:
        refusal = await caller.refused(method, **fields)
        assert (refusal.reason, refusal.details["parameter"]) == ("VALIDATION_ERROR", field), (method, fields, refusal)
