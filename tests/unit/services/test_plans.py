"""Plans: the values of grids and samples, and CSV in and out."""

from __future__ import annotations

import csv
import io
import math
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catenary_core.call.errors import DomainError
from catenary_core.services.evaluations import rules
from catenary_core.services.evaluations.plans import csv_files, layout, planning
from catenary_core.services.evaluations.plans.layout import MAX_EVALUATIONS, Layout
from catenary_core.services.evaluations.plans.planning import Wanted
from catenary_core.services.evaluations.plans.ranges import Given

SAMPLES = ("latin_hypercube", "sobol", "halton")


def parameter(name: str, type_: str = "number", **fields: Any) -> dict[str, Any]:
    blank = {"default": 0, "min": None, "max": None, "step": None, "positive": False, "choices": [], "unit": None}
    return {"name": name, "type": type_, **blank, **fields}


SPAN = parameter("span", min=5, max=60, step=0.5, default=24, unit="m")
LOAD = parameter("load", min=-2.5, max=2.5, unit="kN/m2")
FLOORS = parameter("floors", "integer", min=1, max=9, default=3)
OPEN = parameter("open", "boolean", default=False)
KIND = parameter("kind", "choice", choices=["arch", "1", 1, "=beam", 2.5], default="arch")
NOTE = parameter("note", "string", default="")
DECLARED = [SPAN, LOAD, FLOORS, OPEN, KIND, NOTE]


def planned(kind: str, size: int | None = None, seed: int | None = None, /, **ranges: Given) -> Layout:
    if kind in SAMPLES and seed is None:
        seed = 7
    return planning.plan(DECLARED, Wanted(kind, ranges, size, seed, None))


def from_csv(text: str, declared: list[dict[str, Any]] = DECLARED) -> Layout:
    return planning.plan(declared, Wanted("csv", {}, None, None, text))


def column(table: Layout, name: str) -> list[Any]:
    index = [one["name"] for one in table.columns].index(name)
    return [row[index] for row in table.rows]


def refusal(kind: str, /, **ranges: Given) -> DomainError:
    with pytest.raises(DomainError) as caught:
        planned(kind, **ranges)
    return caught.value


def fields(error: DomainError) -> list[str]:
    return [violation.field for violation in error.violations]


def test_a_grid_has_every_combination_in_order() -> None:
    table = planned("grid", span=Given(values=[10, 12.5]), open=Given(), floors=Given(low=8))
    assert [one["name"] for one in table.columns] == ["span", "floors", "open"]
    assert table.rows == [[span, floors, shut] for span in (10.0, 12.5) for floors in (8, 9) for shut in (False, True)]


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        ("span", Given(low=5.2, high=6.7), [5.5, 6.0, 6.5]),
        ("span", Given(low={"value": 20, "unit": "ft"}, high={"value": 23, "unit": "ft"}), [6.5, 7.0]),
        ("span", Given(count=2), [5.0, 60.0]),
        ("span", Given(count=1), [32.5]),
        ("span", Given(count=3, low=5, high=6), [5.0, 5.5, 6.0]),
        ("span", Given(count=10_000, low=5, high=6), [5.0, 5.5, 6.0]),
        ("span", Given(values=[{"value": 30, "unit": "ft"}, 9, 9.0]), [9.0]),
        ("load", Given(count=3), [-2.5, 0.0, 2.5]),
        ("load", Given(count=1), [0.0]),
        ("floors", Given(high=3), [1, 2, 3]),
        ("floors", Given(low=1.5, high=3.5), [2, 3]),
        ("floors", Given(count=3), [1, 5, 9]),
        ("open", Given(), [False, True]),
        ("open", Given(values=[True]), [True]),
        ("kind", Given(), KIND["choices"]),
        ("note", Given(values=["", "a", "a"]), ["", "a"]),
    ],
)
def test_a_grid_takes_these_values_of_a_parameter(name: str, given: Given, expected: list[Any]) -> None:
    found = column(planned("grid", **{name: given}), name)
    assert orjson.dumps(found) == orjson.dumps(expected)


@pytest.mark.parametrize(
    ("name", "given", "reason", "field"),
    [
        ("span", Given(low=6, high=5.5), "VALIDATION_ERROR", "parameters.span.max"),
        ("span", Given(low=5.1, high=5.4), "VALIDATION_ERROR", "parameters.span"),
        ("span", Given(low=4), "PARAMETER_OUT_OF_RANGE", "span"),
        ("span", Given(high=61), "PARAMETER_OUT_OF_RANGE", "span"),
        ("span", Given(low={"value": 300, "unit": "ft"}), "PARAMETER_OUT_OF_RANGE", "span"),
        ("span", Given(low={"value": 3, "unit": "kg"}), "VALIDATION_ERROR", "span"),
        ("span", Given(low="5"), "VALIDATION_ERROR", "span"),
        ("span", Given(low=True), "VALIDATION_ERROR", "span"),
        ("span", Given(values=[7.25]), "VALIDATION_ERROR", "span"),
        ("span", Given(values=[10], count=2), "VALIDATION_ERROR", "parameters.span.values"),
        ("span", Given(values=[10], low=2), "VALIDATION_ERROR", "parameters.span.values"),
        ("load", Given(), "VALIDATION_ERROR", "parameters.load.count"),
        ("open", Given(count=2), "VALIDATION_ERROR", "parameters.open"),
        ("kind", Given(values=["dome"]), "VALIDATION_ERROR", "kind"),
        ("note", Given(), "VALIDATION_ERROR", "parameters.note"),
        ("sapn", Given(), "UNKNOWN_PARAMETER", "sapn"),
    ],
)
def test_a_range_that_can_not_be_planned_is_refused(name: str, given: Given, reason: str, field: str) -> None:
    error = refusal("grid", **{name: given})
    assert (error.reason, fields(error)) == (reason, [field])
    assert "{" not in error.message.replace('{"value"', "")


def test_the_faults_of_all_parameters_stand_in_one_refusal() -> None:
    error = refusal("grid", span=Given(low=7, high=6), load=Given(), note=Given())
    assert fields(error) == ["parameters.span.max", "parameters.load.count", "parameters.note"]


@pytest.mark.parametrize("end", ["min", "max"])
def test_a_parameter_without_bounds_needs_them(end: str) -> None:
    free = parameter("free", **{"max" if end == "min" else "min": 0})
    with pytest.raises(DomainError) as caught:
        planning.plan([free], Wanted("sobol", {"free": Given()}, 4, 0, None))
    assert fields(caught.value) == [f"parameters.free.{end}"]


def test_a_positive_parameter_begins_over_zero() -> None:
    stepped = parameter("a", min=0, max=1, step=0.25, positive=True, default=1)
    table = planning.plan([stepped], Wanted("grid", {"a": Given()}, None, None, None))
    assert column(table, "a") == [0.25, 0.5, 0.75, 1.0]
    free = parameter("a", min=0, max=1, positive=True, default=1)
    with pytest.raises(DomainError) as caught:
        planning.plan([free], Wanted("sobol", {"a": Given()}, 4, 0, None))
    assert fields(caught.value) == ["parameters.a.min"]
    table = planning.plan([free], Wanted("sobol", {"a": Given(low=0.5)}, 4, 0, None))
    assert all(0.5 <= value <= 1 for value in column(table, "a"))


def test_a_grid_over_the_limit_is_refused_before_it_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[object] = []
    monkeypatch.setattr(planning.itertools, "product", lambda *axes: built.append(axes) or iter(()))
    huge = parameter("huge", min=0, max=1e9, step=1e-9)
    with pytest.raises(DomainError) as caught:
        planning.plan([huge, FLOORS], Wanted("grid", {"huge": Given(), "floors": Given()}, None, None, None))
    assert "1000000000000000001 x 9 evaluations, over the limit of 10000" in caught.value.message
    assert not built
    assert (
        len(planned("grid", span=Given(count=10), floors=Given()).rows) == 0
    )  # the stand-in shows that a good one is built
    assert built


@pytest.mark.parametrize("kind", SAMPLES)
def test_a_sample_of_one_seed_is_always_the_same(kind: str) -> None:
    ranges = {"span": Given(), "load": Given(low=0), "open": Given(), "kind": Given()}
    first, again, other = (planned(kind, 50, seed, **ranges) for seed in (3, 3, 4))
    assert first.rows == again.rows != other.rows
    assert len(first.rows) == 50


@pytest.mark.parametrize("kind", SAMPLES)
def test_a_sample_covers_each_range_evenly(kind: str) -> None:
    table = planned(kind, 256, 0, load=Given())
    quarters = [math.floor((value + 2.5) / 1.25) for value in column(table, "load")]
    assert all(abs(quarters.count(quarter) - 64) <= 6 for quarter in range(4))
    steps = planned(kind, 1000, 0, floors=Given(), load=Given())
    counts = [column(steps, "floors").count(floor) for floor in range(1, 10)]
    assert max(counts) - min(counts) <= 12  # the ends have as many as the middle


def test_equal_evaluations_stay() -> None:
    table = planned("latin_hypercube", 500, floors=Given(), open=Given())
    assert len(table.rows) == 500
    assert sorted(set(map(tuple, table.rows))) == [(floors, shut) for floors in range(1, 10) for shut in (False, True)]


@pytest.mark.parametrize(
    ("wanted", "field"),
    [
        (Wanted("grid", {}, None, None, None), "parameters"),
        (Wanted("grid", {"open": Given()}, 5, None, None), "size"),
        (Wanted("grid", {"open": Given()}, None, 5, None), "seed"),
        (Wanted("grid", {"open": Given()}, None, None, ""), "csv"),
        (Wanted("sobol", {"open": Given()}, None, 5, None), "size"),
        (Wanted("sobol", {}, 5, 5, None), "parameters"),
        (Wanted("sobol", {"open": Given()}, 5, 5, ""), "csv"),
        (Wanted("csv", {}, None, None, None), "csv"),
        (Wanted("csv", {"open": Given()}, None, None, "in:open\ntrue"), "parameters"),
        (Wanted("csv", {}, 3, None, "in:open\ntrue"), "size"),
    ],
)
def test_a_kind_takes_its_own_fields_only(wanted: Wanted, field: str) -> None:
    with pytest.raises(DomainError) as caught:
        planning.plan(DECLARED, wanted)
    assert fields(caught.value) == [field]


def test_a_sample_with_too_many_values_is_refused_before_it_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "_SAMPLES", {"sobol": lambda *_: pytest.fail("drawn")})
    many = [parameter(f"p{index}", min=0, max=1) for index in range(21)]
    with pytest.raises(DomainError) as caught:
        planning.plan(many, Wanted("sobol", {one["name"]: Given() for one in many}, 10_000, 0, None))
    assert fields(caught.value) == ["size"]


def test_texts_that_fill_a_plan_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    ranges = {"note": Given(values=["x" * 9_000, "y" * 9_000]), "floors": Given()}
    assert len(planned("grid", **ranges).rows) == 18
    monkeypatch.setattr(layout, "MAX_BYTES", 100_000)
    assert "take over 100000 bytes" in refusal("grid", **ranges).message


_RANGES = st.fixed_dictionaries(
    {},
    optional={
        "span": st.builds(Given, low=st.floats(5, 30), high=st.floats(30, 60), count=st.none() | st.integers(1, 20)),
        "load": st.builds(Given, low=st.floats(-2.5, 0), high=st.floats(0, 2.5), count=st.integers(1, 20)),
        "floors": st.builds(Given, low=st.integers(1, 5), high=st.integers(5, 9), count=st.none() | st.integers(1, 9)),
        "open": st.just(Given()),
        "kind": st.just(Given()),
        "note": st.builds(
            Given, values=st.lists(st.text(st.characters(exclude_categories=["C"]), max_size=9), min_size=1)
        ),
    },
).filter(bool)


@settings(max_examples=150, deadline=None)
@given(_RANGES, st.sampled_from(SAMPLES), st.integers(1, 40), st.integers(0, 2**53 - 1))
def test_every_planned_value_is_accepted_as_it_is_and_comes_back_from_csv(
    ranges: dict[str, Given], kind: str, size: int, seed: int
) -> None:
    table = planned(kind, size, seed, **ranges)
    for evaluation in table.evaluations:
        given = evaluation["parameters"]
        resolved = rules.resolve(DECLARED, given)
        assert orjson.dumps({name: resolved[name] for name in given}) == orjson.dumps(given)
    again = from_csv(csv_files.write(table).decode())
    assert orjson.dumps([again.columns, again.rows]) == orjson.dumps([table.columns, table.rows])


_STEPS = st.floats(1e-9, 1e3).map(lambda step: float(f"{step:.9g}"))


@settings(max_examples=300, deadline=None)
@given(st.floats(-1e6, 1e6), _STEPS, st.integers(1, 200), st.floats(0, 1), st.floats(0, 1))
def test_the_steps_between_any_bounds_are_steps_of_the_rules(
    low: float, step: float, number: int, left: float, right: float
) -> None:
    high = low + number * step
    stepped = parameter("a", min=low, max=high, step=step, default=low)
    bounds = sorted(low + part * (high - low) for part in (left, right))
    bounds = [min(max(bound, low), high) for bound in bounds]
    between = [place for place in range(number + 1) if bounds[0] <= low + place * step <= bounds[1]]
    if len(between) < 2:  # the bounds themselves may be off the grid by the rounding of doubles
        return
    values = column(planning.plan([stepped], Wanted("grid", {"a": Given(*bounds)}, None, None, None)), "a")
    assert abs(len(values) - len(between)) <= 2
    assert all(bounds[0] <= value <= bounds[1] for value in values)
    assert [rules.resolve([stepped], {"a": value})["a"] for value in values] == values


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_file_of_a_spreadsheet_is_read(line_end: str, delimiter: str, mark: str) -> None:
    lines = [
        ["in:span [ft]", "out:mass [kg]", "in:open", "img", "threeD", "in: kind ", "in:note"],
        ["30", "=1+1", "TRUE", "@x", "-y", "'1", "two words"],
        ["1E+2", "", "false", "", "", "1", '"a ""quoted"" cell"'],
    ]
    text = mark + line_end.join(delimiter.join(cells) for cells in lines) + line_end
    table = from_csv(text)
    assert [one["name"] for one in table.columns] == ["span", "open", "kind", "note"]
    assert table.rows == [[9.0, True, "1", "two words"], [30.5, False, 1, 'a "quoted" cell']]


def test_a_decimal_comma_is_one_where_semicolons_separate() -> None:
    assert column(from_csv("in:span [m];in:floors\n5,5;2\n"), "span") == [5.5]
    with pytest.raises(DomainError, match="3 cells stand below 2 names"):
        from_csv("in:span [m],in:floors\n5,5,2\n")


def test_an_empty_cell_is_the_default_and_an_apostrophe_an_empty_text() -> None:
    assert from_csv("in:span,in:note\n,'\n6,\n").rows == [[None, ""], [6.0, None]]
    assert from_csv("in:span,in:note\n,'\n6,\n").evaluations == [
        {"parameters": {"note": ""}},
        {"parameters": {"span": 6.0}},
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "csv, line 1: no column gives a parameter"),
        ("out:mass\n1\n", "no column gives a parameter"),
        ("in:span\n", "no row follows"),
        ("span\n6\n", "the column span is none of in:<parameter>"),
        ("in:sapn\n6\n", "The model has no parameter sapn. Did you mean span?"),
        ("in:span,in:span\n6,6\n", "the parameter span has two columns"),
        ("in:span [kg]\n6\n", "Line 1: span"),
        ("in:span [=cmd|' /C calc'!A0]\n6\n", "Line 1: span"),
        ("in:floors [m]\n6\n", "the parameter floors has no unit"),
        ("in:span\n=6+1\n", "Line 2: span must be a number."),
        ("in:span\n6\n=cmd|' /C calc'!A0\n", "Line 3: span must be a number."),
        ("in:note\n=cmd|' /C calc'!A0\n", "line 2: the cell of note begins as a formula"),
        ("in:note\n@SUM(A1)\n", "begins as a formula"),
        ("in:kind\n+1\n", "begins as a formula"),
        ("in:span\n6,7\n", "2 cells stand below 1 names"),
        ("in:span,in:note\n6\n", "1 cells stand below 2 names"),
        ('in:note\n"open\n', "csv, line 2: unexpected end of data"),
        ("in:span\n7.25\n", "Line 2: span must lie on steps of 0.5 m"),
        ("in:span\n61\n", "Line 2: span must be at most 60 m; it is 61.0"),
        ("in:span\nNaN\n", "Line 2: span must be a number."),
        ("in:span\n1e400\n", "Line 2: span must be a number."),
        (f"in:floors\n{'9' * 5000}\n", "Line 2: floors must be a number."),
        ("in:open\n1\n", "Line 2: open must be true or false."),
        ("in:kind\nArch\n", "Line 2: kind must be one of"),
    ],
)
def test_a_file_that_says_something_else_is_refused_with_its_line(text: str, told: str) -> None:
    with pytest.raises(DomainError) as caught:
        from_csv(text)
    assert told in caught.value.message


def test_faults_of_many_lines_are_told_together_up_to_a_bound() -> None:
    with pytest.raises(DomainError) as caught:
        from_csv("in:span\n6\nx\n7\ny\n")
    assert [str(one.sentence) for one in caught.value.violations] == [
        "Line 3: span must be a number.",
        "Line 5: span must be a number.",
    ]
    with pytest.raises(DomainError) as caught:
        from_csv("in:span\n" + "x\n" * 10_000)
    assert len(caught.value.violations) == 100


def test_a_file_of_too_many_rows_is_refused_at_the_first_one_too_many() -> None:
    rows = "6\n" * MAX_EVALUATIONS
    assert from_csv(f"in:span\n{rows}").rows == [[6.0]] * MAX_EVALUATIONS
    with pytest.raises(DomainError, match=f"line {MAX_EVALUATIONS + 2}: there are more than {MAX_EVALUATIONS} rows"):
        from_csv("in:span\n" + rows + "x\n" * 990_000)


def test_a_file_of_too_many_values_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "in:span,in:floors,in:open\n" + "6,1,true\n" * 10
    assert len(csv_files.rows(DECLARED, text, MAX_EVALUATIONS)) == 10
    monkeypatch.setattr(csv_files, "MAX_CELLS", 20)
    with pytest.raises(DomainError, match="line 8: there are more than 20 values"):
        from_csv(text)


def test_a_grid_of_too_many_values_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    ranges = {"floors": Given(), "open": Given()}
    assert len(planned("grid", **ranges).rows) == 18
    monkeypatch.setattr(layout, "MAX_CELLS", 35)
    assert "makes more than 35 values" in refusal("grid", **ranges).message


def test_the_names_count_among_the_bytes_of_a_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, "MAX_BYTES", 2_000)
    long, short = (parameter(name, "integer", default=0, min=0, max=99) for name in ("p" * 64, "p"))
    wanted = {one["name"]: Wanted("grid", {one["name"]: Given()}, None, None, None) for one in (long, short)}
    assert len(planning.plan([short], wanted["p"]).rows) == 100
    with pytest.raises(DomainError, match="take over 2000 bytes"):
        planning.plan([long], wanted["p" * 64])


def test_a_header_of_too_many_columns_is_refused() -> None:
    fit = "in:span" + ",img" * 1_999
    assert from_csv(f"{fit}\n6{',' * 1_999}\n").rows == [[6.0]]
    with pytest.raises(DomainError, match="there are 2001 columns, over the limit of 2000"):
        from_csv(f"{fit},img\n6{',' * 2_000}\n")


def test_choices_of_texts_and_numbers_come_back_from_csv() -> None:
    choices = ["1e5", 100000, " 1", 1, "true", "False", "1.5", 1.5, "\u00a01e5 ", " -1", -1, "2026-02-28", "a"]
    declared = [parameter("kind", "choice", default="a", choices=choices)]
    table = planning.plan(declared, Wanted("grid", {"kind": Given()}, None, None, None))
    assert [repr(value) for (value,) in table.rows] == list(map(repr, choices))
    back = from_csv(csv_files.write(table).decode(), declared)
    assert [repr(value) for (value,) in back.rows] == list(map(repr, choices))
    assert from_csv("in:kind\ntrue\n", declared).rows == [["true"]]


def test_a_table_of_the_largest_size_comes_back_from_csv() -> None:
    columns = [{"name": "note", "type": "string", "unit": None}]
    declared = [parameter("loads", "table", default=[], columns=columns)]
    rows = [{"note": "x" * 100}] * 2_000
    table = layout.layout(declared, [{"loads": rows}])
    assert from_csv(csv_files.write(table).decode(), declared).rows == [[rows]]


@pytest.mark.parametrize("name", ["in:span" + " " * 100_000 + "x", "in:span" + "[" * 100_000, "x" * 100_000])
def test_a_name_of_a_hundred_thousand_letters_is_refused_at_once(name: str) -> None:
    with pytest.raises(DomainError, match="is none of in:<parameter>") as caught:
        from_csv(f"{name}\n6\n")
    assert len(caught.value.message) < 300


@pytest.mark.parametrize("text", ["=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "\t=1", "'", "", "＝1", "'=x", "1"])  # noqa: RUF001
def test_no_text_of_a_file_is_a_formula_to_a_spreadsheet(text: str) -> None:
    table = planned("grid", note=Given(values=[text]))
    (_, (shown,)) = csv.reader(io.StringIO(csv_files.write(table).decode(), newline=""), strict=True)
    assert shown == f"'{text}"
    assert from_csv(csv_files.write(table).decode()).rows == [[text]]


def test_points_colours_and_days_are_planned_and_come_back_from_csv() -> None:
    declared = [
        parameter("at", "point", default=[0.0, 0.0, 0.0], unit="m"),
        parameter("paint", "color", default="#ffffff"),
        parameter("day", "date", default="2026-01-01"),
    ]
    ranges = {
        "at": Given(values=[[1, 2, 3], {"value": [100, 0, -50], "unit": "cm"}]),
        "paint": Given(values=["#336699", "#FF000080"]),
        "day": Given(values=["2026-02-28"]),
    }
    table = planning.plan(declared, Wanted("grid", ranges, None, None, None))
    assert len(table.rows) == 4
    written = csv_files.write(table).decode()
    assert from_csv(written, declared).rows == table.rows
    assert from_csv('in:at [cm]\n"[100, 0, -50]"\n', declared).rows == [[[1.0, 0.0, -0.5]]]
    for wrong in ("[1, 2]", "1", "[1, 2, NaN]", "=1"):
        with pytest.raises(DomainError):
            from_csv(f'in:at\n"{wrong}"\n', declared)
    with pytest.raises(DomainError) as caught:
        planning.plan(declared, Wanted("sobol", {"at": Given()}, 4, 1, None))
    assert fields(caught.value) == ["parameters.at"]
