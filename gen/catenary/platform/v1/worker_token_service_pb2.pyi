from buf.validate import validate_pb2 as _validate_pb2
from catenary.options.v1 import options_pb2 as _options_pb2
from catenary.platform.v1 import worker_token_pb2 as _worker_token_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListWorkerTokensRequest(_message.Message):
    __slots__ = ("limit", "cursor", "search")
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    SEARCH_FIELD_NUMBER: _ClassVar[int]
    limit: int
    cursor: str
    search: str
    def __init__(self, limit: _Optional[int] = ..., cursor: _Optional[str] = ..., search: _Optional[str] = ...) -> None: ...

class ListWorkerTokensResponse(_message.Message):
    __slots__ = ("worker_tokens", "next_cursor")
    WORKER_TOKENS_FIELD_NUMBER: _ClassVar[int]
    NEXT_CURSOR_FIELD_NUMBER: _ClassVar[int]
    worker_tokens: _containers.RepeatedCompositeFieldContainer[_worker_token_pb2.WorkerToken]
    next_cursor: str
    def __init__(self, worker_tokens: _Optional[_Iterable[_Union[_worker_token_pb2.WorkerToken, _Mapping]]] = ..., next_cursor: _Optional[str] = ...) -> None: ...

class CreateWorkerTokenRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class CreateWorkerTokenResponse(_message.Message):
    __slots__ = ("worker_token", "token")
    WORKER_TOKEN_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    worker_token: _worker_token_pb2.WorkerToken
    token: str
    def __init__(self, worker_token: _Optional[_Union[_worker_token_pb2.WorkerToken, _Mapping]] = ..., token: _Optional[str] = ...) -> None: ...

class GetWorkerTokenRequest(_message.Message):
    __slots__ = ("worker_token_id",)
    WORKER_TOKEN_ID_FIELD_NUMBER: _ClassVar[int]
    worker_token_id: str
    def __init__(self, worker_token_id: _Optional[str] = ...) -> None: ...

class GetWorkerTokenResponse(_message.Message):
    __slots__ = ("worker_token",)
    WORKER_TOKEN_FIELD_NUMBER: _ClassVar[int]
    worker_token: _worker_token_pb2.WorkerToken
    def __init__(self, worker_token: _Optional[_Union[_worker_token_pb2.WorkerToken, _Mapping]] = ...) -> None: ...

class DeleteWorkerTokenRequest(_message.Message):
    __slots__ = ("worker_token_id",)
    WORKER_TOKEN_ID_FIELD_NUMBER: _ClassVar[int]
    worker_token_id: str
    def __init__(self, worker_token_id: _Optional[str] = ...) -> None: ...

class DeleteWorkerTokenResponse(_message.Message):
    __slots__ = ("worker_token",)
    WORKER_TOKEN_FIELD_NUMBER: _ClassVar[int]
    worker_token: _worker_token_pb2.WorkerToken
    def __init__(self, worker_token: _Optional[_Union[_worker_token_pb2.WorkerToken, _Mapping]] = ...) -> None: ...
