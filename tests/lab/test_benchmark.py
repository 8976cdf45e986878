"""What the console measures is what fio measures by hand, and nothing of it is left, whatever comes between.

The pool's disk is slowed down to a rate of its own: an emulated one is never twice equally fast.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from typing import Any

import pytest

from tests.lab.builder import build_image, built_release
from tests.lab.machine import Machine
from tests.lab.new_machine import wait_until_up
from tests.lab.pool_life import DISKS, PoolLab, small, until

pytestmark = [pytest.mark.drill, pytest.mark.measures]

_RATE = 4 << 20  # bytes per second, of reads and writes together: the emulated processors do more
_SIZE = 64 << 20
_HAND = "/mnt/tank/hand"
_STOPS_S = 5.0
# But for the dataset that the test makes by hand, and the copies of the console's settings.
_THERE = "(zfs list -Hro name -t all tank; findmnt -rno TARGET -t zfs) | grep -v -e tank/hand -e /.nasweb$"


@pytest.fixture(scope="module")
def lab() -> Iterator[PoolLab]:
    with Machine(build_image(built_release()), DISKS[:2]) as nas:
        nas.boot()
        found = PoolLab(nas)
        found.create("tank", "stripe", 1)
        found.console.do("POST", "datasets/", {"name": "tank/files"})
        nas.run("head -c 40M /dev/urandom > /mnt/tank/files/one; sync")
        yield found


def answer(lab: PoolLab) -> Any:
    return lab.console.ask("GET", "pools/tank/benchmark/", Prefer="wait=60").body


def ended(lab: PoolLab) -> Any:
    """Its report, once it has ended and nothing of it is left."""
    # Each question takes the emulated processors from what is measured.
    _, found = until(lambda: (one := answer(lab)["run"])["verdict"] and one, limit_s=900, every_s=15)
    units = "systemctl list-units --all --plain --no-legend 'nasweb-measure-*'"
    until(lambda: lab.machine.run(units).stdout == "", limit_s=30)
    return found


def test_figures_are_those_of_fio_by_hand(lab: PoolLab) -> None:
    nas, disk = lab.machine, small(1).id
    files = "cd /mnt/tank/files && sha256sum * && stat -c '%n %X %Y %Z' *"
    before, there = nas.run(files).stdout, nas.run(_THERE).stdout
    nas.slow_down(disk, bytes_per_s=_RATE)
    try:
        _is_as_by_hand(lab)
    finally:
        nas.slow_down(disk)
    assert nas.run(files).stdout == before
    assert nas.run(_THERE).stdout == there
    until(lambda: answer(lab)["results"], limit_s=60, every_s=3)
    result, allowed = answer(lab)["results"][0], answer(lab)["expected"]
    assert allowed["read_bytes_per_s"] == pytest.approx(_RATE, rel=0.15)
    assert [0.6 < part["of_expected"] < 1.1 for part in result["parts"]] == [True, True], result
    assert all(part["bottleneck"].startswith("The disks") for part in result["parts"]), result


def _is_as_by_hand(lab: PoolLab) -> None:
    nas = lab.machine
    lab.console.do("POST", "pools/tank/benchmark/", {"size_bytes": _SIZE})
    run = ended(lab)
    assert (run["verdict"], run["words"]) == ("done", ""), run
    write, read = run["parts"]
    nas.run(
        f"zfs create -o recordsize=128K -o compression=lz4 -o primarycache=metadata -o atime=off"
        f" -o mountpoint={_HAND} tank/hand"
    )
    for part in (write, read):
        argv = [word for word in part["command"] if not word.startswith("--directory=")]
        nas.run(f"{shlex.join([*argv, f'--directory={_HAND}'])} > /run/by-hand.json", timeout_s=600)
        job = json.loads(nas.run("cat /run/by-hand.json").stdout)["jobs"][0]
        by_hand = job[part["kind"]]["bw_bytes"]
        print(f"\n  {part['part']}: {part['bytes_per_s']:.0f}, by hand {by_hand:.0f}", flush=True)
        assert part["bytes_per_s"] == pytest.approx(by_hand, rel=0.05)
    nas.run("zfs destroy tank/hand")


@pytest.mark.parametrize("profile", ["small-files", "mixed", "sync-writes", "streams"])
def test_each_profile_comes_to_its_end(lab: PoolLab, profile: str) -> None:
    there = lab.machine.run(_THERE).stdout
    asked = {"profile": profile, "size_bytes": 64 << 20, "clients": 3, "disks": False}
    lab.console.do("POST", "pools/tank/benchmark/", asked)
    run = ended(lab)
    assert (run["verdict"], run["words"]) == ("done", ""), run
    assert len(run["parts"]) == 2 and all(part["bytes_per_s"] > 0 for part in run["parts"]), run
    assert lab.machine.run(_THERE).stdout == there


def test_it_outlives_the_worker_and_stops_within_seconds(lab: PoolLab) -> None:
    nas, there = lab.machine, lab.machine.run(_THERE).stdout
    lab.console.do("POST", "pools/tank/benchmark/", {"profile": "sync-writes", "size_bytes": _SIZE})
    nas.run("systemctl restart nasweb-worker")
    until(lambda: answer(lab)["run"]["phase"] == "files", limit_s=120, every_s=2)
    taken = "date +%s.%N; systemctl stop 'nasweb-measure-benchmark-*'; date +%s.%N"
    began, over = map(float, nas.run(taken, timeout_s=120).stdout.split())
    print(f"\n  stopped within {over - began:.1f} s", flush=True)
    assert over - began <= _STOPS_S
    assert ended(lab)["verdict"] == "stopped"
    assert nas.run(_THERE).stdout == there


def test_others_measure_the_network_while_it_listens(lab: PoolLab) -> None:
    def speed() -> Any:
        return lab.console.ask("GET", "network/speed/", Prefer="wait=60").body

    lab.console.do("POST", "network/speed/listen/", {})
    said = json.loads(lab.machine.run("iperf3 --client=127.0.0.1 --time=3 --json", timeout_s=120).stdout)
    by_hand = said["end"]["sum_received"]["bits_per_second"] / 8
    _, transfers = until(lambda: speed()["run"]["transfers"], limit_s=60, every_s=2)
    assert [(one["direction"], one["peer"]) for one in transfers] == [("received", "127.0.0.1")]
    assert transfers[0]["bytes_per_s"] == pytest.approx(by_hand, rel=0.05)
    lab.console.do("DELETE", "network/speed/")
    _, results = until(lambda: speed()["results"], limit_s=90, every_s=3)
    assert results[0]["speed"]["verdict"] == "done" and len(results[0]["transfers"]) == 1
    assert lab.machine.run("ss -Hltn sport = :5201").stdout == ""


def test_a_power_cut_leaves_nothing(lab: PoolLab) -> None:
    nas, there = lab.machine, lab.machine.run(_THERE).stdout
    lab.console.do("POST", "pools/tank/benchmark/", {"profile": "mixed", "size_bytes": _SIZE})
    until(lambda: answer(lab)["run"]["phase"] == "files", limit_s=120, every_s=1)
    assert "tank/.nasweb-benchmark" in nas.run("zfs list -Ho name").stdout
    nas.cut_power()
    nas.boot()
    wait_until_up(nas)
    nas.wait_until("! zfs list tank/.nasweb-benchmark", timeout_s=180)
    assert nas.run(_THERE).stdout == there
    lab.console.fresh()
    assert answer(lab)["run"]["verdict"] == "failed"
    assert lab.console.get("pools/")["results"][0]["state"] == "ONLINE"
