"""Every documented difference between two versions has its module, and every older version its dates."""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from types import ModuleType

import pytest

from catenary.options.v1 import options_pb2
from catenary_edge import surfaces, versions
from catenary_edge.errors.problem import Problem
from catenary_edge.openapi import document
from catenary_edge.pages import changes
from catenary_edge.transcoding import routes
from catenary_edge.versions import beta, chain, stages, v1, v2
from catenary_edge.versions.change import VersionChange
from catenary_edge.versions.view import OlderRoute

# What is specified, "Changes v1 to v2 (all services)" and "Changes v0 to v1".
V2 = """
- show_active and show_deleted queries as in Endpoints.
- Comments: GET /comments comment_id takes an array; POST /comments takes an array of comments.
- Reference data: GET /source_types and GET /sources use the new show_deleted logic.
- QA: POST /records takes an array.
- Environment context: new keys per the table.

| Resource | v1 key | v2 key |
|---|---|---|
| project | job_name_short | short_title |
| project | job_number, job_suffix, project_code | project_number |
| project | organisation_name | client_organisation_name |
| country | iso_formal_country_name | iso_formal_name |
| region | <org>_region_level, company_code | removed |
"""
V1 = """
- Deletion queries unified as show_deleted / show_active.
- Pagination added with page_limit, before, after, sort_by, order, the paging object and summary.estimate_count.
- Client error bodies no longer include `source`.
- Parameter service: asset_type_id added to asset sub type and hierarchy; entries/revisions endpoints replace the revision
  endpoints; parameter `revision` becomes `selected_entry` with reduced source and created_by; parameter-set renames; tree
  endpoints added; unit/default_unit `name` becomes `symbol`; unit_systems in unit_type; offset query removed.
- Parameter metadata service: allow_custom on tag_type; tag, tag link and tag type endpoints added as listed in Endpoints;
  tag_scope, omit_global queries added.
"""
# What we decided where the specified rows are silent, with `decided:` before it where a module quotes it.
DECIDED = (
    "decided: POST /assets takes `asset_id` for `id`, 422 on a conflict",
    "decided: `parent_ids` may be one string",
    "decided: a parameter's `created_by` is the creator's id; item types have `created_by`, `updated_by`",
    "decided: tags have `global_tag` (scope is null)",
    "decided: `POST /tags/{tag_id}/links` makes one link",
    "decided: every older version caps a `page_limit` over the maximum",
    'decided: numbers and booleans are taken as text too (`"20"`, `"0.25"`)',
    "decided: `bool`, `float` for `boolean`, `number`",
    "decided: units everywhere have the three timestamps",
    "decided: `created_by`/`updated_by` of item types are staff objects as in `revision`",
    "decided: POST /assets answers 422 where an active asset of the same (project, parent, type, name) is there",
    "decided: POST /parameter_types takes `default_unit_id` alone",
    "decided: Filters `category_id`, `report_id`, `discipline_id` (tags), `asset_type`",
)
# Specified rows of other sections that tell of a difference.
ELSEWHERE = (
    "On GET /tags the `item_limit` query is replaced by `page_limit`.",
    "in parameter-set responses; v1 omits unit_type_id, created_at, deleted_at, updated_at there",
)


def _rows(text: str) -> Iterator[str]:
    """Yield the rows: the clauses of the bullets, and the lines of the table that one of them names."""
    joined = text.replace("\n  ", " ")
    for bullet in re.findall(r"^- (.+)$", joined, re.MULTILINE):
        service, colon, rest = bullet.partition(" service: ")
        if colon and service.startswith("Parameter"):
            yield from rest.removesuffix(".").split("; ")
        elif not bullet.endswith("per the table."):
            yield bullet
    yield from re.findall(r"^\| (?:project|country|region) .+ \|$", text, re.MULTILINE)


def _quoted(modules: list[ModuleType]) -> str:
    return " ".join(chain.change_notes(module).quoted for module in modules)


ROWS = [(version, row) for version, text in (("v2", V2), ("v1", V1)) for row in _rows(text)]


def test_the_tables_hold_every_row() -> None:
    assert [version for version, _ in ROWS].count("v2") == 4 + 5
    assert [version for version, _ in ROWS].count("v1") == 3 + 8 + 3


@pytest.mark.parametrize(("version", "row"), ROWS)
def test_a_specified_row_has_one_module(version: str, row: str) -> None:
    serving = [module for module in chain.CHANGES[version] if row in _quoted([module])]
    assert len(serving) == 1, [module.__name__ for module in serving]


def test_a_row_whose_module_is_taken_away_is_found() -> None:
    left = [module for module in chain.CHANGES["v1"] if not module.__name__.endswith(".symbols")]
    assert [row for version, row in ROWS if version == "v1" and row not in _quoted(left)] == [
        "unit/default_unit `name` becomes `symbol`"
    ]


@pytest.mark.parametrize("row", [*DECIDED, *ELSEWHERE])
def test_what_is_told_elsewhere_has_a_module_too(row: str) -> None:
    assert row in _quoted([module for modules in chain.CHANGES.values() for module in modules])


def test_no_module_is_without_a_row_and_each_changes_something() -> None:
    rows = [row for _, row in ROWS] + [*DECIDED, *ELSEWHERE]
    nothing = VersionChange(surfaces=frozenset())
    for modules in chain.CHANGES.values():
        for module in modules:
            assert any(row in _quoted([module]) for row in rows), module.__name__
            change: VersionChange | Callable[[str], VersionChange] = module.CHANGE
            made = change("org") if callable(change) else change
            changing = ("answers", "requests", "routes", "queries")
            assert any(getattr(made, name) != getattr(nothing, name) for name in changing), module.__name__


def test_every_module_of_a_version_is_in_its_list() -> None:
    for package in (v1, v2):
        found = {f"{package.__name__}.{one.name}" for one in pkgutil.iter_modules(package.__path__)}
        assert found == {module.__name__ for module in package.CHANGES}


def _deprecations() -> list[tuple[str, options_pb2.Deprecation]]:
    found = [
        (f"/{surfaces.name_of(kind)}/{older.version}", older.deprecation)
        for kind, options in stages.SURFACES.items()
        for older in options.older
    ]
    for route in routes.build().routes:
        dates = stages.deprecation_of(route)
        if dates is not None:
            found.append((f"{route.method} {route.template.text}", dates))
    return found


def _months_after(day: date, months: int) -> date:
    year, month = divmod(day.month - 1 + months, 12)
    return date(day.year + year, month + 1, min(day.day, 28))


@pytest.mark.parametrize(("what", "dates"), _deprecations(), ids=lambda value: value if isinstance(value, str) else "")
def test_a_deprecated_version_is_announced_in_time_and_served_for_a_year(
    what: str, dates: options_pb2.Deprecation
) -> None:
    announced, deprecated, sunset = (
        date.fromisoformat(text) for text in (dates.announced_on, dates.deprecated_on, dates.sunset_on)
    )
    assert sunset >= _months_after(deprecated, 12)
    assert sunset >= _months_after(announced, 6)
    assert deprecated >= announced
    page = changes.page(routes.build().routes).decode()
    row = next(line for line in page.split("<tr>") if what.partition(" ")[2] in line and f">{what}" in line)
    for text in (dates.announced_on, dates.deprecated_on, dates.sunset_on, dates.successor):
        assert text in row


def test_the_older_versions_are_those_that_were_decided() -> None:
    served = {
        surfaces.name_of(kind): [older.version for older in options.older] for kind, options in stages.SURFACES.items()
    }
    assert served == {
        "platform": [],
        "comments": ["v1"],
        "reference": ["v1"],
        "qa": ["v1"],
        "environment": ["v1", "v0"],
        "parameter": ["v0"],
        "metadata": ["v0"],
    }
    keys = set(document.by_document(versions.build().routes))
    expected = {(kind, older.version) for kind, options in stages.SURFACES.items() for older in options.older}
    assert expected <= keys


def test_every_older_operation_is_deprecated_in_its_document() -> None:
    for key, found in document.by_document(versions.build().routes).items():
        content = document.build(key, found)
        is_older = any(isinstance(route, OlderRoute) for route in found)
        operations = [operation for item in content["paths"].values() for operation in item.values()]
        assert {operation.get("deprecated", False) for operation in operations} == {is_older}, key


def test_the_beta_has_every_stable_route_and_no_data_service() -> None:
    table = versions.build()
    of = {
        version: {
            (route.method, route.template.text.removeprefix(f"/{version}/"))
            for route in table.routes
            if route.template.text.startswith(f"/{version}/")
        }
        for version in ("v1", "v2")
    }
    own = {
        (route.method, route.template.text.removeprefix("/v2/"))
        for route in routes.build().routes
        if route.rpc.options.stage == options_pb2.STAGE_BETA
    }
    assert own, "the beta has methods of its own"
    assert of["v1"] == of["v2"] - own != set()
    assert table.match("GET", "/v0/projects") is None


def test_a_beta_method_outside_the_beta_version_is_refused_at_start() -> None:
    current = routes.build().routes
    route = next(route for route in current if route.template.text == "/v1/projects")
    options = options_pb2.MethodOptions()
    options.CopyFrom(route.rpc.options)
    options.stage = options_pb2.STAGE_BETA
    misplaced = replace(route, rpc=replace(route.rpc, options=options))
    with pytest.raises(ValueError, match="go together"):
        list(beta.routes_of([misplaced]))


@pytest.mark.parametrize("day", ["2027-12-31", "2030-01-01"])
def test_an_older_version_is_gone_after_its_sunset(day: str) -> None:
    route = next(route for route in versions.build().routes if route.template.text == "/comments/v1/comments")
    moment = stages.midnight(day)
    with pytest.raises(Problem) as caught:
        stages.check_alive(route, moment)
    assert (caught.value.status, caught.value.reason) == (410, "GONE")
    assert "/comments/v2" in caught.value.message
    stages.check_alive(route, stages.midnight("2027-12-30"))
