"""What would make an operator root by a mount point, tried on the real machine: through the API with an
operator's token, and straight at the helper's socket as a worker in strange hands would.

Afterwards every file that root reads and runs is what it was before.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec
import pytest

from host import frames
from host.base import CommandFailed
from host.client import HelperHost
from host.commands.base import Command
from host.commands.datasets.datasets import ZfsRename
from host.commands.datasets.snapshots import ZfsClone, ZfsSnapshot
from host.commands.datasets.zfs import ZfsCreate, ZfsInherit, ZfsMount, ZfsSet, ZfsUnmount
from tests.lab.console import SCOPES, Answer, request
from tests.lab.machine import Machine
from tests.lab.pool_life import PoolLab

pytestmark = pytest.mark.drill

HOSTILE = (
    "//etc/systemd/system.control", "/mnt/./../etc/cron.d", "/./etc/cron.d", "/mnt/../etc/sudoers.d",
    "/etc/systemd/system.control", "/var/spool/cron/crontabs", "/var/run/nasweb", "/run/systemd/system",
    "/opt/nasweb/current", "/usr/local/sbin", "/root/.ssh", "/var/lib/nasweb", "/var/lib/samba/private",
    "/mnt/", "/mnt", "/", "/\uff45\uff54\uff43/cron.d",
)  # fmt: skip
# What systemd, our services and the drill itself write while they run is no file that root runs.
_SUMS = (
    "find /etc /opt /usr /root /var/spool /var/lib -xdev -type f"
    " -not -path '*/nasweb/*.sqlite3*' -not -path '/var/lib/nasweb*/*' -not -path '/var/lib/systemd/*'"
    " -not -path '/var/lib/nfs/*' -not -path '/var/lib/redis/*' -not -path '/var/lib/private/*'"
    " -not -path '/etc/zfs/zpool.cache' -not -path '/etc/zfs/zfs-list.cache/*'"
    " -not -name '*.pyc'"
    " -not -path '/var/lib/samba/*' -not -path '/var/lib/chrony/*' -print0"
    " | LC_ALL=C sort -z | xargs -0 sha256sum;"
    " find /mnt /etc /var /root -xdev -type l -printf '%p %l\\n' | sort"
)
_OPERATOR = (
    "from accounts.models import User; from accounts import tokens; "
    "user = User.objects.filter(username='olga').first() or User.objects.create_user("
    "'olga', None, role='operator'); "
    f"print(tokens.create(name='drill', scopes={SCOPES!r}, user=user)[1])"
)
KEPT = "kept by root"


class Drill(NamedTuple):
    """The machine with its pool, an operator's token, and the helper's socket."""

    lab: PoolLab
    token: str
    helper: HelperHost
    path: Any

    @property
    def machine(self) -> Machine:
        """The NAS."""
        return self.lab.machine

    def ask(self, method: str, path: str, body: Any) -> Answer:
        """As the operator."""
        headers = {"Authorization": f"Bearer {self.token}", "Prefer": "wait=60"}
        return request(self.machine, method, path, body, headers)

    def failed(self, answer: Answer) -> str:
        """What the job said, which must not succeed."""
        assert answer.status in {200, 202}, answer
        job = self.lab.console.end_of(int(answer.body["id"]))
        assert job["state"] == "failed", job
        return str(job["steps"])

    def raw(self, command: dict[str, Any]) -> frames.Answer:
        """The helper's answer to JSON that no value of ours would become."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(60)
            connection.connect(str(self.path))
            frames.send(connection, msgspec.json.encode(command))
            return frames.decode_answer(frames.receive(connection, limit_bytes=frames.ANSWER_LIMIT_BYTES))

    def refuse(self, command: Command) -> str:
        """What the helper says to a command that must not be started."""
        with pytest.raises(CommandFailed) as failed:
            self.helper.run(command)
        assert failed.value.result.exit == 126, failed.value.result
        return failed.value.result.stderr

    def mounts(self) -> list[str]:
        """Where file systems of ZFS are mounted now."""
        return sorted(
            self.machine.run("findmnt --noheadings --list --types zfs --output TARGET").stdout.split()
        )


@pytest.fixture(scope="module")
def drill(pool_lab: PoolLab) -> Iterator[Drill]:
    """A mirror `tank`; and after all tests the proof that no file of the system was changed."""
    machine = pool_lab.machine
    pool_lab.create("tank", "mirror", 1, 2)
    machine.run(f"mkdir -p /mnt/full && echo {KEPT} > /mnt/full/file")
    token = machine.run(["nasweb", "shell", "-c", _OPERATOR]).stdout.split()[-1]
    path = machine.folder / "helper.sock"
    machine.shell.forward(path, "/run/nasweb/helper.sock")
    before = machine.run(_SUMS).stdout.splitlines()
    yield Drill(pool_lab, token, HelperHost(path), path)
    pool_lab.tidy()
    now = machine.run(_SUMS).stdout.splitlines()
    machine.run("rm -rf /mnt/full /mnt/tank")
    assert sorted(set(before) ^ set(now)) == []


@pytest.fixture
def share(drill: Drill) -> Iterator[str]:
    """A new dataset `tank/share`, to whose folder people write; nothing else is left of a test."""
    drill.helper.run(ZfsCreate(name="tank/share"))
    drill.lab.console.fresh()
    yield "/mnt/tank/share"
    others = "zfs list -Hro name tank | grep / | sort -r"
    drill.machine.run(f"for one in $({others}); do zfs destroy -r $one; done")
    drill.machine.run("find /mnt -xdev -type l -delete")
    drill.lab.console.fresh()


@pytest.mark.usefixtures("share")
def test_an_operator_mounts_nothing_over_the_system(drill: Drill) -> None:
    before = drill.mounts()
    for path in HOSTILE:
        place = {"properties": {"mountpoint": path}}
        for method, where, body in (
            ("POST", "datasets/", {"name": "tank/new", **place}),
            ("PATCH", "datasets/tank/share/", place),
            ("PATCH", "datasets/", {"names": ["tank/share"], **place}),
        ):
            answer = drill.ask(method, where, body)
            assert answer.status == 422, (path, where, answer)
    assert drill.mounts() == before


@pytest.mark.usefixtures("share")
def test_an_operator_mounts_nothing_elsewhere_and_an_admin_is_warned(drill: Drill) -> None:
    elsewhere = {"name": "tank/anna", "properties": {"mountpoint": "/home/anna"}}
    assert drill.ask("POST", "datasets/", elsewhere).status == 403
    report = drill.lab.console.ask("POST", "datasets/?dry_run=true", elsewhere)
    assert [one["code"] for one in report.body["findings"] if one.get("needs")] == ["mounts-elsewhere"]


def test_a_link_in_a_share_leads_no_mount_astray(drill: Drill, share: str) -> None:
    before = drill.mounts()
    drill.machine.run(f"ln -s /etc/cron.d {share}/door; ln -s /var/spool/cron {share}/spool")
    said = drill.failed(drill.ask("POST", "datasets/", {"name": "tank/share/door"}))
    assert "/etc/cron.d" in said
    place = {"properties": {"mountpoint": f"{share}/spool/crontabs"}}
    said = drill.failed(drill.ask("POST", "datasets/", {"name": "tank/astray", **place}))
    assert "/var/spool/cron/crontabs" in said
    drill.lab.console.do("POST", "datasets/", {"name": "tank/other"})
    said = drill.failed(drill.ask("POST", "datasets/tank/other/rename/", {"to": "tank/share/door"}))
    assert "/etc/cron.d" in said
    assert drill.mounts() == sorted([*before, "/mnt/tank/other"])


def test_a_folder_that_turned_into_a_link_while_nothing_was_mounted(drill: Drill, share: str) -> None:
    drill.lab.console.do("POST", "datasets/", {"name": "tank/share/in"})
    drill.lab.console.do("POST", "datasets/tank/share/in/unmount/", {})
    drill.machine.run(f"rmdir {share}/in && ln -s /etc/sudoers.d {share}/in")
    drill.lab.console.fresh()
    assert "/etc/sudoers.d" in drill.failed(drill.ask("POST", "datasets/tank/share/in/mount/", {}))
    drill.machine.run(f"rm {share}/in")
    drill.lab.console.do("POST", "datasets/tank/share/in/mount/", {})
    assert f"{share}/in" in drill.mounts()


@pytest.mark.usefixtures("share")
def test_a_mount_over_a_full_folder_hides_and_harms_nothing(drill: Drill) -> None:
    over = {"name": "tank/over", "properties": {"mountpoint": "/mnt/full"}}
    answer = drill.ask("POST", "datasets/", over)
    if answer.status in {200, 202}:
        drill.lab.console.end_of(int(answer.body["id"]))
    drill.machine.run("zfs unmount tank/over", check=False)
    assert drill.machine.run("cat /mnt/full/file").stdout.strip() == KEPT


@pytest.mark.usefixtures("share")
def test_the_helper_takes_no_such_mount_point_from_anybody(drill: Drill) -> None:
    ways: tuple[dict[str, Any], ...] = (
        {"type": "ZfsCreate", "name": "tank/x"},
        {"type": "ZfsSet", "name": "tank/share"},
        {"type": "ZfsClone", "snapshot": "tank@a", "name": "tank/x"},
    )
    for path in HOSTILE:
        for way in ways:
            answer = drill.raw({**way, "properties": {"mountpoint": path}})
            assert isinstance(answer, frames.Refused) and answer.reason == "request", (path, answer)


@pytest.mark.usefixtures("share")
def test_the_helper_sets_nothing_that_makes_root_do_something(drill: Drill) -> None:
    for name, value in (
        ("sharenfs", "rw,no_root_squash"), ("sharesmb", "on"), ("keylocation", "file:///etc/shadow"),
        ("keylocation", "https://127.0.0.1/key"), ("zoned", "on"), ("context", "x,suid"),
    ):  # fmt: skip
        answer = drill.raw({"type": "ZfsSet", "name": "tank/share", "properties": {name: value}})
        assert isinstance(answer, frames.Refused) and answer.reason == "request", answer
        assert drill.machine.run(f"zfs get -Ho value {name} tank/share").stdout.strip() != value
    cache = {"property": "cachefile", "value": "/etc/cron.d/x"}
    answer = drill.raw({"type": "ZpoolSet", "name": "tank", **cache})
    assert isinstance(answer, frames.Refused), answer


@pytest.mark.usefixtures("share")
def test_what_only_zfs_knows_is_asked_before_anything_is_mounted(drill: Drill) -> None:
    """As after a pool came from elsewhere: its mount points are its own."""
    run = drill.machine.run
    run("zfs create -u -o mountpoint=/etc/systemd tank/foreign")
    run("zfs create -u -o canmount=noauto tank/foreign/system.control")
    run("zfs create -u -o mountpoint=none tank/away; zfs create -u tank/away/system.control")
    before = drill.mounts()
    drill.helper.run(ZfsSnapshot(names=("tank/share@one",)))
    for command in (
        ZfsMount(name="tank/foreign"),
        ZfsMount(name="tank/foreign/system.control"),
        ZfsCreate(name="tank/foreign/network"),
        ZfsClone(snapshot="tank/share@one", name="tank/foreign/network"),
        ZfsRename(name="tank/away/system.control", to="tank/foreign/network"),
    ):
        assert "belongs to the system" in drill.refuse(command)
    assert drill.mounts() == before
    drill.helper.run(ZfsInherit(name="tank/foreign", property="mountpoint"))
    assert set(drill.mounts()) - set(before) <= {"/mnt/tank/foreign"}


def test_links_are_resolved_by_the_helper_itself(drill: Drill, share: str) -> None:
    drill.machine.run(f"ln -s /etc {share}/etc; ln -s ../../../etc/cron.d {share}/c")
    before = drill.mounts()
    for command in (
        ZfsCreate(name="tank/share/etc"),
        ZfsCreate(name="tank/share/c"),
        ZfsSet(name="tank/share", properties={"mountpoint": f"{share}/etc/cron.d"}),
    ):
        assert "symbolic link" in drill.refuse(command)
    assert drill.mounts() == before


def test_a_share_that_flips_a_link_wins_no_race(drill: Drill, share: str) -> None:
    """Somebody swaps a folder for a link and back as fast as possible, while the helper mounts there."""
    drill.helper.run(ZfsCreate(name="tank/share/in"))
    drill.helper.run(ZfsUnmount(name="tank/share/in"))
    flip = f"ln -sfn /etc/cron.d {share}/in; rm -f {share}/in; mkdir {share}/in; rmdir {share}/in"
    drill.machine.run(
        f"rmdir {share}/in; systemd-run --quiet --unit=drill-flip --collect sh -c "
        f"'while :; do {flip}; done 2>/dev/null'"
    )
    try:
        for _ in range(40):
            with suppress(CommandFailed):
                drill.helper.run(ZfsMount(name="tank/share/in"))
            assert "/etc/cron.d" not in drill.mounts()
            drill.machine.run("zfs unmount tank/share/in", check=False)
    finally:
        drill.machine.run("systemctl stop drill-flip", check=False)
