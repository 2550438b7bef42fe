"""Names of locks, which every release must have alike: during an upgrade, processes of two releases elect one leader."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import sqlalchemy as sa

from catenary_core.database.transactions import Commits
from catenary_core.event_log.consumer import Consumer
from catenary_core.services.events.sequencer import Sequencer
from catenary_core.services.notifications import fan_out as notifications
from catenary_core.services.webhooks.deliveries import fan_out as deliveries


async def _handle(*_: Any) -> None:
    raise AssertionError


def test_leaders_have_the_lock_names_of_the_releases_before() -> None:
    nothing: Any = SimpleNamespace(db=SimpleNamespace(commits=Commits()), wakeups=None)
    assert Sequencer(nothing)._name == "giving events their order"
    names = [
        Consumer(nothing, nothing, name, sa.true(), _handle)._name for name in (notifications.NAME, deliveries.CONSUMER)
    ]
    assert names == ["following the event log for notifications", "following the event log for webhooks"]
