"""A separate program that runs the engine of one study: JSON lines in, JSON lines out.

It is started with an environment of a few names and has no credential. It bounds its own memory, time and files, and
ends when its input does. Requests are objects with `do`:

- `begin` with `definition`: `{}`;
- `ask`: `{"generation", "first", "points"}`;
- `tell` with `outcomes`, each `{"parameters", "metrics", "limits"}`: `{"scores", "hypervolume", "reference", "front"}`;
- `ranks`: `{"points", "ranks"}` of the feasible points;
- `indices`: `{"indices"}`.

The answer to a request that can't be answered is `{"error"}` with the type of the exception.
"""

from __future__ import annotations

import os
import resource
import sys
from typing import Any, BinaryIO

import orjson

from catenary_core.studies import definition
from catenary_core.studies.engine import Engine
from catenary_core.studies.scores import PointOutcome

MEMORY_BYTES = 4 * 1024**3
"""Address space, of which libraries reserve much and use little."""
CPU_SECONDS = 6 * 3_600
FILE_BYTES = 4_096
"""Largest file; a library tries out its temporary folder when it is loaded."""


class EngineProgram:
    """The engine behind the requests."""

    def __init__(self) -> None:
        self._engine: Engine | None = None

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Answer a request.

        Raises:
            ValueError: there is no such request, or no study was begun.
        """
        match request["do"]:
            case "begin":
                self._engine = Engine(definition.from_json(request["definition"]))
                return {}
            case "ask":
                asked = self._begun().ask()
                return {"generation": asked.number, "first": asked.first, "points": asked.points}
            case "tell":
                return self._tell(request["outcomes"])
            case "ranks":
                points, ranks = self._begun().ranks()
                return {"points": points, "ranks": ranks}
            case "indices":
                return {"indices": self._begun().indices()}
        raise ValueError("no such request")

    def _begun(self) -> Engine:
        if self._engine is None:
            raise ValueError("no study was begun")
        return self._engine

    def _tell(self, outcomes: list[dict[str, Any]]) -> dict[str, Any]:
        progress = self._begun().tell([PointOutcome(**outcome) for outcome in outcomes])
        return {
            "scores": [
                {
                    "objectives": score.objectives,
                    "violations": score.violations,
                    "feasible": score.is_feasible,
                }
                for score in progress.scores
            ],
            "hypervolume": progress.hypervolume,
            "reference": progress.reference,
            "front": progress.front,
        }


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer each line until there are no more."""
    program = EngineProgram()
    for line in requests:
        try:
            answer = program.answer(orjson.loads(line))
        except Exception as error:  # noqa: BLE001 (any failure is the answer; a text may hold a caller's values)
            answer = {"error": type(error).__name__}
        answers.write(orjson.dumps(answer) + b"\n")
        answers.flush()


def confine() -> None:
    """Bound memory, time and files."""
    for kind, most in (
        (resource.RLIMIT_AS, MEMORY_BYTES),
        (resource.RLIMIT_CPU, CPU_SECONDS),
        (resource.RLIMIT_FSIZE, FILE_BYTES),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (most, most))


def main() -> None:
    """Serve on standard input and output; whatever a library prints goes to standard error.

    With `--prepared` the libraries of all searches are loaded before the first request; those of a sensitivity, which
    need as much memory again, are not.
    """
    confine()
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    if "--prepared" in sys.argv:
        from catenary_core.studies import bayesian, genetic  # noqa: F401 (each is used by the study that needs it)
    serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
