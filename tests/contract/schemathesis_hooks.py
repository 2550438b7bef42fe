"""A check for schemathesis, in place of its own `positive_data_acceptance`, and a guard of the caller's own credential.

A schema can't tell which ids, cursors and values exist. So a request that fits the schema may be refused with 400, but only
for a rule that no schema can hold.
"""

from __future__ import annotations

import os
import re
from typing import Any
from urllib.parse import urlencode

import schemathesis

from catenary_edge.http import conditions

KEPT = os.environ.get("KEPT_IDS", "").split(",")
"""Ids of the caller's client and user: an Admin that deletes itself has no more to test."""
LONGEST_QUERY = 60_000
TAGS = re.compile(conditions.TAGS)
NOBODY = "00000000-0000-7000-8000-000000000000"

BEYOND_SCHEMAS = {
    "cursor",  # not one that the list gave
    "characters",  # U+0000, which no text may hold
    "framing",  # names of further multipart parts are made with control characters, which no part's header may hold
    "exists",  # an id of nothing
    "unknown",  # likewise
    "future",  # a time that has passed
    "url",  # the platform's rule for URLs, with an empty text allowed
    "webhook_target",  # a URL that webhooks may not go to
    "secret",  # after `whsec_` base64 of 24 to 64 bytes
    "oneof",  # exactly one of several fields
    "together",  # fields of which one needs the other
    "not_taken",  # a field that this kind does not take
    "kind",  # an algorithm for this kind of study
    "algorithm",  # as many objectives as the algorithm takes
    "budget",  # as many points as the algorithm needs
    "population",  # as many points at once as the algorithm takes
    "csv",  # a table that has a column of a parameter, and whole rows
    "expression",  # the language of expressions
    "max_cells",  # parameters times evaluations
    "range",  # a model's rule
    "step",  # a model's rule
    "type",  # a model's rule
}
OAUTH = {"invalid_request", "unsupported_grant_type", "invalid_scope"}


@schemathesis.check
def a_refusal_of_valid_data_is_for_a_rule_beyond_schemas(
    ctx: schemathesis.CheckContext, response: schemathesis.Response, case: schemathesis.Case
) -> None:
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code != 400:
        return
    error = response.json().get("error")
    if error is None:  # the data services' bodies name no constraint
        return
    if isinstance(error, str):
        assert error in OAUTH, f"valid data refused: {response.text}"
        return
    details = error["details"]
    if details.get("parameter") in (
        "file",
        "grant_type",
        "unused",
    ):  # what is in a model's file; grants that RFC 6749 allows others; what must be true
        return
    if details.get("parameter") == "If-Match" and not TAGS.fullmatch(str((case.headers or {}).get("If-Match", ""))):
        return  # its coverage phase takes a number for one of the texts that the pattern allows
    constraint = details.get("constraint")
    if constraint == "required" and case.operation.path.endswith(("/evaluate/plan", "/files", "/import")):
        # Each kind of plan needs other fields, the first message of an upload a name, and a table the kind of its rows.
        return
    unknown_parameter = error["code"] in ("UNKNOWN_PARAMETER", "PARAMETER_OUT_OF_RANGE")
    assert constraint in BEYOND_SCHEMAS or unknown_parameter, f"valid data refused: {response.text}"


@schemathesis.hook
def before_call(context: schemathesis.HookContext, case: schemathesis.Case, kwargs: dict[str, Any]) -> None:
    if len(urlencode(case.query or {}, doseq=True)) > LONGEST_QUERY and case.meta is not None:
        # The HTTP parser refuses an address over 64 KiB before anyone knows its surface; each role would test that alone.
        case.query = {} if case.meta.generation.mode.is_positive else {"no_such_parameter": "1"}
    parameters = case.path_parameters or {}
    for name, value in parameters.items():
        if value in KEPT and case.method != "GET":
            parameters[name] = NOBODY
