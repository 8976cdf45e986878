"""Styles: what one page's file says of a class does not change another page."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

CSS = Path(__file__).resolve().parents[2] / "frontend" / "src" / "css"
# Made to change what other files say: on small screens, and where much is wanted on one screen.
OVERRIDES = {"narrow.css", "compact.css"}
_ALONE = re.compile(r"^ *\.([a-z-]+) \{$", re.MULTILINE)


def test_a_class_alone_has_its_styles_in_one_file() -> None:
    files = defaultdict(set)
    for path in CSS.glob("*.css"):
        if path.name not in OVERRIDES:
            for name in _ALONE.findall(path.read_text()):
                files[name].add(path.name)
    assert len(files) > 100
    assert {name: found for name, found in files.items() if len(found) > 1} == {}
