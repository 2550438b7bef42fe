import datetime

from catenary.options.v1 import options_pb2 as _options_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Project(_message.Message):
    __slots__ = ("project_id", "project_number", "number", "short_title", "client_organisation_name", "centre_code", "confidential", "project_director_name", "project_director_email", "project_manager_name", "project_manager_email", "project_url", "scope_of_works", "created_at", "updated_at", "deleted_at")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    PROJECT_NUMBER_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    SHORT_TITLE_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ORGANISATION_NAME_FIELD_NUMBER: _ClassVar[int]
    CENTRE_CODE_FIELD_NUMBER: _ClassVar[int]
    CONFIDENTIAL_FIELD_NUMBER: _ClassVar[int]
    PROJECT_DIRECTOR_NAME_FIELD_NUMBER: _ClassVar[int]
    PROJECT_DIRECTOR_EMAIL_FIELD_NUMBER: _ClassVar[int]
    PROJECT_MANAGER_NAME_FIELD_NUMBER: _ClassVar[int]
    PROJECT_MANAGER_EMAIL_FIELD_NUMBER: _ClassVar[int]
    PROJECT_URL_FIELD_NUMBER: _ClassVar[int]
    SCOPE_OF_WORKS_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    DELETED_AT_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    project_number: str
    number: str
    short_title: str
    client_organisation_name: str
    centre_code: str
    confidential: bool
    project_director_name: str
    project_director_email: str
    project_manager_name: str
    project_manager_email: str
    project_url: str
    scope_of_works: str
    created_at: _timestamp_pb2.Timestamp
    updated_at: _timestamp_pb2.Timestamp
    deleted_at: _timestamp_pb2.Timestamp
    def __init__(self, project_id: _Optional[str] = ..., project_number: _Optional[str] = ..., number: _Optional[str] = ..., short_title: _Optional[str] = ..., client_organisation_name: _Optional[str] = ..., centre_code: _Optional[str] = ..., confidential: _Optional[bool] = ..., project_director_name: _Optional[str] = ..., project_director_email: _Optional[str] = ..., project_manager_name: _Optional[str] = ..., project_manager_email: _Optional[str] = ..., project_url: _Optional[str] = ..., scope_of_works: _Optional[str] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., deleted_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
