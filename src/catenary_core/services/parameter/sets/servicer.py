"""ParameterSetService: parameter sets, their types and categories (alpha)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

import uuid_utils

from catenary.parameter.v1 import parameter_set_service_pb2 as pb2
from catenary.parameter.v1 import parameter_set_service_shapes as shapes
from catenary.parameter.v1.parameter_set_shapes import ParameterSet, ParameterSetParameter, ParameterSetType
from catenary_core.access import rights
from catenary_core.access.visibility import viewer
from catenary_core.call.call import Call
from catenary_core.call.errors import DomainError, conflict, not_found
from catenary_core.call.item_faults import ItemFaults
from catenary_core.database.statements import Row
from catenary_core.database.transactions import Transaction
from catenary_core.frame import Frame
from catenary_core.resources import pages
from catenary_core.resources.resource import unknown
from catenary_core.services.parameter import filters, locks, messages
from catenary_core.services.parameter.parameters import queries as parameter_queries
from catenary_core.services.parameter.sets import queries
from catenary_core.services.parameter.types import queries as type_queries
from catenary_core.services.parameter.types.known_types import KnownTypes
from catenary_wire.sentences import ResourceName


class ParameterSetServicer:
    """`catenary.parameter.v1.ParameterSetService`."""

    def __init__(self, frame: Frame, known: KnownTypes) -> None:
        self._db = frame.db
        self._known = known

    async def list_parameter_set_categories(
        self, request: pb2.ListParameterSetCategoriesRequest, call: Call
    ) -> AsyncIterator[shapes.ListParameterSetCategoriesResponse]:
        """List all categories."""
        return await pages.parts(self._db, queries.CATEGORIES, request, {})

    async def create_parameter_set_category(
        self, request: pb2.CreateParameterSetCategoryRequest, call: Call
    ) -> shapes.CreateParameterSetCategoryResponse:
        """Create a category."""
        async with self._db.transaction() as tx:
            (made,) = await queries.CATEGORY.create(tx, call, [{"name": request.name}])
        return {"parameter_set_category": made}

    async def delete_parameter_set_category(
        self, request: pb2.DeleteParameterSetCategoryRequest, call: Call
    ) -> shapes.DeleteParameterSetCategoryResponse:
        """Delete a category."""
        async with self._db.transaction() as tx:
            deleted = await queries.CATEGORY.delete(tx, call, request.parameter_set_category_id)
        return {"parameter_set_category": deleted}

    async def list_parameter_set_types(
        self, request: pb2.ListParameterSetTypesRequest, call: Call
    ) -> AsyncIterator[shapes.ListParameterSetTypesResponse]:
        """List all parameter set types."""
        return await pages.parts(self._db, queries.TYPES, request, {})

    async def create_parameter_set_type(
        self, request: pb2.CreateParameterSetTypeRequest, call: Call
    ) -> shapes.CreateParameterSetTypeResponse:
        """Create a parameter set type."""
        category_id, id_ = request.parameter_set_category_id, str(uuid_utils.uuid7())
        async with self._db.transaction() as tx:
            faults = ItemFaults()
            with faults.of(0):
                if category_id not in await queries.CATEGORY.active(tx, [category_id]):
                    raise unknown("parameter_set_category_id", category_id, "parameter set category")
            await _check_items(tx, request.item_type_ids, faults)
            await tx.execute(
                queries.ADD_TYPE,
                id=id_,
                name=request.name,
                parameter_set_category_id=category_id,
                item_type_ids=list(request.item_type_ids),
            )
            (made,) = await queries.TYPE.read(tx, [id_])
            await queries.TYPE.write_events(tx, call, "created", [made])
        return {"parameter_set_type": made}

    async def delete_parameter_set_type(
        self, request: pb2.DeleteParameterSetTypeRequest, call: Call
    ) -> shapes.DeleteParameterSetTypeResponse:
        """Delete a parameter set type."""
        async with self._db.transaction() as tx:
            return {"parameter_set_type": await queries.TYPE.delete(tx, call, request.parameter_set_type_id)}

    async def create_parameter_set_type_items(
        self, request: pb2.CreateParameterSetTypeItemsRequest, call: Call
    ) -> shapes.CreateParameterSetTypeItemsResponse:
        """Add items to a parameter set type."""
        async with self._db.transaction() as tx:
            faults = ItemFaults()
            await _check_items(tx, request.item_type_ids, faults)
            held = await queries.TYPE.lock(tx, request.parameter_set_type_id)
            for index, item_type_id in enumerate(request.item_type_ids):
                with faults.of(index):
                    if item_type_id in held["item_type_ids"]:
                        raise _has_item(f"item_type_ids[{index}]", item_type_id)
            faults.refuse()
            changed = await _set_items(tx, call, held["id"], [*held["item_type_ids"], *request.item_type_ids])
        return {"parameter_set_type": changed}

    async def delete_parameter_set_type_item(
        self, request: pb2.DeleteParameterSetTypeItemRequest, call: Call
    ) -> shapes.DeleteParameterSetTypeItemResponse:
        """Remove an item from a parameter set type."""
        async with self._db.transaction() as tx:
            held = await queries.TYPE.lock_target(tx, call, request.parameter_set_type_id)
            if request.item_type_id not in held["item_type_ids"]:
                raise not_found("item of the parameter set type")
            left = [id_ for id_ in held["item_type_ids"] if id_ != request.item_type_id]
            changed = await _set_items(tx, call, held["id"], left)
        return {"parameter_set_type": changed}

    async def list_parameter_sets(
        self, request: pb2.ListParameterSetsRequest, call: Call
    ) -> AsyncIterator[shapes.ListParameterSetsResponse]:
        """List the parameter sets that the caller may see, all of them or those of given types."""
        given = filters.given(queries.SETS, request, ("parameter_set_type_id",))
        return await pages.parts(self._db, queries.SETS, request, given, **viewer(call))

    async def create_parameter_set(
        self, request: pb2.CreateParameterSetRequest, call: Call
    ) -> shapes.CreateParameterSetResponse:
        """Create a parameter set."""
        names = ("name", "parameter_set_type_id", "project_id", "asset_id")
        item = {name: getattr(request, name) for name in names}
        async with self._db.transaction() as tx:
            if not await rights.writable_projects(tx, call, {item["project_id"]: rights.CONTENT}):
                raise unknown("project_id", item["project_id"], "project")
            if item["parameter_set_type_id"] not in await queries.TYPE.active(tx, [item["parameter_set_type_id"]]):
                raise unknown("parameter_set_type_id", item["parameter_set_type_id"], "parameter set type")
            await locks.hold_assets(tx, [item["project_id"]], alone=False)
            assets = await tx.all(parameter_queries.PARENT_ASSETS, ids=[item["asset_id"]])
            if [row["project_id"] for row in assets] != [item["project_id"]]:
                raise unknown("asset_id", item["asset_id"], "asset of the project")
            (made,) = await queries.SET.create(tx, call, [item], **viewer(call))
        return {"parameter_set": made}

    async def get_parameter_set(
        self, request: pb2.GetParameterSetRequest, call: Call
    ) -> shapes.GetParameterSetResponse:
        """Return one parameter set."""
        async with self._db.read() as tx:
            return {"parameter_set": await _get(tx, call, request)}

    async def delete_parameter_set(
        self, request: pb2.DeleteParameterSetRequest, call: Call
    ) -> shapes.DeleteParameterSetResponse:
        """Delete a parameter set. Its parameters stay."""
        async with self._db.transaction() as tx:
            _check_type(request, await queries.SET.lock(tx, request.parameter_set_id, **viewer(call)))
            return {"parameter_set": await queries.SET.delete(tx, call, request.parameter_set_id, **viewer(call))}

    async def list_parameter_set_parameters(
        self, request: pb2.ListParameterSetParametersRequest, call: Call
    ) -> AsyncIterator[shapes.ListParameterSetParametersResponse]:
        """List the parameters of a set."""
        set_id = request.parameter_set_id
        async with self._db.read() as tx:
            found = await _get(tx, call, request)
        context = {"parameter_set_id": set_id, "asset_id": found["asset_id"]}
        return self._elements(await pages.parts(self._db, queries.SET_PARAMETERS, request, {}, **context))

    async def _elements(self, parts: AsyncIterator[Row]) -> AsyncIterator[shapes.ListParameterSetParametersResponse]:
        async for part in parts:
            rows = part["parameter_set_parameters"]
            elements: list[ParameterSetParameter] = []
            if rows:
                async with self._db.read() as tx:
                    types = await self._known.of_version(tx, rows[0]["catalogue_version"])
                elements = [messages.parameter_set_parameter(row, types) for row in rows]
            yield {"parameter_set_parameters": elements, "paging": part["paging"], "summary": part["summary"]}


async def _get(
    tx: Transaction, call: Call, request: pb2.GetParameterSetRequest | pb2.ListParameterSetParametersRequest
) -> ParameterSet:
    found = await queries.SET.get(tx, request.parameter_set_id, show_deleted=request.show_deleted, **viewer(call))
    _check_type(request, found)
    return found


def _check_type(
    request: pb2.GetParameterSetRequest | pb2.DeleteParameterSetRequest | pb2.ListParameterSetParametersRequest,
    found: Mapping[str, Any],
) -> None:
    """Check that a set has the type that the request names, if any.

    Raises NOT_FOUND: the set has another type.
    """
    if request.HasField("parameter_set_type_id") and request.parameter_set_type_id != found["parameter_set_type_id"]:
        raise not_found("parameter set")


async def _check_items(tx: Transaction, item_type_ids: Sequence[str], faults: ItemFaults) -> None:
    """Refuse the request if `faults` has any, or an id names no active item type."""
    active = await type_queries.ITEM_TYPE.active(tx, list(item_type_ids))
    for index, item_type_id in enumerate(item_type_ids):
        with faults.of(index):
            if item_type_id not in active:
                raise unknown(f"item_type_ids[{index}]", item_type_id, "item type")
    faults.refuse()


async def _set_items(tx: Transaction, call: Call, type_id: str, item_type_ids: list[str]) -> ParameterSetType:
    await tx.execute(queries.SET_ITEMS, id=type_id, item_type_ids=item_type_ids)
    (changed,) = await queries.TYPE.read(tx, [type_id])
    await queries.TYPE.write_events(tx, call, "updated", [changed])
    return changed


def _has_item(field: str, item_type_id: str) -> DomainError:
    return conflict(
        field,
        "{field}: the {resource} has this item type already; leave it out.",
        value=item_type_id,
        resource=ResourceName("parameter set type"),
    )
