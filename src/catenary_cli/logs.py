"""JSON logs on standard error, one line an event, for every process of ours."""

from __future__ import annotations

import logging
import sys

import orjson
import structlog


def configure(*, verbose: bool) -> None:
    """Sends structlog and the standard library's logging to standard error as JSON.

    Libraries speak from WARNING on, and so do we unless `verbose`.
    """
    level = logging.INFO if verbose else logging.WARNING
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
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


def _dumps(event: object, **_: object) -> str:
    return orjson.dumps(event, default=str).decode()
