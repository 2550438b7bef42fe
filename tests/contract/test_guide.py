"""The guide's pages about models hold: their examples run, their tables are those of the code."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import orjson
import pytest

from catenary_cli import demo
from catenary_core.services.evaluations.plans import csv_files, planning
from catenary_core.services.evaluations.plans.ranges import Given
from catenary_core.services.models import declarations, sources
from catenary_core.settings import CoreSettings
from catenary_edge import surfaces
from catenary_edge.pages import guide_pages
from catenary_edge.transcoding import services
from catenary_edge.versions import stages
from catenary_wire import media_types, model_limits
from catenary_worker import outputs, printed, results, task
from catenary_worker.models import archive, customizer, description, parameter_types
from catenary_worker.sandbox import namespaces
from factories.checks.documents import FOLDERS, README, table_of_guide
from factories.services import geometry

MIB = 1024 * 1024
_TYPES = ("number", "integer", "boolean", "string", "choice", "color", "date", "point", "table", "file")


def _blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", guide_pages.text_of(page), re.DOTALL)


def test_every_page_has_its_place_in_the_index() -> None:
    on_disk = {path.stem for path in FOLDERS["guide"].glob("*.md")}
    assert set(guide_pages.names()) == on_disk
    assert on_disk <= set(guide_pages.ORDER)


def test_no_markup_of_a_text_passes_and_no_link_runs_code() -> None:
    made = guide_pages._MARKDOWN.render(
        "<script>x</script> [a](javascript:x) [b](data:text/html,x) ![c](http://x/y.png)"
    )
    assert "<script" not in made
    assert "href" not in made


_TOWER = declarations.normalised(
    description.read(Path(demo.__file__).with_name("models").joinpath("twisted_tower.py").read_bytes())[0]
).parameters


@pytest.mark.parametrize("text", _blocks("plans", "json"))
def test_a_plan_of_the_guide_is_made_for_the_demo_tower(text: str) -> None:
    body = orjson.loads(text)
    names = {"min": "low", "max": "high"}
    ranges = {
        name: Given(**{names.get(key, key): value for key, value in given.items()})
        for name, given in body.get("parameters", {}).items()
    }
    wanted = planning.Wanted(body["kind"], ranges, body.get("size"), body.get("seed"), body.get("csv"))
    assert len(planning.plan(_TOWER, wanted).rows) > 1


def test_the_file_of_the_guide_is_read_and_written_alike() -> None:
    (text,) = _blocks("plans", "csv")
    written = csv_files.write(csv_files.read(_TOWER, text, 10)).decode()
    assert written.replace("\r\n", "\n") == text


@pytest.mark.parametrize("source", _blocks("models", "python"))
def test_a_model_of_the_guide_declares_and_evaluates(source: str) -> None:
    described, _ = description.read(source.encode())
    module = ModuleType("model")
    exec(source, module.__dict__)
    defaults = {one["name"]: __file__ if one["type"] == "file" else one["default"] for one in described["parameters"]}
    answer = results.returned(module.__dict__["evaluate"](defaults))
    metrics = results.metrics(results.numbers(answer["metrics"]), described)
    assert len(results.constraints(metrics, described, defaults)) == len(described["constraints"])
    tables = results.tables(answer["tables"])
    assert tables
    assert outputs.charts(answer["charts"], tables).keys() == answer["charts"].keys()
    assert outputs.files(answer["files"]).keys() == answer["files"].keys()
    for made in geometry.written(answer["geometry"]):
        assert made.parts[0]["mass"] == pytest.approx(metrics["mass"]["value"])
    declarations.normalised(json.loads(json.dumps(described)))


@pytest.mark.parametrize("source", _blocks("models", "openscad"))
def test_an_openscad_file_of_the_guide_has_the_parameters_that_the_text_says(source: str) -> None:
    found = {one["name"]: one for one in customizer.read(source.encode())["parameters"]}
    assert list(found) == ["length", "holes", "shape"], "hidden ones are none"
    length = found["length"]
    assert (length["min"], length["step"], length["max"], length["group"]) == (50, 5, 300, "Plate")
    assert length["description"] == "Length of the plate"
    assert found["holes"]["type"] == "integer"
    assert found["shape"]["choices"] == ["round", "square"]


def test_the_table_of_parameters_has_every_key_with_its_types() -> None:
    rows = next(_tables_of("models", "key", "types"))
    written = {key.strip("`"): kinds for key, kinds, *_ in rows}
    assert set(written) == set(parameter_types.KEYS)
    for key, kinds in written.items():
        named = list(_TYPES) if kinds == "all" else kinds.split(", ")
        assert [kind for kind in _TYPES if key in parameter_types.KEYS_OF_TYPE[kind]] == named, key
    assert tuple(kind.strip("`") for kind, *_ in next(_tables_of("models", "type", "in `p`"))) == _TYPES
    assert tuple(parameter_types.KEYS_OF_TYPE) == _TYPES


def test_the_settings_of_a_generator_have_every_media_type_of_downloads() -> None:
    (settings,) = _blocks("conventions", "yaml")
    told = re.findall(r"^  (\S+): application/octet-stream$", settings, re.MULTILINE)
    assert sorted(told) == sorted(
        {name for rpc in services.load() for name in rpc.options.download_types} - {media_types.OTHER}
    )


def test_the_units_of_geometry_are_those_of_the_code() -> None:
    *first, last = (f"`{unit}`" for unit in description.GEOMETRY_UNITS)
    assert f'`GEOMETRY_UNIT = "…"`, one of {", ".join(first)} and {last}' in " ".join(
        guide_pages.text_of("models").split()
    )


def test_the_numbers_of_declarations_are_those_of_the_code() -> None:
    text = " ".join(guide_pages.text_of("models").split())
    for name, most in description.MOST.items():
        assert f"`{name}` has at most {most} entries" in text
    assert f"1 to {model_limits.MOST_CHOICES:,} different values" in text
    assert f"at most {model_limits.MOST_METRICS:,} finite numbers" in text
    assert f"All expressions of a model together have at most {model_limits.LIMITS:,} characters." in text
    assert f"at most {model_limits.MOST_TABLES} tables of {model_limits.MOST_ROWS:,} rows together" in text
    assert f"more than {sources.MAX_ENTRIES:,} entries" in text
    assert f"more than {archive.UNPACKED_BYTES // MIB} MiB unpacked" in text
    assert f"a default has at most {model_limits.TEXT:,}" in text


def test_the_table_of_limits_is_that_of_the_sandbox() -> None:
    settings = {name: field.default for name, field in CoreSettings.model_fields.items()}
    expected: dict[str, Any] = {
        "time of one evaluation": f"{settings['evaluation_timeout']:g} s (`CATENARY_EVALUATION_TIMEOUT`)",
        "memory": f"{settings['evaluation_memory'] // MIB:,} MiB (`CATENARY_EVALUATION_MEMORY`)",
        "model file": f"{task.SOURCE_BYTES // MIB} MiB",
        "working folder": f"{namespaces.CELL_BYTES // MIB} MiB in {namespaces.CELL_FILES:,} files",
        "open files": str(namespaces.OPEN_FILES),
        "threads": str(namespaces.THREADS),
        "metrics, constraints, tables, charts": f"{model_limits.RESULT_BYTES // MIB} MiB",
        "what a model prints": (
            "{0} KiB from its beginning, {0} KiB from its end, and {1} KiB of the lines between them that begin with"
            " `WARNING:`"
        ).format(printed.KEPT_BYTES // 1024, printed.WARNINGS_BYTES // 1024),
        "parts": str(model_limits.MOST_PARTS),
        "triangles": f"{task.TRIANGLES:,}",
        "one geometry file": f"{model_limits.GEOMETRY_BYTES // MIB} MiB",
        "all geometry files": f"{model_limits.GEOMETRY_TOTAL_BYTES // MIB} MiB",
        "parameters that are files": f"{model_limits.MOST_INPUT_FILES}, of {model_limits.INPUT_FILE_BYTES // MIB} MiB each",
        "other files": str(model_limits.MOST_FILES),
        "one other file": f"{model_limits.FILE_BYTES // MIB} MiB",
        "all other files": f"{model_limits.FILES_TOTAL_BYTES // MIB} MiB",
        "charts": str(model_limits.MOST_CHARTS),
        "evaluations of a project": f"{settings['evaluations_per_hour']} (`CATENARY_EVALUATIONS_PER_HOUR`)",
    }
    rows = table_of_guide("models", "limit")
    assert [value for _, value in rows] == list(expected.values())
    assert all(row[0].startswith(name) for row, name in zip(rows, expected, strict=True))
    assert task.SOURCE_BYTES == sources.MAX_BYTES


def test_the_table_of_hourly_limits_has_the_defaults() -> None:
    for _, default, setting in table_of_guide("conventions", "limit"):
        field = CoreSettings.model_fields[setting.strip("`").removeprefix("CATENARY_").lower()]
        assert default == f"{field.default:,}"


def test_the_table_of_surfaces_has_every_version_with_its_stage() -> None:
    expected = []
    for kind, options in stages.SURFACES.items():
        (package,) = {rpc.path[1:].rpartition(".")[0] for rpc in services.load() if rpc.surface == kind and rpc.http}
        current = package.rpartition(".")[2]
        if options.beta:
            expected.append(
                (f"`/{current}`, `/{options.beta}`", f"{current} stable, {options.beta} beta", f"`{package}`")
            )
        else:
            older = " and ".join(sorted(one.version for one in options.older))
            paths = f"`/{surfaces.name_of(kind)}/{{version}}`"
            expected.append((paths, f"{older} deprecated, {current}", f"`{package}`"))
    assert [tuple(row[1:]) for row in table_of_guide("conventions", "surface")] == expected


def test_the_quick_start_begins_as_the_readme_does() -> None:
    start, *_ = _blocks("quickstart", "sh")
    assert start in README.read_text()


def _tables_of(page: str, *headers: str) -> Any:
    """Yield the rows of each table whose first columns have these headers."""
    start = "| " + " | ".join(headers) + " |"
    text = guide_pages.text_of(page)
    for part in text.split(start)[1:]:
        lines = part.splitlines()[2:]
        rows = lines[: next((index for index, line in enumerate(lines) if not line.startswith("|")), len(lines))]
        yield [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows]
