from buf.validate import validate_pb2 as _validate_pb2
from catenary.comments.v2 import comment_pb2 as _comment_pb2
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

class ListCommentsRequest(_message.Message):
    __slots__ = ("comment_id", "reference_id", "reference_table", "page_limit", "before", "after", "sort_by", "order", "show_active", "show_deleted")
    COMMENT_ID_FIELD_NUMBER: _ClassVar[int]
    REFERENCE_ID_FIELD_NUMBER: _ClassVar[int]
    REFERENCE_TABLE_FIELD_NUMBER: _ClassVar[int]
    PAGE_LIMIT_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    SORT_BY_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    SHOW_ACTIVE_FIELD_NUMBER: _ClassVar[int]
    SHOW_DELETED_FIELD_NUMBER: _ClassVar[int]
    comment_id: _containers.RepeatedScalarFieldContainer[str]
    reference_id: _containers.RepeatedScalarFieldContainer[str]
    reference_table: _containers.RepeatedScalarFieldContainer[str]
    page_limit: int
    before: str
    after: str
    sort_by: str
    order: _paging_pb2.Order
    show_active: bool
    show_deleted: bool
    def __init__(self, comment_id: _Optional[_Iterable[str]] = ..., reference_id: _Optional[_Iterable[str]] = ..., reference_table: _Optional[_Iterable[str]] = ..., page_limit: _Optional[int] = ..., before: _Optional[str] = ..., after: _Optional[str] = ..., sort_by: _Optional[str] = ..., order: _Optional[_Union[_paging_pb2.Order, str]] = ..., show_active: _Optional[bool] = ..., show_deleted: _Optional[bool] = ...) -> None: ...

class ListCommentsResponse(_message.Message):
    __slots__ = ("comments", "paging", "summary")
    COMMENTS_FIELD_NUMBER: _ClassVar[int]
    PAGING_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    comments: _containers.RepeatedCompositeFieldContainer[_comment_pb2.Comment]
    paging: _paging_pb2.Paging
    summary: _paging_pb2.Summary
    def __init__(self, comments: _Optional[_Iterable[_Union[_comment_pb2.Comment, _Mapping]]] = ..., paging: _Optional[_Union[_paging_pb2.Paging, _Mapping]] = ..., summary: _Optional[_Union[_paging_pb2.Summary, _Mapping]] = ...) -> None: ...

class CreateCommentsRequest(_message.Message):
    __slots__ = ("comments",)
    COMMENTS_FIELD_NUMBER: _ClassVar[int]
    comments: _containers.RepeatedCompositeFieldContainer[NewComment]
    def __init__(self, comments: _Optional[_Iterable[_Union[NewComment, _Mapping]]] = ...) -> None: ...

class CreateCommentsResponse(_message.Message):
    __slots__ = ("comments",)
    COMMENTS_FIELD_NUMBER: _ClassVar[int]
    comments: _containers.RepeatedCompositeFieldContainer[_comment_pb2.Comment]
    def __init__(self, comments: _Optional[_Iterable[_Union[_comment_pb2.Comment, _Mapping]]] = ...) -> None: ...

class GetCommentRequest(_message.Message):
    __slots__ = ("comment_id", "show_deleted")
    COMMENT_ID_FIELD_NUMBER: _ClassVar[int]
    SHOW_DELETED_FIELD_NUMBER: _ClassVar[int]
    comment_id: str
    show_deleted: bool
    def __init__(self, comment_id: _Optional[str] = ..., show_deleted: _Optional[bool] = ...) -> None: ...

class GetCommentResponse(_message.Message):
    __slots__ = ("comment",)
    COMMENT_FIELD_NUMBER: _ClassVar[int]
    comment: _comment_pb2.Comment
    def __init__(self, comment: _Optional[_Union[_comment_pb2.Comment, _Mapping]] = ...) -> None: ...

class UpdateCommentRequest(_message.Message):
    __slots__ = ("comment_id", "content", "update_mask")
    COMMENT_ID_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    comment_id: str
    content: str
    update_mask: _field_mask_pb2.FieldMask
    def __init__(self, comment_id: _Optional[str] = ..., content: _Optional[str] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ...) -> None: ...

class UpdateCommentResponse(_message.Message):
    __slots__ = ("comment",)
    COMMENT_FIELD_NUMBER: _ClassVar[int]
    comment: _comment_pb2.Comment
    def __init__(self, comment: _Optional[_Union[_comment_pb2.Comment, _Mapping]] = ...) -> None: ...

class DeleteCommentRequest(_message.Message):
    __slots__ = ("comment_id",)
    COMMENT_ID_FIELD_NUMBER: _ClassVar[int]
    comment_id: str
    def __init__(self, comment_id: _Optional[str] = ...) -> None: ...

class DeleteCommentResponse(_message.Message):
    __slots__ = ("comment",)
    COMMENT_FIELD_NUMBER: _ClassVar[int]
    comment: _comment_pb2.Comment
    def __init__(self, comment: _Optional[_Union[_comment_pb2.Comment, _Mapping]] = ...) -> None: ...

class NewComment(_message.Message):
    __slots__ = ("reference_id", "reference_table", "reference_url", "content")
    REFERENCE_ID_FIELD_NUMBER: _ClassVar[int]
    REFERENCE_TABLE_FIELD_NUMBER: _ClassVar[int]
    REFERENCE_URL_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    reference_id: str
    reference_table: str
    reference_url: str
    content: str
    def __init__(self, reference_id: _Optional[str] = ..., reference_table: _Optional[str] = ..., reference_url: _Optional[str] = ..., content: _Optional[str] = ...) -> None: ...
