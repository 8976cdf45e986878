"""A window that counts what its user presses. Typing and reading are not counted; pages loaded are seen."""

from __future__ import annotations

from playwright.sync_api import Locator, Page


class Counted:
    """`page` with the number of `clicks` so far."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.clicks = 0

    def click(self, what: Locator) -> None:
        """Press it, once."""
        what.click()
        self.clicks += 1

    def button(self, name: str) -> Locator:
        """A button of the page itself."""
        return self.page.get_by_role("main").get_by_role("button", name=name, exact=True)

    def link(self, name: str) -> Locator:
        """A link of the page itself."""
        return self.page.get_by_role("main").get_by_role("link", name=name, exact=True)
