"""What axe finds on a page, by WCAG 2.2 AA.

To work out the contrast of all texts takes as long as all other rules together, and most are coloured like
those of the page before: each with other colours, of another size or in another element is checked once in
a window.
"""

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
# Colours are worked out within the run of all rules: to find out what lies over what takes longer than the
# contrast of some texts, and another rule needs it, too. A link is also compared with the text around it.
_CHECK = """async ([options, ofColours]) => {
  const seen = new Set(JSON.parse(sessionStorage.coloursSeen ?? '[]'));
  const behind = new Map([[null, '']]);
  const backgrounds = (one) => {
    if (!behind.has(one)) {
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(one);
      const layer = `${backgroundColor} ${backgroundImage} ${opacity}|`;
      const clear = layer === 'rgba(0, 0, 0, 0) none 1|';
      behind.set(one, (clear ? '' : layer) + backgrounds(one.parentElement));
    }
    return behind.get(one);
  };
  const kind = (one) => {
    const { color, fontSize, fontWeight, textShadow, position } = getComputedStyle(one);
    const name = `${one.tagName}.${one.className} ${one.getAttribute('aria-disabled')} ${one.disabled}`;
    const around = one.tagName === 'A' ? getComputedStyle(one.parentElement).color : '';
    return [name, around, color, fontSize, fontWeight, textShadow, position, backgrounds(one)].join(' ');
  };
  const hasText = (one) => one.matches('input, select, textarea')
    || [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  const fresh = [...document.body.querySelectorAll('*')]
    .filter((one) => hasText(one) && one.checkVisibility({ visibilityProperty: true }))
    .filter((one) => seen.size < seen.add(kind(one)).size);
  sessionStorage.coloursSeen = JSON.stringify([...seen]);
  if (ofColours && !fresh.length) return [];
  fresh.forEach((one) => one.setAttribute('data-fresh', ''));
  axe.configure({ rules: [
    { id: 'color-contrast', selector: '[data-fresh]' },
    { id: 'link-in-text-block', selector: 'a[href][data-fresh]' },
  ] });
  const { violations } = await axe.run(options);
  fresh.forEach((one) => one.removeAttribute('data-fresh'));
  return violations;
}"""
# One scheme does not fade into the other while it is looked at.
_SETTLE = "document.getAnimations().forEach((one) => one instanceof CSSTransition && one.finish())"


def ahead(page: Page) -> None:
    """Have axe in each page that this window opens from now on: Chromium compiles it for the first alone."""
    page.context.add_init_script(_AXE)


def violations(page: Page, rules: list[str] = RULES) -> list[str]:
    """What axe finds on the page as it is now, by these rules or groups of rules."""
    if not page.evaluate("'axe' in window"):  # its half a megabyte is sent and compiled at each mention
        page.evaluate(_AXE)
    found = page.evaluate(_CHECK, [_OPTIONS | {"runOnly": rules}, rules == OF_COLOURS])
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
