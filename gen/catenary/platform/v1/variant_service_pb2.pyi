from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.platform.v1 import variant_pb2 as _variant_pb2
from catenary.type.v1 import json_pb2 as _json_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import field_mask_pb2 as _field_mask_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListVariantsRequest(_message.Message):
    __slots__ = ("project_id", "limit", "cursor", "search")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    SEARCH_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    limit: int
    cursor: str
    search: str
    def __init__(self, project_id: _Optional[str] = ..., limit: _Optional[int] = ..., cursor: _Optional[str] = ..., search: _Optional[str] = ...) -> None: ...

class ListVariantsResponse(_message.Message):
    __slots__ = ("variants", "next_cursor")
    VARIANTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_CURSOR_FIELD_NUMBER: _ClassVar[int]
    variants: _containers.RepeatedCompositeFieldContainer[_variant_pb2.Variant]
    next_cursor: str
    def __init__(self, variants: _Optional[_Iterable[_Union[_variant_pb2.Variant, _Mapping]]] = ..., next_cursor: _Optional[str] = ...) -> None: ...

class CreateVariantRequest(_message.Message):
    __slots__ = ("project_id", "name", "note", "evaluation_id", "parameters", "model_version_id")
    class ParametersEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _json_pb2.Json
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_json_pb2.Json, _Mapping]] = ...) -> None: ...
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    EVALUATION_ID_FIELD_NUMBER: _ClassVar[int]
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    MODEL_VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    name: str
    note: str
    evaluation_id: str
    parameters: _containers.MessageMap[str, _json_pb2.Json]
    model_version_id: str
    def __init__(self, project_id: _Optional[str] = ..., name: _Optional[str] = ..., note: _Optional[str] = ..., evaluation_id: _Optional[str] = ..., parameters: _Optional[_Mapping[str, _json_pb2.Json]] = ..., model_version_id: _Optional[str] = ...) -> None: ...

class CreateVariantResponse(_message.Message):
    __slots__ = ("variant",)
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    variant: _variant_pb2.Variant
    def __init__(self, variant: _Optional[_Union[_variant_pb2.Variant, _Mapping]] = ...) -> None: ...

class CompareVariantsRequest(_message.Message):
    __slots__ = ("project_id", "variant_id")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    VARIANT_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    variant_id: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, project_id: _Optional[str] = ..., variant_id: _Optional[_Iterable[str]] = ...) -> None: ...

class CompareVariantsResponse(_message.Message):
    __slots__ = ("comparison",)
    COMPARISON_FIELD_NUMBER: _ClassVar[int]
    comparison: _variant_pb2.VariantComparison
    def __init__(self, comparison: _Optional[_Union[_variant_pb2.VariantComparison, _Mapping]] = ...) -> None: ...

class GetVariantRequest(_message.Message):
    __slots__ = ("variant_id",)
    VARIANT_ID_FIELD_NUMBER: _ClassVar[int]
    variant_id: str
    def __init__(self, variant_id: _Optional[str] = ...) -> None: ...

class GetVariantResponse(_message.Message):
    __slots__ = ("variant",)
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    variant: _variant_pb2.Variant
    def __init__(self, variant: _Optional[_Union[_variant_pb2.Variant, _Mapping]] = ...) -> None: ...

class DownloadVariantThumbnailRequest(_message.Message):
    __slots__ = ("variant_id", "range", "if_range")
    VARIANT_ID_FIELD_NUMBER: _ClassVar[int]
    RANGE_FIELD_NUMBER: _ClassVar[int]
    IF_RANGE_FIELD_NUMBER: _ClassVar[int]
    variant_id: str
    range: str
    if_range: str
    def __init__(self, variant_id: _Optional[str] = ..., range: _Optional[str] = ..., if_range: _Optional[str] = ...) -> None: ...

class DownloadVariantThumbnailResponse(_message.Message):
    __slots__ = ("chunk",)
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    chunk: bytes
    def __init__(self, chunk: _Optional[bytes] = ...) -> None: ...

class UpdateVariantRequest(_message.Message):
    __slots__ = ("variant_id", "name", "note", "update_mask")
    VARIANT_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    variant_id: str
    name: str
    note: str
    update_mask: _field_mask_pb2.FieldMask
    def __init__(self, variant_id: _Optional[str] = ..., name: _Optional[str] = ..., note: _Optional[str] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ...) -> None: ...

class UpdateVariantResponse(_message.Message):
    __slots__ = ("variant",)
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    variant: _variant_pb2.Variant
    def __init__(self, variant: _Optional[_Union[_variant_pb2.Variant, _Mapping]] = ...) -> None: ...

class DeleteVariantRequest(_message.Message):
    __slots__ = ("variant_id",)
    VARIANT_ID_FIELD_NUMBER: _ClassVar[int]
    variant_id: str
    def __init__(self, variant_id: _Optional[str] = ...) -> None: ...

class DeleteVariantResponse(_message.Message):
    __slots__ = ("variant",)
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    variant: _variant_pb2.Variant
    def __init__(self, variant: _Optional[_Union[_variant_pb2.Variant, _Mapping]] = ...) -> None: ...
