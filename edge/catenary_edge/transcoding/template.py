"""Path templates of `google.api.http`, as far as the edge honours them."""

from __future__ import annotations

import re
from dataclasses import dataclass

_VARIABLE = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)(?:=\*)?\}")
_LITERAL = re.compile(r"[A-Za-z0-9._~-]+")
_VERB = re.compile(r"[A-Za-z0-9_-]+")


class BindingError(ValueError):
    """A binding that the edge can't honour; it refuses to start."""


@dataclass(frozen=True, slots=True)
class Template:
    """A parsed path template.

    `segments` holds the text of a literal segment and None for a variable; `variables` are the names in order; `verb`
    is what stands after the last `:`, else empty.
    """

    text: str
    segments: tuple[str | None, ...]
    variables: tuple[str, ...]
    verb: str


def parse(text: str) -> Template:
    """Parses a template: literal segments, `{name}` or `{name=*}` as whole segments, and a verb after the last one.

    Raises BindingError for everything else that the grammar of google/api/http.proto has (`**`, patterns over several
    segments, nested fields), since a variable of ours never spans `/` or `:`.
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
