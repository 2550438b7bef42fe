"""`/metrics`: the sums of the supervisor's nodes and workers, or one part's own metrics, and which parts are ready.

The supervisor's processes keep their metrics in files of one folder (prometheus_client's multiprocess mode), so that
the counts of a killed process stay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from prometheus_client import REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from catenary_cli.server.processes import ChildProcess

FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
_KINDS = ("node", "worker")


class ChildMetrics:
    """The metrics of the supervisor's children, which must be started with `environment`."""

    def __init__(self, folder: Path, children: Callable[[], Sequence[ChildProcess]]) -> None:
        folder.mkdir()
        self.environment = {FOLDER_VARIABLE: str(folder)}
        self._folder = folder
        self._children = children
        self._registry = CollectorRegistry()
        MultiProcessCollector(self._registry, path=str(folder))  # type: ignore[no-untyped-call]  # not typed there
        self._registry.register(_Ready(self._ready))

    def text(self) -> bytes:
        """Return all metrics in Prometheus' text format."""
        alive = {str(child.pid) for child in self._children()}
        # A gauge holds for a live process only; the counters of a dead one stay in the sums.
        for file in self._folder.glob("gauge_live*_*.db"):
            pid = file.stem.rpartition("_")[2]
            if pid not in alive:
                mark_process_dead(pid, str(self._folder))  # type: ignore[no-untyped-call]  # not typed there
        return generate_latest(self._registry)

    def _ready(self) -> dict[str, int]:
        kinds = {kind: [one for one in self._children() if one.name.startswith(f"{kind}-")] for kind in _KINDS}
        return {kind: sum(child.ready.is_set() for child in own) for kind, own in kinds.items()}


def of_part(name: str, state: Callable[[], str]) -> Callable[[], bytes]:
    """Return the function that formats this process's metrics, with `name` as ready while its state is `ok`."""
    registry = CollectorRegistry()
    registry.register(_Ready(lambda: {name: int(state() == "ok")}))
    return lambda: generate_latest(REGISTRY) + generate_latest(registry)


class _Ready(Collector):
    """The gauge of how many parts of each kind are ready."""

    def __init__(self, ready: Callable[[], Mapping[str, int]]) -> None:
        self._ready = ready

    def collect(self) -> Iterator[Metric]:
        """Yield the gauge."""
        family = GaugeMetricFamily("catenary_ready", "Processes that are at work.", labels=["part"])
        for kind, number in self._ready().items():
            family.add_metric([kind], number)
        yield family
