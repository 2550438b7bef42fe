"""Generated from catenary/platform/v1/batch_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import batch_shapes

BatchEvaluation = TypedDict('BatchEvaluation', {
    'parameters': 'dict[str, object]',
})

CreateBatchResponse = TypedDict('CreateBatchResponse', {
    'batch': 'batch_shapes.Batch | None',
})

ListBatchesResponse = TypedDict('ListBatchesResponse', {
    'batches': 'list[batch_shapes.Batch]',
    'next_cursor': 'str | None',
})

GetBatchResponse = TypedDict('GetBatchResponse', {
    'batch': 'batch_shapes.Batch | None',
})

DeleteBatchResponse = TypedDict('DeleteBatchResponse', {
    'batch': 'batch_shapes.Batch | None',
})

ListBatchResultsResponse = TypedDict('ListBatchResultsResponse', {
    'results': 'list[batch_shapes.BatchResult]',
    'next_cursor': 'str | None',
})

StreamBatchResultsResponse = TypedDict('StreamBatchResultsResponse', {
    'items': 'list[batch_shapes.BatchStreamItem]',
    'position': 'str | None',
})
