"""Where things stand on a page: what touches or covers its neighbour."""

from __future__ import annotations

from playwright.sync_api import Page

WIDTHS = (360, 2560, 1440)  # ends as it began: to lay a page out takes long

# Buttons, fields and marks keep 4 px from one another. What sticks to the window passes over the page; the
# parts of one segmented control belong together; a bay that is ticked lies under its own box.
_TOUCHING = """() => {
  const least = 3.5;
  const shown = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && one.getClientRects().length > 0 && !one.closest('.unseen, .commit, .segmented, .sled, .drawer > form');
  const all = [...document.querySelectorAll(
    'main :is(.button, .input, .chip, .tag, .state, .bay-badge, .option, .profile, .layout)',
  )].filter(shown);
  const name = (one) => `${one.className} “${(one.innerText || one.value || '').trim().slice(0, 40)}”`;
  const found = [];
  all.forEach((one, index) => all.slice(index + 1).forEach((other) => {
    if (one.contains(other) || other.contains(one)) return;
    const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
    const across = Math.max(a.left, b.left) - Math.min(a.right, b.right);
    const down = Math.max(a.top, b.top) - Math.min(a.bottom, b.bottom);
    if (across < least && down < least && (across < -1 || down < -1)) {
      found.push(`${name(one)} and ${name(other)}: ${across.toFixed(1)}, ${down.toFixed(1)} px apart`);
    }
  }));
  return found;
}"""
# What does not wrap may reach over its place's edge without making the page any wider.
_STICKING_OUT = """() => {
  const name = (one) => `${one.className} “${(one.innerText || one.value || '').trim().slice(0, 40)}”`;
  return [...document.querySelectorAll('main :is(p, dd, td, li, .fields, .actions, header) > '
    + ':is(.button, .input, .chip, .tag, .state, .option)')]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length > 0)
    .filter((one) => one.getBoundingClientRect().right > one.parentElement.getBoundingClientRect().right + 1
      && getComputedStyle(one.parentElement).overflowX === 'visible')
    .map((one) => name(one));
}"""
_MISPLACED = f"""() => [document.documentElement.scrollWidth, ...({_TOUCHING})(), ...({_STICKING_OUT})()]"""
_COVERING = """(all, [one, other]) => {
  const box = (within, selector) => {
    const part = within.querySelector(selector);
    return part && part.checkVisibility({ visibilityProperty: true }) ? part.getBoundingClientRect() : null;
  };
  return all.filter((within) => {
    const [a, b] = [box(within, one), box(within, other)];
    return a && b && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5
      && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.5;
  }).map((within) => within.innerText);
}"""


def misplaced(page: Page) -> list[str]:
    """Where the page is wider than a window, and what touches its neighbour or sticks out there."""
    found = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        reach, *wrong = page.evaluate(_MISPLACED)
        if reach > width:
            found.append(f"{page.url} reaches to {reach} of {width} px")
        found += [f"{page.url}: {one} ({width} px)" for one in wrong]
    return found


def touching(page: Page) -> list[str]:
    """Pairs of buttons, fields and marks that overlap, or have less than 4 px between them."""
    return [f"{page.url}: {pair}" for pair in page.evaluate(_TOUCHING)]


def covering(page: Page, one: str, other: str, within: str) -> list[str]:
    """The texts of those `within` (a selector) in which `one` covers `other`, which may be hidden there."""
    return page.locator(within).evaluate_all(_COVERING, [one, other])  # type: ignore[no-any-return]


def cut_off(page: Page, selector: str) -> list[str]:
    """The texts of those that are not seen whole: hidden, or wider or higher than their place."""
    return page.locator(selector).evaluate_all(  # type: ignore[no-any-return]
        "all => all.filter(one => !one.checkVisibility() || one.scrollWidth > one.clientWidth + 1"
        " || one.scrollHeight > one.clientHeight + 1 || one.clientWidth === 0).map(one => one.textContent)"
    )
