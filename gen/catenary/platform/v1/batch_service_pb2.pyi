from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.platform.v1 import batch_pb2 as _batch_pb2
from catenary.platform.v1 import evaluation_pb2 as _evaluation_pb2
from catenary.type.v1 import json_pb2 as _json_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class BatchEvaluation(_message.Message):
    __slots__ = ("parameters",)
    class ParametersEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _json_pb2.Json
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_json_pb2.Json, _Mapping]] = ...) -> None: ...
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    parameters: _containers.MessageMap[str, _json_pb2.Json]
    def __init__(self, parameters: _Optional[_Mapping[str, _json_pb2.Json]] = ...) -> None: ...

class CreateBatchRequest(_message.Message):
    __slots__ = ("project_id", "evaluations", "plan_id", "model_version_id", "geometry", "name", "note")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    EVALUATIONS_FIELD_NUMBER: _ClassVar[int]
    PLAN_ID_FIELD_NUMBER: _ClassVar[int]
    MODEL_VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    GEOMETRY_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    evaluations: _containers.RepeatedCompositeFieldContainer[BatchEvaluation]
    plan_id: str
    model_version_id: str
    geometry: bool
    name: str
    note: str
    def __init__(self, project_id: _Optional[str] = ..., evaluations: _Optional[_Iterable[_Union[BatchEvaluation, _Mapping]]] = ..., plan_id: _Optional[str] = ..., model_version_id: _Optional[str] = ..., geometry: _Optional[bool] = ..., name: _Optional[str] = ..., note: _Optional[str] = ...) -> None: ...

class CreateBatchResponse(_message.Message):
    __slots__ = ("batch",)
    BATCH_FIELD_NUMBER: _ClassVar[int]
    batch: _batch_pb2.Batch
    def __init__(self, batch: _Optional[_Union[_batch_pb2.Batch, _Mapping]] = ...) -> None: ...

class ListBatchesRequest(_message.Message):
    __slots__ = ("project_id", "limit", "cursor", "status")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    limit: int
    cursor: str
    status: _containers.RepeatedScalarFieldContainer[_batch_pb2.BatchStatus]
    def __init__(self, project_id: _Optional[str] = ..., limit: _Optional[int] = ..., cursor: _Optional[str] = ..., status: _Optional[_Iterable[_Union[_batch_pb2.BatchStatus, str]]] = ...) -> None: ...

class ListBatchesResponse(_message.Message):
    __slots__ = ("batches", "next_cursor")
    BATCHES_FIELD_NUMBER: _ClassVar[int]
    NEXT_CURSOR_FIELD_NUMBER: _ClassVar[int]
    batches: _containers.RepeatedCompositeFieldContainer[_batch_pb2.Batch]
    next_cursor: str
    def __init__(self, batches: _Optional[_Iterable[_Union[_batch_pb2.Batch, _Mapping]]] = ..., next_cursor: _Optional[str] = ...) -> None: ...

class GetBatchRequest(_message.Message):
    __slots__ = ("batch_id",)
    BATCH_ID_FIELD_NUMBER: _ClassVar[int]
    batch_id: str
    def __init__(self, batch_id: _Optional[str] = ...) -> None: ...

class GetBatchResponse(_message.Message):
    __slots__ = ("batch",)
    BATCH_FIELD_NUMBER: _ClassVar[int]
    batch: _batch_pb2.Batch
    def __init__(self, batch: _Optional[_Union[_batch_pb2.Batch, _Mapping]] = ...) -> None: ...

class DeleteBatchRequest(_message.Message):
    __slots__ = ("batch_id", "remove")
    BATCH_ID_FIELD_NUMBER: _ClassVar[int]
    REMOVE_FIELD_NUMBER: _ClassVar[int]
    batch_id: str
    remove: bool
    def __init__(self, batch_id: _Optional[str] = ..., remove: _Optional[bool] = ...) -> None: ...

class DeleteBatchResponse(_message.Message):
    __slots__ = ("batch",)
    BATCH_FIELD_NUMBER: _ClassVar[int]
    batch: _batch_pb2.Batch
    def __init__(self, batch: _Optional[_Union[_batch_pb2.Batch, _Mapping]] = ...) -> None: ...

class ListBatchResultsRequest(_message.Message):
    __slots__ = ("batch_id", "limit", "cursor", "status")
    BATCH_ID_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    batch_id: str
    limit: int
    cursor: str
    status: _containers.RepeatedScalarFieldContainer[_evaluation_pb2.EvaluationStatus]
    def __init__(self, batch_id: _Optional[str] = ..., limit: _Optional[int] = ..., cursor: _Optional[str] = ..., status: _Optional[_Iterable[_Union[_evaluation_pb2.EvaluationStatus, str]]] = ...) -> None: ...

class ListBatchResultsResponse(_message.Message):
    __slots__ = ("results", "next_cursor")
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_CURSOR_FIELD_NUMBER: _ClassVar[int]
    results: _containers.RepeatedCompositeFieldContainer[_batch_pb2.BatchResult]
    next_cursor: str
    def __init__(self, results: _Optional[_Iterable[_Union[_batch_pb2.BatchResult, _Mapping]]] = ..., next_cursor: _Optional[str] = ...) -> None: ...

class StreamBatchResultsRequest(_message.Message):
    __slots__ = ("batch_id", "after", "last_event_id")
    BATCH_ID_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    LAST_EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    batch_id: str
    after: str
    last_event_id: str
    def __init__(self, batch_id: _Optional[str] = ..., after: _Optional[str] = ..., last_event_id: _Optional[str] = ...) -> None: ...

class StreamBatchResultsResponse(_message.Message):
    __slots__ = ("items", "position")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[_batch_pb2.BatchStreamItem]
    position: str
    def __init__(self, items: _Optional[_Iterable[_Union[_batch_pb2.BatchStreamItem, _Mapping]]] = ..., position: _Optional[str] = ...) -> None: ...
