"""Rows created one at a time in an older version and as an array in the newer one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from catenary_edge.errors.fault import Fault
from catenary_edge.surfaces import JSON_TYPE
from catenary_edge.transcoding.schema import Schema
from catenary_edge.versions.change import Draft, VersionChange
from catenary_edge.versions.forms import answer_of_one, describe_anew, only


def created_singly(change: VersionChange, method: str, plural: str, singular: str) -> VersionChange:
    """Extend a change: `method` takes one object and responds with `{<singular>: …}`."""

    def routes(drafts: list[Draft]) -> list[Draft]:
        return [alone(draft) if draft.name == method else draft for draft in drafts]

    def alone(draft: Draft) -> Draft:
        return replace(
            draft,
            body_changes=(*draft.body_changes, _wrapped),
            response_changes=(*draft.response_changes, only(plural, singular)),
            describes=(*draft.describes, describe),
            item=plural,
        )

    def describe(operation: dict[str, Any], schemas: dict[str, Schema]) -> None:
        body = operation["requestBody"]["content"][JSON_TYPE]
        body["schema"] = body["schema"]["items"]
        describe_anew(operation, f"Create one {singular}. The body is a JSON object.")
        answer_of_one(operation, schemas, plural, singular, "201")

    return replace(change, routes=routes)


def _wrapped(_: Mapping[str, str], document: Any) -> Any:
    if type(document) is not dict:
        raise Fault("must be a JSON object: this version makes one at a time", "type", document)
    return [document]
