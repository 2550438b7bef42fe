"""The request of a study, from a file and the options of the command line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from catenary_cli.exploration.ranges import VariedRange
from catenary_cli.remote.use import parse_value

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_BOUND = re.compile(r"\s*(?P<metric>[A-Za-z_][A-Za-z0-9_]*)\s*(?P<op><=|>=|==|<|>)\s*(?P<value>[-+0-9.eE]+)\s*")


@dataclass(frozen=True, slots=True)
class StudyOptions:
    """The options of a new study, as texts of the command line; empty or None where absent."""

    minimize: Sequence[str]
    """Metrics or expressions to make small."""
    maximize: Sequence[str]
    """Metrics or expressions to make great."""
    measure: Sequence[str]
    """Metrics or expressions whose sensitivity is measured."""
    constraints: Sequence[str]
    """Conditions."""
    vary: Sequence[str]
    """Ranges of parameters."""
    fix: Sequence[str]
    """Values of parameters."""
    algorithm: str | None
    """Name of the algorithm."""
    population: int | None
    """Points of a generation."""
    budget: int | None
    """Maximum points."""
    seed: int | None
    """Seed."""
    on_failure: str | None
    """Treatment of points that fail."""
    name: str | None
    """Name."""
    note: str | None
    """Note."""
    stop: Mapping[str, int]
    """Rules by which it ends before its budget is used, as `seconds` and `stalled_generations`."""


def request(file: Path | None, options: StudyOptions) -> dict[str, Any]:
    """Return the request of a study; an option takes the place of what the file says.

    Raises:
        ValueError: The file is no object of JSON or TOML, or an option or the whole of them makes no study.
    """
    body = {} if file is None else _read(file)
    if options.measure and (options.minimize or options.maximize):
        raise ValueError("a study measures or searches: give --measure, or --minimize and --maximize")
    objectives = [
        *({"direction": "minimize", **_objective(text)} for text in options.minimize),
        *({"direction": "maximize", **_objective(text)} for text in options.maximize),
        *(_objective(text) for text in options.measure),
    ]
    if objectives:
        body |= {"kind": "sensitivity" if options.measure else "optimization", "objectives": objectives}
    if options.constraints:
        body["constraints"] = [_constraint(text) for text in options.constraints]
    if options.vary or options.fix:
        ranges = [VariedRange.parse(text) for text in options.vary]
        fixed = [parse_value(text) for text in options.fix]
        names = [*(one.name for one in ranges), *(name for name, _ in fixed)]
        if twice := {name for name in names if names.count(name) > 1}:
            raise ValueError(f"{min(twice)} is given twice; give it once, by --vary or by --fix")
        body["parameters"] = {one.name: one.searched() for one in ranges} | {
            name: {"fixed": value} for name, value in fixed
        }
    single = {name: getattr(options, name) for name in ("algorithm", "population", "budget", "seed", "on_failure")}
    body |= {name: value for name, value in single.items() if value is not None}
    body |= {name: value for name in ("name", "note", "stop") if (value := getattr(options, name))}
    body.setdefault("kind", "optimization")
    if not body.get("objectives"):
        raise ValueError("say what the study is for: --minimize METRIC, --maximize METRIC or --measure METRIC")
    if "budget" not in body:
        raise ValueError("say how many points the study may evaluate, such as --budget 500")
    return body


def _read(file: Path) -> dict[str, Any]:
    try:
        text = file.read_bytes().decode("utf-8-sig")
        found = tomllib.loads(text) if file.suffix.lower() == ".toml" else orjson.loads(text)
    except UnicodeDecodeError:
        raise ValueError(f"{file} is not in UTF-8; save it in UTF-8") from None
    except (tomllib.TOMLDecodeError, orjson.JSONDecodeError) as error:
        kind = "TOML" if file.suffix.lower() == ".toml" else "JSON"
        raise ValueError(f"{file} is no {kind}: {error}; a file of TOML has the suffix .toml") from None
    if not isinstance(found, dict):
        raise ValueError(f'{file} is no study; write an object such as {{"objectives": […], "budget": 500}}')
    return found


def _objective(text: str) -> dict[str, Any]:
    """Return a metric where the text is a name, else an expression."""
    return {"metric": text} if _NAME.fullmatch(text) else {"expression": text}


def _constraint(text: str) -> dict[str, Any]:
    """Return the bound of a metric where the text is a name with a bare number, else an expression."""
    if (found := _BOUND.fullmatch(text)) is None:
        return {"expression": text}
    try:
        return {"metric": found["metric"], "op": found["op"], "value": float(found["value"])}
    except ValueError:
        return {"expression": text}
