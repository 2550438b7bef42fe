"""Generated from catenary/platform/v1/batch.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import evaluation_shapes
from catenary.platform.v1 import model_shapes
from catenary.platform.v1 import user_shapes

Batch = TypedDict('Batch', {
    'batch_id': 'str',
    'project_id': 'str',
    'status': 'str | None',
    'model_version_id': 'str',
    'counts': 'BatchCounts | None',
    'created_by': 'user_shapes.UserReference | None',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'started_at': 'str | None',
    'completed_at': 'str | None',
    'geometry': 'bool',
    'name': 'str',
    'note': 'str',
    'error': 'BatchError | None',
    'expected_end': 'str | None',
})

BatchError = TypedDict('BatchError', {
    'code': 'str',
    'message': 'str',
})

BatchCounts = TypedDict('BatchCounts', {
    'total': 'int',
    'queued': 'int',
    'running': 'int',
    'completed': 'int',
    'failed': 'int',
    'timed_out': 'int',
    'cancelled': 'int',
    'cached': 'int',
})

BatchResult = TypedDict('BatchResult', {
    'index': 'int',
    'status': 'str | None',
    'parameters': 'dict[str, object]',
    'metrics': 'dict[str, evaluation_shapes.MetricValue]',
    'constraints': 'dict[str, evaluation_shapes.ConstraintValue]',
    'tables': 'dict[str, object]',
    'error': 'model_shapes.ModelError | None',
    'cached': 'bool',
    'duration_ms': 'float | None',
    'started_at': 'str | None',
    'completed_at': 'str | None',
    'evaluation_id': 'str',
    'geometry': 'list[evaluation_shapes.Geometry]',
})

BatchStreamItem = TypedDict('BatchStreamItem', {
    'id': 'str',
    'result': 'BatchResult | None',
    'batch': 'Batch | None',
})
