from buf.validate import validate_pb2 as _validate_pb2
from catenary.metadata.v1 import tag_link_pb2 as _tag_link_pb2
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

class ListTagLinksRequest(_message.Message):
    __slots__ = ("tag_id", "page_limit", "before", "after", "sort_by", "order", "show_active", "show_deleted")
    TAG_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_LIMIT_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    SORT_BY_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    SHOW_ACTIVE_FIELD_NUMBER: _ClassVar[int]
    SHOW_DELETED_FIELD_NUMBER: _ClassVar[int]
    tag_id: str
    page_limit: int
    before: str
    after: str
    sort_by: str
    order: _paging_pb2.Order
    show_active: bool
    show_deleted: bool
    def __init__(self, tag_id: _Optional[str] = ..., page_limit: _Optional[int] = ..., before: _Optional[str] = ..., after: _Optional[str] = ..., sort_by: _Optional[str] = ..., order: _Optional[_Union[_paging_pb2.Order, str]] = ..., show_active: _Optional[bool] = ..., show_deleted: _Optional[bool] = ...) -> None: ...

class ListTagLinksResponse(_message.Message):
    __slots__ = ("tag_links", "paging", "summary")
    TAG_LINKS_FIELD_NUMBER: _ClassVar[int]
    PAGING_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    tag_links: _containers.RepeatedCompositeFieldContainer[_tag_link_pb2.TagLink]
    paging: _paging_pb2.Paging
    summary: _paging_pb2.Summary
    def __init__(self, tag_links: _Optional[_Iterable[_Union[_tag_link_pb2.TagLink, _Mapping]]] = ..., paging: _Optional[_Union[_paging_pb2.Paging, _Mapping]] = ..., summary: _Optional[_Union[_paging_pb2.Summary, _Mapping]] = ...) -> None: ...

class GetTagLinkRequest(_message.Message):
    __slots__ = ("tag_id", "reference_id", "show_deleted")
    TAG_ID_FIELD_NUMBER: _ClassVar[int]
    REFERENCE_ID_FIELD_NUMBER: _ClassVar[int]
    SHOW_DELETED_FIELD_NUMBER: _ClassVar[int]
    tag_id: str
    reference_id: str
    show_deleted: bool
    def __init__(self, tag_id: _Optional[str] = ..., reference_id: _Optional[str] = ..., show_deleted: _Optional[bool] = ...) -> None: ...

class GetTagLinkResponse(_message.Message):
    __slots__ = ("tag_link",)
    TAG_LINK_FIELD_NUMBER: _ClassVar[int]
    tag_link: _tag_link_pb2.TagLink
    def __init__(self, tag_link: _Optional[_Union[_tag_link_pb2.TagLink, _Mapping]] = ...) -> None: ...

class UpdateTagLinkRequest(_message.Message):
    __slots__ = ("tag_id", "reference_id", "reference_table", "reference_url", "update_mask")
    TAG_ID_FIELD_NUMBER: _ClassVar[int]
    REFERENCE_ID_FIELD_NUMBER: _ClassVar[int]
    REFERENCE_TABLE_FIELD_NUMBER: _ClassVar[int]
    REFERENCE_URL_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    tag_id: str
    reference_id: str
    reference_table: str
    reference_url: str
    update_mask: _field_mask_pb2.FieldMask
    def __init__(self, tag_id: _Optional[str] = ..., reference_id: _Optional[str] = ..., reference_table: _Optional[str] = ..., reference_url: _Optional[str] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ...) -> None: ...

class UpdateTagLinkResponse(_message.Message):
    __slots__ = ("tag_link",)
    TAG_LINK_FIELD_NUMBER: _ClassVar[int]
    tag_link: _tag_link_pb2.TagLink
    def __init__(self, tag_link: _Optional[_Union[_tag_link_pb2.TagLink, _Mapping]] = ...) -> None: ...

class DeleteTagLinkRequest(_message.Message):
    __slots__ = ("tag_id", "reference_id")
    TAG_ID_FIELD_NUMBER: _ClassVar[int]
    REFERENCE_ID_FIELD_NUMBER: _ClassVar[int]
    tag_id: str
    reference_id: str
    def __init__(self, tag_id: _Optional[str] = ..., reference_id: _Optional[str] = ...) -> None: ...

class DeleteTagLinkResponse(_message.Message):
    __slots__ = ("tag_link",)
    TAG_LINK_FIELD_NUMBER: _ClassVar[int]
    tag_link: _tag_link_pb2.TagLink
    def __init__(self, tag_link: _Optional[_Union[_tag_link_pb2.TagLink, _Mapping]] = ...) -> None: ...

class PutTagLinksRequest(_message.Message):
    __slots__ = ("tag_links", "create_only")
    TAG_LINKS_FIELD_NUMBER: _ClassVar[int]
    CREATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    tag_links: _containers.RepeatedCompositeFieldContainer[NewTagLink]
    create_only: bool
    def __init__(self, tag_links: _Optional[_Iterable[_Union[NewTagLink, _Mapping]]] = ..., create_only: _Optional[bool] = ...) -> None: ...

class PutTagLinksResponse(_message.Message):
    __slots__ = ("tag_links",)
    TAG_LINKS_FIELD_NUMBER: _ClassVar[int]
    tag_links: _containers.RepeatedCompositeFieldContainer[_tag_link_pb2.TagLink]
    def __init__(self, tag_links: _Optional[_Iterable[_Union[_tag_link_pb2.TagLink, _Mapping]]] = ...) -> None: ...

class NewTagLink(_message.Message):
    __slots__ = ("tag_id", "reference_id", "reference_table", "reference_url")
    TAG_ID_FIELD_NUMBER: _ClassVar[int]
    REFERENCE_ID_FIELD_NUMBER: _ClassVar[int]
    REFERENCE_TABLE_FIELD_NUMBER: _ClassVar[int]
    REFERENCE_URL_FIELD_NUMBER: _ClassVar[int]
    tag_id: str
    reference_id: str
    reference_table: str
    reference_url: str
    def __init__(self, tag_id: _Optional[str] = ..., reference_id: _Optional[str] = ..., reference_table: _Optional[str] = ..., reference_url: _Optional[str] = ...) -> None: ...
