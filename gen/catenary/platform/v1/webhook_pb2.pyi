import datetime

from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class WebhookStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    WEBHOOK_STATUS_UNSPECIFIED: _ClassVar[WebhookStatus]
    WEBHOOK_STATUS_ENABLED: _ClassVar[WebhookStatus]
    WEBHOOK_STATUS_DISABLED: _ClassVar[WebhookStatus]

class WebhookDisabledReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    WEBHOOK_DISABLED_REASON_UNSPECIFIED: _ClassVar[WebhookDisabledReason]
    WEBHOOK_DISABLED_REASON_REQUESTED: _ClassVar[WebhookDisabledReason]
    WEBHOOK_DISABLED_REASON_FAILED: _ClassVar[WebhookDisabledReason]
    WEBHOOK_DISABLED_REASON_GONE: _ClassVar[WebhookDisabledReason]

class WebhookDeliveryStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    WEBHOOK_DELIVERY_STATUS_UNSPECIFIED: _ClassVar[WebhookDeliveryStatus]
    WEBHOOK_DELIVERY_STATUS_PENDING: _ClassVar[WebhookDeliveryStatus]
    WEBHOOK_DELIVERY_STATUS_DELIVERED: _ClassVar[WebhookDeliveryStatus]
    WEBHOOK_DELIVERY_STATUS_FAILED: _ClassVar[WebhookDeliveryStatus]
    WEBHOOK_DELIVERY_STATUS_CANCELLED: _ClassVar[WebhookDeliveryStatus]
WEBHOOK_STATUS_UNSPECIFIED: WebhookStatus
WEBHOOK_STATUS_ENABLED: WebhookStatus
WEBHOOK_STATUS_DISABLED: WebhookStatus
WEBHOOK_DISABLED_REASON_UNSPECIFIED: WebhookDisabledReason
WEBHOOK_DISABLED_REASON_REQUESTED: WebhookDisabledReason
WEBHOOK_DISABLED_REASON_FAILED: WebhookDisabledReason
WEBHOOK_DISABLED_REASON_GONE: WebhookDisabledReason
WEBHOOK_DELIVERY_STATUS_UNSPECIFIED: WebhookDeliveryStatus
WEBHOOK_DELIVERY_STATUS_PENDING: WebhookDeliveryStatus
WEBHOOK_DELIVERY_STATUS_DELIVERED: WebhookDeliveryStatus
WEBHOOK_DELIVERY_STATUS_FAILED: WebhookDeliveryStatus
WEBHOOK_DELIVERY_STATUS_CANCELLED: WebhookDeliveryStatus

class Webhook(_message.Message):
    __slots__ = ("webhook_id", "url", "events", "status", "disabled_reason", "user_id", "scopes", "created_at", "updated_at", "deleted_at")
    WEBHOOK_ID_FIELD_NUMBER: _ClassVar[int]
    URL_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    DISABLED_REASON_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    DELETED_AT_FIELD_NUMBER: _ClassVar[int]
    webhook_id: str
    url: str
    events: _containers.RepeatedScalarFieldContainer[str]
    status: WebhookStatus
    disabled_reason: WebhookDisabledReason
    user_id: str
    scopes: _containers.RepeatedScalarFieldContainer[str]
    created_at: _timestamp_pb2.Timestamp
    updated_at: _timestamp_pb2.Timestamp
    deleted_at: _timestamp_pb2.Timestamp
    def __init__(self, webhook_id: _Optional[str] = ..., url: _Optional[str] = ..., events: _Optional[_Iterable[str]] = ..., status: _Optional[_Union[WebhookStatus, str]] = ..., disabled_reason: _Optional[_Union[WebhookDisabledReason, str]] = ..., user_id: _Optional[str] = ..., scopes: _Optional[_Iterable[str]] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., deleted_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class WebhookAttempt(_message.Message):
    __slots__ = ("attempted_at", "response_status", "response_excerpt", "reason", "duration_ms")
    ATTEMPTED_AT_FIELD_NUMBER: _ClassVar[int]
    RESPONSE_STATUS_FIELD_NUMBER: _ClassVar[int]
    RESPONSE_EXCERPT_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    DURATION_MS_FIELD_NUMBER: _ClassVar[int]
    attempted_at: _timestamp_pb2.Timestamp
    response_status: int
    response_excerpt: str
    reason: str
    duration_ms: float
    def __init__(self, attempted_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., response_status: _Optional[int] = ..., response_excerpt: _Optional[str] = ..., reason: _Optional[str] = ..., duration_ms: _Optional[float] = ...) -> None: ...

class WebhookDelivery(_message.Message):
    __slots__ = ("delivery_id", "webhook_id", "event_id", "event_type", "status", "attempts", "next_attempt_at", "request_excerpt", "created_at", "updated_at", "completed_at")
    DELIVERY_ID_FIELD_NUMBER: _ClassVar[int]
    WEBHOOK_ID_FIELD_NUMBER: _ClassVar[int]
    EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    EVENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_ATTEMPT_AT_FIELD_NUMBER: _ClassVar[int]
    REQUEST_EXCERPT_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    COMPLETED_AT_FIELD_NUMBER: _ClassVar[int]
    delivery_id: str
    webhook_id: str
    event_id: str
    event_type: str
    status: WebhookDeliveryStatus
    attempts: _containers.RepeatedCompositeFieldContainer[WebhookAttempt]
    next_attempt_at: _timestamp_pb2.Timestamp
    request_excerpt: str
    created_at: _timestamp_pb2.Timestamp
    updated_at: _timestamp_pb2.Timestamp
    completed_at: _timestamp_pb2.Timestamp
    def __init__(self, delivery_id: _Optional[str] = ..., webhook_id: _Optional[str] = ..., event_id: _Optional[str] = ..., event_type: _Optional[str] = ..., status: _Optional[_Union[WebhookDeliveryStatus, str]] = ..., attempts: _Optional[_Iterable[_Union[WebhookAttempt, _Mapping]]] = ..., next_attempt_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., request_excerpt: _Optional[str] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., completed_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
