"""The reader of expressions.

Grammar, from the weakest binding to the strongest; `{}` repeats, `[]` is optional:

    expression = conjunction {"or" conjunction}
    conjunction = negation {"and" negation}
    negation   = "not" negation | comparison
    comparison = sum [("<" | "<=" | ">" | ">=" | "==" | "!=") sum]
    sum        = product {("+" | "-") product}
    product    = sign {("*" | "/") sign}
    sign       = ("+" | "-") sign | power
    power      = operand ["**" sign]
    operand    = number [unit] | name | text | function "(" expression {"," expression} ")" | "(" expression ")"

A unit is the longest symbol of the unit table that follows a number, with or without a space, and that no further letter,
digit or underscore continues: `5 kN/m2` is a pressure, `5 kN / m2` divides by the name `m2`. `**` binds to the right and
before a sign, as in Python: `-x ** 2` is `-(x ** 2)`. Texts stand in single or double quotes, without escapes.

The reader writes steps in postfix order. So a reader of steps needs no recursion, and the number of its operations is
the number of steps, at most LONGEST.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Literal

from catenary_wire.expressions.errors import ExpressionError
from catenary_wire.model_limits import EXPRESSION
from catenary_wire.units import unit_table

LONGEST = EXPRESSION
"""Most characters of an expression."""
DEEPEST = 32
"""Most brackets, signs, `not`, powers and functions inside each other."""
FUNCTIONS = {
    "min": (2, LONGEST),
    "max": (2, LONGEST),
    "abs": (1, 1),
    "sqrt": (1, 1),
    "exp": (1, 1),
    "log": (1, 1),
    "sin": (1, 1),
    "cos": (1, 1),
    "tan": (1, 1),
}
"""Functions by name, with the fewest and the most arguments."""
COMPARISONS = ("<=", ">=", "==", "!=", "<", ">")
_WORDS = ("and", "or", "not")
_NUMBER = re.compile(r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_TEXT = re.compile(r"\"([^\"]*)\"|'([^']*)'")
_OPERATOR = re.compile(r"\*\*|<=|>=|==|!=|[-+*/()<>,]")
_INSTEAD = {"=": "==", "^": "**", "&": "and", "|": "or", "!": "not", "[": "(", "{": "(", "]": ")", "}": ")"}
_SHOWN = 40
_Kind = Literal["number", "name", "text", "sign", "binary", "not", "and", "or", "comparison", "call", "end", "mark"]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of an expression: push an operand, or replace the last operands by their result."""

    kind: _Kind
    """`number`, `name` and `text` push; all others replace."""
    column: int
    """Column in the text, from 1."""
    text: str
    """Operator, function, name or text; of a number its unit, or ""."""
    value: float = 0.0
    """Value of a number, in its unit."""
    count: int = 2
    """Number of operands that are replaced."""


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression that was read, with names and dimensions still unchecked."""

    text: str
    """Text as it was given."""
    steps: tuple[Step, ...]
    """Steps in postfix order."""


def parse(text: str) -> Expression:
    """Read an expression.

    Raises:
        ExpressionError: the text is too long, too deep or breaks the grammar.
    """
    if len(text) > LONGEST:
        raise ExpressionError(f"The expression has over {LONGEST} characters; shorten it.", LONGEST + 1)
    return Expression(text, tuple(_Reader(text).read()))


@dataclass(frozen=True, slots=True)
class _Token:
    kind: _Kind
    text: str
    column: int
    value: float = 0.0

    @property
    def shown(self) -> str:
        if self.kind == "end":
            return "The end"
        text = self.text or f"{self.value:g}"
        return f'"{text}"' if len(text) <= _SHOWN else f'"{text[:_SHOWN]}…"'


class _Reader:
    """One reading of a text."""

    def __init__(self, text: str) -> None:
        self._tokens = _tokens(text)
        self._at = 0
        self._depth = 0
        self._steps: list[Step] = []

    def read(self) -> list[Step]:
        if len(self._tokens) == 1:
            raise ExpressionError("The expression is empty; write one such as mass / span or span <= 30 m.", 1)
        self._disjunction()
        if self._token.kind != "end":
            raise self._unexpected("an operator")
        return self._steps

    @property
    def _token(self) -> _Token:
        return self._tokens[self._at]

    def _taken(self, *texts: str) -> _Token | None:
        """Take the next token where it is one of these words and operators."""
        token = self._token
        if not self._is_next(*texts):
            return None
        self._at += 1
        return token

    def _is_next(self, *texts: str) -> bool:
        return self._token.kind == "mark" and self._token.text in texts

    def _unexpected(self, expected: str) -> ExpressionError:
        token = self._token
        return ExpressionError(f"{token.shown} stands where {expected} is expected.", token.column)

    def _deeper(self, read: Callable[[], None]) -> None:
        if self._depth == DEEPEST:
            raise ExpressionError(
                f"The expression has over {DEEPEST} brackets, signs or functions inside each other; make it flatter.",
                self._token.column,
            )
        self._depth += 1
        read()
        self._depth -= 1

    def _disjunction(self) -> None:
        self._joined(self._conjunction, "or", "or")

    def _conjunction(self) -> None:
        self._joined(self._negation, "and", "and")

    def _joined(self, read: Callable[[], None], kind: _Kind, *operators: str) -> None:
        read()
        while token := self._taken(*operators):
            read()
            self._steps.append(Step(kind, token.column, token.text))

    def _negation(self) -> None:
        token = self._taken("not")
        if token is None:
            self._comparison()
            return
        self._deeper(self._negation)
        self._steps.append(Step("not", token.column, "not", count=1))

    def _comparison(self) -> None:
        self._sum()
        if token := self._taken(*COMPARISONS):
            self._sum()
            self._steps.append(Step("comparison", token.column, token.text))
            if self._is_next(*COMPARISONS):
                raise ExpressionError(
                    f"A second comparison follows; join two with and, such as a {token.text} b and b {token.text} c.",
                    self._token.column,
                )

    def _sum(self) -> None:
        self._joined(self._product, "binary", "+", "-")

    def _product(self) -> None:
        self._joined(self._sign, "binary", "*", "/")

    def _sign(self) -> None:
        token = self._taken("+", "-")
        if token is None:
            self._power()
            return
        self._deeper(self._sign)
        self._steps.append(Step("sign", token.column, token.text, count=1))

    def _power(self) -> None:
        self._operand()
        if token := self._taken("**"):
            self._deeper(self._sign)
            self._steps.append(Step("binary", token.column, "**"))

    def _operand(self) -> None:
        token = self._token
        if token.kind in {"number", "text"}:
            self._at += 1
            self._steps.append(Step(token.kind, token.column, token.text, token.value, count=0))
        elif token.kind == "name":
            self._at += 1
            if opening := self._taken("("):
                self._call(token, opening)
            else:
                self._steps.append(Step("name", token.column, token.text, count=0))
        elif opening := self._taken("("):
            self._deeper(self._disjunction)
            self._close(opening)
        else:
            raise self._unexpected("a number, a name or a bracket")

    def _call(self, function: _Token, opening: _Token) -> None:
        if function.text not in FUNCTIONS:
            raise ExpressionError(
                f"There is no function {function.shown}; there are {', '.join(FUNCTIONS)}.", function.column
            )
        count = 0
        while not count or self._taken(","):
            self._deeper(self._disjunction)
            count += 1
        self._close(opening)
        fewest, most = FUNCTIONS[function.text]
        if not fewest <= count <= most:
            wanted = fewest if fewest == most else f"{fewest} or more"
            raise ExpressionError(f"{function.text} has {count} arguments instead of {wanted}.", function.column)
        self._steps.append(Step("call", function.column, function.text, count=count))

    def _close(self, opening: _Token) -> None:
        if self._taken(")") is None:
            raise self._unexpected(f'an operator or the ")" of the bracket in column {opening.column}')


def _tokens(text: str) -> list[_Token]:
    found = []
    at = _spaces(text, 0)
    while at < len(text):
        token, at = _token(text, at)
        found.append(token)
        at = _spaces(text, at)
    return [*found, _Token("end", "", len(text) + 1)]


def _spaces(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n":
        at += 1
    return at


def _token(text: str, at: int) -> tuple[_Token, int]:
    """Return the token that begins at an index, and the index behind it."""
    if match := _NUMBER.match(text, at):
        return _number(text, match)
    if match := _NAME.match(text, at):
        kind: _Kind = "mark" if match[0] in _WORDS else "name"
        return _Token(kind, match[0], at + 1), match.end()
    if match := _TEXT.match(text, at):
        return _Token("text", match[1] if match[1] is not None else match[2], at + 1), match.end()
    if match := _OPERATOR.match(text, at):
        return _Token("mark", match[0], at + 1), match.end()
    instead = _INSTEAD.get(text[at])
    shown = text[at] if text[at].isprintable() else f"U+{ord(text[at]):04X}"
    if text[at] in "\"'":
        raise ExpressionError(f"The text that begins with {shown} has no end; close it with {shown}.", at + 1)
    way_out = f"write {instead}." if instead else "an expression has numbers, units, names, texts and operators."
    raise ExpressionError(f"The character {shown} has no meaning here; {way_out}", at + 1)


def _number(text: str, match: re.Match[str]) -> tuple[_Token, int]:
    column, end = match.start() + 1, match.end()
    value = float(match[0])
    if math.isinf(value):
        raise ExpressionError("The number is outside the range of a double; write a smaller one.", column)
    behind = _spaces(text, end)
    if unit := _units().match(text, behind):
        return _Token("number", unit[0], column, value), unit.end()
    if (word := _NAME.match(text, behind)) and word[0] not in _WORDS:
        raise _no_unit(word[0], behind + 1)
    return _Token("number", "", column, value), end


def _no_unit(word: str, column: int) -> ExpressionError:
    try:
        unit_table.check(word)
    except unit_table.UnknownUnitError as error:
        return ExpressionError(f"{error} To multiply, write * between number and name.", column)
    raise AssertionError(word)  # the table has the symbol, so the pattern of units would have found it


@cache
def _units() -> re.Pattern[str]:
    """Return the pattern of the table's symbols, the longest first."""
    symbols = sorted({unit.symbol for unit in unit_table.units()}, key=lambda symbol: (-len(symbol), symbol))
    return re.compile(f"(?:{'|'.join(map(re.escape, symbols))})(?![A-Za-z0-9_])")
