from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.parameter.v1 import entry_service_pb2 as _entry_service_pb2
from catenary.parameter.v1 import parameter_pb2 as _parameter_pb2
from catenary.type.v1 import paging_pb2 as _paging_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import field_mask_pb2 as _field_mask_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class QaStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    QA_STATUS_UNSPECIFIED: _ClassVar[QaStatus]
    QA_STATUS_ANSWERED: _ClassVar[QaStatus]
    QA_STATUS_CHECKED: _ClassVar[QaStatus]
    QA_STATUS_APPROVED: _ClassVar[QaStatus]
    QA_STATUS_REJECTED: _ClassVar[QaStatus]
    QA_STATUS_UNANSWERED: _ClassVar[QaStatus]
QA_STATUS_UNSPECIFIED: QaStatus
QA_STATUS_ANSWERED: QaStatus
QA_STATUS_CHECKED: QaStatus
QA_STATUS_APPROVED: QaStatus
QA_STATUS_REJECTED: QaStatus
QA_STATUS_UNANSWERED: QaStatus

class ListParametersRequest(_message.Message):
    __slots__ = ("parameter_id", "project_id", "asset_id", "asset_type_id", "parameter_type_id", "source_id", "source_type_id", "unit_id", "tag_id", "qa_status", "project_parameter", "category_id", "report_id", "discipline_id", "page_limit", "before", "after", "sort_by", "order", "show_active", "show_deleted", "offset")
    PARAMETER_ID_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    ASSET_ID_FIELD_NUMBER: _ClassVar[int]
    ASSET_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    PARAMETER_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    SOURCE_ID_FIELD_NUMBER: _ClassVar[int]
    SOURCE_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    UNIT_ID_FIELD_NUMBER: _ClassVar[int]
    TAG_ID_FIELD_NUMBER: _ClassVar[int]
    QA_STATUS_FIELD_NUMBER: _ClassVar[int]
    PROJECT_PARAMETER_FIELD_NUMBER: _ClassVar[int]
    CATEGORY_ID_FIELD_NUMBER: _ClassVar[int]
    REPORT_ID_FIELD_NUMBER: _ClassVar[int]
    DISCIPLINE_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_LIMIT_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    SORT_BY_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    SHOW_ACTIVE_FIELD_NUMBER: _ClassVar[int]
    SHOW_DELETED_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    parameter_id: _containers.RepeatedScalarFieldContainer[str]
    project_id: _containers.RepeatedScalarFieldContainer[str]
    asset_id: _containers.RepeatedScalarFieldContainer[str]
    asset_type_id: _containers.RepeatedScalarFieldContainer[str]
    parameter_type_id: _containers.RepeatedScalarFieldContainer[str]
    source_id: _containers.RepeatedScalarFieldContainer[str]
    source_type_id: _containers.RepeatedScalarFieldContainer[str]
    unit_id: _containers.RepeatedScalarFieldContainer[str]
    tag_id: _containers.RepeatedScalarFieldContainer[str]
    qa_status: _containers.RepeatedScalarFieldContainer[QaStatus]
    project_parameter: bool
    category_id: _containers.RepeatedScalarFieldContainer[str]
    report_id: _containers.RepeatedScalarFieldContainer[str]
    discipline_id: _containers.RepeatedScalarFieldContainer[str]
    page_limit: int
    before: str
    after: str
    sort_by: str
    order: _paging_pb2.Order
    show_active: bool
    show_deleted: bool
    offset: int
    def __init__(self, parameter_id: _Optional[_Iterable[str]] = ..., project_id: _Optional[_Iterable[str]] = ..., asset_id: _Optional[_Iterable[str]] = ..., asset_type_id: _Optional[_Iterable[str]] = ..., parameter_type_id: _Optional[_Iterable[str]] = ..., source_id: _Optional[_Iterable[str]] = ..., source_type_id: _Optional[_Iterable[str]] = ..., unit_id: _Optional[_Iterable[str]] = ..., tag_id: _Optional[_Iterable[str]] = ..., qa_status: _Optional[_Iterable[_Union[QaStatus, str]]] = ..., project_parameter: _Optional[bool] = ..., category_id: _Optional[_Iterable[str]] = ..., report_id: _Optional[_Iterable[str]] = ..., discipline_id: _Optional[_Iterable[str]] = ..., page_limit: _Optional[int] = ..., before: _Optional[str] = ..., after: _Optional[str] = ..., sort_by: _Optional[str] = ..., order: _Optional[_Union[_paging_pb2.Order, str]] = ..., show_active: _Optional[bool] = ..., show_deleted: _Optional[bool] = ..., offset: _Optional[int] = ...) -> None: ...

class ListParametersResponse(_message.Message):
    __slots__ = ("parameters", "paging", "summary")
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    PAGING_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    parameters: _containers.RepeatedCompositeFieldContainer[_parameter_pb2.Parameter]
    paging: _paging_pb2.Paging
    summary: _paging_pb2.Summary
    def __init__(self, parameters: _Optional[_Iterable[_Union[_parameter_pb2.Parameter, _Mapping]]] = ..., paging: _Optional[_Union[_paging_pb2.Paging, _Mapping]] = ..., summary: _Optional[_Union[_paging_pb2.Summary, _Mapping]] = ...) -> None: ...

class CreateParametersRequest(_message.Message):
    __slots__ = ("parameters", "texts_as_values")
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    TEXTS_AS_VALUES_FIELD_NUMBER: _ClassVar[int]
    parameters: _containers.RepeatedCompositeFieldContainer[NewParameter]
    texts_as_values: bool
    def __init__(self, parameters: _Optional[_Iterable[_Union[NewParameter, _Mapping]]] = ..., texts_as_values: _Optional[bool] = ...) -> None: ...

class CreateParametersResponse(_message.Message):
    __slots__ = ("parameters",)
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    parameters: _containers.RepeatedCompositeFieldContainer[_parameter_pb2.Parameter]
    def __init__(self, parameters: _Optional[_Iterable[_Union[_parameter_pb2.Parameter, _Mapping]]] = ...) -> None: ...

class GetParameterRequest(_message.Message):
    __slots__ = ("parameter_id", "show_deleted")
    PARAMETER_ID_FIELD_NUMBER: _ClassVar[int]
    SHOW_DELETED_FIELD_NUMBER: _ClassVar[int]
    parameter_id: str
    show_deleted: bool
    def __init__(self, parameter_id: _Optional[str] = ..., show_deleted: _Optional[bool] = ...) -> None: ...

class GetParameterResponse(_message.Message):
    __slots__ = ("parameter",)
    PARAMETER_FIELD_NUMBER: _ClassVar[int]
    parameter: _parameter_pb2.Parameter
    def __init__(self, parameter: _Optional[_Union[_parameter_pb2.Parameter, _Mapping]] = ...) -> None: ...

class UpdateParameterRequest(_message.Message):
    __slots__ = ("parameter_id", "parent_ids", "update_mask")
    PARAMETER_ID_FIELD_NUMBER: _ClassVar[int]
    PARENT_IDS_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    parameter_id: str
    parent_ids: _containers.RepeatedScalarFieldContainer[str]
    update_mask: _field_mask_pb2.FieldMask
    def __init__(self, parameter_id: _Optional[str] = ..., parent_ids: _Optional[_Iterable[str]] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ...) -> None: ...

class UpdateParameterResponse(_message.Message):
    __slots__ = ("parameter",)
    PARAMETER_FIELD_NUMBER: _ClassVar[int]
    parameter: _parameter_pb2.Parameter
    def __init__(self, parameter: _Optional[_Union[_parameter_pb2.Parameter, _Mapping]] = ...) -> None: ...

class DeleteParameterRequest(_message.Message):
    __slots__ = ("parameter_id",)
    PARAMETER_ID_FIELD_NUMBER: _ClassVar[int]
    parameter_id: str
    def __init__(self, parameter_id: _Optional[str] = ...) -> None: ...

class DeleteParameterResponse(_message.Message):
    __slots__ = ("parameter",)
    PARAMETER_FIELD_NUMBER: _ClassVar[int]
    parameter: _parameter_pb2.Parameter
    def __init__(self, parameter: _Optional[_Union[_parameter_pb2.Parameter, _Mapping]] = ...) -> None: ...

class NewParameter(_message.Message):
    __slots__ = ("id", "parameter_type_id", "project_id", "parent_ids", "entries")
    ID_FIELD_NUMBER: _ClassVar[int]
    PARAMETER_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    PARENT_IDS_FIELD_NUMBER: _ClassVar[int]
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    id: str
    parameter_type_id: str
    project_id: str
    parent_ids: _containers.RepeatedScalarFieldContainer[str]
    entries: _containers.RepeatedCompositeFieldContainer[NewEntry]
    def __init__(self, id: _Optional[str] = ..., parameter_type_id: _Optional[str] = ..., project_id: _Optional[str] = ..., parent_ids: _Optional[_Iterable[str]] = ..., entries: _Optional[_Iterable[_Union[NewEntry, _Mapping]]] = ...) -> None: ...

class NewEntry(_message.Message):
    __slots__ = ("entry_id", "source_id", "values", "comment", "location_in_source")
    ENTRY_ID_FIELD_NUMBER: _ClassVar[int]
    SOURCE_ID_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    COMMENT_FIELD_NUMBER: _ClassVar[int]
    LOCATION_IN_SOURCE_FIELD_NUMBER: _ClassVar[int]
    entry_id: str
    source_id: str
    values: _containers.RepeatedCompositeFieldContainer[_entry_service_pb2.NewEntryValue]
    comment: str
    location_in_source: str
    def __init__(self, entry_id: _Optional[str] = ..., source_id: _Optional[str] = ..., values: _Optional[_Iterable[_Union[_entry_service_pb2.NewEntryValue, _Mapping]]] = ..., comment: _Optional[str] = ..., location_in_source: _Optional[str] = ...) -> None: ...
