"""Generated from catenary/type/v1/paging.proto by .ci/generate; not for editing."""

from typing import TypedDict

Cursors = TypedDict('Cursors', {
    'before': 'str | None',
    'after': 'str | None',
})

Paging = TypedDict('Paging', {
    'cursors': 'Cursors | None',
    'previous': 'str | None',
    'next': 'str | None',
})

Summary = TypedDict('Summary', {
    'estimate_count': 'int',
})
