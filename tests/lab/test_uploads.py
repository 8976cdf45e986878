"""Uploads on real OpenZFS and through the API alone: whole, as one person, and nowhere else."""

from __future__ import annotations

import base64
import hashlib
import http.client
import json
import ssl
from collections.abc import Iterator
from typing import Any

import pytest

from tests.lab.pool_life import PoolLab, until

pytestmark = pytest.mark.drill

HOME = "tank/home"
TOP = "/mnt/tank/home"
PIECE = 4 << 20
FILM = hashlib.shake_128(b"film").digest(9_600_000)


@pytest.fixture(scope="module")
def lab(pool_lab: PoolLab) -> Iterator[PoolLab]:
    """A dataset that the NAS user with the account's name may write, with a folder of root's own in it."""
    pool_lab.create("tank", "mirror", 1, 2)
    do = pool_lab.console.do
    do("POST", "datasets/", {"name": HOME})
    do("POST", "users/", {"name": "admin", "password": "drill pass of admin"})
    do("POST", "shares/rights/", {"dataset": HOME, "write": ["admin"]})
    pool_lab.machine.run(f"mkdir -m 700 {TOP}/roots && ln -s /etc {TOP}/out && echo old > {TOP}/old.txt")
    pool_lab.console.fresh()
    yield pool_lab
    pool_lab.tidy()


def said(lab: PoolLab, command: str) -> str:
    return lab.machine.run(command).stdout.strip()


def begun(lab: PoolLab, **wish: Any) -> str:
    """The address of an upload."""
    answer = lab.console.ask("POST", "uploads/", {"dataset": HOME, "name": "film.mkv", **wish})
    assert answer.status == 201, answer
    return f"uploads/{answer.body['id']}/"


def code(answer: Any) -> str:
    assert answer.status == 422, answer
    return str(answer.body["findings"][0]["code"])


def put(lab: PoolLab, address: str, offset: int, data: bytes) -> Any:
    """The status and the body of a piece that is sent."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    connection = http.client.HTTPSConnection(
        "127.0.0.1", lab.machine.https_port, timeout=180, context=context
    )
    headers = {
        "Authorization": f"Bearer {lab.console.token}",
        "Content-Type": "application/octet-stream",
        "Content-Digest": f"sha-256=:{base64.b64encode(hashlib.sha256(data).digest()).decode()}:",
    }
    try:
        connection.request("PUT", f"/api/v1/{address}?offset={offset}", data, headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()


def sent(lab: PoolLab, address: str, data: bytes, *, first: int = 0) -> None:
    for offset in range(first, len(data), PIECE):
        status, body = put(lab, address, offset, data[offset : offset + PIECE])
        assert (status, body.get("offset")) == (200, min(offset + PIECE, len(data))), body


def test_a_file_arrives_whole_and_is_the_persons(lab: PoolLab) -> None:
    address = begun(lab, size_bytes=len(FILM))
    sent(lab, address, FILM)
    assert said(lab, f"ls -A {TOP} | grep film.mkv || true") == ""
    assert lab.console.ask("POST", f"{address}finish/", {}).body["path"] == "film.mkv"
    assert said(lab, f"sha256sum < {TOP}/film.mkv").split()[0] == hashlib.sha256(FILM).hexdigest()
    assert said(lab, f"stat -c '%U %G %f' {TOP}/film.mkv").split()[:2] == ["admin", "nasweb-people"]
    assert said(lab, f"ls -A {TOP} | grep nasweb-upload || true") == ""


def test_the_program_has_the_persons_rights_and_no_other(lab: PoolLab) -> None:
    address = begun(lab, name="held.bin", size_bytes=10)
    units = "systemctl list-units --plain --no-legend 'nasweb-files-upload-*' | cut -d' ' -f1"
    (unit,) = said(lab, units).splitlines()
    pid = said(lab, f"systemctl show --property=MainPID --value {unit}")
    status = said(lab, f"cat /proc/{pid}/status")
    found = {line.partition(":")[0]: line.partition(":")[2].split() for line in status.splitlines()}
    uid = said(lab, "id -u admin")
    assert found["Uid"] == [uid] * 4 and 30_000 <= int(uid) <= 34_999
    assert "0" not in found["Groups"]
    assert [int(found[name][0], 16) for name in ("CapEff", "CapPrm", "CapInh", "CapAmb")] == [0] * 4
    assert found["NoNewPrivs"] == ["1"] and found["Seccomp"] == ["2"]
    assert lab.console.ask("DELETE", address).status == 204


def test_what_was_cut_off_goes_on_after_the_console_and_the_program_restarted(lab: PoolLab) -> None:
    address = begun(lab, name="again.mkv", size_bytes=len(FILM))
    sent(lab, address, FILM[:PIECE])
    lab.machine.run("systemctl stop 'nasweb-files-upload-*' && systemctl restart nasweb-web")
    until(lambda: lab.console.ask("GET", "system/").status == 200, limit_s=120)
    assert lab.console.ask("GET", address).body["offset"] == PIECE
    sent(lab, address, FILM, first=PIECE)
    assert lab.console.ask("POST", f"{address}finish/", {}).status == 200
    assert said(lab, f"sha256sum < {TOP}/again.mkv").split()[0] == hashlib.sha256(FILM).hexdigest()


def test_nothing_is_written_where_the_person_may_not(lab: PoolLab) -> None:
    assert code(lab.console.ask("POST", f"datasets/{HOME}/folders/", {"folder": "out", "name": "a"})) in {
        "not-a-folder", "outside",
    }  # fmt: skip
    wish = {"dataset": HOME, "folder": "roots", "name": "a", "size_bytes": 1}
    assert code(lab.console.ask("POST", "uploads/", wish)) in {"not-allowed", "unreadable"}
    assert code(lab.console.ask("POST", "uploads/", {**wish, "folder": "", "name": "old.txt"})) == "exists"
    assert said(lab, f"ls -A {TOP}/roots; test ! -e /etc/a && cat {TOP}/old.txt") == "old"


def test_a_link_that_is_put_in_the_way_is_not_followed(lab: PoolLab) -> None:
    address = begun(lab, name="swapped.bin", size_bytes=4)
    name = f"{TOP}/.nasweb-upload-{address.split('/')[1]}"
    lab.machine.run(f"echo secret > /root/drill-secret && rm {name} && ln -s /root/drill-secret {name}")
    status, body = put(lab, address, 0, b"evil")
    assert (status, body["findings"][0]["code"]) == (422, "gone")
    assert said(lab, "cat /root/drill-secret; rm /root/drill-secret") == "secret"


def test_a_quota_ends_an_upload_and_nothing_else(lab: PoolLab) -> None:
    address = begun(lab, name="large.bin", size_bytes=len(FILM))
    lab.machine.run(f"zfs set userquota@admin=1M {HOME} && zpool sync tank")

    def full() -> bool:
        offset = lab.console.ask("GET", address).body["offset"]
        status, _ = put(lab, address, offset, FILM[offset : offset + (1 << 19)])
        lab.machine.run("zpool sync tank")
        return bool(status == 422)

    until(full, limit_s=120)
    lab.machine.run(f"zfs set userquota@admin=none {HOME} && zpool sync tank")
    sent(lab, address, FILM, first=lab.console.ask("GET", address).body["offset"])
    assert lab.console.ask("POST", f"{address}finish/", {}).status == 200


def test_the_dataset_is_free_again_soon_after(lab: PoolLab) -> None:
    answer = lab.console.ask("POST", f"datasets/{HOME}/folders/", {"name": "last"})
    assert answer.status == 201
    units = "systemctl list-units --plain --no-legend 'nasweb-files-upload-*'"
    until(lambda: said(lab, units) == "", limit_s=60)
    lab.console.do("POST", f"datasets/{HOME}/unmount/")
