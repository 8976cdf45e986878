"""Hostile values in every operation: refused, or the plan does nothing outside of what it may."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec
import pytest
from rest_framework.test import APIClient

from accounts.models import User
from accounts.roles import SCOPES, Role
from host.base import HostError
from host.commands.backups import WriteRepository
from host.commands.base import Command
from host.commands.closed import decode, encode
from host.commands.datasets.snapshots import ZfsSnapshot
from host.mountpoints import Zone, path_fault, zone
from host.replication.values import Pairing, Replication, Target
from host.simulated import SimulatedHost
from jobs import submission
from jobs.plan import Plan, Refused
from jobs.rights import ADMIN, Forbidden
from nasweb.operations import OPERATIONS
from replication.models import PairingRow, RewriteRow, TargetRow, TaskRow
from replication.stored import value_of
from tests.api.good_requests import good_requests
from tests.api.hostile import MARK, Hostile, addresses, requests
from tests.conftest import caller, refresh
from tests.prepared import made_once
from tests.shares.sharing import dataset, did, person, smb

_FILES = re.compile(
    r"/etc/(?:samba|exports\.d|nfs\.conf\.d|avahi/services|systemd|nasweb|hosts|hostname"
    r"|modprobe\.d/nasweb-zfs-arc\.conf)|/var/lib/|/run/|/proc/"
)

_STARTS_PROGRAMS = re.compile(r"(?i)exec\w*\s*=|include\s*=|script|no_root_squash|^\s*\[.*\]\s*\S")
_FREE = re.compile(r"comment=|[a-z0-9.-]+:[a-z0-9.-]+=")  # texts of properties that are no paths
_READ = frozenset(scope for scope in SCOPES if scope.endswith(":read"))
# Where an operator's value may stand in a path besides mount points: arrays, units that mount them, shares.
_OWN = re.compile(
    r"/etc/systemd/system/(?:multi-user\.target\.wants/)?(?:mnt|srv)-[\w.\\-]+\.mount"
    r"|/dev/md/[\w.-]+|/dev/disk/by-id/md-name-any:[\w.-]+|//127\.0\.0\.1/[^/\\]+"
)


class Mallory(NamedTuple):
    """Somebody with just these scopes; with `destroy` where plans shall be seen that destroy."""

    scopes: frozenset[str]

    def has_perm(self, perm: str) -> bool:
        return perm in self.scopes

    def get_username(self) -> str:
        return "mallory"


OPERATOR = Mallory(frozenset(SCOPES) - {ADMIN} | {"destroy"})


@pytest.fixture
@made_once
def good(api: APIClient, simulated: SimulatedHost) -> dict[str, dict[str, Any]]:
    """A machine with something of everything, and a good request of each operation on it."""
    found = [one for one in api.get("/api/v1/disks/").json()["results"] if one["used_by"] is None]
    disks = [one["id"] for one in found]
    body = {"name": "tank", "vdevs": [{"role": "data", "layout": "mirror", "disks": disks[:2]}]}
    did(api.post("/api/v1/pools/", body))
    for name in ("tank/files", "tank/clone"):
        dataset(api, name)
    simulated.furnish("tank/files")
    simulated.run(ZfsSnapshot(names=("tank/files@s1",)))
    refresh()
    person(api, "anna")
    did(api.post("/api/v1/groups/", {"name": "family", "members": ["anna"]}))
    smb(api, "Files", write=["anna"])
    did(api.post("/api/v1/shares/nfs/", {"dataset": "tank/files", "clients": [{"host": "10.0.0.0/8"}]}))
    did(api.post("/api/v1/repositories/", {
        "name": "Near", "password": "apples and pears", "local": {"path": "/media/stick/backups"},
    }))  # fmt: skip
    did(api.post("/api/v1/backups/", {"name": "Files", "repository": "Near", "datasets": ["tank/files"]}))
    pool = api.get("/api/v1/pools/tank/").json()
    replicated(pool["guid"])
    member = pool["vdevs"][0]["children"][0]["guid"]
    return good_requests(disks[2:], found[2]["serial"], member, pool["guid"])


def replicated(guid: str) -> None:
    """The replication of tank/clone to tank/copies; nothing is sent."""
    target = Target(id=0, name="beside", kind="pool", dataset="tank/copies", pool_guid=guid)
    row = TargetRow.objects.create(name=target.name, value=value_of(target))
    task = Replication(
        id=0, key="0" * 16, name="copies", source="tank/clone", target_id=row.pk, target="tank/copies/clone"
    )
    TaskRow.objects.create(name=task.name, key=task.key, target=row, value=value_of(task))
    attic = Target(
        id=0,
        name="attic",
        kind="ssh",
        dataset="vault/nas",
        connection="1" * 16,
        host="10.0.0.7",
        user="backup",
    )
    TargetRow.objects.create(name=attic.name, value=value_of(attic))
    RewriteRow.objects.create(dataset="tank/files", key="3" * 16, report={"verdict": "done"}, running=True)
    pairing = Pairing(id=0, name="cellar", peer="2" * 16, dataset="tank/replicas/cellar")
    PairingRow.objects.create(name=pairing.name, peer=pairing.peer, value=value_of(pairing))
    refresh()


def test_every_operation_has_a_request(good: dict[str, Any]) -> None:
    assert good.keys() == OPERATIONS.keys()


@pytest.mark.long
def test_no_hostile_value_reaches_outside_of_what_an_operator_may(
    good: dict[str, dict[str, Any]], simulated: SimulatedHost
) -> None:
    wrong: list[str] = []
    accepted: dict[tuple[str, str], Plan] = {}
    for name, hostile in every(good):
        plan = planned(name, hostile, wrong)
        if plan is not None:
            wrong += [f"{name} {hostile.where}={hostile.value!r:.90}: {why}" for why in faults(plan)]
            accepted.setdefault((name, hostile.where), plan)
    assert "\n".join(wrong) == ""
    assert len(accepted) > 80  # what is harmless is let through: else nothing was tried
    assert run_all(accepted.values(), simulated) == set()


def test_a_single_scope_reaches_no_operation_of_another(good: dict[str, dict[str, Any]]) -> None:
    wrong: list[str] = []
    for name, operation in OPERATIONS.items():
        for scope in (one for one in SCOPES if one.endswith(":write") and one != operation.scope):
            try:
                submission.prepare(name, good[name], Mallory(_READ | {scope, "destroy"}))
            except Forbidden:
                continue
            except Refused:
                pass
            wrong.append(f"{name} was planned with {scope}")
    assert wrong == []


@pytest.mark.long
def test_no_hostile_value_breaks_an_endpoint(good: dict[str, dict[str, Any]]) -> None:
    operator = User.objects.create_user("otto", role=Role.OPERATOR)
    client = caller(operator, *(scope for scope in SCOPES if scope != ADMIN))
    found = addresses()
    assert {name for name in OPERATIONS if name not in found} == {
        "sharing.follow",
        "configuration.follow",
        "pairing.accept",
    }
    wrong: list[str] = []
    for number, (name, hostile) in enumerate(every(good)):
        # Each place is reached by some of the values: all of them are tried above, on the same rules.
        if name not in found or number % 11:
            continue
        path, body = found[name].filled(hostile.data)
        method = found[name].method.lower()
        answer = getattr(client, method)(f"/api/v1/{path}?dry_run=true", body, headers={"Prefer": "wait=0"})
        if answer.status_code >= 500:
            wrong.append(f"{name} {hostile.where}={hostile.value!r:.90} answered {answer.status_code}")
    assert "\n".join(wrong) == ""


def every(good: dict[str, dict[str, Any]]) -> Iterator[tuple[str, Hostile]]:
    """Each operation with each hostile value in each place."""
    for name, operation in OPERATIONS.items():
        for hostile in requests(operation.request, good[name]):
            yield name, hostile


def run_all(plans: Iterable[Plan], simulated: SimulatedHost) -> set[str]:
    """The files that are there afterwards and that no plan may make, whatever order the plans run in."""
    for plan in plans:
        for command in (one for step in plan.steps for one in step.commands):
            with suppress(HostError):
                simulated.run(command)
    machine = simulated.machine()
    return {path for path in machine.files if MARK in path or not _FILES.match(path)}


def planned(name: str, hostile: Hostile, wrong: list[str]) -> Plan | None:
    """The plan, where there is one. Whatever else than a refusal comes of it would be an answer of 500."""
    try:
        return submission.prepare(name, hostile.data, OPERATOR)
    except (Refused, Forbidden):
        return None
    except Exception as error:  # noqa: BLE001
        wrong.append(f"{name} {hostile.where}={hostile.value!r:.90} broke: {type(error).__name__}: {error}")
        return None


def faults(plan: Plan) -> Iterator[str]:
    """Why no operator may have such a plan carried out."""
    for command in (one for step in plan.steps for one in (*step.commands, *step.undo)):
        try:
            decode(encode(command))
        except msgspec.ValidationError as error:
            yield f"the helper would refuse {type(command).__name__}: {error}"
        words = command.argv()
        for before, word in zip(("", *words), words, strict=False):
            if before != "--comment":  # of a person: the word behind it is a text, whatever it is
                yield from (f"{type(command).__name__} {why}" for why in _word(word))
        yield from (f"{type(command).__name__} {why}" for why in _input(command))


def _word(word: str) -> Iterator[str]:
    """What is wrong with an argument that came of a hostile value."""
    option, equals, value = word.partition("=")
    if MARK not in word or (_FREE.match(word) and word.isprintable()):
        return
    if word.startswith("-") and (not equals or MARK in option):
        yield f"takes an option: {word!r:.90}"
    if any(letter in word for letter in "\0\n\r"):
        yield f"has a control character in {word!r:.90}"
    for text in (word, value):
        if (
            text.startswith("/")
            and not _OWN.match(text)
            and (path_fault(text) or zone(text) is not Zone.OPEN)
        ):
            yield f"reaches {text!r:.90}"


def _input(command: Command) -> Iterator[str]:
    """What a hostile value may not say in a file, whatever its grammar is. JSON starts no program: our own
    programs alone read it, and hold each value to a grammar again."""
    if isinstance(command, WriteRepository):
        return
    for line in command.input().splitlines():
        harmless = line.strip().startswith(("root preexec = /usr/bin/mountpoint -q '", "comment = "))
        if MARK in line and not harmless and _STARTS_PROGRAMS.search(line):
            yield f"writes {line!r:.90}"
