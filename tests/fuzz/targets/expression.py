"""The reading, the check and the computation of expressions."""

from __future__ import annotations

import math

from catenary_wire.expressions import arithmetic, evaluation, quantities, syntax
from catenary_wire.expressions.errors import ExpressionError

NAMES = {
    "span": quantities.of_unit("m"),
    "load": quantities.of_unit("kN/m2"),
    "t": quantities.of_unit("degC"),
    "x": quantities.of_unit(None),
    "odd": quantities.of_unit("widgets"),
    "flag": quantities.TRUTH,
    "kind": quantities.TEXT,
}
VALUES: tuple[dict[str, float | bool | str | None], ...] = (
    {"span": 9.144, "load": 5.0, "t": 20.0, "x": 0.0, "odd": -1e300, "flag": True, "kind": "steel"},
    {},
)


def run(data: bytes) -> str:
    """Compute one expression: it ends with a value, with a reason, or with a fault that has a column."""
    text = data.decode(errors="replace")
    try:
        expression = syntax.parse(text)
        assert len(expression.steps) <= syntax.LONGEST
        checked = quantities.check(expression, NAMES)
    except ExpressionError as error:
        assert 1 <= error.column <= len(text) + 1
        assert error.message.endswith((".", "?"))
        assert len(error.message) < 2 * syntax.LONGEST
        error.message.encode()
        return "refused"
    for values in VALUES:
        found = evaluation.evaluate(checked, values)
        if isinstance(found, arithmetic.Undefined):
            assert found.why.endswith(".")
        elif checked.result.kind == "number":
            assert math.isfinite(found)  # type: ignore[arg-type]  # a number by its kind
        else:
            assert type(found) is {"truth": bool, "text": str}[checked.result.kind]
    return "taken"
