"""Generated from catenary/platform/v1/model.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import user_shapes

Model = TypedDict('Model', {
    'model_id': 'str',
    'project_id': 'str',
    'name': 'str',
    'latest_model_version_id': 'str | None',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
})

ModelVersion = TypedDict('ModelVersion', {
    'model_version_id': 'str',
    'model_id': 'str',
    'project_id': 'str',
    'number': 'int',
    'status': 'str | None',
    'kind': 'str | None',
    'size': 'int',
    'sha256': 'str',
    'deterministic': 'bool | None',
    'error': 'ModelError | None',
    'parameters': 'list[ModelParameter]',
    'metrics': 'list[ModelMetric]',
    'constraints': 'list[ModelConstraint]',
    'created_by': 'user_shapes.UserReference | None',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
    'warnings': 'list[str]',
    'repeatable': 'bool | None',
    'repeatable_reason': 'str | None',
})

ModelError = TypedDict('ModelError', {
    'code': 'str',
    'message': 'str',
    'line': 'int | None',
})

TableColumn = TypedDict('TableColumn', {
    'name': 'str',
    'type': 'str | None',
    'unit': 'str | None',
})

ModelParameter = TypedDict('ModelParameter', {
    'name': 'str',
    'label': 'str',
    'type': 'str | None',
    'default': 'object',
    'min': 'object',
    'max': 'object',
    'step': 'object',
    'positive': 'bool',
    'choices': 'list[object]',
    'unit': 'str | None',
    'group': 'str | None',
    'description': 'str',
    'order': 'int',
    'show_if': 'str | None',
    'columns': 'list[TableColumn]',
    'accept': 'list[str]',
    'max_bytes': 'int | None',
})

ModelMetric = TypedDict('ModelMetric', {
    'name': 'str',
    'unit': 'str | None',
    'description': 'str',
})

ModelConstraint = TypedDict('ModelConstraint', {
    'name': 'str',
    'metric': 'str',
    'op': 'str',
    'value': 'object',
})

Deployment = TypedDict('Deployment', {
    'deployment_id': 'str',
    'project_id': 'str',
    'model_id': 'str',
    'model_version_id': 'str',
    'status': 'str | None',
    'error': 'ModelError | None',
    'created_by': 'user_shapes.UserReference | None',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'activated_at': 'str | None',
    'retired_at': 'str | None',
})
