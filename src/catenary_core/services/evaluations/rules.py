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
from catenary_core.units import unit_table
from catenary_wire.sentences import Sentence
from catenary_wire.steps import neighbours, on_step

MAX_TEXT = 10_000
"""Maximum length, in characters, of a text value."""
MAX_VIOLATIONS = 50
"""Maximum violations in one response: a status travels in gRPC metadata, whose size is small."""
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

    Numbers become floats; an integer may be given as 3.0; a value that isn't given is the default.

    Args:
        declared: list of catenary.platform.v1.ModelParameter.
        given: name → plain value in the declared unit, or `{"value": number, "unit": symbol or null}`.

    Raises:
        DomainError: UNKNOWN_PARAMETER, VALIDATION_ERROR or PARAMETER_OUT_OF_RANGE for the first fault. Every fault is a
            violation: unknown names first, then in the order of the declaration.
    """
    names = [parameter["name"] for parameter in declared]
    faults = _unknown(names, given)
    values: dict[str, Any] = {}
    for parameter in declared:
        name = parameter["name"]
        try:
            if name in given:
                values[name] = _checked(parameter, given[name])
            else:
                values[name] = _typed(parameter, parameter["default"])
        except _ValueFaultError as fault:
            faults.append((name, fault))
    if faults:
        raise _error(faults)
    return dict(sorted(values.items()))


def cache_key(project_id: str, model_version_id: str, runtime_digest: str, values: Mapping[str, Any]) -> bytes:
    """Return the SHA-256 of everything that a result depends on, in the canonical JSON of RFC 8785.

    `values` come from `resolve`. Integers that a double can't hold, for which RFC 8785 has no form, are written as
    `{"integer": "<digits>"}`, which is no possible value.
    """
    plain = {name: _hashable(value) for name, value in values.items()}
    return hashlib.sha256(rfc8785.dumps([project_id, model_version_id, runtime_digest, plain])).digest()


def _hashable(value: Any) -> Any:
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > _SAFE_INTEGER:
        return {"integer": str(value)}
    return value


def _unknown(names: Sequence[str], given: Mapping[str, Any]) -> list[tuple[str, _ValueFaultError]]:
    faults: list[tuple[str, _ValueFaultError]] = []
    for name in sorted(given.keys() - set(names)):
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
        case _:
            return _choice(parameter, given)


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
    name, declared = parameter["name"], parameter["unit"]
    value, unit = given, None
    if isinstance(given, dict):
        if given.keys() != {"value", "unit"} or not isinstance(given["unit"], str | None):
            form = '{"value": 3, "unit": "m"}'
            message = f"{name} must be a number, or an object with exactly these two keys: {form}."
            raise _ValueFaultError(message, "type", value=given)
        value, unit = given["value"], given["unit"]
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _ValueFaultError(f"{name} must be a number.", "type", value=given)
    if unit is None or unit == declared:
        return value, False
    if declared is None:
        raise _ValueFaultError(f"{name} has no unit; give the number alone.", "unit", value=given)
    fitting = unit_table.fitting(declared)
    if fitting is None:
        message = f"{name} is in {declared}, which converts into no other unit; give the number alone."
        raise _ValueFaultError(message, "unit", value=given)
    try:
        converted = unit_table.convert(float(value), unit, declared)
    except unit_table.UnknownUnitError as error:
        message = f"{name}: {error} The parameter takes a unit of {fitting}."
        raise _ValueFaultError(message, "unit", value=given) from None
    except unit_table.IncompatibleUnitsError as error:
        raise _ValueFaultError(f"{name}: {error}", "unit", value=given) from None
    except unit_table.UnconvertibleValueError as error:
        raise _ValueFaultError(f"{name}: {error}", "finite", value=given) from None
    return converted, True


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
