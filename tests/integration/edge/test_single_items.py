"""A route that takes one object or a list of them speaks of the object's fields as the caller wrote them."""

from __future__ import annotations

from typing import Any

import grpc
import pytest

from catenary_wire.sentences import Fields, Sentence
from fixtures.edge.stand_in import PROJECT_ID, Refusal
from integration.edge.conftest import Running

CREATE = "/catenary.parameter.v1.AssetService/CreateAssets"
PATH = "/parameter/v1/assets"


@pytest.mark.parametrize(
    ("one", "shown"),
    [
        ({"name": 7}, "name must be"),
        ({"nothing": 7}, "nothing "),
        ({"project_id": "x"}, "project_id must have"),
        ({}, "project_id must have"),
    ],
)
async def test_faults_name_the_fields_of_one_object_without_a_list(
    either: Running, one: dict[str, Any], shown: str
) -> None:
    field = "assets[0].project_id"
    either.core.on(
        CREATE,
        Refusal(
            grpc.StatusCode.INVALID_ARGUMENT,
            f"{field} must have an id.",
            "VALIDATION_ERROR",
            metadata={"parameter": f'"{field}"'},
            violations=((field, f"{field} must have an id.", "UUID"),),
            sentence=Sentence("{field} must have an id.", {"field": Fields(field)}),
        ),
    )
    status, _, body = await either.send("POST", PATH, json=one)
    assert status == 400
    assert body["details"].startswith(shown)
    assert "assets[0]" not in str(body)
    status, _, body = await either.send("POST", PATH, json={"assets": [one]})
    assert status == 400
    assert body["details"].startswith("assets[0]." + shown), "who sent a list reads of it"


def _two_faults() -> Refusal:
    """Return a refusal of two items, for a symbol and a unit type."""
    symbol, kind = "units[0].symbol", "units[1].unit_type_id"
    sentences = (
        Sentence("{field} is too long.", {"field": Fields(symbol)}),
        Sentence("{field} is none; see {symbol}.", {"field": Fields(kind), "symbol": Fields("symbol")}),
    )
    return Refusal(
        grpc.StatusCode.INVALID_ARGUMENT,
        str(sentences[0]),
        "VALIDATION_ERROR",
        metadata={"parameter": f'"{symbol}"'},
        violations=((symbol, str(sentences[0]), "MAX_LEN"), (kind, str(sentences[1]), "UNKNOWN")),
        sentence=sentences[0],
        sentences=sentences,
    )


async def test_a_data_service_tells_every_fault_in_a_line_of_its_own(either: Running) -> None:
    either.core.on("/catenary.parameter.v1.UnitService/CreateUnits", _two_faults())
    unit = {"symbol": "m", "unit_type_id": PROJECT_ID, "unit_system_id": PROJECT_ID}
    status, _, body = await either.send("POST", "/parameter/v1/units", json={"units": [unit, unit]})
    assert status == 400
    assert body["details"].split("\n") == ["units[0].symbol is too long.", "units[1].unit_type_id is none; see symbol."]


async def test_an_edge_without_the_templates_of_all_faults_tells_their_texts(either: Running) -> None:
    """A core of the release before sends no templates."""
    rules = (("units[0].symbol", "It is too long.", "MAX_LEN"), ("units[1].symbol", "This too.", "MAX_LEN"))
    refused = Refusal(grpc.StatusCode.INVALID_ARGUMENT, "It is too long.", "VALIDATION_ERROR", violations=rules)
    either.core.on("/catenary.parameter.v1.UnitService/CreateUnits", refused)
    unit = {"symbol": "m", "unit_type_id": PROJECT_ID, "unit_system_id": PROJECT_ID}
    _, _, body = await either.send("POST", "/parameter/v1/units", json={"units": [unit, unit]})
    assert body["details"] == "It is too long.\nThis too."
