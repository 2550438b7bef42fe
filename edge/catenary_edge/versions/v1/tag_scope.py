"""Lists of tags have no filter by scope. `global_tag` says whether a tag has no scope, also in the body of a new tag.

> tag_scope, omit_global queries added
> decided: tags have `global_tag` (scope is null)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from catenary_edge.errors.fault import Fault
from catenary_edge.transcoding.schema import Schema
from catenary_edge.versions.change import METADATA, Draft, Extras, RequestChange, VersionChange
from catenary_edge.versions.forms import add_properties, added

_KEY = "global_tag"
_TEXT = "Whether the tag is global: it has no `tag_scope`."
_SCHEMA: Schema = {"type": "boolean", "description": _TEXT}


def _shown(tag: dict[str, Any], _: Extras) -> dict[str, Any]:
    return {_KEY: tag["tag_scope"] is None}


def _taken(tag: dict[str, Any]) -> dict[str, Any]:
    given = tag.get(_KEY)
    if given is not None and type(given) is not bool:
        raise Fault("must be true or false", "type", given).inside(_KEY)
    scoped = tag.get("tag_scope") is not None
    if given is True and scoped:
        raise Fault("can't be true beside a tag_scope", "equal", given).inside(_KEY)
    if given is False and not scoped:
        raise Fault("needs a tag_scope when it is false", "equal", given).inside(_KEY)
    return {key: value for key, value in tag.items() if key != _KEY}


def _queries(draft: Draft) -> Mapping[str, tuple[str, ...]]:
    return {"tag_scope": (), "omit_global": ()} if draft.name == "ListTags" else {}


CHANGE = VersionChange(
    surfaces=METADATA,
    answers=(added("catenary.metadata.v1.Tag", _shown, {_KEY: _SCHEMA}),),
    requests=(
        RequestChange(
            "catenary.metadata.v1.CreateTagRequest",
            _taken,
            lambda schema: add_properties(schema, {_KEY: {**_SCHEMA, "type": ["boolean", "null"]}}, required=False),
        ),
    ),
    queries=_queries,
    fields={"tag_scope": ("tag_scope", _KEY)},
)
