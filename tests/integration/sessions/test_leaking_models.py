"""A session whose model leaks: its processes are replaced, and each design has its own numbers."""

from __future__ import annotations

import psutil
import pytest

from catenary.platform.v1 import evaluation_pb2
from factories.installations.serving import working
from factories.services.evaluations import run_sql
from factories.sessions.explorer import MODEL, deployed, exploring
from integration.sessions.conftest import Place

# Slow: some 40 s each.
pytestmark = [pytest.mark.sampled, pytest.mark.slow]

DESIGNS = 10_000
LEAKS = {"memory": b"bytearray(4 << 20)", "descriptors": b"open(os.devnull)"}


@pytest.mark.parametrize("place", [False], indirect=True, ids=["in one process"])
@pytest.mark.parametrize("leak", LEAKS.values(), ids=LEAKS)
async def test_ten_thousand_designs_of_a_leaking_model_are_right(
    place: Place, monkeypatch: pytest.MonkeyPatch, leak: bytes
) -> None:
    source = MODEL.replace(b"def evaluate(p):", b"seen = []\n\ndef evaluate(p):\n    seen.append(%b)" % leak)
    version = await deployed(place.here, monkeypatch, place.project_id, source)
    db = place.here.core.frame.db
    await run_sql(db, "UPDATE models.model_version SET repeatable = true")
    async with working(place.here.node), exploring(place.here, place.owner, place.project_id) as explorer:
        await explorer.receive()
        held = []
        for id_ in range(DESIGNS):
            span = 1 + id_ % 100 / 2
            await explorer.send(id_, {"span": span})
            answer = await explorer.receive()
            assert (answer.id, answer.evaluation.status) == (id_, evaluation_pb2.EVALUATION_STATUS_COMPLETED), answer
            assert float(answer.evaluation.metrics["mass"].value.text) == 100 * span
            if id_ % 1_000 == 999:
                held.append(psutil.Process().num_fds())
    assert max(held) - min(held) < 20, "the worker, which is in this process, closes what its processes used"
    (row,) = await run_sql(db, "SELECT repeatable FROM models.model_version WHERE model_version_id = :v", v=version)
    assert row["repeatable"], "what runs out says nothing of the model"
