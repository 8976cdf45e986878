"""What is said of files is what OpenZFS stores and what there is; they are only read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.lab.pool_life import PoolLab, until

pytestmark = pytest.mark.drill

SETTINGS = ("lz4", "zstd-3", "zstd-19", "gzip-6")
RECORDS = {"128k": 128 << 10, "1M": 1 << 20}
TEXTS = (
    "find /opt/nasweb/current/.venv/lib /usr/lib/python3 -name '*.py' | LC_ALL=C sort | xargs cat 2>/dev/null"
)
# Sixteen MiB each, with few small files: all of their blocks are measured, so that chance has no part in it.
CORPORA = {
    "text": f"{TEXTS} | head -c 16M > $at/file",
    "noise": "head -c 16M /dev/urandom > $at/file",
    "mixed": (
        f"{TEXTS} | head -c 6M > $at/file; head -c 5000000 /dev/urandom >> $at/file;"
        f"truncate -s +40M $at/file; {TEXTS} | tail -c 5M >> $at/file;"
        "for n in $(seq 200); do head -c $((n * 40)) $at/file > $at/small$n; done"
    ),
}


@pytest.fixture(scope="module")
def lab(pool_lab: PoolLab) -> Iterator[PoolLab]:
    pool_lab.create("tank", "mirror", 1, 2)
    yield pool_lab
    pool_lab.tidy()


def said(lab: PoolLab, command: str) -> str:
    return lab.machine.run(command).stdout


def stored(lab: PoolLab, dataset: str) -> tuple[int, int]:
    """Bytes before compression and on disk."""
    lab.machine.run("zpool sync tank")
    figures = said(lab, f"zfs get -Hpo value logicalreferenced,referenced {dataset}").split()
    return int(figures[0]), int(figures[1])


def report(lab: PoolLab, dataset: str) -> Any:
    return lab.console.ask("GET", f"compression/{dataset}/", Prefer="wait=60").body


def measured(lab: PoolLab, dataset: str) -> Any:
    lab.console.do("POST", "snapshots/", {"datasets": [dataset], "name": "now"})
    lab.console.fresh()
    lab.console.do("POST", f"compression/{dataset}/", {})
    _, found = until(lambda: (one := report(lab, dataset))["run"]["verdict"] and one, limit_s=1500, every_s=5)
    assert found["run"]["verdict"] == "done", found["run"]
    return found


@pytest.mark.parametrize("record", RECORDS)
@pytest.mark.parametrize("corpus", CORPORA)
def test_the_ratio_is_within_three_percent_of_what_openzfs_stores(
    lab: PoolLab, corpus: str, record: str
) -> None:
    name = f"tank/{corpus}-{record.lower()}"
    properties = {"recordsize": record, "compression": "off"}
    lab.console.do("POST", "datasets/", {"name": name, "properties": properties})
    lab.machine.run(f"at=/mnt/{name}; {CORPORA[corpus]}; sync")
    before = said(lab, f"cd /mnt/{name} && sha256sum * | sha256sum && stat -c '%n %X %Y %Z' *")
    found = measured(lab, name)
    assert found["run"]["measured_blocks"] + found["run"]["empty_blocks"] == found["run"]["blocks"]
    assert said(lab, f"cd /mnt/{name} && sha256sum * | sha256sum && stat -c '%n %X %Y %Z' *") == before
    predicted = {one["name"]: one["ratio"] for one in found["options"]}
    wrong = {}
    for setting in SETTINGS:
        twin = f"{name}-{setting}"
        lab.machine.run(f"zfs create -o recordsize={record} -o compression={setting} {twin}")
        empty = stored(lab, twin)
        lab.machine.run(f"cp --sparse=never /mnt/{name}/* /mnt/{twin}/ && sync")
        full = stored(lab, twin)
        real = (full[0] - empty[0]) / (full[1] - empty[1])
        if abs(predicted[setting] / real - 1) > 0.03:
            wrong[setting] = (predicted[setting], real)
        lab.machine.run(f"zfs destroy {twin}")
    assert wrong == {}


def test_files_are_counted_as_find_counts_them(lab: PoolLab) -> None:
    name = "tank/counted"
    lab.console.do("POST", "datasets/", {"name": name, "properties": {"compression": "off"}})
    lab.machine.run(
        f"cd /mnt/{name}; mkdir -p films/old/deep 'a b'; head -c 3M /dev/urandom > films/old/deep/one.mkv;"
        " head -c 200K /dev/urandom > 'a b/two.jpg'; ln 'a b/two.jpg' films/again.jpg; ln -s /etc out;"
        " head -c 2M /dev/urandom > films/twin; cp films/twin 'a b/twin';"
        " head -c 2M /dev/urandom > films/other;"
        " printf x > $(printf 'bad\\377name'); mkfifo pipe;"
        " for n in $(seq 2000); do printf %0500d $n > films/$n.txt; done; sync; zpool sync tank"
    )
    lab.console.do("POST", "snapshots/", {"datasets": [name], "name": "now"})
    lab.console.fresh()
    before = said(lab, f"cd /mnt/{name} && find . -printf '%p %s %A@ %T@ %C@\n' | sort | sha256sum")
    lab.console.do("POST", f"scans/{name}/", {"duplicates": True})

    def over() -> Any:
        answer = lab.console.ask("GET", f"scans/{name}/", Prefer="wait=60").body
        return answer["run"]["verdict"] and answer

    _, answer = until(over, limit_s=300, every_s=2)
    found = answer["run"]
    assert (found["verdict"], found["whole"], found["unread"]) == ("done", True, 0)
    assert (found["files"], found["folders"], found["others"]) == (2006, 4, 2)
    assert found["size_bytes"] == (9 << 20) + (200 << 10) + 1 + 2000 * 500
    sizes = said(lab, f"find /mnt/{name} -type f -not -name again.jpg -printf '%b '").split()
    assert found["disk_bytes"] == sum(map(int, sizes)) * 512
    assert {one["kind"]: one["files"] for one in found["kinds"]} == {
        "videos": 1, "pictures": 1, "documents": 2000, "others": 4,
    }  # fmt: skip
    assert {one["path"] for one in found["largest_folders"]} == {"films", "films/old", "a b"}
    assert [(one["size_bytes"], one["paths"]) for one in found["duplicates"]] == [
        (2 << 20, ["a b/twin", "films/twin"])
    ]
    after = said(lab, f"cd /mnt/{name} && find . -printf '%p %s %A@ %T@ %C@\n' | sort | sha256sum")
    assert after == before
