"""Fuzzes the readers of strangers' bytes by coverage, with atheris.

`python tests/fuzz/run.py [--seconds 30] [TARGET…]` fuzzes each target in a process of its own, two at a time, and ends
with an error at the first exception that is no refusal, or input that costs over 5 s or 1 GiB. It prints the runs of
each target, and where an input that failed lies. `--keep` adds the inputs that reach new code to the corpus.
The corpora are replayed without atheris by `tests/unit/test_fuzz_corpora.py`.

A target is a module of `targets` with a function `run(data)`, which reads one input, of at most MAX_BYTES, and returns
`taken` or `refused`. It raises only for faults of ours, so an assertion there is a promise about every input.
"""

from __future__ import annotations

import argparse
import importlib
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FUZZ = Path(__file__).resolve().parent
ROOT = FUZZ.parents[1]
CORPORA = FUZZ / "corpus"
TARGETS = tuple(sorted(path.stem for path in (FUZZ / "targets").glob("*.py")))
MAX_BYTES = 65_536
"""Largest input: what one costs may grow with its length, so the bounds below are for this length."""
SECONDS = 5
"""Seconds after which one input counts as endless; a slow machine needs some."""
MEBIBYTES = 1024
"""Memory of the process that fuzzes a target, its libraries included."""
_INSTRUMENTED = ["catenary_edge", "catenary_core", "catenary_wire", "catenary_worker", "zipfile"]


def _fuzz_here(name: str, arguments: list[str]) -> None:
    """Run libFuzzer in this process, which it ends."""
    import atheris

    sys.path[:0] = [str(ROOT / part) for part in ("src", "edge", "gen", "tests")]
    with atheris.instrument_imports(include=_INSTRUMENTED, enable_loader_override=False):
        target = importlib.import_module(f"fuzz.targets.{name}")
        target.run(b"")
    # A merge starts its parts by the first argument, in a shell.
    command = shlex.join([sys.executable, __file__, "--one", name])
    atheris.Setup([command, *arguments], lambda data: target.run(data) and None)
    atheris.Fuzz()


def _fuzz(name: str, seconds: int, new: Path) -> tuple[bool, str]:
    """Fuzz a target in a process of its own; return whether all went well, and what to tell."""
    found = new / name
    found.mkdir()
    limits = [
        f"-max_total_time={seconds}",
        f"-timeout={SECONDS}",
        f"-rss_limit_mb={MEBIBYTES}",
        f"-max_len={MAX_BYTES}",
    ]
    corpus = CORPORA / name
    line = [
        sys.executable,
        __file__,
        "--one",
        name,
        *limits,
        "-print_final_stats=1",
        f"-artifact_prefix={found}/fault-",
    ]
    ended = subprocess.run(
        [*line, str(found), str(corpus)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    text = ended.stdout.decode(errors="replace")
    runs = re.search(r"stat::number_of_executed_units: (\d+)", text)
    if ended.returncode:
        faults = ", ".join(str(path) for path in found.glob("fault-*"))
        return False, f"{text[-5000:]}\n{name}: failed; the input: {faults or 'none kept'}"
    return True, f"{name}: {int(runs[1]) if runs else 0:,} runs, {len(list(found.iterdir()))} new inputs"


def main() -> int:
    """Fuzz the targets of the command line; return 1 if one failed."""
    parser = argparse.ArgumentParser(description="Fuzz the readers of strangers' bytes.")
    parser.add_argument("--seconds", type=int, default=30, help="seconds of each target (default: 30)")
    parser.add_argument("--keep", action="store_true", help="add inputs that reach new code to the corpus")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(TARGETS)} (default: all)")
    given = parser.parse_args()
    if unknown := set(given.targets) - set(TARGETS):
        parser.error(f"unknown: {', '.join(sorted(unknown))}; targets are {', '.join(TARGETS)}")
    new = Path(tempfile.mkdtemp(prefix="catenary-fuzz-"))
    failed = False
    with ThreadPoolExecutor(2) as pool:
        for well, text in pool.map(lambda name: _fuzz(name, given.seconds, new), given.targets or TARGETS):
            print(text, flush=True)
            failed |= not well
    if given.keep:
        for name in given.targets or TARGETS:
            _merge(name, new / name)
    return int(failed)


def _merge(name: str, found: Path) -> None:
    """Add to the corpus of a target those inputs that reach code which no input there reaches."""
    for path in found.glob("fault-*"):
        path.rename(found.parent / f"{name}-{path.name}")
    corpus = CORPORA / name
    corpus.mkdir(exist_ok=True)
    subprocess.run([sys.executable, __file__, "--one", name, "-merge=1", str(corpus), str(found)], check=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        _fuzz_here(sys.argv[2], sys.argv[3:])
    sys.exit(main())
