"""All sensible layouts of some disks side by side, one of them recommended for what they are to hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from host.inventory import Disk, Inventory
from host.layouts import Layout
from jobs.plan import Finding
from jobs.planning.findings import Findings
from pools.advice.arrangements import Arrangement, Deal, arrangements
from pools.advice.capacity import CapacityAnswer, Group, answer, group_of
from pools.advice.recommendation import Use, ranked, reasons
from pools.advice.words import speed, words
from pools.create_pool import NewVdev
from pools.disk_choice import choose
from pools.redundancy import Member, check_redundancy, check_vdevs
from pools.sectors import check_ashift
from pools.suitability import check_suitability

_Text = Annotated[str, Meta(max_length=1024)]
_MOST = 255


class AskAdvice(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Disks that a pool is to be made of, and what for. They need not be free. `beside` are the special,
    dedup, log, cache and spare vdevs that were decided on already."""

    disks: Annotated[tuple[_Text, ...], Meta(min_length=1, max_length=_MOST)]
    use: Use = "mixed"
    ashift: Annotated[int, Meta(ge=9, le=16)] | None = None  # 12, or what the disks need, when left out
    beside: Annotated[tuple[NewVdev, ...], Meta(max_length=_MOST)] = ()


class LayoutAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One layout. `vdevs` can be sent to `POST pools/` as they are. Speeds are those of so many disks."""

    key: str
    name: str
    layout: Layout
    vdevs: tuple[NewVdev, ...]
    spares: int
    capacity: CapacityAnswer
    degraded: str
    growth: str
    speed: str
    random_reads_like_disks: int
    random_writes_like_disks: int
    streams_like_disks: int
    recommended: bool = False
    reasons: tuple[str, ...] = ()  # of the one that is recommended


class AdviceAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The layouts, best first. `findings` are true of the disks whatever is made of them; those of one layout
    are in its `capacity`, their fields in its `vdevs` and then in `beside`."""

    use: Use
    recommended: str  # the key of one of the layouts
    layouts: tuple[LayoutAnswer, ...]
    findings: tuple[Finding, ...]


def advise(request: AskAdvice, inventory: Inventory) -> AdviceAnswer:
    """Raises `Refused` for unknown or repeated disks and an ashift that they cannot have."""
    findings = Findings()
    disks, beside = _chosen(request, inventory, findings)
    everything = [*disks, *(disk for _, _, members in beside for disk in members)]
    ashift = check_ashift(request.ashift, everything, findings)
    findings.refuse_on_error()
    table = _Table(disks, beside, inventory, ashift)
    possible = [(one, table.capacity(one)) for one in arrangements(len(disks))]
    candidates = ranked(possible, request.use, len(disks))
    winner = candidates[0][0]
    common = _common([found.findings for _, found in candidates])
    return AdviceAnswer(
        use=request.use,
        recommended=winner.key,
        layouts=tuple(_answer(table, one, found, winner, request.use, common) for one, found in candidates),
        findings=(*findings.all(), *common),
    )


def _chosen(
    request: AskAdvice, inventory: Inventory, findings: Findings
) -> tuple[tuple[Disk, ...], list[Member]]:
    """The disks asked for; findings name the fields of this request, not those of a pool's."""
    found = Findings()
    named = [request.disks, *(vdev.disks for vdev in request.beside)]
    disks, *others = choose(named, inventory, found, in_use_matters=False)
    for finding in found.all():
        findings.error(finding.code, _field(finding.field, first=1), finding.message)
    beside = [(v.role, v.layout, members) for v, members in zip(request.beside, others, strict=True)]
    found = Findings()
    check_vdevs(beside, found)
    for finding in found.all():
        if finding.level == "error":
            findings.error(finding.code, _field(finding.field, first=0), finding.message)
    for index, (role, _, _) in enumerate(beside):
        if role == "data":
            message = "List data disks in `disks`: their layout is what is being asked for."
            findings.error("data-beside", f"beside[{index}].role", message)
    return disks, beside


def _field(path: str, *, first: int) -> str:
    """`vdevs[0].disks[2]` of all groups that were asked for → `disks[2]`, the others → `beside[…]`."""
    head, _, rest = path.removeprefix("vdevs[").partition("]")
    index = int(head)
    return rest.lstrip(".") if index < first else f"beside[{index - first}]{rest}"


class _Table:
    """What is the same for all layouts of some disks."""

    def __init__(
        self, disks: Sequence[Disk], beside: list[Member], inventory: Inventory, ashift: int
    ) -> None:
        self.by_id = {disk.id: disk for disk in disks}
        self.sizes = {disk.id: disk.size_bytes for disk in disks}
        self.beside = beside
        self.inventory = inventory
        self.ashift = ashift

    def deal(self, one: Arrangement) -> Deal:
        """The disks of each vdev."""
        return one.deal(tuple(self.by_id), self.sizes)

    def capacity(self, one: Arrangement) -> CapacityAnswer:
        """What the arrangement offers, with its own findings."""
        deal = self.deal(one)
        groups = [tuple(self.by_id[disk] for disk in group) for group in deal.groups]
        members: list[Member] = [("data", one.layout, group) for group in groups]
        if deal.spares:
            members.append(("spare", "stripe", tuple(self.by_id[disk] for disk in deal.spares)))
        members += self.beside
        findings = Findings()
        check_redundancy(members, findings)
        check_suitability(members, self.inventory, findings, ashift=self.ashift)
        vital: list[Group] = [
            group_of(layout, disks) for role, layout, disks in self.beside if role in {"special", "dedup"}
        ]
        data = [group_of(one.layout, group) for group in groups]
        found = answer(data, ashift=self.ashift, beside=vital)
        return msgspec.structs.replace(found, findings=findings.all())


def _common(each: Sequence[tuple[Finding, ...]]) -> tuple[Finding, ...]:
    """What is said of every layout."""
    if not each:
        return ()
    said = [{(finding.code, finding.message) for finding in findings} for findings in each]
    everywhere = set.intersection(*said)
    seen = dict[tuple[str, str], Finding]()
    for finding in each[0]:
        if (finding.code, finding.message) in everywhere:
            seen.setdefault((finding.code, finding.message), msgspec.structs.replace(finding, field="disks"))
    return tuple(seen.values())


def _answer(
    table: _Table,
    one: Arrangement,
    capacity: CapacityAnswer,
    winner: Arrangement,
    use: Use,
    common: tuple[Finding, ...],
) -> LayoutAnswer:
    count, deal = len(table.by_id), table.deal(one)
    said, (reads, writes, stream) = words(one, count), speed(one, count)
    known = {(finding.code, finding.message) for finding in common}
    own = tuple(finding for finding in capacity.findings if (finding.code, finding.message) not in known)
    vdevs = tuple(NewVdev(role="data", layout=one.layout, disks=group) for group in deal.groups)
    if deal.spares:
        vdevs += (NewVdev(role="spare", layout="stripe", disks=deal.spares),)
    is_it = one == winner
    return LayoutAnswer(
        key=one.key,
        name=said.name,
        layout=one.layout,
        vdevs=vdevs,
        spares=one.spares,
        capacity=msgspec.structs.replace(capacity, findings=own),
        degraded=said.degraded,
        growth=said.growth,
        speed=said.speed,
        random_reads_like_disks=reads,
        random_writes_like_disks=writes,
        streams_like_disks=stream,
        recommended=is_it,
        reasons=reasons((one, capacity), use, count) if is_it else (),
    )
