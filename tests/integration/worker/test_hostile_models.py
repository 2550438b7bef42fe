"""The list "Models" of what must not get through.

Each attack fails as it should, the next good evaluation works, and nothing of the attack is left.
"""

import asyncio
import io
import json
import os
import pickle
import socket
import stat
import struct
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from catenary_worker import received
from catenary_worker.host import CancelledRunError, Zygote
from catenary_worker.task import MEBIBYTE, Outcome, Task
from factories.checks import running_clock
from integration.worker.zygotes import Without, child_at_work, children, evaluate, good_evaluation, model, nothing_left

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow]


@dataclass
class Attack:
    name: str
    message: str
    line: int | None = None
    status: str = "failed"
    timeout: float = 60.0
    parameters: dict[str, Any] = field(default_factory=dict)

    @property
    def task(self) -> Task:
        return evaluate(f"hostile/{self.name}", self.timeout, **self.parameters)


ENDED = "The model ended its own process without returning a result."
SLOW = {"status": "timed_out", "timeout": 1.0}
ATTACKS = [
    Attack("syntax_error", "SyntaxError: expected ':'", 6),
    Attack("missing_import", "ModuleNotFoundError: No module named 'no_such_library'", 6),
    Attack("other_library", "ModuleNotFoundError: No module named 'aiohttp'", 6),
    Attack("not_literal", "PARAMETERS: the value of 'default' is not a literal.", 3),
    Attack("endless_loop", "The model took longer than 1 s.", **SLOW),
    Attack("ignored_signals", "The model took longer than 1 s.", **SLOW),
    Attack("endless_import", "The model took longer than 1 s.", **SLOW),
    Attack("slow_encoding", "The model took longer than 1 s.", **SLOW),
    Attack("memory_at_once", "MemoryError: the model used more than 1024 MiB of memory."),
    Attack("memory_slowly", "MemoryError: the model used more than 256 MiB", parameters={"memory": 256 * MEBIBYTE}),
    Attack("fork", "PermissionError: [Errno 1] Operation not permitted", 10),
    Attack("fork_bomb", "RuntimeError: stopped by Operation not permitted", 14),
    Attack("execute", "PermissionError: [Errno 1] Operation not permitted", 10),
    Attack("disk", "OSError: [Errno 28] No space left on device"),
    Attack("many_files", "OSError: [Errno 28] No space left on device"),
    Attack("socket_use", "PermissionError: [Errno 1] Operation not permitted", 10, parameters={"port": 9}),
    Attack("deep_recursion", "RecursionError: maximum recursion depth exceeded", 8),
    Attack(
        "deep_recursion_in_c",
        # From 3.12 on CPython counts its calls in C too.
        "RecursionError" if sys.version_info >= (3, 12) else "The model's process crashed with a segmentation fault",
    ),
    Attack("exit_early", ENDED),
    Attack("system_exit", "The model called exit instead of returning a result."),
    Attack("segfault", "The model's process crashed with a segmentation fault"),
    Attack("abort", "The model's process crashed with"),
    Attack("big_table", "The result has more than 3 MiB"),
    Attack("endless_result", "The model's process sent a damaged result."),
    Attack("pickled", "metric value must be a number, not <model.Trap object"),
    Attack("many_triangles", "geometry mesh: 100000000 faces are too many"),
    Attack("rude_error", "Rude: (its text cannot be made)"),
    Attack("our_paths", "ValueError: numpy is at <runtime>/numpy/__init__.py", 10),
    Attack("replaced", ENDED),
]


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
async def test_an_attack_fails_and_the_next_good_evaluation_works(zygote: Zygote, attack: Attack) -> None:
    pid, before = zygote.pid, children(zygote)
    outcome = await zygote.run(attack.task)
    assert outcome.error is not None, outcome
    assert outcome.error.message.startswith(attack.message), outcome.error
    assert outcome.status == attack.status
    assert outcome.error.code == ("EVALUATION_TIMEOUT" if attack.status == "timed_out" else "MODEL_FAILED")
    if attack.line:
        assert outcome.error.line == attack.line
    assert not outcome.metrics
    assert not outcome.geometry
    await good_evaluation(zygote)
    await nothing_left(zygote, before)
    assert zygote.pid == pid, "the zygote itself was hurt"


@pytest.mark.parametrize("name", ["loud", "threads", "kill_all", "meet"])
async def test_a_harmless_try_completes_and_leaves_nothing(zygote: Zygote, name: str) -> None:
    before = children(zygote)
    outcome = await zygote.run(evaluate(f"hostile/{name}"))
    assert outcome.status == "completed", outcome.error
    expected = {"loud": range(1, 2), "threads": range(64), "kill_all": range(1), "meet": range(1)}[name]
    assert outcome.metrics["value"]["value"] in expected
    await good_evaluation(zygote)
    await nothing_left(zygote, before)


async def test_a_model_sees_nothing_of_the_machine(zygote: Zygote, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CATENARY_SECRET", "canary")
    outcome = await zygote.run(evaluate("hostile/snoop"))
    assert outcome.status == "completed", outcome.error
    found: dict[str, list[str]] = {}
    for row in outcome.tables["found"]:
        found.setdefault(row["kind"], []).append(row["what"])
    for text in found["seen"]:
        # Folders on the way to the runtime, which hold nothing but it.
        assert text.split(":")[0] in ("/root", "/tmp", "/home", "/opt"), text
        assert "canary" not in text
    assert "writable" not in found
    names = {text.split("=")[0] for text in found["environment"]}
    assert names <= {"HOME", "LANG", "TMPDIR", *(name for name in names if name.endswith("_NUM_THREADS"))}
    assert len(found["descriptor"]) == 4  # 0 on /dev/null, 1 and 2 on the pipe of what is printed, and the result pipe
    (identity,) = found["identity"]
    uid, gid, rest = identity.split(" ", 2)
    # Only root may leave its groups (user_namespaces(7)); of another user's the namespace knows the own one.
    groups = {"[]"} if os.geteuid() == 0 else {f"{sorted({*other, int(gid)})}" for other in ((), (65534,))}
    assert rest in {f"{those} model 1" for those in groups}
    assert uid == gid != "0"


async def test_a_model_finds_no_file_of_an_earlier_evaluation(zygote: Zygote) -> None:
    left = await zygote.run(evaluate("hostile/leave_file"))
    assert left.metrics["value"]["value"] == 1  # its own folder only
    found = await zygote.run(evaluate("hostile/find_file"))
    assert found.metrics["value"]["value"] == 0


def forged(header: object, blobs: bytes = b"") -> str:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return (struct.pack(">I", len(text)) + text + blobs).hex()


COMPLETED = {"status": "completed", "metrics": {"value": 1}, "tables": {}, "geometry": []}
GEOMETRY: dict[str, Any] = {
    "name": "a",
    "parts": [{"name": "p", "lines": False, "density": None, "color": None}],
    "step": False,
}
TRIANGLE = struct.pack("<9d3I", 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 2)
FORGERIES = {
    "a pickle": forged(pickle.dumps({"status": "completed"})),
    "no length": "00",
    "half a header": forged(b'{"status": "comp'),
    "a deep header": forged(b"[" * 100_000),
    "a list": forged([1]),
    "no status": forged({**COMPLETED, "status": "approved", "blobs": []}),
    "NaN": forged(b'{"status": "completed", "metrics": {"value": NaN}}'),
    "a name with a path": forged({**COMPLETED, "blobs": [72, 12], "geometry": [{**GEOMETRY, "name": "../a"}]}, TRIANGLE),
    "an unknown format": forged({**COMPLETED, "blobs": [1], "geometry": [{"name": "a", "format": "html", "parts": []}]}, b"x"),
    "a file": forged({**COMPLETED, "blobs": [1], "geometry": [{"name": "a", "format": "glb", "parts": []}]}, b"x"),
    "the same geometry twice": forged({**COMPLETED, "blobs": [72, 12] * 2, "geometry": [GEOMETRY] * 2}, TRIANGLE * 2),
    "a blob that is too large": forged({**COMPLETED, "blobs": [10**9], "geometry": [GEOMETRY]}),
    "a negative blob": forged({**COMPLETED, "blobs": [-1], "geometry": [GEOMETRY]}),
    "10,000 blobs": forged({**COMPLETED, "blobs": [0] * 10_000}),
    "fewer blobs than files": forged({**COMPLETED, "blobs": [], "geometry": [GEOMETRY]}),
    "a message with NUL": forged(
        {"status": "failed", "error": {"message": "\0", "line": 1}, "blobs": []}
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGERIES)
async def test_a_forged_result_is_a_failure(zygote: Zygote, name: str) -> None:
    outcome = await zygote.run(evaluate("hostile/forged", hex=FORGERIES[name]))
    assert outcome.status == "failed"
    assert outcome.error is not None
    assert outcome.error.message in (ENDED, "The model's process sent a damaged result.")
    await good_evaluation(zygote)


async def test_the_forgeries_differ_from_a_true_message_in_what_they_forge(zygote: Zygote) -> None:
    """Guard off: a well-formed message passes, so the checks above refuse the forgery and not the way."""
    outcome = await zygote.run(
        evaluate("hostile/forged", hex=forged({**COMPLETED, "blobs": [72, 12], "geometry": [GEOMETRY]}, TRIANGLE))
    )
    assert outcome.status == "completed"
    assert outcome.geometry[0].data.startswith(b"glTF")
    assert outcome.geometry[0].parts[0]["area"] == 0.5


async def test_a_model_s_own_verdict_is_not_believed(zygote: Zygote, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[dict[str, Any]] = []
    outcome_of = received.outcome

    def noted(task: Task, header: Any, *more: Any) -> Outcome:
        told.append(header)
        return outcome_of(task, header, *more)

    monkeypatch.setattr(received, "outcome", noted)
    outcome = await zygote.run(evaluate("hostile/own_verdict"))
    assert outcome.status == "completed", outcome.error
    assert outcome.metrics == {"utilisation": {"value": 5, "unit": "percent"}}
    strength = outcome.constraints["strength"]
    assert (outcome.constraints.keys(), strength["value"], strength["satisfied"]) == ({"strength"}, 5, False)
    assert 0 < outcome.duration_ms < 60_000
    forged = told[-1]
    assert (forged["constraints"]["strength"]["satisfied"], forged["duration_ms"]) == (True, -1e12), (
        "the attack is real"
    )
    await good_evaluation(zygote)


VERDICTS = {
    "a duration of -1e12": ({"duration_ms": -1e12}, None),
    "a duration of 1e300": ({"duration_ms": 1e300}, None),
    "undeclared constraints": ({"constraints": {"x": {"value": 0, "satisfied": True}}}, None),
    "other units": ({"metrics": {"value": {"value": 1, "unit": "kg"}}}, "metric value must be a number, not {"),
    "a missing metric": ({"metrics": {}}, "evaluate did not return the metric value, which METRICS declares."),
    "1,001 metrics": (
        {"metrics": {f"m{number}": 1 for number in range(1_001)}},
        "evaluate returned more than 1000 metrics.",
    ),
    "a metric of text": ({"metrics": {"value": "1"}}, "metric value must be a number, not '1'."),
}


@pytest.mark.parametrize("name", VERDICTS)
async def test_of_a_forged_message_units_constraints_and_time_are_the_host_s(zygote: Zygote, name: str) -> None:
    changed, message = VERDICTS[name]
    outcome = await zygote.run(evaluate("hostile/forged", hex=forged({**COMPLETED, "blobs": [], **changed})))
    if message is None:
        assert outcome.metrics == {"value": {"value": 1, "unit": None}}
        assert outcome.constraints == {}
    else:
        assert outcome.error is not None
        assert outcome.error.message.startswith(message)
    assert 0 < outcome.duration_ms < 60_000


REFUSED = {
    "65 parts": (
        [24] * 65,
        b"",
        "The geometry has 65 parts; at most 64 are allowed.",
    ),
    "an index without a point": (
        [72, 12],
        TRIANGLE[:-1] + b"\1",
        "geometry p: face index 16777218 is out of range for 3 vertices.",
    ),
    "NaN": (
        [72, 12],
        struct.pack("<d", float("nan")) + TRIANGLE[8:],
        "geometry p: 1 of its vertices are not finite, the first at 0.",
    ),
    "10^9 triangles": ([72, 12 * 10**9], b"", "The geometry has 1000000000 triangles; at most 5000000 are allowed."),
    "10^9 points": ([24 * 10**9, 12], b"", "geometry a: its glb file is larger than 64 MiB."),
}


@pytest.mark.parametrize("name", REFUSED)
async def test_forged_geometry_is_refused_with_what_is_wrong_with_it(zygote: Zygote, name: str) -> None:
    """The attacks are shown to work without their guard in `tests/unit/worker/test_geometry_files.py`."""
    sizes, content, message = REFUSED[name]
    parts = [{**GEOMETRY["parts"][0], "name": f"p{number}", "lines": True} for number in range(65)]
    geometry = {**GEOMETRY, "parts": parts} if len(sizes) == 65 else GEOMETRY
    told = forged({**COMPLETED, "blobs": sizes, "geometry": [geometry]}, content)
    outcome = await zygote.run(evaluate("hostile/forged", hex=told))
    assert outcome.status == "failed"
    assert outcome.error is not None
    assert (outcome.error.code, outcome.error.message) == ("MODEL_FAILED", message)
    assert not outcome.geometry
    await good_evaluation(zygote)


def zipped(**files: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return packed.getvalue()


def zip_attacks() -> dict[str, tuple[Callable[[], bytes], str]]:
    """Return what makes each zip, since the bomb takes a second, and how its refusal begins."""
    good = model("good")
    link = zipfile.ZipInfo("link")
    link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("model.py", good)
        archive.writestr(link, "/etc/passwd")
    return {
        "bomb": (
            lambda: zipped(**{"model.py": good, "zeros": bytes(200 * MEBIBYTE)}),
            "The zip unpacks to more than 100 MiB.",
        ),
        "parent": (
            lambda: zipped(**{"model.py": good, "../out.py": b""}),
            "The zip holds the unsafe path '../out.py'.",
        ),
        "absolute": (lambda: zipped(**{"model.py": good, "/out.py": b""}), "The zip holds the unsafe path '/out.py'."),
        "link": (packed.getvalue, "The zip holds 'link', which is a link or a special file."),
        "many": (lambda: zipped(**{"model.py": good, **{f"f{n}": b"" for n in range(1001)}}), "The zip has 1002 files"),
        "no model": (lambda: zipped(other=b""), "The zip has no model.py at its root."),
        "not a zip": (lambda: b"PK\x03\x04 nonsense", "The zip cannot be read: File is not a zip file."),
        "cut": (lambda: zipped(**{"model.py": good})[:-30], "The zip cannot be read"),
    }


@pytest.mark.parametrize("name", zip_attacks())
# Both modes unpack a zip by the same function; a version that was uploaded has been described first.
@pytest.mark.parametrize("mode", ["describe", pytest.param("evaluate", marks=pytest.mark.slow)])
async def test_a_hostile_zip_is_refused(zygote: Zygote, name: str, mode: Any) -> None:
    make, message = zip_attacks()[name]
    outcome = await zygote.run(Task(mode, "zip", make(), {"size": 2.0}))
    assert outcome.status == "failed"
    assert outcome.error is not None
    assert outcome.error.message.startswith(message)


async def test_a_zipped_model_imports_its_modules_and_reads_its_data(zygote: Zygote) -> None:
    source = b"""
from helper import double
PARAMETERS = []
def evaluate(p):
    return {"metrics": {"value": double(float(open("data/number.txt").read()))}}
"""
    files = {"model.py": source, "helper.py": b"def double(x): return 2 * x", "data/number.txt": b"21"}
    outcome = await zygote.run(Task("evaluate", "zip", zipped(**files)))
    assert outcome.status == "completed", outcome.error
    assert outcome.metrics == {"value": {"value": 42.0, "unit": None}}


# With a guard taken out the same attack works; harmlessly.


@pytest.mark.parametrize("name", ["fork", "memory_at_once", "disk"])
async def test_without_its_guard_an_attack_works(without: Without, name: str) -> None:
    guards = {"fork": ["filter_calls"], "memory_at_once": ["limit_task"], "disk": ["limit", "namespaces"]}[name]
    zygote = without(*guards)
    try:
        before = children(zygote) if await zygote.start() else set()
        outcome = await zygote.run(evaluate(f"hostile/{name}"))
        assert outcome.status == "completed", outcome.error
        await nothing_left(zygote, before)
    finally:
        await zygote.close()


async def test_without_the_sandbox_a_model_reads_the_machine_and_calls_the_network(without: Without) -> None:
    zygote = without("namespaces")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(60)
        try:
            await zygote.start()
            snooped = await zygote.run(evaluate("hostile/snoop"))
            assert any("/etc/passwd" in row["what"] for row in snooped.tables["found"])
            called = await zygote.run(evaluate("hostile/socket_use", port=listener.getsockname()[1]))
            assert called.status == "completed", called.error
            line, _ = listener.accept()
            assert line.recv(100) == b"from the model"
            line.close()
        finally:
            await zygote.close()


async def test_in_the_sandbox_the_same_call_does_not_arrive(zygote: Zygote) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        called = await zygote.run(evaluate("hostile/socket_use", port=listener.getsockname()[1]))
        assert called.status == "failed"
        with pytest.raises(BlockingIOError):
            listener.accept()


async def test_without_the_call_filter_the_network_is_still_out_of_reach(without: Without) -> None:
    zygote = without("filter_calls")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        try:
            await zygote.start()
            met = await zygote.run(evaluate("hostile/meet"))  # so it is the filter that keeps evaluations apart there
            assert met.metrics["value"]["value"] == 6
            called = await zygote.run(evaluate("hostile/socket_use", port=listener.getsockname()[1]))
            assert called.error is not None
            assert "Network is unreachable" in called.error.message
            # pid 1 of its own namespace: there is nobody else to kill.
            killed = await zygote.run(evaluate("hostile/kill_all"))
            assert killed.status in ("completed", "failed")
            await good_evaluation(zygote)
        finally:
            await zygote.close()


@pytest.mark.skipif(
    os.geteuid() != 0, reason="another user than root is refused the daemon: the limit of threads counts processes too"
)
async def test_without_the_sandbox_a_daemon_of_a_model_is_still_ended(without: Without) -> None:
    zygote = without("namespaces")
    source = b"""
import os, time
PARAMETERS = []
def evaluate(p):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(600)
        os._exit(0)
    os.wait()
    return {"metrics": {"value": 1}}
"""
    try:
        await zygote.start()
        before = children(zygote)
        outcome = await zygote.run(Task("evaluate", "python", source))
        assert outcome.status == "completed", outcome.error
        await nothing_left(zygote, before)
    finally:
        await zygote.close()


async def test_a_deadline_is_held_from_outside(zygote: Zygote) -> None:
    started = running_clock.seconds()
    outcome = await zygote.run(evaluate("hostile/ignored_signals", timeout=0.5))
    assert outcome.status == "timed_out"
    assert 0.5 <= running_clock.seconds() - started < 5.0
    # Guard off: with a longer limit the same loop is still running when it would have been ended.
    running = asyncio.create_task(zygote.run(evaluate("hostile/ignored_signals", timeout=60)))
    await child_at_work(zygote)
    await asyncio.sleep(1.0)
    assert not running.done()
    await zygote.cancel()
    with pytest.raises(CancelledRunError):
        await running
