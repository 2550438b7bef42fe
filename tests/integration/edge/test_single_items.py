"""A route that takes one object or a list of them speaks of the object's fields as the caller wrote them."""

from __future__ import annotations

from typing import Any

import grpc
import pytest

from catenary_wire.sentences import Fields, Sentence
from fixtures.edge.stand_in import Refusal
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
