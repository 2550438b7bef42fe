"""The files and charts of an evaluation's return value, checked in the child and again in the host.

A file is bytes that the platform never reads: it is stored, and given as an attachment.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from catenary_wire import charts as chart_form
from catenary_wire.model_limits import FILE_BYTES, FILES_TOTAL_BYTES, MOST_CHARTS, MOST_FILES, is_file_name
from catenary_worker.models.entries import check_name, format_value
from catenary_worker.task import MEBIBYTE, ModelFaultError


def files(values: Mapping[Any, Any]) -> dict[str, bytes]:
    """Return the content of each file by its name.

    Raises:
        ModelFaultError: A name is none, a value is no bytes, or a limit is exceeded; the text names the file.
    """
    for name, content in values.items():
        if not isinstance(content, bytes | bytearray | memoryview):
            raise ModelFaultError(
                f"file {format_value(name)} must be bytes, not {format_value(content)}; of a text give text.encode()."
            )
    check_files([(name, memoryview(content).nbytes) for name, content in values.items()])
    return {name: bytes(content) for name, content in values.items()}


def check_files(announced: Sequence[tuple[object, int]]) -> None:
    """Check the names and sizes of files before any of their bytes is read.

    Raises:
        ModelFaultError: A name is none or there twice, or a limit is exceeded.
    """
    if len(announced) > MOST_FILES:
        raise ModelFaultError(f"evaluate returned {len(announced):,} files; at most {MOST_FILES} are allowed.")
    for name, size in announced:
        if not is_file_name(name):
            raise ModelFaultError(
                f"file {format_value(name)} has a name that is none: give letters, digits, _, - and single dots between"
                ' them, at most 100 characters, such as "report.pdf".'
            )
        if not size:
            raise ModelFaultError(f"file {name} is empty; leave it out.")
        if size > FILE_BYTES:
            raise ModelFaultError(f"file {name} has {size:,} bytes; at most {FILE_BYTES // MEBIBYTE} MiB are allowed.")
    if len({name for name, _ in announced}) < len(announced):
        raise ModelFaultError("evaluate returned two files of one name.")
    total = sum(size for _, size in announced)
    if total > FILES_TOTAL_BYTES:
        raise ModelFaultError(
            f"The files have {total:,} bytes together; at most {FILES_TOTAL_BYTES // MEBIBYTE} MiB are allowed."
        )


def charts(values: Mapping[Any, Any], tables: Mapping[str, Sequence[Mapping[str, Any]]]) -> dict[str, dict[str, Any]]:
    """Return the charts by name: `{"kind", "table", "x", "y"}` with columns of the result's tables.

    Args:
        values: The charts as they were returned.
        tables: The checked tables of the same result.

    Raises:
        ModelFaultError: A value is no chart of these tables; the text names the chart.
    """
    if len(values) > MOST_CHARTS:
        raise ModelFaultError(f"evaluate returned more than {MOST_CHARTS} charts.")
    known = {name: chart_form.columns(rows) for name, rows in tables.items()} if values else {}
    return {check_name(name, "chart"): _chart(name, value, known) for name, value in values.items()}


def _chart(name: str, value: Any, tables: Mapping[str, chart_form.Columns]) -> dict[str, Any]:
    if fault := chart_form.problem(value, tables):
        raise ModelFaultError(f"chart {name} {fault}, not {format_value(value)}.")
    return {"kind": value["kind"], "table": value["table"], "x": value["x"], "y": list(value["y"])}
