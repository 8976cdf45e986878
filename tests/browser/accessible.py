"""What axe finds on a page, by WCAG 2.2 AA."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

# What passes is not worked out any further: that takes longer than to find what does not. Only a rule about
# sound needs anything preloaded; and one asks a person to look, which is no violation.
_OPTIONS = {
    "resultTypes": ["violations"],
    "preload": False,
    "rules": {"hidden-content": {"enabled": False}},
}
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
OF_COLOURS = ["color-contrast", "link-in-text-block"]
_AXE = Axe().axe_script
# One scheme does not fade into the other while it is looked at.
_SETTLE = "document.getAnimations().forEach((one) => one instanceof CSSTransition && one.finish())"


def ahead(page: Page) -> None:
    """Have axe in each page that this window opens from now on: Chromium compiles it for the first alone."""
    page.context.add_init_script(_AXE)


def violations(page: Page, rules: list[str] = RULES) -> list[str]:
    """What axe finds on the page as it is now, by these rules or groups of rules."""
    if not page.evaluate("'axe' in window"):  # its half a megabyte is sent and compiled at each mention
        page.evaluate(_AXE)
    found = page.evaluate(
        "options => axe.run(options).then(results => results.violations)", _OPTIONS | {"runOnly": rules}
    )
    return [
        f"{page.url} {rule['id']}: {node['target']} {node['failureSummary']}"
        for rule in found
        for node in rule["nodes"][:3]
    ]


def in_both_schemes(page: Page) -> list[str]:
    """What axe finds in light, and of the colours, which alone differ, in dark."""
    found = []
    for scheme, rules in (("light", RULES), ("dark", OF_COLOURS)):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.evaluate(_SETTLE)
        found += violations(page, rules)
    return found
