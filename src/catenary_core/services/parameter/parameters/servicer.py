"""ParameterService: the parameters of projects and assets."""

from __future__ import annotations

from catenary.parameter.v1 import parameter_service_pb2, parameter_service_shapes
from catenary.parameter.v1.parameter_shapes import Parameter
from catenary_core.access import rights
from catenary_core.access.visibility import viewer
from catenary_core.call import field_masks
from catenary_core.call.call import Call
from catenary_core.call.errors import conflict, not_found
from catenary_core.call.item_faults import ItemFaults
from catenary_core.database.statements import Row
from catenary_core.database.transactions import Transaction
from catenary_core.frame import Frame
from catenary_core.resources import pages
from catenary_core.resources.resource import unknown
from catenary_core.services.parameter import filters, locks, messages
from catenary_core.services.parameter.assets import deletion
from catenary_core.services.parameter.parameters import creation, queries
from catenary_core.services.parameter.types.known_types import KnownTypes
from catenary_wire.json_form import enum_names

_QA_STATUS = parameter_service_pb2.QaStatus.DESCRIPTOR
_FILTERS = (
    "parameter_id",
    "project_id",
    "asset_id",
    "asset_type_id",
    "parameter_type_id",
    "source_id",
    "source_type_id",
    "unit_id",
    "tag_id",
    "category_id",
    "report_id",
    "discipline_id",
)


class ParameterServicer:
    """`catenary.parameter.v1.ParameterService`."""

    def __init__(self, frame: Frame, known: KnownTypes) -> None:
        self._db = frame.db
        self._known = known

    async def list_parameters(
        self, request: parameter_service_pb2.ListParametersRequest, call: Call
    ) -> parameter_service_shapes.ListParametersResponse:
        """List a page of the visible parameters that every given filter matches."""
        given = filters.given(queries.PARAMETERS, request, _FILTERS)
        if request.qa_status:
            states = {str(enum_names(_QA_STATUS).get(status)) for status in request.qa_status}
            given[queries.state_filter(states)] = {}
        if request.HasField("project_parameter"):
            given[queries.project_wide_filter(wide=request.project_parameter)] = {}
        page = await pages.page(self._db, queries.PARAMETERS, request, given, **viewer(call))
        return {
            "parameters": await self._messages(page["parameters"]),
            "paging": page["paging"],
            "summary": page["summary"],
        }

    async def create_parameters(
        self, request: parameter_service_pb2.CreateParametersRequest, call: Call
    ) -> parameter_service_shapes.CreateParametersResponse:
        """Create parameters, and give values to them or to existing ones."""
        async with self._db.transaction() as tx:
            made = await creation.make(tx, call, self._known, request)
        return {"parameters": made}

    async def get_parameter(
        self, request: parameter_service_pb2.GetParameterRequest, call: Call
    ) -> parameter_service_shapes.GetParameterResponse:
        """Return one parameter."""
        async with self._db.read() as tx:
            row = await tx.one_or_none(queries.GET, id=request.parameter_id, **viewer(call))
            if row is None or (row["deleted_at"] is not None and not request.show_deleted):
                raise not_found("parameter")
            types = await self._known.of_version(tx, row["catalogue_version"])
        return {"parameter": messages.parameter(row, types)}

    async def update_parameter(
        self, request: parameter_service_pb2.UpdateParameterRequest, call: Call
    ) -> parameter_service_shapes.UpdateParameterResponse:
        """Change a parameter's parents."""
        changed = "parent_ids" in field_masks.changed_fields(request)
        async with self._db.transaction() as tx:
            row = await tx.one_or_none(queries.GET, id=request.parameter_id, **viewer(call))
            if row is None or row["deleted_at"] is not None:
                raise not_found("parameter")
            if changed:
                await self._move(tx, call, row, list(request.parent_ids))
            else:
                await deletion.hold_parameter(tx, call, self._known, request.parameter_id)
            (row,) = await tx.all(queries.READ, ids=[request.parameter_id])
            types = await self._known.of_version(tx, row["catalogue_version"])
            parameter = messages.parameter(row, types)
            if changed:
                await deletion.note_parameters(tx, call, "updated", [parameter])
        return {"parameter": parameter}

    async def delete_parameter(
        self, request: parameter_service_pb2.DeleteParameterRequest, call: Call
    ) -> parameter_service_shapes.DeleteParameterResponse:
        """Delete a parameter and its entry."""
        async with self._db.transaction() as tx:
            return {"parameter": await deletion.delete_parameter(tx, call, self._known, request.parameter_id)}

    async def _move(self, tx: Transaction, call: Call, row: Row, parent_ids: list[str]) -> None:
        project_id = row["project_id"]
        # Before the lock, so that nobody without the right can make the project's writers wait.
        await rights.writable_projects(tx, call, {project_id: rights.CONTENT})
        # Exclusive, so that no other parameter gets the same set of parents between the check and the change.
        await locks.hold_assets(tx, [project_id], alone=True)
        await deletion.hold_parameter(tx, call, self._known, row["id"])
        assets = await tx.all(queries.PARENT_ASSETS, ids=parent_ids)
        known = {asset["id"] for asset in assets if asset["project_id"] == project_id}
        faults = ItemFaults()
        for index, parent_id in enumerate(parent_ids):
            with faults.of(index):
                if parent_id not in known:
                    raise unknown(f"parent_ids[{index}]", parent_id, "asset of the project")
        faults.refuse()
        key = {
            "project_ids": [project_id],
            "type_ids": [row["parameter_type_id"]],
            "parent_ids": [",".join(sorted(parent_ids))],
        }
        other = await tx.one_or_none(queries.ADDRESSED, **key)
        if other is not None and other["id"] != row["id"]:
            raise conflict(
                "parent_ids",
                "{field}: an active parameter of this project and type has this set of parents; give another set.",
                value=parent_ids,
            )
        await tx.execute(queries.MOVE, id=row["id"], parent_ids=sorted(parent_ids))

    async def _messages(self, rows: list[Row]) -> list[Parameter]:
        if not rows:
            return []
        async with self._db.read() as tx:
            types = await self._known.of_version(tx, rows[0]["catalogue_version"])
        return [messages.parameter(row, types) for row in rows]
