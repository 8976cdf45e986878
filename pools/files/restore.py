"""snapshot.restore: one file or folder back from a snapshot, beside what is there or over it. No rollback."""

from __future__ import annotations

import hashlib
from typing import Annotated, Literal, NamedTuple, cast

import msgspec
from msgspec import Meta

from host.commands.datasets.snapshots import ZfsSnapshot
from host.commands.files import RestoreFile
from host.files.answers import FileEntry, Measure
from host.files.names import BadPath, components, joined, plain, shown
from host.inventory import Dataset, Inventory
from jobs.needs import AnswerNeeds, Needs
from jobs.plan import Loss, Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from jobs.wording import counted
from pools.files.answers import moment
from pools.files.reach import PathText, Text, dataset_fault

QUESTION = "files.measure"
_LONGEST_NAME = 255  # bytes of one name
_LONGEST_SNAPSHOT = 255
_LONG_BYTES = 1 << 30  # what is larger is not copied in moments


class RestoreFromSnapshot(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Copy `path` out of `snapshot` (dataset@name) into the live dataset.

    beside: under a name of its own, `name` if given, in the same folder or in `folder`. over: in the place of
    what is there now, which a snapshot taken before keeps.
    """

    snapshot: Text
    path: PathText
    mode: Literal["beside", "over"]
    folder: PathText | None = None  # of the dataset; the original's own where it is left out
    name: Annotated[str, Meta(min_length=1, max_length=765)] | None = None


class RestoreTarget(NamedTuple):
    """Where the copy goes, and what the restore is called: the same wish has the same name."""

    dataset: str
    tag: str
    folder: str
    name: str
    restore: str

    @property
    def target(self) -> str:
        """The path of the copy."""
        return f"{self.folder}/{self.name}".removeprefix("/")

    @property
    def words(self) -> str:
        """The same as people read it."""
        return plain(self.target)

    @property
    def kept_as(self) -> str:
        """What its safety snapshots are called, before their number."""
        return f"before-restore-{self.restore[:8]}"


def place(request: RestoreFromSnapshot) -> RestoreTarget | None:
    """Where the copy would go; None where the request names no file, no folder or no snapshot."""
    dataset, at, tag = request.snapshot.partition("@")
    try:
        names = components(request.path)
        folder = names[:-1] if request.folder is None else components(request.folder)
        name = _name(request, names, tag)
    except (ValueError, IndexError):
        return None
    if not (dataset and at and tag):
        return None
    wish = "\n".join((request.snapshot, request.path, request.mode, joined(folder), shown(name)))
    restore = hashlib.sha256(wish.encode()).hexdigest()[:16]
    return RestoreTarget(dataset, tag, joined(folder), shown(name), restore)


def _name(request: RestoreFromSnapshot, names: tuple[bytes, ...], tag: str) -> bytes:
    if request.name is not None:
        (name,) = components(request.name)[:1] if "/" not in request.name else ()
        return name
    if request.mode == "over" or request.folder is not None:
        return names[-1]
    stem, dot, ending = names[-1].rpartition(b".")
    if not stem or len(ending) > 16:
        stem, dot, ending = names[-1], b"", b""
    added = f" ({tag})".encode()
    room = _LONGEST_NAME - len(added) - len(dot) - len(ending)
    return stem[: max(room, 1)] + added[: _LONGEST_NAME - len(dot) - len(ending) - 1] + dot + ending


def needs(request: RestoreFromSnapshot, inventory: Inventory) -> Needs:
    """What has to be known of the files before; nothing where the plan refuses without."""
    found = place(request)
    dataset = None if found is None else inventory.dataset(found.dataset)
    if found is None or dataset is None or dataset_fault(dataset):
        return Needs()
    data = {
        "dataset": found.dataset,
        "snapshot": found.tag,
        "path": request.path,
        "folder": found.folder,
        "name": found.name,
        "kept_as": found.kept_as,
    }
    return Needs(answers=(AnswerNeeds(question=QUESTION, data=data),))


def plan(request: RestoreFromSnapshot, inventory: Inventory) -> Plan:
    """Raises `Refused` for what is not there, cannot be reached, stands in the way or does not fit."""
    findings = Findings()
    dataset = _dataset(request, inventory, findings)
    where = _place(request, findings)
    findings.refuse_on_error()
    measured = cast("Measure", inventory.answers[QUESTION])
    if not measured.folder_exists:
        message = f"There is no folder {plain(where.folder)} any more. Choose another one, or “” for the top."
        findings.error("no-folder", "folder", message)
    _check_target(request, where, measured, findings)
    _check_space(dataset, measured, findings)
    findings.refuse_on_error()
    steps = [_copy(request, where, measured)]
    if request.mode == "over" and measured.target is not None:
        steps.insert(0, _keep(where, measured, findings))
        findings.refuse_on_error()
    return Plan(
        operation="snapshot.restore",
        steps=tuple(steps),
        summary=_summary(request, where, measured),
        takes=_takes(where, measured),
        findings=findings.all(),
        claims=(f"dataset:{dataset.name}", f"restore:{where.restore}"),
    )


def _summary(request: RestoreFromSnapshot, where: RestoreTarget, measured: Measure) -> str:
    source, there = plain(request.path), measured.target
    size = _size(measured.size_bytes)
    if measured.entry.kind == "folder":
        size = f"{'' if measured.complete else 'at least '}{counted(measured.files, 'file')}, {size}"
    what = source if measured.entry.kind == "link" else f"{source} ({size})"
    then = f"as it was in the snapshot {where.tag}"
    if request.mode == "beside":
        return sentences(
            f"{where.words} appears in {where.dataset}: a copy of {what} {then}.",
            "What is there now stays as it is.",
        )
    if there is None:
        return f"{what} is back in {where.dataset}, {then}."
    lost, them = f"The current {source} is replaced", "it"
    if there.kind == "folder":
        count = counted(measured.target_files, "file")
        lost, them = f"Everything in it now ({count}), also what was added since, is replaced", "all of it"
    return sentences(
        f"{source} in {where.dataset} goes back to what it was in the snapshot {where.tag} ({size}).",
        f"{lost}; the snapshot {_kept_as(where, measured)} is taken first and still holds {them}.",
    )


def _takes(where: RestoreTarget, measured: Measure) -> str:
    if not _is_long(measured):
        return ""
    least = "" if measured.complete else "at least "
    size = _size(measured.size_bytes)
    return f"as long as it takes to copy {least}{size}, in the background; {where.dataset} stays usable"


def _is_long(measured: Measure) -> bool:
    return measured.size_bytes >= _LONG_BYTES or not measured.complete


def _dataset(request: RestoreFromSnapshot, inventory: Inventory, findings: Findings) -> Dataset:
    name, at, tag = request.snapshot.partition("@")
    dataset = inventory.dataset(name)
    if dataset is None or not (at and tag):
        findings.refuse("unknown-snapshot", "snapshot", "There is no such snapshot: give dataset@name.")
    if shut := dataset_fault(dataset):
        findings.error(shut.code, "snapshot", shut.message)
    if dataset.value("readonly") == "on":
        message = f"{dataset.name} is read-only. Set “readonly” to “off”, or download the file."
        findings.error("read-only", "snapshot", message)
    return dataset


def _place(request: RestoreFromSnapshot, findings: Findings) -> RestoreTarget:
    for field, text in (
        ("path", request.path),
        ("folder", request.folder or ""),
        ("name", request.name or ""),
    ):
        try:
            names = components(text)
        except BadPath as error:
            findings.error("bad-path", field, str(error))
            continue
        if field == "name" and len(names) > 1:
            findings.error(
                "bad-path", field, "A name must not contain a slash. The folder is a separate field."
            )
        if field == "name" and names and len(names[0]) > _LONGEST_NAME:
            findings.error("bad-path", field, f"A name can have at most {_LONGEST_NAME} bytes.")
    if not request.path:
        message = "Name a file or folder. To restore a whole dataset, roll it back or clone its snapshot."
        findings.error("required", "path", message)
    if request.mode == "over" and (request.folder is not None or request.name is not None):
        message = "“over” restores it to where it was: leave out folder and name, or choose “beside”."
        findings.error("not-over", "mode", message)
    findings.refuse_on_error()
    return cast("RestoreTarget", place(request))


def _check_target(
    request: RestoreFromSnapshot, where: RestoreTarget, measured: Measure, findings: Findings
) -> None:
    there = measured.target
    if measured.mounts:
        message = (
            f"In {plain(request.path)} other datasets were mounted. Restore the other files and folders "
            "one by one."
        )
        findings.warning("holds-mounts", "path", message)
    if there is None:
        return
    if request.mode == "over" and _is_long(measured):
        message = (
            f"Somebody may save files there while it is copied. So what is there then stays beside it, as "
            f"{where.words}.before-restore (with a number where that is taken), until you delete it."
        )
        findings.info("kept-beside", "mode", message)
    if request.mode == "beside":
        message = f"{where.words} exists already and is not replaced. Give another “name”."
        findings.error("name-taken", "name", message)
    elif there.kind == "mount" or measured.target_mounts:
        message = f"Other datasets are mounted at or below {where.words}: restore it as a copy instead."
        findings.error("holds-datasets", "path", message)
    elif there.mark == measured.entry.mark and there.kind == "file":
        message = f"{where.words} is unchanged since {where.tag}."
        findings.error("unchanged", "path", message)


def _check_space(dataset: Dataset, measured: Measure, findings: Findings) -> None:
    if not measured.complete:
        findings.warning("large", "path", "It is so large that its size is not known in advance.")
    available = dataset.number("available")
    if measured.size_bytes > available:
        message = (
            f"It has {measured.size_bytes} bytes, and {available} are available in {dataset.name}. It only "
            "fits if blocks can be shared; otherwise the restore stops and leaves nothing behind."
        )
        findings.warning("may-not-fit", "path", message)


def _keep(where: RestoreTarget, measured: Measure, findings: Findings) -> Step:
    tag = _kept_as(where, measured)
    name = f"{where.dataset}@{tag}"
    if len(name) > _LONGEST_SNAPSHOT:
        message = f"{where.dataset} has a name so long that the snapshot {tag} could not be created."
        findings.error("name-too-long", "snapshot", message)
    return Step(
        title=f"Take a snapshot of {where.dataset} as it is now: {tag}",
        commands=(ZfsSnapshot(names=(name,)),),
    )


def _kept_as(where: RestoreTarget, measured: Measure) -> str:
    return f"{where.kept_as}-{measured.last_kept + 1}"


def _copy(request: RestoreFromSnapshot, where: RestoreTarget, measured: Measure) -> Step:
    command = RestoreFile(
        restore=where.restore,
        dataset=where.dataset,
        tag=where.tag,
        path=request.path,
        folder=where.folder,
        name=where.name,
        over=request.mode == "over" and measured.target is not None,  # what comes meanwhile is in no snapshot
    )
    what = _what(measured)
    over = request.mode == "over" and measured.target is not None
    title = f"Replace {where.words} by {what} from {where.tag}" if over else ""
    return Step(
        title=(title or f"Copy {what} from {where.tag} to {where.words}")[:300],
        commands=(command,),
        destroys=(_loss(where, measured.target, measured),) if over and measured.target else (),
    )


def _what(measured: Measure) -> str:
    if measured.entry.kind == "folder":
        least = "" if measured.complete else "at least "
        return f"a folder of {least}{measured.files} files, {_size(measured.size_bytes)},"
    if measured.entry.kind == "link":
        return "a link"
    return f"a file of {_size(measured.size_bytes)}"


def _loss(where: RestoreTarget, there: FileEntry, measured: Measure) -> Loss:
    if there.kind == "folder":
        what = f"everything in the folder {where.words} now: {measured.target_files} files"
    else:
        what = f"{where.words} as it is now, last written {moment(there.modified_ns)[:19]} UTC"
    kept = _kept_as(where, measured)
    return Loss(
        dataset=where.dataset,
        holds=f"{what}. The snapshot {kept} keeps it.",
        kept_by=f"{where.dataset}@{kept}",
        size_bytes=measured.target_size_bytes,
    )


def _size(size_bytes: int) -> str:
    for unit, letter in ((1 << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if size_bytes >= unit:
            return f"{size_bytes / unit:.1f} {letter}"
    return f"{size_bytes} bytes"


__all__ = ["RestoreFromSnapshot", "RestoreTarget", "needs", "place", "plan"]
