"""How long a core of a test trusts a credential that it has verified."""

from __future__ import annotations

import pytest

from catenary_core.services.identity.tokens import credentials


def trust_briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let cores trust credentials for one second, so that a test needn't wait for the end of the five."""
    assert credentials.TRUSTED_SECONDS == 5.0
    monkeypatch.setattr(credentials, "TRUSTED_SECONDS", 1.0)
