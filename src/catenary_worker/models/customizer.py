"""The parameters of an OpenSCAD file, read from its Customizer comments without running OpenSCAD.

The syntax is that of the OpenSCAD manual, "Customizer": top-level assignments of a number, boolean or text before the
first block; `/* [Group] */` names a group (`Hidden` hides it), the `//` line above is the description, and the comment
after the assignment is `[min:max]`, `[min:step:max]`, `[max]`, `[a, b, c]` or `[1:Small, 2:Large]`, or a step. Vectors
and special variables (`$fn`) are no parameters. `GEOMETRY_UNIT = "in";` is the unit of the file, and no parameter.
"""

import json
import re
from typing import Any

from catenary_worker.models.description import UNIT_NAME, check_geometry_unit, validate
from catenary_worker.models.entries import Entry
from catenary_worker.task import Description, ModelFaultError

_ASSIGNMENT = re.compile(
    r"""\s*(?P<name>[A-Za-z_]\w*)\s*=\s*
    (?P<value>true|false|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|"(?:[^"\\]|\\.)*")\s*;
    \s*(?://\s*(?P<comment>.*?)\s*)?$""",
    re.VERBOSE | re.ASCII,
)
_GROUP = re.compile(r"\s*/\*\s*\[(?P<group>[^\]]*)\]\s*\*/\s*$")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\Z", re.ASCII)
_BLOCK = re.compile(r"\s*(?:module|function)\b|[^/]*\{")
_UNIT = re.compile(rf"\s*{UNIT_NAME}\s*=")
_HIDDEN = "hidden"
_LONGEST_LINE = 10_000


def read(source: bytes) -> Description:
    """Return the validated description of an OpenSCAD model: its parameters and unit, without metrics and constraints.

    Raises:
        ModelFaultError: The file is not UTF-8 text, a line is too long, or a parameter is invalid.
    """
    try:
        text = source.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ModelFaultError("The model is not UTF-8 text.") from None
    entries: dict[str, Entry] = {}
    group: str | None = None
    description: str | None = None
    unit: str | None = None
    in_comment = False
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > _LONGEST_LINE:
            raise ModelFaultError(f"The line is longer than {_LONGEST_LINE} characters.", number)
        if in_comment:
            in_comment = "*/" not in line
        elif found := _GROUP.match(line):
            group, description = found["group"].strip(), None
        elif line.lstrip().startswith("//"):
            description = line.strip().lstrip("/").strip()
        elif _UNIT.match(line):
            found = _ASSIGNMENT.match(line)
            value = line.partition("=")[2].strip() if found is None else _literal(found["value"])
            unit = check_geometry_unit(value, number)
        elif found := _ASSIGNMENT.match(line):
            if (group or "").lower() != _HIDDEN:
                # OpenSCAD's last assignment of a name wins.
                entries[found["name"]] = _entry(found, number, group, description)
            description = None
        elif line.lstrip().startswith("/*"):
            in_comment, description = "*/" not in line, None
        elif _BLOCK.match(line):
            break
        else:
            description = None
    return validate(list(entries.values()), [], [], unit)


def _entry(found: re.Match[str], line: int, group: str | None, description: str | None) -> Entry:
    entry = Entry(name=found["name"], group=group or None, description=description or None)
    entry.line = line
    value, comment = found["value"], found["comment"] or ""
    options = comment[1:-1].strip() if comment.startswith("[") and comment.endswith("]") else None
    if value in ("true", "false"):
        entry.update(type="boolean", default=_literal(value))
    elif options and ("," in options or (value.startswith('"') and options)):
        choices = [_choice(option, text=value.startswith('"')) for option in options.split(",") if option.strip()]
        entry.update(type="choice", default=_literal(value), choices=choices)
    elif value.startswith('"'):
        entry.update(type="string", default=_literal(value))
    else:
        _number(entry, _literal(value), options, comment)
    return entry


def _number(entry: Entry, default: Any, options: str | None, comment: str) -> None:
    """Set the type and range of a number.

    A range without a step has the step 1, unless its own numbers are finer.
    """
    limits = [part.strip() for part in options.split(":")] if options else []
    if limits and not all(_NUMBER.match(part) for part in limits):
        limits = []
    values = [_literal(part) for part in limits]
    given: dict[str, Any] = {"default": default}
    if len(values) == 1:
        given.update(min=0, max=values[0])
    elif len(values) == 2:
        given.update(min=values[0], max=values[1])
    elif len(values) == 3:
        given.update(min=values[0], step=values[1], max=values[2])
    elif _NUMBER.match(comment):
        given["step"] = _literal(comment)
    whole = "max" in given and all(isinstance(value, int) for value in given.values())
    entry.update(type="integer" if whole else "number", **given)


def _choice(option: str, *, text: bool) -> Any:
    value = option.split(":", 1)[0].strip()
    if not text and _NUMBER.match(value):
        return _literal(value)
    return _literal(value) if value.startswith('"') and value.endswith('"') and len(value) > 1 else value


def _literal(text: str) -> Any:
    if text.startswith('"'):
        try:
            return json.loads(text, strict=False)
        except ValueError:
            raise ModelFaultError(f"The text {text[:80]} has an escape that is not understood.") from None
    if text in ("true", "false"):
        return text == "true"
    return float(text) if set(".eE") & set(text) else int(text)
