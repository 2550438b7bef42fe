"""The query for deleted rows has the name of their kind, such as `show_deleted_assets`; `show_active` is unknown.

> Deletion queries unified as show_deleted / show_active.
"""

from __future__ import annotations

from collections.abc import Mapping

from google.protobuf.descriptor import Descriptor

from catenary_edge.surfaces.data import SURFACES_OF_V0
from catenary_edge.versions.change import Draft, VersionChange
from catenary_edge.versions.v1 import parameter_set_names

_PLURALS = {"country": "countries"}


def _queries(draft: Draft) -> Mapping[str, tuple[str, ...]]:
    plural = _plural(draft.rpc.output)
    return {"show_deleted": (f"show_deleted_{parameter_set_names.KEYS.get(plural, plural)}",), "show_active": ()}


def _plural(answer: Descriptor) -> str:
    """Return the name of a response's rows: a list's key, or the plural of one row's key."""
    first = answer.fields[0]
    return first.name if first.is_repeated else _PLURALS.get(first.name, f"{first.name}s")


CHANGE = VersionChange(
    surfaces=SURFACES_OF_V0,
    queries=_queries,
)
