from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.platform.v1 import study_pb2 as _study_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CreateStudyRequest(_message.Message):
    __slots__ = ("project_id", "kind", "objectives", "constraints", "parameters", "algorithm", "population", "budget", "seed", "on_failure", "start_from", "name", "note", "stop")
    class ParametersEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _study_pb2.StudyParameter
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_study_pb2.StudyParameter, _Mapping]] = ...) -> None: ...
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    OBJECTIVES_FIELD_NUMBER: _ClassVar[int]
    CONSTRAINTS_FIELD_NUMBER: _ClassVar[int]
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    ALGORITHM_FIELD_NUMBER: _ClassVar[int]
    POPULATION_FIELD_NUMBER: _ClassVar[int]
    BUDGET_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    ON_FAILURE_FIELD_NUMBER: _ClassVar[int]
    START_FROM_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    STOP_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    kind: _study_pb2.StudyKind
    objectives: _containers.RepeatedCompositeFieldContainer[_study_pb2.StudyObjective]
    constraints: _containers.RepeatedCompositeFieldContainer[_study_pb2.StudyConstraint]
    parameters: _containers.MessageMap[str, _study_pb2.StudyParameter]
    algorithm: _study_pb2.StudyAlgorithm
    population: int
    budget: int
    seed: int
    on_failure: _study_pb2.StudyFailure
    start_from: _containers.RepeatedScalarFieldContainer[str]
    name: str
    note: str
    stop: _study_pb2.StudyStop
    def __init__(self, project_id: _Optional[str] = ..., kind: _Optional[_Union[_study_pb2.StudyKind, str]] = ..., objectives: _Optional[_Iterable[_Union[_study_pb2.StudyObjective, _Mapping]]] = ..., constraints: _Optional[_Iterable[_Union[_study_pb2.StudyConstraint, _Mapping]]] = ..., parameters: _Optional[_Mapping[str, _study_pb2.StudyParameter]] = ..., algorithm: _Optional[_Union[_study_pb2.StudyAlgorithm, str]] = ..., population: _Optional[int] = ..., budget: _Optional[int] = ..., seed: _Optional[int] = ..., on_failure: _Optional[_Union[_study_pb2.StudyFailure, str]] = ..., start_from: _Optional[_Iterable[str]] = ..., name: _Optional[str] = ..., note: _Optional[str] = ..., stop: _Optional[_Union[_study_pb2.StudyStop, _Mapping]] = ...) -> None: ...

class CreateStudyResponse(_message.Message):
    __slots__ = ("study",)
    STUDY_FIELD_NUMBER: _ClassVar[int]
    study: _study_pb2.Study
    def __init__(self, study: _Optional[_Union[_study_pb2.Study, _Mapping]] = ...) -> None: ...

class ListStudiesRequest(_message.Message):
    __slots__ = ("project_id", "limit", "cursor", "status")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    limit: int
    cursor: str
    status: _containers.RepeatedScalarFieldContainer[_study_pb2.StudyStatus]
    def __init__(self, project_id: _Optional[str] = ..., limit: _Optional[int] = ..., cursor: _Optional[str] = ..., status: _Optional[_Iterable[_Union[_study_pb2.StudyStatus, str]]] = ...) -> None: ...

class ListStudiesResponse(_message.Message):
    __slots__ = ("studies", "next_cursor")
    STUDIES_FIELD_NUMBER: _ClassVar[int]
    NEXT_CURSOR_FIELD_NUMBER: _ClassVar[int]
    studies: _containers.RepeatedCompositeFieldContainer[_study_pb2.Study]
    next_cursor: str
    def __init__(self, studies: _Optional[_Iterable[_Union[_study_pb2.Study, _Mapping]]] = ..., next_cursor: _Optional[str] = ...) -> None: ...

class GetStudyRequest(_message.Message):
    __slots__ = ("study_id",)
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    study_id: str
    def __init__(self, study_id: _Optional[str] = ...) -> None: ...

class GetStudyResponse(_message.Message):
    __slots__ = ("study",)
    STUDY_FIELD_NUMBER: _ClassVar[int]
    study: _study_pb2.Study
    def __init__(self, study: _Optional[_Union[_study_pb2.Study, _Mapping]] = ...) -> None: ...

class DeleteStudyRequest(_message.Message):
    __slots__ = ("study_id", "remove")
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    REMOVE_FIELD_NUMBER: _ClassVar[int]
    study_id: str
    remove: bool
    def __init__(self, study_id: _Optional[str] = ..., remove: _Optional[bool] = ...) -> None: ...

class DeleteStudyResponse(_message.Message):
    __slots__ = ("study",)
    STUDY_FIELD_NUMBER: _ClassVar[int]
    study: _study_pb2.Study
    def __init__(self, study: _Optional[_Union[_study_pb2.Study, _Mapping]] = ...) -> None: ...

class CancelStudyRequest(_message.Message):
    __slots__ = ("study_id",)
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    study_id: str
    def __init__(self, study_id: _Optional[str] = ...) -> None: ...

class CancelStudyResponse(_message.Message):
    __slots__ = ("study",)
    STUDY_FIELD_NUMBER: _ClassVar[int]
    study: _study_pb2.Study
    def __init__(self, study: _Optional[_Union[_study_pb2.Study, _Mapping]] = ...) -> None: ...

class ResumeStudyRequest(_message.Message):
    __slots__ = ("study_id", "budget", "stop")
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    BUDGET_FIELD_NUMBER: _ClassVar[int]
    STOP_FIELD_NUMBER: _ClassVar[int]
    study_id: str
    budget: int
    stop: _study_pb2.StudyStop
    def __init__(self, study_id: _Optional[str] = ..., budget: _Optional[int] = ..., stop: _Optional[_Union[_study_pb2.StudyStop, _Mapping]] = ...) -> None: ...

class ResumeStudyResponse(_message.Message):
    __slots__ = ("study",)
    STUDY_FIELD_NUMBER: _ClassVar[int]
    study: _study_pb2.Study
    def __init__(self, study: _Optional[_Union[_study_pb2.Study, _Mapping]] = ...) -> None: ...

class ListStudyResultsRequest(_message.Message):
    __slots__ = ("study_id", "limit", "cursor")
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    study_id: str
    limit: int
    cursor: str
    def __init__(self, study_id: _Optional[str] = ..., limit: _Optional[int] = ..., cursor: _Optional[str] = ...) -> None: ...

class ListStudyResultsResponse(_message.Message):
    __slots__ = ("results", "next_cursor")
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_CURSOR_FIELD_NUMBER: _ClassVar[int]
    results: _containers.RepeatedCompositeFieldContainer[_study_pb2.StudyResult]
    next_cursor: str
    def __init__(self, results: _Optional[_Iterable[_Union[_study_pb2.StudyResult, _Mapping]]] = ..., next_cursor: _Optional[str] = ...) -> None: ...

class DownloadStudyResultsRequest(_message.Message):
    __slots__ = ("study_id",)
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    study_id: str
    def __init__(self, study_id: _Optional[str] = ...) -> None: ...

class DownloadStudyResultsResponse(_message.Message):
    __slots__ = ("chunk",)
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    chunk: bytes
    def __init__(self, chunk: _Optional[bytes] = ...) -> None: ...

class ListStudyFrontRequest(_message.Message):
    __slots__ = ("study_id", "limit", "cursor", "representatives")
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    REPRESENTATIVES_FIELD_NUMBER: _ClassVar[int]
    study_id: str
    limit: int
    cursor: str
    representatives: int
    def __init__(self, study_id: _Optional[str] = ..., limit: _Optional[int] = ..., cursor: _Optional[str] = ..., representatives: _Optional[int] = ...) -> None: ...

class ListStudyFrontResponse(_message.Message):
    __slots__ = ("points", "next_cursor", "knee", "representatives")
    POINTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_CURSOR_FIELD_NUMBER: _ClassVar[int]
    KNEE_FIELD_NUMBER: _ClassVar[int]
    REPRESENTATIVES_FIELD_NUMBER: _ClassVar[int]
    points: _containers.RepeatedCompositeFieldContainer[_study_pb2.StudyResult]
    next_cursor: str
    knee: int
    representatives: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, points: _Optional[_Iterable[_Union[_study_pb2.StudyResult, _Mapping]]] = ..., next_cursor: _Optional[str] = ..., knee: _Optional[int] = ..., representatives: _Optional[_Iterable[int]] = ...) -> None: ...

class GetStudyIndicesRequest(_message.Message):
    __slots__ = ("study_id",)
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    study_id: str
    def __init__(self, study_id: _Optional[str] = ...) -> None: ...

class GetStudyIndicesResponse(_message.Message):
    __slots__ = ("indices",)
    INDICES_FIELD_NUMBER: _ClassVar[int]
    indices: _containers.RepeatedCompositeFieldContainer[_study_pb2.StudyIndices]
    def __init__(self, indices: _Optional[_Iterable[_Union[_study_pb2.StudyIndices, _Mapping]]] = ...) -> None: ...
