"""Generated from catenary/worker/v1/worker_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

Job = TypedDict('Job', {
    'job_id': 'str',
    'kind': 'str | None',
    'lease_token': 'str',
    'lease_seconds': 'float',
    'model_version_id': 'str',
    'model_kind': 'str',
    'source_sha256': 'str',
    'parameters': 'dict[str, object]',
    'timeout_seconds': 'float',
    'memory_bytes': 'int',
    'request_id': 'str',
    'traceparent': 'str',
    'repeatable': 'bool',
    'sharers': 'str',
    'points': 'list[JobPoint]',
    'door': 'str',
    'without_geometry': 'bool',
    'user': 'str',
    'project': 'str',
})

JobPoint = TypedDict('JobPoint', {
    'index': 'int',
    'parameters': 'dict[str, object]',
})

LeaseResponse = TypedDict('LeaseResponse', {
    'job': 'Job | None',
})

JobProgress = TypedDict('JobProgress', {
    'fraction': 'float',
    'message': 'str',
    'output': 'str',
})

HeartbeatResponse = TypedDict('HeartbeatResponse', {
    'cancelled': 'bool',
})

FetchSourceResponse = TypedDict('FetchSourceResponse', {
    'chunk': 'bytes',
})

FetchFileResponse = TypedDict('FetchFileResponse', {
    'chunk': 'bytes',
})

Outcome = TypedDict('Outcome', {
    'status': 'str',
    'error': 'object',
    'description': 'object',
    'deterministic': 'bool | None',
    'metrics': 'object',
    'constraints': 'object',
    'tables': 'object',
    'artefacts': 'list[Artefact]',
    'duration_ms': 'float',
    'log': 'str',
    'repeatable': 'bool | None',
    'not_repeatable': 'str',
    'charts': 'object',
    'files': 'list[ResultFile]',
    'remarks': 'list[str]',
    'unmade': 'list[UnmadeGeometry]',
})

UnmadeGeometry = TypedDict('UnmadeGeometry', {
    'name': 'str',
    'format': 'str',
})

ResultFile = TypedDict('ResultFile', {
    'name': 'str',
    'size': 'int',
    'sha256': 'str',
})

Artefact = TypedDict('Artefact', {
    'name': 'str',
    'format': 'str',
    'size': 'int',
    'sha256': 'str',
    'parts': 'object',
    'unit': 'str',
})

CompleteResponse = TypedDict('CompleteResponse', {})

PointOutcome = TypedDict('PointOutcome', {
    'index': 'int',
    'outcome': 'Outcome | None',
})

CompletePointsResponse = TypedDict('CompletePointsResponse', {})

ExtendChunkResponse = TypedDict('ExtendChunkResponse', {
    'points': 'list[JobPoint]',
})

ReleaseResponse = TypedDict('ReleaseResponse', {})

SessionResponse = TypedDict('SessionResponse', {
    'parameters': 'dict[str, object]',
    'geometry': 'bool',
})
