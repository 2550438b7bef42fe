from buf.validate import validate_pb2 as _validate_pb2
from catenary.environment.v2 import project_pb2 as _project_pb2
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

class ListProjectsRequest(_message.Message):
    __slots__ = ("project_id", "number", "search", "page_limit", "before", "after", "sort_by", "order", "show_active", "show_deleted")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    SEARCH_FIELD_NUMBER: _ClassVar[int]
    PAGE_LIMIT_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    SORT_BY_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    SHOW_ACTIVE_FIELD_NUMBER: _ClassVar[int]
    SHOW_DELETED_FIELD_NUMBER: _ClassVar[int]
    project_id: _containers.RepeatedScalarFieldContainer[str]
    number: _containers.RepeatedScalarFieldContainer[str]
    search: str
    page_limit: int
    before: str
    after: str
    sort_by: str
    order: _paging_pb2.Order
    show_active: bool
    show_deleted: bool
    def __init__(self, project_id: _Optional[_Iterable[str]] = ..., number: _Optional[_Iterable[str]] = ..., search: _Optional[str] = ..., page_limit: _Optional[int] = ..., before: _Optional[str] = ..., after: _Optional[str] = ..., sort_by: _Optional[str] = ..., order: _Optional[_Union[_paging_pb2.Order, str]] = ..., show_active: _Optional[bool] = ..., show_deleted: _Optional[bool] = ...) -> None: ...

class ListProjectsResponse(_message.Message):
    __slots__ = ("projects", "paging", "summary")
    PROJECTS_FIELD_NUMBER: _ClassVar[int]
    PAGING_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    projects: _containers.RepeatedCompositeFieldContainer[_project_pb2.Project]
    paging: _paging_pb2.Paging
    summary: _paging_pb2.Summary
    def __init__(self, projects: _Optional[_Iterable[_Union[_project_pb2.Project, _Mapping]]] = ..., paging: _Optional[_Union[_paging_pb2.Paging, _Mapping]] = ..., summary: _Optional[_Union[_paging_pb2.Summary, _Mapping]] = ...) -> None: ...

class CreateProjectRequest(_message.Message):
    __slots__ = ("project_number", "number", "short_title", "client_organisation_name", "centre_code", "confidential", "project_director_name", "project_director_email", "project_manager_name", "project_manager_email", "project_url", "scope_of_works")
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
    def __init__(self, project_number: _Optional[str] = ..., number: _Optional[str] = ..., short_title: _Optional[str] = ..., client_organisation_name: _Optional[str] = ..., centre_code: _Optional[str] = ..., confidential: _Optional[bool] = ..., project_director_name: _Optional[str] = ..., project_director_email: _Optional[str] = ..., project_manager_name: _Optional[str] = ..., project_manager_email: _Optional[str] = ..., project_url: _Optional[str] = ..., scope_of_works: _Optional[str] = ...) -> None: ...

class CreateProjectResponse(_message.Message):
    __slots__ = ("project",)
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    project: _project_pb2.Project
    def __init__(self, project: _Optional[_Union[_project_pb2.Project, _Mapping]] = ...) -> None: ...

class GetProjectRequest(_message.Message):
    __slots__ = ("project_id", "show_deleted")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    SHOW_DELETED_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    show_deleted: bool
    def __init__(self, project_id: _Optional[str] = ..., show_deleted: _Optional[bool] = ...) -> None: ...

class GetProjectResponse(_message.Message):
    __slots__ = ("project",)
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    project: _project_pb2.Project
    def __init__(self, project: _Optional[_Union[_project_pb2.Project, _Mapping]] = ...) -> None: ...

class UpdateProjectRequest(_message.Message):
    __slots__ = ("project_id", "project_number", "number", "short_title", "client_organisation_name", "centre_code", "confidential", "project_director_name", "project_director_email", "project_manager_name", "project_manager_email", "project_url", "scope_of_works", "update_mask")
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
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
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
    update_mask: _field_mask_pb2.FieldMask
    def __init__(self, project_id: _Optional[str] = ..., project_number: _Optional[str] = ..., number: _Optional[str] = ..., short_title: _Optional[str] = ..., client_organisation_name: _Optional[str] = ..., centre_code: _Optional[str] = ..., confidential: _Optional[bool] = ..., project_director_name: _Optional[str] = ..., project_director_email: _Optional[str] = ..., project_manager_name: _Optional[str] = ..., project_manager_email: _Optional[str] = ..., project_url: _Optional[str] = ..., scope_of_works: _Optional[str] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ...) -> None: ...

class UpdateProjectResponse(_message.Message):
    __slots__ = ("project",)
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    project: _project_pb2.Project
    def __init__(self, project: _Optional[_Union[_project_pb2.Project, _Mapping]] = ...) -> None: ...

class DeleteProjectRequest(_message.Message):
    __slots__ = ("project_id",)
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    def __init__(self, project_id: _Optional[str] = ...) -> None: ...

class DeleteProjectResponse(_message.Message):
    __slots__ = ("project",)
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    project: _project_pb2.Project
    def __init__(self, project: _Optional[_Union[_project_pb2.Project, _Mapping]] = ...) -> None: ...
