"""The expressions by which a form shows a parameter (`show_if`), checked once, at the check of the version."""

from __future__ import annotations

from collections.abc import Sequence

from catenary.platform.v1.model_shapes import ModelParameter
from catenary_wire.expressions import declared, quantities, syntax
from catenary_wire.expressions.errors import ExpressionError


class ConditionError(ValueError):
    """A `show_if` that has no meaning; the message is a sentence for the author of the model."""


def check(parameters: Sequence[ModelParameter]) -> None:
    """Check the `show_if` of all parameters of a model.

    Raises:
        ConditionError: an expression can't be read, names no parameter or the parameter itself, or is no truth.
    """
    known = declared.names(parameters, ())
    for parameter in parameters:
        text = parameter["show_if"]
        if text is None:
            continue
        what = f"PARAMETERS: {parameter['name']}: show_if"
        try:
            checked = quantities.check(syntax.parse(text), known)
            quantities.need(checked, "truth")
        except ExpressionError as error:
            raise ConditionError(f"{what}, column {error.column}: {error.message}") from None
        if parameter["name"] in checked.names:
            raise ConditionError(
                f"{what} has the parameter itself, which then could never be shown again; name others."
            )
