"""What `zfs diff -FHt` says, as values. The lines are those of OpenZFS 2.3.9."""

from __future__ import annotations

import pytest

from host.probe.datasets.diff import parse_diff, readable

REAL = (
    "1795299315.860012429\t+\t/\t/mnt/snapt/b/d\\0040d\n"
    "1795299315.892012430\t+\tF\t/mnt/snapt/b/d\\0040d/n\\0011m\\0303\\0251\\0377\\0012\\0134z\n"
    "1795299315.736012425\tM\t/\t/mnt/snapt/b/\n"
)


def test_real_lines_are_read() -> None:
    folder, file, root = parse_diff(REAL)
    assert (folder.change, folder.kind, folder.path) == ("added", "folder", "/mnt/snapt/b/d d")
    assert (file.kind, file.path) == ("file", "/mnt/snapt/b/d d/n\\x09mé\\xff\\x0a\\z")
    assert (root.change, root.new_path) == ("modified", None)
    assert root.changed_at == pytest.approx(1795299315.736)


def test_a_renamed_file_has_two_paths_and_a_linked_one_has_not() -> None:
    renamed, linked = parse_diff("1.5\tR\tF\t/a\t/b\n2.5\tM\tF\t/c\t(+1)\n")
    assert (renamed.change, renamed.path, renamed.new_path) == ("renamed", "/a", "/b")
    assert (linked.change, linked.path, linked.new_path) == ("modified", "/c", None)


def test_a_text_that_was_cut_off_loses_its_last_line() -> None:
    assert len(list(parse_diff(REAL[:-20], cut=True))) == 2
    assert list(parse_diff("")) == []


def test_every_byte_of_a_path_can_be_shown() -> None:
    for byte in range(256):
        shown = readable(f"a\\0{byte:03o}b")
        assert shown.isprintable()
        assert shown == (f"a{chr(byte)}b" if 32 <= byte < 127 else f"a\\x{byte:02x}b")
