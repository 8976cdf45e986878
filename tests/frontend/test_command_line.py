"""Commands on pages read as they would be typed."""

from __future__ import annotations

import pytest

from frontend.templatetags.nasweb import command_line


@pytest.mark.parametrize(
    ("argv", "typed"),
    [
        (("zpool", "scrub", "tank"), "<span>zpool</span> <span>scrub</span> <span>tank</span>"),
        (("rm", "a b"), "<span>rm</span> <span>&#x27;a b&#x27;</span>"),
        (("tee", "<<<", "1"), "<span>tee</span> <span>&lt;&lt;&lt;</span> <span>1</span>"),
        (("grep", "<<"), "<span>grep</span> <span>&#x27;&lt;&lt;&#x27;</span>"),
    ],
)  # fmt: skip
def test_words_are_quoted_where_a_shell_needs_it_and_the_input_follows(
    argv: tuple[str, ...], typed: str
) -> None:
    assert command_line(argv) == typed
