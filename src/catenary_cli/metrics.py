"""`/metrics` of the supervisor: what its nodes count, summed up, and which parts are ready.

The processes keep their counts in files of one folder (prometheus_client's multiprocess mode), so that what a killed one has
counted stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from catenary_cli.processes import Child

FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"


class Counts:
    """The counts of the supervisor's children, which must be started with `environment`."""

    def __init__(self, folder: Path, children: Callable[[], Sequence[Child]]) -> None:
        folder.mkdir()
        self.environment = {FOLDER_VARIABLE: str(folder)}
        self._folder = folder
        self._children = children
        self._registry = CollectorRegistry()
        MultiProcessCollector(self._registry, path=str(folder))  # type: ignore[no-untyped-call]  # not typed there
        self._registry.register(_Ready(children))

    def text(self) -> bytes:
        """Everything, in Prometheus' text format."""
        alive = {str(child.pid) for child in self._children()}
        # A gauge holds for a process that lives; what a dead one counted goes on counting.
        for file in self._folder.glob("gauge_live*_*.db"):
            pid = file.stem.rpartition("_")[2]
            if pid not in alive:
                mark_process_dead(pid, str(self._folder))  # type: ignore[no-untyped-call]  # not typed there
        return generate_latest(self._registry)


class _Ready(Collector):
    """Which parts are ready, by kind."""

    def __init__(self, children: Callable[[], Sequence[Child]]) -> None:
        self._children = children

    def collect(self) -> Iterator[Metric]:
        """The one gauge."""
        family = GaugeMetricFamily("catenary_ready", "Processes that are at work.", labels=["part"])
        for kind in ("node", "worker"):
            own = [child for child in self._children() if child.name.partition("-")[0] == kind]
            family.add_metric([kind], sum(child.ready.is_set() for child in own))
        yield family
