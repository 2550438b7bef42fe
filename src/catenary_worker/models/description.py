"""The declarations of a Python model, read without running any of its code.

A model file has literals at its top level, the lists `PARAMETERS`, `METRICS` and `CONSTRAINTS` and the text
`GEOMETRY_UNIT`, and a function `evaluate(p)`. The literals are read from the syntax tree with `ast.literal_eval`; every
fault is a `ModelFaultError` with its line.
"""

import ast
from collections.abc import Callable, Container
from typing import Any

from catenary_wire.expressions import constraint_limits
from catenary_wire.model_limits import (
    EXPRESSION,
    GEOMETRY_UNITS,
    LABEL,
    MOST_CELLS,
    MOST_CONSTRAINTS,
    MOST_DECLARED_METRICS,
    MOST_INPUT_FILES,
    MOST_PARAMETERS,
    OPERATORS,
    TEXT,
    UNIT,
    cells,
)
from catenary_worker.models import parameter_types
from catenary_worker.models.entries import Entry, check_keys, check_name, checked_texts, format_value, is_number
from catenary_worker.models.faults import DeclarationFaults
from catenary_worker.task import Description, ModelFaultError

MOST = {"PARAMETERS": MOST_PARAMETERS, "METRICS": MOST_DECLARED_METRICS, "CONSTRAINTS": MOST_CONSTRAINTS}
UNIT_NAME = "GEOMETRY_UNIT"


def read(source: bytes, filename: str = "model.py") -> tuple[Description, ast.Module]:
    """Return the validated description of a Python model and its syntax tree.

    The description has `parameters` (every key of guide/models.md, "Parameters", null where unset; a `number` has float
    values, an `integer` int ones), `metrics` (`name`, `unit`, `label`, `description`) and `constraints` (`name`,
    `metric`, `op`, `value`, a number or the text of an expression, `label`, `description`) and `geometry_unit`.

    Raises:
        ModelFaultError: The file is no Python text, or a declaration is missing or invalid.
    """
    try:
        tree = ast.parse(source, filename)
    except SyntaxError as error:
        raise ModelFaultError(f"{type(error).__name__}: {error.msg}", error.lineno) from None
    except ValueError as error:  # NUL bytes
        raise ModelFaultError(f"The model is not Python text: {error}.") from None
    except (RecursionError, MemoryError):
        raise ModelFaultError("The model is nested too deeply to be read.") from None

    lists: dict[str, ast.expr] = {}
    unit: str | None = None
    names: set[str] = set()
    for statement in tree.body:
        for name, value in _bindings(statement):
            if name in MOST:
                if name in lists or value is None:
                    raise ModelFaultError(f"{name} must be assigned once, as a literal list.", statement.lineno)
                lists[name] = value
            elif name == UNIT_NAME:
                if unit is not None or not isinstance(value, ast.Constant):
                    text = f'{UNIT_NAME} must be assigned once, as literal text such as "mm".'
                    raise ModelFaultError(text, statement.lineno)
                unit = check_geometry_unit(value.value, statement.lineno)
            elif name == "evaluate" and isinstance(statement, ast.AsyncFunctionDef):
                raise ModelFaultError("evaluate must be a plain function, not async.", statement.lineno)
            names.add(name)
    if "PARAMETERS" not in lists:
        raise ModelFaultError('The model has no list PARAMETERS, such as PARAMETERS = [{"name": "span", ...}].')
    if "evaluate" not in names:
        raise ModelFaultError("The model has no function evaluate(p).")
    faults = DeclarationFaults()
    entries = {name: _entries(name, lists[name], faults) if name in lists else [] for name in MOST}
    return validate(entries["PARAMETERS"], entries["METRICS"], entries["CONSTRAINTS"], unit, faults), tree


def validate(
    parameters: list[Entry],
    metrics: list[Entry],
    constraints: list[Entry],
    geometry_unit: str | None = None,
    found: DeclarationFaults | None = None,
) -> Description:
    """Return the normalised description of three lists of plain dicts and a unit.

    Args:
        parameters: Entries of PARAMETERS.
        metrics: Entries of METRICS.
        constraints: Entries of CONSTRAINTS.
        geometry_unit: Unit of the coordinates; None for none.
        found: DeclarationFaults of entries that could not be read, which come first.

    Raises:
        ModelFaultError: An entry is invalid; the error has its line, and further faults.
    """
    faults = found or DeclarationFaults()
    described: Description = {
        "parameters": _check_entries("PARAMETERS", parameters, parameter_types.check, faults),
        "metrics": _check_entries("METRICS", metrics, _metric, faults),
        "constraints": _check_entries("CONSTRAINTS", constraints, _constraint, faults),
        "geometry_unit": None if geometry_unit is None else check_geometry_unit(geometry_unit),
    }
    faults.refuse()
    if sum(map(cells, described["parameters"])) > MOST_CELLS:
        raise ModelFaultError(f"PARAMETERS: the defaults of all tables have more than {MOST_CELLS:,} cells together.")
    files = [parameter for parameter in described["parameters"] if parameter["type"] == "file"]
    if len(files) > MOST_INPUT_FILES:
        raise ModelFaultError(f"PARAMETERS: more than {MOST_INPUT_FILES} parameters have the type file.")
    declared = {metric["name"] for metric in described["metrics"]}
    for entry, constraint in zip(constraints, described["constraints"], strict=True):
        if constraint["metric"] not in declared:
            text = f"CONSTRAINTS: {constraint['name']}: metric {format_value(constraint['metric'])} is not in METRICS."
            faults.note(entry.fault(text, "metric"))
    faults.refuse()
    limits = constraint_limits.faults(described["constraints"], described["parameters"], described["metrics"])
    for place, text in limits:
        faults.note(constraints[place].fault(text, "value"))
    faults.refuse()
    return described


def check_geometry_unit(value: object, line: int | None = None) -> str:
    """Return `value` if it is a unit of geometry.

    Raises:
        ModelFaultError: The value is none of GEOMETRY_UNITS; the error has the line.
    """
    if isinstance(value, str) and value in GEOMETRY_UNITS:
        return value
    raise ModelFaultError(f"{UNIT_NAME} {format_value(value)} must be one of {', '.join(GEOMETRY_UNITS)}.", line)


def _bindings(statement: ast.stmt) -> list[tuple[str, ast.expr | None]]:
    """Return the names that a top-level statement binds, with the value of a plain assignment."""
    if isinstance(statement, ast.Assign):
        return [(target.id, statement.value) for target in statement.targets if isinstance(target, ast.Name)]
    if isinstance(statement, ast.AnnAssign | ast.AugAssign) and isinstance(statement.target, ast.Name):
        return [(statement.target.id, statement.value if isinstance(statement, ast.AnnAssign) else None)]
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [(statement.name, None)]
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return [(alias.asname or alias.name, None) for alias in statement.names]
    return []


def _entries(name: str, node: ast.expr, faults: DeclarationFaults) -> list[Entry]:
    if not isinstance(node, ast.List | ast.Tuple):
        faults.note(ModelFaultError(f"{name} must be a literal list of dicts.", node.lineno))
        return []
    entries = []
    for element in node.elts:
        with faults.noted():
            entries.append(_entry(name, element))
    return entries


def _entry(name: str, node: ast.expr) -> Entry:
    if not isinstance(node, ast.Dict):
        raise ModelFaultError(f"Each entry of {name} must be a literal dict.", node.lineno)
    entry, lines = Entry(), {}
    for key_node, value_node in zip(node.keys, node.values, strict=True):
        if not isinstance(key_node, ast.Constant) or not isinstance(key_node.value, str):
            raise ModelFaultError(f"{name}: keys must be literal text.", value_node.lineno)
        key = key_node.value
        if key in entry:
            raise ModelFaultError(f"{name}: the key {format_value(key)} is given twice.", key_node.lineno)
        try:
            entry[key] = ast.literal_eval(value_node)
        except (ValueError, TypeError, SyntaxError):
            raise ModelFaultError(
                f"{name}: the value of {format_value(key)} is not a literal.", value_node.lineno
            ) from None
        except (RecursionError, MemoryError):
            raise ModelFaultError(
                f"{name}: the value of {format_value(key)} is nested too deeply.", value_node.lineno
            ) from None
        lines[key] = key_node.lineno
    entry.line, entry.lines = node.lineno, lines
    return entry


def _check_entries(
    what: str, entries: list[Entry], check: Callable[[str, Entry], dict[str, Any]], faults: DeclarationFaults
) -> list[dict[str, Any]]:
    if len(entries) > MOST[what]:
        faults.note(entries[MOST[what]].fault(f"{what} has more than {MOST[what]} entries."))
        return []
    names: set[str] = set()
    checked = []
    for entry in entries:
        with faults.noted():
            name = _new_name(what, entry, names)
            names.add(name)
            checked.append(check(f"{what}: {name}:", entry))
    return checked


def _new_name(what: str, entry: Entry, names: Container[str]) -> str:
    """Return the name of an entry.

    Raises:
        ModelFaultError: There is none, it is no name, or another entry has it.
    """
    if "name" not in entry:
        raise entry.fault(f"{what}: an entry has no name.")
    try:
        name = check_name(entry["name"], f"{what}: name")
    except ModelFaultError as fault:
        raise entry.fault(fault.message, "name") from None
    if name in names:
        raise entry.fault(f"{what}: the name {format_value(name)} is given twice.", "name")
    return name


def _metric(what: str, entry: Entry) -> dict[str, Any]:
    check_keys(what, entry, {"name", "unit", "label", "description"}, "a metric")
    return {"name": entry["name"], **checked_texts(what, entry, {"unit": UNIT, "label": LABEL, "description": TEXT})}


def _constraint(what: str, entry: Entry) -> dict[str, Any]:
    check_keys(what, entry, {"name", "metric", "op", "value", "label", "description"}, "a constraint")
    for key in ("metric", "op", "value"):
        if key not in entry:
            raise entry.fault(f"{what} has no {key}.")
    metric, operator, value = entry["metric"], entry["op"], entry["value"]
    if not isinstance(metric, str):
        raise entry.fault(f"{what} metric {format_value(metric)} must be the name of a metric.", "metric")
    if not isinstance(operator, str) or operator not in OPERATORS:
        raise entry.fault(f"{what} op {format_value(operator)} must be one of {', '.join(OPERATORS)}.", "op")
    if isinstance(value, str):
        value = checked_texts(what, entry, {"value": EXPRESSION})["value"]
    elif not is_number(value):
        raise entry.fault(
            f'{what} value {format_value(value)} must be a finite number, or an expression such as "span / 300".',
            "value",
        )
    texts = checked_texts(what, entry, {"label": LABEL, "description": TEXT})
    return {"name": entry["name"], "metric": metric, "op": operator, "value": value, **texts}
