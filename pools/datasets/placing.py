"""What a change of properties mounts elsewhere, and lets files do there: held to `pools.mounting`."""

from __future__ import annotations

from collections.abc import Mapping

from host.inventory import Dataset, Inventory
from jobs.planning.findings import Findings
from pools.datasets.effects import value_then
from pools.mounting import check_loosened, check_place, followers, moved, rights_given

Changes = Mapping[str, str | None]


def check_change(
    dataset: Dataset, properties: Changes, received: tuple[str, ...], inventory: Inventory, findings: Findings
) -> Inventory:
    """Adds findings for `dataset` and all that follows it; the machine as the next change will find it."""
    now = inventory.dataset(dataset.name) or dataset
    then = {
        name: now.properties[name].received if name in received else value_then(now, name, value, inventory)
        for name, value in {**properties, **dict.fromkeys(received)}.items()
    }
    field = "received" if received else "properties"
    check_loosened(now.name, rights_given(now), rights_given(now, then), field, findings)
    if now.kind == "volume":
        return inventory
    place = then.get("mountpoint")
    if place is None:
        if then.get("canmount") in {"on", "noauto"} and now.value("canmount") != then["canmount"]:
            check_place(now.name, now.value("mountpoint"), f"{field}.canmount", findings)
        return inventory
    if place == now.value("mountpoint"):
        return inventory
    after = moved(now, place, inventory, own=properties.get("mountpoint") is not None)
    for one in (now, *followers(now, inventory)):
        there = after.dataset(one.name)
        check_place(one.name, there.value("mountpoint") if there else None, f"{field}.mountpoint", findings)
    return after
