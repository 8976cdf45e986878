"""Where file systems may be mounted."""

from __future__ import annotations

import pytest

from host.mountpoints import Zone, place_fault, zone

HOSTILE = (
    "//etc/systemd/system.control", "/mnt//x", "/mnt/x/", "/mnt/./x", "/./etc", "/mnt/../etc", "/mnt/..",
    "/etc/cron.d", "/var/spool/cron/crontabs", "/var/lib/samba/private", "/var/run/x", "/opt/nasweb",
    "/usr/local/x", "/root/.ssh", "/run/x", "/boot", "/lib/systemd", "/home", "/mnt", "/srv", "/media",
    "/", "", "mnt/x",
    "/mnt/a\x00b", "/mnt/a\nb", "/mnt/\u202egpj",
    "/ｅｔｃ/x", "/mnt／..／etc", "/\u0435tc/x", "/mnt\u2215x", "/ETC/x",
    "/mnt/" + "x" * 1023,
)  # fmt: skip


@pytest.mark.parametrize("path", HOSTILE)
def test_folders_of_the_system_and_other_spellings_are_nobodys(path: str) -> None:
    assert zone(path) is Zone.SYSTEM
    assert place_fault(path)


@pytest.mark.parametrize(
    "path", ["/mnt/tank", "/srv/a/b c", "/media/Fotos Größe", "/mnt/.hidden", "/mnt/..."]
)
def test_what_is_below_the_open_roots_is_free(path: str) -> None:
    assert (zone(path), place_fault(path)) == (Zone.OPEN, None)


@pytest.mark.parametrize("path", ["/tank", "/home/anna", "/data/x"])
def test_what_no_system_uses_is_an_admins(path: str) -> None:
    assert (zone(path), place_fault(path)) == (Zone.ELSEWHERE, None)


@pytest.mark.parametrize("word", ["none", "legacy"])
def test_what_is_mounted_nowhere_may_be_so(word: str) -> None:
    assert place_fault(word) is None
