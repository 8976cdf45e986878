"""backup.restore: a file, a folder or a whole dataset back from a repository, beside what is there."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from backups import stored
from backups.chosen import ready_repository, refuse_beside
from backups.names import NameText, key_of
from host.commands.backups import StartStoredRestore
from host.files.names import BadPath, components, joined, plain, shown
from host.inventory import Dataset, Inventory, Repository
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from pools.files.reach import PathText, Text, dataset_fault

_LONGEST_NAME = 255  # bytes


class RestoreStored(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Bring `path` of a snapshot in a repository (empty: all of it) back into `folder` of a dataset, as
    `name`. Nothing that is there is replaced."""

    repository: NameText
    stored: Annotated[
        str, Meta(pattern=r"\A[0-9a-f]{8,64}\Z", description="the id of a snapshot in the repository")
    ]
    dataset: Text
    path: PathText = ""
    folder: PathText = ""
    name: Annotated[str, Meta(min_length=1, max_length=765)] | None = None


def plan(request: RestoreStored, inventory: Inventory) -> Plan:
    """Raises `Refused`."""
    findings = Findings()
    repository = ready_repository(request.repository, inventory, findings, "repository")
    refuse_beside(repository, findings, "repository")
    dataset = _dataset(request, inventory, findings)
    name = _name(request, findings)
    findings.refuse_on_error()
    command = StartStoredRestore(
        run=_run(request, repository), repository=repository.key, stored=request.stored,
        path=_spelt(request.path), dataset=dataset.name, folder=_spelt(request.folder), name=name,
    )  # fmt: skip
    target = plain(f"{command.folder}/{name}".removeprefix("/"))
    what = plain(request.path) if request.path else "everything in that snapshot"
    return Plan(
        operation="backup.restore",
        steps=(Step(title=f"Start to bring {what} back as {target}"[:300], commands=(command,)),),
        summary=sentences(
            f"{target} appears in {dataset.name}: {what} as it was stored in {repository.name}.",
            "What is there now stays as it is. Devices, and the right of programs to run as their owner, are "
            "not brought back.",
        ),
        takes="as long as it takes to fetch it, in the background",
        findings=findings.all(),
        claims=(f"repository:{repository.name}", f"dataset:{dataset.name}"),
    )


def remember(request: RestoreStored, inventory: Inventory, _actor: str) -> None:
    """Follow the run."""
    found = inventory.backups.repository(request.repository)
    if found is not None:
        stored.begin(_run(request, found), "restore", found.name)


def _run(request: RestoreStored, repository: Repository) -> str:
    return key_of(
        repository.key, "restore", str(repository.runs), request.stored, request.path, request.dataset,
        request.folder, request.name or "",
    )  # fmt: skip


def _dataset(request: RestoreStored, inventory: Inventory, findings: Findings) -> Dataset:
    dataset = inventory.dataset(request.dataset)
    if dataset is None:
        findings.refuse("unknown-dataset", "dataset", "There is no such dataset.")
    if (shut := dataset_fault(dataset)) and shut.code != "snapshots-shut":
        findings.error(shut.code, "dataset", shut.message)
    if dataset.value("readonly") == "on":
        findings.error("read-only", "dataset", f"{dataset.name} is read-only. Set “readonly” to “off”.")
    return dataset


def _name(request: RestoreStored, findings: Findings) -> str:
    """The name that was chosen, or one that says where it comes from."""
    for field, text in (("path", request.path), ("folder", request.folder), ("name", request.name or "")):
        try:
            names = components(text)
        except BadPath as error:
            findings.error("bad-path", field, str(error))
            continue
        if field == "name" and (len(names) > 1 or any(len(one) > _LONGEST_NAME for one in names)):
            message = f"A name has no slash and at most {_LONGEST_NAME} bytes."
            findings.error("bad-path", field, message)
    findings.refuse_on_error()
    if request.name is not None:
        return _spelt(request.name)
    names = components(request.path)
    if not names:
        return f"restored-{request.stored[:8]}"
    stem, dot, ending = names[-1].rpartition(b".")
    if not stem or len(ending) > 16:
        stem, dot, ending = names[-1], b"", b""
    added = f" (backup {request.stored[:8]})".encode()
    room = _LONGEST_NAME - len(added) - len(dot) - len(ending)
    return shown(stem[:room] + added + dot + ending)


def _spelt(path: str) -> str:
    return joined(components(path))
