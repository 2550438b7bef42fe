"""The definition of a study from a request: names, dimensions and ranges are checked before the first point."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, cast

import orjson

from catenary.platform.v1.model_shapes import ModelConstraint, ModelMetric, ModelParameter
from catenary_core.call.errors import DomainError, invalid
from catenary_core.call.item_faults import ItemFaults
from catenary_core.studies import named, ranges, scores
from catenary_core.studies.definition import SENSITIVITIES, Algorithm, Constraint, Definition, Objective
from catenary_core.studies.named import Named
from catenary_core.studies.variables import Value, Variable

MOST_POINTS = 100_000
"""Greatest budget."""
MAX_BYTES = 256 * 1024**2
"""Maximum bytes as JSON of the fixed values of all points: 2.6 kB for each of 100,000."""
MOST_OF_TPE = 1_000
"""Greatest budget of TPE, whose time for a point grows with the points before."""
_MOST_AT_ONCE_OF_TPE = 50
_MOST_OBJECTIVES_OF_TPE = 3
"""Greatest population and most objectives of TPE: one generation is proposed within the engine's time for an answer."""
FEW_POINTS = 300
"""Budget below which `auto` takes TPE for a single objective."""
_PRECISE = 64
"""Base points from which on `auto` takes Sobol' indices."""
_NSGA3_OBJECTIVES = 3
_PARAMETERS = 10_000
"""Place of the first parameter among the items of a request, behind objectives and constraints."""


def declare(
    request: Mapping[str, Any],
    parameters: Sequence[ModelParameter],
    metrics: Sequence[ModelMetric],
    constraints: Sequence[ModelConstraint],
    base: Mapping[str, Value],
    derived: Sequence[Mapping[str, Any]] = (),
) -> Definition:
    """Return the definition of a study that a request describes.

    The named parameters vary. Where none is named, or only fixed ones are, all others that have a range vary. The
    constraints that the model declares count beside those of the request, but not for a sensitivity.

    Args:
        request: `kind`, `objectives`, `constraints`, `parameters`, `algorithm`, `population`, `budget` and `seed`; `stop`
            where there are rules.
        parameters: effective parameters of the version.
        metrics: declared metrics of the version.
        constraints: declared constraints of the version.
        base: canonical value of each parameter, for those that don't vary.
        derived: derived metrics of the project, each with `name`, `expression` and `unit`.

    Raises VALIDATION_ERROR: a name is unknown, an expression doesn't fit, a range is empty, or the algorithm doesn't fit.
    """
    names = named.named(request, parameters, metrics, derived)
    faults = ItemFaults()
    objectives: list[Objective] = []
    for index, given in enumerate(request["objectives"]):
        with faults.of(index):
            objectives.append(_objective(f"objectives[{index}]", given, names, objectives))
    wanted = []
    for index, given in enumerate(request["constraints"], len(objectives)):
        with faults.of(index):
            wanted.append(_constraint(f"constraints[{index - len(objectives)}]", given, names))
    varied = _varied(request["parameters"], parameters, faults)
    faults.refuse()
    is_sensitivity = request["kind"] == "sensitivity"
    if is_sensitivity and wanted:
        raise invalid(
            "constraints", "{field}: a sensitivity has no constraints; leave them out.", value=None, constraint="kind"
        )
    if not varied:
        raise invalid(
            "parameters",
            "{field}: no parameter varies; name one that has a range of two values or more.",
            value=None,
            constraint="range",
        )
    check_stop(request)
    algorithm = _algorithm(request, len(objectives), len(varied))
    return Definition(
        algorithm=algorithm,
        variables=tuple(varied),
        fixed={name: value for name, value in base.items() if name not in {one.name for one in varied}},
        parameters=tuple({key: one[key] for key in ("name", "type", "unit", "choices")} for one in parameters),
        metrics=tuple({"name": one["name"], "unit": one["unit"]} for one in metrics),
        objectives=tuple(objectives),
        constraints=(*(() if is_sensitivity else _of_model(constraints)), *wanted),
        population=request["population"] or _population(algorithm, request["budget"]),
        budget=request["budget"],
        seed=request["seed"],
        derived=tuple(names.derived),
    )


def _objective(field: str, given: Mapping[str, Any], names: Named, others: Sequence[Objective]) -> Objective:
    metric, expression = _one_of(field, given)
    if _number_of(metric, expression) in [_number_of(one.metric, one.expression) for one in others]:
        raise invalid(
            field,
            "{field} has the {kind} of another objective, so that nothing is weighed; name another one, or leave it out.",
            value=metric or expression,
            constraint="unique",
            kind="expression" if metric is None else "metric",
        )
    if metric is not None:
        names.check_metric(field, metric)
    else:
        names.check_expression(field, expression or "", "number")
    reference = given["reference"]
    if reference is not None and not abs(reference) <= scores.GREATEST:
        raise invalid(
            f"{field}.reference",
            "{field} is too great for a volume; give one below 1e150.",
            value=reference,
            constraint="range",
        )
    return Objective(metric, expression, given["direction"] == "maximize", reference)


def _number_of(metric: str | None, expression: str | None) -> str:
    """Return the text by which two objectives of the same number are found; an expression may be a metric's name."""
    return metric or "".join((expression or "").split())


def _constraint(field: str, given: Mapping[str, Any], names: Named) -> Constraint:
    metric, expression = _one_of(field, given)
    if metric is None:
        names.check_expression(field, expression or "", "truth")
        return Constraint(expression or "", None, None, None, expression)
    names.check_metric(field, metric)
    op, value = given["op"], given["value"]
    if op is None or value is None:
        raise invalid(
            field,
            "{field} has a metric without op and value; give both, such as <= and 2000.",
            value=None,
            constraint="together",
        )
    return Constraint(f"{metric} {op} {value:g}", metric, op, float(value), None)


def _one_of(field: str, given: Mapping[str, Any]) -> tuple[str | None, str | None]:
    metric, expression = given["metric"], given["expression"]
    if (metric is None) == (expression is None):
        raise invalid(
            field,
            "{field} has a metric or an expression; give exactly one of the two.",
            value=None,
            constraint="oneof",
        )
    return metric, expression


def _varied(
    given: Mapping[str, Mapping[str, Any]], parameters: Sequence[ModelParameter], faults: ItemFaults
) -> list[Variable]:
    """Return the variables, in the order of the declaration."""
    known = {parameter["name"]: parameter for parameter in parameters}
    varying = {name for name in given if given[name].get("fixed") is None}
    found: list[Variable | None] = []
    for name in sorted(given.keys() - known.keys()):
        with faults.of(_PARAMETERS):
            raise _unknown(name, given[name], list(known))
    for at, (name, parameter) in enumerate(known.items()):
        with faults.of(_PARAMETERS + at):
            if name in varying:
                found.append(ranges.named(parameter, given[name]))
            elif not varying and name not in given:
                found.append(ranges.whole(parameter))
    return [variable for variable in found if variable is not None]


def _unknown(name: str, value: Any, known: Sequence[str]) -> DomainError:
    return invalid(
        f"parameters.{name[:64]}",
        "{field} is no parameter of the model; there are {known}.",
        value=value,
        constraint="unknown",
        known=named.near(name, known),
    )


def _of_model(constraints: Sequence[ModelConstraint]) -> list[Constraint]:
    return [Constraint(one["name"], one["metric"], one["op"], _bound(one["value"]), None) for one in constraints]


def _bound(value: object) -> float | None:
    """Return the number of a declared constraint; None for an expression, whose value each evaluation has."""
    return None if isinstance(value, str) else float(cast("float", value))


def _algorithm(request: Mapping[str, Any], objectives: int, variables: int) -> Algorithm:
    given, budget = request["algorithm"], request["budget"]
    is_sensitivity = request["kind"] == "sensitivity"
    found: Algorithm = given
    if given == "auto" and is_sensitivity:
        found = "sobol_indices" if budget >= _PRECISE * (variables + 2) else "morris"
    elif given == "auto" and objectives >= _NSGA3_OBJECTIVES:
        found = "nsga3"
    elif given == "auto":
        is_for_tpe = objectives == 1 and budget < FEW_POINTS and (request["population"] or 1) <= _MOST_AT_ONCE_OF_TPE
        found = "tpe" if is_for_tpe else "nsga2"
    if (found in SENSITIVITIES) != is_sensitivity:
        raise invalid(
            "algorithm",
            "{field} is none of a study of this kind; give auto, or {known}.",
            value=given,
            constraint="kind",
            known=" or ".join(SENSITIVITIES if is_sensitivity else ("nsga2", "nsga3", "tpe")),
        )
    if found == "nsga3" and objectives == 1:
        raise invalid(
            "algorithm",
            "{field} nsga3 takes two objectives or more; give nsga2 or tpe.",
            value=given,
            constraint="kind",
        )
    _check_most(found, budget)
    if found == "tpe":
        _check_tpe(request["population"] or 1, objectives)
    least = 2 * (variables + (1 if found == "morris" else 2)) if is_sensitivity else 1
    if budget < least:
        raise invalid(
            "budget",
            "{field} of {algorithm} over {variables} parameters is at least {least} points; give more, or fix parameters.",
            value=budget,
            constraint="budget",
            algorithm=found,
            variables=variables,
            least=least,
        )
    return found


def reason(chosen: Definition) -> str:
    """Return the sentence that says why the algorithm of a study was chosen for it."""
    if chosen.is_sensitivity:
        least = _PRECISE * (len(chosen.variables) + 2)
        if chosen.algorithm == "morris":
            return f"The budget is below {least} points, which Sobol' indices of these parameters take to be precise."
        return f"The budget has the {least} points that Sobol' indices of these parameters take to be precise."
    count = len(chosen.objectives)
    if count >= _NSGA3_OBJECTIVES:
        return f"The study has {count} objectives; of three or more NSGA-III finds an evener front than NSGA-II."
    if count > 1:
        return "The study has two objectives, of which NSGA-II finds an even front."
    if chosen.algorithm == "tpe":
        return f"The study has one objective and fewer than {FEW_POINTS} points, of which TPE makes the most."
    if chosen.budget >= FEW_POINTS:
        return f"The study has {FEW_POINTS} points or more, of which TPE would take too much time."
    return f"A generation has over {_MOST_AT_ONCE_OF_TPE} points, which is more than TPE takes."


def check_stop(request: Mapping[str, Any]) -> None:
    """Check that a study of its `kind` takes its `stop`.

    Raises VALIDATION_ERROR: it is a sensitivity, and has rules.
    """
    if request["kind"] == "sensitivity" and request.get("stop"):
        raise invalid(
            "stop",
            "{field}: a sensitivity takes its whole sample; leave the rules out, or give a smaller budget.",
            value=None,
            constraint="kind",
        )


def _check_tpe(population: int, objectives: int) -> None:
    if population > _MOST_AT_ONCE_OF_TPE:
        raise invalid(
            "population",
            "{field} of tpe is at most {most} points; give fewer, or nsga2.",
            value=population,
            constraint="population",
            most=_MOST_AT_ONCE_OF_TPE,
        )
    if objectives > _MOST_OBJECTIVES_OF_TPE:
        raise invalid(
            "objectives",
            "{field} of tpe are at most {most}; give fewer, or nsga3.",
            value=None,
            constraint="algorithm",
            most=_MOST_OBJECTIVES_OF_TPE,
        )


def _check_most(algorithm: Algorithm, budget: int) -> None:
    if algorithm == "tpe" and budget > MOST_OF_TPE:
        raise invalid(
            "budget",
            "{field} of tpe is at most {most} points; give fewer, or nsga2.",
            value=budget,
            constraint="budget",
            most=MOST_OF_TPE,
        )


def check_growth(definition: Definition, budget: int) -> None:
    """Check that the budget of a study may grow to a number.

    Raises VALIDATION_ERROR: it may not.
    """
    if definition.is_sensitivity:
        raise invalid(
            "budget",
            "{field} of a sensitivity can't grow, since a greater sample is another one; begin a new study.",
            value=budget,
            constraint="budget",
        )
    _check_most(definition.algorithm, budget)


def check_size(fixed: Mapping[str, Value], budget: int) -> None:
    """Check that the fixed values, which each point of a study keeps, take at most MAX_BYTES together.

    Raises VALIDATION_ERROR: they take more.
    """
    size = len(orjson.dumps(fixed))
    if size * budget > MAX_BYTES:
        raise invalid(
            "budget",
            "{field} is too great for the values that don't vary: those of all points take over {most} MiB as JSON;"
            " give {points} or less, or shorter tables and texts.",
            value=budget,
            constraint="max_bytes",
            most=MAX_BYTES >> 20,
            points=MAX_BYTES // size,
        )


def _population(algorithm: Algorithm, budget: int) -> int:
    """Return the default: 100 or a tenth of the budget for a search by generations, 8 for TPE."""
    if algorithm == "tpe":
        return 8
    return min(100, max(10, math.ceil(budget / 10)))
