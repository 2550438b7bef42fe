"""The faults of a model's declarations: the first one fails the model, further ones are told beside it."""

from collections.abc import Iterator
from contextlib import contextmanager

from catenary_worker.task import ModelFaultError

MOST_FURTHER = 20
"""Most faults that are told beside the first one."""


class DeclarationFaults:
    """DeclarationFaults that were found so far, in the order of the reading."""

    def __init__(self) -> None:
        self._found: list[ModelFaultError] = []

    def note(self, fault: ModelFaultError) -> None:
        """Keep a fault, and let the reading go on."""
        self._found.append(fault)

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Keep the fault that the block raises, and let the reading go on behind the block."""
        try:
            yield
        except ModelFaultError as fault:
            self.note(fault)

    def refuse(self) -> None:
        """Raise the first fault, with further ones as sentences that begin with their lines.

        Raises:
            ModelFaultError: There is a fault.
        """
        if not self._found:
            return
        first, *others = self._found
        raise ModelFaultError(first.message, first.line, [_told(fault) for fault in others[:MOST_FURTHER]])


def _told(fault: ModelFaultError) -> str:
    return fault.message if fault.line is None else f"line {fault.line}: {fault.message}"
