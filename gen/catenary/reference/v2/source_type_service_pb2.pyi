from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.reference.v2 import source_type_pb2 as _source_type_pb2
from catenary.type.v1 import paging_pb2 as _paging_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import field_mask_pb2 as _field_mask_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListSourceTypesRequest(_message.Message):
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

class ListSourceTypesResponse(_message.Message):
    __slots__ = ("source_types", "paging", "summary")
    SOURCE_TYPES_FIELD_NUMBER: _ClassVar[int]
    PAGING_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    source_types: _containers.RepeatedCompositeFieldContainer[_source_type_pb2.SourceType]
    paging: _paging_pb2.Paging
    summary: _paging_pb2.Summary
    def __init__(self, source_types: _Optional[_Iterable[_Union[_source_type_pb2.SourceType, _Mapping]]] = ..., paging: _Optional[_Union[_paging_pb2.Paging, _Mapping]] = ..., summary: _Optional[_Union[_paging_pb2.Summary, _Mapping]] = ...) -> None: ...

class CreateSourceTypeRequest(_message.Message):
    __slots__ = ("name", "visible")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VISIBLE_FIELD_NUMBER: _ClassVar[int]
    name: str
    visible: bool
    def __init__(self, name: _Optional[str] = ..., visible: _Optional[bool] = ...) -> None: ...

class CreateSourceTypeResponse(_message.Message):
    __slots__ = ("source_type",)
    SOURCE_TYPE_FIELD_NUMBER: _ClassVar[int]
    source_type: _source_type_pb2.SourceType
    def __init__(self, source_type: _Optional[_Union[_source_type_pb2.SourceType, _Mapping]] = ...) -> None: ...

class GetSourceTypeRequest(_message.Message):
    __slots__ = ("source_type_id", "show_deleted")
    SOURCE_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    SHOW_DELETED_FIELD_NUMBER: _ClassVar[int]
    source_type_id: str
    show_deleted: bool
    def __init__(self, source_type_id: _Optional[str] = ..., show_deleted: _Optional[bool] = ...) -> None: ...

class GetSourceTypeResponse(_message.Message):
    __slots__ = ("source_type",)
    SOURCE_TYPE_FIELD_NUMBER: _ClassVar[int]
    source_type: _source_type_pb2.SourceType
    def __init__(self, source_type: _Optional[_Union[_source_type_pb2.SourceType, _Mapping]] = ...) -> None: ...

class UpdateSourceTypeRequest(_message.Message):
    __slots__ = ("source_type_id", "name", "visible", "update_mask")
    SOURCE_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    VISIBLE_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    source_type_id: str
    name: str
    visible: bool
    update_mask: _field_mask_pb2.FieldMask
    def __init__(self, source_type_id: _Optional[str] = ..., name: _Optional[str] = ..., visible: _Optional[bool] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ...) -> None: ...

class UpdateSourceTypeResponse(_message.Message):
    __slots__ = ("source_type",)
    SOURCE_TYPE_FIELD_NUMBER: _ClassVar[int]
    source_type: _source_type_pb2.SourceType
    def __init__(self, source_type: _Optional[_Union[_source_type_pb2.SourceType, _Mapping]] = ...) -> None: ...

class DeleteSourceTypeRequest(_message.Message):
    __slots__ = ("source_type_id",)
    SOURCE_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    source_type_id: str
    def __init__(self, source_type_id: _Optional[str] = ...) -> None: ...

class DeleteSourceTypeResponse(_message.Message):
    __slots__ = ("source_type",)
    SOURCE_TYPE_FIELD_NUMBER: _ClassVar[int]
    source_type: _source_type_pb2.SourceType
    def __init__(self, source_type: _Optional[_Union[_source_type_pb2.SourceType, _Mapping]] = ...) -> None: ...
