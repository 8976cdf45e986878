"""Snapshots on real OpenZFS, through the API alone: back to what was, kept, cloned, and what they free."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.lab.pool_life import PoolLab, until

pytestmark = pytest.mark.drill

_FILES = 20
_MB = 1_000_000


@pytest.fixture(scope="module")
def lab(pool_lab: PoolLab) -> Iterator[PoolLab]:
    """The pool tank for all of these; each drill has a dataset of its own."""
    pool_lab.create("tank", "mirror", 1, 2)
    yield pool_lab
    pool_lab.tidy()


def dataset(lab: PoolLab, name: str) -> str:
    """A new file system with files of which `verify` knows the digests; its path."""
    lab.console.do("POST", "datasets/", {"name": f"tank/{name}"})
    folder: str = lab.console.get(f"datasets/tank/{name}/")["mountpoint"]
    lab.write(f"{folder}/data", files=_FILES)
    return folder


def take(lab: PoolLab, name: str) -> None:
    """A snapshot, dataset@tag."""
    of, _, tag = name.partition("@")
    lab.console.do("POST", "snapshots/", {"datasets": [of], "name": tag})


def tags(lab: PoolLab, of: str) -> list[str]:
    """What the console has, oldest first."""
    lab.console.fresh()
    return [one["tag"] for one in lab.console.get(f"snapshots/?dataset={of}")["results"]]


def refused(lab: PoolLab, method: str, path: str, body: Any = None) -> list[dict[str, Any]]:
    """The findings of a write that cannot be."""
    answer = lab.console.ask(method, path, body or {})
    assert answer.status == 422, answer
    found: list[dict[str, Any]] = answer.body["findings"]
    return found


def test_a_rollback_brings_every_byte_back(lab: PoolLab) -> None:
    folder = dataset(lab, "back")
    take(lab, "tank/back@good")
    lab.machine.run(f"cd {folder}; rm data/1*; echo spoilt > data/2; cp /etc/passwd extra; sync -f .")
    take(lab, "tank/back@spoilt")
    changes = lab.console.get("snapshots/tank/back@good/diff/?to=spoilt")["changes"]
    removed = {one["path"] for one in changes if one["change"] == "removed"}
    assert f"{folder}/data/1" in removed and f"{folder}/data/19" in removed
    assert {one["path"] for one in changes if one["change"] == "added"} == {f"{folder}/extra"}
    plan = lab.console.ask("POST", "snapshots/tank/back@good/rollback/?dry_run=true", {}).body
    lost = plan["steps"][0]["destroys"]
    assert [loss.get("snapshot") for loss in lost] == [None, "tank/back@spoilt"]
    lab.console.do("POST", "snapshots/tank/back@good/rollback/", {})
    assert lab.verify() == _FILES
    assert tags(lab, "tank/back") == ["good"]
    assert "extra" not in lab.machine.run(f"ls {folder}").stdout


def test_a_hold_prevents_destroying_also_for_others(lab: PoolLab) -> None:
    dataset(lab, "held")
    take(lab, "tank/held@keep")
    lab.console.do("POST", "snapshots/tank/held@keep/hold/", {"tag": "audit"})
    (finding,) = refused(lab, "DELETE", "snapshots/tank/held@keep/")
    assert finding["code"] == "held" and "Release it first" in finding["message"]
    shell = lab.machine.run("zfs destroy tank/held@keep", check=False)
    assert shell.exit != 0 and "being held" in shell.stderr
    (details,) = lab.console.get("snapshots/tank/held@keep/details/")["results"]
    assert [hold["tag"] for hold in details["holds"]] == ["audit"]
    lab.console.do("POST", "snapshots/tank/held@keep/release/", {"tag": "audit"})
    lab.console.do("DELETE", "snapshots/tank/held@keep/")
    assert tags(lab, "tank/held") == []


def test_a_hold_that_the_console_never_saw_stops_a_rollback_before_anything(lab: PoolLab) -> None:
    # zfs itself would destroy the youngest, find the held one, and roll nothing back.
    dataset(lab, "halfway")
    for tag in ("one", "two", "three"):
        take(lab, f"tank/halfway@{tag}")
    plan = lab.console.ask("POST", "snapshots/tank/halfway@one/rollback/?dry_run=true", {}).body
    lab.machine.run("zfs hold elsewhere tank/halfway@two")
    body = {"digest": plan["digest"]}
    answer = lab.console.ask("POST", "snapshots/tank/halfway@one/rollback/", body, Prefer="wait=60")
    # Seen when it was submitted, or by the worker that checks again: nothing was destroyed either way.
    if answer.status == 202:
        job = lab.console.end_of(answer.body["id"])
        assert (
            job["state"] == "failed" and "tank/halfway@two is newer and has a hold" in job["error"]["detail"]
        )
    else:
        assert answer.status == 422
    assert tags(lab, "tank/halfway") == ["one", "two", "three"]
    lab.machine.run("zfs release elsewhere tank/halfway@two")


def test_a_clone_stands_in_the_way_with_words_and_lives_on_its_own(lab: PoolLab) -> None:
    folder = dataset(lab, "origin")
    take(lab, "tank/origin@base")
    lab.console.do("POST", "snapshots/tank/origin@base/clone/", {"name": "tank/copy"})
    (finding,) = refused(lab, "DELETE", "snapshots/tank/origin@base/")
    assert finding["code"] == "has-clones" and "tank/copy" in finding["message"]
    assert lab.console.get("snapshots/tank/origin@base/")["clones"] == ["tank/copy"]
    copied: str = lab.console.get("datasets/tank/copy/")["mountpoint"]
    lab.machine.run(f"diff -r {folder}/data {copied}/data")
    lab.console.do("POST", "datasets/tank/copy/promote/", {})
    assert (tags(lab, "tank/copy"), tags(lab, "tank/origin")) == (["base"], [])


def test_a_range_frees_what_was_said(lab: PoolLab) -> None:
    folder = dataset(lab, "range")
    for number in range(1, 6):
        lab.machine.run(f"head -c 20000000 /dev/urandom > {folder}/only-{number}; sync -f {folder}")
        take(lab, f"tank/range@s{number}")
        lab.machine.run(f"rm {folder}/only-{number}; sync -f {folder}")
    lab.machine.run("zpool sync tank")
    entries = {"snapshots": ["tank/range@s2%s4"]}
    answer = lab.console.ask("POST", "snapshots/reclaim/", entries, Prefer="wait=60")
    assert answer.status == 200, answer
    said = int(answer.body["reclaim_bytes"])
    assert said == pytest.approx(3 * 20 * _MB, rel=0.05)
    before = _used(lab)
    lab.console.do("DELETE", "snapshots/", entries)
    assert tags(lab, "tank/range") == ["s1", "s5"]

    def freed() -> bool:
        lab.machine.run("zpool sync tank")
        return before - _used(lab) == pytest.approx(said, rel=0.05, abs=_MB)

    until(freed)


def _used(lab: PoolLab) -> int:
    return int(lab.machine.run("zfs get -Hp -o value used tank/range").stdout)


def test_names_with_spaces_go_all_the_way(lab: PoolLab) -> None:
    dataset(lab, "odd")
    lab.machine.run("zfs create 'tank/odd/ my data '; zfs snapshot 'tank/odd/ my data @ before lunch '")
    # The inventory comes first, what changed of the snapshots a moment later.
    until(lambda: tags(lab, "tank/odd/%20my%20data%20") == [" before lunch "], limit_s=30)
    address = "snapshots/tank/odd/%20my%20data%20@%20before%20lunch%20/"
    assert lab.console.get(address)["name"] == "tank/odd/ my data @ before lunch "
    lab.console.do("DELETE", address)
    assert tags(lab, "tank/odd/%20my%20data%20") == []
