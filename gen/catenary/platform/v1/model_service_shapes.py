"""Generated from catenary/platform/v1/model_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import model_shapes

ListModelsResponse = TypedDict('ListModelsResponse', {
    'models': 'list[model_shapes.Model]',
    'next_cursor': 'str | None',
})

CreateModelResponse = TypedDict('CreateModelResponse', {
    'model': 'model_shapes.Model | None',
})

GetModelResponse = TypedDict('GetModelResponse', {
    'model': 'model_shapes.Model | None',
})

UpdateModelResponse = TypedDict('UpdateModelResponse', {
    'model': 'model_shapes.Model | None',
})

DeleteModelResponse = TypedDict('DeleteModelResponse', {
    'model': 'model_shapes.Model | None',
})

ListModelVersionsResponse = TypedDict('ListModelVersionsResponse', {
    'model_versions': 'list[model_shapes.ModelVersion]',
    'next_cursor': 'str | None',
})

UploadModelVersionResponse = TypedDict('UploadModelVersionResponse', {
    'model_version': 'model_shapes.ModelVersion | None',
})

GetModelVersionResponse = TypedDict('GetModelVersionResponse', {
    'model_version': 'model_shapes.ModelVersion | None',
})

DeleteModelVersionResponse = TypedDict('DeleteModelVersionResponse', {
    'model_version': 'model_shapes.ModelVersion | None',
})

DownloadModelSourceResponse = TypedDict('DownloadModelSourceResponse', {
    'chunk': 'bytes',
})

GetModelVersionLogResponse = TypedDict('GetModelVersionLogResponse', {
    'log': 'str',
})

ListDeploymentsResponse = TypedDict('ListDeploymentsResponse', {
    'deployments': 'list[model_shapes.Deployment]',
    'next_cursor': 'str | None',
})

CreateDeploymentResponse = TypedDict('CreateDeploymentResponse', {
    'deployment': 'model_shapes.Deployment | None',
})

DeleteCurrentDeploymentResponse = TypedDict('DeleteCurrentDeploymentResponse', {
    'deployment': 'model_shapes.Deployment | None',
})

ListParametersResponse = TypedDict('ListParametersResponse', {
    'parameters': 'list[model_shapes.ModelParameter]',
    'next_cursor': 'str | None',
})

UpdateParameterResponse = TypedDict('UpdateParameterResponse', {
    'parameter': 'model_shapes.ModelParameter | None',
})
