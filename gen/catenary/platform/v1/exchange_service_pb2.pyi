from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.platform.v1 import batch_pb2 as _batch_pb2
from catenary.platform.v1 import evaluation_pb2 as _evaluation_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ExportEvaluationsRequest(_message.Message):
    __slots__ = ("project_id", "model_version_id", "status", "asked_by", "batch_id", "study_id")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    MODEL_VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    ASKED_BY_FIELD_NUMBER: _ClassVar[int]
    BATCH_ID_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    model_version_id: str
    status: _containers.RepeatedScalarFieldContainer[_evaluation_pb2.EvaluationStatus]
    asked_by: _containers.RepeatedScalarFieldContainer[str]
    batch_id: _containers.RepeatedScalarFieldContainer[str]
    study_id: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, project_id: _Optional[str] = ..., model_version_id: _Optional[str] = ..., status: _Optional[_Iterable[_Union[_evaluation_pb2.EvaluationStatus, str]]] = ..., asked_by: _Optional[_Iterable[str]] = ..., batch_id: _Optional[_Iterable[str]] = ..., study_id: _Optional[_Iterable[str]] = ...) -> None: ...

class ExportEvaluationsResponse(_message.Message):
    __slots__ = ("chunk",)
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    chunk: bytes
    def __init__(self, chunk: _Optional[bytes] = ...) -> None: ...

class ImportEvaluationsRequest(_message.Message):
    __slots__ = ("project_id", "content_type", "chunk", "name", "note")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    CONTENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    content_type: str
    chunk: bytes
    name: str
    note: str
    def __init__(self, project_id: _Optional[str] = ..., content_type: _Optional[str] = ..., chunk: _Optional[bytes] = ..., name: _Optional[str] = ..., note: _Optional[str] = ...) -> None: ...

class ImportEvaluationsResponse(_message.Message):
    __slots__ = ("batch",)
    BATCH_FIELD_NUMBER: _ClassVar[int]
    batch: _batch_pb2.Batch
    def __init__(self, batch: _Optional[_Union[_batch_pb2.Batch, _Mapping]] = ...) -> None: ...
