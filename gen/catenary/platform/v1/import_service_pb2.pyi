from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ImportKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    IMPORT_KIND_UNSPECIFIED: _ClassVar[ImportKind]
    IMPORT_KIND_ASSETS: _ClassVar[ImportKind]
    IMPORT_KIND_PARAMETERS: _ClassVar[ImportKind]
    IMPORT_KIND_ENTRIES: _ClassVar[ImportKind]
IMPORT_KIND_UNSPECIFIED: ImportKind
IMPORT_KIND_ASSETS: ImportKind
IMPORT_KIND_PARAMETERS: ImportKind
IMPORT_KIND_ENTRIES: ImportKind

class ImportFileRequest(_message.Message):
    __slots__ = ("kind", "dry_run", "content_type", "chunk")
    KIND_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    CONTENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    kind: ImportKind
    dry_run: bool
    content_type: str
    chunk: bytes
    def __init__(self, kind: _Optional[_Union[ImportKind, str]] = ..., dry_run: _Optional[bool] = ..., content_type: _Optional[str] = ..., chunk: _Optional[bytes] = ...) -> None: ...

class ImportCount(_message.Message):
    __slots__ = ("kind", "added", "revised", "kept")
    KIND_FIELD_NUMBER: _ClassVar[int]
    ADDED_FIELD_NUMBER: _ClassVar[int]
    REVISED_FIELD_NUMBER: _ClassVar[int]
    KEPT_FIELD_NUMBER: _ClassVar[int]
    kind: ImportKind
    added: int
    revised: int
    kept: int
    def __init__(self, kind: _Optional[_Union[ImportKind, str]] = ..., added: _Optional[int] = ..., revised: _Optional[int] = ..., kept: _Optional[int] = ...) -> None: ...

class ImportFileResponse(_message.Message):
    __slots__ = ("counts",)
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    counts: _containers.RepeatedCompositeFieldContainer[ImportCount]
    def __init__(self, counts: _Optional[_Iterable[_Union[ImportCount, _Mapping]]] = ...) -> None: ...
