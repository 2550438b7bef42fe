"""Trees of assets and types: no circle, no dangling parent, a bounded depth."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catenary_core.call.errors import DomainError
from catenary_core.services.parameter.types import rules


@st.composite
def _forests(draw: st.DrawFn) -> dict[str, str | None]:
    """Each row with what is above it, which came before it."""
    size = draw(st.integers(1, 40))
    parents: dict[str, str | None] = {"0": None}
    for n in range(1, size):
        parents[str(n)] = draw(st.none() | st.sampled_from(sorted(parents)))
    return parents


def _way(id_: str | None, parents: dict[str, str | None]) -> list[str]:
    return [] if id_ is None else [id_, *_way(parents[id_], parents)]


@given(_forests(), st.data())
def test_a_move_is_allowed_just_when_the_tree_stays_one(parents: dict[str, str | None], data: st.DataObject) -> None:
    own, above = data.draw(st.sampled_from(sorted(parents))), data.draw(st.sampled_from(sorted(parents)))
    refusal = _refusal(own, above, parents)
    if own in _way(above, parents):
        assert refusal == "cycle"
    else:
        moved = {**parents, own: above}
        depth = max(len(_way(id_, moved)) for id_ in moved if own in _way(id_, moved))
        assert refusal == ("depth" if depth > rules.MAX_LEVELS else None)


def _refusal(own: str, above: str, parents: dict[str, str | None]) -> Any:
    try:
        rules.check_parent("parent_id", above, own, parents, "asset")
    except DomainError as error:
        return error.details["constraint"]
    return None


def test_an_unknown_parent_is_refused() -> None:
    with pytest.raises(DomainError) as caught:
        rules.check_parent("parent_id", "x", "a", {"a": None}, "asset")
    assert caught.value.details == {"parameter": "parent_id", "value": "x", "constraint": "unknown"}


@given(_forests())
def test_a_nested_tree_has_each_row_below_the_root_once(parents: dict[str, str | None]) -> None:
    root = "0"
    below = [id_ for id_ in parents if root in rules.levels_above(id_, parents)]
    rows: list[dict[str, Any]] = [{"id": id_, "parent": parents[id_]} for id_ in below]
    seen: list[str] = []

    def walk(node: dict[str, Any]) -> None:
        seen.append(node["id"])
        for child in node["children"]:
            assert child["parent"] == node["id"]
            walk(child)

    walk(rules.nested(rows, root, "parent"))
    assert sorted(seen) == sorted(below)
