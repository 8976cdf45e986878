"""The time machine on real OpenZFS and through the API alone: what was written comes back, bit for bit."""

from __future__ import annotations

import hashlib
import http.client
import itertools
import ssl
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest

from tests.lab.pool_life import PoolLab

pytestmark = pytest.mark.drill

HOME = "tank/home"
TOP = "/mnt/tank/home"
ODD = "b%E4d%0Aname"  # bytes that are no UTF-8, and a line feed
PRICED = "5$$ ${PATH}.txt"  # nothing of it is a variable


@pytest.fixture(scope="module")
def lab(pool_lab: PoolLab) -> Iterator[PoolLab]:
    """A dataset whose files were overwritten and deleted, with snapshots between."""
    pool_lab.create("tank", "mirror", 1, 2)
    pool_lab.console.do("POST", "datasets/", {"name": HOME})
    numbers = itertools.count(1)
    made = (
        f"mkdir -p {TOP}/docs {TOP}/many && head -c 3000000 /dev/urandom > {TOP}/docs/movie",
        f"printf 'one\\ntwo\\n' > {TOP}/docs/letter.txt && chown 1000:100 {TOP}/docs/letter.txt",
        f"chmod 640 {TOP}/docs/letter.txt && printf odd > \"{TOP}/$(printf 'b\\344d\\nname')\"",
        f"printf priced > '{TOP}/{PRICED}'",
        f"ln -s /etc {TOP}/out && ln -s .. {TOP}/docs/up && mkfifo {TOP}/pipe",
        f"for n in $(seq 1000); do echo $n > {TOP}/many/file$n; done",
    )
    rewritten = f"printf 'one\\nTWO\\nthree\\n' > {TOP}/docs/letter.txt"
    for step in (" && ".join(made), rewritten, f"rm {TOP}/docs/letter.txt"):
        pool_lab.machine.run(step)
        pool_lab.console.do("POST", "snapshots/", {"datasets": [HOME], "name": f"s{next(numbers)}"})
    pool_lab.console.fresh()
    yield pool_lab
    pool_lab.tidy()


def said(lab: PoolLab, command: str) -> str:
    return lab.machine.run(command).stdout


def sum_of(lab: PoolLab, path: str) -> str:
    return said(lab, f"sha256sum < {path}").split()[0]


def answered(lab: PoolLab, address: str, status: int = 200) -> Any:
    """What the worker answers, given a minute."""
    answer = lab.console.ask("GET", address, Prefer="wait=60")
    assert answer.status == status, (address, answer)
    return answer.body


def listed(lab: PoolLab, address: str) -> list[str]:
    found: list[str] = []
    following: str | None = address
    while following:
        answer = answered(lab, following)
        found += [one["name"] for one in answer["results"]]
        following = answer["next"] and answer["next"].partition("/api/v1/")[2]
    return found


def downloaded(lab: PoolLab, address: str, status: int = 200) -> tuple[str, http.client.HTTPMessage]:
    """The SHA-256 of what is sent, and its headers."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    connection = http.client.HTTPSConnection(
        "127.0.0.1", lab.machine.https_port, timeout=180, context=context
    )
    try:
        connection.request(
            "GET", f"/api/v1/{address}", headers={"Authorization": f"Bearer {lab.console.token}"}
        )
        answer = connection.getresponse()
        digest = hashlib.sha256()
        while block := answer.read(1 << 20):
            digest.update(block)
    finally:
        connection.close()
    assert answer.status == status, (address, answer.status)
    return digest.hexdigest(), answer.headers


def restore(lab: PoolLab, tag: str, **wish: Any) -> dict[str, Any]:
    address = f"snapshots/{HOME}@{tag}/restore/"
    job: dict[str, Any] = lab.console.do("POST", address, wish)
    return job


def test_a_folder_is_browsed_in_any_snapshot(lab: PoolLab) -> None:
    assert listed(lab, f"snapshots/{HOME}@s1/files/?path=docs") == ["letter.txt", "movie", "up"]
    assert listed(lab, f"files/?dataset={HOME}&path=docs") == ["movie", "up"]
    assert ODD in listed(lab, f"files/?dataset={HOME}")
    many = listed(lab, f"snapshots/{HOME}@s3/files/?path=many&limit=300")
    assert len(many) == 1000 and len(set(many)) == 1000


def test_versions_are_folded_and_compared(lab: PoolLab) -> None:
    letter = answered(lab, f"files/versions/?dataset={HOME}&path=docs/letter.txt")["results"]
    assert [(one["newest"], one["oldest"], one["change"]) for one in letter] == [
        (None, "s3", "gone"), ("s2", "s2", "content"), ("s1", "s1", None),
    ]  # fmt: skip
    movie = answered(lab, f"files/versions/?dataset={HOME}&path=docs/movie")["results"]
    assert [(one["oldest"], one["snapshots"], one["now"]) for one in movie] == [("s1", 3, True)]
    wanted = f"files/compare/?dataset={HOME}&path=docs/letter.txt&before=s1&then=s2"
    assert answered(lab, wanted)["lines"][3:] == [" one", "-two", "+TWO", "+three"]


def test_a_download_is_the_file(lab: PoolLab) -> None:
    digest, headers = downloaded(lab, f"snapshots/{HOME}@s1/files/download/?path=docs/movie")
    assert digest == sum_of(lab, f"{TOP}/docs/movie")
    assert headers["Content-Length"] == "3000000" and headers["Content-Type"] == "application/octet-stream"
    odd, _ = downloaded(lab, f"files/download/?dataset={HOME}&path={quote(ODD)}")
    assert odd == hashlib.sha256(b"odd").hexdigest()
    priced, _ = downloaded(lab, f"files/download/?dataset={HOME}&path={quote(PRICED)}")
    assert priced == hashlib.sha256(b"priced").hexdigest()
    downloaded(lab, f"files/download/?dataset={HOME}&path=pipe", 422)


@pytest.mark.parametrize(
    "path", ["out/passwd", "docs/up/docs/x", "../etc/passwd", ".zfs/snapshot", "a%252F..%252Fb"]
)
def test_nothing_leads_out_of_the_dataset(lab: PoolLab, path: str) -> None:
    for what in ("", "download/"):
        answered(lab, f"files/{what}?dataset={HOME}&path={path}", 422)


def test_a_file_comes_back_beside_and_over(lab: PoolLab) -> None:
    restore(lab, "s1", path="docs/letter.txt", mode="beside")
    beside = f"'{TOP}/docs/letter (s1).txt'"
    old = hashlib.sha256(b"one\ntwo\n").hexdigest()
    assert sum_of(lab, beside) == old
    assert said(lab, f"stat -c '%u %g %a' {beside}").split() == ["1000", "100", "640"]
    restore(lab, "s2", path="docs/letter.txt", mode="over")  # nothing is there: nothing is lost
    lab.console.fresh()
    job = restore(lab, "s1", path="docs/letter.txt", mode="over")
    assert sum_of(lab, f"{TOP}/docs/letter.txt") == old
    kept = job["steps"][0]["commands"][0][-1]
    lab.console.fresh()
    digest, _ = downloaded(lab, f"snapshots/{kept}/files/download/?path=docs/letter.txt")
    assert digest == hashlib.sha256(b"one\nTWO\nthree\n").hexdigest()
    assert "nasweb-restore" not in said(lab, f"ls -a {TOP}/docs")


def test_a_folder_of_a_thousand_files_comes_back(lab: PoolLab) -> None:
    sums = "find . -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum"
    before = said(lab, f"cd {TOP}/many && {sums}")
    lab.machine.run(f"rm -r {TOP}/many")
    restore(lab, "s3", path="many", mode="over")
    assert said(lab, f"cd {TOP}/many && {sums}") == before
    newest = answered(lab, f"files/restores/?dataset={HOME}")["results"][0]
    assert (newest["target"], newest["verdict"], newest["files"]) == ("many", "restored", 1000)


def test_a_quota_that_is_reached_is_reported_and_leaves_nothing_behind(lab: PoolLab) -> None:
    # Filled first: near a quota ZFS takes every block into a transaction group of its own, for minutes.
    lab.machine.run("zpool sync tank")
    quota = int(said(lab, f"zfs get -Hpo value referenced {HOME}")) + 1_000_000
    lab.console.do("PATCH", f"datasets/{HOME}/", {"properties": {"refquota": str(quota)}})
    lab.machine.run("echo 0 > /sys/module/zfs/parameters/zfs_bclone_enabled")
    lab.console.fresh()
    with pytest.raises(AssertionError, match="quota is reached"):
        restore(lab, "s1", path="docs/movie", mode="beside", name="another movie")
    assert "another" not in said(lab, f"ls -a {TOP}/docs")
    assert "nasweb-restore" not in said(lab, f"ls -a {TOP}/docs")
