"""The form of a first start: its defaults, and to and from the request of `machine.first-start`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from django.http import QueryDict

from frontend.pools import form as pool_form
from frontend.pools.form import PoolForm
from host.inventory import Inventory
from jobs.plan import Finding
from jobs.planning.findings import Findings, fault
from pools.advice.arrangements import from_key
from pools.advice.first_disks import suggested
from shares.people.names import check_new_name

# From the paths of findings to the fields that they are shown beside.
FIELDS = {
    "name": "name", "time_zone": "time_zone", "pool.name": "pool_name", "pool": "disks",
    "person.password": "password", "person.password_again": "password_again", "person": "person",
    "folder.write": "person", "folder": "folder",
}  # fmt: skip
_POOL, _FOLDER = "pool", "folder"


class StartForm(msgspec.Struct, frozen=True, kw_only=True):
    """What stands in the form. `later` has the parts that are put off: pool, folder."""

    name: str = ""
    time_zone: str = ""
    pool: PoolForm = PoolForm()
    folder: str = ""
    person: str = ""
    later: tuple[str, ...] = ()


def defaults(inventory: Inventory, username: str, order: Sequence[str]) -> StartForm:
    """What most owners would choose; disks in the `order` of their bays."""
    chosen = {disk.id for disk in suggested(inventory)}
    picks = {"data": tuple(disk for disk in order if disk in chosen)}
    people = inventory.accounts.people
    return StartForm(
        name=inventory.naming.name,
        time_zone=inventory.naming.time_zone or "UTC",
        pool=PoolForm(name="tank", picks=picks),
        folder="Files",
        person=people[0].name if people else _as_person(username, inventory),
    )


def of_post(post: QueryDict, order: Sequence[str]) -> StartForm:
    """What was sent."""
    sent = pool_form.from_post(post, order=order)
    return StartForm(
        name=post.get("name", "").strip()[:300],
        time_zone=post.get("time_zone", "").strip()[:100],
        pool=PoolForm(
            name=post.get("pool_name", "").strip()[:300], layout=sent.layout, advised=sent.advised,
            picks={"data": sent.of("data")},
        ),
        folder=post.get("folder", "").strip()[:300],
        person=post.get("person", "").strip()[:300],
        later=tuple(part for part in (_POOL, _FOLDER) if part in post.getlist("later")),
    )  # fmt: skip


def of_request(data: Mapping[str, Any], start: StartForm) -> StartForm:
    """The form that a request came from; what it left out is as at the `start`."""
    pool, person, folder = (_within(data, part) for part in (_POOL, "person", _FOLDER))
    sent = pool_form.from_request(pool)
    return StartForm(
        name=str(data.get("name") or start.name),
        time_zone=str(data.get("time_zone") or start.time_zone),
        pool=sent if pool else start.pool,
        folder=str(folder.get("name") or start.folder),
        person=str(person.get("name") or start.person),
        later=tuple(part for part, given in ((_POOL, pool), (_FOLDER, folder)) if not given),
    )


def to_request(form: StartForm, inventory: Inventory) -> dict[str, Any]:
    """The data of `machine.first-start` but for a password: what differs from the machine as it is."""
    data: dict[str, Any] = {}
    if form.name != inventory.naming.name:
        data["name"] = form.name
    if form.time_zone != (inventory.naming.time_zone or "UTC"):
        data["time_zone"] = form.time_zone
    if makes_pool(form, inventory):
        sizes = {disk.id: disk.size_bytes for disk in inventory.disks}
        data[_POOL] = pool_form.to_request(form.pool, sizes)
    if makes_folder(form, inventory):
        if is_new(form, inventory):
            data["person"] = {"name": form.person}
        dataset = f"{place_of(form, inventory)}/{form.folder}"
        # A job that failed may have left the dataset: then that is shared.
        new = inventory.dataset(dataset) is None
        named = {"dataset": dataset, "name": form.folder, "create": new}
        data[_FOLDER] = named | {"write": [form.person]}
    return data


def faults(form: StartForm, inventory: Inventory) -> tuple[Finding, ...]:
    """What the form itself leaves open; every rule on the content is the plan's."""
    found: list[Finding] = []
    if makes_pool(form, inventory) and not form.pool.of("data"):
        found.append(fault("required", "pool.vdevs", "Select the disks for the pool."))
    elif makes_pool(form, inventory) and from_key(form.pool.layout) is None:
        found.append(fault("required", "pool.vdevs", "Choose one of the layouts."))
    if makes_folder(form, inventory):
        if not form.folder:
            found.append(fault("required", "folder.name", "Enter a name for the folder."))
        if not form.person:
            found.append(fault("required", "person.name", "Enter a user for the folder."))
        if not place_of(form, inventory):
            message = "A folder needs a pool. Create one now, or add the folder later."
            found.append(fault("no-pool", "folder.dataset", message))
    return tuple(found)


def instead(own: tuple[Finding, ...], findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """The plan's `findings` without those that only follow from the form's `own`, said there more plainly."""
    said = {finding.field.partition("[")[0] for finding in own}
    if "folder.name" in said:
        said |= {"folder.dataset"}
    if "person.name" in said:
        said |= {"folder.write"}
    return tuple(one for one in findings if one in own or one.field.partition("[")[0] not in said)


def makes_pool(form: StartForm, inventory: Inventory) -> bool:
    """Whether a pool is asked for: where there is one, this page makes no further ones."""
    return not inventory.pools and _POOL not in form.later


def makes_folder(form: StartForm, inventory: Inventory) -> bool:
    """Whether a folder is asked for, as long as none is shared."""
    return not is_shared(inventory) and _FOLDER not in form.later


def is_shared(inventory: Inventory) -> bool:
    """Whether anything is."""
    return bool(inventory.sharing.smb or inventory.sharing.nfs)


def is_new(form: StartForm, inventory: Inventory) -> bool:
    """Whether the person is to be created."""
    return inventory.accounts.person(form.person) is None


def place_of(form: StartForm, inventory: Inventory) -> str:
    """The pool that the folder lies in; empty where there will be none."""
    if makes_pool(form, inventory):
        return form.pool.name
    return inventory.pools[0].name if inventory.pools else ""


def _as_person(username: str, inventory: Inventory) -> str:
    """The account's own name, where somebody who uses shares can have it."""
    found, name = Findings(), username.lower()
    check_new_name(name, inventory.accounts, found)
    return "" if found.all() else name


def _within(data: Mapping[str, Any], part: str) -> Mapping[str, Any]:
    found = data.get(part)
    return found if isinstance(found, Mapping) else {}
