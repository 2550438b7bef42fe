"""Generated from catenary/platform/v1/evaluation_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import evaluation_shapes

EvaluateResponse = TypedDict('EvaluateResponse', {
    'evaluation': 'evaluation_shapes.Evaluation | None',
})

ListEvaluationsResponse = TypedDict('ListEvaluationsResponse', {
    'evaluations': 'list[evaluation_shapes.Evaluation]',
    'next_cursor': 'str | None',
})

GetEvaluationResponse = TypedDict('GetEvaluationResponse', {
    'evaluation': 'evaluation_shapes.Evaluation | None',
})

CancelEvaluationResponse = TypedDict('CancelEvaluationResponse', {
    'evaluation': 'evaluation_shapes.Evaluation | None',
})

PurgeEvaluationsResponse = TypedDict('PurgeEvaluationsResponse', {
    'removed': 'int',
    'more': 'bool',
})

DownloadGeometryResponse = TypedDict('DownloadGeometryResponse', {
    'chunk': 'bytes',
})

DownloadEvaluationFileResponse = TypedDict('DownloadEvaluationFileResponse', {
    'chunk': 'bytes',
})
