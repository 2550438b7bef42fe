"""What a refusal for a limit says: how long to wait, and which setting an operator may raise."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from catenary_core.settings import CoreSettings
from catenary_wire import limit_sentences


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.0, "1 s"),
        (0.2, "1 s"),
        (59, "59 s"),
        (59.1, "1 minute"),
        (60, "1 minute"),
        (61, "2 minutes"),
        (3600, "60 minutes"),
        (3662, "62 minutes"),
    ],
)
def test_the_wait_is_said_in_minutes_and_is_never_too_short(seconds: float, said: str) -> None:
    assert f"; try again in {said}. " in limit_sentences.requests(7, seconds)
    assert limit_sentences.failed_attempts(seconds).endswith(f"; try again in {said}.")


@pytest.mark.parametrize(
    ("sentence", "begin", "setting"),
    [
        (limit_sentences.requests, "You have had your 7 requests of the hour; ", "requests_per_hour"),
        (limit_sentences.evaluations, "The project has had its 7 evaluations of the hour; ", "evaluations_per_hour"),
        (
            limit_sentences.bulk_operations,
            "You have 7 bulk operations running, which is all you may; ",
            "bulk_operations",
        ),
    ],
)
def test_the_setting_of_the_limit_is_named(sentence: Callable[[int, float], str], begin: str, setting: str) -> None:
    said = sentence(7, 60)
    assert said.startswith(begin)
    assert said.endswith(f" An operator may raise CATENARY_{setting.upper()}.")
    assert setting in CoreSettings.model_fields


@pytest.mark.parametrize(
    ("sentence", "begin"),
    [
        (limit_sentences.requests, "You have had your 1 request of the hour; "),
        (limit_sentences.evaluations, "The project has had its 1 evaluation of the hour; "),
        (limit_sentences.bulk_operations, "You have 1 bulk operation running, which is all you may; "),
    ],
)
def test_a_limit_of_one_is_said_in_the_singular(sentence: Callable[[int, float], str], begin: str) -> None:
    assert sentence(1, 60).startswith(begin)
