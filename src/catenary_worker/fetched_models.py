"""The models that a worker has fetched, with what it has read from them."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from dataclasses import dataclass, replace

import orjson

from catenary.worker.v1 import worker_service_pb2 as pb
from catenary.worker.v1 import worker_service_pb2_grpc as pb_grpc
from catenary_worker.child import WorkerFaultError
from catenary_worker.host import Zygote
from catenary_worker.task import Outcome, Task

_MODELS_BYTES = 256 * 1024 * 1024
_OBJECT_BYTES = 8
"""Bytes of Python objects for each byte of their JSON, measured on lists of many short texts."""
_FETCH_SECONDS = 120.0


@dataclass(slots=True)
class FetchedModel:
    """A model's file, with its `describe` result after the first `describe`, whose child ran none of the model."""

    source: bytes
    described: Outcome | None = None

    @property
    def size(self) -> int:
        """The approximate number of bytes that the cache holds for the model."""
        if self.described is None:
            return len(self.source)
        return (
            len(self.source) + len(self.described.code) + _OBJECT_BYTES * len(orjson.dumps(self.described.description))
        )


class FetchedModels:
    """The models of one worker, up to a number of bytes."""

    def __init__(
        self, stub: pb_grpc.WorkerServiceAsyncStub, metadata: tuple[tuple[str, str], ...], zygote: Zygote
    ) -> None:
        """Begin without models.

        Args:
            stub: The core.
            metadata: The worker's credential.
            zygote: Reads and compiles models.
        """
        self._stub = stub
        self._metadata = metadata
        self._zygote = zygote
        self._models: OrderedDict[tuple[str, str], FetchedModel] = OrderedDict()

    async def of(self, job: pb.Job) -> FetchedModel:
        """Return the job's model from the cache, fetched on first use."""
        key = (job.source_sha256, job.model_kind)
        model = self._models.get(key)
        if model is None:
            request = pb.FetchSourceRequest(model_version_id=job.model_version_id)
            fetched = bytearray()
            async for part in self._stub.FetchSource(request, metadata=self._metadata, timeout=_FETCH_SECONDS):
                fetched += part.chunk
            model = FetchedModel(bytes(fetched))
            if hashlib.sha256(model.source).hexdigest() != job.source_sha256:
                raise WorkerFaultError("the model's file arrived damaged")
            self._models[key] = model
            self._evict()
        self._models.move_to_end(key)
        return model

    def _evict(self) -> None:
        """Evict least recently used models while there is more than one and their size is over _MODELS_BYTES."""
        while sum(model.size for model in self._models.values()) > _MODELS_BYTES and len(self._models) > 1:
            self._models.popitem(last=False)

    async def described(self, model: FetchedModel, task: Task) -> Outcome:
        """Return the outcome of a model's first describe that completed, or of one now, within a slot."""
        if (described := model.described) is None:
            # With a time limit of its own, as in a check: messages would name what is left of a shared one.
            described = await self._zygote.run_once(replace(task, mode="describe", parameters={}))
            if described.status == "completed":
                model.described = described
                self._evict()
        return described
