"""Generated from catenary/platform/v1/study_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import study_shapes

CreateStudyResponse = TypedDict('CreateStudyResponse', {
    'study': 'study_shapes.Study | None',
})

ListStudiesResponse = TypedDict('ListStudiesResponse', {
    'studies': 'list[study_shapes.Study]',
    'next_cursor': 'str | None',
})

GetStudyResponse = TypedDict('GetStudyResponse', {
    'study': 'study_shapes.Study | None',
})

DeleteStudyResponse = TypedDict('DeleteStudyResponse', {
    'study': 'study_shapes.Study | None',
})

CancelStudyResponse = TypedDict('CancelStudyResponse', {
    'study': 'study_shapes.Study | None',
})

ResumeStudyResponse = TypedDict('ResumeStudyResponse', {
    'study': 'study_shapes.Study | None',
})

ListStudyResultsResponse = TypedDict('ListStudyResultsResponse', {
    'results': 'list[study_shapes.StudyResult]',
    'next_cursor': 'str | None',
})

DownloadStudyResultsResponse = TypedDict('DownloadStudyResultsResponse', {
    'chunk': 'bytes',
})

ListStudyFrontResponse = TypedDict('ListStudyFrontResponse', {
    'points': 'list[study_shapes.StudyResult]',
    'next_cursor': 'str | None',
    'knee': 'int | None',
    'representatives': 'list[int]',
})

GetStudyIndicesResponse = TypedDict('GetStudyIndicesResponse', {
    'indices': 'list[study_shapes.StudyIndices]',
})
