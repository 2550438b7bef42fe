"""The media types of the files that evaluations give, by the suffixes of their names."""

from __future__ import annotations

OTHER = "application/octet-stream"
"""The media type of bytes of which nothing is known."""
_OF_SUFFIX = {
    "csv": "text/csv",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "dxf": "image/vnd.dxf",
    "html": "text/html",
    "ifc": "application/x-step",
    "jpeg": "image/jpeg",
    "jpg": "image/jpeg",
    "json": "application/json",
    "md": "text/markdown",
    "pdf": "application/pdf",
    "png": "image/png",
    "svg": "image/svg+xml",
    "txt": "text/plain",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "xml": "application/xml",
    "zip": "application/zip",
}


def of_file(name: str) -> str:
    """Return the media type of a file by the suffix of its name, in any case."""
    return _OF_SUFFIX.get(name.rpartition(".")[2].lower(), OTHER) if "." in name else OTHER
