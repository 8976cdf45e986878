"""Encryption and quotas on a real machine, through the API: locked after a start, opened, never leaked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.lab.pool_life import PoolLab

pytestmark = pytest.mark.drill

PHRASE, WRONG = "drill marker of the owner", "drill marker of somebody else"
_MARKERS, _SEEN, _STOP, _WATCH = "/root/drill-markers", "/root/drill-seen", "/run/drill-stop", "drill-watch"
# What the markers are is read from a file: the watch itself has them in no command line.
_WATCHING = (
    f"until [ -e {_STOP} ]; do cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ 2>/dev/null"
    f" | tr '\\0' '\\n' | grep -aF -f {_MARKERS} >> {_SEEN}; done"
)
MIB = 1 << 20


@pytest.fixture
def lab(pool_lab: PoolLab) -> Iterator[PoolLab]:
    """The machine; a drill that failed is in nobody's way."""
    yield pool_lab
    pool_lab.machine.run(f"touch {_STOP}; rm -f {_MARKERS}")
    pool_lab.tidy()


def watch(lab: PoolLab) -> None:
    """From now on search every process for what was typed."""
    lab.machine.run(f"rm -f {_STOP} {_SEEN}; touch {_SEEN}; cat > {_MARKERS}", input=f"{PHRASE}\n{WRONG}\n")
    lab.machine.run(
        ["systemd-run", f"--unit={_WATCH}", "--collect", "--expand-environment=no", "sh", "-c", _WATCHING]
    )


def nothing_leaked(lab: PoolLab) -> None:
    """What was typed was in no process, and is in no journal, row, log or file."""
    run = lab.machine.run
    run(f"touch {_STOP}")
    lab.machine.wait_until(f"! systemctl is-active --quiet {_WATCH}")
    assert run(f"cat {_SEEN}").stdout == ""
    assert run(f"journalctl --no-pager --all | grep -aF -f {_MARKERS} | head -3", check=False).stdout == ""
    places = "/var/lib/nasweb /var/log /etc/nasweb /run/nasweb-secrets"
    assert run(f"grep -raFl -f {_MARKERS} {places}", check=False).stdout == ""
    assert run("ls -A /run/nasweb-secrets").stdout == ""
    assert run("stat -c '%a %U' /run/nasweb-secrets").stdout.strip() == "700 nasweb"


def shown(lab: PoolLab, *names: str) -> list[tuple[str, bool]]:
    """Whether each is locked by ZFS's word, and whether it is mounted."""
    found = [lab.console.get(f"datasets/{name}/") for name in names]
    return [(one["properties"]["keystatus"]["value"], one["mounted"]) for one in found]


def doctor(lab: PoolLab) -> dict[str, dict[str, Any]]:
    """What the doctor finds of datasets: by code and name."""
    found = lab.console.get("doctor/?limit=1000")["results"]
    return {f"{one['code']} {one['subject']['name']}": one for one in found}


def waited(lab: PoolLab, path: str, body: dict[str, Any]) -> dict[str, Any]:
    """The job that a write made, at its end."""
    answer = lab.console.ask("POST", path, body, Prefer="wait=60")
    assert answer.status == 202, answer
    job: dict[str, Any] = lab.console.end_of(answer.body["id"])
    return job


def test_what_is_encrypted_is_locked_after_a_start_and_opens_with_its_passphrase(lab: PoolLab) -> None:
    do, names = lab.console.do, ("tank/private", "tank/private/letters", "tank/private/letters/old")
    lab.create("tank", "mirror", 1, 2)
    watch(lab)
    do("POST", "datasets/", {"name": names[0], "passphrase": PHRASE})
    for name in names[1:]:
        do("POST", "datasets/", {"name": name})
    lab.write("/mnt/tank/private/letters/old/data", files=20)
    assert shown(lab, *names) == [("available", True)] * 3

    lab.machine.reboot()
    watch(lab)
    lab.console.fresh()
    assert shown(lab, *names) == [("unavailable", False)] * 3
    found = doctor(lab)
    assert found["dataset-locked tank/private"]["severity"] == "advice"
    assert not [key for key in found if key.startswith("not-mounted tank/private")]

    refused = waited(lab, "datasets/tank/private/load-key/", {"passphrase": WRONG})
    assert refused["state"] == "failed"
    assert "Incorrect key provided for 'tank/private'" in refused["error"]["detail"]
    assert refused["error"]["advice"].startswith("This passphrase or key is not the right one.")
    assert waited(lab, "datasets/tank/private/test-key/", {"passphrase": PHRASE})["state"] == "succeeded"
    assert shown(lab, *names) == [("unavailable", False)] * 3

    opened = waited(lab, "datasets/tank/private/load-key/", {"passphrase": PHRASE})
    assert opened["state"] == "succeeded", opened
    lab.console.fresh()
    assert shown(lab, *names) == [("available", True)] * 3
    assert lab.verify() == 20
    nothing_leaked(lab)
    lab.destroy("tank")


def test_what_is_in_use_is_not_locked_and_says_so(lab: PoolLab) -> None:
    lab.create("tank", "mirror", 1, 2)
    lab.console.do("POST", "datasets/", {"name": "tank/private", "passphrase": PHRASE})
    stands = "--working-directory=/mnt/tank/private"
    lab.machine.run(["systemd-run", "--unit=drill-user", "--collect", stands, "sleep", "600"])
    job = waited(lab, "datasets/tank/private/unload-key/", {})
    assert job["state"] == "failed"
    assert "Still in use" in job["error"]["advice"]
    lab.console.fresh()
    assert shown(lab, "tank/private") == [("available", True)]
    lab.machine.run("systemctl stop drill-user")
    assert waited(lab, "datasets/tank/private/unload-key/", {})["state"] == "succeeded"
    lab.console.fresh()
    assert shown(lab, "tank/private") == [("unavailable", False)]
    lab.destroy("tank")


def test_another_passphrase_opens_and_the_first_one_does_not(lab: PoolLab) -> None:
    lab.create("tank", "mirror", 1, 2)
    lab.console.do("POST", "datasets/", {"name": "tank/private", "passphrase": PHRASE})
    lab.console.do("POST", "datasets/", {"name": "tank/private/own", "key": "0123456789abcdef" * 4})
    lab.console.do("POST", "datasets/tank/private/change-key/", {"passphrase": WRONG})
    assert waited(lab, "datasets/tank/private/test-key/", {"passphrase": PHRASE})["state"] == "failed"
    assert waited(lab, "datasets/tank/private/test-key/", {"passphrase": WRONG})["state"] == "succeeded"
    lab.console.do("POST", "datasets/tank/private/own/change-key/", {"inherit": True})
    lab.console.fresh()
    own = lab.console.get("datasets/tank/private/own/")["properties"]
    assert own["encryptionroot"]["value"] == "tank/private"
    lab.destroy("tank")


def test_a_quota_that_is_reached_is_reported_in_clear_words(lab: PoolLab) -> None:
    lab.create("tank", "mirror", 1, 2)
    lab.console.do("POST", "datasets/", {"name": "tank/media"})
    lab.console.do("POST", "datasets/tank/media/quotas/", {"limits_bytes": {"quota": 64 * MIB}})
    account = {"whose": "user", "account": "nobody", "limit": 8 * MIB}
    lab.console.do("POST", "datasets/tank/media/quotas/", {"accounts": [account]})
    said = lab.machine.run(
        "dd if=/dev/urandom of=/mnt/tank/media/x bs=1M count=100 2>&1; sync", check=False
    ).stdout
    assert "Disk quota exceeded" in said
    lab.console.fresh()
    found = doctor(lab)["quota-reached tank/media"]
    assert "its quota" in found["title"]
    below = lab.console.ask("POST", "datasets/tank/media/quotas/", {"limits_bytes": {"quota": 32 * MIB}})
    assert below.status == 422
    assert "already" in below.body["findings"][0]["message"]
    job = waited(lab, "datasets/", {"name": "tank/media/more"})
    assert job["state"] == "failed"
    assert job["error"]["advice"].startswith("A quota is reached.")
    use = lab.console.get("datasets/tank/media/quotas/")
    assert use["used_bytes"] >= 60 * MIB
    accounts = {(one["whose"], one["name"]): one for one in use["accounts"]}
    assert accounts["user", "nobody"]["quota_bytes"] == 8 * MIB
    assert accounts["user", "root"]["used_bytes"] >= 60 * MIB
    lab.destroy("tank")
