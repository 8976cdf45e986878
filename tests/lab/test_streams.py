"""What a hostile other side can put into a stream, or say of one, on real OpenZFS."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

import pytest

from host.commands.replication.streams import ReceiveStream
from host.programs.replicate.tokens import SayToken, read
from tests.lab.pool_life import PoolLab

pytestmark = pytest.mark.drill

_HOSTILE = "-o mountpoint=/home/admin -o canmount=on -o setuid=on -o sharenfs=off -o snapdev=visible"


@pytest.fixture(scope="module")
def lab(pool_lab: PoolLab) -> Iterator[PoolLab]:
    pool_lab.create("tank", "stripe", 1)
    pool_lab.create("vault", "stripe", 2)
    pool_lab.machine.run(f"zfs create -u {_HOSTILE} tank/files && zfs snapshot tank/files@a")
    pool_lab.machine.run("zfs create -V 8M -o snapdev=visible tank/disk && zfs snapshot tank/disk@a")
    yield pool_lab
    pool_lab.tidy()


def receive(lab: PoolLab, source: str, name: str, *, volume: bool) -> int:
    argv = shlex.join(ReceiveStream(name=name, volume=volume).argv())
    return lab.machine.run(f"zfs send -p {source}@a | {argv}", check=False).exit


def values(lab: PoolLab, name: str, *properties: str) -> dict[str, tuple[str, str]]:
    said = lab.machine.run(f"zfs get -H -o property,value,source {','.join(properties)} {name}").stdout
    rows = [line.split("\t") for line in said.splitlines()]
    return {row[0]: (row[1], row[2].partition(" ")[0]) for row in rows}


@pytest.mark.parametrize("volume", [False, True], ids=["as a file system", "as a volume"])
def test_a_file_system_takes_nothing_over_that_root_does(lab: PoolLab, *, volume: bool) -> None:
    name = f"vault/{'volume' if volume else 'files'}"
    assert receive(lab, "tank/files", name, volume=volume) == 0
    found = values(
        lab, name, "mountpoint", "canmount", "setuid", "sharenfs", "snapdev", "readonly", "mounted"
    )
    assert found["mountpoint"][1] == "inherited"
    assert found["canmount"] == (("on", "default") if volume else ("noauto", "local"))
    assert {found[one][1] for one in ("setuid", "sharenfs", "snapdev")} <= {"default", "inherited"}
    assert found["readonly"] == ("on", "local") and found["mounted"][0] == "no"


def test_a_volume_takes_nothing_over_and_is_no_file_system(lab: PoolLab) -> None:
    assert receive(lab, "tank/disk", "vault/disk", volume=True) == 0
    assert values(lab, "vault/disk", "type", "snapdev", "readonly") == {
        "type": ("volume", "-"), "snapdev": ("hidden", "default"), "readonly": ("on", "local"),
    }  # fmt: skip
    assert receive(lab, "tank/disk", "vault/other", volume=False) != 0
    assert lab.machine.run("zfs list vault/other", check=False).exit != 0


@pytest.mark.parametrize(
    ("name", "flag", "raw"), [("raw", "-w", True), ("readable", "", False), ("plain", "-w", False)]
)
def test_a_token_says_of_which_snapshot_it_is_and_whether_it_is_encrypted_and_raw(
    lab: PoolLab, name: str, flag: str, *, raw: bool
) -> None:
    run, source = lab.machine.run, f"tank/{name}"
    key = "-o encryption=on -o keyformat=passphrase" if raw else "-o compression=off"
    run(f"printf 'a long passphrase' | zfs create {key} -o mountpoint=/mnt/{source} {source}")
    run(f"head -c 8000000 /dev/urandom > /mnt/{source}/data && zfs snapshot {source}@a")
    argv = shlex.join(ReceiveStream(name=f"vault/{source[5:]}").argv())
    run(f"zfs send {flag} {source}@a | head -c 4000000 | {argv}", check=False)
    token = run(f"zfs get -H -o value receive_resume_token vault/{source[5:]}").stdout.strip()
    rest = read(run(shlex.join(SayToken(token=token).argv())).stdout)
    guid = int(run(f"zfs get -Hp -o value guid {source}@a").stdout)
    assert rest == (f"{source}@a", guid, raw)
    run(f"zfs receive -A vault/{source[5:]}")
