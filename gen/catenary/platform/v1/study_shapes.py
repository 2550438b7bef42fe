"""Generated from catenary/platform/v1/study.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import batch_shapes
from catenary.platform.v1 import evaluation_shapes
from catenary.platform.v1 import model_shapes
from catenary.platform.v1 import user_shapes

StudyStop = TypedDict('StudyStop', {
    'seconds': 'int | None',
    'stalled_generations': 'int | None',
})

StudyObjective = TypedDict('StudyObjective', {
    'metric': 'str | None',
    'expression': 'str | None',
    'direction': 'str | None',
    'reference': 'float | None',
})

StudyConstraint = TypedDict('StudyConstraint', {
    'metric': 'str | None',
    'op': 'str | None',
    'value': 'float | None',
    'expression': 'str | None',
})

StudyParameter = TypedDict('StudyParameter', {
    'min': 'float | None',
    'max': 'float | None',
    'choices': 'list[object]',
    'fixed': 'object',
    'distribution': 'str | None',
})

StudyDerivedMetric = TypedDict('StudyDerivedMetric', {
    'name': 'str',
    'expression': 'str',
    'unit': 'str | None',
})

StudyVolume = TypedDict('StudyVolume', {
    'generation': 'int',
    'hypervolume': 'float | None',
})

Study = TypedDict('Study', {
    'study_id': 'str',
    'project_id': 'str',
    'status': 'str | None',
    'model_version_id': 'str',
    'kind': 'str | None',
    'objectives': 'list[StudyObjective]',
    'constraints': 'list[StudyConstraint]',
    'parameters': 'dict[str, StudyParameter]',
    'algorithm': 'str | None',
    'population': 'int',
    'budget': 'int',
    'seed': 'int',
    'on_failure': 'str | None',
    'generation': 'int',
    'counts': 'batch_shapes.BatchCounts | None',
    'front_size': 'int',
    'hypervolume': 'list[StudyVolume]',
    'reference': 'list[float]',
    'expected_end': 'str | None',
    'error': 'str | None',
    'created_by': 'user_shapes.UserReference | None',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'started_at': 'str | None',
    'completed_at': 'str | None',
    'start_from': 'list[str]',
    'derived_metrics': 'list[StudyDerivedMetric]',
    'name': 'str',
    'note': 'str',
    'stop': 'StudyStop | None',
    'stopped_by': 'str | None',
    'algorithm_reason': 'str | None',
    'error_code': 'str | None',
})

StudyValue = TypedDict('StudyValue', {
    'value': 'float | None',
})

StudyResult = TypedDict('StudyResult', {
    'index': 'int',
    'generation': 'int | None',
    'status': 'str | None',
    'parameters': 'dict[str, object]',
    'metrics': 'dict[str, evaluation_shapes.MetricValue]',
    'constraints': 'dict[str, evaluation_shapes.ConstraintValue]',
    'objectives': 'list[StudyValue]',
    'feasible': 'bool | None',
    'rank': 'int | None',
    'error': 'model_shapes.ModelError | None',
    'cached': 'bool',
    'duration_ms': 'float | None',
    'completed_at': 'str | None',
    'evaluation_id': 'str',
    'geometry': 'list[evaluation_shapes.Geometry]',
    'tables': 'dict[str, object]',
})

StudyIndex = TypedDict('StudyIndex', {
    'parameter': 'str',
    'mu_star': 'float | None',
    'mu_star_confidence': 'float | None',
    'sigma': 'float | None',
    's1': 'float | None',
    's1_confidence': 'float | None',
    'st': 'float | None',
    'st_confidence': 'float | None',
})

StudyIndices = TypedDict('StudyIndices', {
    'objective': 'StudyObjective | None',
    'used': 'int',
    'left_out': 'int',
    'parameters': 'list[StudyIndex]',
})
