"""JSON logs on standard error, one line an event, for every process of ours."""

from __future__ import annotations

import logging
import sys

import orjson
import structlog

from catenary_core.faults import traces


def configure(*, verbose: bool) -> None:
    """Sends structlog and the standard library's logging to standard error as JSON.

    Libraries speak from WARNING on, and so do we unless `verbose`.
    """
    level = logging.INFO if verbose else logging.WARNING
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _without_texts,
    ]
    structlog.configure(
        processors=[*shared, structlog.processors.JSONRenderer(serializer=_dumps)],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.EventRenamer("event"),
                structlog.processors.JSONRenderer(serializer=_dumps),
            ],
        )
    )
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)


def _without_texts(_: object, __: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """An exception as its type and frames, also one that a library logs: texts may hold a person's data or a secret."""
    given = event.pop("exc_info", None)
    error = sys.exc_info()[1] if given is True else given[1] if isinstance(given, tuple) else given
    if isinstance(error, BaseException):
        event.update(traces(error))
    return event


def _dumps(event: object, **_: object) -> str:
    return orjson.dumps(event, default=str).decode()
