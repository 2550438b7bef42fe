"""What packages write and print while the zygote imports them, and the temporary files of a model."""

import tempfile
from pathlib import Path

import pytest

from catenary_worker.host import WorkerFaultError
from catenary_worker.task import Task
from integration.worker.zygotes import Without

pytestmark = pytest.mark.sampled

_PACKAGE = """
import os, sys, tempfile
from pathlib import Path
CACHE = Path("~/.cache/made_up").expanduser()
CACHE.mkdir(parents=True)
(CACHE / "fonts").write_text("fonts")
tempfile.NamedTemporaryFile(delete=False).write(b"left")
print("a notice of a package", file=sys.stderr)
os.write(2, b"a notice of its library\\n")
"""

_LOADED_WITH_IT = f"""
import sys
from importlib.abc import InspectLoader, MetaPathFinder
from importlib.util import spec_from_loader
class MadeUp(MetaPathFinder, InspectLoader):
    def find_spec(self, name, path, target=None):
        return spec_from_loader(name, self) if name == "made_up" else None
    def get_source(self, name):
        return {_PACKAGE!r}
sys.meta_path.append(MadeUp())
from catenary_worker.sandbox import runtime
runtime.MODULES += ("made_up",)
"""

_MODEL = b"""
import sys
import tempfile
from pathlib import Path

PARAMETERS = [{"name": "size", "type": "number", "default": 1.0, "min": 1, "max": 2}]


def evaluate(p):
    with tempfile.NamedTemporaryFile("w+") as file:
        file.write("written")
        inside = Path(file.name).parent == Path.cwd()
    package = sys.modules.get("made_up")
    left = package is not None and (package.CACHE / "fonts").exists()
    return {"metrics": {"inside": int(inside), "left": int(left)}}
"""


def _left(pid: int | None) -> list[Path]:
    """Return the files outside of the cell that a zygote may have left."""
    return [*Path(tempfile.gettempdir()).glob(f"catenary-model-{pid}-*"), *Path("/").glob("nonexistent")]


@pytest.mark.parametrize(
    "guards", [(), pytest.param(("namespaces",), marks=pytest.mark.slow)], ids=["sandboxed", "unsandboxed"]
)
async def test_a_package_that_writes_and_prints_while_imported_leaves_nothing(
    without: Without, capfd: pytest.CaptureFixture[str], guards: tuple[str, ...]
) -> None:
    zygote = without(*guards, code=_LOADED_WITH_IT)
    await zygote.start()
    pid = zygote.pid
    try:
        outcome = await zygote.run(Task("evaluate", "python", _MODEL, {"size": 1.0}))
    finally:
        await zygote.close()
    assert outcome.status == "completed", outcome.error
    assert {name: metric["value"] for name, metric in outcome.metrics.items()} == {"inside": 1, "left": 0}
    assert capfd.readouterr().err == ""
    assert not _left(pid)


async def test_a_package_that_cannot_be_imported_is_told_to_the_operator(
    without: Without, capfd: pytest.CaptureFixture[str]
) -> None:
    code = "from catenary_worker.sandbox import runtime\nruntime.MODULES += ('absent_package',)"
    with pytest.raises(WorkerFaultError, match="did not start"):
        await without(code=code).start()
    assert "No module named 'absent_package'" in capfd.readouterr().err
