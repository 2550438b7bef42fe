"""The names of geometry that is not made: what the child tells, and what its host and the core believe of it."""

from __future__ import annotations

from typing import Any

import pytest

from catenary.worker.v1 import worker_service_pb2 as pb
from catenary_core.call.errors import DomainError
from catenary_core.call.validation import check
from catenary_core.services.worker import outcome
from catenary_wire.model_limits import MOST_PARTS
from catenary_worker import completion, received
from catenary_worker.geometry import shapes
from catenary_worker.task import Outcome, Task

DESCRIPTION: Any = {"parameters": [], "metrics": [], "constraints": [], "geometry_unit": None}
TASK = Task("evaluate", "python", b"", description=DESCRIPTION, geometry=False)


def _told(*unmade: Any, task: Task = TASK) -> Outcome:
    header = {"status": "completed", "metrics": {}, "tables": {}, "geometry": [], "unmade": list(unmade), "blobs": []}
    return received.outcome(task, header, received.announced(task, header).geometry, [])


def test_names_are_told_with_their_formats() -> None:
    assert shapes.names({"tower": object(), "": 1, 5: 1, "deck": {"parts": {}}, "mast": {"mesh": "x"}}) == [
        {"name": "tower", "step": False},
        {"name": "deck", "step": False},
        {"name": "mast", "step": False},
    ]
    assert len(shapes.names({f"p{number}": 1 for number in range(1000)})) == MOST_PARTS
    found = _told({"name": "tower", "step": True}, {"name": "deck", "step": False})
    assert found.unmade == [("tower", "glb"), ("tower", "step"), ("deck", "glb")]
    message = completion.point(3, found).outcome
    assert [(one.name, one.format) for one in message.unmade] == found.unmade


@pytest.mark.parametrize(
    "unmade",
    [
        ["tower"],
        [{"name": "../x", "step": False}],
        [{"name": 5, "step": False}],
        [{"name": "tower"}],
        [{"name": "tower", "step": 1}],
        [{"name": "tower", "step": False}] * 2,
        [{"name": f"p{number}", "step": False} for number in range(MOST_PARTS + 1)],
    ],
    ids=str,
)
def test_a_child_is_not_believed_names_that_are_none(unmade: list[Any]) -> None:
    with pytest.raises(received.DamagedError):
        _told(*unmade)


def test_with_geometry_no_names_are_read() -> None:
    task = Task("evaluate", "python", b"", description=DESCRIPTION)
    assert _told({"name": "../x", "step": False}, task=task).unmade == []


@pytest.mark.parametrize(
    ("names", "status"),
    [
        ([("../x", "glb")], "completed"),
        ([("tower", "stl")], "completed"),
        ([("tower", "glb"), ("tower", "glb")], "completed"),
        ([("tower", "glb")], "failed"),
        ([(f"p{number}", "glb") for number in range(2 * MOST_PARTS + 1)], "completed"),
    ],
)
async def test_a_worker_is_not_believed_names_that_are_none(names: list[tuple[str, str]], status: str) -> None:
    made = pb.Outcome(status=status, unmade=[pb.UnmadeGeometry(name=name, format=form) for name, form in names])
    if status == "failed":
        made.error.text = '{"code": "MODEL_FAILED", "message": "x", "line": null}'
    else:
        for part in ("metrics", "constraints", "tables"):
            getattr(made, part).text = "{}"
    with pytest.raises(DomainError):
        await _taken(made)


async def _taken(made: pb.Outcome) -> None:
    check(made)
    await outcome.read(made, "digest")
