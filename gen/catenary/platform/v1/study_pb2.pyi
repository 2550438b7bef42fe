import datetime

from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.platform.v1 import batch_pb2 as _batch_pb2
from catenary.platform.v1 import evaluation_pb2 as _evaluation_pb2
from catenary.platform.v1 import model_pb2 as _model_pb2
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

class StudyStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    STUDY_STATUS_UNSPECIFIED: _ClassVar[StudyStatus]
    STUDY_STATUS_QUEUED: _ClassVar[StudyStatus]
    STUDY_STATUS_RUNNING: _ClassVar[StudyStatus]
    STUDY_STATUS_COMPLETED: _ClassVar[StudyStatus]
    STUDY_STATUS_CANCELLED: _ClassVar[StudyStatus]
    STUDY_STATUS_FAILED: _ClassVar[StudyStatus]

class StudyKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    STUDY_KIND_UNSPECIFIED: _ClassVar[StudyKind]
    STUDY_KIND_OPTIMIZATION: _ClassVar[StudyKind]
    STUDY_KIND_SENSITIVITY: _ClassVar[StudyKind]

class StudyAlgorithm(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    STUDY_ALGORITHM_UNSPECIFIED: _ClassVar[StudyAlgorithm]
    STUDY_ALGORITHM_AUTO: _ClassVar[StudyAlgorithm]
    STUDY_ALGORITHM_NSGA2: _ClassVar[StudyAlgorithm]
    STUDY_ALGORITHM_NSGA3: _ClassVar[StudyAlgorithm]
    STUDY_ALGORITHM_TPE: _ClassVar[StudyAlgorithm]
    STUDY_ALGORITHM_MORRIS: _ClassVar[StudyAlgorithm]
    STUDY_ALGORITHM_SOBOL_INDICES: _ClassVar[StudyAlgorithm]

class StudyDirection(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    STUDY_DIRECTION_UNSPECIFIED: _ClassVar[StudyDirection]
    STUDY_DIRECTION_MINIMIZE: _ClassVar[StudyDirection]
    STUDY_DIRECTION_MAXIMIZE: _ClassVar[StudyDirection]

class StudyDistribution(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    STUDY_DISTRIBUTION_UNSPECIFIED: _ClassVar[StudyDistribution]
    STUDY_DISTRIBUTION_UNIFORM: _ClassVar[StudyDistribution]

class StudyFailure(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    STUDY_FAILURE_UNSPECIFIED: _ClassVar[StudyFailure]
    STUDY_FAILURE_INFEASIBLE: _ClassVar[StudyFailure]
    STUDY_FAILURE_RETRY: _ClassVar[StudyFailure]
    STUDY_FAILURE_STOP: _ClassVar[StudyFailure]

class StudyStopRule(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    STUDY_STOP_RULE_UNSPECIFIED: _ClassVar[StudyStopRule]
    STUDY_STOP_RULE_SECONDS: _ClassVar[StudyStopRule]
    STUDY_STOP_RULE_STALLED_GENERATIONS: _ClassVar[StudyStopRule]
STUDY_STATUS_UNSPECIFIED: StudyStatus
STUDY_STATUS_QUEUED: StudyStatus
STUDY_STATUS_RUNNING: StudyStatus
STUDY_STATUS_COMPLETED: StudyStatus
STUDY_STATUS_CANCELLED: StudyStatus
STUDY_STATUS_FAILED: StudyStatus
STUDY_KIND_UNSPECIFIED: StudyKind
STUDY_KIND_OPTIMIZATION: StudyKind
STUDY_KIND_SENSITIVITY: StudyKind
STUDY_ALGORITHM_UNSPECIFIED: StudyAlgorithm
STUDY_ALGORITHM_AUTO: StudyAlgorithm
STUDY_ALGORITHM_NSGA2: StudyAlgorithm
STUDY_ALGORITHM_NSGA3: StudyAlgorithm
STUDY_ALGORITHM_TPE: StudyAlgorithm
STUDY_ALGORITHM_MORRIS: StudyAlgorithm
STUDY_ALGORITHM_SOBOL_INDICES: StudyAlgorithm
STUDY_DIRECTION_UNSPECIFIED: StudyDirection
STUDY_DIRECTION_MINIMIZE: StudyDirection
STUDY_DIRECTION_MAXIMIZE: StudyDirection
STUDY_DISTRIBUTION_UNSPECIFIED: StudyDistribution
STUDY_DISTRIBUTION_UNIFORM: StudyDistribution
STUDY_FAILURE_UNSPECIFIED: StudyFailure
STUDY_FAILURE_INFEASIBLE: StudyFailure
STUDY_FAILURE_RETRY: StudyFailure
STUDY_FAILURE_STOP: StudyFailure
STUDY_STOP_RULE_UNSPECIFIED: StudyStopRule
STUDY_STOP_RULE_SECONDS: StudyStopRule
STUDY_STOP_RULE_STALLED_GENERATIONS: StudyStopRule

class StudyStop(_message.Message):
    __slots__ = ("seconds", "stalled_generations")
    SECONDS_FIELD_NUMBER: _ClassVar[int]
    STALLED_GENERATIONS_FIELD_NUMBER: _ClassVar[int]
    seconds: int
    stalled_generations: int
    def __init__(self, seconds: _Optional[int] = ..., stalled_generations: _Optional[int] = ...) -> None: ...

class StudyObjective(_message.Message):
    __slots__ = ("metric", "expression", "direction", "reference")
    METRIC_FIELD_NUMBER: _ClassVar[int]
    EXPRESSION_FIELD_NUMBER: _ClassVar[int]
    DIRECTION_FIELD_NUMBER: _ClassVar[int]
    REFERENCE_FIELD_NUMBER: _ClassVar[int]
    metric: str
    expression: str
    direction: StudyDirection
    reference: float
    def __init__(self, metric: _Optional[str] = ..., expression: _Optional[str] = ..., direction: _Optional[_Union[StudyDirection, str]] = ..., reference: _Optional[float] = ...) -> None: ...

class StudyConstraint(_message.Message):
    __slots__ = ("metric", "op", "value", "expression")
    METRIC_FIELD_NUMBER: _ClassVar[int]
    OP_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    EXPRESSION_FIELD_NUMBER: _ClassVar[int]
    metric: str
    op: str
    value: float
    expression: str
    def __init__(self, metric: _Optional[str] = ..., op: _Optional[str] = ..., value: _Optional[float] = ..., expression: _Optional[str] = ...) -> None: ...

class StudyParameter(_message.Message):
    __slots__ = ("min", "max", "choices", "fixed", "distribution")
    MIN_FIELD_NUMBER: _ClassVar[int]
    MAX_FIELD_NUMBER: _ClassVar[int]
    CHOICES_FIELD_NUMBER: _ClassVar[int]
    FIXED_FIELD_NUMBER: _ClassVar[int]
    DISTRIBUTION_FIELD_NUMBER: _ClassVar[int]
    min: float
    max: float
    choices: _containers.RepeatedCompositeFieldContainer[_json_pb2.Json]
    fixed: _json_pb2.Json
    distribution: StudyDistribution
    def __init__(self, min: _Optional[float] = ..., max: _Optional[float] = ..., choices: _Optional[_Iterable[_Union[_json_pb2.Json, _Mapping]]] = ..., fixed: _Optional[_Union[_json_pb2.Json, _Mapping]] = ..., distribution: _Optional[_Union[StudyDistribution, str]] = ...) -> None: ...

class StudyDerivedMetric(_message.Message):
    __slots__ = ("name", "expression", "unit")
    NAME_FIELD_NUMBER: _ClassVar[int]
    EXPRESSION_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    name: str
    expression: str
    unit: str
    def __init__(self, name: _Optional[str] = ..., expression: _Optional[str] = ..., unit: _Optional[str] = ...) -> None: ...

class StudyVolume(_message.Message):
    __slots__ = ("generation", "hypervolume")
    GENERATION_FIELD_NUMBER: _ClassVar[int]
    HYPERVOLUME_FIELD_NUMBER: _ClassVar[int]
    generation: int
    hypervolume: float
    def __init__(self, generation: _Optional[int] = ..., hypervolume: _Optional[float] = ...) -> None: ...

class Study(_message.Message):
    __slots__ = ("study_id", "project_id", "status", "model_version_id", "kind", "objectives", "constraints", "parameters", "algorithm", "population", "budget", "seed", "on_failure", "generation", "counts", "front_size", "hypervolume", "reference", "expected_end", "error", "created_by", "created_at", "updated_at", "started_at", "completed_at", "start_from", "derived_metrics", "name", "note", "stop", "stopped_by", "algorithm_reason", "error_code")
    class ParametersEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: StudyParameter
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[StudyParameter, _Mapping]] = ...) -> None: ...
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    MODEL_VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    OBJECTIVES_FIELD_NUMBER: _ClassVar[int]
    CONSTRAINTS_FIELD_NUMBER: _ClassVar[int]
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    ALGORITHM_FIELD_NUMBER: _ClassVar[int]
    POPULATION_FIELD_NUMBER: _ClassVar[int]
    BUDGET_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    ON_FAILURE_FIELD_NUMBER: _ClassVar[int]
    GENERATION_FIELD_NUMBER: _ClassVar[int]
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    FRONT_SIZE_FIELD_NUMBER: _ClassVar[int]
    HYPERVOLUME_FIELD_NUMBER: _ClassVar[int]
    REFERENCE_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_END_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    CREATED_BY_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    STARTED_AT_FIELD_NUMBER: _ClassVar[int]
    COMPLETED_AT_FIELD_NUMBER: _ClassVar[int]
    START_FROM_FIELD_NUMBER: _ClassVar[int]
    DERIVED_METRICS_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    STOP_FIELD_NUMBER: _ClassVar[int]
    STOPPED_BY_FIELD_NUMBER: _ClassVar[int]
    ALGORITHM_REASON_FIELD_NUMBER: _ClassVar[int]
    ERROR_CODE_FIELD_NUMBER: _ClassVar[int]
    study_id: str
    project_id: str
    status: StudyStatus
    model_version_id: str
    kind: StudyKind
    objectives: _containers.RepeatedCompositeFieldContainer[StudyObjective]
    constraints: _containers.RepeatedCompositeFieldContainer[StudyConstraint]
    parameters: _containers.MessageMap[str, StudyParameter]
    algorithm: StudyAlgorithm
    population: int
    budget: int
    seed: int
    on_failure: StudyFailure
    generation: int
    counts: _batch_pb2.BatchCounts
    front_size: int
    hypervolume: _containers.RepeatedCompositeFieldContainer[StudyVolume]
    reference: _containers.RepeatedScalarFieldContainer[float]
    expected_end: _timestamp_pb2.Timestamp
    error: str
    created_by: _user_pb2.UserReference
    created_at: _timestamp_pb2.Timestamp
    updated_at: _timestamp_pb2.Timestamp
    started_at: _timestamp_pb2.Timestamp
    completed_at: _timestamp_pb2.Timestamp
    start_from: _containers.RepeatedScalarFieldContainer[str]
    derived_metrics: _containers.RepeatedCompositeFieldContainer[StudyDerivedMetric]
    name: str
    note: str
    stop: StudyStop
    stopped_by: StudyStopRule
    algorithm_reason: str
    error_code: str
    def __init__(self, study_id: _Optional[str] = ..., project_id: _Optional[str] = ..., status: _Optional[_Union[StudyStatus, str]] = ..., model_version_id: _Optional[str] = ..., kind: _Optional[_Union[StudyKind, str]] = ..., objectives: _Optional[_Iterable[_Union[StudyObjective, _Mapping]]] = ..., constraints: _Optional[_Iterable[_Union[StudyConstraint, _Mapping]]] = ..., parameters: _Optional[_Mapping[str, StudyParameter]] = ..., algorithm: _Optional[_Union[StudyAlgorithm, str]] = ..., population: _Optional[int] = ..., budget: _Optional[int] = ..., seed: _Optional[int] = ..., on_failure: _Optional[_Union[StudyFailure, str]] = ..., generation: _Optional[int] = ..., counts: _Optional[_Union[_batch_pb2.BatchCounts, _Mapping]] = ..., front_size: _Optional[int] = ..., hypervolume: _Optional[_Iterable[_Union[StudyVolume, _Mapping]]] = ..., reference: _Optional[_Iterable[float]] = ..., expected_end: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., error: _Optional[str] = ..., created_by: _Optional[_Union[_user_pb2.UserReference, _Mapping]] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., started_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., completed_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., start_from: _Optional[_Iterable[str]] = ..., derived_metrics: _Optional[_Iterable[_Union[StudyDerivedMetric, _Mapping]]] = ..., name: _Optional[str] = ..., note: _Optional[str] = ..., stop: _Optional[_Union[StudyStop, _Mapping]] = ..., stopped_by: _Optional[_Union[StudyStopRule, str]] = ..., algorithm_reason: _Optional[str] = ..., error_code: _Optional[str] = ...) -> None: ...

class StudyValue(_message.Message):
    __slots__ = ("value",)
    VALUE_FIELD_NUMBER: _ClassVar[int]
    value: float
    def __init__(self, value: _Optional[float] = ...) -> None: ...

class StudyResult(_message.Message):
    __slots__ = ("index", "generation", "status", "parameters", "metrics", "constraints", "objectives", "feasible", "rank", "error", "cached", "duration_ms", "completed_at", "evaluation_id", "geometry", "tables")
    class ParametersEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _json_pb2.Json
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_json_pb2.Json, _Mapping]] = ...) -> None: ...
    class MetricsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _evaluation_pb2.MetricValue
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_evaluation_pb2.MetricValue, _Mapping]] = ...) -> None: ...
    class ConstraintsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _evaluation_pb2.ConstraintValue
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_evaluation_pb2.ConstraintValue, _Mapping]] = ...) -> None: ...
    class TablesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _json_pb2.Json
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_json_pb2.Json, _Mapping]] = ...) -> None: ...
    INDEX_FIELD_NUMBER: _ClassVar[int]
    GENERATION_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    CONSTRAINTS_FIELD_NUMBER: _ClassVar[int]
    OBJECTIVES_FIELD_NUMBER: _ClassVar[int]
    FEASIBLE_FIELD_NUMBER: _ClassVar[int]
    RANK_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    CACHED_FIELD_NUMBER: _ClassVar[int]
    DURATION_MS_FIELD_NUMBER: _ClassVar[int]
    COMPLETED_AT_FIELD_NUMBER: _ClassVar[int]
    EVALUATION_ID_FIELD_NUMBER: _ClassVar[int]
    GEOMETRY_FIELD_NUMBER: _ClassVar[int]
    TABLES_FIELD_NUMBER: _ClassVar[int]
    index: int
    generation: int
    status: _evaluation_pb2.EvaluationStatus
    parameters: _containers.MessageMap[str, _json_pb2.Json]
    metrics: _containers.MessageMap[str, _evaluation_pb2.MetricValue]
    constraints: _containers.MessageMap[str, _evaluation_pb2.ConstraintValue]
    objectives: _containers.RepeatedCompositeFieldContainer[StudyValue]
    feasible: bool
    rank: int
    error: _model_pb2.ModelError
    cached: bool
    duration_ms: float
    completed_at: _timestamp_pb2.Timestamp
    evaluation_id: str
    geometry: _containers.RepeatedCompositeFieldContainer[_evaluation_pb2.Geometry]
    tables: _containers.MessageMap[str, _json_pb2.Json]
    def __init__(self, index: _Optional[int] = ..., generation: _Optional[int] = ..., status: _Optional[_Union[_evaluation_pb2.EvaluationStatus, str]] = ..., parameters: _Optional[_Mapping[str, _json_pb2.Json]] = ..., metrics: _Optional[_Mapping[str, _evaluation_pb2.MetricValue]] = ..., constraints: _Optional[_Mapping[str, _evaluation_pb2.ConstraintValue]] = ..., objectives: _Optional[_Iterable[_Union[StudyValue, _Mapping]]] = ..., feasible: _Optional[bool] = ..., rank: _Optional[int] = ..., error: _Optional[_Union[_model_pb2.ModelError, _Mapping]] = ..., cached: _Optional[bool] = ..., duration_ms: _Optional[float] = ..., completed_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., evaluation_id: _Optional[str] = ..., geometry: _Optional[_Iterable[_Union[_evaluation_pb2.Geometry, _Mapping]]] = ..., tables: _Optional[_Mapping[str, _json_pb2.Json]] = ...) -> None: ...

class StudyIndex(_message.Message):
    __slots__ = ("parameter", "mu_star", "mu_star_confidence", "sigma", "s1", "s1_confidence", "st", "st_confidence")
    PARAMETER_FIELD_NUMBER: _ClassVar[int]
    MU_STAR_FIELD_NUMBER: _ClassVar[int]
    MU_STAR_CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    SIGMA_FIELD_NUMBER: _ClassVar[int]
    S1_FIELD_NUMBER: _ClassVar[int]
    S1_CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    ST_FIELD_NUMBER: _ClassVar[int]
    ST_CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    parameter: str
    mu_star: float
    mu_star_confidence: float
    sigma: float
    s1: float
    s1_confidence: float
    st: float
    st_confidence: float
    def __init__(self, parameter: _Optional[str] = ..., mu_star: _Optional[float] = ..., mu_star_confidence: _Optional[float] = ..., sigma: _Optional[float] = ..., s1: _Optional[float] = ..., s1_confidence: _Optional[float] = ..., st: _Optional[float] = ..., st_confidence: _Optional[float] = ...) -> None: ...

class StudyIndices(_message.Message):
    __slots__ = ("objective", "used", "left_out", "parameters")
    OBJECTIVE_FIELD_NUMBER: _ClassVar[int]
    USED_FIELD_NUMBER: _ClassVar[int]
    LEFT_OUT_FIELD_NUMBER: _ClassVar[int]
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    objective: StudyObjective
    used: int
    left_out: int
    parameters: _containers.RepeatedCompositeFieldContainer[StudyIndex]
    def __init__(self, objective: _Optional[_Union[StudyObjective, _Mapping]] = ..., used: _Optional[int] = ..., left_out: _Optional[int] = ..., parameters: _Optional[_Iterable[_Union[StudyIndex, _Mapping]]] = ...) -> None: ...
