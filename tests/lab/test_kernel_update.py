"""A kernel update on a boot pair: held back while OpenZFS has no module for it, then in both halves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.lab.disks import sata
from tests.lab.kernels import Kernel, later_kernel
from tests.lab.new_machine import SMALL, TIMEOUT_S, from_stick, wait_until_up
from tests.lab.pair import FIRST, SECOND, Pair
from tests.lab.pool_life import until

pytestmark = pytest.mark.drill
_FILE = "/mnt/tank/file"


@pytest.fixture(scope="module")
def later() -> Kernel:
    return later_kernel()


@pytest.fixture(scope="module")
def pair(later: Kernel) -> Iterator[Pair]:
    """Both halves whole, and a pool with a file on it."""
    with from_stick(FIRST, (SECOND, sata(1, size_bytes=SMALL), sata(2, size_bytes=SMALL))) as machine:
        machine.boot()
        wait_until_up(machine)
        pair = Pair(machine)
        pair.console.do("POST", "boot/add/", {"disk": pair.stick(SECOND.serial)})
        disks = [pair.stick(disk.serial) for disk in machine.disks.values() if disk.kind == "sata"]
        vdev = {"role": "data", "layout": "mirror", "disks": disks}
        pair.console.do("POST", "pools/", {"name": "tank", "vdevs": [vdev]})
        machine.run(f"head -c 10000000 /dev/urandom > {_FILE} && sha256sum {_FILE} > /root/sum && sync")
        pair.wait_until_whole(FIRST.serial, SECOND.serial)
        yield pair


def test_a_new_kernel_without_openzfs_waits_and_the_machine_starts_as_before(
    pair: Pair, later: Kernel
) -> None:
    run = pair.machine.run
    running = run("uname -r").stdout.strip()
    pair.machine.shell.copy(later.packages, "/root/packages")
    install = "DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends"
    said = run(f"{install} /root/packages/*.deb 2>&1", timeout_s=TIMEOUT_S).stdout
    held = f"Held back, as OpenZFS has no module for it: {later.version}. {running} stays the default."
    assert held in said
    assert starts_next(pair) == running

    def finding() -> dict[str, Any] | None:
        pair.console.fresh()
        found = pair.console.get("doctor/?limit=1000")["results"]
        return next((one for one in found if one["code"] == "kernel-without-module"), None)

    report = until(finding, limit_s=TIMEOUT_S, every_s=20)[1]
    assert report["title"] == "An installed kernel has no ZFS module"
    assert {fact["name"]: fact["value"] for fact in report["evidence"]} == {
        "Without a module": later.version,
        "Starts next": running,
        "Runs now": running,
    }
    pair.restart(FIRST.id, SECOND.id)
    comes_up(pair, running)


def test_with_its_module_it_starts_from_either_half(pair: Pair, later: Kernel) -> None:
    pair.machine.shell.copy(later.module, "/root/module.tar")
    unpack = f"tar --extract --file /root/module.tar --directory / && depmod {later.version}"
    pair.machine.run(unpack, timeout_s=TIMEOUT_S)
    # As the package of its headers does, which come after it.
    hooks = f"run-parts --exit-on-error --arg={later.version} /etc/kernel/header_postinst.d"
    pair.machine.run(hooks, timeout_s=TIMEOUT_S)
    assert starts_next(pair) == later.version
    for left, other in ((SECOND, FIRST), (FIRST, SECOND)):
        pair.restart(left.id)
        assert pair.serials() == {left.serial}
        comes_up(pair, later.version)
        pair.machine.insert_disk(other.id)
        pair.machine.wait_until(f"lsblk -dno SERIAL | grep -qx {other.serial}")
        if other.serial not in pair.serials() | pair.serials("rebuilding"):
            pair.console.do("POST", "boot/add/", {"disk": pair.stick(other.serial)})
        pair.wait_until_whole(FIRST.serial, SECOND.serial)


def test_the_older_kernel_can_go(pair: Pair, later: Kernel) -> None:
    older = "dpkg-query --show --showformat '${db:Status-Abbrev} ${Package}\\n' 'linux-image-[0-9]*'"
    here = [line.split() for line in pair.machine.run(older).stdout.splitlines()]
    names = [name for state, name in here if state == "ii" and later.version not in name]
    pair.machine.run(["dpkg", "--purge", "--force-depends", *names], timeout_s=TIMEOUT_S)
    assert starts_next(pair) == later.version
    pair.restart(FIRST.id, SECOND.id)
    comes_up(pair, later.version)


def starts_next(pair: Pair) -> str:
    """The kernel of the menu's first entry."""
    first = pair.machine.run("grep -m1 -o 'vmlinuz-[^ ]*' /boot/grub/grub.cfg").stdout
    return first.strip().removeprefix("vmlinuz-")


def comes_up(pair: Pair, kernel: str) -> None:
    """It runs that kernel, its pool is there, and its file is as it was."""
    assert pair.machine.run("uname -r").stdout.strip() == kernel
    assert pair.console.get("pools/tank/")["state"] == "ONLINE"
    assert pair.machine.run("sha256sum --check /root/sum").stdout == f"{_FILE}: OK\n"
