"""The rule for a project's number, which has two field names."""

from __future__ import annotations

from typing import Any

from catenary_core.call.errors import invalid
from catenary_wire.sentences import Fields


def merge_number(values: dict[str, Any]) -> None:
    """Rename `number` to its synonym `project_number`, in place.

    Raises VALIDATION_ERROR: both are given and differ.
    """
    if "number" not in values:
        return
    number = values.pop("number")
    if values.setdefault("project_number", number) != number:
        raise invalid(
            "number",
            "{field} and {other} are the same field; send one of them, or equal texts.",
            value=number,
            constraint="equal",
            other=Fields("project_number"),
        )
