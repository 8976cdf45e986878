"""What an estimate says of deduplication is what OpenZFS reaches with the same files, and nothing is left."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.lab.pool_life import PoolLab, until

pytestmark = pytest.mark.drill

# 30 MB that are there once, 20 MB three times, and ten files of 1 MB that are the same but for their ends.
FILES = (
    "head -c 30M /dev/urandom > $at/alone; head -c 20M /dev/urandom > $at/three1;"
    " cp --reflink=never $at/three1 $at/three2; cp --reflink=never $at/three1 $at/three3;"
    " head -c 1M /dev/urandom > $at/ten0;"
    " for n in $(seq 9); do cp --reflink=never $at/ten0 $at/ten$n; echo $n >> $at/ten$n; done; sync"
)


@pytest.fixture(scope="module")
def lab(pool_lab: PoolLab) -> Iterator[PoolLab]:
    pool_lab.create("plain", "stripe", 1)
    pool_lab.create("twin", "stripe", 2)
    yield pool_lab
    pool_lab.tidy()


def answer(lab: PoolLab, pool: str) -> Any:
    return lab.console.ask("GET", f"pools/{pool}/dedup/", Prefer="wait=60").body


def estimated(lab: PoolLab, pool: str) -> Any:
    lab.console.do("POST", f"pools/{pool}/dedup/", {})
    _, found = until(lambda: (one := answer(lab, pool))["run"]["verdict"] and one, limit_s=600, every_s=3)
    return found


def test_the_ratio_is_the_one_that_deduplication_reaches(lab: PoolLab) -> None:
    nas = lab.machine
    lab.console.do("POST", "datasets/", {"name": "plain/files"})
    nas.run(f"at=/mnt/plain/files; {FILES}", timeout_s=600)
    before = nas.run("cd /mnt/plain/files && sha256sum * && stat -c '%n %X %Y %Z' *").stdout
    # But for the dataset of this test, and for the copies of settings, which the console makes when it likes.
    seen = "(zfs list -Hro name -t all; findmnt -rno TARGET -t zfs) | grep -v -e twin/files -e /.nasweb"
    there = nas.run(seen).stdout
    found = estimated(lab, "plain")
    assert (found["run"]["verdict"], found["run"]["words"]) == ("done", ""), found
    nas.run(
        "zfs create -o dedup=on twin/files && cp -a /mnt/plain/files/. /mnt/twin/files/ && zpool sync twin"
    )
    truth = float(nas.run("zpool get -Hp -o value dedupratio twin").stdout)
    assert truth > 1.5 and abs(found["ratio"] / truth - 1) <= 0.02, (found["ratio"], truth)
    assert found["advice"]["worth_it"] is True
    assert nas.run("cd /mnt/plain/files && sha256sum * && stat -c '%n %X %Y %Z' *").stdout == before
    assert nas.run(seen).stdout == there
    assert nas.run("systemctl list-units --all --plain --no-legend 'nasweb-measure-*'").stdout == ""
    lab.console.fresh()
    table = answer(lab, "twin")["table"]
    assert table["entries"] > 300 and table["disk_bytes"] > 0 and table["rows"], table


def test_copies_get_the_blocks_of_one_of_them(lab: PoolLab) -> None:
    nas, at = lab.machine, "/mnt/plain/files"
    nas.run(
        f"cd {at} && chown 1000:1000 three2 && chmod 640 three2 && touch -d 2020-02-02 three2 three3; sync"
    )
    seen = f"cd {at} && sha256sum three* ten0 alone && stat -c '%n %u %g %a %Y' three* ten0 alone"
    before = nas.run(seen).stdout
    nas.run(f"systemd-run --unit=drill-holds sh -c 'exec 3<{at}/ten1; exec sleep 600'")
    body = {"kept": "three1", "paths": ["three2", "three3", "alone"]}
    job = lab.console.do("POST", "scans/plain/files/share-blocks/", body)
    said = job["steps"][0]["output"].splitlines()
    assert said[:2] == [f"{name} shares its blocks now (20971520 bytes)." for name in ("three2", "three3")]
    assert "alone stays as it is. It has another size by now." in said[2]
    held = lab.console.in_turn("POST", "scans/plain/files/share-blocks/", {"kept": "ten2", "paths": ["ten1"]})
    failed = lab.console.end_of(held.body["id"])
    assert "another content" in failed["error"]["detail"] or "has it open" in failed["error"]["detail"], (
        failed
    )
    nas.run("systemctl stop drill-holds")
    assert nas.run(seen).stdout == before
    nas.run("zpool sync plain")
    saved = int(nas.run("zpool get -Hpo value bclonesaved plain").stdout)
    assert saved == pytest.approx(40 << 20, rel=0.02), saved
    lab.console.fresh()
    advice = estimated(lab, "plain")["advice"]
    assert advice["shared_bytes"] == pytest.approx(saved, rel=0.02), advice
    assert advice["saved_bytes"] < 15 << 20, advice  # of the ten that differ at their ends alone
