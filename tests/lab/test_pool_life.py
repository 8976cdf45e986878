"""What befalls a pool in its life, on real OpenZFS and through the API alone: nothing written is lost."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.lab.builder import build_image, built_release
from tests.lab.machine import Machine
from tests.lab.pool_life import DISKS, PoolLab, bay_of, every, leaves, newcomer, small, until

pytestmark = [pytest.mark.drill, pytest.mark.measures]

REPORTED_S = 10.0
USABLE_S = 15.0  # emulated, and with the cores busy
_RULES = "60-persistent-storage.rules"


@pytest.fixture(scope="module")
def lab() -> Iterator[PoolLab]:
    """One machine for all of these: each drill ends without a pool and with all disks in."""
    with Machine(build_image(built_release()), DISKS) as nas:
        nas.boot()
        yield PoolLab(nas)


@pytest.fixture(autouse=True)
def tidied(lab: PoolLab) -> Iterator[None]:
    """A drill that failed is in nobody's way."""
    yield
    lab.tidy()


def report(words: str) -> None:
    """A figure for the report of a run: shown with -s, or when a drill fails."""
    print(f"\n  {words}", flush=True)


def test_a_disk_pulled_under_load_is_reported_stood_in_for_and_replaced(lab: PoolLab) -> None:
    lab.create("tank", "raidz2", 1, 2, 3, 4, 5, spare=6)
    lab.write("/mnt/tank/data", files=30)
    lab.start_load("/mnt/tank/data")
    pulled = small(3)
    gone = lab.leaf("tank", pulled)["guid"]
    lab.machine.pull_disk(pulled.id)

    degraded_s, _ = until(lambda: lab.pool("tank")["state"] == "DEGRADED")
    report(f"DEGRADED after {degraded_s:.1f} s")
    assert degraded_s <= REPORTED_S
    alerted_s, alert = until(lambda: lab.alert("disk-gone"))
    report(f"alert {alerted_s:.1f} s later: {alert['title']}")
    assert [(spot["bay"], spot["here"]) for spot in alert["disks"]] == [(bay_of(pulled), False)]
    assert bay_of(pulled) in alert["title"]
    assert degraded_s + alerted_s <= REPORTED_S

    def stands_in() -> bool:
        pool = lab.pool("tank")
        node = [vdev for vdev in every(pool["vdevs"]) if vdev["kind"] == "spare" and vdev["children"]]
        return bool(node) and (pool["scan"] or {}).get("state") == "FINISHED"

    spare_s, _ = until(lab.refreshed(stands_in))
    report(f"the spare stood in and was resilvered {spare_s:.1f} s later")

    fresh = newcomer(20, place_of=pulled)
    lab.machine.add_disk(fresh)
    seen_s, disk = until(lambda: lab.id_of(fresh))
    report(f"the new disk was seen after {seen_s:.1f} s")
    until(lambda: lab.console.get(f"disks/{disk}/")["bay"] == bay_of(pulled), limit_s=REPORTED_S)
    lab.console.do("POST", "pools/tank/replace/", {"vdev": gone, "disk": disk})
    whole_s, _ = until(lab.refreshed(lambda: lab.resilvered("tank")), limit_s=300)
    report(f"replaced and resilvered {whole_s:.1f} s after the request")
    pool = lab.pool("tank")
    assert (pool["state"], pool["health"]) == ("ONLINE", "healthy")
    assert disk in {leaf["disk"] for leaf in leaves(pool["vdevs"])}
    assert [vdev["state"] for vdev in pool["vdevs"] if vdev["role"] == "spare"] == ["AVAIL"]

    lab.stop_load()
    lab.forget_what_memory_holds("tank")
    report(f"{(count := lab.verify())} files are what was written")
    assert count > 30
    until(lambda: lab.alert("disk-gone") is None)
    lab.destroy("tank")
    lab.machine.pull_disk(fresh.id)
    lab.machine.insert_disk(pulled.id)
    _, back = until(lambda: lab.id_of(pulled))
    # Its label still names the pool that it left: nobody takes it before it was erased.
    lab.console.fresh()
    assert lab.console.get(f"disks/{back}/")["used_by"]
    lab.console.do("POST", f"disks/{back}/wipe/", {"serial": pulled.serial})
    assert lab.console.get(f"disks/{back}/")["used_by"] is None


def test_a_third_failure_suspends_a_raidz2_and_its_disks_bring_it_back(lab: PoolLab) -> None:
    lab.create("tank", "raidz2", 1, 2, 3, 4, 5)
    lab.write("/mnt/tank/data", files=20)
    for number in (1, 2):
        lab.machine.pull_disk(small(number).id)
    until(lab.refreshed(lambda: _states(lab.pool("tank")).count("REMOVED") == 2))
    assert lab.pool("tank")["state"] == "DEGRADED"
    lab.forget_what_memory_holds("tank")
    assert lab.verify() == 20

    lab.start_load("/mnt/tank/data")
    lab.machine.pull_disk(small(3).id)
    suspended_s, _ = until(lambda: lab.pool("tank")["state"] == "SUSPENDED")
    report(f"SUSPENDED after {suspended_s:.1f} s")
    alerted_s, alert = until(lambda: lab.alert("pool-suspended"))
    report(f"alert {alerted_s:.1f} s later: {alert['title']}")
    assert alert["severity"] == "critical"
    assert bay_of(small(3)) in {spot["bay"] for spot in alert["disks"]}
    assert "pool.clear" in {step["operation"] for step in alert["steps"]}
    _assert_usable(lab)

    for number in (1, 2, 3):
        lab.machine.insert_disk(small(number).id)
    until(lambda: all(lab.id_of(small(number)) for number in (1, 2, 3)))
    lab.machine.run("udevadm settle")
    started = time.monotonic()
    _clear(lab)
    back_s, _ = until(lab.refreshed(lambda: lab.pool("tank")["state"] == "ONLINE" and lab.resilvered("tank")))
    report(f"cleared and whole {time.monotonic() - started:.1f} s after the disks were back ({back_s:.1f} s)")
    lab.stop_load()
    lab.console.do("POST", "pools/tank/scrub/", {"action": "start"})
    until(lab.refreshed(lambda: _scrubbed(lab.pool("tank"))))
    assert (lab.pool("tank")["scan"]["errors"], lab.pool("tank")["data_errors"]) == (0, 0)
    lab.forget_what_memory_holds("tank")
    report(f"{(count := lab.verify())} files are what was written")
    assert count > 20
    lab.destroy("tank")


def test_what_was_overwritten_on_a_disk_is_repaired_and_reported(lab: PoolLab) -> None:
    lab.create("tank", "raidz1", 1, 2, 3)
    lab.write("/mnt/tank/data", files=60)
    lab.console.do("POST", "pools/tank/export/", {})
    wrong = small(2)
    # Behind the label and the boot area of its partition, which begins at 1 MiB.
    with lab.machine.disk_file(wrong.id).open("r+b") as file:
        file.seek(8 << 20)
        for _ in range(200):
            file.write(os.urandom(1 << 20))
    lab.importable_pools()
    lab.console.do("POST", "pools/import/", {"name": "tank"})
    lab.console.do("POST", "pools/tank/scrub/", {"action": "start"})
    scrub_s, _ = until(lab.refreshed(lambda: _scrubbed(lab.pool("tank"))))
    pool = lab.pool("tank")
    repaired = pool["scan"]["repaired_bytes"]
    report(f"scrubbed in {scrub_s:.1f} s, {repaired} bytes repaired")
    assert (pool["scan"]["errors"], pool["data_errors"], pool["state"]) == (0, 0, "ONLINE")
    assert repaired > 10_000_000
    errors = {leaf["bay"]: leaf["checksum_errors"] for leaf in leaves(pool["vdevs"])}
    assert [bay for bay, count in errors.items() if count] == [bay_of(wrong)]
    _, alert = until(lambda: lab.alert("disk-errors", "transfer-errors"))
    report(alert["title"])
    assert [spot["bay"] for spot in alert["disks"]] == [bay_of(wrong)]
    lab.console.do("POST", "pools/tank/clear/", {})
    assert lab.pool("tank")["health"] == "healthy"
    lab.forget_what_memory_holds("tank")
    assert lab.verify() == 60
    lab.destroy("tank")


def test_a_pool_whose_links_are_no_longer_made_is_found_and_brought_back(lab: PoolLab) -> None:
    machine, numbers = lab.machine, (7, 8, 9)
    disks = [f"/dev/disk/by-id/scsi-3{small(number).wwn:x}" for number in numbers]
    for disk in disks:
        machine.run(f"sgdisk --clear --new=1:1M:+7000M --typecode=1:BF01 {disk}; udevadm settle")
    machine.run(f"zpool create -f -m /mnt/old old raidz1 {' '.join(f'{disk}-part1' for disk in disks)}")
    lab.write("/mnt/old/data", files=20)
    assert all(disk in machine.run("zpool status -P old").stdout for disk in disks)

    # As after an upgrade of the system whose rules make other links of one model.
    _start_with_links(lab, f's/^/ENV{{ID_SERIAL}}!="3{small(7).wwn:x}", /')
    assert lab.pool("old")["state"] == "DEGRADED"
    finding = _finding(lab, "links-vanished")
    report(f"the doctor: {finding['title']}")
    (remedy,) = finding["fix"]
    assert remedy["operation"] == "pool.relink"
    name, body = remedy["request"]["name"], {**remedy["request"]}
    del body["name"]
    lab.console.do("POST", f"pools/{name}/relink/", body)
    until(lab.refreshed(lambda: lab.pool("old")["state"] == "ONLINE" and lab.resilvered("old")))
    # What the disk missed while it was not found may have been read from it, and counted as errors.
    lab.console.do("POST", "pools/old/clear/", {})
    assert lab.pool("old")["health"] == "healthy"
    _assert_lasting(lab)
    assert lab.verify() == 20
    lab.destroy("old")

    # All of them at once: OpenZFS 2.3 then searches by itself, where older releases gave the pool up.
    machine.run(f"rm /etc/udev/rules.d/{_RULES}; udevadm control --reload; udevadm trigger --settle")
    machine.run(f"zpool create -f -m /mnt/old old raidz1 {' '.join(f'{disk}-part1' for disk in disks)}")
    lab.write("/mnt/old/data", files=20)
    _start_with_links(lab, "d")
    assert machine.run("ls /dev/disk/by-id").stdout.count("scsi-") == 0
    assert lab.pool("old")["health"] == "healthy"
    _assert_lasting(lab)
    assert lab.verify() == 20
    machine.run(f"rm /etc/udev/rules.d/{_RULES}")
    lab.destroy("old")


def _start_with_links(lab: PoolLab, change: str) -> None:
    """Start again with the rule of the links that bear a disk's bus changed by a command of sed."""
    source = f"/usr/lib/udev/rules.d/{_RULES}"
    lab.machine.run(["sh", "-c", 'sed "/by-id.*ID_BUS/$1" "$2" > "$3"; sync', "sh", change, source,
                     f"/etc/udev/rules.d/{_RULES}"])  # fmt: skip
    lab.machine.reboot()
    lab.machine.wait_until("curl -fks https://127.0.0.1/accounts/login/ > /dev/null", timeout_s=180)
    lab.console.fresh()


def _finding(lab: PoolLab, code: str) -> dict[str, Any]:
    """The doctor's finding of that code on the pool `old`."""
    found = lab.console.get("doctor/?limit=1000")["results"]
    wanted = [one for one in found if one["code"] == code and one["subject"]["name"] == "old"]
    assert len(wanted) == 1, [(one["code"], one["title"]) for one in found]
    finding: dict[str, Any] = wanted[0]
    return finding


def _assert_lasting(lab: PoolLab) -> None:
    """Every member is known by a link that is there."""
    paths = [leaf["path"] for leaf in leaves(lab.pool("old")["vdevs"])]
    report(f"its members are {', '.join(path.rpartition('/')[2] for path in paths)}")
    assert all(path.startswith("/dev/disk/by-id/") for path in paths)
    lab.machine.run(["ls", *paths])


def _states(pool: dict[str, Any]) -> list[str]:
    return [leaf["state"] for leaf in leaves(pool["vdevs"])]


def _scrubbed(pool: dict[str, Any]) -> bool:
    scan = pool["scan"] or {}
    return (scan.get("function"), scan.get("state")) == ("SCRUB", "FINISHED")


def _assert_usable(lab: PoolLab) -> None:
    """All that a person would open answers, and fresh probes come to their end."""
    slowest = 0.0
    for path in (
        "system/", "disks/?limit=1000", "pools/", "pools/tank/", "datasets/", "doctor/", "alerts/?open=true",
        "bays/", "jobs/", "pools/tank/live/",
    ):  # fmt: skip
        began = time.monotonic()
        lab.console.get(path)
        slowest = max(slowest, time.monotonic() - began)
    began = time.monotonic()
    refused = lab.console.ask("POST", "pools/tank/scrub/?dry_run=true", {"action": "start"})
    assert refused.status == 422
    assert "suspended" in str(refused.body["findings"])
    slowest = max(slowest, time.monotonic() - began)
    for _ in range(3):
        slowest = max(slowest, _refresh_s(lab))
    report(f"while it is suspended the slowest answer took {slowest:.1f} s")
    assert slowest <= USABLE_S


def _refresh_s(lab: PoolLab) -> float:
    """Seconds until a probe that was requested now is there."""
    before = lab.console.get("system/")["as_of"]

    def newer() -> bool:
        lab.console.fresh()
        return bool(lab.console.get("system/")["as_of"] > before)

    return until(newer)[0]


def _clear(lab: PoolLab) -> None:
    """What waited is tried again. ZFS may stop once more over what it had still to note: then again."""
    for _ in range(3):
        answer = lab.console.ask("POST", "pools/tank/clear/", {}, Prefer="wait=60")
        assert answer.status == 202, answer
        job = lab.console.end_of(answer.body["id"])
        if job["state"] == "succeeded":
            return
        report(f"cleared in vain: {job['error']['detail']}")
    pytest.fail(str(job))
