"""Calls of the data services inside one transaction, by the names of their methods."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import grpc
from google.rpc import error_details_pb2

from catenary_core.call.errors import CallError
from catenary_core.database.transactions import Transaction
from catenary_core.server.dispatch import Dispatch, Metadata
from catenary_core.services.parameter.imports.columns import NAMED
from catenary_core.services.parameter.imports.faults import Faults, Row

PAGE = 1000
"""Rows of one page of a list."""
BATCH = 500
"""Rows of one call: few enough that a refused call is soon sent again without its faulty rows."""
_TIMEOUT = 300.0
_PLACE = re.compile(r"\w+\[(\d+)\]\.?(.*)")
_LAST_NAME = re.compile(r"(\w+)(?:\[\d+\])?$")


_OURS = (grpc.StatusCode.INTERNAL, grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)
"""Failures that have nothing to do with the content of the request."""


class RefusedError(ValueError):
    """A service refuses a request."""

    def __init__(self, problems: Sequence[tuple[str, str]], error: CallError) -> None:
        """Keep the refusal, and its problems: each has the JSON path of its field and a sentence."""
        super().__init__("; ".join(text for _, text in problems))
        self.problems = problems
        self.error = error

    @property
    def is_of_rights(self) -> bool:
        """True if the caller lacks a right, whatever the request says."""
        return self.error.code() == grpc.StatusCode.PERMISSION_DENIED


class FailedError(ValueError):
    """A service failed for a reason other than the content of the request."""

    def __init__(self, error: CallError) -> None:
        """Keep the failure."""
        super().__init__(error.details())
        self.error = error


@dataclass(frozen=True, slots=True)
class Item:
    """A row as an item of a call."""

    row: Row
    fields: Mapping[str, Any]
    """The item's fields in the request."""
    makes: str = ""
    """Id of the row that the item creates; empty if it creates none."""
    needs: frozenset[str] = field(default_factory=frozenset)
    """Ids of the rows that must exist before."""


class Calls:
    """The calls of one caller in the transaction `tx`; `faults` collects the refusals of a file's rows."""

    def __init__(
        self, dispatch: Dispatch, tx: Transaction, faults: Faults, metadata: Metadata = MappingProxyType({})
    ) -> None:
        """Set the calls up; `metadata` goes with each of them."""
        self._dispatch = dispatch
        self._metadata = metadata
        self.tx = tx
        self._paths = {path.split(".")[1] + path.rpartition("/")[2]: path for path in dispatch.bindings}
        self.faults = faults
        self._lost: set[str] = set()

    async def call(self, service: str, method: str, **fields: Any) -> dict[str, Any]:
        """Call a method, such as `parameter` and `CreateAssets`; return its response.

        Raises:
            RefusedError: The service refuses the request.
            FailedError: The service failed.
        """
        path = self._paths[service + method]
        request = self._dispatch.bindings[path].request(**fields)
        try:
            return (await self._dispatch.call(path, request, self._metadata, _TIMEOUT)).body
        except CallError as error:
            raise _refused(error) from None

    async def all(self, service: str, method: str, **fields: Any) -> list[dict[str, Any]]:
        """Return every active row of a list that comes in pages.

        Raises:
            RefusedError: The service refuses the request.
            FailedError: The service failed.
        """
        found: list[dict[str, Any]] = []
        start: dict[str, str] = {}
        while True:
            page = await self.call(service, method, page_limit=PAGE, **fields, **start)
            found += next(iter(page.values()))
            if page["paging"]["next"] is None:
                return found
            start = {"after": page["paging"]["next"]}

    async def streamed(self, service: str, method: str, **fields: Any) -> list[dict[str, Any]]:
        """Return every active row of a list that comes as a stream.

        Raises:
            RefusedError: The service refuses the request.
            FailedError: The service failed.
        """
        path = self._paths[service + method]
        request = self._dispatch.bindings[path].request(**fields)
        try:
            stream = await self._dispatch.open(path, request, self._metadata, _TIMEOUT)
            parts = [part async for part in stream.items]
        except CallError as error:
            raise _refused(error) from None
        return [row for part in parts for row in next(iter(part.values()))]

    async def converted(self, value: float, from_unit_id: str, to_unit_id: str) -> float | None:
        """Convert a value to another unit; return None for units without a conversion."""
        try:
            answer = await self.call(
                "parameter", "ConvertUnits", value=value, from_unit_id=from_unit_id, to_unit_id=to_unit_id
            )
        except RefusedError:
            return None
        return float(answer["value"])

    async def send(
        self, method: str, items_field: str, items: Sequence[Item], service: str = "parameter"
    ) -> list[tuple[Item, dict[str, Any]]]:
        """Send the items in one call; return each accepted item with its response.

        A refused item becomes a fault of its row. The rest is sent again without the item and its dependents, so that
        all faults are found.
        """
        waiting = self._wanted(items)
        while waiting:
            try:
                answer = await self.call(service, method, **{items_field: [item.fields for item in waiting]})
            except RefusedError as refusal:
                wrong = _by_item(refusal, len(waiting))
                if not wrong:
                    # No item is named: send halves, down to a single item, to find the faulty one.
                    middle = len(waiting) // 2
                    first = await self.send(method, items_field, waiting[:middle], service)
                    return first + await self.send(method, items_field, waiting[middle:], service)
                for index, name, message in wrong:
                    item = waiting[index]
                    self.mark_missing(item.makes)
                    self.faults.of(item.row, _column(name, item.row), message, denied=refusal.is_of_rights)
                waiting = self._wanted([item for item in waiting if not self.faults.has(item.row)])
            else:
                return list(zip(waiting, next(iter(answer.values())), strict=True))
        return []

    def mark_missing(self, id_: str) -> None:
        """Record that the row of this id will not be made: its dependents are left out without a fault of their own."""
        if id_:
            self._lost.add(id_)

    def _wanted(self, items: Sequence[Item]) -> list[Item]:
        wanted = []
        for item in items:
            if item.needs & self._lost:
                self.mark_missing(item.makes)
            else:
                wanted.append(item)
        return wanted


def _refused(error: CallError) -> RefusedError | FailedError:
    """Return the problems of a refusal, or a FailedError; a problem without a field has the path ''."""
    if error.code() in _OURS:
        return FailedError(error)
    problems: list[tuple[str, str]] = []
    parameter = ""
    for detail in error.status.details:
        info, bad = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
        if detail.Unpack(bad):
            problems = [(violation.field, violation.description) for violation in bad.field_violations]
        elif detail.Unpack(info):
            parameter = info.metadata.get("parameter", "").strip('"')
    return RefusedError(problems or [(parameter, error.details())], error)


def _by_item(refusal: RefusedError, items: int) -> list[tuple[int, str, str]]:
    """Return the problems of a refusal as index of the item, field name and sentence.

    The sentence names the field instead of its path. A problem without an index belongs to a single item; with several
    items the result is then empty.
    """
    found = []
    for path, message in refusal.problems:
        place = _PLACE.fullmatch(path)
        if place is None and items > 1:
            return []
        last = _LAST_NAME.search(path if place is None else place[2])
        name = last[1] if last else ""
        sentence = message.removeprefix(f"{path}: ")
        if sentence != message:
            sentence = sentence[0].upper() + sentence[1:]
        sentence = sentence.replace(path, name) if path else sentence
        found.append((int(place[1]) if place else 0, name, sentence))
    return found


def _column(field_name: str, row: Row) -> str:
    """Return the column that gave a field: `unit` for `unit_id` if the row has `unit`."""
    by_name = NAMED.get(field_name, field_name)
    return by_name if by_name in row.cells else field_name
