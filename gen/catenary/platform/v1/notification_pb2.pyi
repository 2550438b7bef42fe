import datetime

from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.platform.v1 import user_pb2 as _user_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class NotificationKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    NOTIFICATION_KIND_UNSPECIFIED: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_SHARE: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_COMMENT: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_REPLY: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_EVALUATION_COMPLETED: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_EVALUATION_FAILED: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_BATCH_COMPLETED: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_STUDY_COMPLETED: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_WEBHOOK_DISABLED: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_MENTION: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_SIGN_IN_LINK: _ClassVar[NotificationKind]
NOTIFICATION_KIND_UNSPECIFIED: NotificationKind
NOTIFICATION_KIND_SHARE: NotificationKind
NOTIFICATION_KIND_COMMENT: NotificationKind
NOTIFICATION_KIND_REPLY: NotificationKind
NOTIFICATION_KIND_EVALUATION_COMPLETED: NotificationKind
NOTIFICATION_KIND_EVALUATION_FAILED: NotificationKind
NOTIFICATION_KIND_BATCH_COMPLETED: NotificationKind
NOTIFICATION_KIND_STUDY_COMPLETED: NotificationKind
NOTIFICATION_KIND_WEBHOOK_DISABLED: NotificationKind
NOTIFICATION_KIND_MENTION: NotificationKind
NOTIFICATION_KIND_SIGN_IN_LINK: NotificationKind

class Notification(_message.Message):
    __slots__ = ("notification_id", "kind", "title", "subject", "project_id", "event_id", "actor_id", "actor", "read", "read_at", "created_at")
    NOTIFICATION_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    ACTOR_ID_FIELD_NUMBER: _ClassVar[int]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    READ_FIELD_NUMBER: _ClassVar[int]
    READ_AT_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    notification_id: str
    kind: NotificationKind
    title: str
    subject: str
    project_id: str
    event_id: str
    actor_id: str
    actor: _user_pb2.UserReference
    read: bool
    read_at: _timestamp_pb2.Timestamp
    created_at: _timestamp_pb2.Timestamp
    def __init__(self, notification_id: _Optional[str] = ..., kind: _Optional[_Union[NotificationKind, str]] = ..., title: _Optional[str] = ..., subject: _Optional[str] = ..., project_id: _Optional[str] = ..., event_id: _Optional[str] = ..., actor_id: _Optional[str] = ..., actor: _Optional[_Union[_user_pb2.UserReference, _Mapping]] = ..., read: _Optional[bool] = ..., read_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
