"""Keys, the design that they change, and the screen of a live session."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import orjson
import pytest

from catenary_cli.exploration import explore, keys, screen
from catenary_cli.exploration.design import EditedDesign
from catenary_cli.exploration.findings import sparkline
from catenary_cli.exploration.keeping import DesignKeeper

EVIL = "a\x1b[31m\x07\x9b\u202e\nError: b"

COMPARED = {"metric": EVIL, "op": "<=", "limit": 11.0, "unit": EVIL}


def _parameter(name: str, kind: str, default: Any, **more: Any) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "min": None,
        "max": None,
        "step": None,
        "positive": False,
        "choices": [],
        "unit": None,
        "description": "",
    }
    return {"name": name, "type": kind, "default": default, **plain, **more}


SPAN = _parameter("span", "number", 24.0, min=5.0, max=60.0, step=0.5, unit="m")
DECLARED = [
    SPAN,
    _parameter("bays", "integer", 4, min=1, max=9),
    _parameter("grade", "choice", "S235", choices=["S235", "S355"]),
    _parameter("lit", "boolean", False),
    _parameter("note", "string", ""),
]


@pytest.mark.parametrize(
    ("sent", "names"),
    [
        ("\x1b[A\x1bOB\x1b[C\x1b[D", ["up", "down", "right", "left"]),
        ("\x1b[1;2C\x1b[5~\x1b[6~", ["far right", "far right", "far left"]),
        ("\x1b[H\x1b[4~\r\x7f\x1b\x04", ["home", "end", "enter", "backspace", "escape", "escape"]),
        ("1.5q-", ["1", ".", "5", "q", "-"]),
        ("\x1b[15~\x01\x1b[200~", []),
    ],
)
def test_the_bytes_of_a_terminal_are_keys_and_unknown_ones_are_none(sent: str, names: list[str]) -> None:
    assert keys.decode(sent) == names


@pytest.mark.parametrize(
    ("parameter", "moves", "value"),
    [
        (SPAN, [1], 24.5),
        (SPAN, [-10], 19.0),
        (SPAN, [10] * 20, 60.0),
        (SPAN, [-10] * 20, 5.0),
        (_parameter("x", "number", 0.3, min=0.0, max=1.0, step=0.1), [1, 1, 1], 0.6),
        (_parameter("x", "number", 1.0, min=0.0, max=2.5, step=1.0), [5], 2.0),
        (_parameter("x", "number", 50.0, min=0.0, max=100.0), [1], 51.0),
        (_parameter("x", "number", 0.0), [1, -3], -0.02),
        (_parameter("x", "number", 1.0, step=1.0, positive=True), [-1, -1], 1.0),
        (_parameter("x", "number", 0.0, min=-1.7e308, max=1.7e308), [1], 1e306),
        (_parameter("x", "number", 1.0, min=-1.7e308, max=1.7e308), [10] * 20, 1.7e308),
        (_parameter("x", "number", 1.79e308), [1] * 9, 1.79e308),
        (_parameter("x", "number", 0.0, min=0.0, max=5e-324), [1, 1], 0.0),
        (_parameter("x", "integer", 4, min=1, max=9), [3], 7),
        (_parameter("x", "choice", "a", choices=["a", "b"]), [5], "b"),
        (_parameter("x", "boolean", False), [1], True),
        (_parameter("x", "string", "a"), [1], "a"),
    ],
)
def test_a_move_stays_on_the_steps_and_between_the_bounds(parameter: Any, moves: list[int], value: Any) -> None:
    design = EditedDesign([parameter], {})
    for by in moves:
        design.move(by)
    found = design.values[parameter["name"]]
    assert found == pytest.approx(value) if isinstance(value, float) else found == value
    assert type(found) is type(value)


def test_a_value_is_typed_reset_and_moved_to_its_bounds() -> None:
    design = EditedDesign([*DECLARED, _parameter("loads", "table", [])], {})
    assert "loads" not in design.values, "a table is no value for keys"
    assert design.type_in("30")
    assert design.values["span"] == 30
    assert not design.type_in("30"), "an equal value is no change"
    assert design.type_in("90 ft")
    assert design.values["span"] == {"value": 90, "unit": "ft"}
    design.move(1)
    assert design.values["span"] == 24.0, "a value that the server did not resolve begins anew"
    design.take({"span": 27.5, "other": 1})
    assert design.values["span"] == 27.5
    assert design.end("max")
    assert design.values["span"] == 60.0
    assert design.reset()
    assert not design.reset()
    design.choose(-1)
    assert design.chosen["name"] == "note"
    assert design.type_in("12")
    assert design.values["note"] == "12", "a text stays a text"
    assert screen.command("P", design) == "catenary evaluate P note=12"


@pytest.mark.parametrize(
    ("values", "bars"),
    [
        ([-1.7e308, 0.0, 1.7e308], "▁▅█"),
        ([-1.7e308, 1.7e308, -1.7e308], "▁█▁"),
        ([1.0, 2.0, 3.0], "▁▅█"),
        ([3.0, 3.0], "▁▁"),
        ([0.0, 5e-324], "▁▁"),
    ],
)
def test_the_numbers_of_a_model_are_drawn_however_far_they_are_from_each_other(values: list[float], bars: str) -> None:
    assert sparkline(values) == bars


def test_the_mark_of_a_value_is_between_bounds_however_far_they_are_from_each_other() -> None:
    wide = _parameter("x", "number", 0.0, min=-1.7e308, max=1.7e308)
    assert EditedDesign([wide], {}).part(wide) == 0.5
    narrow = _parameter("x", "number", 0.0, min=0.0, max=5e-324)
    assert EditedDesign([narrow], {}).part(narrow) == 0.0


def test_given_files_and_tables_go_with_each_design_and_into_the_command() -> None:
    declared = [SPAN, _parameter("profile", "file", None), _parameter("loads", "table", [])]
    given = {"span": 30.0, "profile": "0199", "loads": [{"load": 1}]}
    design = EditedDesign(declared, given)
    assert (design.values, design.kept) == ({"span": 30.0}, {"profile": "0199", "loads": [{"load": 1}]})
    command = "catenary evaluate P span=30.0 profile=0199 'loads=[{\"load\":1}]'"
    assert screen.command("P", design) == command
    with pytest.raises(
        ValueError, match="hight is no parameter of the model; its parameters are: span, profile, loads"
    ):
        EditedDesign(declared, {"hight": 3})


async def test_a_session_sends_the_values_that_keys_do_not_change() -> None:
    sent: list[str] = []

    async def send(text: str) -> None:
        sent.append(text)

    socket: Any = SimpleNamespace(send_str=send)
    design = EditedDesign([SPAN, _parameter("profile", "file", None)], {"profile": "0199"})
    told = screen.Told()
    keeper = DesignKeeper(cast("Any", None), "P", "V", told.note_kept)
    await explore._Session(socket, "Bridge", design, told, keeper)._press("end")
    assert orjson.loads(sent[0])["parameters"] == {"span": 60.0, "profile": "0199"}


def _result(mass: float) -> dict[str, Any]:
    return {
        "status": "completed",
        "duration_ms": 4.0,
        "metrics": {"mass": {"value": mass, "unit": "kg"}},
        "constraints": {"light": {"value": mass, "satisfied": mass < 11, **COMPARED, "unit": "kg"}},
    }


def test_results_stand_in_the_declared_order() -> None:
    told = screen.Told({"metrics": ["volume", "mass"], "constraints": ["stiff", "light"]})
    of_json = _result(10.0)
    of_json["metrics"]["volume"] = {"value": 2.0, "unit": "m3"}
    of_json["constraints"]["stiff"] = of_json["constraints"]["light"]
    told.take(of_json, 12.0)
    assert (list(told.metrics), list(told.constraints)) == (["volume", "mass"], ["stiff", "light"])


def _told(*masses: float) -> screen.Told:
    told = screen.Told()
    for mass in masses or (10.0, 12.5):
        told.take(_result(mass), 12.0)
    return told


def _texts(lines: list[list[screen.Piece]]) -> list[str]:
    return ["".join(text for text, _ in line) for line in lines]


@pytest.mark.parametrize(("width", "height"), [(80, 24), (120, 40), (40, 8), (20, 5)])
def test_a_screen_fits_its_terminal(width: int, height: int) -> None:
    many = [_parameter(f"parameter_{at}", "integer", 4, min=1, max=9) for at in range(50)]
    design = EditedDesign(many, {})
    design.choose(-1)
    shown = _texts(screen.draw("Bridge", design, _told(), None, width, height))
    assert len(shown) <= max(height, 7)
    assert max(map(len, shown)) <= width
    assert any("parameter_49"[: width - 8] in line for line in shown), "the chosen one is in sight"


def test_a_screen_tells_values_changes_constraints_and_problems() -> None:
    design, told = EditedDesign(DECLARED, {}), _told()
    shown = _texts(screen.draw("Bridge", design, told, None, 80, 24))
    assert shown[0].startswith(" Bridge")
    assert shown[0].endswith("12 ms, of which the model 4 ")
    assert "▸ span" in shown[2]
    assert "mass       12.5      +2.5 kg" in shown[2]
    assert "light      12.5      +2.5 ✗ > 11 kg" in shown[4]
    assert "light        10           ✓ ≤ 11 kg" in _texts(screen.draw("B", design, _told(10.0), None, 80, 24))[4]
    assert "5 … 60 m" in shown[-3]
    assert "span = 3▏" in _texts(screen.draw("Bridge", design, told, "3", 80, 24))[-3]
    failed = {"status": "failed", "error": {"message": "no such bridge", "line": 7}, "duration_ms": 1.0}
    told.take(failed, 5.0)
    assert "failed: no such bridge (line 7)" in _texts(screen.draw("Bridge", design, told, None, 80, 24))[-3]


def _changes(*masses: float) -> list[str]:
    """Return the changes of the metric and of the constraint, as they stand on a screen of 80 columns."""
    shown = _texts(screen.draw("Bridge", EditedDesign(DECLARED, {}), _told(*masses), None, 80, 24))
    rows = [line[line.index(name) :] for line in shown for name in ("mass ", "light ") if name in line]
    assert len(rows) == 2
    assert rows[0][26:].startswith("kg "), "the column of the units stays in its place"
    assert rows[1][26:28] in ("✓ ", "✗ ")
    return [row[16:25].strip() for row in rows]


@pytest.mark.parametrize(
    ("masses", "change"),
    [
        ((10.0,), ""),
        ((10.0, 12.5, 11.0), "+1"),
        ((10.0, 12.5, 10.0), ""),
        ((72.0, 75.6), "+3.6"),
        ((0.3, 0.1 + 0.2), ""),
        ((5, 3), "-2"),
        ((0.0, 123456.7), "+123,457"),
        ((0.0, -1234567.0), "-1.23e+06"),
        ((0.0, 0.000123457), "+1.23e-04"),
        ((-1.7e308, -1e300), "+1.7e+308"),
        ((-1.7e308, 1.7e308), "+inf"),
    ],
)
def test_results_show_their_change_since_the_first_one(masses: tuple[float, ...], change: str) -> None:
    assert _changes(*masses) == [change, change]


def test_a_narrow_screen_has_shorter_sliders_for_longer_names() -> None:
    declared = [_parameter("storey_height", "number", 3.6, min=2.8, max=5.0, unit="m"), DECLARED[2]]
    design, told = EditedDesign(declared, {}), screen.Told()
    metric = {"value": 15172.2, "unit": "m2"}
    told.take({**_result(10.0), "metrics": {"facade_area": metric, "twist_per_storey": metric}, "constraints": {}}, 1.0)
    narrow, wide = (_texts(screen.draw("Tower", design, told, None, width, 24)) for width in (80, 120))
    assert [line.count("─") for line in (narrow[2], wide[2])] == [4, 9]
    assert "facade_area " in narrow[2]
    assert "twist_per_st" in narrow[3]
    assert "twist_per_storey" in wide[3]
    design.choose(1)
    assert _texts(screen.draw("Tower", design, told, None, 80, 24))[-3].startswith(" grade S235 S355")


def test_a_limit_without_room_has_a_line_of_its_own() -> None:
    long = [_parameter("a_name_of_16_long", "number", 3.0, min=1.0, max=9.0, unit="unit")]
    told = screen.Told()
    told.take(_result(10.0), 1.0)
    told.take(_result(1234567.0), 1.0)
    told.constraints = {"light": {**told.constraints["light"], "limit": 123456.5}}
    shown = _texts(screen.draw("Bridge", EditedDesign(long, {}), told, None, 80, 24))
    at = next(at for at, line in enumerate(shown) if "light" in line)
    assert "+1.23e+06 ✗" in shown[at]
    assert "  > 123,456 kg" in shown[at + 1]


def test_a_result_that_the_start_lacked_has_no_change() -> None:
    told, design = screen.Told(), EditedDesign(DECLARED, {})
    failed = {"status": "failed", "error": None, "duration_ms": 1.0}
    told.take(failed, 1.0)
    told.take(_result(10.0) | {"metrics": {}, "constraints": {}}, 1.0)
    told.take(_result(12.5), 1.0)
    shown = "".join(_texts(screen.draw("Bridge", design, told, None, 80, 24)))
    assert "✗ > 11" in shown
    assert "+" not in shown


def test_the_help_names_the_key_that_keeps_and_fits() -> None:
    shown = _texts(screen.draw("Bridge", EditedDesign(DECLARED, {}), _told(), None, 80, 24))
    assert "s keep   q quit" in shown[-1]
    assert max(len(screen.HELP), len(screen.MORE_HELP)) < 80


def test_a_kept_design_is_told_until_the_next_refusal() -> None:
    told, design = _told(), EditedDesign(DECLARED, {})
    told.note_kept((f"Kept: {EVIL}", "bold green"))
    shown = _texts(screen.draw("Bridge", design, told, None, 80, 24))
    assert shown[-3].startswith(" Kept: a")
    assert shown[-3].isprintable()
    told.refuse("no such span")
    assert "no such span" in _texts(screen.draw("Bridge", design, told, None, 80, 24))[-3]


@pytest.mark.parametrize("guarded", [True, False])
def test_no_text_of_a_stranger_controls_the_screen_because_each_is_escaped(
    guarded: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not guarded:
        monkeypatch.setattr(screen, "one_line", str)
    design = EditedDesign([_parameter(EVIL, "choice", EVIL, choices=[EVIL], unit=EVIL, description=EVIL)], {})
    told = screen.Told()
    told.take(
        {
            "status": "completed",
            "duration_ms": 1.0,
            "metrics": {EVIL: {"value": 1.0, "unit": EVIL}},
            "constraints": {EVIL: {"value": 1.0, "satisfied": True, **COMPARED}},
        },
        1.0,
    )
    shown = "".join(_texts(screen.draw(EVIL, design, told, None, 200, 24)))
    assert shown.isprintable() is guarded
