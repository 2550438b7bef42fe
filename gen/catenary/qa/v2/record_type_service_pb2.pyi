from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.qa.v2 import record_type_pb2 as _record_type_pb2
from catenary.type.v1 import paging_pb2 as _paging_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListRecordTypesRequest(_message.Message):
    __slots__ = ("page_limit", "before", "after", "sort_by", "order", "show_active", "show_deleted")
    PAGE_LIMIT_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    SORT_BY_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    SHOW_ACTIVE_FIELD_NUMBER: _ClassVar[int]
    SHOW_DELETED_FIELD_NUMBER: _ClassVar[int]
    page_limit: int
    before: str
    after: str
    sort_by: str
    order: _paging_pb2.Order
    show_active: bool
    show_deleted: bool
    def __init__(self, page_limit: _Optional[int] = ..., before: _Optional[str] = ..., after: _Optional[str] = ..., sort_by: _Optional[str] = ..., order: _Optional[_Union[_paging_pb2.Order, str]] = ..., show_active: _Optional[bool] = ..., show_deleted: _Optional[bool] = ...) -> None: ...

class ListRecordTypesResponse(_message.Message):
    __slots__ = ("record_types", "paging", "summary")
    RECORD_TYPES_FIELD_NUMBER: _ClassVar[int]
    PAGING_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    record_types: _containers.RepeatedCompositeFieldContainer[_record_type_pb2.RecordType]
    paging: _paging_pb2.Paging
    summary: _paging_pb2.Summary
    def __init__(self, record_types: _Optional[_Iterable[_Union[_record_type_pb2.RecordType, _Mapping]]] = ..., paging: _Optional[_Union[_paging_pb2.Paging, _Mapping]] = ..., summary: _Optional[_Union[_paging_pb2.Summary, _Mapping]] = ...) -> None: ...

class CreateRecordTypeRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class CreateRecordTypeResponse(_message.Message):
    __slots__ = ("record_type",)
    RECORD_TYPE_FIELD_NUMBER: _ClassVar[int]
    record_type: _record_type_pb2.RecordType
    def __init__(self, record_type: _Optional[_Union[_record_type_pb2.RecordType, _Mapping]] = ...) -> None: ...
