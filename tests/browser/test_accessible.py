"""What the check of colours finds: each kind of text once, wherever it comes first."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.accessible import in_both_schemes

pytestmark = pytest.mark.browser
_TEXT = "text => document.querySelector('main').insertAdjacentHTML('beforeend', text)"
_ON_WHITE = '<p style="background: {}; color: {}">As pale as that</p>'


def pale(page: Page, *texts: str) -> int:
    """How many findings of contrast there are once `texts` stand on the page."""
    page.goto("/setup/")
    for text in texts:
        page.evaluate(_TEXT, text)
    return sum(" color-contrast:" in one for one in in_both_schemes(page))


def test_pale_text_is_found_in_the_scheme_in_which_it_is_pale(visit: Callable[..., Page]) -> None:
    page = visit(bypass_csp=True)
    assert pale(page) == 0
    assert pale(page, _ON_WHITE.format("#fff", "#bbb")) == 2  # in each scheme
    assert pale(page, _ON_WHITE.format("#fff", "light-dark(#000, #ccc)")) == 1
    assert pale(page, _ON_WHITE.format("light-dark(#fff, #000)", "#777")) == 1
    dark = '<div style="background: #222">' + _ON_WHITE.format("transparent", "#333") + "</div>"
    assert pale(page, dark, _ON_WHITE.format("#fff", "#333")) == 2  # the first of both
    assert pale(page, dark) == 0  # as on the page before


def test_all_other_faults_are_found_on_each_page(visit: Callable[..., Page]) -> None:
    page = visit(bypass_csp=True)
    for _ in range(2):
        page.goto("/setup/")
        page.evaluate(_TEXT, "<button></button>")
        assert [one.split()[1] for one in in_both_schemes(page)] == ["button-name:"]
