"""What a model prints comes back with its outcome, whatever it prints and however it ends."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from functools import partial
from importlib.util import find_spec

import pytest

from catenary_worker.host import Zygote
from catenary_worker.printed import KEPT_BYTES
from catenary_worker.task import Outcome, Task
from factories.services.models import zipped
from integration.worker.test_openscad import needs_openscad
from integration.worker.zygotes import good_evaluation

# The zygote belongs to the event loop of its module.
pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow]


FLOOD = """import threading
def flood():
    while True: os.write(1, b"x" * 60_000)
threading.Thread(target=flood, daemon=True).start()"""


async def run(zygote: Zygote, body: str, seconds: float = 60.0) -> Outcome:
    """Evaluate a model whose `evaluate` has the lines `body`."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    source = f"PARAMETERS = []\nimport os, sys\ndef evaluate(p):\n{lines}    return {{}}\n"
    return await zygote.run(Task("evaluate", "python", source.encode(), timeout=seconds))


async def printed_within(evaluation: Callable[[float], Awaitable[Outcome]], *limits: float) -> Outcome:
    """Evaluate under the limits in turn until something is printed: a machine that stands still uses up a short one."""
    for seconds in limits:
        outcome = await evaluation(seconds)
        if outcome.log:
            break
    return outcome


async def test_a_failure_comes_with_what_was_printed_and_the_calls_within_the_models_own_files(zygote: Zygote) -> None:
    model = b"""PARAMETERS = []
import json
import sys
from parts import tools
print("loading")

class Encoded:
    def __iter__(self):
        return iter([tools.half(0)])

def evaluate(p):
    print("evaluating", file=sys.stderr)
    return json.dumps(p, default=lambda value: list(Encoded())) + json.dumps(Encoded(), default=list)
"""
    tools = b"def half(n):\n    return 1 / n\n"
    source = zipped({"model.py": model, "parts/tools.py": tools})
    outcome = await zygote.run(Task("evaluate", "zip", source))
    assert outcome.error is not None
    assert (outcome.error.message, outcome.error.line) == ("ZeroDivisionError: division by zero", 9)
    assert (
        outcome.log
        == """loading
evaluating
Call chain (most recent call last):
  File "model.py", line 13, in evaluate
    return json.dumps(p, default=lambda value: list(Encoded())) + json.dumps(Encoded(), default=list)
  File "model.py", line 9, in __iter__
    return iter([tools.half(0)])
  File "parts/tools.py", line 2, in half
    return 1 / n
ZeroDivisionError: division by zero
"""
    ), "no call of the standard library or of ours is among them"


async def test_a_completed_evaluation_comes_with_what_was_printed_and_the_next_one_without(zygote: Zygote) -> None:
    outcome = await run(zygote, "print('span', 24.0)\nsys.stdout.write('no end of line')")
    assert (outcome.status, outcome.log) == ("completed", "span 24.0\nno end of line")
    assert (await good_evaluation(zygote)).log == ""


async def test_the_first_and_the_last_16_kib_are_kept_and_a_line_between_says_how_much_is_not(zygote: Zygote) -> None:
    outcome = await run(zygote, "for number in range(100_000):\n    print(f'{number:09}')")
    first, between, last = outcome.log.partition("\n[967,232 bytes are left out]\n")
    assert between, outcome.log[KEPT_BYTES - 10 : KEPT_BYTES + 100]
    assert (len(first), len(last)) == (KEPT_BYTES, KEPT_BYTES)
    assert first.startswith("000000000\n000000001\n")
    assert last.endswith("000099998\n000099999\n")
    whole = await run(zygote, f"print('x' * {2 * KEPT_BYTES - 1})")
    assert whole.log == "x" * (2 * KEPT_BYTES - 1) + "\n"


@pytest.mark.parametrize(
    "end",
    [
        "import ctypes\nctypes.string_at(0)",
        "os._exit(0)",
        "for d in range(3, 40):\n    try: os.write(d, b'x' * 100_000)\n    except OSError: pass",
    ],
    ids=["a crash", "an exit", "a damaged result"],
)
async def test_what_was_printed_before_a_bad_end_comes_back(zygote: Zygote, end: str) -> None:
    outcome = await run(zygote, f"print('so far')\n{end}")
    assert (outcome.status, outcome.log) == ("failed", "so far\n")
    await good_evaluation(zygote)


async def test_what_was_printed_before_the_end_of_the_time_comes_back(zygote: Zygote) -> None:
    endless = partial(run, zygote, "print('so far')\nwhile True: pass")
    outcome = await printed_within(endless, 2.0, 10.0, 50.0)
    assert (outcome.status, outcome.log) == ("timed_out", "so far\n")
    await good_evaluation(zygote)


async def test_no_text_of_a_model_breaks_json_or_controls_a_terminal(zygote: Zygote) -> None:
    outcome = await run(
        zygote,
        "print('\\x1b[31m red \\x07 \\x9b \\0 \\u202e \\ufeff \\ud800')\nprint('ten\\r\\neleven\\rtwelve\\tend')\n"
        "sys.stdout.flush()\nos.write(2, b'\\xff \\xc3')",
    )
    assert outcome.log == (
        "\\x1b[31m red \\x07 \\x9b \\x00 \\u202e \\ufeff \\ud800\nten\neleven\ntwelve\tend\n\ufffd \ufffd"
    )
    assert json.loads(json.dumps(outcome.log)) == outcome.log


@pytest.mark.parametrize(
    "body",
    [
        "os.close(1)\nos.close(2)",
        "sys.stdout = sys.stderr = None",
        "class Rude:\n    def flush(self): raise SystemExit\nsys.stdout = sys.stderr = Rude()",
        FLOOD,
    ],
    ids=["closed", "replaced by nothing", "replaced by something rude", "a flood without end"],
)
async def test_a_model_that_spoils_its_output_completes_all_the_same(zygote: Zygote, body: str) -> None:
    outcome = await run(zygote, body)
    assert outcome.status == "completed", outcome.error
    assert len(outcome.log) <= 2 * KEPT_BYTES + 100
    await good_evaluation(zygote)


async def test_a_worker_is_idle_while_a_model_that_closed_its_output_runs(zygote: Zygote) -> None:
    await good_evaluation(zygote)  # the first one starts the zygote
    used = []
    for _ in range(3):  # a machine that stands still may charge a process for that time
        began = time.process_time()
        await run(zygote, "os.close(1)\nos.close(2)\nimport time\ntime.sleep(1.5)")
        used.append(time.process_time() - began)
        if used[-1] < 0.5:
            break
    assert min(used) < 0.5, f"the end of the output is no news again and again: {used}"


async def test_a_run_that_is_cancelled_leaves_nothing_to_the_next(zygote: Zygote) -> None:
    running = asyncio.create_task(run(zygote, "print('cancelled')\nwhile True: pass"))
    await asyncio.sleep(0.3)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert (await good_evaluation(zygote)).log == ""


async def test_a_missing_package_names_what_a_model_may_import(zygote: Zygote) -> None:
    outcome = await run(zygote, "import no_such_library.part")
    assert outcome.error is not None
    assert outcome.error.message == (
        "ModuleNotFoundError: No module named 'no_such_library'. A model may import the standard library and numpy, scipy,"
        " trimesh, manifold3d, build123d; a zip brings modules of its own beside model.py."
    )


@pytest.mark.skipif(find_spec("build123d") is not None, reason="the optional package build123d is installed")
async def test_a_missing_optional_package_names_the_extra_that_installs_it(zygote: Zygote) -> None:
    outcome = await run(zygote, "from build123d import Box")
    assert outcome.error is not None
    assert outcome.error.message == (
        "ModuleNotFoundError: No module named 'build123d'. The workers lack the extra brep: their operator installs it with"
        " `pip install 'catenary[brep]'` and starts them again."
    )


@needs_openscad
async def test_what_openscad_prints_comes_back_with_a_result_and_with_a_failure(zygote: Zygote) -> None:
    made = await zygote.run(Task("evaluate", "openscad", b'echo("span", 24); cube(1);'))
    assert made.log.startswith('ECHO: "span", 24\n'), made
    failed = await zygote.run(Task("evaluate", "openscad", b'echo("before"); assert(1 > 2, "too small"); cube(1);'))
    assert failed.status == "failed"
    assert 'ECHO: "before"\n' in failed.log
    assert "too small" in failed.log
    slow = b'echo("begun"); $fn = 400; minkowski() { sphere(10); sphere(3); sphere(1); }'
    late = await printed_within(
        lambda seconds: zygote.run(Task("evaluate", "openscad", slow, timeout=seconds)), 3.0, 10.0, 50.0
    )
    assert (late.status, late.log) == ("timed_out", 'ECHO: "begun"\n')
