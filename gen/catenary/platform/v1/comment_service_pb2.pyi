from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.platform.v1 import camera_pb2 as _camera_pb2
from catenary.platform.v1 import comment_pb2 as _comment_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import field_mask_pb2 as _field_mask_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListCommentsRequest(_message.Message):
    __slots__ = ("project_id", "limit", "cursor", "variant_id", "resolved")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    VARIANT_ID_FIELD_NUMBER: _ClassVar[int]
    RESOLVED_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    limit: int
    cursor: str
    variant_id: str
    resolved: bool
    def __init__(self, project_id: _Optional[str] = ..., limit: _Optional[int] = ..., cursor: _Optional[str] = ..., variant_id: _Optional[str] = ..., resolved: _Optional[bool] = ...) -> None: ...

class ListCommentsResponse(_message.Message):
    __slots__ = ("comments", "next_cursor")
    COMMENTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_CURSOR_FIELD_NUMBER: _ClassVar[int]
    comments: _containers.RepeatedCompositeFieldContainer[_comment_pb2.Comment]
    next_cursor: str
    def __init__(self, comments: _Optional[_Iterable[_Union[_comment_pb2.Comment, _Mapping]]] = ..., next_cursor: _Optional[str] = ...) -> None: ...

class CreateCommentRequest(_message.Message):
    __slots__ = ("project_id", "content", "parent_id", "variant_id", "anchor", "camera", "mentions")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    PARENT_ID_FIELD_NUMBER: _ClassVar[int]
    VARIANT_ID_FIELD_NUMBER: _ClassVar[int]
    ANCHOR_FIELD_NUMBER: _ClassVar[int]
    CAMERA_FIELD_NUMBER: _ClassVar[int]
    MENTIONS_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    content: str
    parent_id: str
    variant_id: str
    anchor: _comment_pb2.CommentAnchor
    camera: _camera_pb2.Camera
    mentions: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, project_id: _Optional[str] = ..., content: _Optional[str] = ..., parent_id: _Optional[str] = ..., variant_id: _Optional[str] = ..., anchor: _Optional[_Union[_comment_pb2.CommentAnchor, _Mapping]] = ..., camera: _Optional[_Union[_camera_pb2.Camera, _Mapping]] = ..., mentions: _Optional[_Iterable[str]] = ...) -> None: ...

class CreateCommentResponse(_message.Message):
    __slots__ = ("comment",)
    COMMENT_FIELD_NUMBER: _ClassVar[int]
    comment: _comment_pb2.Comment
    def __init__(self, comment: _Optional[_Union[_comment_pb2.Comment, _Mapping]] = ...) -> None: ...

class GetCommentRequest(_message.Message):
    __slots__ = ("comment_id",)
    COMMENT_ID_FIELD_NUMBER: _ClassVar[int]
    comment_id: str
    def __init__(self, comment_id: _Optional[str] = ...) -> None: ...

class GetCommentResponse(_message.Message):
    __slots__ = ("comment",)
    COMMENT_FIELD_NUMBER: _ClassVar[int]
    comment: _comment_pb2.Comment
    def __init__(self, comment: _Optional[_Union[_comment_pb2.Comment, _Mapping]] = ...) -> None: ...

class UpdateCommentRequest(_message.Message):
    __slots__ = ("comment_id", "content", "resolved", "update_mask")
    COMMENT_ID_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    RESOLVED_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    comment_id: str
    content: str
    resolved: bool
    update_mask: _field_mask_pb2.FieldMask
    def __init__(self, comment_id: _Optional[str] = ..., content: _Optional[str] = ..., resolved: _Optional[bool] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ...) -> None: ...

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
