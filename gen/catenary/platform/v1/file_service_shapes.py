"""Generated from catenary/platform/v1/file_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import file_shapes

UploadFileResponse = TypedDict('UploadFileResponse', {
    'file': 'file_shapes.File | None',
})

ListFilesResponse = TypedDict('ListFilesResponse', {
    'files': 'list[file_shapes.File]',
    'next_cursor': 'str | None',
})

GetFileResponse = TypedDict('GetFileResponse', {
    'file': 'file_shapes.File | None',
})

DownloadFileResponse = TypedDict('DownloadFileResponse', {
    'chunk': 'bytes',
})

DeleteFileResponse = TypedDict('DeleteFileResponse', {
    'file': 'file_shapes.File | None',
})
