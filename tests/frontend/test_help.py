"""Every page says what it is for, in a few sentences beside its heading."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import resolve

from frontend.help.texts import TEXTS
from frontend.navigation import SECTIONS
from frontend.urls import urlpatterns
from tests.browser.test_every_page import PAGES

NAVIGABLE = tuple(place.href for section in SECTIONS for place in section.pages)


def name_of(address: str) -> str:
    return resolve(address.partition("?")[0]).url_name or ""


def test_every_page_has_a_help() -> None:
    assert {name_of(address) for address in (*NAVIGABLE, *PAGES)} - set(TEXTS) == set()


def test_a_help_has_two_to_four_sentences() -> None:
    sentences = {name: len(re.findall(r"[.!?](?= |$)", text)) for name, text in TEXTS.items()}
    assert {name: count for name, count in sentences.items() if not 2 <= count <= 4} == {}


def test_no_help_is_left_of_a_page_that_went() -> None:
    elsewhere = {"account_change_password", "account_logout", "mfa_index", "mfa_activate_totp"}
    assert set(TEXTS) - elsewhere <= {getattr(pattern, "name", None) for pattern in urlpatterns}


@pytest.mark.parametrize("address", NAVIGABLE)
def test_the_help_stands_beside_the_heading(browser: Client, address: str) -> None:
    page = browser.get(address).content.decode()
    assert page.count('<details class="help">') == 1
    assert page.index("<h1") < page.index('<details class="help">')


def test_a_page_of_an_error_has_none(browser: Client) -> None:
    assert '<details class="help">' not in browser.get("/no-such-page/").content.decode()
