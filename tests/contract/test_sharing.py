"""The files and services of shares: what is staged is checked, put in place, read, and answers.

The real machine's services are off before and after, and our files as they were found.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import msgspec
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from host.base import CommandFailed, Host
from host.commands.datasets.zfs import ZfsSet
from host.commands.shares.sharing import (
    SERVICES,
    CheckExports,
    CheckSamba,
    CloseShare,
    ExportsAnswer,
    KeepFile,
    PlaceFile,
    PutBackFile,
    ReleaseNfs,
    ReloadService,
    ShareAnswers,
    SharingFiles,
    SharingServices,
    StageFile,
    SwitchService,
)
from host.contents.clients import client_fault
from host.contents.places import place_fault
from host.contents.smb_names import comment_fault, share_name_fault
from host.inventory import Inventory, NfsClient, NfsShare, Served, Sharing, SharingSettings, SmbShare
from host.inventory.shares import SharingFile
from host.probe.shares.sharing import parse_served
from shares import discovery
from shares.nfs import render as nfs
from shares.smb import render as smb
from tests import made
from tests.contract.bench import Bench
from tests.contract.real_run import the_sockets
from tests.fuzzing import tries

pytestmark = pytest.mark.user_space

FILES: tuple[SharingFile, ...] = ("samba", "exports", "nfs", "avahi")
CASES = settings(
    tries(8 if the_sockets() else 25),  # each is three programs on the machine
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def served_now(host: Host) -> Served:
    return parse_served(host.run(SharingFiles()).stdout, host.run(SharingServices()).stdout)


@pytest.fixture
def nas(host: Host) -> Iterator[Host]:
    """The machine with our files as they were, and what serves shares off, before and after."""
    before = served_now(host).files
    _off(host)
    yield host
    for file, text in served_now(host).files.items():
        if text != before.get(file, ""):
            _write(host, file, before.get(file, ""))
    _off(host)


def _off(host: Host) -> None:
    running = served_now(host).services
    for service in SERVICES[:3]:
        if running.get(service) == "active":
            with suppress(CommandFailed):
                host.run(SwitchService(service=service, on=False))


def _write(host: Host, file: SharingFile, text: str) -> None:
    host.run(StageFile(file=file, text=text))
    host.run(PlaceFile(file=file))


@pytest.fixture
def folder(tank: Bench) -> str:
    """Where a file system of its own is mounted."""
    return f"/mnt/{tank.fresh()}"


class OddFolders:
    """Three file systems that are mounted wherever a test wants, in the folder of one more."""

    def __init__(self, tank: Bench, host: Host) -> None:
        self._host = host
        # A folder that was made for a mountpoint stays when that changes: it goes with the one around it.
        self._around = f"/mnt/{tank.fresh()}"
        self._datasets = [tank.fresh() for _ in range(3)]
        self._places: list[str] = []
        _write(host, "exports", nfs.render(Sharing(), made.inventory()))
        host.run(SwitchService(service="nfs-server", on=True))

    def mount(self, names: list[str]) -> list[str]:
        """Have them there; the paths."""
        self._places = [f"{self._around}/{n}/{name}" for n, name in enumerate(names)]
        for dataset, place in zip(self._datasets, self._places, strict=True):
            self._host.run(ZfsSet(name=dataset, properties={"mountpoint": place}))
        return self._places

    def export(self) -> None:
        """Have the NFS server read what was staged."""
        self._host.run(PlaceFile(file="exports"))
        self._host.run(ReloadService(service="nfs-server"))

    def withdraw(self) -> None:
        """Have nothing exported, and nothing held."""
        _write(self._host, "exports", nfs.render(Sharing(), made.inventory()))
        self._host.run(ReloadService(service="nfs-server"))
        for place in self._places:
            self._host.run(ReleaseNfs(path=place))


@pytest.fixture
def odd_folders(nas: Host, tank: Bench) -> Iterator[OddFolders]:
    """Where folders may be called anything."""
    found = OddFolders(tank, nas)
    yield found
    found.withdraw()


def machine(place: str) -> Inventory:
    """A machine with one mounted file system, whose guid is 7."""
    found = msgspec.structs.replace(made.dataset("tank/files", mountpoint=place, mounted="yes"), guid="7")
    return made.inventory(datasets=(found,))


def share(**more: object) -> SmbShare:
    values: dict[str, object] = {"id": 1, "name": "Files", "guid": "7", "dataset": "tank/files"}
    return SmbShare(**(values | more))  # type: ignore[arg-type]


def export(*clients: NfsClient) -> NfsShare:
    return NfsShare(id=1, guid="7", dataset="tank/files", clients=clients or (NfsClient(host="127.0.0.1"),))


def test_a_staged_file_takes_the_place_of_the_one_before_and_that_comes_back(nas: Host) -> None:
    _write(nas, "samba", "# one\n\n[global]\n")
    assert nas.run(StageFile(file="samba", text="# two\n")).stdout == "# two\n"
    nas.run(KeepFile(file="samba"))
    assert served_now(nas).files["samba"] == "# one\n\n[global]\n"
    nas.run(PlaceFile(file="samba"))
    assert served_now(nas).files["samba"] == "# two\n"
    nas.run(PutBackFile(file="samba"))
    assert served_now(nas).files["samba"] == "# one\n\n[global]\n"
    with pytest.raises(CommandFailed, match="cannot stat"):
        nas.run(PutBackFile(file="samba"))


def test_of_a_file_that_was_missing_nothing_is_kept_and_nothing_comes_back(nas: Host) -> None:
    _write(nas, "samba", "# one\n")
    nas.run(KeepFile(file="samba"))
    nas.run(KeepFile(file="samba", missing=True))
    nas.run(PutBackFile(file="samba"))
    assert "samba" not in served_now(nas).files


def test_an_empty_file_is_none(nas: Host) -> None:
    _write(nas, "exports", "")
    assert "exports" not in served_now(nas).files


def test_debians_file_includes_ours(nas: Host) -> None:
    assert served_now(nas).smb_conf.splitlines()[-1].strip() == "include = /etc/samba/nasweb.conf"


def test_services_that_are_off_are_reported(nas: Host) -> None:
    found = served_now(nas).services
    assert "active" not in {found["smbd"], found["wsdd2"]}
    # Debian's unit ends its stop with exportfs, which fails where nothing is exported any more.
    assert found["nfs-server"] in {"inactive", "failed"}


PURPOSES = (
    {"write": ("anna", "@family"), "read": ("@nasweb-people",), "recycle_bin": True, "audit": True},
    {"purpose": "homes", "write": ("@nasweb-people",), "hidden": True},
    {"purpose": "time-machine", "write": ("anna",), "most_bytes": 500 << 30},
    {"purpose": "public", "guests": "read", "encryption": "off"},
    {"purpose": "drop-box", "guests": "write", "encryption": "off"},
    {"purpose": "media", "read": ("anna",), "macos": False, "case_sensitive": True},
    {"read": ("anna",), "extra": {"create mask": "0640", "veto files": "/*.exe/", "strict sync": "no"}},
)


@pytest.mark.parametrize("more", PURPOSES)
def test_samba_reads_every_kind_of_share(nas: Host, more: dict[str, object]) -> None:
    sharing = Sharing(smb=(share(**more),), settings=SharingSettings(signing=True, interfaces=("eth0",)))
    nas.run(StageFile(file="samba", text=smb.render(sharing, machine("/mnt/files"))))
    read = _sections(nas.run(CheckSamba()).stdout)
    place = "/mnt/files/%U" if more.get("purpose") == "homes" else "/mnt/files"
    assert read["Files"]["path"] == place


@pytest.mark.parametrize("line", ["no such thing = yes", "read only = perhaps", "server min protocol = SMB9"])
def test_what_samba_does_not_understand_is_never_staged(line: str) -> None:
    with pytest.raises(ValueError, match="may not hold"):
        StageFile(file="samba", text=f"[global]\n    {line}\n")


_NAMES = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cs", "Cn", "Co")), min_size=1, max_size=80
).filter(lambda name: share_name_fault(name) is None)
_COMMENTS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cn", "Co")), max_size=80).filter(
    lambda text: comment_fault(text) is None
)


@CASES
@given(name=_NAMES, comment=_COMMENTS)
def test_whatever_a_share_is_called_is_read_back_as_it_is(nas: Host, name: str, comment: str) -> None:
    sharing = Sharing(smb=(share(name=name, comment=comment, write=("anna",)),))
    nas.run(StageFile(file="samba", text=smb.render(sharing, machine("/mnt/files"))))
    read = _sections(nas.run(CheckSamba()).stdout)
    assert read.keys() == {"global", name}
    assert read[name].get("comment", "") == comment
    assert (read[name]["path"], read[name]["valid users"]) == ("/mnt/files", "anna")


# What host.contents.places refuses is in no file; these mean something to Samba or exportfs elsewhere.
_PARTS = st.lists(
    st.sampled_from(
        [*" =(){}&|<>,:*?!@+~^-_.", "é", "日本", "🎄", "rw", "10.0.0.0/8(rw)", "(rw,no_root_squash)"]
    )
    | st.characters(codec="utf-8", exclude_categories=("Cs", "Cn", "Co")),
    min_size=1,
    max_size=6,
).map(lambda parts: "".join(parts).strip(" /"))
_PLACES = _PARTS.filter(lambda part: place_fault(f"/mnt/{part}") is None)


@settings(CASES, max_examples=2 if the_sockets() else tries(5).max_examples)
@given(odd=st.lists(_PLACES, min_size=3, max_size=3, unique=True))
@example(odd=["Anna’s", "a = b, (c)", "dots..."])
def test_a_folder_is_read_back_by_its_very_path(nas: Host, odd_folders: OddFolders, odd: list[str]) -> None:
    places = odd_folders.mount(odd)
    datasets = tuple(
        msgspec.structs.replace(made.dataset(f"tank/{n}", mountpoint=place, mounted="yes"), guid=f"{n}")
        for n, place in enumerate(places)
    )
    sharing = Sharing(
        smb=tuple(share(id=n + 1, name=f"Share {n}", guid=f"{n}", write=("anna",)) for n in range(3)),
        nfs=tuple(msgspec.structs.replace(export(), id=n + 1, guid=f"{n}") for n in range(3)),
    )
    inventory = made.inventory(datasets=datasets)
    nas.run(StageFile(file="samba", text=smb.render(sharing, inventory)))
    read = _sections(nas.run(CheckSamba()).stdout)
    assert [read[f"Share {n}"]["path"] for n in range(3)] == places
    assert [read[f"Share {n}"]["shadow:mountpoint"] for n in range(3)] == places
    nas.run(StageFile(file="exports", text=nfs.render(sharing, inventory)))
    nas.run(CheckExports())
    odd_folders.export()
    assert sorted(served_now(nas).exported) == sorted(places)
    nas.run(ExportsAnswer(paths=tuple(places)))
    odd_folders.withdraw()
    nas.run(ExportsAnswer(gone=tuple(places)))


def _sections(text: str) -> dict[str, dict[str, str]]:
    """What testparm prints: the parameters that are not as usual, below their sections."""
    found: dict[str, dict[str, str]] = {}
    current: dict[str, str] = {}
    for line in text.splitlines():
        if line.startswith("["):
            current = found.setdefault(line[1:-1], {})
        elif " = " in line:
            name, _, value = line.strip().partition(" = ")
            current[name] = value
    return found


@pytest.mark.core
def test_a_share_answers_once_samba_has_read_of_it(nas: Host, folder: str) -> None:
    sharing = Sharing(smb=(share(write=("nobody",)),))
    _write(nas, "samba", smb.render(sharing, machine(folder)))
    nas.run(SwitchService(service="smbd", on=True))
    assert served_now(nas).services["smbd"] == "active"
    nas.run(ShareAnswers(name="Files"))
    with pytest.raises(CommandFailed, match=r"Samba does not serve More: .*BAD_NETWORK_NAME"):
        nas.run(ShareAnswers(name="More"))
    more = Sharing(smb=(*sharing.smb, share(name="More", guests="read", encryption="off")))
    _write(nas, "samba", smb.render(more, machine(folder)))
    nas.run(ReloadService(service="smbd"))
    nas.run(ShareAnswers(name="More"))
    nas.run(CloseShare(name="More"))
    nas.run(SwitchService(service="smbd", on=False))
    assert served_now(nas).services["smbd"] != "active"
    with pytest.raises(CommandFailed, match="CONNECTION_REFUSED"):
        nas.run(ShareAnswers(name="Files"))


def test_a_service_that_is_off_cannot_be_asked_to_reload(nas: Host) -> None:
    with pytest.raises(CommandFailed, match="not active"):
        nas.run(ReloadService(service="smbd"))


@pytest.mark.core
def test_a_folder_is_exported_once_the_server_has_read_of_it(nas: Host, folder: str) -> None:
    text = nfs.render(Sharing(nfs=(export(),)), machine(folder))
    nas.run(StageFile(file="exports", text=text))
    nas.run(CheckExports())
    assert served_now(nas).exported == ()
    nas.run(PlaceFile(file="exports"))
    nas.run(SwitchService(service="nfs-server", on=True))
    assert served_now(nas).exported == (folder,)
    nas.run(ExportsAnswer(paths=(folder,)))
    with pytest.raises(CommandFailed, match="The NFS server still exports"):
        nas.run(ExportsAnswer(gone=(folder,)))
    _write(nas, "exports", nfs.render(Sharing(), machine(folder)))
    nas.run(ReloadService(service="nfs-server"))
    nas.run(ExportsAnswer(gone=(folder,)))
    with pytest.raises(CommandFailed, match="The NFS server does not export"):
        nas.run(ExportsAnswer(paths=(folder,)))
    nas.run(ReleaseNfs(path=folder))
    nas.run(SwitchService(service="nfs-server", on=False))
    assert served_now(nas).exported == ()


def test_the_versions_that_are_served_are_read_at_a_start(nas: Host, folder: str) -> None:
    _write(nas, "nfs", nfs.render_versions(Sharing()))
    _write(nas, "exports", nfs.render(Sharing(nfs=(export(),)), machine(folder)))
    nas.run(SwitchService(service="nfs-server", on=True))
    _write(nas, "nfs", nfs.render_versions(Sharing(settings=SharingSettings(nfs3=True))))
    nas.run(ReloadService(service="nfs-server", how="restart"))
    nas.run(ExportsAnswer(paths=(folder,)))


def test_a_file_that_exports_nothing_is_fine(nas: Host) -> None:
    nas.run(StageFile(file="exports", text=nfs.render(Sharing(), machine("/mnt/files"))))
    # exportfs ends with 1 then, or with 0 where the server has exported something since it started.
    assert nas.run(CheckExports()).stderr == ""


CLIENTS = (
    NfsClient(host="192.168.1.0/24", read_only=True),
    NfsClient(host="*", squash="all"),
    NfsClient(host="2001:db8::/32", squash="none"),
    NfsClient(host="10.0.0.7", security=("sys", "krb5p")),
)


def test_the_server_reads_every_kind_of_client(nas: Host, folder: str) -> None:
    nas.run(StageFile(file="exports", text=nfs.render(Sharing(nfs=(export(*CLIENTS),)), machine(folder))))
    nas.run(CheckExports())


@pytest.mark.parametrize(
    "line", ["/mnt/files 127.0.0.1(rw,nonsense)", '"/etc" 127.0.0.1(rw,sync,no_subtree_check)']
)
def test_what_the_server_does_not_understand_is_never_staged(line: str) -> None:
    with pytest.raises(ValueError, match="may not hold"):
        StageFile(file="exports", text=f"{line}\n")


@pytest.mark.parametrize("host_name", ["nas", "a-b.example.org", "10.1.2.3", "fe80::1", "0.0.0.0/0"])
def test_the_clients_that_are_let_in_are_fine(host_name: str) -> None:
    assert client_fault(host_name) is None


def test_avahi_reads_what_is_served(nas: Host) -> None:
    text = discovery.render(
        Sharing(smb=(share(purpose="time-machine", write=("anna",)),)), machine("/mnt/files")
    )
    nas.run(StageFile(file="avahi", text=text))
    nas.run(PlaceFile(file="avahi"))
    assert served_now(nas).files["avahi"] == text
