"""Names of any bytes as text, and the paths that lead elsewhere."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.files.names import (
    LONGEST_PATH,
    BadPath,
    components,
    joined,
    new_name,
    plain,
    readable,
    shown,
    windows_trouble,
)

NAMES = st.binary(min_size=1, max_size=255).filter(
    lambda name: b"/" not in name and b"\0" not in name and name not in {b".", b".."}
)


@given(st.binary(max_size=300))
def test_no_byte_is_lost(name: bytes) -> None:
    assert readable(shown(name)) == name


@given(st.binary(max_size=300))
def test_what_is_shown_can_be_printed(name: bytes) -> None:
    assert shown(name) == "" or shown(name).isprintable()


@given(st.lists(NAMES, min_size=1, max_size=8))
def test_a_path_is_its_names(names: list[bytes]) -> None:
    if names[0] == b".zfs":
        names[0] = b"zfs"
    assert components(joined(tuple(names))) == tuple(names)


def test_readable_names_stay_as_they_are() -> None:
    assert shown("Grüße 2024/Übung (1).txt".encode()) == "Grüße 2024/Übung (1).txt"
    assert shown(b"100%") == "100%25"
    assert shown(b"b\xe4d") == "b%E4d"
    assert shown("a\u202egpj.exe".encode()) == "a%E2%80%AEgpj.exe"


@pytest.mark.parametrize(
    "path",
    [
        "..", ".", "a/..", "../a", "a/../b", "a/./b", "/a", "a/", "a//b", "/", "%2e%2e", "a/%2E%2e/b",
        "a%2Fb", "a%00b", "%2e", ".zfs", ".zfs/snapshot/x", "%2ezfs", "100%", "%zz", "\ud800",
        "x" * (LONGEST_PATH + 1),
    ],
)  # fmt: skip
def test_no_path_leads_elsewhere(path: str) -> None:
    with pytest.raises(BadPath):
        components(path)


@given(st.text(max_size=200))
def test_whatever_is_typed_is_a_path_beneath_or_refused(text: str) -> None:
    try:
        names = components(text)
    except BadPath:
        return
    assert not {b"", b".", b".."} & set(names)
    assert all(b"/" not in name and b"\0" not in name for name in names)
    assert names[:1] != (b".zfs",)


def test_the_own_folder_has_no_names() -> None:
    assert components("") == ()
    assert components("a/.zfs") == (b"a", b".zfs")


@pytest.mark.parametrize(
    ("name", "seen"),
    [
        (b"100%.txt", "100%.txt"),
        (b"a%20b 50%/M%C3%BCller.pdf", "a%20b 50%/M%C3%BCller.pdf"),
        ("Grüße".encode(), "Grüße"),
        (b"", ""),
        # One that cannot be printed stays written as it has to be typed.
        (b"b\xe4d 100%", "b%E4d 100%25"),
        ("a\u202egpj.exe".encode(), "a%E2%80%AEgpj.exe"),
    ],
)
def test_a_name_that_can_be_printed_is_seen_as_it_is(name: bytes, seen: str) -> None:
    assert plain(shown(name)) == seen


@pytest.mark.parametrize("text", ["100%", "\ud800", "%zz"])
def test_what_is_no_name_is_seen_as_it_was_typed(text: str) -> None:
    assert plain(text) == text


@pytest.mark.parametrize(
    "name", ["a:b", 'say "hi"', "what?", "ends.", "ends ", "CON", "con.txt", "Lpt1.log", "100%25?", "a\\b"]
)
def test_names_that_windows_cannot_open_are_known(name: str) -> None:
    assert windows_trouble(name) is not None


@pytest.mark.parametrize("name", ["console", "COM10", "a.b.c", ".hidden", "100%25", "Grüße", "👨‍👩‍👧.jpg"])
def test_other_names_are_no_trouble(name: str) -> None:
    assert windows_trouble(name) is None
    assert new_name("", name) == readable(name)
