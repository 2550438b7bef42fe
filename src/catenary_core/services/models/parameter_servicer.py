"""ParameterService: the parameters of a project's deployed version, and how the project narrows them."""

from __future__ import annotations

from typing import Any, cast

from catenary.platform.v1 import model_service_pb2, model_service_shapes
from catenary.platform.v1.model_shapes import ModelParameter
from catenary_core.call import field_masks, json_text, preconditions
from catenary_core.call.call import Call
from catenary_core.call.errors import invalid, not_found
from catenary_core.call.resource_paths import resource_path
from catenary_core.database.statements import json_value
from catenary_core.event_log import events
from catenary_core.frame import Frame
from catenary_core.resources import platform_pages
from catenary_core.services.models import deployments, queries, rules

_PARAMETER = resource_path(model_service_pb2, "ListParameters")


class ModelParameterServicer:
    """`catenary.platform.v1.ParameterService`: the parameters of the version that a project has deployed."""

    def __init__(self, frame: Frame) -> None:
        self._db = frame.db

    async def list_parameters(
        self, request: model_service_pb2.ListParametersRequest, call: Call
    ) -> model_service_shapes.ListParametersResponse:
        """List a page of the parameters, as the project narrowed them."""
        async with self._db.read() as tx:
            row = await tx.one_or_none(queries.GET_PARAMETERS, project_id=request.project_id)
        parameters = [] if row is None else row["parameters"]
        part, cursor = platform_pages.part_of(request, [parameter["name"] for parameter in parameters])
        return {"parameters": parameters[part], "next_cursor": cursor}

    async def update_parameter(
        self, request: model_service_pb2.UpdateParameterRequest, call: Call
    ) -> model_service_shapes.UpdateParameterResponse:
        """Narrow a parameter for the project."""
        changes = _changes(request)
        async with self._db.transaction() as tx:
            await deployments.hold(tx, request.project_id)
            active = await tx.one_or_none(queries.GET_ACTIVE, project_id=request.project_id)
            declared = {} if active is None else {item["name"]: item for item in active["declared"]}
            if active is None or request.name not in declared:
                raise not_found("parameter")
            kept = await deployments.narrowings(tx, active["model_id"])
            if call.condition is not None:
                fitting = rules.fitting(declared[request.name], kept.get(request.name, {}))
                preconditions.check(call, rules.narrowed(declared[request.name], fitting))
            narrowing = _merged(declared[request.name], kept.get(request.name, {}), changes)
            parameter = rules.narrowed(declared[request.name], narrowing)
            if changes:
                await tx.execute(
                    queries.PUT_NARROWING,
                    model_id=active["model_id"],
                    name=request.name,
                    fields=json_value(narrowing),
                )
                parameters = rules.effective(active["declared"], {**kept, request.name: narrowing})
                await tx.execute(
                    queries.SET_PARAMETERS,
                    deployment_id=active["deployment_id"],
                    parameters=json_value(parameters),
                )
                await events.write(
                    tx,
                    call,
                    "project.updated",
                    subject=_PARAMETER.format(request.name, project_id=request.project_id),
                    data={"parameter": parameter},
                    project_id=request.project_id,
                )
        return {"parameter": parameter}


def _changes(request: model_service_pb2.UpdateParameterRequest) -> dict[str, Any]:
    """Return the given fields; None restores the declared value."""
    changes: dict[str, Any] = {}
    for field in sorted(field_masks.changed_fields(request)):
        value: Any = getattr(request, field)
        if not request.HasField(cast("Any", field)):
            changes[field] = None
        else:
            changes[field] = value if field == "label" else json_text.parse(value.text, field)
    return changes


def _merged(declared: ModelParameter, kept: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """Return the narrowing with the changes.

    Raises VALIDATION_ERROR: the result doesn't fit the declaration.
    """
    merged = {**rules.fitting(declared, kept), **changes}
    narrowing = {field: value for field, value in merged.items() if value is not None}
    if found := rules.fault(declared, narrowing):
        raise invalid(found.field, "{why}", value=found.value, constraint=found.constraint, why=found.message)
    return narrowing
