"""The page for Prometheus and a log server."""

from __future__ import annotations

import html
from typing import Any

import pytest
from django.test import Client

from host.contents.logs import FILE
from host.simulated import SimulatedHost
from host.simulated.network.certificate import pem
from machine.monitoring.set_metrics import metrics_enabled
from tests.conftest import refresh
from tests.frontend.conftest import decide

PAGE = "/settings/monitoring/"


def text(answer: Any) -> str:
    return str(answer.content.decode())


def test_metrics_are_turned_on_and_off_with_lines_for_prometheus(browser: Client) -> None:
    assert "scrape_configs" not in text(browser.get(PAGE))
    decide(browser, browser.post(PAGE, {"enabled": "yes"}))
    assert metrics_enabled()
    shown = html.unescape(text(browser.get(PAGE)))
    assert "credentials_file: /etc/prometheus/nasweb.token" in shown
    assert "job_name: nasweb" in shown
    decide(browser, browser.post(PAGE, {"enabled": "no"}))
    assert not metrics_enabled()


def test_the_journal_is_sent_and_kept_again(browser: Client, simulated: SimulatedHost) -> None:
    sent = {"protocol": "tls", "host": " logs.lan ", "port": "", "authority": pem("logs")}
    decide(browser, browser.post(PAGE, sent))
    assert "logs.lan, port 6514" in text(browser.get(PAGE))
    assert "# Written by Nasweb: tls logs.lan 6514 own" in simulated.machine().files[FILE]
    # What is typed for another choice stays in the form, and is not meant.
    decide(browser, browser.post(PAGE, sent | {"protocol": "off"}))
    assert FILE not in simulated.machine().files


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"protocol": "tcp", "host": "my logs"}, "host"),
        ({"protocol": "tcp", "host": "logs.lan", "port": "70000"}, "port"),
        ({"protocol": "tcp", "host": "logs.lan", "port": "many"}, "port"),
        ({"protocol": "tcp", "host": "logs.lan", "port": "9" * 5000}, "port"),
        ({"protocol": "tls", "host": "logs.lan", "authority": "secret"}, "authority"),
        ({"protocol": "carrier pigeon", "host": "logs.lan"}, "protocol"),
    ],
)
def test_what_cannot_be_is_said_beside_its_field(browser: Client, sent: dict[str, str], field: str) -> None:
    page = browser.post(PAGE, sent)
    assert (page.status_code, set(page.context["errors"].by_field)) == (422, {field})
    assert html.escape(sent["host"]) in text(page)


def test_a_service_that_does_not_run_is_seen(browser: Client, simulated: SimulatedHost) -> None:
    decide(browser, browser.post(PAGE, {"protocol": "tcp", "host": "logs.lan"}))
    with simulated.change() as machine:
        machine.network.forwarding = False
    refresh()
    assert "the service does not run" in text(browser.get(PAGE))
    assert "not sent" in text(browser.get("/settings/"))


def test_who_is_no_admin_finds_the_buttons_shut(viewer: Client) -> None:
    assert text(viewer.get(PAGE)).count("Only an admin can change this") == 2
    assert viewer.post(PAGE, {"enabled": "yes"}).status_code == 403
