"""The parts that the service of workers adds to a core; the owners of jobs stand before it in the list."""

from __future__ import annotations

from catenary_core.frame import Assembly, CoreParts, Frame
from catenary_core.services.worker.reaper import Reaper
from catenary_core.services.worker.servicer import WorkerServicer


def assemble(frame: Frame, parts: CoreParts) -> None:
    """Add the service's parts."""
    parts.servicers["catenary.worker.v1.WorkerService"] = WorkerServicer(
        frame, parts.job_owners, parts.chunk_owners, parts.recheck_worker, parts.revoke_repeatable
    )
    parts.background.append(Reaper(frame, parts.job_owners))


ASSEMBLY = Assembly(assemble=assemble, unwatched={"worker.runtime": "shown to workers only"})
