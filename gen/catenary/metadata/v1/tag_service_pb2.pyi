from buf.validate import validate_pb2 as _validate_pb2
from catenary.metadata.v1 import tag_pb2 as _tag_pb2
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

class ListTagsRequest(_message.Message):
    __slots__ = ("tag_scope", "omit_global", "tag_id", "tag_type_id", "page_limit", "before", "after", "sort_by", "order", "show_active", "show_deleted")
    TAG_SCOPE_FIELD_NUMBER: _ClassVar[int]
    OMIT_GLOBAL_FIELD_NUMBER: _ClassVar[int]
    TAG_ID_FIELD_NUMBER: _ClassVar[int]
    TAG_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_LIMIT_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    SORT_BY_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    SHOW_ACTIVE_FIELD_NUMBER: _ClassVar[int]
    SHOW_DELETED_FIELD_NUMBER: _ClassVar[int]
    tag_scope: _containers.RepeatedScalarFieldContainer[str]
    omit_global: bool
    tag_id: _containers.RepeatedScalarFieldContainer[str]
    tag_type_id: _containers.RepeatedScalarFieldContainer[str]
    page_limit: int
    before: str
    after: str
    sort_by: str
    order: _paging_pb2.Order
    show_active: bool
    show_deleted: bool
    def __init__(self, tag_scope: _Optional[_Iterable[str]] = ..., omit_global: _Optional[bool] = ..., tag_id: _Optional[_Iterable[str]] = ..., tag_type_id: _Optional[_Iterable[str]] = ..., page_limit: _Optional[int] = ..., before: _Optional[str] = ..., after: _Optional[str] = ..., sort_by: _Optional[str] = ..., order: _Optional[_Union[_paging_pb2.Order, str]] = ..., show_active: _Optional[bool] = ..., show_deleted: _Optional[bool] = ...) -> None: ...

class ListTagsResponse(_message.Message):
    __slots__ = ("tags", "paging", "summary")
    TAGS_FIELD_NUMBER: _ClassVar[int]
    PAGING_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    tags: _containers.RepeatedCompositeFieldContainer[_tag_pb2.Tag]
    paging: _paging_pb2.Paging
    summary: _paging_pb2.Summary
    def __init__(self, tags: _Optional[_Iterable[_Union[_tag_pb2.Tag, _Mapping]]] = ..., paging: _Optional[_Union[_paging_pb2.Paging, _Mapping]] = ..., summary: _Optional[_Union[_paging_pb2.Summary, _Mapping]] = ...) -> None: ...

class CreateTagRequest(_message.Message):
    __slots__ = ("name", "tag_type_id", "tag_scope")
    NAME_FIELD_NUMBER: _ClassVar[int]
    TAG_TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    TAG_SCOPE_FIELD_NUMBER: _ClassVar[int]
    name: str
    tag_type_id: str
    tag_scope: str
    def __init__(self, name: _Optional[str] = ..., tag_type_id: _Optional[str] = ..., tag_scope: _Optional[str] = ...) -> None: ...

class CreateTagResponse(_message.Message):
    __slots__ = ("tag",)
    TAG_FIELD_NUMBER: _ClassVar[int]
    tag: _tag_pb2.Tag
    def __init__(self, tag: _Optional[_Union[_tag_pb2.Tag, _Mapping]] = ...) -> None: ...

class GetTagRequest(_message.Message):
    __slots__ = ("tag_id", "show_deleted")
    TAG_ID_FIELD_NUMBER: _ClassVar[int]
    SHOW_DELETED_FIELD_NUMBER: _ClassVar[int]
    tag_id: str
    show_deleted: bool
    def __init__(self, tag_id: _Optional[str] = ..., show_deleted: _Optional[bool] = ...) -> None: ...

class GetTagResponse(_message.Message):
    __slots__ = ("tag",)
    TAG_FIELD_NUMBER: _ClassVar[int]
    tag: _tag_pb2.Tag
    def __init__(self, tag: _Optional[_Union[_tag_pb2.Tag, _Mapping]] = ...) -> None: ...

class UpdateTagRequest(_message.Message):
    __slots__ = ("tag_id", "name", "update_mask")
    TAG_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    tag_id: str
    name: str
    update_mask: _field_mask_pb2.FieldMask
    def __init__(self, tag_id: _Optional[str] = ..., name: _Optional[str] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ...) -> None: ...

class UpdateTagResponse(_message.Message):
    __slots__ = ("tag",)
    TAG_FIELD_NUMBER: _ClassVar[int]
    tag: _tag_pb2.Tag
    def __init__(self, tag: _Optional[_Union[_tag_pb2.Tag, _Mapping]] = ...) -> None: ...

class DeleteTagRequest(_message.Message):
    __slots__ = ("tag_id",)
    TAG_ID_FIELD_NUMBER: _ClassVar[int]
    tag_id: str
    def __init__(self, tag_id: _Optional[str] = ...) -> None: ...

class DeleteTagResponse(_message.Message):
    __slots__ = ("tag",)
    TAG_FIELD_NUMBER: _ClassVar[int]
    tag: _tag_pb2.Tag
    def __init__(self, tag: _Optional[_Union[_tag_pb2.Tag, _Mapping]] = ...) -> None: ...
