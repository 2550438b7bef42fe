"""Generated from catenary/platform/v1/derived_metric.proto by .ci/generate; not for editing."""

from typing import TypedDict

DerivedMetric = TypedDict('DerivedMetric', {
    'name': 'str',
    'expression': 'str',
    'unit': 'str | None',
    'description': 'str',
    'problem': 'str | None',
})

DerivedMetrics = TypedDict('DerivedMetrics', {
    'project_id': 'str',
    'metrics': 'list[DerivedMetric]',
    'updated_at': 'str | None',
})

DerivedMetricValue = TypedDict('DerivedMetricValue', {
    'name': 'str',
    'value': 'float | None',
    'unit': 'str | None',
    'problem': 'str | None',
})
