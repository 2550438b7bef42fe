"""The form of files that parameters take: the suffix of a name, the value of a parameter, and a path in a model's zip."""

from __future__ import annotations

import re

_SUFFIX = re.compile(r"\.[a-z0-9]{1,16}", re.ASCII)
_VALUE = re.compile(r"(?P<sha256>[0-9a-f]{64})(?P<suffix>\.[a-z0-9]{1,16})?", re.ASCII)
_PATH = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*(?:/[A-Za-z0-9_-][A-Za-z0-9._-]*)*", re.ASCII)
_LONGEST_PATH = 200
PATH_FORM = 'a path of a file in the model\'s zip, such as "data/section.csv"'


def suffix_of(name: str) -> str:
    """Return the suffix of a name with its dot, in lower case; an empty text for a name without a plain one."""
    stem, dot, end = name.rpartition(".")
    found = f"{dot}{end}".lower()
    return found if stem and _SUFFIX.fullmatch(found) else ""


def is_suffix(value: object) -> bool:
    """Return whether a value is a suffix with its dot, in lower case."""
    return isinstance(value, str) and _SUFFIX.fullmatch(value) is not None


def split(value: object) -> tuple[str, str] | None:
    """Return the SHA-256 and the suffix of a parameter's value; None for anything else."""
    found = _VALUE.fullmatch(value) if isinstance(value, str) else None
    return None if found is None else (found["sha256"], found["suffix"] or "")


def is_path(value: object) -> bool:
    """Return whether a value is a path within a model's zip; no path has the form of a file's value."""
    return (
        isinstance(value, str)
        and len(value) <= _LONGEST_PATH
        and _PATH.fullmatch(value) is not None
        and split(value) is None
    )
