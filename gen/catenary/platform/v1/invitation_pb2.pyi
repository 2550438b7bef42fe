import datetime

from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.platform.v1 import role_pb2 as _role_pb2
from catenary.platform.v1 import user_pb2 as _user_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class InvitationStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    INVITATION_STATUS_UNSPECIFIED: _ClassVar[InvitationStatus]
    INVITATION_STATUS_OPEN: _ClassVar[InvitationStatus]
    INVITATION_STATUS_TAKEN: _ClassVar[InvitationStatus]
    INVITATION_STATUS_REVOKED: _ClassVar[InvitationStatus]
    INVITATION_STATUS_EXPIRED: _ClassVar[InvitationStatus]
INVITATION_STATUS_UNSPECIFIED: InvitationStatus
INVITATION_STATUS_OPEN: InvitationStatus
INVITATION_STATUS_TAKEN: InvitationStatus
INVITATION_STATUS_REVOKED: InvitationStatus
INVITATION_STATUS_EXPIRED: InvitationStatus

class Invitation(_message.Message):
    __slots__ = ("invitation_id", "project_id", "email", "email_verified", "staff_name", "role", "status", "expires_at", "taken_by", "created_by", "created_at", "updated_at", "deleted_at")
    INVITATION_ID_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    EMAIL_VERIFIED_FIELD_NUMBER: _ClassVar[int]
    STAFF_NAME_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    TAKEN_BY_FIELD_NUMBER: _ClassVar[int]
    CREATED_BY_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    DELETED_AT_FIELD_NUMBER: _ClassVar[int]
    invitation_id: str
    project_id: str
    email: str
    email_verified: bool
    staff_name: str
    role: _role_pb2.Role
    status: InvitationStatus
    expires_at: _timestamp_pb2.Timestamp
    taken_by: _user_pb2.UserReference
    created_by: _user_pb2.UserReference
    created_at: _timestamp_pb2.Timestamp
    updated_at: _timestamp_pb2.Timestamp
    deleted_at: _timestamp_pb2.Timestamp
    def __init__(self, invitation_id: _Optional[str] = ..., project_id: _Optional[str] = ..., email: _Optional[str] = ..., email_verified: _Optional[bool] = ..., staff_name: _Optional[str] = ..., role: _Optional[_Union[_role_pb2.Role, str]] = ..., status: _Optional[_Union[InvitationStatus, str]] = ..., expires_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., taken_by: _Optional[_Union[_user_pb2.UserReference, _Mapping]] = ..., created_by: _Optional[_Union[_user_pb2.UserReference, _Mapping]] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., deleted_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
