"""The files that values name, fetched from the core and given to each evaluation with its task."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import replace

import grpc

from catenary.worker.v1 import worker_service_pb2 as pb
from catenary.worker.v1 import worker_service_pb2_grpc as pb_grpc
from catenary_wire.input_files import split
from catenary_worker.child import WorkerFaultError
from catenary_worker.input_files import declared
from catenary_worker.task import InputFile, Task

_CACHED_BYTES = 64 * 1024 * 1024
_FETCH_SECONDS = 30.0

Fill = Callable[[Task], Awaitable[Task]]
"""Returns a described task with the files that its values name."""


async def unfilled(task: Task) -> Task:
    """Return a task as it is, where no value names a file."""
    return task


class FileGoneError(Exception):
    """A file that a value names is no longer there; the text is for the caller."""


class InputFiles:
    """The files that one worker has fetched, up to a number of bytes."""

    def __init__(self, stub: pb_grpc.WorkerServiceAsyncStub, metadata: tuple[tuple[str, str], ...]) -> None:
        """Begin without files.

        Args:
            stub: The core.
            metadata: The worker's credential.
        """
        self._stub = stub
        self._metadata = metadata
        self._cached: OrderedDict[tuple[str, str], bytes] = OrderedDict()

    async def filled(self, model_version_id: str, task: Task) -> Task:
        """Return a described task with the files that its values name.

        Raises:
            FileGoneError: A file was deleted after the value was taken.
        """
        files: dict[str, InputFile] = {}
        for parameter in declared(task):
            name = parameter["name"]
            if (found := split(task.parameters.get(name))) is not None:
                sha256, suffix = found
                content = await self._content(model_version_id, sha256)
                if content is None:
                    raise FileGoneError(
                        f"The file of {name} (SHA-256 {sha256}) was deleted from the project; upload it again and give"
                        " its new file_id."
                    )
                files[name] = InputFile(f"{name}{suffix}", content)
        return replace(task, files=files) if files else task

    async def _content(self, model_version_id: str, sha256: str) -> bytes | None:
        # By the version too, so that no project reads what another one's job has fetched.
        key = (model_version_id, sha256)
        content = self._cached.get(key)
        if content is None:
            content = await self._fetch(model_version_id, sha256)
            if content is None:
                return None
            self._cached[key] = content
            while sum(map(len, self._cached.values())) > _CACHED_BYTES and len(self._cached) > 1:
                self._cached.popitem(last=False)
        self._cached.move_to_end(key)
        return content

    async def _fetch(self, model_version_id: str, sha256: str) -> bytes | None:
        """Return a file of a version's project; None if the project no longer has it.

        Raises:
            WorkerFaultError: The core gave no file, or another one.
        """
        request = pb.FetchFileRequest(model_version_id=model_version_id, sha256=sha256)
        fetched = bytearray()
        try:
            async for part in self._stub.FetchFile(request, metadata=self._metadata, timeout=_FETCH_SECONDS):
                fetched += part.chunk
        except grpc.aio.AioRpcError as error:
            if error.code() is grpc.StatusCode.NOT_FOUND:
                return None
            raise WorkerFaultError("the file of a parameter could not be fetched") from error
        if hashlib.sha256(fetched).hexdigest() != sha256:
            raise WorkerFaultError("the file of a parameter arrived damaged")
        return bytes(fetched)
