import datetime

from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.platform.v1 import user_pb2 as _user_pb2
from catenary.type.v1 import json_pb2 as _json_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ModelKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MODEL_KIND_UNSPECIFIED: _ClassVar[ModelKind]
    MODEL_KIND_PYTHON: _ClassVar[ModelKind]
    MODEL_KIND_ZIP: _ClassVar[ModelKind]
    MODEL_KIND_OPENSCAD: _ClassVar[ModelKind]

class ModelVersionStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MODEL_VERSION_STATUS_UNSPECIFIED: _ClassVar[ModelVersionStatus]
    MODEL_VERSION_STATUS_UPLOADED: _ClassVar[ModelVersionStatus]
    MODEL_VERSION_STATUS_CHECKING: _ClassVar[ModelVersionStatus]
    MODEL_VERSION_STATUS_READY: _ClassVar[ModelVersionStatus]
    MODEL_VERSION_STATUS_FAILED: _ClassVar[ModelVersionStatus]

class ParameterType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PARAMETER_TYPE_UNSPECIFIED: _ClassVar[ParameterType]
    PARAMETER_TYPE_NUMBER: _ClassVar[ParameterType]
    PARAMETER_TYPE_INTEGER: _ClassVar[ParameterType]
    PARAMETER_TYPE_BOOLEAN: _ClassVar[ParameterType]
    PARAMETER_TYPE_STRING: _ClassVar[ParameterType]
    PARAMETER_TYPE_CHOICE: _ClassVar[ParameterType]
    PARAMETER_TYPE_COLOR: _ClassVar[ParameterType]
    PARAMETER_TYPE_DATE: _ClassVar[ParameterType]
    PARAMETER_TYPE_POINT: _ClassVar[ParameterType]
    PARAMETER_TYPE_TABLE: _ClassVar[ParameterType]
    PARAMETER_TYPE_FILE: _ClassVar[ParameterType]

class TableColumnType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TABLE_COLUMN_TYPE_UNSPECIFIED: _ClassVar[TableColumnType]
    TABLE_COLUMN_TYPE_NUMBER: _ClassVar[TableColumnType]
    TABLE_COLUMN_TYPE_INTEGER: _ClassVar[TableColumnType]
    TABLE_COLUMN_TYPE_BOOLEAN: _ClassVar[TableColumnType]
    TABLE_COLUMN_TYPE_STRING: _ClassVar[TableColumnType]

class DeploymentStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DEPLOYMENT_STATUS_UNSPECIFIED: _ClassVar[DeploymentStatus]
    DEPLOYMENT_STATUS_PENDING: _ClassVar[DeploymentStatus]
    DEPLOYMENT_STATUS_ACTIVE: _ClassVar[DeploymentStatus]
    DEPLOYMENT_STATUS_RETIRED: _ClassVar[DeploymentStatus]
    DEPLOYMENT_STATUS_FAILED: _ClassVar[DeploymentStatus]
MODEL_KIND_UNSPECIFIED: ModelKind
MODEL_KIND_PYTHON: ModelKind
MODEL_KIND_ZIP: ModelKind
MODEL_KIND_OPENSCAD: ModelKind
MODEL_VERSION_STATUS_UNSPECIFIED: ModelVersionStatus
MODEL_VERSION_STATUS_UPLOADED: ModelVersionStatus
MODEL_VERSION_STATUS_CHECKING: ModelVersionStatus
MODEL_VERSION_STATUS_READY: ModelVersionStatus
MODEL_VERSION_STATUS_FAILED: ModelVersionStatus
PARAMETER_TYPE_UNSPECIFIED: ParameterType
PARAMETER_TYPE_NUMBER: ParameterType
PARAMETER_TYPE_INTEGER: ParameterType
PARAMETER_TYPE_BOOLEAN: ParameterType
PARAMETER_TYPE_STRING: ParameterType
PARAMETER_TYPE_CHOICE: ParameterType
PARAMETER_TYPE_COLOR: ParameterType
PARAMETER_TYPE_DATE: ParameterType
PARAMETER_TYPE_POINT: ParameterType
PARAMETER_TYPE_TABLE: ParameterType
PARAMETER_TYPE_FILE: ParameterType
TABLE_COLUMN_TYPE_UNSPECIFIED: TableColumnType
TABLE_COLUMN_TYPE_NUMBER: TableColumnType
TABLE_COLUMN_TYPE_INTEGER: TableColumnType
TABLE_COLUMN_TYPE_BOOLEAN: TableColumnType
TABLE_COLUMN_TYPE_STRING: TableColumnType
DEPLOYMENT_STATUS_UNSPECIFIED: DeploymentStatus
DEPLOYMENT_STATUS_PENDING: DeploymentStatus
DEPLOYMENT_STATUS_ACTIVE: DeploymentStatus
DEPLOYMENT_STATUS_RETIRED: DeploymentStatus
DEPLOYMENT_STATUS_FAILED: DeploymentStatus

class Model(_message.Message):
    __slots__ = ("model_id", "project_id", "name", "latest_model_version_id", "created_at", "updated_at", "deleted_at")
    MODEL_ID_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    LATEST_MODEL_VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    DELETED_AT_FIELD_NUMBER: _ClassVar[int]
    model_id: str
    project_id: str
    name: str
    latest_model_version_id: str
    created_at: _timestamp_pb2.Timestamp
    updated_at: _timestamp_pb2.Timestamp
    deleted_at: _timestamp_pb2.Timestamp
    def __init__(self, model_id: _Optional[str] = ..., project_id: _Optional[str] = ..., name: _Optional[str] = ..., latest_model_version_id: _Optional[str] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., deleted_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ModelVersion(_message.Message):
    __slots__ = ("model_version_id", "model_id", "project_id", "number", "status", "kind", "size", "sha256", "deterministic", "error", "parameters", "metrics", "constraints", "created_by", "created_at", "updated_at", "deleted_at", "warnings", "repeatable", "repeatable_reason")
    MODEL_VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    MODEL_ID_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    SHA256_FIELD_NUMBER: _ClassVar[int]
    DETERMINISTIC_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    CONSTRAINTS_FIELD_NUMBER: _ClassVar[int]
    CREATED_BY_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    DELETED_AT_FIELD_NUMBER: _ClassVar[int]
    WARNINGS_FIELD_NUMBER: _ClassVar[int]
    REPEATABLE_FIELD_NUMBER: _ClassVar[int]
    REPEATABLE_REASON_FIELD_NUMBER: _ClassVar[int]
    model_version_id: str
    model_id: str
    project_id: str
    number: int
    status: ModelVersionStatus
    kind: ModelKind
    size: int
    sha256: str
    deterministic: bool
    error: ModelError
    parameters: _containers.RepeatedCompositeFieldContainer[ModelParameter]
    metrics: _containers.RepeatedCompositeFieldContainer[ModelMetric]
    constraints: _containers.RepeatedCompositeFieldContainer[ModelConstraint]
    created_by: _user_pb2.UserReference
    created_at: _timestamp_pb2.Timestamp
    updated_at: _timestamp_pb2.Timestamp
    deleted_at: _timestamp_pb2.Timestamp
    warnings: _containers.RepeatedScalarFieldContainer[str]
    repeatable: bool
    repeatable_reason: str
    def __init__(self, model_version_id: _Optional[str] = ..., model_id: _Optional[str] = ..., project_id: _Optional[str] = ..., number: _Optional[int] = ..., status: _Optional[_Union[ModelVersionStatus, str]] = ..., kind: _Optional[_Union[ModelKind, str]] = ..., size: _Optional[int] = ..., sha256: _Optional[str] = ..., deterministic: _Optional[bool] = ..., error: _Optional[_Union[ModelError, _Mapping]] = ..., parameters: _Optional[_Iterable[_Union[ModelParameter, _Mapping]]] = ..., metrics: _Optional[_Iterable[_Union[ModelMetric, _Mapping]]] = ..., constraints: _Optional[_Iterable[_Union[ModelConstraint, _Mapping]]] = ..., created_by: _Optional[_Union[_user_pb2.UserReference, _Mapping]] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., deleted_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., warnings: _Optional[_Iterable[str]] = ..., repeatable: _Optional[bool] = ..., repeatable_reason: _Optional[str] = ...) -> None: ...

class ModelError(_message.Message):
    __slots__ = ("code", "message", "line")
    CODE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    code: str
    message: str
    line: int
    def __init__(self, code: _Optional[str] = ..., message: _Optional[str] = ..., line: _Optional[int] = ...) -> None: ...

class TableColumn(_message.Message):
    __slots__ = ("name", "type", "unit")
    NAME_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    name: str
    type: TableColumnType
    unit: str
    def __init__(self, name: _Optional[str] = ..., type: _Optional[_Union[TableColumnType, str]] = ..., unit: _Optional[str] = ...) -> None: ...

class ModelParameter(_message.Message):
    __slots__ = ("name", "label", "type", "default", "min", "max", "step", "positive", "choices", "unit", "group", "description", "order", "show_if", "columns", "accept", "max_bytes")
    NAME_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_FIELD_NUMBER: _ClassVar[int]
    MIN_FIELD_NUMBER: _ClassVar[int]
    MAX_FIELD_NUMBER: _ClassVar[int]
    STEP_FIELD_NUMBER: _ClassVar[int]
    POSITIVE_FIELD_NUMBER: _ClassVar[int]
    CHOICES_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    GROUP_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    SHOW_IF_FIELD_NUMBER: _ClassVar[int]
    COLUMNS_FIELD_NUMBER: _ClassVar[int]
    ACCEPT_FIELD_NUMBER: _ClassVar[int]
    MAX_BYTES_FIELD_NUMBER: _ClassVar[int]
    name: str
    label: str
    type: ParameterType
    default: _json_pb2.Json
    min: _json_pb2.Json
    max: _json_pb2.Json
    step: _json_pb2.Json
    positive: bool
    choices: _containers.RepeatedCompositeFieldContainer[_json_pb2.Json]
    unit: str
    group: str
    description: str
    order: int
    show_if: str
    columns: _containers.RepeatedCompositeFieldContainer[TableColumn]
    accept: _containers.RepeatedScalarFieldContainer[str]
    max_bytes: int
    def __init__(self, name: _Optional[str] = ..., label: _Optional[str] = ..., type: _Optional[_Union[ParameterType, str]] = ..., default: _Optional[_Union[_json_pb2.Json, _Mapping]] = ..., min: _Optional[_Union[_json_pb2.Json, _Mapping]] = ..., max: _Optional[_Union[_json_pb2.Json, _Mapping]] = ..., step: _Optional[_Union[_json_pb2.Json, _Mapping]] = ..., positive: _Optional[bool] = ..., choices: _Optional[_Iterable[_Union[_json_pb2.Json, _Mapping]]] = ..., unit: _Optional[str] = ..., group: _Optional[str] = ..., description: _Optional[str] = ..., order: _Optional[int] = ..., show_if: _Optional[str] = ..., columns: _Optional[_Iterable[_Union[TableColumn, _Mapping]]] = ..., accept: _Optional[_Iterable[str]] = ..., max_bytes: _Optional[int] = ...) -> None: ...

class ModelMetric(_message.Message):
    __slots__ = ("name", "unit", "description")
    NAME_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    name: str
    unit: str
    description: str
    def __init__(self, name: _Optional[str] = ..., unit: _Optional[str] = ..., description: _Optional[str] = ...) -> None: ...

class ModelConstraint(_message.Message):
    __slots__ = ("name", "metric", "op", "value")
    NAME_FIELD_NUMBER: _ClassVar[int]
    METRIC_FIELD_NUMBER: _ClassVar[int]
    OP_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    name: str
    metric: str
    op: str
    value: _json_pb2.Json
    def __init__(self, name: _Optional[str] = ..., metric: _Optional[str] = ..., op: _Optional[str] = ..., value: _Optional[_Union[_json_pb2.Json, _Mapping]] = ...) -> None: ...

class Deployment(_message.Message):
    __slots__ = ("deployment_id", "project_id", "model_id", "model_version_id", "status", "error", "created_by", "created_at", "updated_at", "activated_at", "retired_at")
    DEPLOYMENT_ID_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    MODEL_ID_FIELD_NUMBER: _ClassVar[int]
    MODEL_VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    CREATED_BY_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    ACTIVATED_AT_FIELD_NUMBER: _ClassVar[int]
    RETIRED_AT_FIELD_NUMBER: _ClassVar[int]
    deployment_id: str
    project_id: str
    model_id: str
    model_version_id: str
    status: DeploymentStatus
    error: ModelError
    created_by: _user_pb2.UserReference
    created_at: _timestamp_pb2.Timestamp
    updated_at: _timestamp_pb2.Timestamp
    activated_at: _timestamp_pb2.Timestamp
    retired_at: _timestamp_pb2.Timestamp
    def __init__(self, deployment_id: _Optional[str] = ..., project_id: _Optional[str] = ..., model_id: _Optional[str] = ..., model_version_id: _Optional[str] = ..., status: _Optional[_Union[DeploymentStatus, str]] = ..., error: _Optional[_Union[ModelError, _Mapping]] = ..., created_by: _Optional[_Union[_user_pb2.UserReference, _Mapping]] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., activated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., retired_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
