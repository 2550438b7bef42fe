"""The platform's envelope: `success`, `data` or `error`, and `metadata`."""

from __future__ import annotations

from dataclasses import dataclass

import orjson

from catenary_edge.errors.problem import Problem
from catenary_edge.errors.reasons import CATALOGUE
from catenary_edge.surfaces import Context
from catenary_wire.timestamps import now_text


@dataclass(frozen=True, slots=True)
class Platform:
    """The envelope of one version of the platform."""

    version: str

    def success(self, payload: bytes, next_cursor: str | None, is_list: bool, context: Context) -> bytes:
        """Build `{"success": true, "data": …, "metadata": {timestamp, version, requestId, next_cursor on lists}}`."""
        metadata: dict[str, str | None] = {
            "timestamp": now_text(),
            "version": self.version,
            "requestId": context.request_id,
        }
        if is_list:
            metadata["next_cursor"] = next_cursor
        return b'{"success":true,"data":%b,"metadata":%b}' % (payload, orjson.dumps(metadata))

    def error(self, problem: Problem, context: Context) -> bytes:
        """Build `{"success": false, "error": {code, message, details, documentation_url}, "metadata": {…}}`."""
        error = error_object(problem.reason, problem.message, problem.details, context)
        metadata = {"timestamp": now_text(), "requestId": context.request_id}
        return orjson.dumps({"success": False, "error": error, "metadata": metadata})


def error_object(reason: str, message: str, details: object, context: Context) -> dict[str, object]:
    """Build `{code, message, details, documentation_url}`."""
    error: dict[str, object] = {"code": reason, "message": message, "details": details}
    if context.base_url and reason in CATALOGUE:  # an unknown reason of a newer core has no page here
        error["documentation_url"] = f"{context.base_url}/docs/errors/{reason}"
    return error
