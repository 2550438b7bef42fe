"""Parameters of OpenSCAD files, from their Customizer comments."""

from pathlib import Path

import pytest

from catenary_worker.models import customizer
from catenary_worker.models.openscad import quoted
from catenary_worker.task import ModelFaultError

PLATE = Path(__file__).parents[2] / "fixtures" / "models" / "customizer.scad"


def test_every_form_of_comment_becomes_its_parameter() -> None:
    found = {parameter["name"]: parameter for parameter in customizer.read(PLATE.read_bytes())["parameters"]}
    kept = ("type", "default", "min", "max", "step", "choices", "group", "description")
    shown = {name: tuple(parameter[key] for key in kept) for name, parameter in found.items()}
    assert shown == {
        "length": ("integer", 100, 50, 200, 5, None, "Plate", "Length of the plate"),
        "thickness": ("number", 4.5, 2.0, 10.0, 0.5, None, "Plate", None),
        "holes": ("integer", 3, 1, 8, None, None, "Holes", None),
        "pattern": ("choice", "row", None, None, None, ["row", "grid", "ring"], "Holes", None),
        "size": ("choice", 6, None, None, None, [4, 6, 8], "Holes", None),
        "label": ("string", "plate", None, None, None, None, "Holes", None),
        "countersunk": ("boolean", True, None, None, None, None, "Holes", None),
        "margin": ("number", 2.5, None, None, 0.5, None, "Holes", None),
    }


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("\nx = 5; // [10:20]", "PARAMETERS: x: default 5 is outside 10 to 20.", 2),
        ("x = 5; // [1, 2]", "PARAMETERS: x: default 5 is not one of its choices.", 1),
        ('x = "\\q";', 'The text "\\q" has an escape that is not understood.', None),
        ("\nGEOMETRY_UNIT = mm;", "GEOMETRY_UNIT 'mm;' must be one of um, mm, cm, m, in, ft.", 2),
        ('GEOMETRY_UNIT = "inch";', "GEOMETRY_UNIT 'inch' must be one of um, mm, cm, m, in, ft.", 1),
        ("GEOMETRY_UNIT = true;", "GEOMETRY_UNIT True must be one of um, mm, cm, m, in, ft.", 1),
        ("x" * 20_000, "The line is longer than 10000 characters.", 1),
    ],
)
def test_a_faulty_comment_is_refused_with_its_line(text: str, message: str, line: int | None) -> None:
    with pytest.raises(ModelFaultError) as caught:
        customizer.read(text.encode())
    assert (caught.value.message, caught.value.line) == (message, line)


def test_the_unit_of_the_file_is_no_parameter() -> None:
    read = customizer.read(b'GEOMETRY_UNIT = "in"; // unit\nlength = 5;\nmodule a() {}\nGEOMETRY_UNIT = "m";')
    assert read["geometry_unit"] == "in"
    assert [parameter["name"] for parameter in read["parameters"]] == ["length"]
    assert customizer.read(b"length = 5;")["geometry_unit"] is None


def test_a_file_that_is_not_text_is_refused() -> None:
    with pytest.raises(ModelFaultError, match="not UTF-8"):
        customizer.read(b"\xff\xfe")


def test_a_commented_block_holds_no_parameters() -> None:
    source = b"/* a\nx = 1;\n*/\ny = 2;\n/* one line */\nz = 3;"
    assert [parameter["name"] for parameter in customizer.read(source)["parameters"]] == ["y", "z"]


@pytest.mark.parametrize(
    ("value", "literal"),
    [
        (True, "true"),
        (2.5, "2.5"),
        (1e-7, "1e-07"),
        (-3, "-3"),
        ('a"; cube(9); b="', '"a\\"; cube(9); b=\\""'),
        ("back\\slash\nline", '"back\\\\slash\\nline"'),
    ],
)
def test_a_value_becomes_a_literal_and_no_code(value: object, literal: str) -> None:
    assert quoted(value) == literal


@pytest.mark.parametrize("value", [None, [1], float("inf"), "a\0b"])
def test_a_value_that_openscad_does_not_have_is_refused(value: object) -> None:
    with pytest.raises(ModelFaultError):
        quoted(value)


def test_more_parameters_than_a_model_may_have_are_refused_at_the_first_of_them_that_is_over() -> None:
    lines = "\n".join(f"p{number} = 1;" for number in range(201))
    with pytest.raises(ModelFaultError, match="PARAMETERS has more than 200 entries") as caught:
        customizer.read(lines.encode())
    assert caught.value.line == 201
    assert len(customizer.read(lines.rpartition("\n")[0].encode())["parameters"]) == 200
