"""What a machine may be called, and the line of /etc/hosts that follows."""

from __future__ import annotations

import pytest

from machine.naming.names import hosts_with, name_fault


@pytest.mark.parametrize("name", ["nas", "n", "nas-2", "2nas", "a" * 63, "xn--nas-0ra"])
def test_names_of_rfc_1123_are_taken(name: str) -> None:
    assert name_fault(name) is None


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("", "Enter a name"), ("a" * 64, "at most 63"), ("nas.lan", "dots"),
        ("-nas", "either end"), ("nas-", "either end"),
        ("Nas", "lower-case letters"), ("näs", "lower-case letters"), ("n as", "lower-case letters"),
        ("nas\n", "lower-case letters"),
        ("12", "digits only"), ("localhost", "is reserved"), ("nas_2", "lower-case letters"),
    ],
)  # fmt: skip
def test_others_are_refused_in_words(name: str, word: str) -> None:
    assert word in (name_fault(name) or "")


def test_only_the_machines_own_line_changes() -> None:
    text = "127.0.0.1\tlocalhost nas\n127.0.1.1\tnas.lan nas nasty.lan # ours\n10.0.0.9 nas\n"
    expected = "127.0.0.1\tlocalhost nas\n127.0.1.1\tattic.lan attic nasty.lan # ours\n10.0.0.9 nas\n"
    assert hosts_with(text, old="nas", new="attic") == expected


def test_a_name_stands_there_once() -> None:
    assert hosts_with("127.0.1.1 nas attic\n", old="nas", new="attic") == "127.0.1.1\tattic\n"


def test_a_file_without_the_name_stays() -> None:
    assert hosts_with("127.0.1.1 box\n", old="nas", new="attic") == "127.0.1.1 box\n"
