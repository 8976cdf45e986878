"""rights.of: what is set on a folder, and the progress of a run that sets rights on all in it."""

from __future__ import annotations

import hashlib
from typing import Annotated

import msgspec
from msgspec import Meta

from host.base import Host
from host.commands.closed import decode, encode
from host.commands.datasets.space import ZfsSpace
from host.commands.shares.rights import ReadFolderRights
from host.files.answers import Applied, FolderRights
from host.files.names import BadPath, components
from host.probe.datasets.space import parse_zfs_space
from host.probe.files import NoFiles
from host.probe.shares.rights import read_rights, read_run
from jobs.plan import Refused
from jobs.planning.findings import fault

DatasetText = Annotated[str, Meta(max_length=1024)]
FolderText = Annotated[str, Meta(max_length=12_288)]
NOT_THERE = frozenset({"not-found", "not-a-folder"})


class AskRights(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Ask for the rights of a dataset's own folder, or of a folder in it."""

    dataset: DatasetText
    folder: FolderText = ""


class RightsFound(msgspec.Struct, frozen=True, kw_only=True):
    """`objects` counts files and folders of the whole dataset, where ZFS does; `run` is the last one."""

    rights: FolderRights
    objects: int | None = None
    run: Applied | None = None


def answer(request: AskRights, host: Host) -> RightsFound:
    """Raises `Refused` where there is no such folder, `HostError`."""
    check(request.dataset, request.folder)
    try:
        rights = read_rights(host, request.dataset, request.folder)
    except NoFiles as none:
        field = "folder" if none.problem.code in NOT_THERE else "dataset"
        raise Refused((fault(none.problem.code, field, none.problem.message),)) from None
    objects = None if request.folder else _objects(host, request.dataset)
    run = read_run(host, run_of(request.dataset, request.folder))
    return RightsFound(rights=rights, objects=objects, run=run)


def without_names(report: RightsFound) -> RightsFound:
    """`report` for somebody who may not read files: how many kept their rights, and not which."""
    run = report.run and msgspec.structs.replace(report.run, first_unset=())
    return msgspec.structs.replace(report, run=run)


def run_of(dataset: str, folder: str) -> str:
    """What a run over a folder is called: there is one at a time."""
    return hashlib.sha256(f"{dataset}\n{folder}".encode("utf-8", "surrogatepass")).hexdigest()[:16]


def check(dataset: str, folder: str) -> None:
    """Raises `Refused` for names that no command would take."""
    try:
        components(folder)
    except BadPath as error:
        raise Refused((fault("bad-path", "folder", str(error)),)) from None
    try:
        decode(encode(ReadFolderRights(dataset=dataset, path=folder)))
    except (msgspec.ValidationError, UnicodeEncodeError):
        message = "This cannot be the name of a dataset or folder."
        raise Refused((fault("bad-value", "dataset", message),)) from None


def _objects(host: Host, dataset: str) -> int | None:
    counts = [one.objects for one in parse_zfs_space(host.run(ZfsSpace(name=dataset, whose="user")).stdout)]
    return sum(count or 0 for count in counts) if any(count is not None for count in counts) else None
