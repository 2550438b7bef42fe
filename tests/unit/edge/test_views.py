"""The changes of requests and answers by the views of older versions, without a core."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

import orjson
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from catenary_edge import versions
from catenary_edge.errors.problem import Problem
from catenary_edge.transcoding.decoder import ABSENT
from catenary_edge.transcoding.routes import Route
from catenary_edge.versions import stages
from catenary_edge.versions.change import CoreCalls
from catenary_edge.versions.view import OlderDecoder, OlderRoute

TABLE = versions.build()
ID = "00000000-0000-7000-8000-000000000000"
KEYS = (
    *("parameters", "revision", "entries", "parent_ids", "values", "units", "name", "symbol", "tag_links", "entry_id"),
    *("job_number", "project_code", "global_tag", "tag_scope", "unit_id", "asset_id", "id"),
)


class NoCore:
    """A core that must not be asked."""

    async def ask(self, method: str, **fields: Any) -> dict[str, Any]:
        raise AssertionError(f"{method} was called")

    def new_id(self, purpose: str) -> str:
        raise AssertionError(f"{purpose} needs no id")


def _route(method: str, path: str) -> Route:
    match = TABLE.match(method, path)
    assert match is not None
    return match.route


def _decoded(method: str, path: str, query: str = "", document: Any = ABSENT) -> Any:
    match = TABLE.match(method, path)
    assert match is not None
    return match.route.decoder.decode(match.segments, query, {}, document)


def _refused(method: str, path: str, query: str = "", document: Any = ABSENT) -> str:
    with pytest.raises(Problem) as caught:
        _decoded(method, path, query, document)
    assert caught.value.status == 400
    return caught.value.message


async def test_a_body_that_no_change_touches_stays_the_same_object() -> None:
    body = {"comments": [{"id": ID}], "paging": None, "summary": None}
    core: CoreCalls = NoCore()
    for path in ("/comments/v1/comments", "/reference/v1/sources", "/qa/v1/records"):
        route = _route("GET", path)
        assert isinstance(route, OlderRoute)
        view = route.view
        assert await view.show(body, core) is body


async def test_an_answer_is_turned_without_a_change_to_what_it_was_made_of() -> None:
    """The core shares parts of its answers between requests."""
    sub_type = {"id": ID, "name": "Roof", "asset_type_id": ID, "parent_asset_sub_type_id": None}
    body = {"asset": {"id": ID, "asset_type": {"id": ID}, "asset_sub_type": sub_type}}
    before = orjson.dumps(body)
    route = _route("GET", f"/parameter/v0/assets/{ID}")
    assert isinstance(route, OlderRoute)
    view = route.view
    shown = await view.show(body, NoCore())
    assert "asset_type_id" not in shown["asset"]["asset_sub_type"]
    assert orjson.dumps(body) == before


@given(st.text(min_size=1, max_size=100))
@example("2026-014-")
async def test_a_project_number_comes_back_whole_and_in_parts(number: str) -> None:
    route = _route("GET", f"/environment/v1/projects/{ID}")
    assert isinstance(route, OlderRoute)
    view = route.view
    shown = (await view.show({"project": {"project_number": number}}, NoCore()))["project"]
    assert shown["project_code"] == number
    joined = f"{shown['job_number']}-{shown['job_suffix']}" if "-" in number else shown["job_number"]
    assert joined == number
    assert "-" not in shown["job_suffix"]
    for given_keys in (("project_code",), ("job_number", "job_suffix"), tuple(shown)):
        request = _decoded("POST", "/environment/v1/projects", "", {key: shown[key] for key in given_keys})
        # A suffix that is empty since the number ends in `-` can't be told from none.
        assert request.project_number in (number, number.removesuffix("-"))


def test_a_query_has_its_older_name_and_no_other() -> None:
    path = "/parameter/v0/assets"
    assert _decoded("GET", path, "show_deleted_assets=true").show_deleted is True
    for name in ("show_deleted", "show_deleted_parameters", "show_active", "before", "after", "sort_by", "order", "x"):
        message = _refused("GET", path, f"{name}=true")
        assert message.startswith(f"{name} is not known here; known are: asset_id, ")
        assert "show_deleted_assets" in message
    assert _decoded("GET", "/metadata/v0/tags", "item_limit=7").page_limit == 7


def _limited() -> list[tuple[str, str, int]]:
    """Return each older list with its name of the limit and its largest limit."""
    found = []
    for route in TABLE.routes:
        if isinstance(route, OlderRoute) and "page_limit" in route.decoder.query_fields:
            assert isinstance(route.decoder, OlderDecoder)
            path = re.sub(r"\{\w+\}", ID, route.template.text)
            most = 100_000 if route.unpaginated else 1000
            found += [(path, name, most) for name in route.decoder.queries_of("page_limit")]
    return found


@pytest.mark.parametrize(("path", "name", "most"), _limited())
def test_every_older_list_caps_its_limit(path: str, name: str, most: int) -> None:
    for text in (str(most + 1), "2147483648", "9" * 5000):
        assert _decoded("GET", path, f"{name}={text}").page_limit == most
    for text in ("1", str(most)):
        assert _decoded("GET", path, f"{name}={text}").page_limit == int(text)
    for text in ("0", "-1", "-9999999999"):
        assert _refused("GET", path, f"{name}={text}") == f"{name} must be 1 or more."
    for text in ("many", "", "1.5", "1e3", "+1", "%D9%A2"):
        assert _refused("GET", path, f"{name}={text}") == f"{name} must be an integer."


def test_every_older_version_with_lists_has_a_limit_to_cap() -> None:
    versions_of_lists = {"/".join(path.split("/")[1:3]) for path, _, _ in _limited()}
    names = ("comments/v1", "reference/v1", "qa/v1", "environment/v1", "environment/v0", "parameter/v0", "metadata/v0")
    assert versions_of_lists == set(names)


def test_a_query_of_one_value_takes_no_list() -> None:
    path = "/comments/v1/comments"
    assert list(_decoded("GET", path, f"comment_id={ID}").comment_id) == [ID]
    for query in (f"comment_id={ID}&comment_id={ID}", f"comment_id={ID},{ID}", f"comment_id={ID}%2C{ID}"):
        assert _refused("GET", path, query) == "comment_id takes one value in this version."


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(KEYS),
                inner,
                max_size=4,
            )
        ),
        max_leaves=12,
    ),
    st.sampled_from(
        [
            ("POST", "/comments/v1/comments"),
            ("POST", "/qa/v1/records"),
            ("POST", "/environment/v1/projects"),
            ("PATCH", f"/environment/v0/projects/{ID}"),
            ("POST", "/metadata/v0/tags"),
            ("POST", f"/metadata/v0/tags/{ID}/links"),
            ("POST", "/parameter/v0/parameters"),
            ("POST", "/parameter/v0/units"),
            ("POST", "/parameter/v0/assets"),
            ("POST", f"/parameter/v0/parameters/{ID}/revision"),
            ("PATCH", f"/parameter/v0/parameters/{ID}/revision"),
            ("POST", f"/parameter/v0/parameter_sets/{ID}/instances"),
        ]
    ),
)
def test_no_body_makes_an_older_decoder_raise_anything_but_a_refusal(document: Any, route: tuple[str, str]) -> None:
    with suppress(Problem):
        _decoded(*route, "", document)


def test_every_older_path_leads_to_its_route_and_to_a_successor() -> None:
    for route in TABLE.routes:
        if not isinstance(route, OlderRoute):
            continue
        path = route.template.text.replace("{", "").replace("}", "")
        found = TABLE.match(route.method, path)
        assert found is not None
        link = stages.headers_of(found.route, path)["Link"]
        target = link[1 : link.index(">")]
        if not target.startswith("/openapi/"):
            assert TABLE.match(route.method, target) is not None, f"{route.method} {path} → {target}"
