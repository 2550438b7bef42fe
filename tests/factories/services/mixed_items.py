"""Random mixes of good and faulty items of one request, and the refusal that each mix must get."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from factories.services.calls import Caller, Refusal

Item = dict[str, Any]
MOST = 100
"""Broken rules that a refusal lists."""


@dataclass(frozen=True)
class Flaw:
    """One thing that is wrong with an item."""

    field: str
    """The field that the refusal names, below the item."""
    spoil: Callable[[Item, Sequence[Item]], bool]
    """Spoils an item, given those before it; returns whether it could."""
    touches: frozenset[str]
    """Fields of the item; a second flaw takes others."""
    conflict: bool = False
    """Whether the refusal is CONFLICT and not VALIDATION_ERROR."""


def given(conflict: bool = False, field: str = "", hides: Sequence[str] = (), **fields: Any) -> Flaw:
    """Return a flaw by fixed values; None takes a field away.

    The refusal names the first field, unless `field` says another.

    `hides`: fields that can't be judged then.
    """

    def spoil(item: Item, before: Sequence[Item]) -> bool:
        for name, value in fields.items():
            item.pop(name, None)
            if value is not None:
                item[name] = value
        return True

    return Flaw(field or next(iter(fields)), spoil, frozenset({*fields, *hides}), conflict)


def drawn(field: str, draw: Callable[[], Item], *touches: str, conflict: bool = False) -> Flaw:
    """Return a flaw by values that are new for each item."""

    def spoil(item: Item, before: Sequence[Item]) -> bool:
        item |= draw()
        return True

    return Flaw(field, spoil, frozenset(touches), conflict)


def as_before(name: str, *with_them: str, conflict: bool, field: str = "") -> Flaw:
    """Return a flaw by the value of an earlier good item."""

    def spoil(item: Item, before: Sequence[Item]) -> bool:
        earlier = next((one for one in before if name in one), None)
        if earlier is not None:
            item |= {key: earlier[key] for key in (name, *with_them)}
        return earlier is not None

    return Flaw(field or name, spoil, frozenset({name, *with_them}), conflict)


@dataclass(frozen=True)
class Bulk:
    """A write of several items, and what can be wrong with each; the flaws of an item are found in the given order."""

    caller: Caller
    method: str
    items_field: str
    good: Callable[[], Item]
    flaws: Sequence[Flaw]
    fields: Mapping[str, Any]
    """Other fields of the request."""

    async def refused(self, items: Sequence[Item]) -> Refusal:
        """Return the refusal of the items."""
        return await self.caller.refused(self.method, **self.fields, **{self.items_field: items})

    def mix(self, random: Random, size: int, flaws: Sequence[Flaw]) -> tuple[list[Item], str, list[str]]:
        """Return items of which one at least has some of the flaws, and reason and fields of their refusal."""
        while True:
            items: list[Item] = []
            good: list[Item] = []
            found: dict[bool, list[str]] = {True: [], False: []}
            for index in range(size):
                item = self.good()
                spoilt_by = self._spoilt(random, flaws, item, good)
                for flaw in spoilt_by:
                    found[flaw.conflict].append(f"{self.items_field}[{index}].{flaw.field}")
                if not spoilt_by:
                    good.append(item)
                items.append(item)
            invalid, conflicts = found[False], found[True]
            if invalid or conflicts:
                reason = "VALIDATION_ERROR" if invalid else "CONFLICT"
                return items, reason, (invalid or conflicts)[:MOST]

    def _spoilt(self, random: Random, flaws: Sequence[Flaw], item: Item, before: Sequence[Item]) -> list[Flaw]:
        """Spoil an item by up to two flaws; return them in the order in which they are found."""
        if random.random() < 0.4:
            return []
        chosen: list[Flaw] = []
        for flaw in random.sample(list(flaws), min(2, len(flaws))):
            apart = all(flaw.touches.isdisjoint(one.touches) for one in chosen)
            alone = not chosen or not (flaw.conflict or chosen[0].conflict)
            if apart and alone and flaw.spoil(item, before):
                chosen.append(flaw)
        return sorted(chosen, key=self.flaws.index)


async def check_mixes(bulk: Bulk, rounds: int = 12) -> None:
    """Check that the refusal of each mix lists its faults, in the order of the items, up to a hundred."""
    conflicts = [flaw for flaw in bulk.flaws if flaw.conflict]
    for seed in range(rounds):
        random = Random(seed)
        flaws = conflicts if conflicts and seed % 2 else bulk.flaws
        items, reason, fields = bulk.mix(random, 150 if seed < 2 else random.randint(1, 8), flaws)
        refusal = await bulk.refused(items)
        told = (refusal.reason, refusal.fields)
        assert told == (reason, fields), f"{bulk.method}, mix {seed}: {told} instead of {(reason, fields)}"
        assert refusal.message == refusal.violations[0].message
        assert refusal.details["parameter"] == fields[0]
        for violation in refusal.violations:
            assert violation.field in violation.message, "a sentence that stands alone names the item"
