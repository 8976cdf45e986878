"""machine.first-start: parts that are planned one on the other, and carried out as one job."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from accounts.models import User
from accounts.roles import SCOPES
from host.commands.naming import MakeCertificate
from host.commands.pools.zpool import ZpoolCreate
from host.commands.shares.accounts import AddPerson, SetSambaPassword
from host.commands.shares.rights import SetFolderRights
from host.commands.shares.sharing import StageFile
from host.families import EVERYTHING
from host.inventory import Accounts, Certificate, Inventory, Naming
from host.simulated import SimulatedHost
from jobs import cache
from jobs.models import Job
from jobs.operation import nothing_more
from jobs.plan import Plan, Refused
from jobs.planning.shape import decode, read
from machine.first_boot import state
from machine.first_boot.steps import standings
from nasweb.first_start import NAME, PARTS, FirstStart
from nasweb.operations import OPERATIONS
from shares.smb.render import sections
from tests import made
from tests.conftest import caller, refresh
from tests.shares.people import SECRET

HOSTS = "127.0.0.1\tlocalhost\n127.0.1.1\tnasweb\n"
NEW = Naming(
    name="nasweb", kept="nasweb", hosts=HOSTS, time_zone="Etc/UTC",
    certificate=Certificate(names=("nasweb",), ours=True),
)  # fmt: skip
DISKS = tuple(made.disk(number) for number in range(1, 7))
POOL = {"name": "tank", "vdevs": [{"layout": "raidz2", "disks": [disk.id for disk in DISKS]}]}
ADA = {"name": "ada", "password": SECRET}
FILES = {"dataset": "tank/Files", "name": "Files", "create": True, "write": ["ada"]}
ALL = {"name": "attic", "time_zone": "Europe/Berlin", "pool": POOL, "person": ADA, "folder": FILES}


def machine(**changes: Any) -> Inventory:
    """As the image starts: six free disks, and nothing else."""
    accounts = Accounts(uids={"root": 0}, gids={"root": 0, "nasweb-people": 29_999})
    new = msgspec.structs.replace(made.inventory(*DISKS), naming=NEW, accounts=accounts)
    return msgspec.structs.replace(new, **changes)


def planned(data: dict[str, Any], inventory: Inventory | None = None) -> Plan:
    return OPERATIONS[NAME].plan(decode(FirstStart, data), inventory or machine())


def refusal(data: dict[str, Any], inventory: Inventory | None = None) -> dict[str, str]:
    """The errors: path → code."""
    with pytest.raises(Refused) as refused:
        planned(data, inventory)
    return {one.field: one.code for one in refused.value.findings if one.level == "error"}


def commands(plan: Plan) -> list[Any]:
    return [command for step in plan.steps for command in step.commands]


@pytest.mark.parametrize(
    ("data", "operation"),
    [
        ({"name": "attic"}, "machine.set-name"),
        ({"time_zone": "Europe/Berlin"}, "machine.set-time-zone"),
        ({"pool": POOL}, "pool.create"),
        ({"person": ADA}, "person.create"),
    ],
)
def test_a_part_alone_does_what_its_own_operation_does(data: dict[str, Any], operation: str) -> None:
    row = OPERATIONS[operation]
    value = next(iter(data.values()))
    own = row.plan(decode(row.request, value if isinstance(value, dict) else data), machine())
    plan = planned(data)
    assert (plan.operation, plan.steps, plan.claims) == (NAME, own.steps, own.claims)
    above = "" if isinstance(value, str) else f"{next(iter(data))}."
    assert [one.field for one in plan.findings] == [f"{above}{one.field}" for one in own.findings]


def test_all_parts_are_one_plan_in_their_order() -> None:
    plan = planned(ALL)
    assert [step.title for step in plan.steps] == [
        "Name the machine attic",
        "Set the time zone to Europe/Berlin",
        "Prepare 6 disks",
        "Create pool tank",
        "Create ada with a password",
        "Create dataset tank/Files",
        "Give those people access to the folder of tank/Files",
        "Save the share Files",
        "Write the new files beside those in use, and check them",
        "Put them in place, reload them, and check that everything is served",
        "Make a certificate for attic for the console",
    ]
    assert plan.claims == (
        "machine:name", "machine:clock", "pool:tank", *(f"disk:{disk.id}" for disk in DISKS),
        "person:ada", "uid:30000", "dataset:tank/Files", "sharing:files",
    )  # fmt: skip
    assert plan.destroys == ()


def test_later_parts_know_what_earlier_ones_make() -> None:
    done = commands(planned(ALL))
    samba = sections(next(one.text for one in done if isinstance(one, StageFile) and one.file == "samba"))
    assert samba["global"]["netbios name"] == "ATTIC"
    assert samba["Files"]["path"] == "/mnt/tank/Files"
    assert samba["Files"]["write list"] == "ada"
    rights = next(one for one in done if isinstance(one, SetFolderRights))
    assert "user:30000:rwx" in rights.acl.replace("\n", ",")
    assert [one.secret for one in done if isinstance(one, SetSambaPassword)] == [SECRET]
    assert isinstance(done[-1], MakeCertificate)


def test_a_folder_below_an_encrypted_pool_shares_its_key() -> None:
    plan = planned(ALL | {"pool": POOL | {"passphrase": SECRET, "mountpoint": "/srv/tank"}})
    create = next(one for one in commands(plan) if isinstance(one, ZpoolCreate))
    assert create.root_properties["keyformat"] == "passphrase"
    samba = next(one.text for one in commands(plan) if isinstance(one, StageFile) and one.file == "samba")
    assert sections(samba)["Files"]["path"] == "/srv/tank/Files"
    assert "pool.passphrase" in {one.field for one in plan.findings}


def test_what_disks_hold_is_lost_and_said() -> None:
    held = made.with_file_system(1)
    plan = planned({"pool": POOL}, machine(disks=(held, *DISKS[1:])))
    assert [loss.disk for loss in plan.destroys] == [held.id]
    row = OPERATIONS[NAME]
    assert row.button({"pool": POOL}, plan.view()["steps"][0]["destroys"]) == "Set up this NAS, erase 1 disk"
    assert (row.effect_of({"pool": POOL}), row.effect_of({"name": "attic"})) == ("destroys", "changes")


def test_all_faults_of_all_parts_are_found_at_once() -> None:
    busy = made.used(1, "pool", "member of the pool old")
    wrong = {
        "name": "two words",
        "time_zone": "Mars/Olympus",
        "pool": POOL
        | {"vdevs": [{"layout": "raidz2", "disks": [busy.id, "ata-none", DISKS[2].id, DISKS[3].id]}]},
        "person": {"name": "root", "password": SECRET},
        "folder": FILES | {"name": "a/b", "write": ["root"]},
    }
    assert refusal(wrong, machine(disks=(busy, *DISKS[1:]))) == {
        "name": "bad-name",
        "time_zone": "unknown-zone",
        "pool.vdevs[0].disks[0]": "disk-in-use",
        "pool.vdevs[0].disks[1]": "unknown-disk",
        "person.name": "reserved-name",
        "folder.name": "bad-name",
    }


def test_a_pool_that_cannot_have_its_name_is_said_once() -> None:
    asked = {
        "pool": POOL | {"name": "2 tanks"},
        "person": ADA,
        "folder": FILES | {"dataset": "2 tanks/Files"},
    }
    assert refusal(asked) == {"pool.name": "bad-name"}


def test_a_folder_needs_a_pool_that_is_there_or_asked_for() -> None:
    assert refusal({"person": ADA, "folder": FILES}) == {"folder.dataset": "unknown-parent"}
    assert refusal({"pool": POOL, "folder": FILES}) == {"folder.write[0]": "unknown-person"}


def test_what_is_there_already_can_be_used_by_the_rest() -> None:
    tank = made.dataset("tank", mounted="yes")
    plan = planned({"person": ADA, "folder": FILES}, machine(datasets=(tank,)))
    assert plan.steps[1].title == "Create dataset tank/Files"


def test_nothing_is_no_start() -> None:
    assert refusal({}) == {"": "nothing-asked"}


def test_faults_of_shape_name_their_part() -> None:
    found = read(
        FirstStart, {"pool": {"name": 7, "vdevs": [{"layout": "raidz9"}]}, "person": "ada", "box": 1}
    )
    assert {one.field: one.code for one in found.findings} == {
        "box": "unknown-field",
        "pool.name": "invalid",
        "pool.vdevs[0].disks": "required",
        "pool.vdevs[0].layout": "invalid",
        "person": "wrong-type",
    }


def test_the_rights_and_facts_of_all_parts_are_needed() -> None:
    row = OPERATIONS[NAME]
    assert row.also_needs(decode(FirstStart, ALL)) == ("system:write", "pools:write", "shares:write")
    assert row.also_needs(decode(FirstStart, {"name": "attic"})) == ("system:write",)
    assert row.facts == EVERYTHING
    # Parts that need more than the inventory would have to be asked for it one on the other.
    assert [name for name in PARTS if OPERATIONS[name].needs is not nothing_more] == []


@pytest.mark.parametrize(
    ("data", "href"),
    [
        (ALL, "/shares/smb/Files/"),
        ({"pool": POOL, "person": ADA}, "/people/ada/"),
        ({"pool": POOL}, "/pools/tank/"),
        ({"name": "attic"}, "/welcome/"),
        ({"folder": 7, "pool": {"name": None}}, "/welcome/"),
    ],
)
def test_the_result_is_what_can_be_used_now(data: dict[str, Any], href: str) -> None:
    assert OPERATIONS[NAME].result(data).href == href


def start_of(simulated: SimulatedHost) -> dict[str, Any]:
    """The whole request for the simulated machine, with the password as it is typed."""
    inventory = cache.current()
    assert inventory is not None
    disks = [disk.id for disk in inventory.disks if disk.free]
    return ALL | {
        "pool": {"name": "tank", "vdevs": [{"layout": "raidz2", "disks": disks}]},
        "person": {"name": "ada", "password": "words of ada"},
    }


def test_one_job_ends_in_a_folder_that_is_served(simulated: SimulatedHost, admin: User) -> None:
    api, data = caller(admin, *SCOPES), start_of(simulated)
    shown = api.post("/api/v1/system/first-start/?dry_run=true", data).json()
    assert (shown["operation"], Job.objects.count()) == (NAME, 0)
    job = api.post("/api/v1/system/first-start/", data | {"digest": shown["digest"]}).json()
    assert (job["state"], job["error"]) == ("succeeded", None)
    assert "words of ada" not in str(Job.objects.get().request) + str(Job.objects.get().plan)
    inventory = cache.current()
    assert inventory is not None
    assert (inventory.naming.name, inventory.naming.time_zone) == ("attic", "Europe/Berlin")
    assert [one.dataset for one in inventory.sharing.smb] == ["tank/Files"]
    assert inventory.accounts.people[0].samba == "enabled"
    assert "[Files]\n    path = /mnt/tank/Files\n" in simulated.machine().samba
    found = {one.step: one.state for one in standings(inventory, state.load(), notified=False)}
    assert (found["name"], found["pool"], found["share"]) == ("done", "done", "done")


def test_nothing_is_left_to_follow_once_it_is_done(simulated: SimulatedHost, admin: User) -> None:
    """What was rendered on the expected machine is what the real one renders."""
    api = caller(admin, *SCOPES)
    api.post("/api/v1/system/first-start/", start_of(simulated))
    refresh()
    inventory = cache.current()
    assert inventory is not None
    follow = OPERATIONS["sharing.follow"]
    with pytest.raises(Refused, match="All shares are already served correctly"):
        follow.plan(decode(follow.request, {}), inventory)


def test_the_same_request_is_told_by_its_key_whatever_its_secrets_became(
    simulated: SimulatedHost, admin: User
) -> None:
    api, data = caller(admin, *SCOPES), start_of(simulated)
    key = {"Idempotency-Key": "one"}
    first = api.post("/api/v1/system/first-start/", data, headers=key).json()
    again = api.post("/api/v1/system/first-start/", data, headers=key).json()
    assert first["id"] == again["id"]
    other = data | {"person": {"name": "ada", "password": "other words"}}
    refused = api.post("/api/v1/system/first-start/", other, headers=key).json()
    assert refused["type"].endswith("/idempotency-mismatch")


def test_a_part_that_fails_leaves_the_rest_to_be_asked_for(simulated: SimulatedHost, admin: User) -> None:
    api, data = caller(admin, *SCOPES), start_of(simulated)
    simulated.fail_next(AddPerson, stderr="useradd: cannot lock /etc/passwd\n")
    job = api.post("/api/v1/system/first-start/", data).json()
    assert (job["state"], job["error"]["title"]) == ("failed", "“Create ada with a password” failed")
    assert [step["state"] for step in job["steps"]][:5] == [*["succeeded"] * 4, "failed"]
    inventory = cache.current()
    assert inventory is not None and inventory.pool("tank") is not None
    assert inventory.sharing.smb == ()
    left = {part: data[part] for part in ("person", "folder")}
    assert api.post("/api/v1/system/first-start/", left).json()["state"] == "succeeded"


def test_a_password_that_is_too_short_is_told_by_its_path(simulated: SimulatedHost, admin: User) -> None:
    data = start_of(simulated) | {"person": {"name": "ada", "password": "short"}}
    answer = caller(admin, *SCOPES).post("/api/v1/system/first-start/", data)
    assert answer.status_code == 422
    assert [one["field"] for one in answer.json()["findings"]] == ["person.password"]


def test_all_scopes_are_needed(simulated: SimulatedHost, admin: User) -> None:
    api = caller(admin, "system:write", "pools:write")
    assert api.post("/api/v1/system/first-start/", start_of(simulated)).status_code == 403
