"""A parameter's entry is in the key `revision`: its latest revision with the full source and creator.

> parameter `revision` becomes `selected_entry` with reduced source and created_by
> In v1 the key `revision` of a parameter is renamed `selected_entry`.
> `selected_entry` (in parameter responses) contains `source` (reduced source above) and `created_by`, and has no updated_at,
> comment or location_in_source.
> The v0 object also had staff_id, company_centre_<org>_unit, location_name, grade_level, my_people_page_url; v1 omits them.
> The v0 source also had updated_at, deleted_at, time, reference_id, reference_table, reference_url, scope, and the source_type
> had visible and deleted_at; v1 omits them inside selected_entry.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from catenary_edge.errors.fault import Fault
from catenary_edge.transcoding.schema import Schema
from catenary_edge.versions import staff
from catenary_edge.versions.change import (
    PARAMETER,
    CoreCalls,
    Draft,
    Extras,
    RequestChange,
    ResponseChange,
    Show,
    Supplement,
    VersionChange,
)
from catenary_edge.versions.forms import (
    add_properties,
    drop_properties,
    renamed,
    unknown_key,
)

_PACKAGE = "catenary.parameter.v1"
_DETAILS = "revision_details"
_READ = f"/{_PACKAGE}.OlderService/ReadRevisionDetails"
_MOMENT: Schema = {"type": "string", "format": "date-time"}
_TEXT: Schema = {"type": ["string", "null"]}
_SENTENCES = {
    "{field}: a parameter has one entry at most, and this one has an entry already; send its {entry_id} to revise it.": (
        "{field}: a parameter has one entry at most, and this one has an entry already; give it another by POST to its "
        "revision."
    ),
}


async def _details(core: CoreCalls, ids: list[str]) -> Mapping[str, Any]:
    body = await core.ask(_READ, revision_ids=ids)
    return {row["revision_id"]: row for row in body["revisions"]}


def revision_of(org: str) -> Show:
    """Make the conversion of any object with `revision_id`, `status` and `values` to a revision of version 0."""

    def show(value: dict[str, Any], extras: Extras) -> dict[str, Any] | None:
        details = extras[_DETAILS].get(value["revision_id"])
        if details is None:  # the caller lost access in between
            return None
        return {
            "id": value["revision_id"],
            "status": value["status"],
            "values": value["values"],
            "source": details["source"],
            "comment": details["comment"],
            "location_in_source": details["location_in_source"],
            "created_at": details["created_at"],
            "updated_at": details["updated_at"],
            "created_by": staff.shown(org, details["created_by"]),
        }

    return show


def _taken(parameter: dict[str, Any]) -> dict[str, Any]:
    if "entries" in parameter:
        raise unknown_key("entries")
    if "revision" not in parameter:
        return parameter
    given = parameter["revision"]
    if given is not None and type(given) is not dict:
        raise Fault("must be an object", "type", given).inside("revision")
    if given is not None and "entry_id" in given:
        raise unknown_key("entry_id").inside("revision")
    found = {key: value for key, value in parameter.items() if key != "revision"}
    return found if given is None else {**found, "entries": [given]}


def _describe_parameter(schema: Schema) -> None:
    told = schema["properties"]["entries"]["items"]
    drop_properties(schema, "entries")
    add_properties(
        schema, {"revision": {"anyOf": [told, {"type": "null"}], "description": "Its value."}}, required=False
    )


def _describe_revision(org: str) -> Callable[[Schema], None]:
    def describe(schema: Schema) -> None:
        kept = schema["properties"]
        schema["description"] = "The value of a parameter: the latest revision of its entry."
        schema["properties"] = {
            "id": {"type": "string", "description": "Id of the revision."},
            "status": kept["status"],
            "values": kept["values"],
            "source": {
                "$ref": "#/components/schemas/Source",
                "description": "Source of the value; included even when deleted.",
            },
            "comment": {**_TEXT, "description": "Comment; null when there is none."},
            "location_in_source": {
                **_TEXT,
                "description": "Place of the value in the source, such as a page; null when not given.",
            },
            "created_at": {**_MOMENT, "description": "Time of creation."},
            "updated_at": {**_MOMENT, "description": "Time of the last change."},
            "created_by": staff.schema(org, "Creator; null when the user is no longer known."),
        }
        schema["required"] = list(schema["properties"])

    return describe


def _routes(drafts: list[Draft]) -> list[Draft]:
    return [
        replace(draft, describes=(*draft.describes, _describe_creation)) if draft.name == "CreateParameters" else draft
        for draft in drafts
    ]


def _describe_creation(operation: dict[str, Any], _: dict[str, Schema]) -> None:
    del operation["responses"]["200"]  # without ids of entries no request only revises


def _of_company(org: str) -> VersionChange:
    key = {"selected_entry": "revision"}
    return VersionChange(
        surfaces=PARAMETER,
        routes=_routes,
        answers=(
            ResponseChange(f"{_PACKAGE}.SelectedEntry", revision_of(org), _describe_revision(org)),
            renamed(f"{_PACKAGE}.Parameter", key),
            renamed(f"{_PACKAGE}.ParameterSetParameter", key),
        ),
        requests=(
            RequestChange(f"{_PACKAGE}.NewParameter", _taken, _describe_parameter),
            RequestChange(
                f"{_PACKAGE}.NewEntry", lambda entry: entry, lambda schema: drop_properties(schema, "entry_id")
            ),
        ),
        supplements=tuple(
            Supplement(_DETAILS, f"{_PACKAGE}.{message}", "revision_id", _details)
            for message in ("SelectedEntry", "Entry", "Revision")
        ),
        fields={"entries": ("revision",), "entries[0]": ("revision",), "entry_id": ()},
        sentences=_SENTENCES,
    )


CHANGE = _of_company
