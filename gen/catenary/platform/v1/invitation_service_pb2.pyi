from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.platform.v1 import invitation_pb2 as _invitation_pb2
from catenary.platform.v1 import role_pb2 as _role_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListInvitationsRequest(_message.Message):
    __slots__ = ("project_id", "limit", "cursor")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    limit: int
    cursor: str
    def __init__(self, project_id: _Optional[str] = ..., limit: _Optional[int] = ..., cursor: _Optional[str] = ...) -> None: ...

class ListInvitationsResponse(_message.Message):
    __slots__ = ("invitations", "next_cursor")
    INVITATIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_CURSOR_FIELD_NUMBER: _ClassVar[int]
    invitations: _containers.RepeatedCompositeFieldContainer[_invitation_pb2.Invitation]
    next_cursor: str
    def __init__(self, invitations: _Optional[_Iterable[_Union[_invitation_pb2.Invitation, _Mapping]]] = ..., next_cursor: _Optional[str] = ...) -> None: ...

class CreateInvitationRequest(_message.Message):
    __slots__ = ("project_id", "email", "staff_name", "role")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    STAFF_NAME_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    email: str
    staff_name: str
    role: _role_pb2.Role
    def __init__(self, project_id: _Optional[str] = ..., email: _Optional[str] = ..., staff_name: _Optional[str] = ..., role: _Optional[_Union[_role_pb2.Role, str]] = ...) -> None: ...

class CreateInvitationResponse(_message.Message):
    __slots__ = ("invitation", "url")
    INVITATION_FIELD_NUMBER: _ClassVar[int]
    URL_FIELD_NUMBER: _ClassVar[int]
    invitation: _invitation_pb2.Invitation
    url: str
    def __init__(self, invitation: _Optional[_Union[_invitation_pb2.Invitation, _Mapping]] = ..., url: _Optional[str] = ...) -> None: ...

class GetInvitationRequest(_message.Message):
    __slots__ = ("project_id", "invitation_id")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    INVITATION_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    invitation_id: str
    def __init__(self, project_id: _Optional[str] = ..., invitation_id: _Optional[str] = ...) -> None: ...

class GetInvitationResponse(_message.Message):
    __slots__ = ("invitation",)
    INVITATION_FIELD_NUMBER: _ClassVar[int]
    invitation: _invitation_pb2.Invitation
    def __init__(self, invitation: _Optional[_Union[_invitation_pb2.Invitation, _Mapping]] = ...) -> None: ...

class DeleteInvitationRequest(_message.Message):
    __slots__ = ("project_id", "invitation_id")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    INVITATION_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    invitation_id: str
    def __init__(self, project_id: _Optional[str] = ..., invitation_id: _Optional[str] = ...) -> None: ...

class DeleteInvitationResponse(_message.Message):
    __slots__ = ("invitation",)
    INVITATION_FIELD_NUMBER: _ClassVar[int]
    invitation: _invitation_pb2.Invitation
    def __init__(self, invitation: _Optional[_Union[_invitation_pb2.Invitation, _Mapping]] = ...) -> None: ...
