"""Validation of an evaluation's values against the declared parameters.

The result is canonical: every declared parameter once, in its declared unit and type, so that requests with equal
values in different spellings have equal results.

The rules are in guide/models.md, "Parameters".
"""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import rfc8785

from catenary_core.call.errors import DomainError, Violation, shortened
from catenary_wire import value_forms
from catenary_wire.model_limits import MOST_CELLS
from catenary_wire.sentences import Sentence
from catenary_wire.steps import neighbours, on_step
from catenary_wire.units import unit_table

MAX_TEXT = 10_000
"""Maximum length, in characters, of a text value."""
MAX_VIOLATIONS = 100
"""Maximum violations in one response: a status travels in gRPC metadata, whose size is small."""
UNKNOWN_FILE = "reference"
"""Constraint of a fault for a file that the project doesn't have."""
_HINTED = 5
"""Number of unknown names for which a refusal suggests others."""
_SHOWN = 10
"""Number of the model's parameters among the suggestions."""
_SAFE_INTEGER = 2**53 - 1
_Number = int | float


class _ValueFaultError(Exception):
    """The reason why one value was refused; `details` go beside the parameter and the value."""

    def __init__(
        self, message: str, constraint: str, *, value: Any, reason: str = "VALIDATION_ERROR", **details: Any
    ) -> None:
        super().__init__(message)
        self.violation = message
        self.reason = reason
        self.constraint = constraint
        self.details = {"value": shortened(value), "constraint": constraint, **details}


def resolve(declared: Sequence[Mapping[str, Any]], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the canonical value of every declared parameter, sorted by name.

    Numbers become floats; an integer may be given as 3.0; a colour is in lower case; a value that isn't given is the
    default, whether a form would show its parameter or not.

    Args:
        declared: list of catenary.platform.v1.ModelParameter, of the type `file` with `files` (`files.known`).
        given: name → plain value in the declared unit, or `{"value": number or point, "unit": symbol or null}`.

    Raises:
        DomainError: UNKNOWN_PARAMETER, VALIDATION_ERROR or PARAMETER_OUT_OF_RANGE for the first fault. Every fault is a
            violation, up to MAX_VIOLATIONS: unknown names first, then in the order of the declaration.
    """
    return _resolved(declared, given, {})


def _resolved(
    declared: Sequence[Mapping[str, Any]], given: Mapping[str, Any], defaults: dict[str, Any]
) -> dict[str, Any]:
    """Return what `resolve` does; `defaults` has those that were resolved before, and gets the others."""
    names = [parameter["name"] for parameter in declared]
    faults = _unknown(names, given)
    values: dict[str, Any] = {}
    for parameter in declared:
        name = parameter["name"]
        try:
            if name in given:
                values[name] = _checked(parameter, given[name])
                continue
            if name not in defaults:
                defaults[name] = _default(parameter)
            values[name] = defaults[name]
        except _ValueFaultError as fault:
            faults.append((name, fault))
    if faults:
        raise _error(faults)
    return dict(sorted(values.items()))


def resolve_all(
    declared: Sequence[Mapping[str, Any]], given: Sequence[Mapping[str, Any]], field: str
) -> list[dict[str, Any]]:
    """Return the canonical values of several points, as `resolve` does for one; the points share their defaults.

    Args:
        declared: list of catenary.platform.v1.ModelParameter.
        given: values of each point.
        field: name of the request's field with the points.

    Raises:
        DomainError: the faults of the first MAX_VIOLATIONS points that have any, each named by the point's index.
    """
    values: list[dict[str, Any]] = []
    defaults: dict[str, Any] = {}
    faults: list[tuple[str, DomainError]] = []
    for index, one in enumerate(given):
        try:
            values.append(_resolved(declared, one, defaults))
        except DomainError as fault:
            faults.append((f"{field}[{index}].parameters", fault))
            if len(faults) >= MAX_VIOLATIONS:
                break
    if faults:
        raise _error_of_points(faults)
    return values


def _error_of_points(faults: Sequence[tuple[str, DomainError]]) -> DomainError:
    """Return one refusal for the faults of several points, whose parameters stand with their paths."""
    path, first = faults[0]
    violations = [
        Violation(f"{path}.{one.field}", one.sentence, one.constraint)
        for path, fault in faults
        for one in fault.violations
    ]
    return DomainError(
        first.reason,
        f"{path}: {first.message}",
        details=first.details | {"parameter": f"{path}.{first.details['parameter']}"},
        violations=violations[:MAX_VIOLATIONS],
    )


def cache_key(
    project_id: str, model_version_id: str, runtime_digest: str, values: Mapping[str, Any], *, geometry: bool = True
) -> bytes:
    """Return the SHA-256 of everything that a result depends on, in the canonical JSON of RFC 8785.

    `values` come from `resolve`. Integers that a double can't hold, for which RFC 8785 has no form, are written as
    `{"integer": "<digits>"}`, which is no possible value or cell.
    """
    plain = {name: _hashable(value) for name, value in values.items()}
    kept = [] if geometry else ["without geometry"]
    return hashlib.sha256(rfc8785.dumps([project_id, model_version_id, runtime_digest, plain, *kept])).digest()


def _hashable(value: Any) -> Any:
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > _SAFE_INTEGER:
        return {"integer": str(value)}
    if isinstance(value, list):  # a point, or the rows of a table
        return [_hashable(item) for item in value]
    if isinstance(value, dict):
        return {name: _hashable(cell) for name, cell in value.items()}
    return value


def _unknown(names: Sequence[str], given: Mapping[str, Any]) -> list[tuple[str, _ValueFaultError]]:
    faults: list[tuple[str, _ValueFaultError]] = []
    for name in sorted(given.keys() - set(names))[:MAX_VIOLATIONS]:
        is_hinted = len(faults) < _HINTED
        near = difflib.get_close_matches(name, names, 3) if is_hinted and len(name) <= 64 else []
        message = f"The model has no parameter {_name(name)}."
        if is_hinted:
            message += f" Did you mean {' or '.join(near)}?" if near else _known(names)
        fault = _ValueFaultError(message, "unknown", value=given[name], reason="UNKNOWN_PARAMETER", nearest=near)
        faults.append((_name(name), fault))
    return faults


def _known(names: Sequence[str]) -> str:
    if not names:
        return " It has no parameters; give none."
    more = ", …" if len(names) > _SHOWN else ""
    return f" Its parameters are: {', '.join(names[:_SHOWN])}{more}."


def _name(name: str) -> str:
    return name if len(name) <= 64 else f"{name[:64]}…"


def _error(faults: Sequence[tuple[str, _ValueFaultError]]) -> DomainError:
    name, first = faults[0]
    return DomainError(
        first.reason,
        first.violation,
        details={"parameter": name, **first.details},
        violations=[
            Violation(name, Sentence(fault.violation), fault.constraint) for name, fault in faults[:MAX_VIOLATIONS]
        ],
    )


def _checked(parameter: Mapping[str, Any], given: Any) -> Any:
    value = _typed(parameter, given)
    if parameter["type"] in ("number", "integer"):
        _check_number(parameter, value, given)
    return value


def _default(parameter: Mapping[str, Any]) -> Any:
    """Return the value of a parameter that isn't given."""
    if parameter["type"] != "file":
        return _typed(parameter, parameter["default"])
    if parameter["default"] is None:
        raise _ValueFaultError(
            f"{parameter['name']} is missing and has no default; upload a file to the project and give its file_id.",
            "required",
            value=None,
        )
    return parameter["default"]


def _typed(parameter: Mapping[str, Any], given: Any) -> Any:
    """Return the value in the parameter's type and unit."""
    name = parameter["name"]
    match parameter["type"]:
        case "number":
            return _number(parameter, given)
        case "integer":
            return _integer(parameter, given)
        case "boolean":
            if isinstance(given, bool):
                return given
            raise _ValueFaultError(f"{name} must be true or false.", "type", value=given)
        case "string":
            if not isinstance(given, str):
                raise _ValueFaultError(f"{name} must be text.", "type", value=given)
            if len(given) > MAX_TEXT:
                raise _ValueFaultError(f"{name} must have at most {MAX_TEXT} characters.", "max_len", value=given)
            return given
        case "color":
            return _formed(parameter, given, value_forms.color(given), value_forms.COLOR_FORM)
        case "date":
            return _formed(parameter, given, value_forms.day(given), value_forms.DATE_FORM)
        case "point":
            return _point(parameter, given)
        case "table":
            return _table(parameter, given)
        case "file":
            return _file(parameter, given)
        case _:
            return _choice(parameter, given)


def _formed(parameter: Mapping[str, Any], given: Any, found: str | None, form: str) -> str:
    if found is None:
        raise _ValueFaultError(f"{parameter['name']} must be {form}.", "type", value=given)
    return found


def _file(parameter: Mapping[str, Any], given: Any) -> str:
    """Return the value of a file: its digest and suffix, by which equal files are equal; a default's is its path.

    A file of another project is as unknown as one that isn't there.
    """
    name = parameter["name"]
    if isinstance(given, str) and given == parameter["default"]:
        return given
    file = parameter["files"].get(given.lower()) if isinstance(given, str) else None
    if file is None:
        message = f"{name} must be the file_id of a file of this project; upload one to it."
        raise _ValueFaultError(message, UNKNOWN_FILE, value=given)
    if parameter["accept"] and file.suffix not in parameter["accept"]:
        known = ", ".join(parameter["accept"])
        message = f"{name} must be a file whose name ends in {known}, and this one's ends in {file.suffix or 'none'}."
        raise _ValueFaultError(message, "accept", value=given)
    if file.size > parameter["max_bytes"]:
        message = f"{name} must have at most {parameter['max_bytes']:,} bytes; the file has {file.size:,}."
        raise _ValueFaultError(message, "max_bytes", value=given)
    return str(file.value)


def _point(parameter: Mapping[str, Any], given: Any) -> list[float]:
    """Return a point in the declared unit; one in another unit is converted and not rounded."""
    value, unit = _split(parameter, given, '{"value": [1, 2, 3], "unit": "m"}')
    found = value_forms.point(value)
    if found is None:
        message = f"{parameter['name']} must be a point: {value_forms.POINT_FORM}{_in(parameter)}."
        raise _ValueFaultError(message, "type", value=given)
    return [float(_converted(parameter, given, coordinate, unit)) + 0.0 for coordinate in found]


def _table(parameter: Mapping[str, Any], given: Any) -> list[dict[str, Any]]:
    """Return the rows with their cells in the columns' types and units."""
    name = parameter["name"]
    columns = {column["name"]: column for column in parameter["columns"]}
    known = ", ".join(columns)
    if not isinstance(given, list):
        raise _ValueFaultError(f"{name} must be a list of rows, objects with exactly {known}.", "type", value=given)
    if len(given) * len(columns) > MOST_CELLS:
        message = (
            f"{name} must have at most {MOST_CELLS:,} cells: {MOST_CELLS // len(columns):,} rows of its"
            f" {len(columns)} columns, not {len(given):,}."
        )
        raise _ValueFaultError(message, "max_cells", value=given)
    rows = []
    for number, row in enumerate(given, 1):
        if not isinstance(row, dict) or row.keys() != columns.keys():
            message = f"{name}, row {number} must be an object with exactly {known}."
            raise _ValueFaultError(message, "columns", value=row)
        rows.append(
            {key: _typed(_cell(column, f"{name}, row {number}, {key}"), row[key]) for key, column in columns.items()}
        )
    return rows


def _cell(column: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return the parameter that a cell is read as."""
    return {
        "name": name,
        "type": column["type"],
        "unit": column["unit"],
        "min": None,
        "max": None,
        "step": None,
        "positive": False,
    }


def _choice(parameter: Mapping[str, Any], given: Any) -> Any:
    for choice in parameter["choices"]:
        if choice == given and isinstance(choice, bool) == isinstance(given, bool):
            return choice
    shown = ", ".join(str(shortened(choice)) for choice in parameter["choices"][:10])
    more = ", …" if len(parameter["choices"]) > 10 else ""
    raise _ValueFaultError(f"{parameter['name']} must be one of {shown}{more}.", "choice", value=given)


def _number(parameter: Mapping[str, Any], given: Any) -> float:
    value, converted = _quantity(parameter, given)
    if converted:
        value = _nearest_step(parameter, value)
    # + 0.0 turns -0.0 into 0.0; RFC 8785 doesn't distinguish the two.
    return float(value) + 0.0


def _integer(parameter: Mapping[str, Any], given: Any) -> int:
    value, converted = _quantity(parameter, given)
    if converted:
        value = _nearest_step(parameter, value)
    whole = round(value)
    if whole != value:
        raise _ValueFaultError(f"{parameter['name']} must be a whole number{_in(parameter)}.", "type", value=given)
    if not -(2**63) <= whole < 2**63:
        raise _ValueFaultError(f"{parameter['name']} must be in -2^63 to 2^63 - 1.", "type", value=given)
    return whole


def _quantity(parameter: Mapping[str, Any], given: Any) -> tuple[_Number, bool]:
    """Return a number in the declared unit, and whether it was converted."""
    value, unit = _split(parameter, given, '{"value": 3, "unit": "m"}')
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _ValueFaultError(f"{parameter['name']} must be a number.", "type", value=given)
    return _converted(parameter, given, value, unit), unit is not None and unit != parameter["unit"]


def _split(parameter: Mapping[str, Any], given: Any, form: str) -> tuple[Any, str | None]:
    """Return a value and the unit in which it is given, None for the declared one."""
    if not isinstance(given, dict):
        return given, None
    if given.keys() != {"value", "unit"} or not isinstance(given["unit"], str | None):
        wanted = "point" if parameter["type"] == "point" else "number"
        message = f"{parameter['name']} must be a {wanted}, or an object with exactly these two keys: {form}."
        raise _ValueFaultError(message, "type", value=given)
    return given["value"], given["unit"]


def _converted(parameter: Mapping[str, Any], given: Any, value: _Number, unit: str | None) -> _Number:
    """Return a number of a given value in the declared unit."""
    name, declared = parameter["name"], parameter["unit"]
    if unit is None or unit == declared:
        return value
    alone = "point" if parameter["type"] == "point" else "number"
    if declared is None:
        raise _ValueFaultError(f"{name} has no unit; give the {alone} alone.", "unit", value=given)
    if unit_table.measure(declared) is None:
        message = f"{name} is in {declared}, which converts into no other unit; give the {alone} alone."
        raise _ValueFaultError(message, "unit", value=given)
    try:
        converted = unit_table.convert(float(value), unit, declared)
    except unit_table.UnknownUnitError as error:
        message = f"{name}: {error} The parameter takes a unit of {unit_table.fitting(declared)}."
        raise _ValueFaultError(message, "unit", value=given) from None
    except unit_table.IncompatibleUnitsError as error:
        raise _ValueFaultError(f"{name}: {error}", "unit", value=given) from None
    except unit_table.UnconvertibleValueError as error:
        raise _ValueFaultError(f"{name}: {error}", "finite", value=given) from None
    return converted


def _nearest_step(parameter: Mapping[str, Any], value: _Number) -> _Number:
    """Return the step nearest to a converted value: nobody can write a foot as tenths of a metre.

    A value in the range stays in the range. One outside comes back as it is, unless the nearest step is in the range.
    """
    steps = _neighbours(parameter, value)
    if _is_in_range(parameter, value):
        steps = [step for step in steps if _is_in_range(parameter, step)]
    nearest = min(steps, key=lambda step: abs(step - value), default=value)
    return nearest if _is_in_range(parameter, nearest) else value


def _neighbours(parameter: Mapping[str, Any], value: _Number) -> Sequence[_Number]:
    """Return the steps below and above a value; none where the parameter has no steps."""
    low, step = parameter["min"], parameter["step"]
    if step is None:
        if parameter["type"] != "integer":
            return ()
        step = 1
    try:
        return neighbours(value, low or 0, step)
    except OverflowError:
        return ()


def _is_in_range(parameter: Mapping[str, Any], value: _Number) -> bool:
    low, high = parameter["min"], parameter["max"]
    return (
        (low is None or value >= low) and (high is None or value <= high) and (value > 0 or not parameter["positive"])
    )


def _check_number(parameter: Mapping[str, Any], value: _Number, given: Any) -> None:
    name, low, high, step = (parameter[key] for key in ("name", "min", "max", "step"))
    if parameter["positive"] and value <= 0:
        raise _ValueFaultError(f"{name} must be over 0{_in(parameter)}.", "positive", value=given)
    for bound, constraint, broken in ((low, "min", "at least"), (high, "max", "at most")):
        if bound is not None and (value < bound if constraint == "min" else value > bound):
            raise _ValueFaultError(
                f"{name} must be {broken} {bound}{_in(parameter)}; it is {value}.",
                constraint,
                value=value,
                reason="PARAMETER_OUT_OF_RANGE",
                min=low,
                max=high,
            )
    if step is not None and not on_step(value, low or 0, step):
        nearest = [near for near in _neighbours(parameter, value) if _is_in_range(parameter, near)]
        start = f"counted from {low}" if low is not None else "counted from 0"
        way_out = f"give {' or '.join(map(str, nearest))}" if nearest else "give one of them"
        message = f"{name} must lie on steps of {step}{_in(parameter)}, {start}; it is {value}: {way_out}."
        raise _ValueFaultError(message, "step", value=value, step=step, nearest=nearest)


def _in(parameter: Mapping[str, Any]) -> str:
    return f" {parameter['unit']}" if parameter["unit"] is not None else ""
