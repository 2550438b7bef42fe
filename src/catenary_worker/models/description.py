"""The declarations of a Python model, read without running any of its code.

A model file has literals at its top level, the lists `PARAMETERS`, `METRICS` and `CONSTRAINTS` and the text
`GEOMETRY_UNIT`, and a function `evaluate(p)`. The literals are read from the syntax tree with `ast.literal_eval`; every
fault is a `ModelFaultError` with its line.
"""

import ast
import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from catenary_wire.characters import refused_character
from catenary_wire.steps import on_step
from catenary_worker.task import TEXT, Description, ModelFaultError

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}\Z")
OPERATORS = ("<=", "<", ">=", ">", "==")
MOST = {"PARAMETERS": 200, "METRICS": 500, "CONSTRAINTS": 500}
MOST_CHOICES = 1_000
GEOMETRY_UNITS = {"um": 1e-6, "mm": 0.001, "cm": 0.01, "m": 1.0, "in": 0.0254, "ft": 0.3048}
"""The metres of each unit that the geometry of a model may have."""
UNIT_NAME = "GEOMETRY_UNIT"

_COMMON = {"name", "type", "default", "label", "unit", "group", "description"}
_NUMERIC = {"min", "max", "step", "positive"}
_ONE_LINE = {"label", "unit", "group"}
_KEYS_OF_TYPE = {
    "number": _COMMON | _NUMERIC,
    "integer": _COMMON | _NUMERIC,
    "boolean": _COMMON,
    "string": _COMMON,
    "choice": _COMMON | {"choices"},
}
_PARAMETER_KEYS = ("name", "label", "type", "default", "min", "max", "step", "positive", "choices", "unit", "group",
                   "description")  # fmt: skip

Fail = Callable[[str, str | None], ModelFaultError]
"""Makes the fault of an entry from a text and the key concerned."""


def read(source: bytes, filename: str = "model.py") -> tuple[Description, ast.Module]:
    """Return the validated description of a Python model and its syntax tree.

    The description has `parameters` (every key of guide/models.md, "Parameters", null where unset; a `number` has float
    values, an `integer` int ones), `metrics` (`name`, `unit`, `label`, `description`) and `constraints` (`name`,
    `metric`, `op`, `value`, `label`, `description`) and `geometry_unit`.

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
    entries = {name: _entries(name, lists[name]) if name in lists else [] for name in MOST}
    return validate(entries["PARAMETERS"], entries["METRICS"], entries["CONSTRAINTS"], unit), tree


class Entry(dict[str, Any]):
    """A literal dict that remembers the lines of its keys."""

    line: int | None = None
    """Line of the entry itself."""
    lines: Mapping[str, int] = {}
    """Line of each key."""

    def fault(self, text: str, key: str | None = None) -> ModelFaultError:
        """Return the fault `text` at the line of `key`, or of the entry."""
        return ModelFaultError(text, self.lines.get(key, self.line) if key else self.line)


def validate(
    parameters: list[Entry], metrics: list[Entry], constraints: list[Entry], geometry_unit: str | None = None
) -> Description:
    """Return the normalised description of three lists of plain dicts and a unit.

    Raises:
        ModelFaultError: An entry is invalid; the error has its line.
    """
    described: Description = {
        "parameters": _check_entries("PARAMETERS", parameters, _parameter),
        "metrics": _check_entries("METRICS", metrics, _metric),
        "constraints": _check_entries("CONSTRAINTS", constraints, _constraint),
        "geometry_unit": None if geometry_unit is None else check_geometry_unit(geometry_unit),
    }
    declared = {metric["name"] for metric in described["metrics"]}
    for entry, constraint in zip(constraints, described["constraints"], strict=True):
        if constraint["metric"] not in declared:
            text = f"CONSTRAINTS: {constraint['name']}: metric {format_value(constraint['metric'])} is not in METRICS."
            raise entry.fault(text, "metric")
    return described


def check_geometry_unit(value: object, line: int | None = None) -> str:
    """Return `value` if it is a unit of geometry.

    Raises:
        ModelFaultError: The value is none of GEOMETRY_UNITS; the error has the line.
    """
    if isinstance(value, str) and value in GEOMETRY_UNITS:
        return value
    raise ModelFaultError(f"{UNIT_NAME} {format_value(value)} must be one of {', '.join(GEOMETRY_UNITS)}.", line)


def check_name(value: object, what: str) -> str:
    """Return `value` if it is a name (guide/models.md, "Rules of the file").

    Raises:
        ModelFaultError: The value is no name; the text begins with `what`.
    """
    if isinstance(value, str) and NAME.match(value):
        return value
    raise ModelFaultError(
        f"{what} {format_value(value)} is not a name: letters, digits and _, at most 64, no digit first."
    )


def check_text(value: object, what: str, longest: int = TEXT, *, multiline: bool = True) -> str:
    """Return `value` if it is text whose characters a text of lines, or else of one line, may have.

    Raises:
        ModelFaultError: The value is no text, too long or has other characters; the text begins with `what`.
    """
    if not isinstance(value, str):
        raise ModelFaultError(f"{what} must be text, not {format_value(value)}.")
    if len(value) > longest:
        raise ModelFaultError(f"{what} is longer than {longest} characters.")
    if any("\ud800" <= character <= "\udfff" for character in value):
        raise ModelFaultError(f"{what} has characters that are not text.")
    if character := refused_character(value, multiline=multiline):
        wanted = "text" if multiline else "one line of text"
        raise ModelFaultError(f"{what} has the character {character}, which {wanted} can't have; remove it.")
    return value


def format_value(value: object) -> str:
    """Format a value for a message: its `repr`, cut to 80 characters."""
    try:
        text = repr(value)
    except Exception as error:  # noqa: BLE001 - a user's __repr__ may raise anything
        text = f"<{type(value).__name__} whose repr raises {type(error).__name__}>"
    return text if len(text) <= 80 else text[:77] + "..."


def is_number(value: object) -> bool:
    """Return whether a literal is a finite number; True and False are not."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return math.isfinite(value) if isinstance(value, float) else -(2**63) <= value < 2**63


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


def _entries(name: str, node: ast.expr) -> list[Entry]:
    if not isinstance(node, ast.List | ast.Tuple):
        raise ModelFaultError(f"{name} must be a literal list of dicts.", node.lineno)
    if len(node.elts) > MOST[name]:
        raise ModelFaultError(f"{name} has more than {MOST[name]} entries.", node.lineno)
    return [_entry(name, element) for element in node.elts]


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
    what: str, entries: list[Entry], check: Callable[[str, Entry], dict[str, Any]]
) -> list[dict[str, Any]]:
    names: set[str] = set()
    checked = []
    for entry in entries:
        if "name" not in entry:
            raise entry.fault(f"{what}: an entry has no name.")
        try:
            name = check_name(entry["name"], f"{what}: name")
        except ModelFaultError as fault:
            raise entry.fault(fault.message, "name") from None
        if name in names:
            raise entry.fault(f"{what}: the name {format_value(name)} is given twice.", "name")
        names.add(name)
        checked.append(check(f"{what}: {name}:", entry))
    return checked


def _check_keys(what: str, entry: Entry, allowed: set[str], kind: str) -> None:
    for key in entry:
        if key not in allowed:
            known = ", ".join(sorted(allowed))
            raise entry.fault(f"{what} unknown key {format_value(key)} for {kind}; known keys are {known}.", key)


def _texts(what: str, entry: Entry, longest: Mapping[str, int]) -> dict[str, str | None]:
    found: dict[str, str | None] = {}
    for key, length in longest.items():
        value = entry.get(key)
        try:
            multiline = key not in _ONE_LINE
            found[key] = None if value is None else check_text(value, f"{what} {key}", length, multiline=multiline)
        except ModelFaultError as fault:
            raise entry.fault(fault.message, key) from None
    return found


def _parameter(what: str, entry: Entry) -> dict[str, Any]:
    kind = entry.get("type")
    if not isinstance(kind, str) or kind not in _KEYS_OF_TYPE:
        raise entry.fault(f"{what} type {format_value(kind)} must be one of {', '.join(_KEYS_OF_TYPE)}.", "type")
    # A key set to None is the same as one left out.
    given = Entry({key: value for key, value in entry.items() if value is not None})
    given.line, given.lines = entry.line, entry.lines
    entry = given
    _check_keys(what, entry, _KEYS_OF_TYPE[kind], f"the type {kind}")
    if "default" not in entry:
        raise entry.fault(f"{what} has no default.")
    parameter: dict[str, Any] = dict.fromkeys(_PARAMETER_KEYS)
    parameter.update(name=entry["name"], type=kind, default=entry["default"])
    parameter.update(_texts(what, entry, {"label": 200, "unit": 64, "group": 200, "description": TEXT}))
    if kind in ("number", "integer"):
        _numeric(what, entry, kind, parameter)
    elif kind == "boolean" and not isinstance(entry["default"], bool):
        raise entry.fault(f"{what} default {format_value(entry['default'])} must be True or False.", "default")
    elif kind == "string":
        parameter["default"] = _texts(what, entry, {"default": TEXT})["default"]
    elif kind == "choice":
        _choice(what, entry, parameter)
    return parameter


def _numeric(what: str, entry: Entry, kind: str, parameter: dict[str, Any]) -> None:
    """Check the range and step of a number. The grid of the step starts at `min`, or at 0 without one."""
    for key in ("default", "min", "max", "step"):
        value = entry.get(key)
        if value is None:
            continue
        if not is_number(value) or (kind == "integer" and not isinstance(value, int)):
            wanted = "a whole number in ±2^63" if kind == "integer" else "a finite number"
            raise entry.fault(f"{what} {key} {format_value(value)} must be {wanted}.", key)
        parameter[key] = value if kind == "integer" else float(value)
    default, low, high, step = (parameter[key] for key in ("default", "min", "max", "step"))
    if low is not None and high is not None and low > high:
        raise entry.fault(f"{what} min {low} is over max {high}.", "min")
    if (low is not None and default < low) or (high is not None and default > high):
        raise entry.fault(f"{what} default {default} is outside {_range(low, high)}.", "default")
    if step is not None:
        if step <= 0:
            raise entry.fault(f"{what} step {step} must be over 0.", "step")
        if not on_step(default, low or 0, step):
            raise entry.fault(f"{what} default {default} is not on the step {step} from {low or 0}.", "default")
    positive = entry.get("positive")
    if positive is not None and not isinstance(positive, bool):
        raise entry.fault(f"{what} positive {format_value(positive)} must be True or False.", "positive")
    parameter["positive"] = positive
    if positive and default <= 0:
        raise entry.fault(f"{what} default {default} must be over 0, since positive is set.", "default")


def _range(low: float | None, high: float | None) -> str:
    return f"{'...' if low is None else low} to {'...' if high is None else high}"


def _choice(what: str, entry: Entry, parameter: dict[str, Any]) -> None:
    choices = entry.get("choices")
    if not isinstance(choices, list | tuple) or not choices:
        raise entry.fault(f"{what} choices must be a list of at least one value.", "choices")
    if len(choices) > MOST_CHOICES:
        raise entry.fault(f"{what} has more than {MOST_CHOICES} choices.", "choices")
    for choice in choices:
        if not is_number(choice):
            try:
                check_text(choice, f"{what} choice", 200, multiline=False)
            except ModelFaultError as fault:
                raise entry.fault(fault.message, "choices") from None
    if len(set(choices)) != len(choices):
        raise entry.fault(f"{what} a choice is given twice.", "choices")
    if isinstance(entry["default"], bool) or entry["default"] not in choices:
        raise entry.fault(f"{what} default {format_value(entry['default'])} is not one of its choices.", "default")
    parameter["choices"] = list(choices)


def _metric(what: str, entry: Entry) -> dict[str, Any]:
    _check_keys(what, entry, {"name", "unit", "label", "description"}, "a metric")
    return {"name": entry["name"], **_texts(what, entry, {"unit": 64, "label": 200, "description": TEXT})}


def _constraint(what: str, entry: Entry) -> dict[str, Any]:
    _check_keys(what, entry, {"name", "metric", "op", "value", "label", "description"}, "a constraint")
    for key in ("metric", "op", "value"):
        if key not in entry:
            raise entry.fault(f"{what} has no {key}.")
    metric, operator, value = entry["metric"], entry["op"], entry["value"]
    if not isinstance(metric, str):
        raise entry.fault(f"{what} metric {format_value(metric)} must be the name of a metric.", "metric")
    if not isinstance(operator, str) or operator not in OPERATORS:
        raise entry.fault(f"{what} op {format_value(operator)} must be one of {', '.join(OPERATORS)}.", "op")
    if not is_number(value):
        raise entry.fault(f"{what} value {format_value(value)} must be a finite number.", "value")
    texts = _texts(what, entry, {"label": 200, "description": TEXT})
    return {"name": entry["name"], "metric": metric, "op": operator, "value": value, **texts}
