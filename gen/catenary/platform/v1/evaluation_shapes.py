"""Generated from catenary/platform/v1/evaluation.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import model_shapes
from catenary.platform.v1 import user_shapes

Evaluation = TypedDict('Evaluation', {
    'evaluation_id': 'str',
    'project_id': 'str',
    'status': 'str | None',
    'model_version_id': 'str',
    'parameters': 'dict[str, object]',
    'metrics': 'dict[str, MetricValue]',
    'constraints': 'dict[str, ConstraintValue]',
    'geometry': 'list[Geometry]',
    'tables': 'dict[str, object]',
    'error': 'model_shapes.ModelError | None',
    'cached': 'bool',
    'duration_ms': 'float | None',
    'created_by': 'user_shapes.UserReference | None',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'started_at': 'str | None',
    'completed_at': 'str | None',
    'log': 'str | None',
    'files': 'list[EvaluationFile]',
    'charts': 'list[Chart]',
    'progress': 'EvaluationProgress | None',
    'batch_id': 'str | None',
    'study_id': 'str | None',
    'index': 'int | None',
})

EvaluationProgress = TypedDict('EvaluationProgress', {
    'fraction': 'float',
    'message': 'str',
    'output': 'str | None',
})

EvaluationFile = TypedDict('EvaluationFile', {
    'name': 'str',
    'media_type': 'str',
    'url': 'str',
    'size': 'int',
    'sha256': 'str',
})

Chart = TypedDict('Chart', {
    'name': 'str',
    'kind': 'str | None',
    'table': 'str',
    'x': 'str',
    'y': 'list[str]',
})

MetricValue = TypedDict('MetricValue', {
    'value': 'object',
    'unit': 'str | None',
})

ConstraintValue = TypedDict('ConstraintValue', {
    'value': 'object',
    'satisfied': 'bool',
    'metric': 'str | None',
    'op': 'str | None',
    'limit': 'object',
    'unit': 'str | None',
})

Geometry = TypedDict('Geometry', {
    'name': 'str',
    'format': 'str',
    'url': 'str',
    'size': 'int | None',
    'sha256': 'str | None',
    'parts': 'list[GeometryPart]',
    'unit': 'str | None',
})

GeometryPart = TypedDict('GeometryPart', {
    'name': 'str',
    'kind': 'str | None',
    'triangles': 'int',
    'area': 'float | None',
    'length': 'float | None',
    'volume': 'float | None',
    'bounding_box': 'BoundingBox | None',
    'centre_of_gravity': 'list[float]',
    'density': 'float | None',
    'mass': 'float | None',
    'opening': 'GeometryOpening | None',
    'measured': 'str | None',
})

GeometryOpening = TypedDict('GeometryOpening', {
    'edges': 'int',
    'gap': 'float | None',
})

BoundingBox = TypedDict('BoundingBox', {
    'min': 'list[float]',
    'max': 'list[float]',
})
