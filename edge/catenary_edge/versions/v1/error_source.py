"""Error bodies name the refusing service in `source`.

> Client error bodies no longer include `source`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from catenary_edge.surfaces import data
from catenary_edge.surfaces.data import SURFACES_OF_V0
from catenary_edge.versions.change import Draft, VersionChange
from catenary_edge.versions.forms import add_properties

_VERSION = "v0"


def _routes(drafts: list[Draft]) -> list[Draft]:
    return [replace(draft, surface=data.of_version(draft.rpc.surface, _VERSION)) for draft in drafts]


def _document(content: dict[str, Any]) -> None:
    source = {"type": "string", "description": "The service that refuses."}
    add_properties(content["components"]["schemas"]["Error"], {"source": source})
    name = next(iter(content["paths"])).split("/")[1]
    for told in content["components"]["responses"].values():
        for shown in told["content"].values():
            for example in shown["examples"].values():
                example["value"]["source"] = name


CHANGE = VersionChange(surfaces=SURFACES_OF_V0, routes=_routes, document=_document)
