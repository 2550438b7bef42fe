"""The corpora of the fuzzing, replayed: each input is taken or refused, as it once was."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from catenary_core.services.evaluations import glb_conversion
from catenary_core.services.models import declarations
from catenary_core.services.worker import outcome
from catenary_edge.errors.fault import Fault
from catenary_edge.live import masking
from catenary_worker.geometry import measures
from catenary_worker.models import archive
from fuzz.run import CORPORA, TARGETS


def _outcomes(name: str) -> list[str]:
    target: Any = importlib.import_module(f"fuzz.targets.{name}")
    return [target.run(file.read_bytes()) for file in sorted((CORPORA / name).iterdir())]


@pytest.mark.parametrize("name", TARGETS)
def test_every_input_of_a_corpus_is_taken_or_refused(name: str) -> None:
    assert set(_outcomes(name)) == {"taken", "refused"}


def test_each_corpus_has_a_target() -> None:
    assert sorted(folder.name for folder in CORPORA.iterdir()) == list(TARGETS)


@pytest.mark.parametrize(
    ("name", "module", "attribute"),
    [
        ("chunk_results", outcome, "_metric"),
        ("decoder", Fault, "problem"),
        ("explore", Fault, "problem"),
        ("glb", glb_conversion, "_write_stl"),
        ("literals", declarations, "normalised"),
        ("results", measures, "measure"),
        ("websocket", masking, "_LENGTH_BYTES"),
        ("zip", archive, "_UNREADABLE"),
    ],
)
def test_a_fault_of_a_reader_would_be_seen(
    monkeypatch: pytest.MonkeyPatch, name: str, module: Any, attribute: str
) -> None:
    monkeypatch.setattr(module, attribute, None)
    with pytest.raises((TypeError, AttributeError)):
        _outcomes(name)
