from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.platform.v1 import model_pb2 as _model_pb2
from catenary.type.v1 import json_pb2 as _json_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import field_mask_pb2 as _field_mask_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListModelsRequest(_message.Message):
    __slots__ = ("project_id", "limit", "cursor", "search")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    SEARCH_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    limit: int
    cursor: str
    search: str
    def __init__(self, project_id: _Optional[str] = ..., limit: _Optional[int] = ..., cursor: _Optional[str] = ..., search: _Optional[str] = ...) -> None: ...

class ListModelsResponse(_message.Message):
    __slots__ = ("models", "next_cursor")
    MODELS_FIELD_NUMBER: _ClassVar[int]
    NEXT_CURSOR_FIELD_NUMBER: _ClassVar[int]
    models: _containers.RepeatedCompositeFieldContainer[_model_pb2.Model]
    next_cursor: str
    def __init__(self, models: _Optional[_Iterable[_Union[_model_pb2.Model, _Mapping]]] = ..., next_cursor: _Optional[str] = ...) -> None: ...

class CreateModelRequest(_message.Message):
    __slots__ = ("project_id", "name")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    name: str
    def __init__(self, project_id: _Optional[str] = ..., name: _Optional[str] = ...) -> None: ...

class CreateModelResponse(_message.Message):
    __slots__ = ("model",)
    MODEL_FIELD_NUMBER: _ClassVar[int]
    model: _model_pb2.Model
    def __init__(self, model: _Optional[_Union[_model_pb2.Model, _Mapping]] = ...) -> None: ...

class GetModelRequest(_message.Message):
    __slots__ = ("project_id", "model_id")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    MODEL_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    model_id: str
    def __init__(self, project_id: _Optional[str] = ..., model_id: _Optional[str] = ...) -> None: ...

class GetModelResponse(_message.Message):
    __slots__ = ("model",)
    MODEL_FIELD_NUMBER: _ClassVar[int]
    model: _model_pb2.Model
    def __init__(self, model: _Optional[_Union[_model_pb2.Model, _Mapping]] = ...) -> None: ...

class UpdateModelRequest(_message.Message):
    __slots__ = ("project_id", "model_id", "name", "update_mask")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    MODEL_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    model_id: str
    name: str
    update_mask: _field_mask_pb2.FieldMask
    def __init__(self, project_id: _Optional[str] = ..., model_id: _Optional[str] = ..., name: _Optional[str] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ...) -> None: ...

class UpdateModelResponse(_message.Message):
    __slots__ = ("model",)
    MODEL_FIELD_NUMBER: _ClassVar[int]
    model: _model_pb2.Model
    def __init__(self, model: _Optional[_Union[_model_pb2.Model, _Mapping]] = ...) -> None: ...

class DeleteModelRequest(_message.Message):
    __slots__ = ("project_id", "model_id")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    MODEL_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    model_id: str
    def __init__(self, project_id: _Optional[str] = ..., model_id: _Optional[str] = ...) -> None: ...

class DeleteModelResponse(_message.Message):
    __slots__ = ("model",)
    MODEL_FIELD_NUMBER: _ClassVar[int]
    model: _model_pb2.Model
    def __init__(self, model: _Optional[_Union[_model_pb2.Model, _Mapping]] = ...) -> None: ...

class ListModelVersionsRequest(_message.Message):
    __slots__ = ("project_id", "model_id", "limit", "cursor")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    MODEL_ID_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    model_id: str
    limit: int
    cursor: str
    def __init__(self, project_id: _Optional[str] = ..., model_id: _Optional[str] = ..., limit: _Optional[int] = ..., cursor: _Optional[str] = ...) -> None: ...

class ListModelVersionsResponse(_message.Message):
    __slots__ = ("model_versions", "next_cursor")
    MODEL_VERSIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_CURSOR_FIELD_NUMBER: _ClassVar[int]
    model_versions: _containers.RepeatedCompositeFieldContainer[_model_pb2.ModelVersion]
    next_cursor: str
    def __init__(self, model_versions: _Optional[_Iterable[_Union[_model_pb2.ModelVersion, _Mapping]]] = ..., next_cursor: _Optional[str] = ...) -> None: ...

class UploadModelVersionRequest(_message.Message):
    __slots__ = ("project_id", "model_id", "content_type", "chunk")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    MODEL_ID_FIELD_NUMBER: _ClassVar[int]
    CONTENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    model_id: str
    content_type: str
    chunk: bytes
    def __init__(self, project_id: _Optional[str] = ..., model_id: _Optional[str] = ..., content_type: _Optional[str] = ..., chunk: _Optional[bytes] = ...) -> None: ...

class UploadModelVersionResponse(_message.Message):
    __slots__ = ("model_version",)
    MODEL_VERSION_FIELD_NUMBER: _ClassVar[int]
    model_version: _model_pb2.ModelVersion
    def __init__(self, model_version: _Optional[_Union[_model_pb2.ModelVersion, _Mapping]] = ...) -> None: ...

class GetModelVersionRequest(_message.Message):
    __slots__ = ("project_id", "model_id", "model_version_id", "prefer")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    MODEL_ID_FIELD_NUMBER: _ClassVar[int]
    MODEL_VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    PREFER_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    model_id: str
    model_version_id: str
    prefer: str
    def __init__(self, project_id: _Optional[str] = ..., model_id: _Optional[str] = ..., model_version_id: _Optional[str] = ..., prefer: _Optional[str] = ...) -> None: ...

class GetModelVersionResponse(_message.Message):
    __slots__ = ("model_version",)
    MODEL_VERSION_FIELD_NUMBER: _ClassVar[int]
    model_version: _model_pb2.ModelVersion
    def __init__(self, model_version: _Optional[_Union[_model_pb2.ModelVersion, _Mapping]] = ...) -> None: ...

class DeleteModelVersionRequest(_message.Message):
    __slots__ = ("project_id", "model_id", "model_version_id")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    MODEL_ID_FIELD_NUMBER: _ClassVar[int]
    MODEL_VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    model_id: str
    model_version_id: str
    def __init__(self, project_id: _Optional[str] = ..., model_id: _Optional[str] = ..., model_version_id: _Optional[str] = ...) -> None: ...

class DeleteModelVersionResponse(_message.Message):
    __slots__ = ("model_version",)
    MODEL_VERSION_FIELD_NUMBER: _ClassVar[int]
    model_version: _model_pb2.ModelVersion
    def __init__(self, model_version: _Optional[_Union[_model_pb2.ModelVersion, _Mapping]] = ...) -> None: ...

class DownloadModelSourceRequest(_message.Message):
    __slots__ = ("project_id", "model_id", "model_version_id", "range", "if_range")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    MODEL_ID_FIELD_NUMBER: _ClassVar[int]
    MODEL_VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    RANGE_FIELD_NUMBER: _ClassVar[int]
    IF_RANGE_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    model_id: str
    model_version_id: str
    range: str
    if_range: str
    def __init__(self, project_id: _Optional[str] = ..., model_id: _Optional[str] = ..., model_version_id: _Optional[str] = ..., range: _Optional[str] = ..., if_range: _Optional[str] = ...) -> None: ...

class DownloadModelSourceResponse(_message.Message):
    __slots__ = ("chunk",)
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    chunk: bytes
    def __init__(self, chunk: _Optional[bytes] = ...) -> None: ...

class GetModelVersionLogRequest(_message.Message):
    __slots__ = ("project_id", "model_id", "model_version_id")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    MODEL_ID_FIELD_NUMBER: _ClassVar[int]
    MODEL_VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    model_id: str
    model_version_id: str
    def __init__(self, project_id: _Optional[str] = ..., model_id: _Optional[str] = ..., model_version_id: _Optional[str] = ...) -> None: ...

class GetModelVersionLogResponse(_message.Message):
    __slots__ = ("log",)
    LOG_FIELD_NUMBER: _ClassVar[int]
    log: str
    def __init__(self, log: _Optional[str] = ...) -> None: ...

class ListDeploymentsRequest(_message.Message):
    __slots__ = ("project_id", "limit", "cursor")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    limit: int
    cursor: str
    def __init__(self, project_id: _Optional[str] = ..., limit: _Optional[int] = ..., cursor: _Optional[str] = ...) -> None: ...

class ListDeploymentsResponse(_message.Message):
    __slots__ = ("deployments", "next_cursor")
    DEPLOYMENTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_CURSOR_FIELD_NUMBER: _ClassVar[int]
    deployments: _containers.RepeatedCompositeFieldContainer[_model_pb2.Deployment]
    next_cursor: str
    def __init__(self, deployments: _Optional[_Iterable[_Union[_model_pb2.Deployment, _Mapping]]] = ..., next_cursor: _Optional[str] = ...) -> None: ...

class CreateDeploymentRequest(_message.Message):
    __slots__ = ("project_id", "model_version_id")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    MODEL_VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    model_version_id: str
    def __init__(self, project_id: _Optional[str] = ..., model_version_id: _Optional[str] = ...) -> None: ...

class CreateDeploymentResponse(_message.Message):
    __slots__ = ("deployment",)
    DEPLOYMENT_FIELD_NUMBER: _ClassVar[int]
    deployment: _model_pb2.Deployment
    def __init__(self, deployment: _Optional[_Union[_model_pb2.Deployment, _Mapping]] = ...) -> None: ...

class DeleteCurrentDeploymentRequest(_message.Message):
    __slots__ = ("project_id",)
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    def __init__(self, project_id: _Optional[str] = ...) -> None: ...

class DeleteCurrentDeploymentResponse(_message.Message):
    __slots__ = ("deployment",)
    DEPLOYMENT_FIELD_NUMBER: _ClassVar[int]
    deployment: _model_pb2.Deployment
    def __init__(self, deployment: _Optional[_Union[_model_pb2.Deployment, _Mapping]] = ...) -> None: ...

class ListParametersRequest(_message.Message):
    __slots__ = ("project_id", "limit", "cursor")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    limit: int
    cursor: str
    def __init__(self, project_id: _Optional[str] = ..., limit: _Optional[int] = ..., cursor: _Optional[str] = ...) -> None: ...

class ListParametersResponse(_message.Message):
    __slots__ = ("parameters", "next_cursor")
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    NEXT_CURSOR_FIELD_NUMBER: _ClassVar[int]
    parameters: _containers.RepeatedCompositeFieldContainer[_model_pb2.ModelParameter]
    next_cursor: str
    def __init__(self, parameters: _Optional[_Iterable[_Union[_model_pb2.ModelParameter, _Mapping]]] = ..., next_cursor: _Optional[str] = ...) -> None: ...

class UpdateParameterRequest(_message.Message):
    __slots__ = ("project_id", "name", "min", "max", "default", "label", "update_mask")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    MIN_FIELD_NUMBER: _ClassVar[int]
    MAX_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    name: str
    min: _json_pb2.Json
    max: _json_pb2.Json
    default: _json_pb2.Json
    label: str
    update_mask: _field_mask_pb2.FieldMask
    def __init__(self, project_id: _Optional[str] = ..., name: _Optional[str] = ..., min: _Optional[_Union[_json_pb2.Json, _Mapping]] = ..., max: _Optional[_Union[_json_pb2.Json, _Mapping]] = ..., default: _Optional[_Union[_json_pb2.Json, _Mapping]] = ..., label: _Optional[str] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ...) -> None: ...

class UpdateParameterResponse(_message.Message):
    __slots__ = ("parameter",)
    PARAMETER_FIELD_NUMBER: _ClassVar[int]
    parameter: _model_pb2.ModelParameter
    def __init__(self, parameter: _Optional[_Union[_model_pb2.ModelParameter, _Mapping]] = ...) -> None: ...
