"""Generated from catenary/platform/v1/plan_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import plan_shapes

PlannedRange = TypedDict('PlannedRange', {
    'min': 'object',
    'max': 'object',
    'count': 'int | None',
    'values': 'list[object]',
})

CreatePlanResponse = TypedDict('CreatePlanResponse', {
    'plan': 'plan_shapes.Plan | None',
})

ListPlansResponse = TypedDict('ListPlansResponse', {
    'plans': 'list[plan_shapes.Plan]',
    'next_cursor': 'str | None',
})

GetPlanResponse = TypedDict('GetPlanResponse', {
    'plan': 'plan_shapes.Plan | None',
})

ListPlanPointsResponse = TypedDict('ListPlanPointsResponse', {
    'points': 'list[plan_shapes.PlanPoint]',
    'next_cursor': 'str | None',
})

DownloadPlanResponse = TypedDict('DownloadPlanResponse', {
    'chunk': 'bytes',
})

DeletePlanResponse = TypedDict('DeletePlanResponse', {
    'plan': 'plan_shapes.Plan | None',
})
