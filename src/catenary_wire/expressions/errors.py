"""The fault of an expression's text."""

from __future__ import annotations


class ExpressionError(ValueError):
    """An expression that can't be read or has no meaning; the message is a sentence for its author.

    Args:
        message: the problem and the way out.
        column: the column of the problem in the text, from 1.
    """

    def __init__(self, message: str, column: int) -> None:
        super().__init__(message)
        self.message = message
        self.column = column
