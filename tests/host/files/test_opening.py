"""Nothing leads out of a dataset: no link, no device, no mount, whoever moves what meanwhile."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from host.files import opening
from host.files.names import BadPath, components
from host.files.opening import Mount, Root, Unreachable, dataset_root, mounts
from tests.fuzzing import tries
from tests.host.files.bench import root_at

SECRET = "nobody may read this"


@pytest.fixture
def inside(tmp_path: Path) -> Iterator[Root]:
    """A dataset with links to everything that it must not give away."""
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "file").write_text(SECRET)
    top = tmp_path / "dataset"
    (top / "docs" / "deep").mkdir(parents=True)
    (top / "docs" / "a.txt").write_text("a")
    (top / "docs" / "deep" / "b.txt").write_text("b")
    (top / "out").symlink_to(tmp_path / "secret")
    (top / "out.txt").symlink_to(tmp_path / "secret" / "file")
    (top / "up").symlink_to("..")
    (top / "docs" / "up").symlink_to("../..")
    (top / "inner").symlink_to("docs")
    (top / "root").symlink_to("/")
    os.mkfifo(top / "pipe")
    with root_at(top) as root:
        yield root


def content(root: Root, path: str) -> bytes:
    with opening.file(root, components(path)) as descriptor:
        return os.read(descriptor, 100)


def test_files_within_are_read(inside: Root) -> None:
    assert content(inside, "docs/a.txt") == b"a"
    assert content(inside, "docs/deep/b.txt") == b"b"


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("out/file", "outside"),
        ("up/secret/file", "outside"),
        ("docs/up/secret/file", "outside"),
        ("root/etc/passwd", "outside"),
        ("inner/a.txt", "outside"),  # even a link that stays within is not followed
        ("out.txt", "not-a-file"),
        ("pipe", "not-a-file"),
        ("docs", "not-a-file"),
        ("docs/a.txt/x", "not-found"),
        ("gone", "not-found"),
        ("docs/" + "x" * 300, "not-found"),
    ],
)
def test_everything_else_is_refused(inside: Root, path: str, code: str) -> None:
    with pytest.raises(Unreachable) as refused:
        content(inside, path)
    assert refused.value.code == code


def test_a_fifo_is_not_waited_for(inside: Root) -> None:
    with opening.held(inside, (b"pipe",)) as descriptor:
        assert stat.S_ISFIFO(os.fstat(descriptor).st_mode)


def test_what_lies_on_another_device_is_outside(inside: Root) -> None:
    elsewhere = Root(inside.descriptor, inside.device + 1)
    with pytest.raises(Unreachable) as refused, opening.held(elsewhere, (b"docs",)):
        pass
    assert refused.value.code == "outside"


PARTS = st.sampled_from(
    ["..", ".", "", "out", "out.txt", "up", "root", "docs", "deep", "a.txt", "inner", "secret", "file", "etc",
     "passwd", "%2e%2e", "%2F", "%00", ".zfs", "b%FFd", "x" * 300]
)  # fmt: skip


@given(parts=st.lists(PARTS, max_size=6))
@settings(tries(100), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_path_of_any_parts_gives_the_secret_away(inside: Root, parts: list[str]) -> None:
    try:
        found = content(inside, "/".join(parts))
    except (BadPath, Unreachable):
        return
    assert found in {b"a", b"b"}


def test_a_folder_that_becomes_a_link_meanwhile_is_still_the_folder(inside: Root, tmp_path: Path) -> None:
    top = tmp_path / "dataset"
    with opening.folder(inside, (b"docs",)) as descriptor:
        (top / "docs").rename(top / "moved")
        (top / "docs").symlink_to(tmp_path / "secret")
        assert stat.S_ISREG(os.stat("a.txt", dir_fd=descriptor).st_mode)
    with pytest.raises(Unreachable):
        content(inside, "docs/file")


def test_mounts_are_read_from_the_kernels_table() -> None:
    text = (
        b"29 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
        b"31 29 0:61 / /mnt/my\\040tank rw shared:348 - zfs my\\040tank rw,xattr\n"
        b"32 31 0:62 /sub /mnt/bound rw - zfs tank rw\n"
        b"33 31 0:63 / /mnt/tank/.zfs/snapshot/a rw shared:1 master:2 - zfs tank@a ro\n"
    )
    assert mounts(text) == (
        Mount(os.makedev(0, 61), b"/mnt/my tank", "my tank"),
        Mount(os.makedev(0, 63), b"/mnt/tank/.zfs/snapshot/a", "tank@a"),
    )


def table(folder: Path, *rows: tuple[int, Path, str]) -> Path:
    path = folder / "mountinfo"
    path.write_text(
        "".join(
            f"9 1 {os.major(device)}:{os.minor(device)} / {where} rw - zfs {source} rw\n"
            for device, where, source in rows
        )
    )
    return path


@pytest.fixture
def outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """The folders of tests lie below /tmp, which is the system's."""
    monkeypatch.setattr(opening, "holds_system", lambda path: False)


@pytest.mark.parametrize("where", ["/", "/home", "/var", "/var/lib/docker", "/etc/cron.d", "/root", "/opt"])
@pytest.mark.parametrize("tag", [None, "one"])
def test_the_systems_own_files_are_opened_for_nobody(tmp_path: Path, where: str, tag: str | None) -> None:
    known = table(tmp_path, (Path(where).stat().st_dev if Path(where).exists() else 1, Path(where), "tank/x"))
    with (
        pytest.raises(Unreachable, match="system's own") as refused,
        dataset_root("tank/x", tag, table=known),
    ):
        pass
    assert refused.value.code == "unreadable"


def test_one_that_is_mounted_for_the_system_too_is_the_systems(tmp_path: Path) -> None:
    rows = ((1, Path("/mnt/tank/x"), "tank/x"), (1, Path("/var/log"), "tank/x"))
    with (
        pytest.raises(Unreachable, match="system's own"),
        dataset_root("tank/x", None, table=table(tmp_path, *rows)),
    ):
        pass


@pytest.mark.usefixtures("outside")
def test_a_dataset_is_entered_where_it_is_mounted(tmp_path: Path) -> None:
    device = tmp_path.stat().st_dev
    with dataset_root("tank/home", None, table=table(tmp_path, (device, tmp_path, "tank/home"))) as root:
        assert root.device == device


def test_one_that_is_not_mounted_is_said_to_be(tmp_path: Path) -> None:
    known = table(tmp_path, (1, tmp_path, "tank/other"))
    with pytest.raises(Unreachable) as refused, dataset_root("tank/home", None, table=known):
        pass
    assert refused.value.code == "not-mounted"


@pytest.mark.usefixtures("outside")
def test_one_that_is_mounted_over_is_not_mistaken_for_what_hides_it(tmp_path: Path) -> None:
    known = table(tmp_path, (tmp_path.stat().st_dev + 1, tmp_path, "tank/home"))
    with pytest.raises(Unreachable) as refused, dataset_root("tank/home", None, table=known):
        pass
    assert refused.value.code == "hidden"


@pytest.mark.usefixtures("outside")
def test_a_folder_that_only_looks_like_a_snapshot_is_none(tmp_path: Path) -> None:
    (tmp_path / ".zfs" / "snapshot" / "a").mkdir(parents=True)
    known = table(tmp_path, (tmp_path.stat().st_dev, tmp_path, "tank/home"))
    for tag, code in (("a", "not-mounted"), ("b", "no-snapshot")):
        with pytest.raises(Unreachable) as refused, dataset_root("tank/home", tag, table=known):
            pass
        assert refused.value.code == code
