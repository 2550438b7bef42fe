"""Webhooks of the fault test: what each has got, and from whom the sender learns that it wasn't taken."""

from __future__ import annotations

import random
from collections import Counter

import psycopg
import standardwebhooks
from aiohttp import web

from factories.events.ledger import LEFT_OUT, Asked, Ledger, User
from factories.webhooks.world import Request

FAILING = 0.3
_MOST_FAILURES = 3
"""Of one event in a row: eight would disable the webhook, which is not what is tested."""
# For time, of which the schedule wants hours: pauses end after a second, and leases of who was killed when its longest attempt
# must be over (a lease is for 60 s, an attempt takes 15 s at most).
_PAUSES = (
    "UPDATE webhooks.delivery SET next_at = clock_timestamp() WHERE status = 'pending' AND next_at > clock_timestamp()"
)
_LEASES = """UPDATE webhooks.delivery SET lease_until = clock_timestamp()
              WHERE status = 'pending' AND lease_until BETWEEN clock_timestamp() AND clock_timestamp() + interval '40 s'"""


def hurry(dsn: str) -> None:
    """End the pauses of all deliveries."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(_PAUSES)
        connection.execute(_LEASES)


class Hook:
    """One webhook: how often each event came, and how often it was taken."""

    def __init__(self, path: str, user: User, asked: Asked, secret: str, *, fails: bool) -> None:
        self.came: Counter[str] = Counter()
        self.taken: Counter[str] = Counter()
        self._path = path
        self._user = user
        self._asked = asked
        self._verifier = standardwebhooks.Webhook(secret)
        self._fails = fails
        self._wrong: list[str] = []
        self._choose = random.Random(path)

    def __str__(self) -> str:
        again = self.came.total() - len(self.came)
        return f"{self._user.name} {self._asked.query}: {len(self.taken)} events, {again} sent again"

    async def answer(self, request: Request) -> web.StreamResponse:
        """Take a message, or refuse it."""
        try:
            self._verifier.verify(request.body, dict(request.headers))
            if request.event["id"] != request.id:  # an event has one id, which stays
                self._wrong.append(f"{request.id} brought {request.event['id']}")
        except standardwebhooks.WebhookVerificationError as error:
            self._wrong.append(f"{request.id}: {error}")
        if request.event["type"] == LEFT_OUT:
            return web.Response(status=204)
        failed = self.came[request.id] - self.taken[request.id]
        self.came[request.id] += 1
        if self._fails and failed < _MOST_FAILURES and self._choose.random() < FAILING:
            return web.Response(status=random.choice((500, 503, 429)))
        self.taken[request.id] += 1
        return web.Response(status=204)

    def missing(self, ledger: Ledger) -> set[str]:
        """Return the events that the webhook must still get."""
        return set(ledger.of(self._user, self._asked)) - self.taken.keys()

    def check(self, ledger: Ledger) -> None:
        """Check that the webhook took exactly the events that it asked for and that its owner may see."""
        expected = set(ledger.of(self._user, self._asked))
        assert expected, self
        assert self._wrong == [], self
        assert set(self.taken) == expected, self
        assert set(self.came) == expected, self
        if self._fails:
            failures = self.came.total() - self.taken.total()
            assert failures > 0.15 * len(expected), self
