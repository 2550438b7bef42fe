"""Generated from catenary/platform/v1/exchange_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import batch_shapes

ExportEvaluationsResponse = TypedDict('ExportEvaluationsResponse', {
    'chunk': 'bytes',
})

ImportEvaluationsResponse = TypedDict('ImportEvaluationsResponse', {
    'batch': 'batch_shapes.Batch | None',
})
