"""Tags and links can be read and created, tag types only read. A link is created by POST to its tag.

> tag, tag link and tag type endpoints added as listed in Endpoints
> decided: `POST /tags/{tag_id}/links` makes one link
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from catenary_edge.errors.problem import Problem
from catenary_edge.transcoding.decoder import decode_percent
from catenary_edge.transcoding.schema import Schema
from catenary_edge.versions.change import METADATA, Draft, VersionChange
from catenary_edge.versions.forms import (
    answer_of_one,
    body_without,
    describe_anew,
    json_object,
    only,
    path_parameter,
    unknown_key,
)
from catenary_wire.sentences import Sentence

_KEPT = ("ListTags", "CreateTag", "GetTag", "ListTagLinks", "ListTagTypes", "GetTagType")
_PUT = "PutTagLinks"


def _routes(drafts: list[Draft]) -> list[Draft]:
    return [_post(draft) if draft.name == _PUT else draft for draft in drafts if draft.name in (*_KEPT, _PUT)]


def _post(put: Draft) -> Draft:
    return replace(
        put,
        method="POST",
        path="/tags/{tag_id}/links",
        success=201,
        same_path_in_next=False,
        body_changes=(*put.body_changes, _asked),
        response_changes=(*put.response_changes, only("tag_links", "tag_link")),
        describes=(*put.describes, _describe),
        item="tag_links",
        fields={"tag_id": ()},
    )


def _asked(variables: Mapping[str, str], document: Any) -> Any:
    if "tag_id" in json_object(document):
        raise unknown_key("tag_id")
    return {"tag_links": [{"tag_id": decode_percent(variables["tag_id"]), **document}], "create_only": True}


def _refuse(draft: Draft, problem: Problem) -> None:
    if draft.name != _PUT:
        return
    if problem.facts.get("parameter") == "tag_id" and problem.facts.get("constraint") == "unknown":
        problem.status, problem.reason = 404, "NOT_FOUND"
        problem.sentence = Sentence("There is no such tag, or you may not see it.")
        problem.facts, problem.violations = {}, ()


def _describe(operation: dict[str, Any], schemas: dict[str, Schema]) -> None:
    describe_anew(operation, "Create a link of a tag. Raises CONFLICT when an active link is already there.")
    body_without(operation, schemas, "NewTagLinkInput", "NewTagLinkOfTag", "tag_id")
    headers = [told for told in operation["parameters"] if told["in"] == "header"]
    operation["parameters"] = [path_parameter("tag_id", "Id of the tag."), *headers]
    operation["responses"]["404"] = {"$ref": "#/components/responses/404-NOT_FOUND"}
    answer_of_one(operation, schemas, "tag_links", "tag_link", "201")


CHANGE = VersionChange(surfaces=METADATA, routes=_routes, refuse=_refuse)
