from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.type.v1 import json_pb2 as _json_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class JobKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    JOB_KIND_UNSPECIFIED: _ClassVar[JobKind]
    JOB_KIND_CHECK: _ClassVar[JobKind]
    JOB_KIND_EVALUATE: _ClassVar[JobKind]
    JOB_KIND_POINTS: _ClassVar[JobKind]
    JOB_KIND_SESSION: _ClassVar[JobKind]
JOB_KIND_UNSPECIFIED: JobKind
JOB_KIND_CHECK: JobKind
JOB_KIND_EVALUATE: JobKind
JOB_KIND_POINTS: JobKind
JOB_KIND_SESSION: JobKind

class Job(_message.Message):
    __slots__ = ("job_id", "kind", "lease_token", "lease_seconds", "model_version_id", "model_kind", "source_sha256", "parameters", "timeout_seconds", "memory_bytes", "request_id", "traceparent", "repeatable", "sharers", "points", "door", "without_geometry", "user", "project")
    class ParametersEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _json_pb2.Json
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_json_pb2.Json, _Mapping]] = ...) -> None: ...
    JOB_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    LEASE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    LEASE_SECONDS_FIELD_NUMBER: _ClassVar[int]
    MODEL_VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    MODEL_KIND_FIELD_NUMBER: _ClassVar[int]
    SOURCE_SHA256_FIELD_NUMBER: _ClassVar[int]
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    TIMEOUT_SECONDS_FIELD_NUMBER: _ClassVar[int]
    MEMORY_BYTES_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TRACEPARENT_FIELD_NUMBER: _ClassVar[int]
    REPEATABLE_FIELD_NUMBER: _ClassVar[int]
    SHARERS_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    DOOR_FIELD_NUMBER: _ClassVar[int]
    WITHOUT_GEOMETRY_FIELD_NUMBER: _ClassVar[int]
    USER_FIELD_NUMBER: _ClassVar[int]
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    job_id: str
    kind: JobKind
    lease_token: str
    lease_seconds: float
    model_version_id: str
    model_kind: str
    source_sha256: str
    parameters: _containers.MessageMap[str, _json_pb2.Json]
    timeout_seconds: float
    memory_bytes: int
    request_id: str
    traceparent: str
    repeatable: bool
    sharers: str
    points: _containers.RepeatedCompositeFieldContainer[JobPoint]
    door: str
    without_geometry: bool
    user: str
    project: str
    def __init__(self, job_id: _Optional[str] = ..., kind: _Optional[_Union[JobKind, str]] = ..., lease_token: _Optional[str] = ..., lease_seconds: _Optional[float] = ..., model_version_id: _Optional[str] = ..., model_kind: _Optional[str] = ..., source_sha256: _Optional[str] = ..., parameters: _Optional[_Mapping[str, _json_pb2.Json]] = ..., timeout_seconds: _Optional[float] = ..., memory_bytes: _Optional[int] = ..., request_id: _Optional[str] = ..., traceparent: _Optional[str] = ..., repeatable: _Optional[bool] = ..., sharers: _Optional[str] = ..., points: _Optional[_Iterable[_Union[JobPoint, _Mapping]]] = ..., door: _Optional[str] = ..., without_geometry: _Optional[bool] = ..., user: _Optional[str] = ..., project: _Optional[str] = ...) -> None: ...

class JobPoint(_message.Message):
    __slots__ = ("index", "parameters")
    class ParametersEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _json_pb2.Json
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_json_pb2.Json, _Mapping]] = ...) -> None: ...
    INDEX_FIELD_NUMBER: _ClassVar[int]
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    index: int
    parameters: _containers.MessageMap[str, _json_pb2.Json]
    def __init__(self, index: _Optional[int] = ..., parameters: _Optional[_Mapping[str, _json_pb2.Json]] = ...) -> None: ...

class LeaseRequest(_message.Message):
    __slots__ = ("worker_id", "runtime_digest", "wait_seconds", "kinds")
    WORKER_ID_FIELD_NUMBER: _ClassVar[int]
    RUNTIME_DIGEST_FIELD_NUMBER: _ClassVar[int]
    WAIT_SECONDS_FIELD_NUMBER: _ClassVar[int]
    KINDS_FIELD_NUMBER: _ClassVar[int]
    worker_id: str
    runtime_digest: str
    wait_seconds: float
    kinds: _containers.RepeatedScalarFieldContainer[JobKind]
    def __init__(self, worker_id: _Optional[str] = ..., runtime_digest: _Optional[str] = ..., wait_seconds: _Optional[float] = ..., kinds: _Optional[_Iterable[_Union[JobKind, str]]] = ...) -> None: ...

class LeaseResponse(_message.Message):
    __slots__ = ("job",)
    JOB_FIELD_NUMBER: _ClassVar[int]
    job: Job
    def __init__(self, job: _Optional[_Union[Job, _Mapping]] = ...) -> None: ...

class HeartbeatRequest(_message.Message):
    __slots__ = ("job_id", "lease_token", "progress")
    JOB_ID_FIELD_NUMBER: _ClassVar[int]
    LEASE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    PROGRESS_FIELD_NUMBER: _ClassVar[int]
    job_id: str
    lease_token: str
    progress: JobProgress
    def __init__(self, job_id: _Optional[str] = ..., lease_token: _Optional[str] = ..., progress: _Optional[_Union[JobProgress, _Mapping]] = ...) -> None: ...

class JobProgress(_message.Message):
    __slots__ = ("fraction", "message", "output")
    FRACTION_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_FIELD_NUMBER: _ClassVar[int]
    fraction: float
    message: str
    output: str
    def __init__(self, fraction: _Optional[float] = ..., message: _Optional[str] = ..., output: _Optional[str] = ...) -> None: ...

class HeartbeatResponse(_message.Message):
    __slots__ = ("cancelled",)
    CANCELLED_FIELD_NUMBER: _ClassVar[int]
    cancelled: bool
    def __init__(self, cancelled: _Optional[bool] = ...) -> None: ...

class FetchSourceRequest(_message.Message):
    __slots__ = ("model_version_id",)
    MODEL_VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    model_version_id: str
    def __init__(self, model_version_id: _Optional[str] = ...) -> None: ...

class FetchSourceResponse(_message.Message):
    __slots__ = ("chunk",)
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    chunk: bytes
    def __init__(self, chunk: _Optional[bytes] = ...) -> None: ...

class FetchFileRequest(_message.Message):
    __slots__ = ("model_version_id", "sha256")
    MODEL_VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    SHA256_FIELD_NUMBER: _ClassVar[int]
    model_version_id: str
    sha256: str
    def __init__(self, model_version_id: _Optional[str] = ..., sha256: _Optional[str] = ...) -> None: ...

class FetchFileResponse(_message.Message):
    __slots__ = ("chunk",)
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    chunk: bytes
    def __init__(self, chunk: _Optional[bytes] = ...) -> None: ...

class Outcome(_message.Message):
    __slots__ = ("status", "error", "description", "deterministic", "metrics", "constraints", "tables", "artefacts", "duration_ms", "log", "repeatable", "not_repeatable", "charts", "files", "remarks", "unmade")
    STATUS_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    DETERMINISTIC_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    CONSTRAINTS_FIELD_NUMBER: _ClassVar[int]
    TABLES_FIELD_NUMBER: _ClassVar[int]
    ARTEFACTS_FIELD_NUMBER: _ClassVar[int]
    DURATION_MS_FIELD_NUMBER: _ClassVar[int]
    LOG_FIELD_NUMBER: _ClassVar[int]
    REPEATABLE_FIELD_NUMBER: _ClassVar[int]
    NOT_REPEATABLE_FIELD_NUMBER: _ClassVar[int]
    CHARTS_FIELD_NUMBER: _ClassVar[int]
    FILES_FIELD_NUMBER: _ClassVar[int]
    REMARKS_FIELD_NUMBER: _ClassVar[int]
    UNMADE_FIELD_NUMBER: _ClassVar[int]
    status: str
    error: _json_pb2.Json
    description: _json_pb2.Json
    deterministic: bool
    metrics: _json_pb2.Json
    constraints: _json_pb2.Json
    tables: _json_pb2.Json
    artefacts: _containers.RepeatedCompositeFieldContainer[Artefact]
    duration_ms: float
    log: str
    repeatable: bool
    not_repeatable: str
    charts: _json_pb2.Json
    files: _containers.RepeatedCompositeFieldContainer[ResultFile]
    remarks: _containers.RepeatedScalarFieldContainer[str]
    unmade: _containers.RepeatedCompositeFieldContainer[UnmadeGeometry]
    def __init__(self, status: _Optional[str] = ..., error: _Optional[_Union[_json_pb2.Json, _Mapping]] = ..., description: _Optional[_Union[_json_pb2.Json, _Mapping]] = ..., deterministic: _Optional[bool] = ..., metrics: _Optional[_Union[_json_pb2.Json, _Mapping]] = ..., constraints: _Optional[_Union[_json_pb2.Json, _Mapping]] = ..., tables: _Optional[_Union[_json_pb2.Json, _Mapping]] = ..., artefacts: _Optional[_Iterable[_Union[Artefact, _Mapping]]] = ..., duration_ms: _Optional[float] = ..., log: _Optional[str] = ..., repeatable: _Optional[bool] = ..., not_repeatable: _Optional[str] = ..., charts: _Optional[_Union[_json_pb2.Json, _Mapping]] = ..., files: _Optional[_Iterable[_Union[ResultFile, _Mapping]]] = ..., remarks: _Optional[_Iterable[str]] = ..., unmade: _Optional[_Iterable[_Union[UnmadeGeometry, _Mapping]]] = ...) -> None: ...

class UnmadeGeometry(_message.Message):
    __slots__ = ("name", "format")
    NAME_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    name: str
    format: str
    def __init__(self, name: _Optional[str] = ..., format: _Optional[str] = ...) -> None: ...

class ResultFile(_message.Message):
    __slots__ = ("name", "size", "sha256")
    NAME_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    SHA256_FIELD_NUMBER: _ClassVar[int]
    name: str
    size: int
    sha256: str
    def __init__(self, name: _Optional[str] = ..., size: _Optional[int] = ..., sha256: _Optional[str] = ...) -> None: ...

class Artefact(_message.Message):
    __slots__ = ("name", "format", "size", "sha256", "parts", "unit")
    NAME_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    SHA256_FIELD_NUMBER: _ClassVar[int]
    PARTS_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    name: str
    format: str
    size: int
    sha256: str
    parts: _json_pb2.Json
    unit: str
    def __init__(self, name: _Optional[str] = ..., format: _Optional[str] = ..., size: _Optional[int] = ..., sha256: _Optional[str] = ..., parts: _Optional[_Union[_json_pb2.Json, _Mapping]] = ..., unit: _Optional[str] = ...) -> None: ...

class CompleteRequest(_message.Message):
    __slots__ = ("job_id", "lease_token", "outcome", "chunk", "runtime_digest")
    JOB_ID_FIELD_NUMBER: _ClassVar[int]
    LEASE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    RUNTIME_DIGEST_FIELD_NUMBER: _ClassVar[int]
    job_id: str
    lease_token: str
    outcome: Outcome
    chunk: bytes
    runtime_digest: str
    def __init__(self, job_id: _Optional[str] = ..., lease_token: _Optional[str] = ..., outcome: _Optional[_Union[Outcome, _Mapping]] = ..., chunk: _Optional[bytes] = ..., runtime_digest: _Optional[str] = ...) -> None: ...

class CompleteResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class PointOutcome(_message.Message):
    __slots__ = ("index", "outcome")
    INDEX_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    index: int
    outcome: Outcome
    def __init__(self, index: _Optional[int] = ..., outcome: _Optional[_Union[Outcome, _Mapping]] = ...) -> None: ...

class CompletePointsRequest(_message.Message):
    __slots__ = ("job_id", "lease_token", "runtime_digest", "points", "ends_chunk")
    JOB_ID_FIELD_NUMBER: _ClassVar[int]
    LEASE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    RUNTIME_DIGEST_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    ENDS_CHUNK_FIELD_NUMBER: _ClassVar[int]
    job_id: str
    lease_token: str
    runtime_digest: str
    points: _containers.RepeatedCompositeFieldContainer[PointOutcome]
    ends_chunk: bool
    def __init__(self, job_id: _Optional[str] = ..., lease_token: _Optional[str] = ..., runtime_digest: _Optional[str] = ..., points: _Optional[_Iterable[_Union[PointOutcome, _Mapping]]] = ..., ends_chunk: _Optional[bool] = ...) -> None: ...

class CompletePointsResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ExtendChunkRequest(_message.Message):
    __slots__ = ("job_id", "lease_token")
    JOB_ID_FIELD_NUMBER: _ClassVar[int]
    LEASE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    job_id: str
    lease_token: str
    def __init__(self, job_id: _Optional[str] = ..., lease_token: _Optional[str] = ...) -> None: ...

class ExtendChunkResponse(_message.Message):
    __slots__ = ("points",)
    POINTS_FIELD_NUMBER: _ClassVar[int]
    points: _containers.RepeatedCompositeFieldContainer[JobPoint]
    def __init__(self, points: _Optional[_Iterable[_Union[JobPoint, _Mapping]]] = ...) -> None: ...

class ReleaseRequest(_message.Message):
    __slots__ = ("job_id", "lease_token")
    JOB_ID_FIELD_NUMBER: _ClassVar[int]
    LEASE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    job_id: str
    lease_token: str
    def __init__(self, job_id: _Optional[str] = ..., lease_token: _Optional[str] = ...) -> None: ...

class ReleaseResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class SessionRequest(_message.Message):
    __slots__ = ("job_id", "lease_token", "runtime_digest", "outcome", "chunk", "geometry")
    JOB_ID_FIELD_NUMBER: _ClassVar[int]
    LEASE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    RUNTIME_DIGEST_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    GEOMETRY_FIELD_NUMBER: _ClassVar[int]
    job_id: str
    lease_token: str
    runtime_digest: str
    outcome: Outcome
    chunk: bytes
    geometry: Outcome
    def __init__(self, job_id: _Optional[str] = ..., lease_token: _Optional[str] = ..., runtime_digest: _Optional[str] = ..., outcome: _Optional[_Union[Outcome, _Mapping]] = ..., chunk: _Optional[bytes] = ..., geometry: _Optional[_Union[Outcome, _Mapping]] = ...) -> None: ...

class SessionResponse(_message.Message):
    __slots__ = ("parameters", "geometry")
    class ParametersEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _json_pb2.Json
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_json_pb2.Json, _Mapping]] = ...) -> None: ...
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    GEOMETRY_FIELD_NUMBER: _ClassVar[int]
    parameters: _containers.MessageMap[str, _json_pb2.Json]
    geometry: bool
    def __init__(self, parameters: _Optional[_Mapping[str, _json_pb2.Json]] = ..., geometry: _Optional[bool] = ...) -> None: ...
