"""The names that a refusal is told in: those of an older version, and those of a body of one object where a list is taken.

The sentences of a refusal are templates whose arguments say which fields and resources they name (`catenary_wire.sentences`).
The names are put into these, and the text is made afterwards: no English is searched.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from catenary_edge.errors.problem import BrokenRule, Problem
from catenary_wire.sentences import Argument, Fields, ResourceName, Sentence

OlderFields = Mapping[str, tuple[str, ...]]
"""The older names of a field by its newer one: the first is that of its path, all stand where a refusal lists what is known,
and none leaves it out there. `name[0]` is for the one value of a list that was a single value."""


class Known(Fields):
    """Names that the place of an unknown one may have; a refusal lists them sorted."""

    def __format__(self, joint: str) -> str:
        return (joint or ", ").join(sorted(self))


class UnknownPath(str):
    """The path of a key that isn't known: its last name is the caller's own, which no version calls otherwise."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class ShownNames:
    """The names of fields and resources in a version or a body.

    `item` is the list whose only item is the whole body. `resources` and `templates` have older ones by newer ones.
    """

    item: str = ""
    fields: OlderFields = field(default_factory=dict)
    resources: Mapping[str, str] = field(default_factory=dict)
    templates: Mapping[str, str] = field(default_factory=dict)

    def refusal(self, problem: Problem) -> Problem:
        """Return a refusal in these names."""
        details = dict(problem.facts)
        if isinstance(parameter := details.get("parameter"), str):
            details["parameter"] = self.path(parameter)
        rules = [
            BrokenRule(self.path(rule.field), self._sentence(rule.sentence), rule.constraint)
            for rule in problem.violations
        ]
        return Problem(
            problem.status,
            problem.reason,
            self._sentence(problem.sentence),
            details,
            problem.headers,
            problem.oauth_error,
            rules,
        )

    def path(self, path: str) -> str:
        """Return the path of a field in these names; that of the one item is `body`."""
        for whole in (f"{self.item}[0]", "[0]") if self.item else ():
            if path == whole:
                return "body"
            if path.startswith(f"{whole}."):
                path = type(path)(path.removeprefix(f"{whole}."))
        parts = path.split(".")
        own = [parts.pop()] if isinstance(path, UnknownPath) else []
        while len(parts) > 1 and self.fields.get(parts[-1]) == ():  # what is gone is told by the object around it
            parts.pop()
        return type(path)(".".join([*map(self._part, parts), *own]))

    def _part(self, part: str) -> str:
        if part in self.fields:
            return next(iter(self.fields[part]), part)
        name, bracket, rest = part.partition("[")
        return next(iter(self.fields.get(name, ())), name) + bracket + rest

    def _sentence(self, sentence: Sentence) -> Sentence:
        arguments = {name: self._argument(value) for name, value in sentence.arguments.items()}
        return Sentence(self.templates.get(sentence.template, sentence.template), arguments)

    def _argument(self, value: Argument) -> Argument:
        match value:
            case Known():
                return Known(*(older for name in value for older in self.fields.get(name, (name,))))
            case Fields():
                return Fields(*map(self.path, value))
            case ResourceName():
                return ResourceName(self.resources.get(value, value))
            case _:
                return value
