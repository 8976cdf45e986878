"""Drills of growth: a RAIDZ takes a sixth disk under load; a mirror of small disks becomes a larger one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.lab.builder import build_image, built_release
from tests.lab.console import Console
from tests.lab.disks import GB, sata
from tests.lab.machine import Machine

pytestmark = pytest.mark.drill
SMALL, LARGE = 16 * GB, 32 * GB
DISKS = (
    *(sata(number, size_bytes=SMALL) for number in range(1, 7)),
    *(sata(number, size_bytes=SMALL) for number in (7, 8)),
    *(sata(number, size_bytes=LARGE) for number in (9, 10)),
)


@pytest.fixture(scope="module")
def nas() -> Iterator[Machine]:
    """A machine of its own: eight small disks and two large ones."""
    with Machine(build_image(built_release()), DISKS) as machine:
        machine.boot()
        yield machine


@pytest.fixture(scope="module")
def console(nas: Machine) -> Console:
    return Console(nas)


def ids(console: Console, *numbers: int) -> list[str]:
    console.fresh()
    known = {disk["serial"]: disk["id"] for disk in console.get("disks/")["results"]}
    return [known[f"WD-WMC1T{number:07}"] for number in numbers]


def pool(console: Console, name: str) -> Any:
    console.fresh()
    return console.get(f"pools/{name}/")


def sums(nas: Machine, folder: str) -> str:
    return nas.run(f"find {folder} -name 'kept*' -exec sha256sum {{}} + | sort").stdout


def test_a_raidz_of_five_takes_a_sixth_disk_under_load(nas: Machine, console: Console) -> None:
    disks = ids(console, 1, 2, 3, 4, 5, 6)
    vdev = {"role": "data", "layout": "raidz1", "disks": disks[:5]}
    console.do("POST", "pools/", {"name": "wide", "vdevs": [vdev]})
    nas.run("for n in 1 2 3 4; do head -c 60000000 /dev/urandom > /mnt/wide/kept$n; done; sync")
    before, kept = pool(console, "wide"), sums(nas, "/mnt/wide")
    assert len(kept.splitlines()) == 4

    # A writer that goes on until its file is removed.
    nas.run(
        "touch /run/load; systemd-run --unit load sh -c "
        "'while test -e /run/load; do head -c 8000000 /dev/urandom > /mnt/wide/load; sync; done'"
    )
    request = {"vdev": before["vdevs"][0]["guid"], "disk": disks[5]}
    plan = console.ask("POST", "pools/wide/attach/?dry_run=true", request).body
    codes = {finding["code"] for finding in plan["findings"]}
    assert {"irreversible", "space-is-an-estimate", "old-data-stays", "redundancy-stays"} <= codes
    console.do("POST", "pools/wide/attach/", request)
    nas.wait_until("zpool status wide | grep -q 'expanded raidz1-0'", timeout_s=1200)
    nas.run("rm /run/load")
    nas.wait_until("! systemctl is-active --quiet load", timeout_s=120)

    after = pool(console, "wide")
    assert (after["state"], len(after["vdevs"][0]["children"])) == ("ONLINE", 6)
    grown = after["capacity"]["usable_bytes"] - before["capacity"]["usable_bytes"]
    (said,) = [f["message"] for f in plan["findings"] if f["code"] == "space-is-an-estimate"]
    # Shown as the plan said: one disk more at four parts of data to one of parity, less what ZFS keeps back.
    shown_gib = float(said.split("shows ")[1].split(" GiB")[0])
    assert grown / (1 << 30) == pytest.approx(shown_gib, rel=0.05)
    assert sums(nas, "/mnt/wide") == kept
    console.do("DELETE", "pools/wide/")


def test_a_mirror_of_small_disks_becomes_a_larger_one_by_one(nas: Machine, console: Console) -> None:
    first, second, *larger = ids(console, 7, 8, 9, 10)
    vdev = {"role": "data", "layout": "mirror", "disks": [first, second]}
    console.do("POST", "pools/", {"name": "twin", "vdevs": [vdev]})
    nas.run("head -c 200000000 /dev/urandom > /mnt/twin/kept; sync")
    kept, before = sums(nas, "/mnt/twin"), pool(console, "twin")
    for old, new in zip((first, second), larger, strict=True):
        leaves = pool(console, "twin")["vdevs"][0]["children"]
        guid = next(leaf["guid"] for leaf in leaves if leaf["disk"] == old)
        refused = console.ask("POST", "pools/twin/replace/", {"vdev": guid, "disk": new})
        assert [f["field"] for f in refused.body["findings"] if f["level"] == "error"] == ["confirm"]
        console.do("POST", "pools/twin/replace/", {"vdev": guid, "disk": new, "confirm": guid})
        nas.wait_until("zpool wait -t replace twin", timeout_s=600)
        after = pool(console, "twin")
        assert new in [leaf["disk"] for leaf in after["vdevs"][0]["children"]]
        assert next(d for d in console.get("disks/")["results"] if d["id"] == old)["in_use"] is False
        if old == first:  # the owner may stop here for days
            assert after["capacity"]["usable_bytes"] == before["capacity"]["usable_bytes"]
            nas.reboot()
            nas.wait_until("curl -fks https://127.0.0.1/accounts/login/ > /dev/null", timeout_s=180)
    if after["size_bytes"] == before["size_bytes"]:  # autoexpand may be quicker
        console.do("POST", "pools/twin/expand/", {})
    grown = pool(console, "twin")
    assert grown["capacity"]["usable_bytes"] > 1.9 * before["capacity"]["usable_bytes"]
    assert (grown["health"], sums(nas, "/mnt/twin")) == ("healthy", kept)
    console.do("DELETE", "pools/twin/")
