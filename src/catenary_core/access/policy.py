"""Authorization: the method's privilege against the caller and the caller's role in the project.

The rules are in guide/conventions.md, "Roles". A project that the caller may not see is NOT_FOUND; a project that the
caller may see but not change is PERMISSION_DENIED.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from types import MappingProxyType
from typing import Any

from google.protobuf.message import Message

from catenary.options.v1 import options_pb2
from catenary.platform.v1 import role_pb2
from catenary_core.call.call import Call, Identity
from catenary_core.call.errors import DomainError, not_found
from catenary_core.call.methods import Binding
from catenary_wire.json_form import enum_names

NEEDED_ROLE = {
    options_pb2.PRIVILEGE_PROJECT_VIEWER: role_pb2.ROLE_VIEWER,
    options_pb2.PRIVILEGE_PROJECT_EVALUATOR: role_pb2.ROLE_EVALUATOR,
    options_pb2.PRIVILEGE_PROJECT_EDITOR: role_pb2.ROLE_EDITOR,
    options_pb2.PRIVILEGE_PROJECT_OWNER: role_pb2.ROLE_OWNER,
}
"""Lowest role in the project, by privilege of the method."""

RoleOf = Callable[[str, Identity], Awaitable[int | None]]
"""Looks up a caller's role in an active project by its id; None without a role or without such a project."""
SharedRoleOf = Callable[[str, Mapping[str, str], Identity], Awaitable[int | None]]
"""Looks up the caller's role in a shared variant of an active project: by the project's id and the ids by which the request
names the variant (`variant_id`, `evaluation_id`; none for any variant of the project). None without a share of it."""
VariantOf = Callable[[str], Awaitable[str | None]]
"""Looks up the variant that an active resource is on by the resource's id; None without such a resource, or on none."""
ProjectOf = Callable[[str], Awaitable[str | None]]
"""Looks up the project of an active resource by the resource's id; None without such a resource."""


class Policy:
    """Decides whether a call may proceed."""

    def __init__(
        self,
        role_of: RoleOf,
        project_of: Mapping[str, ProjectOf],
        shared_role_of: SharedRoleOf | None = None,
        variant_of: Mapping[str, VariantOf] = MappingProxyType({}),
    ) -> None:
        """Set the look-ups.

        Args:
            role_of: finds the caller's role in a project.
            shared_role_of: finds the caller's role in a shared variant; None in tests of services without shares.
            project_of: finds the project of a resource, by the name of the request field with its id, such as
                `evaluation_id`. A request with a `project_id` needs none.
            variant_of: finds the variant that a resource is on, in the same way.
        """
        self._role_of = role_of
        self._project_of = dict(project_of)
        self._shared_role_of = shared_role_of
        self._variant_of = dict(variant_of)

    def check(self, bindings: Mapping[str, Binding]) -> None:
        """Refuse, at start-up, methods with a project privilege whose request names no project, and wrongly shared ones.

        Raises:
            ValueError: there is such a method.
        """
        for binding in bindings.values():
            if binding.options.privilege in NEEDED_ROLE:
                self._named_by(binding)
            _check_sharing(binding, self._variant_of.keys())

    def admit(self, binding: Binding, call: Call) -> None:
        """Check that a share link may call the method at all, before its request is looked at.

        Only the option `sharing` of a method lets a link in. A method for edges serves the edge.

        Raises NOT_FOUND: the method reads what no link shows. Raises PERMISSION_DENIED: the method writes.
        """
        if call.caller.kind != "link" or binding.options.privilege == options_pb2.PRIVILEGE_EDGE:
            return
        if not binding.reads:
            raise DomainError("PERMISSION_DENIED", "A share link only reads; sign in to change something.")
        if binding.options.sharing == options_pb2.SHARING_UNSPECIFIED:
            raise not_found("resource")

    async def authorize(self, binding: Binding, request: Message, call: Call) -> None:
        """Check that the caller may make the call; set the call's project and role.

        Raises PERMISSION_DENIED: the caller lacks the privilege, the scope or the role.
        Raises NOT_FOUND: the project does not exist, or the caller has no role in it.
        """
        privilege = binding.options.privilege
        if privilege == options_pb2.PRIVILEGE_EDGE_ALONE:
            _check_edge(call)
        if binding.is_public:
            return
        caller = call.caller
        if (privilege == options_pb2.PRIVILEGE_WORKER) != (caller.kind == "worker"):
            raise DomainError(
                "PERMISSION_DENIED", "Workers and other callers have methods of their own; this is not yours."
            )
        if caller.kind == "worker":
            return
        if privilege == options_pb2.PRIVILEGE_EDGE:
            _check_edge(call)
            return
        self._check_scope(binding, caller)
        if privilege == options_pb2.PRIVILEGE_ADMIN and not caller.admin:
            raise DomainError("PERMISSION_DENIED", "Only an Admin may do this.")
        if privilege in NEEDED_ROLE:
            await self._check_role(binding, request, call)

    def _check_scope(self, binding: Binding, caller: Identity) -> None:
        if binding.surface is None:
            return
        write = f"{binding.surface}:write"
        if write in caller.scopes or (binding.reads and f"{binding.surface}:read" in caller.scopes):
            return
        needed = f"{binding.surface}:read" if binding.reads else write
        raise DomainError("PERMISSION_DENIED", f"The credential lacks the scope {needed}.")

    async def _check_role(self, binding: Binding, request: Message, call: Call) -> None:
        field = self._named_by(binding)
        named: Any = getattr(request, field)
        project_id = named if field == "project_id" else await self._project_of[field](named)
        role = await self._role_of(project_id, call.caller) if project_id else None
        if project_id is not None and role is None:
            role = await self._role_in_variant(project_id, binding, request, call)
        if project_id is None or role is None:
            raise not_found(field.removesuffix("_id").replace("_", " "))
        if role < NEEDED_ROLE[binding.options.privilege]:
            needed = enum_names(role_pb2.Role.DESCRIPTOR)[NEEDED_ROLE[binding.options.privilege]]
            raise DomainError("PERMISSION_DENIED", f"This needs the role {needed} in the project.")
        call.project_id, call.role = project_id, role

    async def _role_in_variant(self, project_id: str, binding: Binding, request: Message, call: Call) -> int | None:
        """Return the caller's role in the shared variant that the request names; None if it sees no more of the project.

        Reads are a viewer's: a read by an evaluator may begin work, for which a role in the project is needed.
        """
        if self._shared_role_of is None or binding.options.sharing != options_pb2.SHARING_VARIANT:
            return None
        if binding.options.cache == options_pb2.CACHE_UNSPECIFIED and call.caller.kind != "link":
            # The end of a variant moves no count of changes, by which edges would notice it. A link ends with its variant.
            call.reply["cache-control"] = "no-cache"
        named = _named_variant(binding, request)
        for field, variant_of in self._variant_of.items():
            if field in binding.descriptor.input_type.fields_by_name:
                named["variant_id"] = await variant_of(getattr(request, field)) or ""
        role = await self._shared_role_of(project_id, named, call.caller)
        call.shared_role = role or 0
        return role_pb2.ROLE_VIEWER if role is not None and binding.reads else role

    def _named_by(self, binding: Binding) -> str:
        fields = binding.descriptor.input_type.fields_by_name
        for name in ("project_id", *self._project_of):
            if name in fields:
                return name
        raise ValueError(f"{binding.path} needs a role in a project, but its request has no field that names one")


def _check_edge(call: Call) -> None:
    # The gRPC server removes the mark of an edge that it does not trust.
    if call.metadata.get("catenary-edge") != "1":
        raise DomainError(
            "PERMISSION_DENIED",
            "Only an edge of this installation may call this; CATENARY_TRUSTED_EDGES names the networks of edges.",
        )


_VARIANT_FIELDS = ("variant_id", "evaluation_id")
"""Fields of requests that name a variant, or its evaluation."""


def _check_sharing(binding: Binding, on_variants: Collection[str]) -> None:
    """Refuse the option `sharing` where it would show too much, or could not be checked.

    Raises ValueError: the option stands at a method without the privilege that it needs, at a write that is not of a
    variant, or at a method for variants whose request names none of them one by one.
    """
    sharing = binding.options.sharing
    if sharing == options_pb2.SHARING_UNSPECIFIED:
        return
    if sharing == options_pb2.SHARING_EVERY:
        if binding.options.privilege != options_pb2.PRIVILEGE_USER or not binding.reads:
            raise ValueError(
                f"{binding.path} can't be shared with every link: it needs the privilege of a user, and reads"
            )
        return
    fields = binding.descriptor.input_type.fields_by_name
    of_variant = sharing == options_pb2.SHARING_VARIANT
    if binding.options.privilege not in NEEDED_ROLE or not (binding.reads or of_variant):
        raise ValueError(
            f"{binding.path} can't be shared: it needs the privilege of a role, and reads or is of a variant"
        )
    named = [name for name in (*_VARIANT_FIELDS, *on_variants) if name in fields]
    if of_variant and (not (named or "project_id" in fields) or any(fields[name].is_repeated for name in named)):
        raise ValueError(f"{binding.path} is shared with a variant, but its request names neither one nor the project")


def _named_variant(binding: Binding, request: Any) -> dict[str, str]:
    """Return the ids by which a request names one variant; a field that is left out names the empty id, which none has."""
    fields = binding.descriptor.input_type.fields_by_name
    return {name: getattr(request, name) for name in _VARIANT_FIELDS if name in fields}
