"""Calls of the data services inside one transaction, by the names of their methods."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import grpc
from google.rpc import error_details_pb2

from catenary_cli.imports.columns import NAMED
from catenary_cli.imports.faults import Faults, Row
from catenary_core.call.errors import CallError
from catenary_core.database.transactions import Transaction
from catenary_core.server.dispatch import Dispatch

PAGE = 1000
BATCH = 500
"""Rows of one call: few enough that a refused one is soon sent again without the rows that are wrong."""
_TIMEOUT = 300.0
_PLACE = re.compile(r"\w+\[(\d+)\]\.?(.*)")
_LAST_NAME = re.compile(r"(\w+)(?:\[\d+\])?$")


_OURS = (grpc.StatusCode.INTERNAL, grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)
"""Failures that say nothing of what was sent."""


class RefusedError(ValueError):
    """What a service refuses: each problem with the JSON path of its field and a sentence."""

    def __init__(self, problems: Sequence[tuple[str, str]]) -> None:
        super().__init__("; ".join(text for _, text in problems))
        self.problems = problems


class FailedError(ValueError):
    """A service could not do its work, whatever it was sent."""


@dataclass(frozen=True, slots=True)
class Item:
    """A row as an item of a call: its `fields`, the id that it `makes`, if it does, and those that it `needs`."""

    row: Row
    fields: Mapping[str, Any]
    makes: str = ""
    needs: frozenset[str] = field(default_factory=frozenset)


class Calls:
    """One caller of the services in the transaction `tx`; `faults` gathers what they refuse of a file's rows."""

    def __init__(self, dispatch: Dispatch, tx: Transaction, faults: Faults) -> None:
        self._dispatch = dispatch
        self.tx = tx
        self._paths = {path.split(".")[1] + path.rpartition("/")[2]: path for path in dispatch.bindings}
        self.faults = faults
        self._lost: set[str] = set()

    async def call(self, service: str, method: str, **fields: Any) -> dict[str, Any]:
        """The answer of a method, such as `parameter` and `CreateAssets`. RefusedError, FailedError."""
        path = self._paths[service + method]
        request = self._dispatch.bindings[path].request(**fields)
        try:
            return (await self._dispatch.call(path, request, {}, _TIMEOUT)).body
        except CallError as error:
            raise _refused(error) from None

    async def all(self, service: str, method: str, **fields: Any) -> list[dict[str, Any]]:
        """Every active row of a list that comes in pages. RefusedError."""
        found: list[dict[str, Any]] = []
        start: dict[str, str] = {}
        while True:
            page = await self.call(service, method, page_limit=PAGE, **fields, **start)
            found += next(iter(page.values()))
            if page["paging"]["next"] is None:
                return found
            start = {"after": page["paging"]["next"]}

    async def streamed(self, service: str, method: str, **fields: Any) -> list[dict[str, Any]]:
        """Every active row of a list that comes as a stream. RefusedError, FailedError."""
        path = self._paths[service + method]
        request = self._dispatch.bindings[path].request(**fields)
        try:
            stream = await self._dispatch.open(path, request, {}, _TIMEOUT)
            parts = [part async for part in stream.items]
        except CallError as error:
            raise _refused(error) from None
        return [row for part in parts for row in next(iter(part.values()))]

    async def converted(self, value: float, from_unit_id: str, to_unit_id: str) -> float | None:
        """A value in another unit; None for units without a conversion."""
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
        """Sends the items in one call; each that was taken, with its answer.

        A refused item becomes a fault of its row, and the rest is sent again without it and without what needs it, so that
        all that is wrong is found.
        """
        waiting = self._wanted(items)
        while waiting:
            try:
                answer = await self.call(service, method, **{items_field: [item.fields for item in waiting]})
            except RefusedError as refusal:
                wrong = _by_item(refusal, len(waiting))
                if not wrong:
                    # It doesn't say which: halves, down to a single one, do.
                    middle = len(waiting) // 2
                    first = await self.send(method, items_field, waiting[:middle], service)
                    return first + await self.send(method, items_field, waiting[middle:], service)
                for index, name, message in wrong:
                    item = waiting[index]
                    self.lose(item.makes)
                    self.faults.of(item.row, _column(name, item.row), message)
                waiting = self._wanted([item for item in waiting if not self.faults.has(item.row)])
            else:
                return list(zip(waiting, next(iter(answer.values())), strict=True))
        return []

    def lose(self, id_: str) -> None:
        """Notes that a row of this id will not be made: what needs it is left out without a fault of its own."""
        if id_:
            self._lost.add(id_)

    def _wanted(self, items: Sequence[Item]) -> list[Item]:
        wanted = []
        for item in items:
            if item.needs & self._lost:
                self.lose(item.makes)
            else:
                wanted.append(item)
        return wanted


def _refused(error: CallError) -> RefusedError | FailedError:
    """The problems of a refusal; one without a field has the path ''."""
    if error.code() in _OURS:
        return FailedError(error.details())
    problems: list[tuple[str, str]] = []
    parameter = ""
    for detail in error.status.details:
        info, bad = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
        if detail.Unpack(bad):
            problems = [(violation.field, violation.description) for violation in bad.field_violations]
        elif detail.Unpack(info):
            parameter = info.metadata.get("parameter", "").strip('"')
    return RefusedError(problems or [(parameter, error.details())])


def _by_item(refusal: RefusedError, items: int) -> list[tuple[int, str, str]]:
    """The problems by the items that have them: index, name of the field, and the sentence, which says the name for the path.

    A single item has what names none; nothing, when there are several and a problem names none.
    """
    found = []
    for path, message in refusal.problems:
        place = _PLACE.fullmatch(path)
        if place is None and items > 1:
            return []
        last = _LAST_NAME.search(path if place is None else place[2])
        name = last[1] if last else ""
        said = message.removeprefix(f"{path}: ").replace(path, name) if path else message
        found.append((int(place[1]) if place else 0, name, said))
    return found


def _column(field_name: str, row: Row) -> str:
    """The column that gave a field: `unit` for `unit_id`, when that is what the row has."""
    by_name = NAMED.get(field_name, field_name)
    return by_name if by_name in row.cells else field_name
