"""Entity tags and conditions."""

from __future__ import annotations

import re

import pytest
from multidict import CIMultiDict, CIMultiDictProxy

from catenary_core.call.methods import bindings_of, service_descriptors
from catenary_core.call.preconditions import Condition, condition_of
from catenary_edge.errors.problem import Problem
from catenary_edge.http import conditions
from catenary_edge.transcoding import routes
from catenary_edge.transcoding.routes import Route

TABLE = routes.build()
TAG = '"0123456789abcdef0123456789abcdef"'


def route(method: str, path: str) -> Route:
    found = TABLE.match(method, path)
    assert found is not None
    return found.route


def sent(*pairs: tuple[str, str]) -> CIMultiDictProxy[str]:
    return CIMultiDictProxy(CIMultiDict(pairs))


def test_a_tag_is_strong_in_data_services_and_weak_on_the_platform() -> None:
    data = conditions.tag_of(route("GET", "/qa/v2/records"), b"{}", b"")
    platform = conditions.tag_of(route("GET", "/v1/projects"), b"{}", b"")
    assert re.fullmatch(r'"[0-9a-f]{32}"', data)
    assert platform == f"W/{data}"
    assert conditions.tag_of(route("GET", "/v1/projects"), b"{}", b"next") != platform


def test_the_coding_is_the_suffix_of_a_strong_tag() -> None:
    assert conditions.with_coding(TAG, "gzip") == TAG[:-1] + '-gzip"'
    assert conditions.with_coding(TAG, "") == TAG
    assert conditions.with_coding(f"W/{TAG}", "gzip") == f"W/{TAG}"


def test_the_tag_of_an_older_version_tells_what_only_that_one_shows_and_serves_if_match() -> None:
    one, other = (conditions.of_view(TAG, payload) for payload in (b"1", b"2"))
    assert one != other
    assert re.fullmatch(r'"[0-9a-f]{32}-[0-9a-f]{16}"', one)
    assert conditions.is_known(sent(("If-None-Match", conditions.with_coding(one, "gzip"))), one)
    assert not conditions.is_known(sent(("If-None-Match", one)), other)
    bindings = bindings_of(service_descriptors())
    condition = condition_of(bindings["/catenary.environment.v2.RegionService/UpdateRegion"], {"if-match": one})
    assert condition == Condition(frozenset({TAG.strip('"')}))


@pytest.mark.parametrize(
    ("header", "known"),
    [
        (TAG, True),
        (f"W/{TAG}", True),
        (TAG[:-1] + '-gzip"', True),
        (TAG[:-1] + '-zstd"', True),
        (TAG[:-1] + '-br"', False),
        ("*", True),
        (f'"other", {TAG}', True),
        (f'"other",{TAG}, "third"', True),
        ('"other"', False),
        (TAG[1:-1], False),
        ('"', False),
        ("", False),
    ],
)
def test_if_none_match_is_a_list_compared_weakly(header: str, known: bool) -> None:
    for tag in (TAG, f"W/{TAG}"):
        assert conditions.is_known(sent(("If-None-Match", header)), tag) is known
    assert conditions.is_known(sent(("If-None-Match", '"x"'), ("If-None-Match", header)), TAG) is (
        known and header != "*"
    )


def test_without_if_none_match_nothing_is_known() -> None:
    assert not conditions.is_known(sent(), TAG)


@pytest.mark.parametrize(
    ("header", "tag", "passes"),
    [
        (TAG, TAG, True),
        (TAG[:-1] + '-gzip"', TAG, True),
        (f"W/{TAG}", TAG, False),
        (f"W/{TAG}", f"W/{TAG}", True),
        ("*", TAG, True),
        ('"other"', TAG, False),
    ],
)
def test_if_match_of_a_get_is_compared_strongly_but_for_weak_tags(header: str, tag: str, passes: bool) -> None:
    if passes:
        conditions.check_read(sent(("If-Match", header)), tag)
        return
    with pytest.raises(Problem) as caught:
        conditions.check_read(sent(("If-Match", header)), tag)
    assert (caught.value.status, caught.value.reason) == (412, "PRECONDITION_FAILED")


def test_if_match_of_a_write_goes_to_the_core_as_one_list() -> None:
    write = route("PATCH", "/v1/projects/x")
    assert conditions.metadata(write, sent(("If-Match", TAG), ("If-Match", '"b"'))) == {"if-match": f'{TAG}, "b"'}
    assert conditions.metadata(write, sent()) == {}
    assert conditions.metadata(route("GET", "/v1/projects/x"), sent(("If-Match", TAG))) == {}


@pytest.mark.parametrize(
    ("name", "value"),
    [("If-None-Match", "*"), ("If-Match", '"é"'), ("If-Match", '"' + "a" * 1100 + '"'), ("If-Match", "")],
)
def test_what_a_write_cannot_keep_is_refused(name: str, value: str) -> None:
    with pytest.raises(Problem) as caught:
        conditions.metadata(route("PATCH", "/v1/projects/x"), sent((name, value)))
    assert (caught.value.status, caught.value.details["parameter"]) == (400, name)


def test_the_documented_pattern_takes_what_if_match_may_be() -> None:
    for text in ("*", TAG, f"W/{TAG}", f'{TAG}, W/"b" ,"c"', '""'):
        assert re.fullmatch(conditions.TAGS, text), text
    for text in ("", "**", "a", '"a', f"{TAG} {TAG}", '"a b"'):
        assert not re.fullmatch(conditions.TAGS, text), text
