"""Addresses of people's pages."""

from __future__ import annotations

import pytest

from catenary_core.call.errors import DomainError
from catenary_core.services.identity.people.rules import check_page_url


@pytest.mark.parametrize("url", ["", "https://people.example/ada", "http://people.example:8080/?q=1#x"])
def test_an_absolute_web_address_or_nothing_is_taken(url: str) -> None:
    check_page_url("my_people_page_url", url)


@pytest.mark.parametrize(
    "url",
    [
        "people.example",
        "//people.example",
        "/ada",
        "ftp://people.example",
        "javascript:alert(1)",
        "https://",
        "https://ada:secret@people.example",
        "https://@people.example",
        "https://people.example/\r\nx",
        "https://people.example/a b",
        "https://people.example:99999",
        "https://people.example:x",
        "https://[::1",
        " https://people.example",
    ],
)
def test_anything_else_is_refused_without_being_repeated(url: str) -> None:
    with pytest.raises(DomainError) as refused:
        check_page_url("my_people_page_url", url)
    assert refused.value.details["value"] is None
    assert url not in refused.value.message
