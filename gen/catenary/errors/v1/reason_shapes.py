"""Generated from catenary/errors/v1/reason.proto by .ci/generate; not for editing."""

from typing import TypedDict

ReasonOptions = TypedDict('ReasonOptions', {
    'grpc': 'int',
    'http': 'int',
    'title': 'str',
    'help': 'str',
})
