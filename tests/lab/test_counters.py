"""What the worker measures on a real machine: the kernel's files, and what becomes of them."""

from __future__ import annotations

import json
import re
import shlex
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest

from host.kernel.counters import read_counters
from tests.lab.console import Console
from tests.lab.disks import sata
from tests.lab.machine import Machine
from tests.lab.pool_life import leaves, until

pytestmark = pytest.mark.drill
# From what the kernel reports to the alert. zed starts a program for each event, one after the other: on an
# emulated machine most of a second each.
ZED_S = 45.0


class GuestFiles:
    """The kernel's files of a guest."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def read(self, path: str) -> str:
        return self._machine.run(f"cat {shlex.quote(path)}", check=False).stdout

    def names(self, folder: str) -> list[str]:
        return self._machine.run(f"ls {shlex.quote(folder)}", check=False).stdout.split()


@pytest.fixture(scope="module")
def tank(machine: Machine, console: Console) -> Any:
    """A pool that something was written to and read from."""
    console.fresh()
    disks = {disk["serial"]: disk["id"] for disk in console.get("disks/")["results"]}
    members = [disks[sata(number).serial] for number in (1, 2)]
    vdevs = [{"role": "data", "layout": "mirror", "disks": members}]
    console.do("POST", "pools/", {"name": "tank", "vdevs": vdevs})
    console.fresh()
    yield console.get("pools/tank/")
    until(lambda: not _at_work(console), limit_s=300, every_s=5)
    console.do("DELETE", "pools/tank/")


def _at_work(console: Console) -> bool:
    """Whether a job has not ended yet, such as the one that writes a copy of the settings to the pool."""
    return any(job["state"] in {"queued", "running"} for job in console.get("jobs/")["results"])


def newest(console: Console, name: str) -> float | None:
    """The largest value of the last minutes; None where there is none."""
    answer = console.ask("GET", f"metrics/series/?name={name}")
    return max(answer.body[1], default=None) if answer.status == 200 else None


def test_every_file_is_there_and_understood(machine: Machine, tank: Any) -> None:
    found = read_counters(GuestFiles(machine), time.time())
    assert None not in (found.cpu, found.memory, found.arc, found.load)
    assert found.uptime > 0 and found.arc is not None and found.arc.target > 0
    assert set(found.pressure) == {"cpu", "io", "memory"}
    assert found.ports and "lo" not in found.ports
    assert {"sda", "sdb"} <= set(found.disks)


def test_what_is_written_and_read_is_seen_by_pool_disk_and_machine(
    machine: Machine, console: Console, tank: Any
) -> None:
    machine.run("dd if=/dev/urandom of=/mnt/tank/file bs=1M count=64 conv=fsync", timeout_s=600)
    serial = sata(1).serial
    names = (
        f"pool.write_bytes:{tank['guid']}", f"pool.write_ms:{tank['guid']}", f"disk.write_bytes:{serial}",
        f"disk.busy_percent:{serial}", "cpu.user_percent", "memory.programs_bytes", "arc.size_bytes",
        "pressure.io_percent", "arc.demand_hit_percent",
    )  # fmt: skip
    until(lambda: all((newest(console, name) or 0) > 0 for name in names), limit_s=300, every_s=5)
    port = next(iter(read_counters(GuestFiles(machine), 0.0).ports))
    until(lambda: (newest(console, f"port.received_bytes:{port}") or 0) > 0, limit_s=120, every_s=5)


def test_measuring_writes_little_and_the_last_day_lies_in_memory(machine: Machine) -> None:
    kind = machine.run("stat -f -c %T /run/nasweb-series/recent").stdout.strip()
    owner = machine.run("stat -c '%U %G %a' /run/nasweb-series/recent").stdout.split()
    assert (kind, owner) == ("tmpfs", ["nasweb-worker", "nasweb", "640"])


def test_a_restart_of_the_worker_loses_nothing(machine: Machine, console: Console) -> None:
    before = console.get("metrics/series/?name=cpu.user_percent")
    machine.run("systemctl restart nasweb-worker", timeout_s=300)
    until(
        lambda: len(console.get("metrics/series/?name=cpu.user_percent")[0]) > len(before[0]),
        limit_s=300, every_s=5,
    )  # fmt: skip
    assert set(before[0]) <= set(console.get("metrics/series/?name=cpu.user_percent")[0])


def test_no_idle_disk_is_touched_by_ten_probes_and_what_is_measured_meanwhile(
    machine: Machine, console: Console
) -> None:
    disk = machine.kernel_name(sata(4).id)
    counters = f"cat /sys/block/{disk}/stat"
    before = machine.run(counters).stdout
    for _ in range(10):
        console.fresh()
    assert machine.run(counters).stdout == before


@pytest.fixture
def received(console: Console) -> Iterator[list[dict[str, Any]]]:
    """The messages that a webhook on the computer that runs the machine is sent meanwhile."""
    found: list[dict[str, Any]] = []

    class Hook(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            found.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Hook)
    Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://10.0.2.2:{server.server_port}/drill"  # as QEMU shows that computer to its guests
    body = {"name": "drill", "kind": "webhook", "fields": {"url": url}}
    assert console.ask("POST", "channels/", body).status == 201
    yield found
    (channel,) = [one for one in console.get("channels/")["results"] if one["name"] == "drill"]
    assert console.ask("DELETE", f"channels/{channel['id']}/").status == 204
    server.shutdown()


def test_a_thousand_checksum_errors_are_one_alert_with_the_right_count_and_two_messages(
    machine: Machine, console: Console, tank: Any, received: list[dict[str, Any]]
) -> None:
    machine.run("dd if=/dev/urandom of=/mnt/tank/kept bs=1M count=160 conv=fsync", timeout_s=900)
    part = next(leaf["path"] for leaf in leaves(tank["vdevs"]) if sata(2).serial in leaf["path"])
    first, last = placed(machine, "kept")
    machine.run(
        f"dd if=/dev/urandom of={part} bs=1M seek={first} count={last - first} oflag=direct", timeout_s=900
    )
    machine.run("zpool events -c")  # what earlier tests left, and zed has not heard yet
    console.do("POST", "pools/tank/scrub/", {"action": "start"})
    until(lambda: "ereport.fs.zfs.checksum" in machine.run("zpool events -H").stdout, every_s=0.5)

    def line() -> str | None:
        """What the alert about the disk tells of its checksum errors, once it does."""
        alerts = console.get("alerts/?open=true")["results"]
        told = [event["words"] for one in alerts if one["kind"] == "disk-errors" for event in one["events"]]
        return next((words for words in told if "did not match its checksum" in words), None)

    seconds, words = until(line, limit_s=300)
    print(f"\n  the alert has it {seconds:.1f} s later: {words}", flush=True)
    assert seconds <= ZED_S

    def reported() -> list[dict[str, Any]] | None:
        """What zed has said of the pool, once it has come to the scrub's end behind all the errors."""
        found: list[dict[str, Any]] = console.get("pools/tank/events/")["results"]
        return found if "sysevent.fs.zfs.scrub_finish" in {one["event"] for one in found} else None

    _, found = until(reported, limit_s=900, every_s=5)
    (errors,) = [one for one in found if one["event"] == "ereport.fs.zfs.checksum"]
    assert errors["count"] > 1
    assert "sysevent.fs.zfs.scrub_start" in {one["event"] for one in found}
    assert "history_event" not in str(found)
    lines = [event["words"] for one in console.get("alerts/?open=true")["results"] for event in one["events"]]
    assert len([words for words in lines if "did not match its checksum" in words]) == 1
    counted = leaf_errors(console)
    assert counted >= 1000
    until(lambda: f"{counted} checksum errors" in str(open_alerts(console)), limit_s=300, every_s=5)
    assert [one["kind"] for one in open_alerts(console)].count("disk-errors") == 1
    told = [one for one in received if "checksum" in str(one)]
    assert 1 <= len(told) <= 2, received
    # It is root without any capability that counts them, and root alone that may read what it counted.
    assert machine.run("stat -c '%U %a' /run/nasweb-zed/events").stdout.split() == ["root", "600"]
    console.do("POST", "pools/tank/clear/", {})


def placed(machine: Machine, name: str) -> tuple[int, int]:
    """Between which MiB of a member of the mirror tank a file of its top dataset lies. ZFS chooses the place:
    `zdb -O` prints each block as `L0 <vdev>:<offset>:<size>`, from behind the first two labels (4 MiB)."""
    machine.run("zpool sync tank")
    said = machine.run(f"zdb -vvvvv -O tank {name}", timeout_s=300).stdout
    starts = [int(found, 16) >> 20 for found in re.findall(r" L0 0:([0-9a-f]+):", said)]
    return min(starts) + 4, max(starts) + 6


def leaf_errors(console: Console) -> int:
    """The checksum errors of the disk that has some, as ZFS counts them."""
    console.fresh()
    return max(int(leaf["checksum_errors"]) for leaf in leaves(console.get("pools/tank/")["vdevs"]))


def open_alerts(console: Console) -> list[dict[str, Any]]:
    return list(console.get("alerts/?open=true")["results"])


def test_nothing_is_lost_while_zed_and_the_worker_are_killed(
    machine: Machine, console: Console, tank: Any
) -> None:
    before = finished(console)
    machine.run("systemctl kill -s KILL zfs-zed nasweb-worker", check=False)
    machine.run("zpool scrub -w tank", timeout_s=600)
    until(lambda: finished(console) > before, limit_s=300, every_s=3)


def finished(console: Console) -> int:
    """How many scrubs of the pool zed has reported to be over."""
    found = console.get("pools/tank/events/")["results"]
    return sum(one["count"] for one in found if one["event"] == "sysevent.fs.zfs.scrub_finish")
