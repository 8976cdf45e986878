"""What Python takes for the end of a line, and no program of the machine does, is part of its line."""

from __future__ import annotations

import pytest

from host.commands.shares.sharing import EXPORT_TABLE, PATHS, ExportsAnswer
from host.contents.smb_parameters import extra_fault
from host.lines import by_path
from host.probe.network import parse_files
from host.probe.shares.people import account_rows
from host.probe.shares.sharing import parse_served
from shares.smb.render import sections

SEPARATORS = ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\x1e", "\r"]


@pytest.mark.parametrize("sign", SEPARATORS)
def test_files_behind_their_paths_are_read_back_as_they_are(sign: str) -> None:
    assert by_path(f"/etc/a\0one{sign}two\n/etc/b\0\n/etc/a\0three\n") == {
        "/etc/a": [f"one{sign}two", "three"], "/etc/b": [""],
    }  # fmt: skip
    assert parse_files(f"/etc/a\0one{sign}two\n") == {"/etc/a": f"one{sign}two\n"}
    path = PATHS["samba"]
    served = parse_served(f"{path}\0[Files]\n{path}\0    veto files = /a{sign}b/\n", "")
    assert served.files == {"samba": f"[Files]\n    veto files = /a{sign}b/\n"}
    assert sections(served.files["samba"]) == {"Files": {"veto files": f"/a{sign}b/"}}


@pytest.mark.parametrize("sign", SEPARATORS)
def test_what_is_exported_is_known_by_its_whole_path(sign: str) -> None:
    served = parse_served(f"{EXPORT_TABLE}\0/srv/a{sign}b\t10.0.0.7(rw)\n", "")
    assert served.exported == (f"/srv/a{sign}b",)
    answer = ExportsAnswer(gone=("/mnt/b",)).fault(f"/srv/a{sign}/mnt/b  10.0.0.7(rw)\n", "")
    assert answer is None


@pytest.mark.parametrize("sign", SEPARATORS)
def test_a_full_name_makes_no_account(sign: str) -> None:
    found = list(account_rows(f"anna:x:30000:29999:Anna{sign}evil:x:30001:29999:::\n"))
    assert [(row.name, row.number) for row in found] == [("anna", 30_000)]


@pytest.mark.parametrize("sign", [*SEPARATORS, "\u202e", "\u2066", "\x9f"])
@pytest.mark.parametrize("name", ["veto files", "hide files"])
def test_names_of_files_have_no_sign_that_ends_a_line_or_reverses_it(name: str, sign: str) -> None:
    assert extra_fault(name, "/*.exe/my files/") is None
    assert extra_fault(name, f"/a{sign}b/")
