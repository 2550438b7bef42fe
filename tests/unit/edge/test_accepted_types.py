"""Which media type a list has by the request's Accept."""

from __future__ import annotations

import pytest

from catenary_edge.http.accepted_types import prefers_csv


@pytest.mark.parametrize(
    "header",
    [
        "text/csv",
        "TEXT/CSV",
        "text/csv; header=present",
        "text/csv;q=0.001",
        "text/csv, */*",
        "text/csv, application/json;q=0.9",
        "text/*",
        "*/*;q=0.5, text/*;q=0.8",
        "text/csv ; Q = 0.9 , application/json; q=0.8",
    ],
)
def test_a_table_is_given_to_who_names_it_before_json(header: str) -> None:
    assert prefers_csv([header])


@pytest.mark.parametrize(
    "header",
    [
        "",
        ",",
        "*/*",
        "application/json",
        "application/json, text/csv",
        "text/csv, application/json",
        "text/csv;q=0",
        "text/csv;q=0, */*",
        "text/csv;q=0.5, */*",
        "text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8",
        "text/csv;q=0.5, application/json;q=0.6",
        "text/*;q=0.8, */*;q=0.9",
        "text/csvx",
    ],
)
def test_json_is_given_to_all_others(header: str) -> None:
    assert not prefers_csv([header])


def test_several_headers_are_one_list() -> None:
    assert prefers_csv(["application/json;q=0.1", "text/csv"])
    assert not prefers_csv([])
