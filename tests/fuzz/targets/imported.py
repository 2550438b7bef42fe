"""The reading of an imported file: rows with their lines, or faults with theirs."""

from __future__ import annotations

from contextlib import suppress

from catenary_core.services.parameter.imports import columns, files
from catenary_core.services.parameter.imports.faults import MOST, Faults, TooManyFaultsError

KINDS = {b"a": "assets", b"p": "parameters", b"e": "entries"}


def run(data: bytes) -> str:
    """Read one file, whose first two bytes tell its kind and whether it is JSON."""
    kind, is_json, content = KINDS.get(data[:1]), data[1:2] == b"j", data[2:]
    faults, rows = Faults(), {}
    with suppress(TooManyFaultsError):
        try:
            rows = files.read(content, kind, faults, is_json=is_json)
        except files.KindNeededError:
            assert kind is None
            return "refused"
    assert len(faults.found) <= MOST
    # A carriage return alone ends a line of CSV too.
    last = content.count(b"\n") + content.count(b"\r") + 1
    for fault in faults.found:
        assert fault.line is None or 1 <= fault.line <= last
        str(fault).encode(errors="surrogatepass")
    for name, found in rows.items():
        for row in found:
            assert 1 <= row.line <= last
            assert row.cells.keys() <= set(columns.names(name))
    assert faults or any(rows.values())
    return "refused" if faults else "taken"
