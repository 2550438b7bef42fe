"""Generated from catenary/platform/v1/plan.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import user_shapes

Plan = TypedDict('Plan', {
    'plan_id': 'str',
    'project_id': 'str',
    'model_version_id': 'str',
    'kind': 'str | None',
    'seed': 'int | None',
    'count': 'int',
    'evaluations': 'list[PlannedEvaluation]',
    'created_by': 'user_shapes.UserReference | None',
    'created_at': 'str | None',
    'expires_at': 'str | None',
    'size': 'int',
})

PlanPoint = TypedDict('PlanPoint', {
    'index': 'int',
    'parameters': 'dict[str, object]',
})

PlannedEvaluation = TypedDict('PlannedEvaluation', {
    'parameters': 'dict[str, object]',
})
