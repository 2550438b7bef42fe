"""The faults of a request's items, which one refusal lists together."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from catenary_core.call.errors import MOST_VIOLATIONS, DomainError, http_status


class ItemFaults:
    """The faults of a request's items, so that a caller reads of all in one refusal.

    A servicer checks every item inside `of`, and calls `refuse` before it writes, and again before it answers.
    """

    def __init__(self) -> None:
        self._found: list[tuple[int, DomainError]] = []

    def __bool__(self) -> bool:
        return bool(self._found)

    @contextmanager
    def of(self, index: int) -> Iterator[None]:
        """Record the fault that the block raises for the item with this index; the block ends there.

        A refusal without a violation, such as of permission, is none of an item and rises.
        """
        try:
            yield
        except DomainError as fault:
            if not fault.violations:
                raise
            self._found.append((index, fault))

    def refuse(self) -> None:
        """Raise one refusal for the recorded faults; return if there is none.

        All its faults have one reason, since a refusal has one status: VALIDATION_ERROR comes before CONFLICT. They
        stand in the order of the items.
        """
        if not self._found:
            return
        first = min((fault for _, fault in self._found), key=lambda fault: http_status(fault.reason))
        found = [fault for _, fault in sorted(self._found, key=lambda one: one[0]) if fault.reason == first.reason]
        violations = [violation for fault in found for violation in fault.violations]
        raise DomainError(
            first.reason, found[0].sentence, details=found[0].details, violations=violations[:MOST_VIOLATIONS]
        )
