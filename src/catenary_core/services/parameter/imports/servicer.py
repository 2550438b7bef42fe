"""ImportService: the rows of a file, in one transaction and in the name of the caller."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress

from catenary.platform.v1 import import_service_pb2 as pb
from catenary.platform.v1 import import_service_shapes as shapes
from catenary_core.call import client_address
from catenary_core.call.call import Call
from catenary_core.call.errors import DomainError, Violation, invalid
from catenary_core.frame import DataCalls, Frame
from catenary_core.services.parameter.imports import columns, files
from catenary_core.services.parameter.imports.calls import FailedError, RefusedError
from catenary_core.services.parameter.imports.faults import MOST, Faults, ImportFault, Row, TooManyFaultsError
from catenary_core.services.parameter.imports.importing import import_rows
from catenary_wire.json_form import enum_names
from catenary_wire.sentences import Sentence

FILE = "file"
"""Name of the file in refusals, where no column is at fault."""
_SCOPE = "parameter:write"
_TYPES = {"text/csv": False, "application/json": True}
"""True for JSON, by the media type of the file."""
_HANDED_ON = ("x-request-id", client_address.KEY)
"""Metadata of the call that its calls of the data services have too, for the log and the audit trail."""
_KINDS = enum_names(pb.ImportKind.DESCRIPTOR)


class ImportServicer:
    """`catenary.platform.v1.ImportService`."""

    def __init__(self, frame: Frame, data_calls: DataCalls) -> None:
        """Create the servicer; `data_calls` calls the data services as the caller."""
        self._db = frame.db
        self._data_calls = data_calls

    async def import_file(self, parts: AsyncIterator[pb.ImportFileRequest], call: Call) -> shapes.ImportFileResponse:
        """Import the rows of a file, all or none."""
        head = await anext(parts)
        is_json = _TYPES.get(head.content_type.partition(";")[0].strip().lower())
        if is_json is None:
            raise DomainError(
                "UNSUPPORTED_MEDIA_TYPE", "A file is imported as text/csv or application/json; name the type."
            )
        if _SCOPE not in call.caller.scopes:  # else each row would be refused for it
            raise DomainError("PERMISSION_DENIED", f"The credential lacks the scope {_SCOPE}.")
        faults = Faults()
        kind = _KINDS.get(head.kind)
        if kind is None and not is_json:
            raise _kind_needed()
        content = await _receive(head.chunk, parts)
        rows = await asyncio.to_thread(_read, content, kind, faults, is_json=is_json)
        del content
        counts = []
        if any(rows.values()) and len(faults.found) < MOST:
            dispatch = self._data_calls(call.caller)
            metadata = {name: call.metadata[name] for name in _HANDED_ON if name in call.metadata}
            try:
                counts = await import_rows(
                    self._db, dispatch, rows, faults, metadata, lambda _: None, dry_run=head.dry_run
                )
            except (RefusedError, FailedError) as failure:
                raise failure.error from None
        if faults:
            raise refusal_of(faults)
        return {
            "counts": [
                {"kind": count.kind, "added": count.added, "revised": count.revised, "kept": count.kept}
                for count in counts
            ]
        }


async def _receive(first: bytes, rest: AsyncIterator[pb.ImportFileRequest]) -> bytes:
    """Collect an upload.

    Raises PAYLOAD_TOO_LARGE: it has over `files.MAX_BYTES`.
    """
    content = bytearray(first)
    async for part in rest:
        content += part.chunk
        if len(content) > files.MAX_BYTES:
            raise DomainError(
                "PAYLOAD_TOO_LARGE", f"A file has at most {files.MAX_BYTES >> 20} MiB; split this one into several."
            )
    return bytes(content)


def _read(content: bytes, kind: str | None, faults: Faults, *, is_json: bool) -> Mapping[str, Sequence[Row]]:
    """Return the rows of a file by kind; none where `faults` has got as many as it takes."""
    try:
        with suppress(TooManyFaultsError):
            return files.read(content, kind, faults, is_json=is_json)
    except files.KindNeededError:
        raise _kind_needed() from None
    return {}


def _kind_needed() -> DomainError:
    kinds = f"{', '.join(columns.KINDS[:-1])} or {columns.KINDS[-1]}"
    return invalid("kind", "Give {field}: the rows may be {kinds}.", value=None, constraint="required", kinds=kinds)


def refusal_of(faults: Faults) -> DomainError:
    """Return the refusal of a file, with the faults in the order of its lines.

    It is PERMISSION_DENIED where nothing but rights is at fault, else VALIDATION_ERROR.
    """
    found = sorted(faults.found, key=lambda fault: fault.line or 0)
    violations = [Violation(_field(fault), _sentence(fault), "import") for fault in found]
    more = f" It has {MOST} faults or more." if len(found) >= MOST else ""
    message = Sentence(
        "Nothing of the file was imported.{more} {fault}", {"more": more, "fault": violations[0].message}
    )
    details = {"parameter": violations[0].field, "value": None, "constraint": "import"}
    reason = "PERMISSION_DENIED" if all(fault.denied for fault in found) else "VALIDATION_ERROR"
    return DomainError(reason, message, details=details, violations=violations)


def _field(fault: ImportFault) -> str:
    return ".".join(part for part in (fault.item, fault.column) if part) or FILE


def _sentence(fault: ImportFault) -> Sentence:
    return Sentence(f"Line {fault.line}: {fault.message}" if fault.line else fault.message)
