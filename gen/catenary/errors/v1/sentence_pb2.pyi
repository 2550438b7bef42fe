from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Sentence(_message.Message):
    __slots__ = ("template", "arguments")
    class ArgumentsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: Argument
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[Argument, _Mapping]] = ...) -> None: ...
    TEMPLATE_FIELD_NUMBER: _ClassVar[int]
    ARGUMENTS_FIELD_NUMBER: _ClassVar[int]
    template: str
    arguments: _containers.MessageMap[str, Argument]
    def __init__(self, template: _Optional[str] = ..., arguments: _Optional[_Mapping[str, Argument]] = ...) -> None: ...

class Sentences(_message.Message):
    __slots__ = ("sentences",)
    SENTENCES_FIELD_NUMBER: _ClassVar[int]
    sentences: _containers.RepeatedCompositeFieldContainer[Sentence]
    def __init__(self, sentences: _Optional[_Iterable[_Union[Sentence, _Mapping]]] = ...) -> None: ...

class Argument(_message.Message):
    __slots__ = ("fields", "resource", "text")
    FIELDS_FIELD_NUMBER: _ClassVar[int]
    RESOURCE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    fields: FieldPaths
    resource: str
    text: str
    def __init__(self, fields: _Optional[_Union[FieldPaths, _Mapping]] = ..., resource: _Optional[str] = ..., text: _Optional[str] = ...) -> None: ...

class FieldPaths(_message.Message):
    __slots__ = ("paths",)
    PATHS_FIELD_NUMBER: _ClassVar[int]
    paths: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, paths: _Optional[_Iterable[str]] = ...) -> None: ...
