"""Replication to another pool of the machine, on real OpenZFS: whole, interrupted, refused, and proven."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.lab.builder import build_image, built_release
from tests.lab.copying import ALL, SECRET, Copying, change, make_tree, q, sums, unlock
from tests.lab.machine import Machine
from tests.lab.pool_life import DISKS, PoolLab, bay_of, small, until

pytestmark = pytest.mark.drill

_TARGET = {"name": "second pool", "kind": "pool", "dataset": "vault"}
_REPLICAS = {name: f"vault/data{name.removeprefix('tank/data')}" for name in ALL}
_BIG_MB = 120


@pytest.fixture(scope="module")
def lab() -> Iterator[PoolLab]:
    with Machine(build_image(built_release()), DISKS) as nas:
        nas.boot()
        found = PoolLab(nas)
        found.create("tank", "mirror", 1, 2)
        found.create("vault", "stripe", 3)
        make_tree(nas, found.console)
        found.console.do("POST", "targets/", _TARGET)
        yield found


@pytest.fixture(scope="module")
def copying(lab: PoolLab) -> Copying:
    body = {"name": "data", "source": "tank/data", "target": _TARGET["name"], "dataset": "vault/data"}
    return Copying(lab.console, body)


def take(lab: PoolLab, tag: str, dataset: str = "tank/data") -> None:
    lab.console.do("POST", "snapshots/", {"datasets": [dataset], "name": tag, "recursive": True})


def tags(lab: PoolLab, dataset: str) -> list[str]:
    said = lab.machine.run(f"zfs list -H -t snapshot -d 1 -s createtxg -o name {q(dataset)}").stdout
    return [line.partition("@")[2] for line in said.splitlines()]


def export(lab: PoolLab, pool: str) -> None:
    """By hand. A probe that reads the pool at this moment keeps it busy."""
    until(lambda: lab.machine.run(f"zpool export {pool}", check=False).exit == 0, limit_s=120, every_s=2)


def test_a_tree_of_twenty_arrives_byte_for_byte(lab: PoolLab, copying: Copying) -> None:
    take(lab, "one")
    estimate = lab.console.read(f"replications/{copying.id}/estimate/")["run"]
    done = copying.run()
    assert (done["verdict"], {one["state"] for one in done["datasets"]}) == ("done", {"current"}), done
    assert len(done["datasets"]) == len(ALL)
    assert abs(done["sent_bytes"] - estimate["expected_bytes"]) < estimate["expected_bytes"] // 10
    unlock(lab.machine, _REPLICAS[SECRET])
    here = sums(lab.machine, {name: name for name in ALL}, "one")
    assert sums(lab.machine, _REPLICAS, "one") == here and len(set(here.values())) == len(ALL)
    said = lab.machine.run("zfs get -rH -o value mounted vault/data").stdout.split()
    assert set(said) <= {"no", "-"}


def test_what_changes_follows_although_the_policy_destroyed_what_was_sent(
    lab: PoolLab, copying: Copying
) -> None:
    for number, tag in enumerate(("two", "three", "four"), 2):
        change(lab.machine, number)
        take(lab, tag)
    lab.machine.run("zfs destroy -r tank/data@one,two")
    done = copying.run()
    assert done["verdict"] == "done" and done["sent_bytes"] < 60 << 20, done
    assert tags(lab, "vault/data") == ["one", "three", "four"]
    assert sums(lab.machine, _REPLICAS, "four") == sums(lab.machine, {name: name for name in ALL}, "four")
    again = copying.run()
    assert (again["verdict"], again["sent_bytes"]) == ("done", 0)


def test_a_sample_of_files_is_proven(lab: PoolLab, copying: Copying) -> None:
    found = copying.prove()
    assert found["proof_verdict"] == "same", found
    assert found["proven_at"] and not found["proving"]


def test_whoever_writes_to_the_replica_is_refused_and_nothing_is_rolled_back(
    lab: PoolLab, copying: Copying
) -> None:
    replica = _REPLICAS["tank/data/a b"]
    lab.machine.run(f"zfs mount {q(replica)}")
    assert lab.machine.run(f"touch {q(f'/mnt/{replica}/x')}", check=False).exit != 0
    lab.machine.run(f"zfs unmount {q(replica)}")
    lab.machine.run(f"zfs snapshot {q(replica)}@own")
    change(lab.machine, 5)
    take(lab, "five")
    done = copying.run()
    found = {one["source"]: one for one in done["datasets"]}
    assert (done["verdict"], found["tank/data/a b"]["code"]) == ("partly", "target-ahead"), done
    assert "does not have: own." in found["tank/data/a b"]["words"]
    assert tags(lab, replica)[-1] == "own"
    lab.machine.run(f"zfs destroy {q(replica)}@own")
    assert copying.run()["verdict"] == "done"


@pytest.fixture(scope="module")
def big(lab: PoolLab) -> Copying:
    """A dataset whose first copy takes about a minute and a half."""
    lab.console.do("POST", "datasets/", {"name": "tank/big"})
    body = {
        "name": "big", "source": "tank/big", "target": _TARGET["name"], "dataset": "vault/big",
        "limits": [{"bytes_per_s": 1_500_000}],
    }  # fmt: skip
    return Copying(lab.console, body)


def half_sent(copying: Copying, share: float = 0.3) -> dict[str, Any]:
    """The run once that share of it has passed."""

    def there() -> Any:
        now = copying.now()
        assert now["verdict"] is None, now
        return now["sent_bytes"] > share * now["expected_bytes"] and now

    return dict(until(there, limit_s=400, every_s=1)[1])


@pytest.mark.parametrize("how", ["killed", "stopped", "sender", "receiver", "worker", "console", "power"])
def test_an_interrupted_run_goes_on_and_sends_only_what_is_missing(
    lab: PoolLab, big: Copying, how: str
) -> None:
    nas = lab.machine
    nas.run(f"head -c {_BIG_MB}000000 /dev/urandom > /mnt/tank/big/{how}; sync", timeout_s=600)
    take(lab, how, "tank/big")
    big.start()
    before = half_sent(big)
    unit = nas.run("systemctl list-units --plain --no-legend 'nasweb-replication-run-*'").stdout.split()[0]
    match how:
        case "killed":
            nas.run(f"systemctl kill -s KILL {unit}")
        case "sender":
            nas.run("pkill -KILL -f '^zfs send '")
        case "receiver":
            nas.run("pkill -KILL -f '^zfs receive '")
        case "stopped":
            lab.console.do("POST", f"replications/{big.id}/stop/")
        case "worker":
            nas.run("systemctl restart nasweb-worker", timeout_s=300)
        case "console":
            nas.run("systemctl restart nasweb-web", timeout_s=300)
        case "power":
            nas.cut_power()
            nas.boot()
            until(lambda: lab.console.ask("GET", "replications/").status == 200, limit_s=600, every_s=2)
    if how in {"worker", "console"}:
        whole = big.end()  # it knows of neither
        assert whole["verdict"] == "done" and tags(lab, "vault/big")[-1] == how, whole
        return
    ended = big.end()
    assert ended["verdict"] == ("stopped" if how == "stopped" else "failed"), ended
    rest = big.run()
    assert rest["verdict"] == "done" and tags(lab, "vault/big")[-1] == how, rest
    # What had arrived, less what ZFS had not put on its disks, is not sent again.
    assert rest["sent_bytes"] < _BIG_MB * 1_050_000 - before["sent_bytes"] // 2, (before, rest)
    said = nas.run(f"sha256sum /mnt/tank/big/{how} | cut -d' ' -f1").stdout.strip()
    nas.run(f"mkdir -p /run/sums && mount -t zfs -o ro vault/big@{how} /run/sums")
    there = nas.run(f"sha256sum /run/sums/{how} | cut -d' ' -f1; umount /run/sums").stdout.split()[0]
    assert there == said


def test_a_full_target_says_so_and_goes_on_once_there_is_room(lab: PoolLab, big: Copying) -> None:
    lab.machine.run(f"head -c {_BIG_MB}000000 /dev/urandom > /mnt/tank/big/full; sync", timeout_s=600)
    take(lab, "full", "tank/big")
    used = int(lab.machine.run("zfs get -Hp -o value used vault").stdout)
    lab.machine.run(f"zfs set quota={used + (40 << 20)} vault")
    lab.console.do("PATCH", f"replications/{big.id}/", {"limits": []})
    failed = big.run()
    assert failed["verdict"] == "failed", failed
    assert "no room" in failed["datasets"][0]["words"], failed
    lab.machine.run("zfs set quota=none vault")
    rest = big.run()
    assert rest["verdict"] == "done" and rest["sent_bytes"] < _BIG_MB * 1_000_000, rest


@pytest.fixture(scope="module")
def turns(lab: PoolLab) -> Copying:
    """What goes to a disk that is plugged in now and then, and is not imported now."""
    lab.create("travel", "stripe", 4)
    lab.console.do(
        "POST", "targets/", {"name": "disk A", "kind": "pool", "dataset": "travel", "rotating": True}
    )
    body = {"name": "away", "source": "tank/data/a b", "target": "disk A", "own_snapshots": True}
    copying = Copying(lab.console, body)
    lab.console.do("POST", "pools/travel/export/")
    return copying


def stage(lab: PoolLab) -> str:
    """How far disk A has come."""
    (target,) = (one for one in lab.console.get("targets/")["results"] if one["rotating"])
    return str(target["visit"]["stage"])


def test_a_disk_that_takes_turns_is_brought_up_to_date_and_may_be_unplugged(
    lab: PoolLab, turns: Copying
) -> None:
    disk, other = small(4), small(5)
    lab.machine.pull_disk(disk.id)
    lab.machine.pull_disk(other.id)
    until(lab.refreshed(lambda: lab.id_of(disk) is None), limit_s=300, every_s=5)
    lab.machine.insert_disk(other.id)
    until(lab.refreshed(lambda: lab.id_of(other)), limit_s=300, every_s=5)
    assert turns.state()["copied_at"] is None, "the wrong disk changes nothing"
    lab.machine.insert_disk(disk.id)
    _, alert = until(lambda: lab.alert("may-unplug"), limit_s=900, every_s=5)
    assert alert["title"] == f"You may unplug disk A (bay {bay_of(disk)})"
    state = turns.state()
    assert (state["last_verdict"], state["proof_verdict"]) == ("done", "same") and state["copied_at"], state
    assert "travel" not in lab.machine.run("zpool list -H -o name").stdout.split()
    lab.machine.pull_disk(disk.id)
    until(lambda: lab.alert("may-unplug") is None, limit_s=300, every_s=5)


def test_a_month_away_breaks_no_chain(lab: PoolLab, turns: Copying) -> None:
    """Nothing is left at the source of what the disk has, but a bookmark."""
    nas, name = lab.machine, "tank/data/a b"
    first = turns.state()["copied_at"]
    for day in range(1, 31):
        nas.run(f"date > {q(f'/mnt/{name}/day')}; zfs snapshot {q(f'{name}@day-{day}')}")
    change(nas, 6)
    # As a policy does that keeps the newest alone. It may destroy what the disk holds, too.
    nas.run(f"zfs destroy {q(f'{name}@%day-29')}")
    assert tags(lab, name) == ["day-30"]
    nas.insert_disk(small(4).id)
    until(lambda: lab.alert("may-unplug"), limit_s=900, every_s=5)
    done = turns.now()
    assert (done["verdict"], turns.state()["copied_at"] > first) == ("done", True), done
    assert done["sent_bytes"] < 5 << 20, done
    nas.run("zpool import -N -o readonly=on -R /run/travel travel")
    replica, newest = turns.state()["dataset"], done["datasets"][0]["newest"]
    there = nas.run(f"zfs get -Hp -o value guid {q(f'{replica}@{newest}')}").stdout
    assert there == nas.run(f"zfs get -Hp -o value guid {q(f'{name}@{newest}')}").stdout
    assert "day-30" in tags(lab, replica)
    export(lab, "travel")
    nas.pull_disk(small(4).id)
    # What a person imported is left to them until it was seen to be away.
    until(lambda: stage(lab) == "away", limit_s=300, every_s=5)


def test_a_disk_that_is_unplugged_in_the_middle_is_asked_for_and_then_brought_up_to_date(
    lab: PoolLab, turns: Copying
) -> None:
    nas, name, disk = lab.machine, "tank/data/a b", small(4)
    nas.run(f"head -c 60000000 /dev/urandom > {q(f'/mnt/{name}/large')}; sync", timeout_s=300)
    lab.console.do("PATCH", f"replications/{turns.id}/", {"limits": [{"bytes_per_s": 500_000}]})
    last = turns.now()["started_at"]
    nas.insert_disk(disk.id)

    def under_way() -> Any:
        now = turns.now()
        return now["started_at"] != last and now["sent_bytes"] > 10_000_000 and now

    until(under_way, limit_s=900, every_s=2)
    nas.pull_disk(disk.id)
    _, alert = until(lambda: lab.alert("pool-suspended"), limit_s=300, every_s=5)
    assert "travel" in alert["title"], alert
    assert lab.alert("may-unplug") is None
    # Nothing else waits for it.
    nas.run(f"date > {q(f'/mnt/{name}/meanwhile')}; sync -f {q(f'/mnt/{name}')}", timeout_s=120)
    take(lab, "meanwhile")
    nas.insert_disk(disk.id)

    def is_whole() -> bool:
        plan = lab.console.ask("POST", "pools/travel/clear/?dry_run=true", {}).body
        return all(finding["code"] != "still-missing" for finding in plan["findings"])

    until(lab.refreshed(is_whole), limit_s=300, every_s=5)
    lab.console.do("POST", "pools/travel/clear/", {})
    until(lambda: lab.alert("may-unplug"), limit_s=900, every_s=5)
    done = turns.now()
    assert done["verdict"] == "done" and lab.alert("pool-suspended") is None, done
    nas.run("zpool import -N -o readonly=on -R /run/travel travel")
    replica, newest = turns.state()["dataset"], done["datasets"][0]["newest"]
    pair = {name: name}, {name: replica}
    here, there = (sums(nas, names, newest) for names in pair)
    assert here == there
    export(lab, "travel")
