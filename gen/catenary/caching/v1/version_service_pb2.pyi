from catenary.options.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GetVersionsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetVersionsResponse(_message.Message):
    __slots__ = ("versions",)
    VERSIONS_FIELD_NUMBER: _ClassVar[int]
    versions: _containers.RepeatedCompositeFieldContainer[SurfaceVersion]
    def __init__(self, versions: _Optional[_Iterable[_Union[SurfaceVersion, _Mapping]]] = ...) -> None: ...

class SurfaceVersion(_message.Message):
    __slots__ = ("surface", "version")
    SURFACE_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    surface: str
    version: str
    def __init__(self, surface: _Optional[str] = ..., version: _Optional[str] = ...) -> None: ...
