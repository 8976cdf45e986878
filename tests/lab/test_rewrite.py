"""Deduplication is undone: a dataset is written anew on real OpenZFS, interrupted in every way, and takes the
place of itself with all its files, snapshots, settings and shares.

The disk is slowed down while it is copied and compared: else nothing could come in between.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.lab.builder import build_image, built_release
from tests.lab.clients import Clients
from tests.lab.machine import Machine
from tests.lab.new_machine import wait_until_up
from tests.lab.pool_life import DISKS, PoolLab, small, until

pytestmark = pytest.mark.drill

_ONE = "rewrites/tank/films/"
_RATE, _SLOWLY = 2 << 20, 512 << 10  # bytes per second, of reads and writes together
_OWN = {"dedup": "on", "compression": "off", "setuid": "off", "quota": str(4 << 30)}
_SUMS = "cd {at} && find . -type f -print0 | sort -z | xargs -0 sha256sum"
_FILES = (
    "cd /mnt/tank/films && head -c 12M /dev/urandom > one && cp --reflink=never one two && cp --reflink=never"
    " one 'deep/th ree' && yes nasweb | head -c 8M > deep/text && truncate --size=20M deep/hole"
    " && head -c 4M /dev/urandom > /mnt/tank/films/below/four && sync"
)


@pytest.fixture(scope="module")
def lab() -> Iterator[PoolLab]:
    with Machine(build_image(built_release()), DISKS[:2]) as nas:
        nas.boot()
        found = PoolLab(nas)
        found.create("tank", "stripe", 1)
        for name in ("tank/films", "tank/films/below"):
            found.console.do(
                "POST", "datasets/", {"name": name, "properties": _OWN if "/b" not in name else {}}
            )
        found.console.do(
            "POST", "datasets/", {"name": "tank/films/disk", "kind": "volume", "volume_bytes": 64 << 20}
        )
        nas.run(f"mkdir /mnt/tank/films/deep; {_FILES}; chmod -R a+rwX /mnt/tank/films", timeout_s=600)
        nas.run("head -c 5M /dev/urandom | dd of=/dev/zvol/tank/films/disk conv=fsync bs=1M", timeout_s=120)
        snapshot = {"datasets": ["tank/films"], "name": "first", "recursive": True}
        found.console.do("POST", "snapshots/", snapshot)
        nas.run("rm /mnt/tank/films/two; head -c 3M /dev/urandom > /mnt/tank/films/later; sync")
        share = {"name": "Films", "dataset": "tank/films", "guests": "write"}
        found.console.do("POST", "shares/smb/", share)
        yield found


@pytest.fixture(scope="module")
def clients(lab: PoolLab) -> Clients:
    return Clients(lab.machine)


def standing(lab: PoolLab) -> Any:
    return lab.console.read(_ONE)


def sums(lab: PoolLab, at: str = "/mnt/tank/films") -> str:
    return lab.machine.run(_SUMS.format(at=at), timeout_s=600).stdout


def reached(lab: PoolLab, *stages: str, limit_s: float = 900) -> str:
    _, found = until(lambda: (one := standing(lab)["stage"]) in stages and one, limit_s=limit_s, every_s=2)
    return str(found)


def answers(clients: Clients) -> None:
    """The share can be read and written."""
    clients.come()
    asked = "get deep/text /dev/null; put /etc/hostname from-a-client; rm from-a-client"
    said = clients.smb("Films", asked)
    assert said.exit == 0 and "NT_STATUS" not in said.stdout, said


def ready(lab: PoolLab) -> str:
    """It is copied and compared, or live already."""
    if not lab.console.get("rewrites/")["results"]:
        lab.console.do("POST", "rewrites/", {"dataset": "tank/films", "dedup": "off"})
    return reached(lab, "ready", "live", "broken-off", "different")


def copied_bytes(lab: PoolLab) -> int:
    found = lab.machine.run("zfs list -Hpo used tank/films.rewritten 2>/dev/null || echo 0").stdout
    return int(found.split()[0])


def copying(lab: PoolLab, *, more_than: int) -> int:
    """It is being copied, and has come further than that; how far."""
    _, found = until(lambda: (size := copied_bytes(lab)) > more_than and size, limit_s=200, every_s=1)
    return int(found)


def test_it_is_copied_whatever_comes_between(lab: PoolLab, clients: Clients) -> None:
    nas, console, disk = lab.machine, lab.console, small(1).id
    answers(clients)
    before, volume = sums(lab), nas.run("sha256sum /dev/zvol/tank/films/disk").stdout
    console.do("POST", "rewrites/", {"dataset": "tank/films", "dedup": "off"})
    reached(lab, "ready")
    console.do("DELETE", _ONE)
    left = nas.run("zfs list -Hro name -t all tank; zfs holds -rH tank/films@first").stdout
    assert "rewritten" not in left and "nasweb-" not in left and "replication-" not in left, left
    assert sums(lab) == before

    nas.slow_down(disk, bytes_per_s=_SLOWLY)
    console.do("POST", "rewrites/", {"dataset": "tank/films"})
    size = copying(lab, more_than=2 << 20)
    console.do("POST", f"{_ONE}stop/")
    assert reached(lab, "broken-off") == "broken-off"
    answers(clients)

    console.do("POST", "rewrites/", {"dataset": "tank/films"})
    size = copying(lab, more_than=size)
    nas.run("systemctl kill --signal=KILL nasweb-worker; systemctl restart nasweb-worker nasweb-web")
    nas.run("systemctl is-active --quiet 'nasweb-replication-run-*'")  # it outlives the console
    nas.run("systemctl kill --signal=KILL 'nasweb-replication-run-*'")
    wait_until_up(nas)
    assert reached(lab, "broken-off") == "broken-off"

    console.do("POST", "rewrites/", {"dataset": "tank/films"})
    copying(lab, more_than=size)
    power(lab)
    nas.slow_down(disk, bytes_per_s=_RATE)
    console.fresh()
    assert reached(lab, "broken-off") == "broken-off"
    answers(clients)

    console.do("POST", "rewrites/", {"dataset": "tank/films"})
    reached(lab, "comparing")
    power(lab)
    console.fresh()
    assert reached(lab, "copied") == "copied"
    console.do("POST", f"{_ONE}compare/")
    reached(lab, "ready")
    found = standing(lab)
    assert found["compared"]["files"] == before.count("\n") and found["compared"]["different"] == []
    answers(clients)
    assert sums(lab) == before
    assert nas.run("sha256sum /dev/zvol/tank/films/disk").stdout == volume


def power(lab: PoolLab) -> None:
    lab.machine.cut_power()
    lab.machine.boot()
    wait_until_up(lab.machine)


def marked(lab: PoolLab, name: str) -> set[str]:
    """Datasets that a switch has made read-only."""
    found = lab.machine.run(f"zfs get -Hro name -s local -t filesystem,volume nasweb:switching {name}")
    return set(found.stdout.split())


def test_it_takes_its_own_place_even_where_the_power_fails_in_the_middle(
    lab: PoolLab, clients: Clients
) -> None:
    nas, console = lab.machine, lab.console
    ready(lab)
    nas.run("head -c 2M /dev/urandom > /mnt/tank/films/last; sync")
    before, volume = sums(lab), nas.run("sha256sum /dev/zvol/tank/films/disk").stdout
    guid = nas.run("zfs get -Hpo value guid tank/films").stdout
    nas.slow_down(small(1).id, bytes_per_s=_RATE)
    console.in_turn("POST", f"{_ONE}switch/", {}, wait_s=1)
    nas.wait_until("zfs list tank/films.before || test $(zfs get -Ho value readonly tank/films) = on")
    power(lab)
    console.fresh()
    console.do("POST", f"{_ONE}switch/")
    assert standing(lab)["stage"] == "live"
    answers(clients)
    assert sums(lab) == before
    assert nas.run("sha256sum /dev/zvol/tank/films/disk").stdout == volume
    now = nas.run("zfs get -Hpo value guid,quota,setuid,dedup,compression,readonly,mounted tank/films").stdout
    assert now.split()[0] != guid.strip()
    assert now.split()[1:] == [str(4 << 30), "off", "off", "off", "off", "yes"]
    assert not marked(lab, "tank/films"), "it is used again"
    assert nas.run("zfs list -Hro name -t snapshot tank/films@first").stdout.strip() == "tank/films@first"
    first = sums(lab, "/mnt/tank/films/.zfs/snapshot/first")
    nas.run("mkdir -p /run/old && mount -t zfs tank/films.before@first /run/old")
    assert sums(lab, "/run/old") == first
    nas.run("umount /run/old")


def test_it_goes_back_and_forth_and_then_nothing_is_deduplicated(lab: PoolLab, clients: Clients) -> None:
    nas, console = lab.machine, lab.console
    before = sums(lab)
    if ready(lab) != "live":
        console.do("POST", f"{_ONE}switch/")
    console.do("POST", f"{_ONE}switch/", {"back": True})
    assert not marked(lab, "tank/films")
    answers(clients)
    assert sums(lab) == before
    assert standing(lab)["stage"] == "copied"
    console.do("DELETE", _ONE)  # the copy was written to: it is made anew
    assert ready(lab) == "ready"
    console.do("POST", f"{_ONE}switch/")
    console.do("DELETE", _ONE)
    answers(clients)
    assert sums(lab) == before
    nas.wait_until("test $(zpool get -Hpo value dedupratio tank) = 1.00", timeout_s=120)
    left = nas.run("zfs list -Hro name -t all tank; zfs holds -rH tank/films@first").stdout
    assert ".before" not in left and "rewritten" not in left and "nasweb-" not in left, left
    assert "replication-" not in left, left
