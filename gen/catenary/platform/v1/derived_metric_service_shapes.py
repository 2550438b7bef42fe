"""Generated from catenary/platform/v1/derived_metric_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import derived_metric_shapes

GetDerivedMetricsResponse = TypedDict('GetDerivedMetricsResponse', {
    'derived_metrics': 'derived_metric_shapes.DerivedMetrics | None',
})

NewDerivedMetric = TypedDict('NewDerivedMetric', {
    'name': 'str',
    'expression': 'str',
    'unit': 'str | None',
    'description': 'str',
})

PutDerivedMetricsResponse = TypedDict('PutDerivedMetricsResponse', {
    'derived_metrics': 'derived_metric_shapes.DerivedMetrics | None',
})

GetDerivedMetricValuesResponse = TypedDict('GetDerivedMetricValuesResponse', {
    'values': 'list[derived_metric_shapes.DerivedMetricValue]',
})
