"""JSON logs on standard error, one line per event, for every process that runs a part of an installation."""

from __future__ import annotations

import logging
import os
import sys
import threading
from types import TracebackType

import orjson
import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from catenary_core.background.failures import traces
from catenary_wire.printable import escape_controls_in_json, escape_lines, one_line

_log = structlog.get_logger(__name__)


def configure(part: str, *, verbose: bool) -> None:
    """Send structlog, the standard library's logging, warnings and uncaught exceptions to standard error as JSON.

    Each line has the `part` (the command that runs) and its `pid`. Only WARNING and above is logged, and the audit trail;
    `verbose` logs INFO of our own packages too. At a terminal the lines of the trail come with `verbose` only: there a
    person reads, and the trail itself stands in the database.
    """
    # gRPC's C core writes plain text outside this configuration; its errors reach us as a call's status.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    # Our children are new programs; gRPC's handlers around a fork would only delay their start.
    os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
    pid = os.getpid()

    def add_process(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
        return {**event, "part": part, "pid": pid}

    level = logging.INFO if verbose else logging.WARNING
    shared: list[Processor] = [
        *([] if verbose or not sys.stderr.isatty() else [_without_trail]),
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        add_process,
        _without_texts,
    ]
    structlog.configure(
        processors=[*shared, structlog.processors.JSONRenderer(serializer=_dumps)],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(serializer=_dumps),
            ],
        )
    )
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.captureWarnings(capture=True)
    sys.excepthook = _uncaught
    threading.excepthook = lambda ended: _uncaught(
        ended.exc_type, ended.exc_value or ended.exc_type(), ended.exc_traceback
    )


def configure_quietly() -> None:
    """Configure a command that runs no part of an installation.

    Only warnings are logged, as text on standard error.
    """
    structlog.configure(
        processors=[_escaped, *structlog.get_config()["processors"]],
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_EscapingFormatter())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)


class _EscapingFormatter(logging.Formatter):
    """Lines of libraries, tracebacks included, without characters that control a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        return escape_lines(super().format(record))


def configured() -> bool:
    """Return whether this process logs in JSON: it runs a part, rather than only calling one."""
    return _without_texts in structlog.get_config()["processors"]


def uncaught(error: BaseException) -> None:
    """Log an error that ends the process."""
    _uncaught(type(error), error, error.__traceback__)


def _escaped(_: object, __: str, event: EventDict) -> EventDict:
    """Escape the texts of an event, before colours are added."""
    return {key: one_line(value) if isinstance(value, str) else value for key, value in event.items()}


def _without_trail(_: object, __: str, event: EventDict) -> EventDict:
    """Drop a line of the audit trail."""
    if event.get("stream") == "audit":
        raise structlog.DropEvent
    return event


def _uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    _log.critical("uncaught exception", exc_info=(kind, error, trace))


def _without_texts(_: object, __: str, event: EventDict) -> EventDict:
    """Replace an exception, a library's too, by its type and frames: its text may hold personal data or a secret."""
    given = event.pop("exc_info", None)
    error = sys.exc_info()[1] if given is True else given[1] if isinstance(given, tuple) else given
    if isinstance(error, BaseException):
        event.update(traces(error))
    return event


def _dumps(event: object, **_: object) -> str:
    # JSON escapes C0 only, and a log may be read in a terminal.
    return escape_controls_in_json(orjson.dumps(event, default=str).decode())
