"""What commands show of a front: a drawing over two objectives, and the best values while a search runs."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from catenary_cli import show
from catenary_cli.exploration import findings
from catenary_cli.exploration.front_plot import Mark, drawing
from catenary_cli.exploration.points import Output

STUDY: dict[str, Any] = {
    "objectives": [
        {"metric": "mass", "expression": None, "direction": "minimize"},
        {"metric": None, "expression": "area / mass", "direction": "maximize"},
        {"metric": "sag", "expression": None, "direction": "minimize"},
    ],
    "hypervolume": [{"generation": 1, "hypervolume": None}, {"generation": 2, "hypervolume": 2.0}],
}


def _point(index: int, *values: float | None) -> dict[str, Any]:
    return {
        "index": index,
        "status": "completed",
        "parameters": {"span": float(index)},
        "metrics": {"mass": {"value": values[0], "unit": "kg"}, "sag": {"value": values[2], "unit": "mm"}},
        "constraints": {},
        "objectives": [{"value": value} for value in values],
        "error": None,
    }


FRONT = [_point(3, 100.0, 5.0, 2.0), _point(5, 300.0, 15.0, 1.0), _point(8, 150.0, 14.0, 8.0)]


def test_a_drawing_has_each_mark_at_its_place() -> None:
    lines = drawing([Mark(0.0, 10.0), Mark(5.0, 0.0, "K"), Mark(10.0, 0.0)], "mass [kg]", "sag [mm]", 21).splitlines()
    assert lines[0] == "sag [mm]"
    assert lines[1] == "10 ┤ •"
    assert lines[2] == "   │"
    assert lines[14] == " 0 ┤        K      •"
    assert lines[15] == "   └─" + "─" * 15
    assert lines[16] == "     0            10"
    assert lines[17].strip() == "mass [kg]"
    assert max(map(len, lines)) <= 21


def test_a_later_mark_hides_an_earlier_one_at_its_place() -> None:
    shown = drawing([Mark(1.0, 1.0), Mark(1.0, 1.0, "K")], "a", "b", 40)
    assert "K" in shown
    assert "•" not in shown


def test_great_ranges_and_names_of_strangers_draw() -> None:
    shown = drawing([Mark(-1.7e308, 1e-300), Mark(1.7e308, 1e-300)], "a\n\x1b[31m", "b\r", 10)
    assert len(shown.splitlines()) == 18
    assert "\x1b" not in shown


@pytest.mark.parametrize(
    ("axes", "titles"), [((1, 2), ("mass ↓ [kg]", "area / mass ↑")), ((3, 1), ("sag ↓ [mm]", "mass ↓ [kg]"))]
)
def test_a_front_is_drawn_over_the_objectives_that_are_named(
    axes: tuple[int, int], titles: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    findings.print_front(STUDY, FRONT, {"knee": 8, "representatives": [3, 8]}, {"span": "m"}, Output("table", 20), axes)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == titles[1]
    assert lines[17].strip() == titles[0]
    drawn = "".join(line.partition("┤")[2] or line.partition("│")[2] for line in lines[1:15])
    assert [drawn.count(sign) for sign in "K1•"] == [1, 1, 1]
    assert lines[18] == "•: point of the front, K: knee, digits: representatives"


def test_a_front_of_one_objective_or_point_is_a_table_alone(capsys: pytest.CaptureFixture[str]) -> None:
    findings.print_front(STUDY, FRONT[:1], {"knee": None, "representatives": []}, {}, Output("table", 20), (1, 2))
    assert "┤" not in capsys.readouterr().out
    alone = {**STUDY, "objectives": STUDY["objectives"][:1]}
    points = [{**point, "objectives": point["objectives"][:1]} for point in FRONT]
    findings.print_front(alone, points, {"knee": None, "representatives": []}, {}, Output("table", 20), (1, 2))
    assert "┤" not in capsys.readouterr().out


def test_the_best_so_far_follows_the_direction_of_each_objective() -> None:
    assert findings.best_so_far(STUDY, FRONT, 8) == [
        ("Objective", "Best", "Knee", "Unit"),
        ("mass ↓", "100", "150", "kg"),
        ("area / mass ↑", "15", "14", ""),
        ("sag ↓", "1", "8", "mm"),
        ("Hypervolume", "2", "▁"),
    ]
    assert findings.best_so_far(STUDY, [], None) == [("No feasible design yet",)]


def test_a_terminal_shows_rows_below_the_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    console = Console(force_terminal=True, width=70, record=True, file=io.StringIO())
    monkeypatch.setattr(show, "_err", console)
    with show.following("Searching") as say:
        say(4, 10, "Generation 2", [("Objective", "Best"), ("mass [red]\x07", "100")])
    told = console.export_text()
    assert "Generation 2" in told
    assert "mass [red]" in told
    assert "\x07" not in told
