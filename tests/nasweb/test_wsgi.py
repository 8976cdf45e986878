"""What the web server serves."""

from __future__ import annotations

import sys
from importlib import import_module

import pytest


@pytest.mark.django_db
def test_the_pages_are_loaded_before_the_first_request(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("nasweb.urls", "nasweb.wsgi"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    import_module("nasweb.wsgi")
    assert "nasweb.urls" in sys.modules
