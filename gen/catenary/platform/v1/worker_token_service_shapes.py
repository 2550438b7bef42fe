"""Generated from catenary/platform/v1/worker_token_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import worker_token_shapes

ListWorkerTokensResponse = TypedDict('ListWorkerTokensResponse', {
    'worker_tokens': 'list[worker_token_shapes.WorkerToken]',
    'next_cursor': 'str | None',
})

CreateWorkerTokenResponse = TypedDict('CreateWorkerTokenResponse', {
    'worker_token': 'worker_token_shapes.WorkerToken | None',
    'token': 'str',
})

GetWorkerTokenResponse = TypedDict('GetWorkerTokenResponse', {
    'worker_token': 'worker_token_shapes.WorkerToken | None',
})

DeleteWorkerTokenResponse = TypedDict('DeleteWorkerTokenResponse', {
    'worker_token': 'worker_token_shapes.WorkerToken | None',
})
