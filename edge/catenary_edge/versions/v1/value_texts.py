"""Values of numbers and booleans may be given as text, such as `"20"`, `"0.25"` or `"true"`.

> decided: numbers and booleans are taken as text too (`"20"`, `"0.25"`)
"""

from __future__ import annotations

from typing import Any

from google.protobuf.message import Message

from catenary_edge.versions.change import PARAMETER, CoreCalls, VersionChange
from catenary_edge.versions.forms import prepared, request_told

_TEXT = "A number or boolean may be given as text."


async def _allow_texts(request: Message, _: CoreCalls) -> None:
    asked: Any = request
    asked.texts_as_values = True  # only the core knows the data type of each parameter


CHANGE = VersionChange(
    surfaces=PARAMETER,
    routes=lambda drafts: prepared(drafts, ("CreateParameters", "PutEntries"), _allow_texts),
    requests=(request_told("catenary.parameter.v1.NewEntryValue", "value", _TEXT),),
)
