"""Rules for the tags that a caller may create, and the filters of tag lists.

See guide/conventions.md, "Tags".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from catenary_core.call.call import Identity
from catenary_core.call.errors import DomainError, invalid
from catenary_wire.sentences import Fields, Sentence


def check_scope_given(caller: Identity, tag_scope: str | None) -> None:
    """Refuse a global tag of a caller without Admin.

    Raises PERMISSION_DENIED: `tag_scope` is None and the caller isn't an Admin.
    """
    if tag_scope is None and not caller.admin:
        sentence = Sentence(
            "Only an Admin may add a global tag; give the id of a project as {scope}.", {"scope": Fields("tag_scope")}
        )
        raise DomainError("PERMISSION_DENIED", sentence)


def check_custom(caller: Identity, tag_type_id: str, tag_scope: str | None, *, allow_custom: bool) -> None:
    """Refuse a project's tag of a type that takes no custom tags.

    Raises PERMISSION_DENIED, or VALIDATION_ERROR for an Admin: an Admin may do everything, so the request itself is
    wrong.
    """
    if tag_scope is None or allow_custom:
        return
    if not caller.admin:
        sentence = Sentence(
            "This tag type takes no custom tags; give a {type_id} whose type has {custom}.",
            {"type_id": Fields("tag_type_id"), "custom": Fields("allow_custom")},
        )
        raise DomainError("PERMISSION_DENIED", sentence)
    raise invalid(
        "tag_type_id",
        "{field} names a type that takes no tags of projects; leave out {scope} or give a type with {custom}.",
        scope=Fields("tag_scope"),
        custom=Fields("allow_custom"),
        value=tag_type_id,
        constraint="allow_custom",
    )


def id_filter(name: str, ids: Sequence[str], suffix: str = "") -> dict[str, dict[str, Any]]:
    """Build the filter of a listing in `queries` for the given ids; none for no id."""
    match list(ids):
        case []:
            return {}
        case [one]:
            return {f"one_{name}{suffix}": {f"one_{name}": one}}
        case several:
            return {f"{name}{suffix}": {name: several}}


def scope_filters(tag_scope: Sequence[str], *, omit_global: bool) -> dict[str, dict[str, Any]]:
    """Build the filters of `queries.TAGS` for the parameters `tag_scope` and `omit_global`.

    Given projects select their tags and the global ones; an empty value alone selects only the global ones.
    `omit_global` excludes the global ones, so that an empty value selects nothing.
    """
    if scopes := [scope for scope in tag_scope if scope]:
        return id_filter("tag_scope", scopes, "" if omit_global else "_and_global")
    chosen: dict[str, dict[str, Any]] = {"only_global": {}} if tag_scope else {}
    return chosen | ({"no_global": {}} if omit_global else {})
