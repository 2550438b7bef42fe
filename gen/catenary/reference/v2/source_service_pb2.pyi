from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.reference.v2 import source_pb2 as _source_pb2
from catenary.type.v1 import paging_pb2 as _paging_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import field_mask_pb2 as _field_mask_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListSourcesRequest(_message.Message):
    __slots__ = ("source_id", "reference_id", "source_type_id", "title", "reference", "page_limit", "before", "after", "sort_by", "order", "show_active", "show_deleted")
    SOURCE_ID_FIELD_NUMBER: _ClassVar[int]
    REFERENCE_ID_FIELD_NUMBER: _ClassVar[int]
    SOURCE_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    REFERENCE_FIELD_NUMBER: _ClassVar[int]
    PAGE_LIMIT_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    SORT_BY_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    SHOW_ACTIVE_FIELD_NUMBER: _ClassVar[int]
    SHOW_DELETED_FIELD_NUMBER: _ClassVar[int]
    source_id: _containers.RepeatedScalarFieldContainer[str]
    reference_id: _containers.RepeatedScalarFieldContainer[str]
    source_type_id: _containers.RepeatedScalarFieldContainer[str]
    title: _containers.RepeatedScalarFieldContainer[str]
    reference: _containers.RepeatedScalarFieldContainer[str]
    page_limit: int
    before: str
    after: str
    sort_by: str
    order: _paging_pb2.Order
    show_active: bool
    show_deleted: bool
    def __init__(self, source_id: _Optional[_Iterable[str]] = ..., reference_id: _Optional[_Iterable[str]] = ..., source_type_id: _Optional[_Iterable[str]] = ..., title: _Optional[_Iterable[str]] = ..., reference: _Optional[_Iterable[str]] = ..., page_limit: _Optional[int] = ..., before: _Optional[str] = ..., after: _Optional[str] = ..., sort_by: _Optional[str] = ..., order: _Optional[_Union[_paging_pb2.Order, str]] = ..., show_active: _Optional[bool] = ..., show_deleted: _Optional[bool] = ...) -> None: ...

class ListSourcesResponse(_message.Message):
    __slots__ = ("sources", "paging", "summary")
    SOURCES_FIELD_NUMBER: _ClassVar[int]
    PAGING_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    sources: _containers.RepeatedCompositeFieldContainer[_source_pb2.Source]
    paging: _paging_pb2.Paging
    summary: _paging_pb2.Summary
    def __init__(self, sources: _Optional[_Iterable[_Union[_source_pb2.Source, _Mapping]]] = ..., paging: _Optional[_Union[_paging_pb2.Paging, _Mapping]] = ..., summary: _Optional[_Union[_paging_pb2.Summary, _Mapping]] = ...) -> None: ...

class CreateSourceRequest(_message.Message):
    __slots__ = ("source_type_id", "title", "reference", "url", "date_day", "date_month", "date_year", "time", "reference_id", "reference_table", "reference_url", "scope")
    SOURCE_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    REFERENCE_FIELD_NUMBER: _ClassVar[int]
    URL_FIELD_NUMBER: _ClassVar[int]
    DATE_DAY_FIELD_NUMBER: _ClassVar[int]
    DATE_MONTH_FIELD_NUMBER: _ClassVar[int]
    DATE_YEAR_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    REFERENCE_ID_FIELD_NUMBER: _ClassVar[int]
    REFERENCE_TABLE_FIELD_NUMBER: _ClassVar[int]
    REFERENCE_URL_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    source_type_id: str
    title: str
    reference: str
    url: str
    date_day: str
    date_month: str
    date_year: str
    time: str
    reference_id: str
    reference_table: str
    reference_url: str
    scope: str
    def __init__(self, source_type_id: _Optional[str] = ..., title: _Optional[str] = ..., reference: _Optional[str] = ..., url: _Optional[str] = ..., date_day: _Optional[str] = ..., date_month: _Optional[str] = ..., date_year: _Optional[str] = ..., time: _Optional[str] = ..., reference_id: _Optional[str] = ..., reference_table: _Optional[str] = ..., reference_url: _Optional[str] = ..., scope: _Optional[str] = ...) -> None: ...

class CreateSourceResponse(_message.Message):
    __slots__ = ("source",)
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    source: _source_pb2.Source
    def __init__(self, source: _Optional[_Union[_source_pb2.Source, _Mapping]] = ...) -> None: ...

class GetSourceRequest(_message.Message):
    __slots__ = ("source_id", "show_deleted")
    SOURCE_ID_FIELD_NUMBER: _ClassVar[int]
    SHOW_DELETED_FIELD_NUMBER: _ClassVar[int]
    source_id: str
    show_deleted: bool
    def __init__(self, source_id: _Optional[str] = ..., show_deleted: _Optional[bool] = ...) -> None: ...

class GetSourceResponse(_message.Message):
    __slots__ = ("source",)
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    source: _source_pb2.Source
    def __init__(self, source: _Optional[_Union[_source_pb2.Source, _Mapping]] = ...) -> None: ...

class UpdateSourceRequest(_message.Message):
    __slots__ = ("source_id", "source_type_id", "title", "reference", "url", "date_day", "date_month", "date_year", "time", "reference_id", "reference_table", "reference_url", "scope", "update_mask")
    SOURCE_ID_FIELD_NUMBER: _ClassVar[int]
    SOURCE_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    REFERENCE_FIELD_NUMBER: _ClassVar[int]
    URL_FIELD_NUMBER: _ClassVar[int]
    DATE_DAY_FIELD_NUMBER: _ClassVar[int]
    DATE_MONTH_FIELD_NUMBER: _ClassVar[int]
    DATE_YEAR_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    REFERENCE_ID_FIELD_NUMBER: _ClassVar[int]
    REFERENCE_TABLE_FIELD_NUMBER: _ClassVar[int]
    REFERENCE_URL_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    source_id: str
    source_type_id: str
    title: str
    reference: str
    url: str
    date_day: str
    date_month: str
    date_year: str
    time: str
    reference_id: str
    reference_table: str
    reference_url: str
    scope: str
    update_mask: _field_mask_pb2.FieldMask
    def __init__(self, source_id: _Optional[str] = ..., source_type_id: _Optional[str] = ..., title: _Optional[str] = ..., reference: _Optional[str] = ..., url: _Optional[str] = ..., date_day: _Optional[str] = ..., date_month: _Optional[str] = ..., date_year: _Optional[str] = ..., time: _Optional[str] = ..., reference_id: _Optional[str] = ..., reference_table: _Optional[str] = ..., reference_url: _Optional[str] = ..., scope: _Optional[str] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ...) -> None: ...

class UpdateSourceResponse(_message.Message):
    __slots__ = ("source",)
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    source: _source_pb2.Source
    def __init__(self, source: _Optional[_Union[_source_pb2.Source, _Mapping]] = ...) -> None: ...

class DeleteSourceRequest(_message.Message):
    __slots__ = ("source_id",)
    SOURCE_ID_FIELD_NUMBER: _ClassVar[int]
    source_id: str
    def __init__(self, source_id: _Optional[str] = ...) -> None: ...

class DeleteSourceResponse(_message.Message):
    __slots__ = ("source",)
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    source: _source_pb2.Source
    def __init__(self, source: _Optional[_Union[_source_pb2.Source, _Mapping]] = ...) -> None: ...
