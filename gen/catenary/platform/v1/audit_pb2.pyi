import datetime

from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.platform.v1 import user_pb2 as _user_pb2
from catenary.type.v1 import json_pb2 as _json_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AuditEntry(_message.Message):
    __slots__ = ("sequence", "occurred_at", "actor", "credential_id", "address", "action", "subject", "outcome", "count", "request_id", "details", "chain_sequence")
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    OCCURRED_AT_FIELD_NUMBER: _ClassVar[int]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    CREDENTIAL_ID_FIELD_NUMBER: _ClassVar[int]
    ADDRESS_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    CHAIN_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    sequence: int
    occurred_at: _timestamp_pb2.Timestamp
    actor: _user_pb2.UserReference
    credential_id: str
    address: str
    action: str
    subject: str
    outcome: str
    count: int
    request_id: str
    details: _json_pb2.Json
    chain_sequence: int
    def __init__(self, sequence: _Optional[int] = ..., occurred_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., actor: _Optional[_Union[_user_pb2.UserReference, _Mapping]] = ..., credential_id: _Optional[str] = ..., address: _Optional[str] = ..., action: _Optional[str] = ..., subject: _Optional[str] = ..., outcome: _Optional[str] = ..., count: _Optional[int] = ..., request_id: _Optional[str] = ..., details: _Optional[_Union[_json_pb2.Json, _Mapping]] = ..., chain_sequence: _Optional[int] = ...) -> None: ...
