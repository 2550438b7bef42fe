"""Filters of lists by ids."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.sql.elements import ColumnElement

from catenary_core.database.columns import Id
from catenary_core.resources import pages
from catenary_core.resources.listing import Listing

_ONE = "one_"


def ids(name: str) -> sa.BindParameter[Any]:
    """Build the parameter for a filter's list of ids."""
    return sa.bindparam(name, type_=sa.ARRAY(Id))


def by_ids(name: str, column: ColumnElement[Any]) -> dict[str, ColumnElement[bool]]:
    """Build the filters by ids of a column that leads an index: by several ids, and by one.

    A single id is compared by `=`, so that the index also gives the order.
    """
    return {name: column == sa.any_(ids(name)), f"{_ONE}{name}": column == sa.bindparam(f"{_ONE}{name}", type_=Id)}


def given(listing: Listing[Any], request: Any, names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return the filters that a request gives, as `pages.filters_of`; a list of one id uses the filter by one."""
    found: dict[str, dict[str, Any]] = {}
    for name, parameters in pages.filters_of(request, *names).items():
        one, values = f"{_ONE}{name}", parameters[name]
        if one in listing.filters and len(values) == 1:
            found[one] = {one: values[0]}
        else:
            found[name] = parameters
    return found
