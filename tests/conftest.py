"""Fixtures that every folder of tests shares: a real PostgreSQL, and a new, migrated database."""

from __future__ import annotations

import asyncio
import fcntl
import gc
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import AsyncIterator, Generator, Iterator
from importlib.util import find_spec
from itertools import compress
from pathlib import Path
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, settings
from psycopg import sql
from psycopg.conninfo import make_conninfo

from catenary_core.database import migrate
from catenary_core.database.transactions import Database
from catenary_core.database.wakeups import Wakeups
from catenary_core.embedded_postgres import server as embedded_postgres
from catenary_core.event_log import events
from catenary_core.frame import Frame
from catenary_core.jobs import queue
from catenary_core.objects import Objects
from catenary_core.secrets import Roots, Secrets
from catenary_core.services.evaluations.tables import CHANNEL as EVALUATIONS_CHANNEL
from catenary_core.services.identity.tokens.client_authentication import CHANNEL as CLIENTS_CHANNEL
from catenary_core.services.models.tables import CHANNEL as CHECKS_CHANNEL
from catenary_core.settings import CoreSettings
from factories.checks import data_folders, examples, time_limits
from factories.checks.leaks import Watch, watch
from factories.checks.sampling import is_drawn
from factories.installations.serving import prepare

# As our own processes have it: what a test starts is a new program, and gRPC need not work around the fork before it.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
# Images of Python often set it. Without bytecode each of the hundreds of processes of a run compiles all modules anew: 0.4 s of
# CPU each, a quarter of its start. And pytest would rewrite all test modules in each process of each run.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# No test speaks to the Internet, and reading all of the system's authorities takes 80 ms of each core and client of httpx. It
# is the certificate of a key that nobody has.
os.environ["SSL_CERT_FILE"] = str(Path(__file__).parent / "fixtures/no_authority.pem")
# httpcore asks for it at each request, and each time Python would look for it in all folders again.
if find_spec("sniffio") is None:
    sys.modules["sniffio"] = None  # type: ignore[assignment]  # as Python marks a module that is not there
# One profile for all tests: on a busy machine an example may take any time, and so may drawing it. Neither says anything about
# the code; `factories.checks.time_limits` ends a test that hangs.
settings.register_profile(
    "catenary",
    max_examples=examples.at_most(100),
    deadline=None,
    derandomize=not examples.ARE_NEW,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("catenary")
TEMPLATE = "catenary_template"
STARTED_TEMPLATE = "catenary_started_template"
_END = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %(name)s"
_CONNECTED = "SELECT count(*) FROM pg_stat_activity WHERE datname = %(name)s"
_STDERR = pytest.StashKey[int]()
_FOLDER = pytest.StashKey[Path]()
_DATA = "CATENARY_TEST_DATA"
"""Names the folder of the data directories of a run."""


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Return two test processes for each processor: much of a test's time is waiting for timeouts and other processes."""
    if os.environ.get("PYTEST_XDIST_AUTO_NUM_WORKERS"):
        return None  # pytest-xdist reads it
    return 2 * len(os.sched_getaffinity(0))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--reverse-files", action="store_true", help="run the last file first, each in its own order")
    parser.addoption(
        "--sample-of", metavar="COMMIT", help="of tests that are `sampled` and not `gate` run a commit's part"
    )
    parser.addoption("--touched", metavar="FILE", help="and those in the files that it names, one a line")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if commit := config.getoption("--sample-of"):
        touched = config.getoption("--touched")
        whole = set(Path(touched).read_text().split("\n")) if touched else set()
        is_left_out = [
            one.get_closest_marker("sampled") is not None
            and one.get_closest_marker("gate") is None
            and one.nodeid.split("::")[0] not in whole
            and not is_drawn(one.nodeid, commit)
            for one in items
        ]
        config.hook.pytest_deselected(items=list(compress(items, is_left_out)))
        items[:] = [item for item, is_out in zip(items, is_left_out, strict=True) if not is_out]
    if config.getoption("--reverse-files"):
        files = list(dict.fromkeys(item.path for item in items))
        items.sort(key=lambda item: -files.index(item.path))


def pytest_configure(config: pytest.Config) -> None:
    # A shell ignores SIGINT in what it starts in the background, and children inherit that; tests stop commands by it.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # While a test runs, 2 is a file of pytest's.
    config.stash[_STDERR] = os.dup(2)
    if _DATA not in os.environ:  # for all test processes of this run, which inherit it
        config.stash[_FOLDER] = data_folders.new("catenary-")
        os.environ[_DATA] = str(config.stash[_FOLDER])


def pytest_unconfigure(config: pytest.Config) -> None:
    gc.unfreeze()  # extension modules report what is left of them at the end
    os.close(config.stash[_STDERR])
    if (folder := config.stash.get(_FOLDER, None)) is not None:
        del os.environ[_DATA]
        shutil.rmtree(folder, ignore_errors=True)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect tests without garbage collection, and leave what is there then out of every later one.

    The modules and thousands of tests stay to the end. Walking over them takes 0.4 s of CPU at each full collection.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Limit the time of each test with its fixtures."""
    seconds = time_limits.SECONDS if item.get_closest_marker("slow") is None else time_limits.SLOW_SECONDS
    with time_limits.bounded(item.nodeid, seconds, item.config.stash[_STDERR]):
        return (yield)


@pytest.fixture(scope="session")
def _leaks() -> Iterator[Watch]:
    with pytest.MonkeyPatch.context() as patch:
        yield watch(patch)


@pytest.fixture(autouse=True)
def leaks(_leaks: Watch) -> Iterator[Watch]:
    """Fail the test when one of its error bodies showed a text that none may show."""
    del _leaks.leaks[:]
    yield _leaks
    assert _leaks.leaks == []


@pytest.fixture(scope="session")
def data_root() -> Iterator[Path]:
    """Yield a folder for data directories: short, for socket paths, and open to the account that runs PostgreSQL for root.

    It is in memory where there is room: most of a test's time would be its database's files going to the disk.
    """
    with tempfile.TemporaryDirectory(prefix="catenary-", dir=os.environ[_DATA]) as folder:
        root = Path(folder)
        root.chmod(0o711)
        yield root


@pytest.fixture(scope="session")
def postgres(data_root: Path) -> Iterator[str]:
    """Yield the conninfo of a server of this test process, with the template databases."""
    subprocess.run(["cp", "--archive", _prepared_server(), data_root / "pg"], check=True)
    with embedded_postgres.start(data_root / "pg") as server:
        yield server.dsn


def _prepared_server() -> Path:
    """Return the data directory of a stopped server, which the first test process of a run that needs it makes."""
    folder = Path(os.environ[_DATA]) / "server"
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            new = folder.with_suffix(".new")
            shutil.rmtree(new, ignore_errors=True)
            with embedded_postgres.start(new) as server:
                _make_templates(server.dsn)
            new.rename(folder)
    return folder


def _make_templates(server: str) -> None:
    """Make a migrated database, and one in which a core has prepared its first start, which then takes less time."""
    with psycopg.connect(server, autocommit=True) as connection:
        _create(connection, TEMPLATE, "template1")
        migrate.upgrade(make_conninfo(server, dbname=TEMPLATE))
        _create(connection, STARTED_TEMPLATE, TEMPLATE)
    asyncio.run(prepare(make_conninfo(server, dbname=STARTED_TEMPLATE)))


@pytest.fixture
def empty_dsn(postgres: str) -> Iterator[str]:
    """Yield the conninfo of a new database without any table."""
    yield from _new_database(postgres, "template1")


@pytest.fixture
def dsn(postgres: str) -> Iterator[str]:
    """Yield the conninfo of a new, migrated database."""
    yield from _new_database(postgres, TEMPLATE)


@pytest.fixture
def started_dsn(postgres: str) -> Iterator[str]:
    """Yield the conninfo of a new database with what the first start of a core makes."""
    yield from _new_database(postgres, STARTED_TEMPLATE)


@pytest.fixture(scope="module")
def module_started_dsn(postgres: str) -> Iterator[str]:
    """Yield the conninfo of a database as `started_dsn`, for all tests of a module."""
    yield from _new_database(postgres, STARTED_TEMPLATE)


@pytest.fixture(scope="module")
def module_dsn(postgres: str) -> Iterator[str]:
    """Yield the conninfo of a new, migrated database for all tests of a module."""
    yield from _new_database(postgres, TEMPLATE)


@pytest.fixture
def second_dsn(postgres: str) -> Iterator[str]:
    """Yield the conninfo of a second database, for a comparison."""
    yield from _new_database(postgres, TEMPLATE)


@pytest.fixture
async def db(dsn: str) -> AsyncIterator[Database]:
    """Yield an open pool on a new, migrated database."""
    database = Database(dsn, max_connections=5)
    await database.open()
    try:
        yield database
    finally:
        await database.close()


@pytest.fixture
async def frame(db: Database, dsn: str, tmp_path: Path) -> AsyncIterator[Frame]:
    """Yield the parts of a core on a new, migrated database."""
    wakeups = Wakeups(dsn, (queue.CHANNEL, events.CHANNEL, EVALUATIONS_CHANNEL, CHECKS_CHANNEL, CLIENTS_CHANNEL))
    await wakeups.start()
    try:
        yield Frame(
            settings=CoreSettings(data_dir=tmp_path),
            db=db,
            secrets=Secrets(Roots.derived(bytes(32))),
            objects=Objects(None, tmp_path),
            wakeups=wakeups,
        )
    finally:
        await wakeups.stop()


def _create(connection: psycopg.Connection[Any], name: str, template: str) -> None:
    statement = sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY")
    connection.execute(statement.format(sql.Identifier(name), sql.Identifier(template)))


def _new_database(server: str, template: str) -> Iterator[str]:
    name = f"t{uuid.uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as connection:
        _create(connection, name, template)
        try:
            yield make_conninfo(server, dbname=name)
        finally:
            # DROP DATABASE sleeps 100 ms where a server process of the database has not yet ended.
            connection.execute(_END, {"name": name})
            for _ in range(200):  # a client that a test left connects again and again
                if connection.execute(_CONNECTED, {"name": name}).fetchone() == (0,):
                    break
                time.sleep(0.002)
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
