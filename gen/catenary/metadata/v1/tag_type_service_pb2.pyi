from buf.validate import validate_pb2 as _validate_pb2
from catenary.metadata.v1 import tag_type_pb2 as _tag_type_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.type.v1 import paging_pb2 as _paging_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import field_mask_pb2 as _field_mask_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListTagTypesRequest(_message.Message):
    __slots__ = ("tag_type_id", "page_limit", "before", "after", "sort_by", "order", "show_active", "show_deleted")
    TAG_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_LIMIT_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    SORT_BY_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    SHOW_ACTIVE_FIELD_NUMBER: _ClassVar[int]
    SHOW_DELETED_FIELD_NUMBER: _ClassVar[int]
    tag_type_id: _containers.RepeatedScalarFieldContainer[str]
    page_limit: int
    before: str
    after: str
    sort_by: str
    order: _paging_pb2.Order
    show_active: bool
    show_deleted: bool
    def __init__(self, tag_type_id: _Optional[_Iterable[str]] = ..., page_limit: _Optional[int] = ..., before: _Optional[str] = ..., after: _Optional[str] = ..., sort_by: _Optional[str] = ..., order: _Optional[_Union[_paging_pb2.Order, str]] = ..., show_active: _Optional[bool] = ..., show_deleted: _Optional[bool] = ...) -> None: ...

class ListTagTypesResponse(_message.Message):
    __slots__ = ("tag_types", "paging", "summary")
    TAG_TYPES_FIELD_NUMBER: _ClassVar[int]
    PAGING_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    tag_types: _containers.RepeatedCompositeFieldContainer[_tag_type_pb2.TagType]
    paging: _paging_pb2.Paging
    summary: _paging_pb2.Summary
    def __init__(self, tag_types: _Optional[_Iterable[_Union[_tag_type_pb2.TagType, _Mapping]]] = ..., paging: _Optional[_Union[_paging_pb2.Paging, _Mapping]] = ..., summary: _Optional[_Union[_paging_pb2.Summary, _Mapping]] = ...) -> None: ...

class CreateTagTypeRequest(_message.Message):
    __slots__ = ("name", "allow_custom")
    NAME_FIELD_NUMBER: _ClassVar[int]
    ALLOW_CUSTOM_FIELD_NUMBER: _ClassVar[int]
    name: str
    allow_custom: bool
    def __init__(self, name: _Optional[str] = ..., allow_custom: _Optional[bool] = ...) -> None: ...

class CreateTagTypeResponse(_message.Message):
    __slots__ = ("tag_type",)
    TAG_TYPE_FIELD_NUMBER: _ClassVar[int]
    tag_type: _tag_type_pb2.TagType
    def __init__(self, tag_type: _Optional[_Union[_tag_type_pb2.TagType, _Mapping]] = ...) -> None: ...

class GetTagTypeRequest(_message.Message):
    __slots__ = ("tag_type_id", "show_deleted")
    TAG_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    SHOW_DELETED_FIELD_NUMBER: _ClassVar[int]
    tag_type_id: str
    show_deleted: bool
    def __init__(self, tag_type_id: _Optional[str] = ..., show_deleted: _Optional[bool] = ...) -> None: ...

class GetTagTypeResponse(_message.Message):
    __slots__ = ("tag_type",)
    TAG_TYPE_FIELD_NUMBER: _ClassVar[int]
    tag_type: _tag_type_pb2.TagType
    def __init__(self, tag_type: _Optional[_Union[_tag_type_pb2.TagType, _Mapping]] = ...) -> None: ...

class UpdateTagTypeRequest(_message.Message):
    __slots__ = ("tag_type_id", "name", "allow_custom", "update_mask")
    TAG_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    ALLOW_CUSTOM_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    tag_type_id: str
    name: str
    allow_custom: bool
    update_mask: _field_mask_pb2.FieldMask
    def __init__(self, tag_type_id: _Optional[str] = ..., name: _Optional[str] = ..., allow_custom: _Optional[bool] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ...) -> None: ...

class UpdateTagTypeResponse(_message.Message):
    __slots__ = ("tag_type",)
    TAG_TYPE_FIELD_NUMBER: _ClassVar[int]
    tag_type: _tag_type_pb2.TagType
    def __init__(self, tag_type: _Optional[_Union[_tag_type_pb2.TagType, _Mapping]] = ...) -> None: ...

class DeleteTagTypeRequest(_message.Message):
    __slots__ = ("tag_type_id",)
    TAG_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    tag_type_id: str
    def __init__(self, tag_type_id: _Optional[str] = ...) -> None: ...

class DeleteTagTypeResponse(_message.Message):
    __slots__ = ("tag_type",)
    TAG_TYPE_FIELD_NUMBER: _ClassVar[int]
    tag_type: _tag_type_pb2.TagType
    def __init__(self, tag_type: _Optional[_Union[_tag_type_pb2.TagType, _Mapping]] = ...) -> None: ...
