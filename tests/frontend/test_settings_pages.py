"""The list of settings, API tokens by presets, and the look of the console."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.test import Client

from accounts.models import Token
from accounts.presets import PRESETS
from accounts.roles import SCOPES, Role, rights
from alerts.channels.models import Channel
from jobs import cache


def lines(client: Client) -> dict[str, str]:
    found = client.get("/settings/").context["sections"]
    return {one.title: one.now for section in found for one in section.settings}


def test_each_line_says_what_is_set_now(browser: Client) -> None:
    inventory = cache.current()
    assert inventory is not None
    Channel.objects.create(name="Phone", kind="ntfy", created_at=datetime.now(UTC))
    browser.post("/settings/tokens/", {"name": "script", "preset": "read"})
    found = lines(browser)
    assert found["Name"] == inventory.naming.name
    assert found["Time zone"] == inventory.naming.time_zone
    assert found["Network"].endswith(f" on {inventory.network.interfaces[0].name}")
    assert found["Notifications"] == "Phone (ntfy)"
    assert found["Settings backup"] == "No backup yet"
    assert found["Console accounts"] == "1 account"
    assert found["API tokens"] == "1 token of yours"
    assert found["Two-factor authentication"] == "Sign-in needs only the password"


def test_that_nobody_is_notified_stands_out(browser: Client) -> None:
    found = browser.get("/settings/").context["sections"]
    (line,) = (one for section in found for one in section.settings if one.title == "Notifications")
    assert (line.now, line.state.tone) == ("No notifications configured", "warn")


def test_a_token_has_the_scopes_of_its_preset_whatever_is_ticked_beside_it(browser: Client) -> None:
    sent = {"name": "prometheus", "preset": "monitoring", "scopes": ["users:write"]}
    assert browser.post("/settings/tokens/", sent).context["secret"]
    monitoring = next(one for one in PRESETS if one.name == "monitoring")
    assert Token.objects.get().scopes == sorted(monitoring.scopes)
    assert browser.get("/settings/tokens/").context["tokens"][0][1] == "Monitoring"


@pytest.mark.parametrize("preset", ["backup", "everything", "nonsense"])
def test_a_preset_beyond_the_role_is_neither_offered_nor_taken(viewer: Client, preset: str) -> None:
    assert preset not in [one.name for one in viewer.get("/settings/tokens/").context["presets"]]
    answer = viewer.post("/settings/tokens/", {"name": "x", "preset": preset})
    assert answer.status_code == 422
    assert set(answer.context["errors"].by_field) == {"preset"}
    assert not Token.objects.exists()


def test_presets_name_scopes_that_exist_and_read_only_changes_nothing() -> None:
    found = {one.name: set(one.scopes) for one in PRESETS}
    assert set().union(*found.values()) == set(SCOPES)
    assert not [scope for scope in found["read"] | found["monitoring"] if not scope.endswith(":read")]
    assert found["read"] <= rights(Role.VIEWER)


def test_theme_and_density_are_remembered_and_in_the_first_byte(browser: Client) -> None:
    page = browser.get("/settings/").text
    assert '<html lang="en" data-theme="system" data-density="comfortable">' in page
    answer = browser.post("/settings/appearance/", {"theme": "dark", "back": "/pools/"})
    assert answer["Location"] == "/pools/"
    browser.post("/settings/appearance/", {"density": "compact"})
    page = browser.get("/pools/").text
    assert '<html lang="en" data-theme="dark" data-density="compact">' in page
    assert '<meta name="color-scheme" content="dark">' in page


def test_a_look_that_is_not_offered_is_none(browser: Client) -> None:
    answer = browser.post("/settings/appearance/", {"theme": '"><script>', "back": "https://elsewhere.test/"})
    assert answer["Location"] == "/settings/"
    assert "nasweb_theme" not in answer.cookies
    browser.cookies["nasweb_theme"] = "pink"
    assert 'data-theme="system"' in browser.get("/settings/").text
