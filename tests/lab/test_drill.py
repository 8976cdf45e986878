"""The main drill: a pool made, filled, rebooted, destroyed and made again, through the appliance's API."""

from __future__ import annotations

import hashlib

import pytest

from tests.lab.calls import let_go, stop_at, wait_until_stopped
from tests.lab.console import Console
from tests.lab.machine import Machine

CACHED_BYTES = 512 << 20
LINK = "/dev/disk/by-id/ata-WDC_WD30EFRX-68EUZN0_WD-WMC1T000000"


def sata_ids(console: Console) -> list[str]:
    console.fresh()
    disks = console.get("disks/")["results"]
    return [disk["id"] for disk in disks if disk["id"].startswith("ata-WDC_WD30EFRX")]


def tank(console: Console) -> dict[str, object]:
    return {"name": "tank", "vdevs": [{"role": "data", "layout": "raidz2", "disks": sata_ids(console)}]}


def leaf_paths(machine: Machine) -> list[str]:
    listing = machine.run("zpool status -P tank").stdout
    return [line.split()[0] for line in listing.splitlines() if "/dev/" in line]


def test_a_pool_survives_a_reboot_with_its_data(machine: Machine, console: Console) -> None:
    console.do("POST", "pools/", tank(console))
    console.do("POST", "datasets/", {"name": "tank/media"})
    console.do("PATCH", "datasets/tank/media/", {"properties": {"compression": "zstd"}})
    machine.run("head -c 50000000 /dev/urandom > /mnt/tank/media/random && sync")
    before = machine.run("sha256sum < /mnt/tank/media/random").stdout
    assert len(before.split()[0]) == hashlib.sha256().digest_size * 2
    console.do("POST", "snapshots/", {"datasets": ["tank/media"], "name": "before", "recursive": False})
    console.do("PUT", "system/settings/arc/", {"max_bytes": CACHED_BYTES})

    start = machine.shell.boot_id()
    job = console.do("POST", "system/restart/")
    machine.wait_for_another_start(start)
    machine.wait_until("curl -fks https://127.0.0.1/accounts/login/ > /dev/null", timeout_s=180)
    assert console.get(f"jobs/{job['id']}/")["state"] == "succeeded"
    assert machine.run("journalctl --boot | grep --count 'ordering cycle'", check=False).stdout.strip() == "0"
    console.fresh()
    assert console.get("pools/tank/")["state"] == "ONLINE"
    assert leaf_paths(machine) == [f"{LINK}{number}-part1" for number in range(1, 7)]
    assert machine.run("zpool get -Ho value ashift tank").stdout.strip() == "12"
    assert machine.run("sha256sum < /mnt/tank/media/random").stdout == before
    assert console.get("datasets/tank/media/")["properties"]["compression"]["value"] == "zstd"
    names = [entry["name"] for entry in console.get("snapshots/?dataset=tank/media")["results"]]
    assert names == ["tank/media@before"]


def test_the_limit_of_the_cache_held_over_the_restart_and_is_taken_back(
    machine: Machine, console: Console
) -> None:
    held = console.get("system/settings/arc/")
    assert (held["max_bytes"], held["live_max_bytes"]) == (CACHED_BYTES, CACHED_BYTES)
    assert f" {CACHED_BYTES}\n" in machine.run("grep '^c_max ' /proc/spl/kstat/zfs/arcstats").stdout
    console.do("PUT", "system/settings/arc/")
    console.fresh()
    freed = console.get("system/settings/arc/")
    assert (freed["max_bytes"], freed["live_max_bytes"]) == (None, freed["default_max_bytes"])
    assert machine.run("cat /sys/module/zfs/parameters/zfs_arc_m??").stdout.split() == ["0", "0"]
    assert machine.run("ls /etc/modprobe.d/nasweb-zfs-arc.conf", check=False).exit != 0


def test_destroying_needs_the_digest_and_the_disks_can_be_used_again_at_once(
    machine: Machine, console: Console
) -> None:
    refused = console.ask("DELETE", "pools/tank/")
    assert (refused.status, refused.body["type"].rpartition("/")[2]) == (409, "confirmation-required")
    assert machine.run("zpool list -Ho name").stdout.split() == ["tank"]
    for _ in range(2):
        console.do("DELETE", "pools/tank/")
        assert machine.run("zpool list -Ho name").stdout.split() == []
        answer = console.ask("POST", "pools/", tank(console), Prefer="wait=60")
        assert answer.status == 202, answer  # what a destroyed pool left needs no confirmation
        console.end_of(answer.body["id"])
        assert console.get("pools/tank/")["state"] == "ONLINE"


def test_a_disk_pulled_between_preview_and_run_stops_the_plan(machine: Machine, console: Console) -> None:
    console.do("DELETE", "pools/tank/")
    request = tank(console)
    digest = console.ask("POST", "pools/?dry_run=true", request).body["digest"]
    machine.pull_disk("sata3")
    answer = console.ask("POST", "pools/", {**request, "digest": digest}, Prefer="wait=60")
    # Which of the two it is depends on whether the cache has noticed by then.
    if answer.status == 202:
        job = console.end_of(answer.body["id"])
        assert job["state"] == "failed"
        assert "WD-WMC1T0000003" in job["error"]["detail"]
    else:
        assert answer.status in {409, 422}
        assert "WD-WMC1T0000003" in str(answer.body)
    assert machine.run("zpool list -Ho name").stdout.split() == []
    machine.insert_disk("sata3")
    machine.wait_until(f"test -e {LINK}3")


def test_the_web_process_cannot_reach_the_helper(machine: Machine) -> None:
    ask = "import socket; socket.socket(socket.AF_UNIX).connect('/run/nasweb/helper.sock')"
    refused = machine.run(["runuser", "-u", "nasweb", "--", "python3", "-c", ask], check=False)
    assert refused.exit != 0
    assert "PermissionError" in refused.stderr
    allowed = machine.run(["runuser", "-u", "nasweb-worker", "--", "python3", "-c", ask], check=False)
    assert allowed.exit == 0, allowed.stderr


def test_a_worker_killed_in_the_middle_says_how_far_it_came(machine: Machine, console: Console) -> None:
    request = tank(console)
    stop_at(machine, "sgdisk", "ksys_sync")  # it sleeps for a second after that, and is surely there
    answer = console.ask("POST", "pools/", request)
    job = answer.body["id"]
    wait_until_stopped(machine)
    machine.run("systemctl kill --signal SIGKILL nasweb-worker")
    let_go(machine, "sgdisk")
    machine.wait_until("systemctl is-active --quiet nasweb-worker", timeout_s=120)
    view = console.end_of(job)
    assert view["state"] == "interrupted"
    assert "of its 13 commands had ended" in view["error"]["detail"]
    assert machine.run("zpool list -Ho name").stdout.split() == []
    console.do("POST", "pools/", request)  # its claims are free, and half prepared disks can be used
    console.do("DELETE", "pools/tank/")


@pytest.mark.drill
def test_jobs_wait_while_redis_is_stopped_and_run_when_it_is_back(machine: Machine, console: Console) -> None:
    machine.run("systemctl stop nasweb-redis")
    answer = console.ask("POST", "pools/", tank_cached(console))
    assert (answer.status, answer.body["state"]) == (202, "queued")
    machine.run("systemctl start nasweb-redis")
    # It is found by the sweep, once the worker and its clock have their queue again.
    machine.wait_until("zpool list tank", timeout_s=240)
    view = console.end_of(answer.body["id"])
    assert view["state"] == "succeeded", view
    console.do("DELETE", "pools/tank/")


def tank_cached(console: Console) -> dict[str, object]:
    disks = console.get("disks/")["results"]
    ids = [disk["id"] for disk in disks if disk["id"].startswith("ata-WDC_WD30EFRX")]
    return {"name": "tank", "vdevs": [{"role": "data", "layout": "raidz2", "disks": ids}]}
