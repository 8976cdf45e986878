"""Hostile values in every operation of the real machine's API, with an operator's token and with one token
for each single scope that writes: no file that root reads or runs is another one afterwards, and those that
lead to other machines say what the helper writes.

What a dry run accepts is carried out for real, once for each place of a request. The machine is its own: the
drill leaves it in no state that anybody could use.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from nasweb.operations import OPERATIONS
from tests.api.good_requests import good_requests
from tests.api.hostile import MARK, Address, Hostile, addresses, requests
from tests.lab.builder import build_image, built_release
from tests.lab.console import SCOPES, Answer, request
from tests.lab.machine import Machine
from tests.lab.pool_life import DISKS, PoolLab
from tests.lab.rendered import RIGHTS, is_one, is_sound

pytestmark = pytest.mark.drill

WRITING = tuple(scope for scope in SCOPES if scope.endswith(":write"))
READING = tuple(scope for scope in SCOPES if scope.endswith(":read"))
ADMINS = "users:write"
_STRIDE = 5  # of the hostile values: each place is reached by some; the default tests try all of them
_STRIDE_OF_SCOPES = 31
# Addresses that nginx refuses by itself: with NUL, with a way up, or too long.
_NOT_PASSED_ON = re.compile(r"%00|(?:^|/)\.\.?(?:/|$)|.{4000}")
_OPERATOR = (
    "from accounts.models import User; from accounts import tokens; "
    "user = User.objects.create_user('olga', None, role='operator'); "
    f"print(tokens.create(name='drill', scopes={[one for one in SCOPES if one != ADMINS]!r}, user=user)[1])"
)
_HASHED = "/etc /var/lib /var/spool /root"
# A gigabyte of programs takes a quarter of an hour to hash; only the kernel sets the time of a change.
_PROGRAMS = "/opt /usr"
_SUMS = (
    f"find {_HASHED} -xdev -type f -not -name '*.pyc' -print0 | LC_ALL=C sort -z | xargs -0 sha256sum;"
    f" find {_PROGRAMS} -xdev -type f -not -name '*.pyc' -printf 'set-%C@-%s-%m-%U  %p\\n' | LC_ALL=C sort;"
    f" find {_HASHED} {_PROGRAMS} -xdev -type l -printf 'link-to-%l  %p\\n' | LC_ALL=C sort"
)
# What may be another one afterwards, and why.
_MAY_CHANGE = re.compile(
    "|".join(
        (
            r"/var/lib/nasweb(?:-[a-z]+)*/.*",  # the database, series, handed out files
            r"/etc/nasweb/(?:certificate\.pem|key\.pem|openssl\.said)",  # of another name of the machine
            # Rendered from rows, and held to a grammar by the helper; staged beside, and kept before.
            r"/etc/(?:samba/nasweb\.conf|exports\.d/nasweb\.exports|nfs\.conf\.d/nasweb\.conf)(?:\.next|\.before)?",
            r"/etc/avahi/services/nasweb\.service(?:\.next|\.before)?",
            r"/etc/systemd/network/(?:05-nasweb-[0-9a-f]{12}\.network|nasweb\.(?:pending|undone))(?:\.next)?",
            r"/etc/systemd/system/(?:multi-user\.target\.wants/)?mnt-[A-Za-z0-9_.\\-]+\.mount",  # arrays
            r"/etc/systemd/system/[a-z.-]+\.wants/(?:smbd|nfs-server|wsdd2)\.service",  # switched on and off
            r"/etc/rc[0-6S]\.d/[SK][0-9]{2}(?:smbd|nfs-[a-z-]+|wsdd2)",
            r"/etc/(?:passwd|shadow|group|gshadow|subuid|subgid)-?",  # people: checked below
            r"/etc/(?:hosts|hosts\.nasweb|hostname|localtime|timezone|adjtime)",
            r"/etc/systemd/zram-generator\.conf",
            r"/etc/zfs/(?:zpool\.cache|zfs-list\.cache/.*)",
            r"/var/lib/(?:samba|nfs|redis|systemd|private|chrony|logrotate|NetworkManager)/.*",
        )
    )
)


class Drill(NamedTuple):
    """The machine, with a good request of each operation on it and where it is sent to."""

    lab: PoolLab
    good: dict[str, dict[str, Any]]
    found: dict[str, Address]

    def ask(self, token: str, name: str, data: dict[str, Any], *, dry: bool) -> Answer:
        """One request. An answer of 500 is an AssertionError with what the journal says."""
        path, body = self.found[name].filled(data)
        headers = {"Authorization": f"Bearer {token}", "Prefer": "wait=0" if dry else "wait=60"}
        query = "?dry_run=true" if dry else ""
        try:
            return request(self.lab.machine, self.found[name].method, f"{path}{query}", body, headers)
        except ValueError:  # no JSON
            assert _NOT_PASSED_ON.search(path), path
            return Answer(400, None)

    def token(self, *scopes: str) -> str:
        """Of the first admin, limited to these."""
        words = [word for scope in scopes for word in ("--scope", scope)]
        return self.lab.machine.run(["nasweb", "token", "create", "drill", *words]).stdout.strip()


@pytest.fixture(scope="module")
def drill() -> Iterator[Drill]:
    """A machine with something of everything."""
    with Machine(build_image(built_release()), DISKS[:6]) as nas:
        nas.boot()
        lab = PoolLab(nas)
        do = lab.console.do
        lab.create("tank", "mirror", 1, 2)
        for name in ("tank/files", "tank/clone"):
            do("POST", "datasets/", {"name": name})
        nas.run("mkdir /mnt/tank/files/Letters && echo Dear > /mnt/tank/files/Letters/neighbour.txt")
        do("POST", "snapshots/", {"datasets": ["tank/files"], "name": "s1"})
        do("POST", "users/", {"name": "anna", "password": "drill pass of anna"})
        do("POST", "groups/", {"name": "family", "members": ["anna"]})
        do("POST", "shares/smb/", {"name": "Files", "dataset": "tank/files", "write": ["anna"]})
        do("POST", "shares/nfs/", {"dataset": "tank/files", "clients": [{"host": "10.0.0.0/8"}]})
        serials = {disk["id"]: disk["serial"] for disk in lab.disks()}
        free = lab.ids(3, 4)
        pool = lab.pool("tank")
        member = pool["vdevs"][0]["children"][0]["guid"]
        good = good_requests(free, serials[free[0]], member, pool["guid"])
        yield Drill(lab, good, addresses())


def every(drill: Drill, stride: int, *names: str) -> Iterator[tuple[str, Hostile]]:
    """Some of the hostile requests of these operations, each place among them."""
    places: set[tuple[str, str]] = set()
    for name in names:
        for number, hostile in enumerate(requests(OPERATIONS[name].request, drill.good[name])):
            new = (name, hostile.where) not in places
            if new or number % stride == 0:
                places.add((name, hostile.where))
                yield name, hostile


def carry_out(drill: Drill, token: str, stride: int, *names: str) -> set[str]:
    """Dry runs of all, and for real what was accepted; the places where something was."""
    accepted: dict[str, tuple[str, Hostile]] = {}
    for name, hostile in every(drill, stride, *names):
        answer = drill.ask(token, name, hostile.data, dry=True)
        assert answer.status < 500, (name, hostile.where, hostile.value, answer)
        if answer.status == 200 and name != "network.set":  # by which the drill itself reaches it
            accepted.setdefault(f"{name} {hostile.where}", (name, hostile))
    for name, hostile in accepted.values():
        answer = drill.ask(token, name, hostile.data, dry=False)
        assert answer.status < 500, (name, hostile.where, hostile.value, answer)
        if answer.status == 202:
            drill.lab.console.end_of(int(answer.body["id"]))
    return set(accepted)


def sums(machine: Machine) -> set[str]:
    """Each file and link, with what it is."""
    return set(machine.run(_SUMS, timeout_s=900).stdout.splitlines())


def changed(machine: Machine, before: set[str]) -> set[str]:
    """The paths that are others now, less those that may be and, where it has to be, are sound."""
    now = sums(machine)
    paths = {line.split("  ", 1)[1] for line in before ^ now}
    return {path for path in paths if not (_MAY_CHANGE.fullmatch(path) or may_stay(machine, path))}


def may_stay(machine: Machine, path: str) -> bool:
    """Whether a file that leads to other machines was removed, or is as the helper writes it."""
    if not is_one(path):
        return False
    found = machine.run(["stat", f"--format={RIGHTS}", path], check=False)
    if found.exit:
        return machine.run(["test", "-e", path], check=False).exit == 1
    return is_sound(path, found.stdout.strip(), machine.run(["cat", path]).stdout)


def roots(machine: Machine) -> str:
    """Who is root by a number, a group or a shell, and what runs on schedule.

    Debian starts the timers of mdadm with the first array that an operator makes.
    """
    return machine.run(
        "awk -F: '$3 == 0 || $7 !~ /nologin|false|sync/ {print $1, $3, $7}' /etc/passwd;"
        " grep -E '^(root|sudo|adm|disk|shadow|staff):' /etc/group;"
        " systemctl list-timers --all --no-legend | awk '{print $(NF-1)}'"
        " | grep -vE '^md(check_(start|continue)|monitor-oneshot)[.]timer$' | sort;"
        " ls -la /var/spool/cron/crontabs 2> /dev/null | sed 1d"
    ).stdout


def test_an_operator_changes_no_file_of_the_system(drill: Drill) -> None:
    machine = drill.lab.machine
    token = machine.run(["nasweb", "shell", "-c", _OPERATOR]).stdout.split()[-1]
    before, rights = sums(machine), roots(machine)
    accepted = carry_out(drill, token, _STRIDE, *sorted(drill.found.keys() & OPERATIONS.keys()))
    assert len(accepted) > 40
    assert changed(machine, before) == set()
    assert roots(machine) == rights
    places = machine.run("findmnt --noheadings --list --types zfs,ext4,xfs --output TARGET").stdout.split()
    assert all(place.startswith(("/mnt/", "/srv/", "/media/")) for place in places if MARK in place)


@pytest.mark.parametrize("scope", WRITING)
def test_a_token_for_one_scope_changes_no_file_of_the_system(drill: Drill, scope: str) -> None:
    machine = drill.lab.machine
    token = drill.token(*READING, scope)
    names = drill.found.keys() & OPERATIONS.keys()
    before, rights = sums(machine), roots(machine)
    for name in sorted(names):
        if OPERATIONS[name].scope != scope:
            answer = drill.ask(token, name, drill.good[name], dry=True)
            assert answer.status in {403, 404, 422}, (name, answer)
    own = [name for name in sorted(names) if OPERATIONS[name].scope == scope]
    carry_out(drill, token, _STRIDE_OF_SCOPES, *own)
    assert changed(machine, before) == set()
    assert roots(machine) == rights
