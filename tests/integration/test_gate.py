"""`.ci/tests` on made-up tests: what it runs again, what it lists as flaky, and what is red at once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

pytestmark = pytest.mark.sampled

ROOT = Path(__file__).resolve().parents[2]
_CONFTEST = """
import pytest
from factories.checks import time_limits

@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    with time_limits.bounded(item.nodeid, 2.0, 2):
        return (yield)
"""
_ONCE = """
from pathlib import Path

def first():
    \"\"\"Return True the first time only.\"\"\"
    seen = Path("seen")
    if seen.exists():
        return False
    seen.touch()
    return True
"""
_FLAKY = f"{_ONCE}\ndef test_one(): assert not first()\n"
_CRASHING_ONCE = f"{_ONCE}\nimport os\ndef test_one(): first() and os._exit(1)\n"
_EVERY_SECOND = """
from pathlib import Path

def test_one():
    seen = Path("seen")
    count = len(seen.read_text()) if seen.exists() else 0
    seen.write_text("x" * (count + 1))
    assert count % 2
"""
_HANGING = """
import subprocess, time
from pathlib import Path

def test_one():
    child = subprocess.Popen(["sleep", "1000"], start_new_session=True)
    Path("child").write_text(str(child.pid))
    time.sleep(1000)
"""


def _gate(folder: Path, module: str, *arguments: str) -> tuple[int, str]:
    """Run the gate on one module of tests; return its exit code and its output."""
    (folder / "tests/unit").mkdir(parents=True)
    (folder / "pytest.ini").write_text("[pytest]\naddopts = -p xdist --import-mode=importlib -n 2 --dist worksteal\n")
    (folder / "conftest.py").write_text(_CONFTEST)
    (folder / "tests/unit/test_it.py").write_text(module)
    own = {"PYTHONPATH": str(ROOT / "tests"), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""}
    variables = {**os.environ, **own}
    command = [sys.executable, str(ROOT / ".ci/tests"), *arguments, str(Path(sys.executable).with_name("pytest"))]
    ended = subprocess.run(
        command, cwd=folder, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    return ended.returncode, ended.stdout


@pytest.mark.parametrize(
    "module",
    [_FLAKY, pytest.param(_CRASHING_ONCE, marks=pytest.mark.slow)],
    ids=["failing once", "crashing once"],
)
def test_a_test_that_passes_alone_three_times_is_listed_as_flaky(tmp_path: Path, module: str) -> None:
    code, output = _gate(tmp_path, module)
    assert code == 0, output
    assert "\nFLAKY tests/unit/test_it.py::test_one\n" in output
    assert output.count("once more alone") == 3


@pytest.mark.parametrize(
    ("module", "reason"),
    [
        ("def test_one(): assert False", "tests/unit/test_it.py::test_one failed again alone"),
        pytest.param(_EVERY_SECOND, "tests/unit/test_it.py::test_one failed again alone", marks=pytest.mark.slow),
        pytest.param(
            "import os\ndef test_one(): os._exit(1)",
            "tests/unit/test_it.py::test_one failed again alone",
            marks=pytest.mark.slow,
        ),
        ("import nothing_of_that_name", "tests/unit/test_it.py can't be collected"),
        pytest.param("", "pytest ended with 5", marks=pytest.mark.slow),
        ("import pytest\n@pytest.mark.parametrize('n', range(6))\ndef test_one(n): assert False", "6 tests failed"),
    ],
    ids=["failing", "failing every second time", "crashing", "unimportable", "no test", "many failing"],
)
def test_what_fails_is_red_with_its_reason(tmp_path: Path, module: str, reason: str) -> None:
    code, output = _gate(tmp_path, module)
    assert code == 1, output
    assert f"\nRED: {reason}\n" in output
    assert "FLAKY" not in output


@pytest.mark.slow
def test_a_test_of_the_change_has_no_second_chance(tmp_path: Path) -> None:
    touched = tmp_path / "touched"
    touched.write_text("tests/unit/test_it.py\n")
    code, output = _gate(tmp_path, _FLAKY, "--touched", str(touched))
    assert code == 1, output
    assert "is in a file that the change touches" in output
    assert "once more alone" not in output


@pytest.mark.slow
def test_tests_over_the_budget_of_seconds_are_red(tmp_path: Path) -> None:
    code, output = _gate(tmp_path, "import time\ndef test_one(): time.sleep(0.3)", "--seconds", "0.2")
    assert code == 1, output
    assert "over 0: mark the heaviest as slow" in output
    assert "unit 0" in output


@pytest.mark.slow
def test_a_hanging_test_is_ended_with_the_processes_that_it_started(tmp_path: Path) -> None:
    code, output = _gate(tmp_path, _HANGING)
    assert code == 1, output
    assert "crashed while running 'tests/unit/test_it.py::test_one'" in output
    assert not psutil.pid_exists(int((tmp_path / "child").read_text()))


def test_processes_that_tests_leave_behind_are_ended(tmp_path: Path) -> None:
    leaving = _HANGING.replace("    time.sleep(1000)", "    child.returncode = 0")
    code, output = _gate(tmp_path, leaving)
    child = int((tmp_path / "child").read_text())
    left = psutil.pid_exists(child)
    if left:
        os.kill(child, signal.SIGKILL)
    assert code == 0, output
    assert not left
    assert f"left behind: {child} sleep 1000" in output
