"""Generated from catenary/platform/v1/import_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

ImportCount = TypedDict('ImportCount', {
    'kind': 'str | None',
    'added': 'int',
    'revised': 'int',
    'kept': 'int',
})

ImportFileResponse = TypedDict('ImportFileResponse', {
    'counts': 'list[ImportCount]',
})
