"""What HTTP says of the faults of a file."""

from __future__ import annotations

import contextlib

from catenary_core.services.parameter.imports.faults import MOST, Faults, Row, TooManyFaultsError
from catenary_core.services.parameter.imports.servicer import refusal_of


def test_faults_are_told_in_the_order_of_lines_with_their_fields() -> None:
    faults = Faults()
    faults.of(Row(7, "", {}), "parent", "There is {none}.")
    faults.of(Row(3, "assets[1]", {}), "", "Give the name.")
    faults.of(Row(2, "assets[0]", {}), "name", "Give the name.")
    faults.add(None, "The file has no rows.")
    refusal = refusal_of(faults)
    assert [(one.field, one.message) for one in refusal.violations] == [
        ("file", "The file has no rows."),
        ("assets[0].name", "Line 2: Give the name."),
        ("assets[1]", "Line 3: Give the name."),
        ("parent", "Line 7: There is {none}."),
    ]
    assert refusal.reason == "VALIDATION_ERROR"
    assert refusal.message == "Nothing of the file was imported. The file has no rows."


def test_a_refusal_says_when_there_may_be_more_faults() -> None:
    faults = Faults()
    with contextlib.suppress(TooManyFaultsError):
        for line in range(1, 2 * MOST):
            faults.add(line, "It is wrong.")
    refusal = refusal_of(faults)
    assert len(refusal.violations) == MOST
    assert refusal.message == "Nothing of the file was imported. It has 100 faults or more. Line 1: It is wrong."
