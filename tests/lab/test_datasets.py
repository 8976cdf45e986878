"""Datasets on real OpenZFS through the API: what is inherited, what is received, and what clones hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.lab.pool_life import PoolLab

pytestmark = pytest.mark.drill


@pytest.fixture
def tank(pool_lab: PoolLab) -> Iterator[PoolLab]:
    """The machine with a mirror `tank`, which is gone afterwards."""
    pool_lab.create("tank", "mirror", 1, 2)
    yield pool_lab
    pool_lab.tidy()


def create(lab: PoolLab, *names: str, **more: Any) -> None:
    """Datasets, by their whole paths."""
    for name in names:
        lab.console.do("POST", "datasets/", {"name": name, **more})


def change(lab: PoolLab, name: str, **properties: str | None) -> None:
    """Set properties; None inherits."""
    lab.console.do("PATCH", f"datasets/{name}/", {"properties": properties})


def value(lab: PoolLab, name: str, prop: str) -> tuple[str, str, str | None]:
    """A property as the console has it: value, source, and the ancestor that it comes from."""
    found = lab.console.get(f"datasets/{name}/")["properties"][prop]
    return found["value"], found["source"], found["inherited_from"]


def really(lab: PoolLab, name: str, prop: str) -> str:
    """The value and the source that zfs itself prints."""
    return str(lab.machine.run(f"zfs get -Hpo value,source {prop} {name}").stdout).strip()


def test_a_value_goes_down_three_levels_past_a_local_one_and_is_inherited_again(tank: PoolLab) -> None:
    create(tank, "tank/a", "tank/a/b", "tank/a/b/c", "tank/a/d")
    change(tank, "tank/a", compression="zstd")
    assert value(tank, "tank/a/b/c", "compression") == ("zstd", "inherited", "tank/a")
    change(tank, "tank/a/b", compression="gzip-9")
    assert value(tank, "tank/a/b/c", "compression") == ("gzip-9", "inherited", "tank/a/b")

    answer = tank.console.ask(
        "PATCH", "datasets/tank/a/?dry_run=true", {"properties": {"compression": "lz4"}}
    )
    assert answer.status == 200, answer
    report = {(finding["code"], finding["message"]) for finding in answer.body["findings"]}
    assert ("shielded", "tank/a/b keeps its own value gzip-9.") in report
    assert ("child-changes", "tank/a/d: zstd → lz4") in report
    assert not any("tank/a/b/c" in message for _, message in report)

    change(tank, "tank/a", compression="lz4")
    assert really(tank, "tank/a/d", "compression") == "lz4\tinherited from tank/a"
    assert really(tank, "tank/a/b/c", "compression") == "gzip-9\tinherited from tank/a/b"
    change(tank, "tank/a/b", compression=None)
    for name in ("tank/a/b", "tank/a/b/c"):
        assert value(tank, name, "compression") == ("lz4", "inherited", "tank/a")
        assert really(tank, name, "compression") == "lz4\tinherited from tank/a"


def test_a_received_value_is_shown_overridden_and_returned_to(tank: PoolLab) -> None:
    create(tank, "tank/from", "tank/into")
    change(tank, "tank/from", compression="zstd", quota="1G")
    tank.console.do("POST", "snapshots/", {"datasets": ["tank/from"], "name": "sent"})
    tank.machine.run("zfs send -p tank/from@sent | zfs receive -u tank/into/copy")
    tank.console.fresh()
    name = "tank/into/copy"
    assert value(tank, name, "compression") == ("zstd", "received", None)

    change(tank, name, compression="gzip")
    found = tank.console.get(f"datasets/{name}/")["properties"]["compression"]
    assert (found["value"], found["source"], found["received"]) == ("gzip", "local", "zstd")
    tank.console.do("PATCH", f"datasets/{name}/", {"received": ["compression"]})
    assert value(tank, name, "compression") == ("zstd", "received", None)
    assert really(tank, name, "compression") == "zstd\treceived"

    change(tank, name, compression=None)
    assert value(tank, name, "compression") == ("lz4", "inherited", "tank")
    tank.console.do("PATCH", f"datasets/{name}/", {"received": ["compression"]})
    assert really(tank, name, "compression") == "zstd\treceived"
    change(tank, name, quota="2G")
    tank.console.do("PATCH", f"datasets/{name}/", {"received": ["quota"]})
    assert value(tank, name, "quota")[:2] == (str(1 << 30), "received")


def test_what_a_clone_depends_on_goes_only_after_the_clone_was_promoted(tank: PoolLab) -> None:
    create(tank, "tank/old")
    tank.machine.run("head -c 3000000 /dev/urandom > /mnt/tank/old/file; sync -f /mnt/tank/old")
    digest = tank.machine.run("sha256sum < /mnt/tank/old/file").stdout
    tank.console.do("POST", "snapshots/", {"datasets": ["tank/old"], "name": "monday"})
    tank.machine.run("zfs clone tank/old@monday tank/new")
    tank.console.fresh()

    refused = tank.console.ask("DELETE", "datasets/tank/old/?recursive=true&dry_run=true")
    assert refused.status == 422
    (finding,) = [one for one in refused.body["findings"] if one["code"] == "has-clones"]
    assert "tank/new is a clone of tank/old@monday" in finding["message"]
    assert "Promote tank/new" in finding["message"]
    assert tank.machine.run("zfs list -Ho name tank/old").stdout.strip() == "tank/old"

    tank.console.do("POST", "datasets/tank/new/promote/", {})
    tank.console.do("DELETE", "datasets/tank/old/?recursive=true")
    assert tank.console.ask("GET", "datasets/tank/old/").status == 404
    assert tank.machine.run("sha256sum < /mnt/tank/new/file").stdout == digest
    names = tank.machine.run("zfs list -Ho name -t snapshot -r tank").stdout.split()
    assert names == ["tank/new@monday"]


def test_several_go_at_once_a_clone_before_its_origin(tank: PoolLab) -> None:
    create(tank, "tank/a", "tank/a/b", "tank/c", "tank/stays")
    tank.console.do("POST", "snapshots/", {"datasets": ["tank/a"], "name": "x"})
    tank.machine.run("zfs clone tank/a@x tank/c/clone")
    tank.console.fresh()
    body = {"names": ["tank/a", "tank/c"]}
    refused = tank.console.ask("DELETE", "datasets/?dry_run=true", body)
    assert refused.status == 422
    assert {one["code"] for one in refused.body["findings"]} >= {"has-children"}

    tank.console.do("DELETE", "datasets/?recursive=true", body)
    left = tank.machine.run("zfs list -Ho name -t all -r tank").stdout.split()
    assert "tank/stays" in left
    assert not [name for name in left if name.startswith(("tank/a", "tank/c"))]


def test_a_dataset_moves_with_its_files_and_comes_back_to_its_folder(tank: PoolLab) -> None:
    create(tank, "tank/a", "tank/a/b", "tank/z")
    tank.machine.run("echo kept > /mnt/tank/a/b/file")
    tank.console.do("POST", "datasets/tank/a/rename/", {"to": "tank/z/a"})
    assert tank.machine.run("cat /mnt/tank/z/a/b/file").stdout == "kept\n"
    tank.console.do("POST", "datasets/tank/z/a/unmount/", {})
    assert tank.machine.run("ls -A /mnt/tank/z/a").stdout == ""
    tank.console.do("POST", "datasets/tank/z/a/mount/?recursive=true", {})
    assert tank.machine.run("cat /mnt/tank/z/a/b/file").stdout == "kept\n"
