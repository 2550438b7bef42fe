"""Generated from catenary/platform/v1/evaluation_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import evaluation_shapes

EvaluateRequest = TypedDict('EvaluateRequest', {
    'project_id': 'str',
    'parameters': 'dict[str, object]',
    'force': 'bool',
    'prefer': 'str',
})

EvaluateResponse = TypedDict('EvaluateResponse', {
    'evaluation': 'evaluation_shapes.Evaluation | None',
})

ListEvaluationsRequest = TypedDict('ListEvaluationsRequest', {
    'project_id': 'str',
    'limit': 'int | None',
    'cursor': 'str',
})

ListEvaluationsResponse = TypedDict('ListEvaluationsResponse', {
    'evaluations': 'list[evaluation_shapes.Evaluation]',
    'next_cursor': 'str | None',
})

GetEvaluationRequest = TypedDict('GetEvaluationRequest', {
    'evaluation_id': 'str',
    'prefer': 'str',
})

GetEvaluationResponse = TypedDict('GetEvaluationResponse', {
    'evaluation': 'evaluation_shapes.Evaluation | None',
})

CancelEvaluationRequest = TypedDict('CancelEvaluationRequest', {
    'evaluation_id': 'str',
})

CancelEvaluationResponse = TypedDict('CancelEvaluationResponse', {
    'evaluation': 'evaluation_shapes.Evaluation | None',
})

DownloadGeometryRequest = TypedDict('DownloadGeometryRequest', {
    'evaluation_id': 'str',
    'name': 'str',
    'range': 'str',
    'if_range': 'str',
})

DownloadGeometryResponse = TypedDict('DownloadGeometryResponse', {
    'chunk': 'bytes',
})
