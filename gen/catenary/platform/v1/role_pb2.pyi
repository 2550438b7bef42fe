from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from typing import ClassVar as _ClassVar

DESCRIPTOR: _descriptor.FileDescriptor

class Role(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ROLE_UNSPECIFIED: _ClassVar[Role]
    ROLE_VIEWER: _ClassVar[Role]
    ROLE_EVALUATOR: _ClassVar[Role]
    ROLE_EDITOR: _ClassVar[Role]
    ROLE_OWNER: _ClassVar[Role]
ROLE_UNSPECIFIED: Role
ROLE_VIEWER: Role
ROLE_EVALUATOR: Role
ROLE_EDITOR: Role
ROLE_OWNER: Role
