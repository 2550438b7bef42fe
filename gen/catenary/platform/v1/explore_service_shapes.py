"""Generated from catenary/platform/v1/explore_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import evaluation_shapes
from catenary.platform.v1 import model_shapes

ExploreResponse = TypedDict('ExploreResponse', {
    'id': 'int | None',
    'evaluation': 'ExploredEvaluation | None',
    'geometry': 'ExploredGeometry | None',
    'error': 'ExploreError | None',
    'superseded': 'bool',
    'chunk': 'bytes',
    'session': 'ExploredSession | None',
})

ExploredSession = TypedDict('ExploredSession', {
    'model_version_id': 'str',
    'parameters': 'list[model_shapes.ModelParameter]',
    'repeatable': 'bool',
})

ExploredEvaluation = TypedDict('ExploredEvaluation', {
    'status': 'str | None',
    'model_version_id': 'str',
    'parameters': 'dict[str, object]',
    'metrics': 'dict[str, evaluation_shapes.MetricValue]',
    'constraints': 'dict[str, evaluation_shapes.ConstraintValue]',
    'tables': 'dict[str, object]',
    'error': 'model_shapes.ModelError | None',
    'duration_ms': 'float',
    'charts': 'list[evaluation_shapes.Chart]',
    'files': 'list[ExploredOutput]',
})

ExploredOutput = TypedDict('ExploredOutput', {
    'name': 'str',
    'media_type': 'str',
    'size': 'int',
})

ExploredGeometry = TypedDict('ExploredGeometry', {
    'files': 'list[ExploredFile]',
})

ExploredFile = TypedDict('ExploredFile', {
    'name': 'str',
    'format': 'str',
    'size': 'int',
    'unit': 'str | None',
})

ExploreError = TypedDict('ExploreError', {
    'code': 'str',
    'message': 'str',
    'details': 'object',
})
