"""Generated from catenary/options/v1/options.proto by .ci/generate; not for editing."""

from typing import TypedDict

ServiceOptions = TypedDict('ServiceOptions', {
    'surface': 'str | None',
})

Deprecation = TypedDict('Deprecation', {
    'announced_on': 'str',
    'deprecated_on': 'str',
    'sunset_on': 'str',
    'successor': 'str',
})

OlderVersion = TypedDict('OlderVersion', {
    'version': 'str',
    'deprecation': 'Deprecation | None',
})

SurfaceOptions = TypedDict('SurfaceOptions', {
    'older': 'list[OlderVersion]',
    'beta': 'str',
})

MethodOptions = TypedDict('MethodOptions', {
    'privilege': 'str | None',
    'success': 'int',
    'limit': 'str | None',
    'cache': 'str | None',
    'events': 'list[str]',
    'stage': 'str | None',
    'deprecation': 'Deprecation | None',
    'body_style': 'str | None',
    'upload_types': 'list[str]',
    'download': 'bool',
    'item_field': 'str',
    'subscription': 'bool',
    'download_types': 'list[str]',
    'other_success': 'int',
    'audit': 'str | None',
    'csv_at': 'str',
    'frees_space': 'bool',
    'sharing': 'str | None',
    'local_only': 'bool',
    'session_cookie': 'str | None',
})

MessageOptions = TypedDict('MessageOptions', {
    'bare_list': 'bool',
})

FieldOptions = TypedDict('FieldOptions', {
    'header': 'str',
    'secret': 'bool',
    'grpc_only': 'bool',
    'omit_unset': 'bool',
    'older_only': 'bool',
    'rest_path': 'bool',
    'holds_resource': 'bool',
    'example': 'str',
    'not_null': 'bool',
    'multiline': 'bool',
    'value_hidden': 'bool',
})
