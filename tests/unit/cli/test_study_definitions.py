"""The request of a study from a file and options, and the texts that tell what a study found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from catenary_cli.exploration import findings
from catenary_cli.exploration.definitions import StudyOptions, request
from catenary_cli.exploration.points import Output

_NONE: dict[str, Any] = {
    "minimize": (), "maximize": (), "measure": (), "constraints": (), "vary": (), "fix": (), "algorithm": None,
    "population": None, "budget": None, "seed": None, "on_failure": None,
    "name": None, "note": None, "stop": {},
}  # fmt: skip


def _options(**given: Any) -> StudyOptions:
    return StudyOptions(**_NONE | given)


def test_options_make_the_request_of_a_search() -> None:
    given = _options(
        minimize=["mass"],
        maximize=["area / mass"],
        constraints=["mass <= 2e3", "span <= 30 ft", "a < b"],
        vary=["span=4..12", "grade=a,b"],
        fix=["lit=true", "width=3 ft"],
        budget=500,
        seed=0,
        algorithm="nsga2",
    )
    assert request(None, given) == {
        "kind": "optimization",
        "objectives": [
            {"direction": "minimize", "metric": "mass"},
            {"direction": "maximize", "expression": "area / mass"},
        ],
        "constraints": [
            {"metric": "mass", "op": "<=", "value": 2000.0},
            {"expression": "span <= 30 ft"},
            {"expression": "a < b"},
        ],
        "parameters": {
            "span": {"min": 4, "max": 12},
            "grade": {"choices": ["a", "b"]},
            "lit": {"fixed": True},
            "width": {"fixed": {"value": 3, "unit": "ft"}},
        },
        "algorithm": "nsga2",
        "budget": 500,
        "seed": 0,
    }


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "study.toml",
            'budget = 9\nkind = "optimization"\n[[objectives]]\nmetric = "mass"\n[parameters.span]\nmin = 4\n',
        ),
        ("study.json", '{"budget": 9, "objectives": [{"metric": "mass"}], "parameters": {"span": {"min": 4}}}'),
    ],
)
def test_options_take_the_place_of_what_a_file_says(name: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text(text)
    plain = {
        "kind": "optimization",
        "budget": 9,
        "objectives": [{"metric": "mass"}],
        "parameters": {"span": {"min": 4}},
    }
    assert request(file, _options()) == plain
    changed = request(file, _options(measure=["mass"], budget=80))
    assert changed == plain | {"kind": "sensitivity", "budget": 80}


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("study.json", "budget = 9", "is no JSON"),
        ("study.toml", "{", "is no TOML"),
        ("study.json", "[1]", "is no study"),
        ("study.toml", "", "say what the study is for"),
    ],
)
def test_a_file_that_is_no_study_is_refused(name: str, text: str, told: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text(text)
    with pytest.raises(ValueError, match=told):
        request(file, _options())


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"budget": 5}, "say what the study is for"),
        ({"minimize": ["mass"]}, "say how many points"),
        ({"minimize": ["mass"], "measure": ["mass"], "budget": 5}, "measures or searches"),
        ({"minimize": ["mass"], "vary": ["span"], "fix": ["span=3"], "budget": 5}, "span is given twice"),
        ({"minimize": ["mass"], "vary": ["span=4..6 ft"], "budget": 5}, "own unit"),
    ],
)
def test_options_that_make_no_study_are_refused_with_the_way_out(given: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        request(None, _options(**given))


def test_a_line_of_bars_has_the_ends_of_equal_parts() -> None:
    assert findings.sparkline([1.0]) == "▁"
    assert findings.sparkline([0.0, 1.0, 0.5, 1.0]) == "▁█▅█"
    assert findings.sparkline([3.0, 3.0]) == "▁▁"
    long = findings.sparkline([float(number) for number in range(1, 401)])
    assert (len(long), long[0], long[-1]) == (40, "▁", "█")


def test_indices_are_ordered_by_how_much_they_count(capsys: pytest.CaptureFixture[str]) -> None:
    def index(name: str, **values: float) -> dict[str, Any]:
        keys = ("mu_star", "mu_star_confidence", "sigma", "s1", "s1_confidence", "st", "st_confidence")
        return {"parameter": name, **dict.fromkeys(keys)} | values

    found = {
        "objective": {"metric": "mass", "expression": None},
        "used": 512,
        "left_out": 0,
        "parameters": [
            index("a", s1=0.0, st=0.244, s1_confidence=0.01, st_confidence=0.02),
            index("b", s1=0.314, st=0.558, s1_confidence=0.02, st_confidence=0.03),
            index("c"),
        ],
    }
    findings.print_indices([found], Output("table", rows=20))
    printed = capsys.readouterr().out.splitlines()
    rows = [[cell.strip() for cell in line.strip("│").split("│")] for line in printed if "│" in line]
    assert printed[0] == "mass (512 base points)"
    assert rows == [
        ["b", "0.314 ± 0.02", "0.558 ± 0.03", "█" * 11],
        ["a", "0 ± 0.01", "0.244 ± 0.02", "█" * 5],
        ["c", "-", "-", ""],
    ]
    findings.print_indices([found], Output("csv", rows=20))
    assert capsys.readouterr().out.splitlines()[2] == "mass,b,,,,0.314,0.02,0.558,0.03"


def test_names_and_rules_of_options_take_the_place_of_the_files(tmp_path: Path) -> None:
    file = tmp_path / "study.toml"
    file.write_text('name = "Old"\nbudget = 9\n[[objectives]]\nmetric = "mass"\n[stop]\nseconds = 9\n')
    kept = request(file, _options())
    assert (kept["name"], kept["stop"]) == ("Old", {"seconds": 9})
    changed = request(file, _options(name="New", stop={"stalled_generations": 3}))
    assert (changed["name"], changed["stop"]) == ("New", {"stalled_generations": 3})


def test_the_state_tells_name_reason_and_what_stopped_it(capsys: pytest.CaptureFixture[str]) -> None:
    counts = dict.fromkeys(("total", "queued", "running", "failed", "timed_out", "cancelled", "cached"), 0)
    study = {
        "study_id": "s", "status": "completed", "kind": "optimization", "algorithm": "nsga2", "seed": 1, "population": 8,
        "objectives": [{"metric": "mass", "expression": None, "direction": "minimize"}], "budget": 100, "error": None,
        "counts": {**counts, "completed": 24}, "front_size": 1, "generation": 3, "hypervolume": [], "expected_end": None,
        "name": "Slender", "note": "For Friday.", "stop": {"seconds": 60, "stalled_generations": 2},
        "stopped_by": "stalled_generations", "algorithm_reason": "Because.",
    }  # fmt: skip
    findings.print_state(study)
    shown = " ".join(capsys.readouterr().out.split())
    assert "completed since its generations stalled" in shown
    for text in ("Slender", "For Friday.", "Because.", "after 60 seconds, or after 2 generations without growth"):
        assert text in shown
