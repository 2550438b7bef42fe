"""The rules of the data services that need no rows."""

from __future__ import annotations

from typing import Any

import pytest

from catenary_core.call.errors import DomainError
from catenary_core.services.environment.rules import merge_number
from catenary_core.services.reference.rules import check_date


def date(day: str | None, month: str | None, year: str | None) -> dict[str, Any]:
    return {"date_day": day, "date_month": month, "date_year": year}


@pytest.mark.parametrize(
    "given",
    [
        date("31", "1", "2027"),
        date("29", "02", "2028"),
        date("29", "2", "2000"),
        date("29", "2", None),
        date("31", None, "2027"),
        date(None, "2", "2027"),
        date(None, None, None),
    ],
)
def test_a_day_that_may_exist_is_taken(given: dict[str, Any]) -> None:
    check_date(given)


@pytest.mark.parametrize(
    "given", [date("31", "4", None), date("30", "2", None), date("29", "2", "2027"), date("29", "2", "1900")]
)
def test_a_day_that_no_calendar_has_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(DomainError) as caught:
        check_date(given)
    assert caught.value.details["parameter"] == "date_day"


def test_the_two_names_of_a_number_become_one() -> None:
    for given in ({"number": "1"}, {"project_number": "1"}, {"number": "1", "project_number": "1"}):
        values: dict[str, Any] = dict(given)
        merge_number(values)
        assert values == {"project_number": "1"}
    empty: dict[str, Any] = {}
    merge_number(empty)
    assert empty == {}
    with pytest.raises(DomainError) as caught:
        merge_number({"number": "1", "project_number": "2"})
    assert caught.value.details["parameter"] == "number"
