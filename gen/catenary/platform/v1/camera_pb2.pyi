from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CameraProjection(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CAMERA_PROJECTION_UNSPECIFIED: _ClassVar[CameraProjection]
    CAMERA_PROJECTION_PERSPECTIVE: _ClassVar[CameraProjection]
    CAMERA_PROJECTION_ORTHOGRAPHIC: _ClassVar[CameraProjection]
CAMERA_PROJECTION_UNSPECIFIED: CameraProjection
CAMERA_PROJECTION_PERSPECTIVE: CameraProjection
CAMERA_PROJECTION_ORTHOGRAPHIC: CameraProjection

class Camera(_message.Message):
    __slots__ = ("position", "target", "up", "projection", "fov_degrees", "height")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    UP_FIELD_NUMBER: _ClassVar[int]
    PROJECTION_FIELD_NUMBER: _ClassVar[int]
    FOV_DEGREES_FIELD_NUMBER: _ClassVar[int]
    HEIGHT_FIELD_NUMBER: _ClassVar[int]
    position: _containers.RepeatedScalarFieldContainer[float]
    target: _containers.RepeatedScalarFieldContainer[float]
    up: _containers.RepeatedScalarFieldContainer[float]
    projection: CameraProjection
    fov_degrees: float
    height: float
    def __init__(self, position: _Optional[_Iterable[float]] = ..., target: _Optional[_Iterable[float]] = ..., up: _Optional[_Iterable[float]] = ..., projection: _Optional[_Union[CameraProjection, str]] = ..., fov_degrees: _Optional[float] = ..., height: _Optional[float] = ...) -> None: ...
