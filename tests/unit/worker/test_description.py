"""The declarations of a model: every fault is told with its line, and nothing is run."""

import contextlib
import warnings
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catenary_wire.units import unit_table
from catenary_worker.models import faults
from catenary_worker.models.description import GEOMETRY_UNITS, read, validate
from catenary_worker.models.entries import Entry
from catenary_worker.task import ModelFaultError

END = "\ndef evaluate(p):\n    return {}\n"


def parameters(text: str) -> list[dict[str, Any]]:
    return read(f"PARAMETERS = [{text}]{END}".encode())[0]["parameters"]


def fault(source: str) -> tuple[str, int | None]:
    with pytest.raises(ModelFaultError) as caught:
        read(source.encode())
    return caught.value.message, caught.value.line


def test_each_type_of_parameter_comes_out_whole() -> None:
    found = parameters(
        """
        {"name": "span", "type": "number", "min": 5, "max": 60, "step": 0.5, "default": 24, "unit": "m",
         "group": "Geometry", "description": "Between supports.", "label": "Span", "positive": True},
        {"name": "bays", "type": "integer", "default": 4},
        {"name": "closed", "type": "boolean", "default": False},
        {"name": "note", "type": "string", "default": ""},
        {"name": "grade", "type": "choice", "default": 355, "choices": [235, 355]},
        """
    )
    assert found[0] == {
        "name": "span", "label": "Span", "type": "number", "default": 24.0, "min": 5.0, "max": 60.0, "step": 0.5,
        "positive": True, "choices": None, "unit": "m", "group": "Geometry", "description": "Between supports.", "order": 0,
        "show_if": None, "columns": None, "accept": None, "max_bytes": None,
    }  # fmt: skip
    assert [parameter["default"] for parameter in found[1:]] == [4, False, "", 355]
    assert isinstance(found[0]["default"], float)
    assert list(found[1]) == list(found[0])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"type": "number", "default": 1}', "PARAMETERS: an entry has no name."),
        ('{"name": "../x", "type": "number", "default": 1}', "PARAMETERS: name '../x' is not a name"),
        ('{"name": "1x", "type": "number", "default": 1}', "PARAMETERS: name '1x' is not a name"),
        ('{"name": "x\\n", "type": "number", "default": 1}', "PARAMETERS: name 'x\\n' is not a name"),
        ('{"name": "' + "x" * 65 + '", "type": "number", "default": 1}', "PARAMETERS: name 'xxx"),
        ('{"name": "x", "type": "float", "default": 1}', "PARAMETERS: x: type 'float' must be one of number,"),
        ('{"name": "x", "type": "number"}', "PARAMETERS: x: has no default."),
        ('{"name": "x", "type": "number", "default": "1"}', "PARAMETERS: x: default '1' must be a finite number."),
        ('{"name": "x", "type": "number", "default": True}', "PARAMETERS: x: default True must be a finite number."),
        ('{"name": "x", "type": "number", "default": 1e999}', "PARAMETERS: x: default inf must be a finite number."),
        ('{"name": "x", "type": "integer", "default": 1.0}', "PARAMETERS: x: default 1.0 must be a whole number"),
        ('{"name": "x", "type": "integer", "default": 2**63}', "PARAMETERS: the value of 'default' is not a literal."),
        ('{"name": "x", "type": "integer", "default": 9223372036854775808}', "PARAMETERS: x: default 92233720368"),
        (
            '{"name": "x", "type": "number", "default": 1, "min": 3, "max": 2}',
            "PARAMETERS: x: min 3.0 is over max 2.0.",
        ),
        (
            '{"name": "x", "type": "number", "default": 9, "max": 2}',
            "PARAMETERS: x: default 9.0 is outside ... to 2.0.",
        ),
        ('{"name": "x", "type": "number", "default": 1, "min": 3}', "PARAMETERS: x: default 1.0 is outside 3.0 to ..."),
        ('{"name": "x", "type": "number", "default": 1, "step": 0}', "PARAMETERS: x: step 0.0 must be over 0."),
        (
            '{"name": "x", "type": "number", "default": 1.3, "min": 1, "step": 0.5}',
            "PARAMETERS: x: default 1.3 is not on",
        ),
        (
            '{"name": "x", "type": "number", "default": -1, "positive": True}',
            "PARAMETERS: x: default -1.0 must be over 0",
        ),
        (
            '{"name": "x", "type": "number", "default": 1, "positive": 1}',
            "PARAMETERS: x: positive 1 must be True or False.",
        ),
        ('{"name": "x", "type": "number", "default": 1, "minimum": 0}', "PARAMETERS: x: unknown key 'minimum' for the"),
        (
            '{"name": "x", "type": "boolean", "default": True, "min": 0}',
            "PARAMETERS: x: unknown key 'min' for the type",
        ),
        ('{"name": "x", "type": "boolean", "default": 1}', "PARAMETERS: x: default 1 must be True or False."),
        ('{"name": "x", "type": "string", "default": 1}', "PARAMETERS: x: default must be text, not 1."),
        (
            '{"name": "x", "type": "string", "default": "\\0"}',
            "PARAMETERS: x: default has the character U+0000, which text can't have; remove it.",
        ),
        ('{"name": "x", "type": "string", "default": "\\ud800"}', "PARAMETERS: x: default has characters that are not"),
        ('{"name": "x", "type": "choice", "default": "a"}', "PARAMETERS: x: choices must be a list"),
        ('{"name": "x", "type": "choice", "default": "a", "choices": []}', "PARAMETERS: x: choices must be a list"),
        (
            '{"name": "x", "type": "choice", "default": "c", "choices": ["a"]}',
            "PARAMETERS: x: default 'c' is not one of",
        ),
        (
            '{"name": "x", "type": "choice", "default": "a", "choices": ["a", "a"]}',
            "PARAMETERS: x: a choice is given twice.",
        ),
        (
            '{"name": "x", "type": "choice", "default": "a", "choices": ["a", None]}',
            "PARAMETERS: x: choice must be text",
        ),
        ('{"name": "x", "type": "number", "default": 1, "unit": 3}', "PARAMETERS: x: unit must be text, not 3."),
        (
            '{"name": "x", "type": "number", "default": 1, "label": "' + "x" * 201 + '"}',
            "PARAMETERS: x: label is longer",
        ),
        ('{"name": "x", "name": "y"}', "PARAMETERS: the key 'name' is given twice."),
        ("{**{}}", "PARAMETERS: keys must be literal text."),
        ("{1: 2}", "PARAMETERS: keys must be literal text."),
        ('"x"', "Each entry of PARAMETERS must be a literal dict."),
    ],
)
def test_a_faulty_parameter_is_refused_with_its_line(text: str, message: str) -> None:
    found, line = fault(f"PARAMETERS = [\n{text}]{END}")
    assert found.startswith(message), found
    assert line == 2


@pytest.mark.parametrize(
    ("source", "message", "line"),
    [
        ("def evaluate(p): return {}", "The model has no list PARAMETERS", None),
        ("PARAMETERS = []", "The model has no function evaluate(p).", None),
        ("PARAMETERS = []\nasync def evaluate(p): return {}", "evaluate must be a plain function, not async.", 2),
        ("PARAMETERS = []\nPARAMETERS = []" + END, "PARAMETERS must be assigned once, as a literal list.", 2),
        ("PARAMETERS = []\nPARAMETERS += []" + END, "PARAMETERS must be assigned once, as a literal list.", 2),
        ("from x import PARAMETERS" + END, "PARAMETERS must be assigned once, as a literal list.", 1),
        ("PARAMETERS = list()" + END, "PARAMETERS must be a literal list of dicts.", 1),
        ("PARAMETERS = " + "[" * 90 + "]" * 90 + END, "Each entry of PARAMETERS must be a literal dict.", 1),
        ("PARAMETERS = " + "[" * 5000 + END, "SyntaxError: too many nested parentheses", 1),
        ("PARAMETERS = [{'name': " + "-" * 90_000 + "1}]" + END, "", None),
        ("x = 1\0", "", None),
        ("x = " + "9" * 5000, "SyntaxError: Exceeds the limit", 1),
        ("PARAMETERS = [" + "{}," * 201 + "]" + END, "PARAMETERS has more than 200 entries.", 1),
    ],
)
def test_a_faulty_file_is_refused_with_its_line(source: str, message: str, line: int | None) -> None:
    found, where = fault(source)
    assert found.startswith(message), found
    if message:
        assert where == line


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('METRICS = [{"name": "m", "units": "kg"}]', "METRICS: m: unknown key 'units' for a metric"),
        ('METRICS = [{"name": "m"}, {"name": "m"}]', "METRICS: the name 'm' is given twice."),
        (
            'CONSTRAINTS = [{"name": "c", "metric": "m", "op": "<=", "value": 1}]',
            "CONSTRAINTS: c: metric 'm' is not in",
        ),
        ('CONSTRAINTS = [{"name": "c", "metric": "m", "op": "<="}]', "CONSTRAINTS: c: has no value."),
        ('CONSTRAINTS = [{"name": "c", "metric": "m", "op": "!=", "value": 1}]', "CONSTRAINTS: c: op '!=' must be one"),
        ('CONSTRAINTS = [{"name": "c", "metric": "m", "op": "<", "value": [1]}]', "CONSTRAINTS: c: value [1] must be"),
        (
            'CONSTRAINTS = [{"name": "c", "metric": ["m"], "op": "<", "value": 1}]',
            "CONSTRAINTS: c: metric ['m'] must be",
        ),
    ],
)
def test_a_faulty_metric_or_constraint_is_refused(text: str, message: str) -> None:
    found, line = fault(f"PARAMETERS = []\n{text}{END}")
    assert found.startswith(message), found
    assert line == 2


def test_a_step_that_binary_numbers_cannot_hold_exactly_is_accepted() -> None:
    (found,) = parameters('{"name": "x", "type": "number", "min": 0.1, "step": 0.1, "default": 0.7}')
    assert found["default"] == 0.7


@pytest.mark.parametrize("unit", GEOMETRY_UNITS)
def test_the_unit_of_geometry_is_read_without_running_the_file(unit: str) -> None:
    described, _ = read(f"raise SystemExit\nPARAMETERS = []\nGEOMETRY_UNIT: str = {unit!r}{END}".encode())
    assert described["geometry_unit"] == unit


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ('GEOMETRY_UNIT = "mile"', "GEOMETRY_UNIT 'mile' must be one of um, mm, cm, m, in, ft.", 2),
        ("GEOMETRY_UNIT = 0.001", "GEOMETRY_UNIT 0.001 must be one of um, mm, cm, m, in, ft.", 2),
        ('GEOMETRY_UNIT = "m" + "m"', 'GEOMETRY_UNIT must be assigned once, as literal text such as "mm".', 2),
        (
            'GEOMETRY_UNIT = "m"\nGEOMETRY_UNIT = "mm"',
            'GEOMETRY_UNIT must be assigned once, as literal text such as "mm".',
            3,
        ),
        ("from units import GEOMETRY_UNIT", 'GEOMETRY_UNIT must be assigned once, as literal text such as "mm".', 2),
    ],
)
def test_a_faulty_unit_of_geometry_is_refused_with_its_line(text: str, message: str, line: int) -> None:
    assert fault(f"PARAMETERS = []\n{text}{END}") == (message, line)


def test_the_units_of_geometry_have_the_sizes_of_the_table_of_units() -> None:
    for unit, metres in GEOMETRY_UNITS.items():
        assert unit_table.convert(1.0, unit, "m") == metres


def test_nothing_of_the_file_is_run() -> None:
    described, _ = read(f"raise SystemExit\nimport nothing_like_this\nPARAMETERS = []{END}".encode())
    assert described == {"parameters": [], "metrics": [], "constraints": [], "geometry_unit": None}


def test_further_faults_stand_beside_the_first_with_their_lines() -> None:
    source = """PARAMETERS = [
    {"name": "a", "type": "number", "default": "1"},
    {"name": "b", "type": "number", "default": open("x")},
    {"name": "c", "type": "integer", "default": 1},
    {"name": "c", "type": "integer", "default": 1},
]
METRICS = [{"name": "m", "units": "kg"}]
CONSTRAINTS = [{"name": "d", "metric": "m", "op": "=", "value": 1}]
"""
    with pytest.raises(ModelFaultError) as caught:
        read((source + END).encode())
    assert (caught.value.message, caught.value.line) == ("PARAMETERS: the value of 'default' is not a literal.", 3)
    a, c, m, d = caught.value.further
    assert a == "line 2: PARAMETERS: a: default '1' must be a finite number."
    assert c == "line 5: PARAMETERS: the name 'c' is given twice."
    assert m.startswith("line 7: METRICS: m: unknown key 'units' for a metric")
    assert d.startswith("line 8: CONSTRAINTS: d: op '=' must be one of")


def test_all_constraints_of_unknown_metrics_are_told() -> None:
    constraints = ", ".join(f'{{"name": "{name}", "metric": "m", "op": "<", "value": 1}}' for name in "ab")
    with pytest.raises(ModelFaultError, match="CONSTRAINTS: a: metric 'm' is not in METRICS") as caught:
        read(f"PARAMETERS = []\nCONSTRAINTS = [{constraints}]{END}".encode())
    assert caught.value.further == ["line 2: CONSTRAINTS: b: metric 'm' is not in METRICS."]


def test_of_very_many_faults_the_first_twenty_one_are_told() -> None:
    entries = ", ".join(f'{{"name": "p{number}", "type": "number"}}' for number in range(30))
    with pytest.raises(ModelFaultError, match="p0: has no default") as caught:
        read(f"PARAMETERS = [{entries}]{END}".encode())
    assert len(caught.value.further) == faults.MOST_FURTHER
    assert caught.value.further[-1] == "line 1: PARAMETERS: p20: has no default."


def test_a_description_that_was_read_is_valid_as_it_stands() -> None:
    source = 'PARAMETERS = [{"name": "x", "type": "number", "default": 1}]\nMETRICS = [{"name": "m", "unit": "kg"}]'
    described, _ = read((source + END).encode())
    again = validate(
        *([Entry(entry) for entry in described[name]] for name in ("parameters", "metrics", "constraints"))
    )
    assert again == described


@given(st.binary(max_size=300) | st.text(max_size=300).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_no_bytes_make_the_reader_fail_otherwise_than_by_its_own_error(source: bytes) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # SyntaxWarning, of random text
        with contextlib.suppress(ModelFaultError):
            read(source)


@pytest.mark.parametrize("key", ["label", "unit", "group"])
@pytest.mark.parametrize("character", ["\\x1b", "\\x9b", "\\n", "\\u202e"])
def test_a_label_unit_or_group_is_one_line_without_control_characters(key: str, character: str) -> None:
    entry = f'{{"name": "x", "type": "number", "default": 1, "{key}": "a{character}b"}}'
    found, line = fault(f"PARAMETERS = [\n{entry}]{END}")
    assert (found.startswith(f"PARAMETERS: x: {key} has the character U+"), line) == (True, 2)


def test_a_choice_is_one_line_and_a_description_has_lines_without_other_control_characters() -> None:
    entry = '{"name": "x", "type": "choice", "default": "a", "choices": ["a", "b\\n"]}'
    assert "U+000A" in fault(f"PARAMETERS = [\n{entry}]{END}")[0]
    for character, refused in (("\\n", False), ("\\t", False), ("\\x07", True)):
        entry = f'{{"name": "x", "type": "number", "default": 1, "description": "a{character}b"}}'
        source = f"PARAMETERS = [\n{entry}]{END}"
        if refused:
            assert "U+0007" in fault(source)[0]
        else:
            read(source.encode())


def _with_limit(value: object, metric: str = "sag") -> str:
    return (
        f"""PARAMETERS = [
    {{"name": "span", "type": "number", "default": 9, "unit": "m"}},
    {{"name": "bays", "type": "integer", "default": 4}},
    {{"name": "depth", "type": "choice", "default": 200, "choices": [200, 300], "unit": "mm"}},
    {{"name": "braced", "type": "boolean", "default": True}},
    {{"name": "kind", "type": "choice", "default": "a", "choices": ["a", "b"]}},
]
METRICS = [{{"name": "sag", "unit": "mm"}}, {{"name": "use"}}, {{"name": "cost", "unit": "shells"}}]
CONSTRAINTS = [
    {{"name": "a", "metric": {metric!r}, "op": "<=",
     "value": {value!r}}},
]
"""
        + END
    )


@pytest.mark.parametrize(
    ("value", "metric"),
    [
        ("span / 300", "sag"),
        ("min(span / 250, 1 in) + 2 * depth", "sag"),
        ("0", "sag"),
        ("sag * 2", "sag"),
        ("bays / 4", "use"),
        ("sag / span", "use"),
        ("2 * bays", "cost"),
        ("cost * use", "cost"),
    ],
)
def test_a_constraint_may_compare_with_an_expression(value: str, metric: str) -> None:
    described, _ = read(_with_limit(value, metric).encode())
    assert [one["value"] for one in described["constraints"]] == [value]


@pytest.mark.parametrize(
    ("value", "metric", "message"),
    [
        ("span / ", "sag", "column 8: The end stands where a number, a name or a bracket is expected."),
        ("", "sag", "column 1: The expression is empty"),
        ("spam / 300", "sag", 'column 1: No parameter or metric is called "spam"; did you mean span?'),
        ("2 * braced", "sag", "column 3: * takes numbers, not true or false."),
        ("kind", "sag", "column 1: The expression gives a text instead of a number."),
        ("braced", "sag", "column 1: The expression gives true or false instead of a number."),
        ("sag <= span", "sag", "column 1: The expression gives true or false instead of a number."),
        ("3", "sag", "column 1: The expression gives a number without a unit instead of a quantity in mm."),
        ("span * sag", "sag", "column 1: The expression gives a quantity of area instead of a quantity in mm."),
        ("span", "use", "column 1: The expression gives a quantity of length instead of a number without a unit."),
        ("span", "cost", "column 1: The expression gives a quantity of length instead of a quantity in shells."),
        ("span + 3", "sag", "column 6: + can't join"),
        ("1 mm / 0", "sag", "column 6: / of 0.001, 0 in base units has no finite value. Change the constants."),
        ("span ** bays", "sag", "column 6: The exponent of a quantity of length changes with a name"),
    ],
)
def test_an_expression_that_is_no_limit_is_refused(value: str, metric: str, message: str) -> None:
    found, line = fault(_with_limit(value, metric))
    assert found.startswith(f"CONSTRAINTS: a: value, {message}"), found
    assert line == 11


def test_an_expression_is_one_line_of_500_characters() -> None:
    assert fault(_with_limit("1 m" + " " * 498)) == ("CONSTRAINTS: a: value is longer than 500 characters.", 11)
    assert fault(_with_limit("1\nm"))[0].startswith("CONSTRAINTS: a: value has the character")


def test_expressions_are_bounded_together_and_told_each() -> None:
    entry = '{{"name": "c{}", "metric": "m", "op": "<", "value": "{}"}}'
    entries = [entry.format(number, "1".rjust(500)) for number in range(21)]
    found, _ = fault(f"PARAMETERS = []\nMETRICS = [{{'name': 'm'}}]\nCONSTRAINTS = [{', '.join(entries)}]{END}")
    assert found.startswith("CONSTRAINTS: c20: value: the expressions up to this one have over 10,000 characters")
    read(f"PARAMETERS = []\nMETRICS = [{{'name': 'm'}}]\nCONSTRAINTS = [{', '.join(entries[:20])}]{END}".encode())
    lines = ",\n".join(entry.format(name, f"m{name}") for name in "ab")
    with pytest.raises(ModelFaultError) as caught:
        read(f"PARAMETERS = []\nMETRICS = [{{'name': 'm'}}]\nCONSTRAINTS = [{lines}]{END}".encode())
    assert (caught.value.line, len(caught.value.further)) == (3, 1)
    assert caught.value.further[0].startswith(
        'line 4: CONSTRAINTS: cb: value, column 1: No parameter or metric is called "mb"'
    )
