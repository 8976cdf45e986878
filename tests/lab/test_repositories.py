"""restic's repositories on another machine: by SFTP with its own SSH server, and by HTTP with the REST
protocol, both real, with what is stored read back and compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from tests.lab.builder import build_image, built_release
from tests.lab.console import Console
from tests.lab.machine import Machine
from tests.lab.pool_life import DISKS, PoolLab, until

pytestmark = pytest.mark.drill
PASSWORD = "four words from a book"
_HOST = "10.0.2.2"  # the computer that runs both: from there ports lead to the other
_REST_PASSWORD = "another four words"
_SUMS = "cd {folder} && find . -type f -print0 | sort -z | xargs -0 sha256sum"


class Two(NamedTuple):
    """The one that has the data, and the one that stores it."""

    home: PoolLab
    attic: Machine


@pytest.fixture(scope="module")
def two() -> Iterator[Two]:
    image = build_image(built_release())
    with Machine(image, DISKS) as one, Machine(image, ()) as other:
        one.boot()
        other.boot()
        found = PoolLab(one)
        found.create("tank", "mirror", 1, 2)
        found.console.do("POST", "datasets/", {"name": "tank/files"})
        one.run("for n in 1 2 3 4 5; do head -c 2000000 /dev/urandom > /mnt/tank/files/$n; done")
        one.run("mkdir '/mnt/tank/files/with space'; echo ä > '/mnt/tank/files/with space/ö'; sync")
        # What Debian has that speaks restic's REST protocol and S3. They take the web server's ports.
        other.run("systemctl stop nasweb-web nasweb-worker nginx; useradd --create-home shelf")
        other.run(
            "apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y rclone"
            " python3-moto python3-flask-cors >/dev/null",
            timeout_s=1800,
        )
        other.run(
            "mkdir /srv/rest && systemd-run --unit=rest-server rclone serve restic /srv/rest"
            f" --addr :80 --user nas --pass '{_REST_PASSWORD}'"
        )
        other.run("systemd-run --unit=s3-server moto_server -H 0.0.0.0 -p 443")
        # It takes minutes to answer for the first time.
        other.wait_until(
            "curl --silent --max-time 60 http://127.0.0.1:443/ | grep -q ListAllMyBuckets", timeout_s=600
        )
        yield Two(found, other)


def in_turn(console: Console, path: str, what: str) -> dict[str, Any]:
    """The last run of it, once that has ended."""

    def ended() -> Any:
        found = console.get(path)
        return found["last_check" if what == "check" else "last_run"] if not found["running"] else None

    run: dict[str, Any] = until(ended, limit_s=900, every_s=3)[1]
    assert run["verdict"] == "good", run
    return run


def stored_and_read_back(two: Two, name: str) -> None:
    """A backup into the repository, a check of all of it, a second run that adds next to nothing, and a
    restore whose files have the same hashes."""
    do, home = two.home.console.do, two.home
    do("POST", "backups/", {"name": f"To {name}", "repository": name, "datasets": ["tank/files"]})
    do("POST", f"backups/To%20{name}/run/")
    in_turn(home.console, f"backups/To%20{name}/", "backup")
    do("POST", f"repositories/{name}/check/")
    in_turn(home.console, f"repositories/{name}/", "check")
    home.console.fresh()
    assert home.console.get(f"repositories/{name}/")["proven_at"]
    (stored,) = home.console.read(f"repositories/{name}/snapshots/")["results"]
    do("POST", "datasets/", {"name": f"tank/from-{name}"})
    do("POST", f"repositories/{name}/snapshots/{stored['id']}/restore/", {"dataset": f"tank/from-{name}"})

    def restored() -> Any:
        runs = home.console.get("backup-runs/")["results"]
        mine = (one for one in runs if (one["action"], one["repository"]) == ("restore", name))
        return next((one for one in mine if one["verdict"]), None)

    run = until(restored, limit_s=900, every_s=3)[1]
    assert run["verdict"] == "good", run
    (folder,) = home.machine.run(f"ls /mnt/tank/from-{name}").stdout.split()
    there = home.machine.run(_SUMS.format(folder=f"/mnt/tank/from-{name}/{folder}")).stdout
    assert there == home.machine.run(_SUMS.format(folder="/mnt/tank/files")).stdout
    assert there.count("\n") == 6


def test_sftp_with_a_key_that_the_server_has_to_be_given(two: Two) -> None:
    console, port = two.home.console, two.attic.ssh_port
    shown = console.read(f"repositories/server-keys/?host={_HOST}&port={port}")
    key = next(one["key"] for one in shown["results"] if one["key"].startswith("ssh-ed25519 "))
    assert key == " ".join(two.attic.run("cat /etc/ssh/ssh_host_ed25519_key.pub").stdout.split()[:2])
    place = {"host": _HOST, "port": port, "user": "shelf", "path": "restic", "host_key": key}
    console.do("POST", "repositories/", {"name": "sftp", "password": PASSWORD, "sftp": place})
    assert console.get("repositories/sftp/")["ready"] is False
    line = console.read("repositories/sftp/key/")["line"]
    two.attic.run(
        "install -d -m 700 -o shelf -g shelf ~shelf/.ssh && cat >> ~shelf/.ssh/authorized_keys"
        " && chown shelf: ~shelf/.ssh/authorized_keys",
        input=f"{line}\n",
    )
    console.do("POST", "repositories/sftp/connect/")
    console.fresh()
    assert console.get("repositories/sftp/")["ready"] is True
    stored_and_read_back(two, "sftp")


def test_rest_with_a_name_and_a_password(two: Two) -> None:
    place = {"host": _HOST, "port": two.attic.http_port, "path": "home", "user": "nas", "tls": False}
    body = {"name": "rest", "password": PASSWORD, "key": "not this one", "rest": place}
    refused = two.home.console.in_turn("POST", "repositories/", body)
    assert refused.status == 202
    assert two.home.console.end_of(refused.body["id"])["state"] == "failed"
    two.home.console.fresh()
    two.home.console.do("POST", "repositories/", {**body, "key": _REST_PASSWORD})
    stored_and_read_back(two, "rest")


def test_rest_with_a_certificate_of_an_authority_of_its_own(two: Two) -> None:
    """Refused without that authority, and nothing is kept of it."""
    other = two.attic
    other.run(
        "systemctl stop rest-server; mkdir /srv/tls && cd /srv/tls && openssl req -x509 -newkey ec"
        " -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj '/CN=lab' -keyout ca.key -out ca.pem"
        " && openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=attic"
        " -keyout server.key -out server.csr"
        f" && printf 'subjectAltName=IP:{_HOST}' > names"
        " && openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -days 30 -extfile names"
        " -out server.pem"
        " && mkdir store && systemd-run --unit=rest-tls rclone serve restic /srv/tls/store --addr :80"
        " --cert /srv/tls/server.pem --key /srv/tls/server.key",
        timeout_s=300,
    )
    place: dict[str, Any] = {"host": _HOST, "port": other.http_port}
    body = {"name": "own", "password": PASSWORD, "rest": place}
    before = two.home.machine.run("ls /etc/nasweb/backups").stdout
    refused = two.home.console.in_turn("POST", "repositories/", body)
    failed = two.home.console.end_of(refused.body["id"])
    assert failed["state"] == "failed" and "local issuer certificate" in failed["error"]["detail"], failed
    assert two.home.machine.run("ls /etc/nasweb/backups").stdout == before
    two.home.console.fresh()
    place["authority"] = other.run("cat /srv/tls/ca.pem").stdout
    two.home.console.do("POST", "repositories/", body)
    stored_and_read_back(two, "own")


def test_a_bucket_of_s3(two: Two) -> None:
    place = {
        "host": _HOST, "port": two.attic.https_port, "bucket": "backups", "prefix": "home",
        "access_key": "AKIAHOME", "tls": False,
    }  # fmt: skip
    body = {"name": "bucket", "password": PASSWORD, "key": "as good as any to this server", "s3": place}
    two.home.console.fresh()
    two.home.console.do("POST", "repositories/", body)
    stored_and_read_back(two, "bucket")
