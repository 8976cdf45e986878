"""The health report as a page."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from alerts.channels.models import Channel, Delivery
from alerts.report.titles import title_of
from jobs.operation import operations
from tests.frontend.conftest import make_tank


@pytest.fixture
def channel(db: None) -> Channel:
    return Channel.objects.create(name="Anna", kind="email", goes_to="anna@x.org", created_at=timezone.now())


def text(answer: Any) -> str:
    return str(answer.content.decode())


def test_it_shows_pools_disks_and_what_people_changed(browser: Client) -> None:
    make_tank(browser)
    page = text(browser.get("/health/"))
    assert 'href="/pools/tank/"' in page and "WDC WD30EFRX" in page
    assert "both halves" in page and "No dataset has a snapshot policy" in page
    assert "pool.create" in page or "Create pool" in page
    assert "set up a notification" in page


def test_it_is_sent_by_a_button(browser: Client, channel: Channel) -> None:
    assert ">Anna</option>" in text(browser.get("/health/"))
    answer = browser.post("/health/send/", {"channel": channel.pk}, follow=True)
    assert "The report is on its way to Anna" in text(answer)
    assert Delivery.objects.get().subject.startswith("[nas] Health report")


@pytest.mark.parametrize("number", ["", "x", "999", "9" * 400, "-1"])
def test_a_channel_that_is_not_there(browser: Client, number: str) -> None:
    assert browser.post("/health/send/", {"channel": number}).status_code == 404


def test_a_viewer_reads_it_and_sends_nothing(viewer: Client, channel: Channel) -> None:
    assert "Your role only allows reading" in text(viewer.get("/health/"))
    assert viewer.post("/health/send/", {"channel": channel.pk}).status_code == 403
    assert not Delivery.objects.exists()


def test_what_people_changed_is_in_words_for_every_operation() -> None:
    titles = {name: title_of(name) for name in operations()}
    assert titles["pool.create"] == "Create pool …"
    assert titles["dataset.create"] == "Create dataset …"
    assert titles["dataset.bulk-destroy"] == "Destroy several datasets"
    assert titles["pool.scrub"] == "Pool scrub"
    assert not [title for title in titles.values() if "." in title or not title[0].isupper()]
    assert title_of("gone.operation") == "Gone operation"
