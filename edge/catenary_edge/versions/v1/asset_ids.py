"""The id in the body of a new asset is `asset_id`; an equal asset is a conflict; and a conflict has the status 422.

An asset equals another one of the same project, parent, asset type and name.

> decided: POST /assets takes `asset_id` for `id`, 422 on a conflict
> decided: POST /assets answers 422 where an active asset of the same (project, parent, type, name) is there
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from google.protobuf.message import Message

from catenary_edge.errors.problem import Problem
from catenary_edge.transcoding.schema import Schema
from catenary_edge.versions.change import PARAMETER, CoreCalls, Draft, VersionChange
from catenary_edge.versions.forms import prepared, request_renamed

_METHOD = "CreateAssets"
_NAMES = {"id": "asset_id"}


def _routes(drafts: list[Draft]) -> list[Draft]:
    renamed = [_renamed(draft) if draft.name == _METHOD else draft for draft in drafts]
    return prepared(renamed, (_METHOD,), _refuse_equal)


def _renamed(draft: Draft) -> Draft:
    fields = {**draft.fields, **{name: (older,) for name, older in _NAMES.items()}}
    return replace(draft, describes=(*draft.describes, _describe), fields=fields)


async def _refuse_equal(request: Message, _: CoreCalls) -> None:
    asked: Any = request
    asked.refuse_equal = True


def _refuse(draft: Draft, problem: Problem) -> None:
    if draft.name == _METHOD and problem.reason == "CONFLICT":
        problem.status = 422


def _describe(operation: dict[str, Any], _: dict[str, Schema]) -> None:
    operation["responses"]["422"] = operation["responses"]["409"]


CHANGE = VersionChange(
    surfaces=PARAMETER,
    routes=_routes,
    requests=(request_renamed("catenary.parameter.v1.NewAsset", _NAMES),),
    refuse=_refuse,
)
