"""Path templates of `google.api.http`, as far as the edge supports them."""

from __future__ import annotations

import re
from dataclasses import dataclass

_VARIABLE = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)(?:=\*)?\}")
_LITERAL = re.compile(r"[A-Za-z0-9._~-]+")
_VERB = re.compile(r"[A-Za-z0-9_-]+")


class BindingError(ValueError):
    """An unsupported HTTP binding; the edge refuses to start."""


@dataclass(frozen=True, slots=True)
class Template:
    """A parsed path template."""

    text: str
    """The template as written in the proto."""
    segments: tuple[str | None, ...]
    """Text of each literal segment, None for a variable."""
    variables: tuple[str, ...]
    """Names of the variables, in order."""
    verb: str
    """The text after the last `:`, or ""."""


def parse(text: str) -> Template:
    """Parse a template: literal segments, `{name}` or `{name=*}` as whole segments, and a verb at the end.

    Raises:
        BindingError: Anything else in the grammar of google/api/http.proto (`**`, patterns over several segments,
            nested fields), since our variables never span `/` or `:`.
    """
    if not text.startswith("/") or text == "/":
        raise BindingError(f"the path {text!r} must start with / and have a segment")
    parts = text[1:].split("/")
    verb = ""
    head, colon, tail = parts[-1].rpartition(":")
    if colon:
        if not _VERB.fullmatch(tail):
            raise BindingError(f"the path {text!r} has a verb {tail!r} that is no plain word")
        parts[-1], verb = head, tail
    segments: list[str | None] = []
    variables: list[str] = []
    for part in parts:
        if found := _VARIABLE.fullmatch(part):
            segments.append(None)
            variables.append(found[1])
        elif _LITERAL.fullmatch(part):
            segments.append(part)
        else:
            raise BindingError(f"the path {text!r} has a segment {part!r} that is neither plain text nor one variable")
    if repeated := {name for name in variables if variables.count(name) > 1}:
        raise BindingError(f"the path {text!r} has the variable {min(repeated)!r} twice")
    return Template(text, tuple(segments), tuple(variables), verb)
