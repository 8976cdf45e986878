"""Examples of plans of the machine's name, network and settings, and of alerts and the doctor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from host.backup.manifest import KeptGroup, KeptPeople, KeptPerson, Manifest
from host.inventory import (
    Accounts,
    Address,
    ArcBounds,
    ArcLimit,
    Certificate,
    Inventory,
    LogForwarding,
    LogTarget,
    Naming,
    PendingChange,
    Schedule,
)
from host.network_speed.values import NetworkSpeed
from jobs.plan import Plan
from machine.backup.create import QUESTION, Content
from machine.backup.listing import COPY, CopyAnswer, CopyContent
from machine.network_speed.see import QUESTION as SPEED
from machine.network_speed.see import SpeedFound
from tests import made
from tests.machine.cases import HOSTS, interface, machine
from tests.summaries import shares
from tests.summaries.asked import SECRET, asked

NAS = msgspec.structs.replace(machine(), sharing=shares.SHARED, served=shares.NAS.served)
MEASURING = NetworkSpeed(
    run="0" * 16, host="192.168.1.20", port=5201, started_at="2026-11-26T10:00:00+00:00",
    updated_at="2026-11-26T10:00:05+00:00",
)  # fmt: skip


def _measured(run: NetworkSpeed | None) -> Inventory:
    return msgspec.structs.replace(NAS, answers={SPEED: SpeedFound(speed=run)})


SIGNED = machine(
    naming=Naming(
        name="nas", kept="nas", hosts=HOSTS, time_zone="Etc/UTC",
        certificate=Certificate(names=("nas", "nas.local"), ours=True),
    )
)  # fmt: skip
FIXED = machine(interface(addresses=(Address(address="192.168.1.10", prefix=24),), dns=("192.168.1.1",)))
FORWARDING = machine(
    logs=LogForwarding(target=LogTarget(protocol="tcp", host="logs.lan", port=514), active=True)
)
CACHING = msgspec.structs.replace(
    NAS,
    facts=msgspec.structs.replace(NAS.facts, memory_bytes=8 << 30),
    arc=ArcLimit(live=ArcBounds(max_bytes=7 << 30, min_bytes=256 << 20)),
)
_BOUNDS = ArcBounds(max_bytes=2 << 30, min_bytes=256 << 20)
LIMITED = msgspec.structs.replace(CACHING, arc=ArcLimit(live=_BOUNDS, kept=_BOUNDS))
PENDING = machine(pending=PendingChange(interface="eno1", until=1_790_000_060.0))
SCRUB = Schedule(
    id=1, operation="pool.scrub", request={}, subject="pool:1", cron="0 0 * * *", time_zone="UTC",
    missed="run", enabled=True, handled="2026-11-21T12:00:00+00:00",
)  # fmt: skip
SCRUBBED = msgspec.structs.replace(NAS, schedules=(SCRUB,))
POOLS = msgspec.structs.replace(
    made.inventory(pools=(made.pool("tank"), made.pool("vault", guid="2"))), naming=NAS.naming
)
TANK = made.inventory(pools=(made.pool("tank"),), datasets=(made.dataset("tank", mounted="yes"),))


def _kept(operation: str, *, secrets: bool = False, **request: Any) -> Callable[[], Plan]:
    content = Content(content="a" * 64, secrets=secrets, host="nas")
    return asked(msgspec.structs.replace(POOLS, answers={QUESTION: content}), operation, **request)


def _restored(*, secrets: bool, **request: Any) -> Callable[[], Plan]:
    manifest = Manifest(
        origin="0" * 16, host="attic", version="0.9", made_at="2026-11-20T14:05:00Z", content="a" * 64,
        secrets=secrets, time_zone="Europe/Berlin", schema=(),
    )  # fmt: skip
    people = KeptPeople(
        people=(KeptPerson(name="anna", uid=30_000, password=secrets), KeptPerson(name="bert", uid=30_001)),
        groups=(KeptGroup(name="family", gid=35_000, members=("anna", "bert")),),
    )
    report = CopyContent(
        copy=CopyAnswer(name="1", size_bytes=1 << 20, problem=None), name="1", manifest=manifest,
        people=people, too_new=(),
    )  # fmt: skip
    inventory: Inventory = msgspec.structs.replace(POOLS, answers={COPY: report})
    return asked(inventory, "configuration.restore", pool="tank", **request)


def _fixed(*addresses: str, **more: Any) -> dict[str, Any]:
    return {"method": "fixed", "addresses": list(addresses), **more}


FRESH = msgspec.structs.replace(
    made.inventory(*(made.disk(number) for number in range(1, 7))),
    naming=Naming(name="nasweb", kept="nasweb", hosts=HOSTS, time_zone="Etc/UTC"),
    accounts=Accounts(gids={"nasweb-people": 29_999}),
)
_SIX = {"layout": "raidz2", "disks": [disk.id for disk in FRESH.disks]}
_FILES = {"dataset": "tank/Files", "name": "Files", "create": True, "write": ["ada"]}

EXAMPLES: dict[str, tuple[Callable[[], Plan], ...]] = {
    "machine.first-start": (
        asked(
            FRESH, "machine.first-start", name="attic", time_zone="Europe/Berlin",
            pool={"name": "tank", "vdevs": [_SIX]}, person={"name": "ada", "password": SECRET}, folder=_FILES,
        ),
        asked(FRESH, "machine.first-start", name="attic"),
        asked(FRESH, "machine.first-start", pool={"name": "tank", "vdevs": [_SIX]}, person={"name": "ada"}),
    ),
    "machine.set-name": (
        asked(NAS, "machine.set-name", name="attic"),
        asked(SIGNED, "machine.set-name", name="attic"),
        asked(machine(naming=Naming(name="attic", kept="nas")), "machine.set-name", name="attic"),
    ),
    "machine.set-time-zone": (
        asked(NAS, "machine.set-time-zone", time_zone="Europe/Berlin"),
        asked(SCRUBBED, "machine.set-time-zone", time_zone="Europe/Berlin"),
    ),
    "network.set": (
        asked(
            NAS, "network.set", interface="eno1", ipv4=_fixed("192.168.1.20/24", gateway="192.168.1.1"),
            dns=["192.168.1.1", "9.9.9.9"],
        ),
        asked(FIXED, "network.set", interface="eno1"),
        asked(NAS, "network.set", interface="eno1", dns=["9.9.9.9"], search=["home.arpa"]),
        asked(NAS, "network.set", interface="eno1", ipv6={"method": "off"}),
    ),
    "network.measure-speed": (asked(_measured(None), "network.measure-speed", host="192.168.1.20"),),
    "network.listen": (asked(_measured(None), "network.listen"),),
    "network.stop-speed": (asked(_measured(MEASURING), "network.stop-speed"),),
    "network.confirm": (asked(PENDING, "network.confirm"),),
    "network.revert": (asked(PENDING, "network.revert"),),
    "configuration.keep": (
        _kept("configuration.keep"),
        _kept("configuration.keep", secrets=True, pools=["vault"]),
    ),
    "configuration.follow": (_kept("configuration.follow", pools=["tank"], anyway=False),),
    "machine.set-metrics": (
        asked(NAS, "machine.set-metrics", enabled=True),
        asked(NAS, "machine.set-metrics", enabled=False),
    ),
    "machine.set-arc": (
        asked(CACHING, "machine.set-arc", max_bytes=4 << 30),
        asked(CACHING, "machine.set-arc", max_bytes=6 << 30, min_bytes=1 << 30),
        asked(CACHING, "machine.set-arc", min_bytes=1 << 30),
        asked(LIMITED, "machine.set-arc"),
    ),
    "machine.set-log-target": (
        asked(NAS, "machine.set-log-target", protocol="tls", host="logs.example.org"),
        asked(NAS, "machine.set-log-target", protocol="udp", host="192.168.1.5"),
        asked(FORWARDING, "machine.set-log-target", protocol="off"),
    ),
    "configuration.set-copies": (
        asked(NAS, "configuration.set-copies", enabled=True, secrets=True),
        asked(NAS, "configuration.set-copies", enabled=False),
        asked(NAS, "configuration.set-copies", secrets=False),
    ),
    "configuration.restore": (_restored(secrets=True, name=True), _restored(secrets=False)),
    "alert.acknowledge": (asked(NAS, "alert.acknowledge", id=12, note="The cable is ordered."),),
    "doctor.acknowledge": (
        asked(TANK, "doctor.acknowledge", code="no-copy", subject=made.pool().guid, note="It is at Anna's."),
        asked(TANK, "doctor.acknowledge", code="no-notifications", subject="machine", until="2027-01-31"),
        asked(TANK, "doctor.acknowledge", code="no-ecc", subject="machine", for_good=True),
    ),
    "doctor.recall": (
        asked(TANK, "doctor.recall", code="no-copy", subject=made.pool().guid),
        asked(TANK, "doctor.recall", code="no-spare", subject="disk:WD-0003"),
    ),
}  # fmt: skip
