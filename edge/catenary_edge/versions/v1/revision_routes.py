"""`/parameters/{parameter_id}/revision` reads a parameter's value, gives a new one, and sets the value's status.

> entries/revisions endpoints replace the revision endpoints
> Removed in v1: GET /parameters/:parameter_id/revision (replaced by GET /entries/:entry_id/revisions); POST
> /parameters/:parameter_id/revision (replaced by PUT /entries); PATCH /parameters/:parameter_id/revision (replaced by PATCH
> /revisions).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from google.protobuf.message import Message

from catenary_edge.errors.names import OlderFields
from catenary_edge.errors.problem import Problem, refusal
from catenary_edge.surfaces import JSON_TYPE
from catenary_edge.transcoding.decoder import decode_percent
from catenary_edge.transcoding.schema import Schema
from catenary_edge.versions.change import PARAMETER, Ask, CoreCalls, Describe, Draft, Extras, VersionChange
from catenary_edge.versions.forms import body_without, describe_anew, json_object, path_parameter, unknown_key
from catenary_edge.versions.v1.selected_entry import revision_of

_PATH = "/parameters/{parameter_id}/revision"
_GET = "GetParameter"
_GONE = ("ListEntries", "DeleteEntry", "ListRevisions")
_POST, _PATCH = "PutEntries", "UpdateRevisions"
_READ = "/catenary.parameter.v1.ParameterService/GetParameter"
_GIVEN = ("entry_id", "parameter_id", "revision_id")
"""The ids of the one item, set by these routes."""
_NOT_KNOWN: OlderFields = dict.fromkeys(_GIVEN, ())


def _asked(key: str, *, id_of_parameter: str) -> Ask:
    """Make the conversion to a newer body of one item; `id_of_parameter` holds the parameter's id until it is prepared."""

    def ask(variables: Mapping[str, str], document: Any) -> Any:
        for name in _GIVEN:
            if name in json_object(document):
                raise unknown_key(name)
        return {key: [{**document, id_of_parameter: decode_percent(variables["parameter_id"])}]}

    return ask


async def _entry_of(parameter_id: str, core: CoreCalls) -> Any:
    return (await core.ask(_READ, parameter_id=parameter_id))["parameter"]["selected_entry"]


async def _give(request: Message, core: CoreCalls) -> None:
    """Set the id of the parameter's entry, or a new id."""
    asked: Any = request
    (item,) = asked.entries
    entry = await _entry_of(item.parameter_id, core)
    item.entry_id = core.new_id(item.parameter_id) if entry is None else entry["entry_id"]


async def _judge(request: Message, core: CoreCalls) -> None:
    """Replace the parameter's id by the id of its latest revision."""
    asked: Any = request
    (item,) = asked.revisions
    entry = await _entry_of(item.revision_id, core)
    if entry is None:
        raise _without_revision()
    item.revision_id = entry["revision_id"]


def _without_revision() -> Problem:
    return refusal("NOT_FOUND", "The parameter has no revision yet.")


def _shown(body: dict[str, Any], _: Extras) -> dict[str, Any]:
    revision = body["parameter"]["revision"]
    if revision is None:
        raise _without_revision()
    return {"revision": revision}


def _describe_get(operation: dict[str, Any], schemas: dict[str, Schema]) -> None:
    text = "Get the latest revision of a parameter's entry. Raises NOT_FOUND when the parameter has no entry."
    describe_anew(operation, text)
    _answer(operation, schemas, "200")


def _describe(item: str, text: str, status: str, *without: str) -> Describe:
    def describe(operation: dict[str, Any], schemas: dict[str, Schema]) -> None:
        body_without(operation, schemas, item, f"{item}OfParameter", *without)
        describe_anew(operation, text)
        headers = [told for told in operation["parameters"] if told["in"] == "header"]
        operation["parameters"] = [path_parameter("parameter_id", "Id of the parameter."), *headers]
        operation["responses"]["404"] = {"$ref": "#/components/responses/404-NOT_FOUND"}
        _answer(operation, schemas, status)

    return describe


def _answer(operation: dict[str, Any], schemas: dict[str, Schema], status: str) -> None:
    schemas["RevisionResponse"] = {
        "type": "object",
        "properties": {"revision": {"$ref": "#/components/schemas/SelectedEntry", "description": "The revision."}},
        "required": ["revision"],
    }
    shown = operation["responses"][status]["content"][JSON_TYPE]
    shown["schema"] = {"$ref": "#/components/schemas/RevisionResponse"}


def _of_company(org: str) -> VersionChange:
    older = revision_of(org)

    def changed(draft: Draft) -> list[Draft]:
        if draft.name == _GET:
            describes = (*draft.describes, _describe_get)
            return [
                draft,
                replace(
                    draft,
                    path=_PATH,
                    same_path_in_next=False,
                    response_changes=(*draft.response_changes, _shown),
                    describes=describes,
                ),
            ]
        if draft.name == _POST:
            text = "Give a parameter a value, as a new revision of its entry."
            return [
                replace(
                    draft,
                    method="POST",
                    path=_PATH,
                    success=201,
                    same_path_in_next=False,
                    body_changes=(*draft.body_changes, _asked("entries", id_of_parameter="parameter_id")),
                    response_changes=(
                        *draft.response_changes,
                        lambda body, extras: {"revision": older(body["entries"][0], extras)},
                    ),
                    describes=(
                        *draft.describes,
                        _describe("PutEntryInput", text, "201", "entry_id", "parameter_id"),
                    ),
                    prepares=(*draft.prepares, _give),
                    item="entries",
                    fields=_NOT_KNOWN,
                )
            ]
        if draft.name == _PATCH:
            text = "Update the status of the latest revision of a parameter's entry."
            return [
                replace(
                    draft,
                    path=_PATH,
                    same_path_in_next=False,
                    body_changes=(*draft.body_changes, _asked("revisions", id_of_parameter="revision_id")),
                    response_changes=(
                        *draft.response_changes,
                        lambda body, extras: {"revision": older(body["revisions"][0], extras)},
                    ),
                    describes=(*draft.describes, _describe("RevisionUpdateInput", text, "200", "revision_id")),
                    prepares=(*draft.prepares, _judge),
                    item="revisions",
                    fields=_NOT_KNOWN,
                )
            ]
        return [] if draft.name in _GONE else [draft]

    return VersionChange(
        surfaces=PARAMETER,
        routes=lambda drafts: [older_draft for draft in drafts for older_draft in changed(draft)],
    )


CHANGE = _of_company
