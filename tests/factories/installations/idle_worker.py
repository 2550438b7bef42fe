"""A worker process that runs no model.

`python -m factories.installations.idle_worker ADDRESS BYTES` ends every job at once, with a geometry of that size.
"""

from __future__ import annotations

import sys

import grpc
import uvloop

from catenary.worker.v1 import worker_service_pb2_grpc
from catenary_core.jobs.handover import WaitingWorkers
from factories.services.evaluations import MadeGeometry, ScriptedWorker


async def work(address: str, size: int) -> None:
    """Run the worker until it is killed."""
    async with grpc.aio.insecure_channel(address) as channel:
        stub = worker_service_pb2_grpc.WorkerServiceStub(channel)  # type: ignore[no-untyped-call]
        worker = ScriptedWorker(stub, "idle", "runtime-1", WaitingWorkers())
        print("ready", flush=True)
        count = 0
        while True:
            job = await worker.lease(20)
            if job is None:
                continue
            count += 1
            data = count.to_bytes(4, "big") * (size // 4)
            geometry = [MadeGeometry("arch", "glb", data)] if size else []
            await worker.complete(job, metrics={"mass": {"value": 1.5, "unit": "kg"}}, geometry=geometry)


if __name__ == "__main__":
    uvloop.run(work(sys.argv[1], int(sys.argv[2])))
