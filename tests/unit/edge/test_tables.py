"""Lists as CSV: columns from the descriptor, RFC 4180, and no formula for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import AsyncIterator
from typing import Any

import orjson
import pytest

from catenary_edge import versions
from catenary_edge.openapi import columns
from catenary_edge.transcoding.tables import Column, Table
from catenary_wire import csv_cells

ROUTES = versions.build().routes
COLUMNS = columns.of_lists(ROUTES)


def columns_of(path: str) -> tuple[Column, ...]:
    return next(found for route, found in COLUMNS.items() if route.template.text == path)


AUDIT = columns_of("/v1/audit")
ENTRY: dict[str, Any] = {
    "sequence": 7,
    "occurred_at": "2030-01-31T12:00:00.000000Z",
    "actor": {"user_id": "0199aaaa-0000-7000-8000-000000000001", "staff_name": "Robin"},
    "credential_id": None,
    "address": "192.0.2.7",
    "action": "login",
    "subject": None,
    "outcome": "ok",
    "count": 1,
    "request_id": "r",
    "details": {"settings": ["a", "b"]},
    "chain_sequence": None,
}
FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", '=HYPERLINK("https://x","y")']  # noqa: RUF001


def read(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode(), newline=""), strict=True))


def named(name: str) -> dict[str, Any]:
    return ENTRY | {"actor": ENTRY["actor"] | {"staff_name": name}}


def test_each_field_and_each_field_of_an_object_has_a_column() -> None:
    header, first, second = read(
        Table(AUDIT).encode({"entries": [ENTRY, ENTRY | {"actor": None}], "next_cursor": None})
    )
    assert header == [
        "sequence", "occurred_at", "actor.user_id", "actor.staff_name", "credential_id", "address", "action", "subject",
        "outcome", "count", "request_id", "details", "chain_sequence",
    ]  # fmt: skip
    assert dict(zip(header, first, strict=True)) == {
        "sequence": "7", "occurred_at": "2030-01-31T12:00:00.000000Z", "actor.user_id": ENTRY["actor"]["user_id"],
        "actor.staff_name": "Robin", "credential_id": "", "address": "192.0.2.7", "action": "login", "subject": "",
        "outcome": "ok", "count": "1", "request_id": "r", "details": '{"settings":["a","b"]}', "chain_sequence": "",
    }  # fmt: skip
    assert second[2:4] == ["", ""]


def test_free_json_is_the_same_from_both_kinds_of_core() -> None:
    apart = ENTRY | {"details": orjson.Fragment(b'{"settings":["a","b"]}')}
    assert Table(AUDIT).encode({"entries": [apart]}) == Table(AUDIT).encode({"entries": [ENTRY]})


def test_a_text_or_null_in_free_json_is_a_cell_of_text_from_both_kinds_of_core() -> None:
    table = Table([("default",)])
    for text, value in ((b'"a"', "a"), (b'"=1"', "=1"), (b"null", None), (b"1.5", 1.5), (b"[1]", [1]), (b"true", True)):
        apart, here = ({"parameters": [{"default": one}]} for one in (orjson.Fragment(text), value))
        assert table.encode(apart) == table.encode(here)
    assert read(table.encode({"parameters": [{"default": orjson.Fragment(b'"=1"')}]}))[1] == ["'=1"]


def test_lists_maps_and_numbers_of_other_lists_are_cells() -> None:
    table = Table(columns_of("/v1/projects/{project_id}/evaluations"))
    item = {"metrics": {"mass": {"value": -1.5, "unit": "kg"}}}
    header, row = read(table.encode({"evaluations": [item]}))
    assert row[header.index("metrics")] == '{"mass":{"value":-1.5,"unit":"kg"}}'


def test_texts_with_separators_quotes_and_lines_come_back() -> None:
    names = ["a,b", 'say "x"', "two\r\nlines", "two\nlines", "é, 漢", "", " ", "a\rb"]
    data = Table(AUDIT).encode({"entries": [named(name) for name in names]})
    assert [row[3] for row in read(data)[1:]] == names
    assert data.endswith(b"\r\n")
    assert data.count(b"\r\n") == len(names) + 2  # each row, the header, and one inside a text


def test_an_empty_page_has_the_names_of_the_columns() -> None:
    assert len(read(Table(AUDIT).encode({"entries": [], "next_cursor": None}))) == 1


@pytest.mark.parametrize("name", FORMULAS)
def test_no_text_is_a_formula_and_without_the_apostrophe_it_would_be(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(AUDIT)
    assert read(table.encode({"entries": [named(name)]}))[1][3] == f"'{name}"
    monkeypatch.setattr(csv_cells, "_FORMULA", ())
    assert read(table.encode({"entries": [named(name)]}))[1][3] == name


def test_numbers_stay_numbers() -> None:
    assert read(Table(AUDIT).encode({"entries": [ENTRY | {"count": -1}]}))[1][9] == "-1"


def test_an_object_inside_itself_and_a_list_of_lists_are_cells() -> None:
    assert ("parent",) in columns_of("/parameter/v1/assets")
    (whole,) = columns_of("/parameter/v1/assets/{asset_ids}/hierarchy")
    assert read(Table([whole]).encode({"hierarchies": [[{"id": "a"}], []]})) == [["item"], ['[{"id":"a"}]'], ["[]"]]


async def test_a_list_in_parts_has_one_header_and_the_bytes_of_the_whole() -> None:
    async def rest() -> AsyncIterator[dict[str, Any]]:
        yield {"entries": [named("c")]}
        yield {"entries": [named("d"), named("=e")]}

    table = Table(AUDIT)
    found = [piece async for piece in table.pieces({"entries": [named("a"), named("b")], "paging": None}, rest())]
    assert b"".join(found) == table.encode({"entries": [named(name) for name in ("a", "b", "c", "d", "=e")]})


def test_an_older_version_has_columns_of_its_own() -> None:
    newest, older = (columns_of(f"/parameter/{version}/units") for version in ("v1", "v0"))
    assert (("symbol",) in newest, ("symbol",) in older, ("name",) in older) == (True, False, True)
    assert ("created_by", "staff_id") in columns_of("/parameter/v0/item_types")


def test_every_list_has_a_table() -> None:
    """Each read that answers with a list first has columns, with names of their own; of results a download has them."""
    lists = [route for route in ROUTES if route.is_list or route.paged or route.is_list_in_parts]
    without = {route.template.text for route in lists if route not in COLUMNS and route.method == "GET"}
    assert {path.removeprefix("/v1").removeprefix("/v2") for path in without} == {
        "/studies/{study_id}/results",
        "/plans/{plan_id}/points",
    }
    for route, found in COLUMNS.items():
        assert len({".".join(column) for column in found}) == len(found) > 0, route.template.text
    assert len(COLUMNS) > 100


def test_what_is_no_list_has_no_table() -> None:
    def has_table(path: str) -> bool:
        return next(route for route in ROUTES if (route.method, route.template.text) == ("GET", path)).has_table

    assert has_table("/v1/projects")
    assert not has_table("/v1/projects/{project_id=*}".replace("=*", ""))
    assert not has_table("/v1/events")
    assert not has_table("/.well-known/jwks.json")
    assert not any(route.has_table for route in ROUTES if route.method != "GET")
