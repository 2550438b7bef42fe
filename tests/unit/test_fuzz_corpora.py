"""The corpora of the fuzzing, replayed: each input is taken or refused, as it once was."""

from __future__ import annotations

import importlib
import itertools
from collections import Counter
from random import Random
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


_EXPRESSIONS = 10_000
_LEAVES = ("span", "load", "t", "x", "odd", "flag", "kind", "2", "0.5", "30 ft", "-40 degF", "9", "1e300", "'steel'")
_JOINTS = (" + ", " - ", " * ", " / ", " ** ", " < ", " <= ", " == ", " != ", " and ", " or ", ", ")
_AROUND = ("({})", "-{}", "not {}", "min({})", "sqrt({})", "abs({})", "log({})", "{}.real", "[{}]", "{}(x)", "f'{}'")


def _made_up(random: Random, depth: int) -> str:
    """Return an expression of up to `depth` levels: of often fitting, seldom of forbidden parts."""
    if depth == 0 or random.random() < 0.2:
        return random.choice(_LEAVES)
    if random.random() < 0.4:
        return random.choice(_AROUND).format(_made_up(random, depth - 1))
    return f"{_made_up(random, depth - 1)}{random.choice(_JOINTS)}{_made_up(random, depth - 1)}"


def _spoilt(random: Random, data: bytes) -> bytes:
    """Return an input with some of its bytes left out, repeated or replaced."""
    changed = bytearray(data)
    for _ in range(random.randint(1, 4)):
        first, behind = sorted(random.choices(range(len(changed) + 1), k=2))
        changed[first:behind] = random.choice([b"", changed[first:behind] * 2, random.randbytes(2), b"(", b"9"])
    return bytes(changed)


def test_ten_thousand_new_expressions_are_taken_or_refused() -> None:
    from fuzz.targets import expression

    random = Random(29)
    known = itertools.cycle(sorted((CORPORA / "expression").iterdir()))
    made = [_made_up(random, 4).encode() for _ in range(_EXPRESSIONS // 2)]
    spoilt = [_spoilt(random, file.read_bytes()) for file in itertools.islice(known, _EXPRESSIONS // 2)]
    found = Counter(map(expression.run, made + spoilt))
    assert found.total() == _EXPRESSIONS
    assert found["taken"] > _EXPRESSIONS / 20
    assert found["refused"] > _EXPRESSIONS / 2


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
