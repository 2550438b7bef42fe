"""From an empty directory to /readyz, against a bare initdb and server start, in one run.

Run it with `.venv/bin/python tests/bench/start.py`. It prints medians in s and the ratio (to hold: at most 5).
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from smoke import few

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from catenary_core.embedded_postgres.installation import installation, server_account
from factories.installations.installation import environment, free_port

ROUNDS = few(5)


def _bare(root: Path) -> float:
    """Measure initdb and start of the packaged server, by the account that runs ours."""
    folder = root / "bare"
    account = server_account(folder)
    binaries = installation(None, account, root).bin
    folder.mkdir()
    shutil.chown(folder, account.uid, account.gid)
    start = time.perf_counter()
    account.run([str(binaries / "initdb"), "-D", str(folder / "data"), "-A", "trust", "-U", "catenary"], folder)
    control = [str(binaries / "pg_ctl"), "-D", str(folder / "data"), "-w", "-l", str(folder / "log")]
    started = account.run([*control, "-o", f"-h '' -k {folder}", "start"], folder, stderr=subprocess.DEVNULL)
    seconds = time.perf_counter() - start
    assert started.returncode == 0, started
    account.run([*control, "-m", "fast", "stop"], folder)
    shutil.rmtree(folder)
    return seconds


def _ours(root: Path) -> float:
    data_dir, admin = root / "ours", free_port()
    line = [sys.executable, "-m", "catenary_cli", "serve", "--dev", "--data-dir", str(data_dir)]
    ports = ["--port", "0", "--grpc-port", "0", "--admin-port", str(admin)]
    start = time.perf_counter()
    process = subprocess.Popen([*line, *ports], env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while True:
            assert process.poll() is None, "serve ended"
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{admin}/readyz", timeout=10) as answer:
                    if answer.status == 200:
                        return time.perf_counter() - start
            except OSError:  # not there yet
                time.sleep(0.01)
    finally:
        process.terminate()
        process.wait(60)
        shutil.rmtree(data_dir, ignore_errors=True)


def main() -> None:
    """Measures and prints."""
    bare, ours = [], []
    with tempfile.TemporaryDirectory(prefix="catenary-bench-") as folder:
        root = Path(folder)
        root.chmod(0o711)
        for _ in range(ROUNDS):
            bare.append(_bare(root))
            ours.append(_ours(root))
    print(f"bare initdb + start   p50 {statistics.median(bare):6.2f} s")
    print(f"empty to /readyz      p50 {statistics.median(ours):6.2f} s")
    print(f"ratio                 p50 {statistics.median(a / b for a, b in zip(ours, bare, strict=True)):6.2f}")


if __name__ == "__main__":
    main()
