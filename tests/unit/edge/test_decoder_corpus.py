"""The corpus of the decoder's fuzzing, replayed: what once went through goes through."""

from __future__ import annotations

import pytest

from catenary_edge.errors.fault import Fault
from fuzz.decoder import ROOT, decode

CORPUS = sorted((ROOT / "tests" / "fuzz" / "corpus").iterdir())


def test_every_input_of_the_corpus_is_taken_or_refused() -> None:
    assert {decode(file.read_bytes()) for file in CORPUS} == {"taken", "refused"}
    assert len(CORPUS) > 15


def test_a_fault_of_the_decoder_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(self: Fault) -> None:
        raise KeyError("canary")

    monkeypatch.setattr(Fault, "problem", failing)
    with pytest.raises(KeyError):
        _ = [decode(file.read_bytes()) for file in CORPUS]
