from buf.validate import validate_pb2 as _validate_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Usage(_message.Message):
    __slots__ = ("project_id", "user_id", "month", "evaluations", "compute_seconds", "storage", "quota")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    MONTH_FIELD_NUMBER: _ClassVar[int]
    EVALUATIONS_FIELD_NUMBER: _ClassVar[int]
    COMPUTE_SECONDS_FIELD_NUMBER: _ClassVar[int]
    STORAGE_FIELD_NUMBER: _ClassVar[int]
    QUOTA_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    user_id: str
    month: str
    evaluations: int
    compute_seconds: float
    storage: int
    quota: Quota
    def __init__(self, project_id: _Optional[str] = ..., user_id: _Optional[str] = ..., month: _Optional[str] = ..., evaluations: _Optional[int] = ..., compute_seconds: _Optional[float] = ..., storage: _Optional[int] = ..., quota: _Optional[_Union[Quota, _Mapping]] = ...) -> None: ...

class Quota(_message.Message):
    __slots__ = ("tier", "evaluations", "compute_seconds", "storage")
    TIER_FIELD_NUMBER: _ClassVar[int]
    EVALUATIONS_FIELD_NUMBER: _ClassVar[int]
    COMPUTE_SECONDS_FIELD_NUMBER: _ClassVar[int]
    STORAGE_FIELD_NUMBER: _ClassVar[int]
    tier: str
    evaluations: int
    compute_seconds: int
    storage: int
    def __init__(self, tier: _Optional[str] = ..., evaluations: _Optional[int] = ..., compute_seconds: _Optional[int] = ..., storage: _Optional[int] = ...) -> None: ...
