"""Examples of plans of shares, of people and groups, of rights and sessions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from host.files.answers import Applied, FolderRights
from host.inventory import Inventory, NfsClient, NfsShare, Served, Sharing, SmbShare
from host.inventory.sessions import Session
from jobs.plan import Plan
from shares.applying import texts
from shares.nfs.render import exported
from shares.rights import see, set_rights
from shares.sessions import end
from shares.sessions.see import Sessions
from tests import made
from tests.shares.people import machine
from tests.shares.rights_bench import ACCOUNTS
from tests.shares.test_sessions import ADA, BOB, NFS
from tests.summaries.asked import SECRET, asked

LAN = {"host": "192.168.1.0/24"}
READ_BY_ALL = {"host": "*", "read_only": True}
EVERYBODY = "@nasweb-people"


def _dataset(name: str, **properties: Any) -> Any:
    return made.dataset(name, **({"mounted": "yes", "acltype": "posix", "readonly": "off"} | properties))


DATASETS = (
    _dataset("tank"), _dataset("tank/files"), _dataset("tank/media"), _dataset("tank/media/films"),
    _dataset("tank/mac"), _dataset("tank/docs"),
    _dataset("tank/private", mounted="no", keystatus="unavailable"),
)  # fmt: skip
GUIDS = {one.name: one.guid for one in DATASETS}


def _share(number: int, name: str, dataset: str, **changes: Any) -> SmbShare:
    return SmbShare(id=number, name=name, guid=GUIDS[dataset], dataset=dataset, **changes)


def _export(number: int, dataset: str, *clients: NfsClient, **changes: Any) -> NfsShare:
    return NfsShare(id=number, guid=GUIDS[dataset], dataset=dataset, clients=clients, **changes)


def served(sharing: Sharing, **changes: Any) -> Inventory:
    """A machine that serves just that."""
    nas = msgspec.structs.replace(machine(), datasets=DATASETS, sharing=sharing, **changes)
    running = {"avahi-daemon": "active", "smbd": "active", "wsdd2": "active", "nfs-server": "active"}
    off = set() if sharing.smb else {"smbd", "wsdd2"}
    off |= set() if sharing.nfs else {"nfs-server"}
    now = Served(
        files=texts(sharing, nas),
        services={name: "inactive" if name in off else state for name, state in running.items()},  # type: ignore[misc]
        exported=exported(sharing, nas),
    )
    return msgspec.structs.replace(nas, served=now)


SHARED = Sharing(
    smb=(
        _share(1, "Files", "tank/files", write=("anna", "@family"), read=("carla",)),
        _share(2, "Media", "tank/media", guests="read", write=("anna",)),
        _share(3, "Attic", "tank/files", write=("@crew", "bert"), enabled=False),
    ),
    nfs=(
        _export(1, "tank/media", NfsClient(host="192.168.1.0/24"), NfsClient(host="10.0.0.7")),
        _export(2, "tank/files", NfsClient(host="pc.lan", read_only=True), enabled=False),
    ),
)
EMPTY, NAS = served(Sharing()), served(SHARED)
NESTED = served(
    Sharing(
        nfs=(
            _export(1, "tank/media", NfsClient(host="192.168.1.0/24", squash="none")),
            _export(2, "tank/media/films", NfsClient(host="10.0.0.7", read_only=True)),
        )
    )
)
STALE = msgspec.structs.replace(
    NAS, served=msgspec.structs.replace(served(Sharing(smb=SHARED.smb[1:])).served, exported=())
)
LOCKED = msgspec.structs.replace(
    NAS,
    datasets=tuple(
        _dataset("tank/files", mounted="no") if one.name == "tank/files" else one for one in DATASETS
    ),
)
BY_HAND = msgspec.structs.replace(
    NAS,
    served=msgspec.structs.replace(
        NAS.served, files=NAS.served.files | {"samba": NAS.served.files["samba"] + "[mine]\n"}
    ),
)
DONE = Applied(
    run=see.run_of("tank/files", ""), dataset="tank/files", path="", access="", started_at="", updated_at="",
    files=340, folders=12,
)  # fmt: skip
IN_FILES = msgspec.structs.replace(ADA, shares=("Files",))
PEOPLE = msgspec.structs.replace(NAS, accounts=ACCOUNTS)
OPEN_TO_ALL = FolderRights(owner=0, group=0, access="user::rwx,group::r-x,other::r-x")


def _rights(**request: Any) -> Callable[[], Plan]:
    found = see.RightsFound(rights=OPEN_TO_ALL, objects=None if request.get("folder") else 25_000)
    inventory = msgspec.structs.replace(PEOPLE, answers={set_rights.QUESTION: found})
    return asked(inventory, "rights.set", dataset="tank/files", **request)


def _ended(session: str, *known: Session) -> Callable[[], Plan]:
    inventory = msgspec.structs.replace(NAS, answers={end.QUESTION: Sessions(results=known)})
    return asked(inventory, "session.end", session=session)


EXAMPLES: dict[str, tuple[Callable[[], Plan], ...]] = {
    "smb.create": (
        asked(
            EMPTY, "smb.create", name="Files", dataset="tank/files", write=["anna", "@family"], read=["carla"]
        ),
        asked(NAS, "smb.create", name="Films", dataset="tank/media", purpose="media", write=["anna"]),
        asked(NAS, "smb.create", name="People", dataset="tank/files", purpose="homes"),
        asked(
            NAS, "smb.create", name="Mac", dataset="tank/mac", purpose="time-machine", write=["anna", "bert"],
            most_bytes=500 << 30,
        ),
        asked(NAS, "smb.create", name="Drop", dataset="tank/files", purpose="drop-box"),
        asked(NAS, "smb.create", name="Public", dataset="tank/media", purpose="public"),
        asked(
            NAS, "smb.create", name="Private", dataset="tank/private", write=["anna"], encryption="required"
        ),
        asked(NAS, "smb.create", name="Later", dataset="tank/files", write=["anna"], enabled=False),
    ),
    "smb.change": (
        asked(NAS, "smb.change", share="Files", write=["anna"], read=[], recycle_bin=True),
        asked(NAS, "smb.change", share="Files", name="Papers"),
        asked(NAS, "smb.change", share="Files", recycle_bin=True, audit=True),
        asked(NAS, "smb.change", share="Files", hidden=True, comment="All papers"),
        asked(NAS, "smb.change", share="Files", encryption="required"),
        asked(NAS, "smb.change", share="Media", enabled=False),
        asked(NAS, "smb.change", share="Attic", enabled=True),
    ),
    "smb.delete": (
        asked(NAS, "smb.delete", share="Files"),
        asked(NAS, "smb.delete", share="Media"),
    ),
    "nfs.create": (
        asked(EMPTY, "nfs.create", dataset="tank/files", clients=[LAN]),
        asked(
            EMPTY, "nfs.create", dataset="tank/media",
            clients=[{"host": "10.0.0.7", "squash": "none"}, LAN | {"read_only": True}],
        ),
        asked(EMPTY, "nfs.create", dataset="tank/media", clients=[READ_BY_ALL], below=False),
    ),
    "nfs.change": (
        asked(NAS, "nfs.change", id=1, clients=[LAN | {"read_only": True}]),
        asked(NAS, "nfs.change", id=1, enabled=False),
        asked(NAS, "nfs.change", id=2, enabled=True),
    ),
    "nfs.delete": (asked(NAS, "nfs.delete", id=1), asked(NESTED, "nfs.delete", id=2)),
    "sharing.set": (
        asked(NAS, "sharing.set", name="ATTIC", workgroup="home"),
        asked(NAS, "sharing.set", interfaces=["eno1"], smb2=True),
        asked(NAS, "sharing.set", nfs3=True),
    ),
    "sharing.apply": (asked(STALE, "sharing.apply"), asked(BY_HAND, "sharing.apply")),
    "sharing.follow": (asked(STALE, "sharing.follow"), asked(LOCKED, "sharing.follow")),
    "folder.share": (
        asked(EMPTY, "folder.share", dataset="tank/photos", name="Photos", create=True, write=["anna"]),
        asked(
            NAS, "folder.share", dataset="tank/mac", name="Mac", purpose="time-machine", write=["anna"],
            most_bytes=1 << 40,
        ),
        asked(NAS, "folder.share", dataset="tank/docs", name="Docs", write=["@crew"], nfs=[LAN]),
    ),
    "person.create": (
        asked(NAS, "person.create", name="dora", groups=["family", "crew"], password=SECRET),
        asked(EMPTY, "person.create", name="dora", password=SECRET, expires="2027-01-31"),
        asked(NAS, "person.create", name="dora"),
        asked(NAS, "person.create", name="dora", password=SECRET, disabled=True),
    ),
    "person.change": (
        asked(NAS, "person.change", name="anna", full_name="Anna C.", groups=["crew"]),
        asked(NAS, "person.change", name="anna", disabled=True),
        asked(NAS, "person.change", name="bert", disabled=False, expires="2027-06-30"),
        asked(NAS, "person.change", name="bert", groups=[]),
    ),
    "person.password": (
        asked(NAS, "person.password", name="anna", password=SECRET),
        asked(NAS, "person.password", name="bert", password=SECRET),
        asked(NAS, "person.password", name="carla", password=SECRET),
    ),
    "person.delete": (
        asked(NAS, "person.delete", name="anna"),
        asked(EMPTY, "person.delete", name="carla"),
    ),
    "group.create": (
        asked(NAS, "group.create", name="band", members=["anna", "bert"]),
        asked(NAS, "group.create", name="band"),
    ),
    "group.change": (
        asked(NAS, "group.change", name="family", members=["anna", "carla"]),
        asked(EMPTY, "group.change", name="crew", members=["carla"]),
    ),
    "group.delete": (
        asked(NAS, "group.delete", name="family"),
        asked(EMPTY, "group.delete", name="crew"),
    ),
    "rights.set": (
        _rights(write=["ada"], read=["@family"]),
        _rights(write=[EVERYBODY], apply_to_existing=True),
        _rights(folder="Letters", write=["ada", "bob"], everyone="read"),
        _rights(everyone="none"),
    ),
    "rights.stop": (
        asked(
            msgspec.structs.replace(
                PEOPLE, answers={set_rights.QUESTION: see.RightsFound(rights=OPEN_TO_ALL, run=DONE)}
            ),
            "rights.stop", dataset="tank/files",
        ),
    ),
    "session.end": (_ended("smb-1", IN_FILES, NFS), _ended("smb-1", ADA, BOB), _ended("nfs-3", NFS)),
}  # fmt: skip
