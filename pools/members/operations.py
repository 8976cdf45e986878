"""The operations on the disks and vdevs of a pool."""

from __future__ import annotations

from typing import Any

from jobs.operation import Operation
from jobs.wording import Data, Link, Wording, at, filled
from pools.links import POOL_PAGE, replace_href
from pools.members import add, attach, clear, detach, expand, offline, online, remove, replace


def _removal(data: Data) -> str | None:
    return filled(
        "Cancel the vdev removal in {name}" if data.get("cancel") else "Remove a vdev from {name}", data
    )


def _replace_page(data: Data) -> Link:
    return Link("Replace a disk", replace_href(str(data.get("name", "")), data.get("vdev")))


OPERATIONS: tuple[Operation[Any], ...] = (
    Operation(
        name="pool.clear",
        request=clear.ClearPool,
        plan=clear.plan,
        scope="pools:write",
        effect="changes",
        wording=Wording(title="Clear the errors of {name}", page=POOL_PAGE),
    ),
    Operation(
        name="pool.add",
        request=add.AddVdevs,
        plan=add.plan,
        scope="pools:write",
        effect="destroys",
        wording=Wording(title="Add a vdev to {name}", page=POOL_PAGE),
    ),
    Operation(
        name="pool.attach",
        request=attach.AttachDisk,
        plan=attach.plan,
        scope="pools:write",
        effect="destroys",
        wording=Wording(title="Attach a disk to {name}", page=POOL_PAGE),
    ),
    Operation(
        name="pool.detach",
        request=detach.DetachMember,
        plan=detach.plan,
        scope="pools:write",
        effect="changes",
        wording=Wording(title="Detach a disk from {name}", page=POOL_PAGE),
    ),
    Operation(
        name="pool.replace",
        request=replace.ReplaceMember,
        plan=replace.plan,
        scope="pools:write",
        effect="destroys",
        wording=Wording(
            title="Replace a disk of {name}",
            page=_replace_page,
            result=at("Show progress", "/pools/{name}/replace/"),
        ),
    ),
    Operation(
        name="pool.offline",
        request=offline.OfflineMember,
        plan=offline.plan,
        scope="pools:write",
        effect="changes",
        wording=Wording(title="Take a disk of {name} offline", page=POOL_PAGE),
    ),
    Operation(
        name="pool.online",
        request=online.OnlineMember,
        plan=online.plan,
        scope="pools:write",
        effect="changes",
        wording=Wording(title="Bring a disk of {name} online", page=POOL_PAGE),
    ),
    Operation(
        name="pool.remove",
        request=remove.RemoveVdev,
        plan=remove.plan,
        scope="pools:write",
        effect="changes",
        wording=Wording(title=_removal, page=POOL_PAGE),
    ),
    Operation(
        name="pool.expand",
        request=expand.ExpandPool,
        plan=expand.plan,
        scope="pools:write",
        effect="changes",
        wording=Wording(title="Expand {name}", page=POOL_PAGE),
    ),
)
