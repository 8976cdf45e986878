"""rights.set: who may read and write in a folder of a share."""

from __future__ import annotations

from typing import Annotated, cast

import msgspec
from msgspec import Meta

from host.commands.shares.rights import ApplyRights, SetFolderRights
from host.files import acl
from host.files.answers import FolderRights
from host.files.names import BadPath, components, plain
from host.inventory import Accounts, Dataset, Inventory
from host.inventory.people import EVERYBODY
from jobs import questions
from jobs.needs import AnswerNeeds, Needs
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.wording import listed
from shares.rights.presets import OWNER, Choice, Granted, wanted
from shares.rights.reach import unsettable
from shares.rights.reporting import report_lines, report_people, shut_out
from shares.rights.see import DatasetText, FolderText, RightsFound, run_of
from shares.wording import granted as granted_words

QUESTION = "rights.of"
_BACKGROUND = "in the background, depending on the number of files; all of them stay usable"
_ELSE: dict[Choice, str] = {
    "none": "nobody else has access", "read": "everybody else may read",
    "write": "everybody else may read and write",
}  # fmt: skip
_ALONE: dict[Choice, str] = {
    "none": "nobody but root may read or write", "read": "everybody may read, and nobody may write",
    "write": "everybody may read and write",
}  # fmt: skip
_Names = Annotated[tuple[Annotated[str, Meta(min_length=1, max_length=64)], ...], Meta(max_length=600)]


class SetRights(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Let these people and groups (with a leading @) read, or read and write, in a dataset's own folder or in
    a `folder` of it, and everyone else as said. New files and folders begin with the same rights; with
    `apply_to_existing` those that are there now get them too, in the background.
    """

    dataset: DatasetText
    folder: FolderText = ""
    read: _Names = ()
    write: _Names = ()
    everyone: Choice = "none"
    apply_to_existing: bool = False


def needs(request: SetRights, inventory: Inventory) -> Needs:
    """What is set now; nothing where the plan refuses without."""
    dataset = inventory.dataset(request.dataset)
    if dataset is None or unsettable(dataset) or not _is_path(request.folder):
        return Needs()
    return Needs(
        answers=(AnswerNeeds(question=QUESTION, data={"dataset": request.dataset, "folder": request.folder}),)
    )


def plan(request: SetRights, inventory: Inventory) -> Plan:
    """Raises `Refused` for unknown names, what cannot be reached, and where nothing would change."""
    findings = Findings()
    dataset = _dataset(request, inventory, findings)
    _check_names(request, inventory.accounts, findings)
    findings.refuse_on_error()
    known = cast("RightsFound", inventory.answers[QUESTION])
    granted = Granted(read=request.read, write=request.write, everyone=request.everyone)
    text = acl.text(wanted(granted, inventory.accounts))
    group = inventory.accounts.gids[EVERYBODY]
    after = FolderRights(owner=OWNER, group=group, access=text, default=text)
    changes = after != known.rights
    if not changes and not request.apply_to_existing:
        findings.refuse("nothing-changes", "", "The folder already has these permissions.")
    if changes:
        report_people(known.rights, after, inventory.accounts, findings)
        report_lines(known.rights, after, inventory.accounts, findings)
    _add_warnings(request, findings)
    place = _place(dataset, request.folder)
    whole = SetFolderRights(dataset=dataset.name, path=request.folder, owner=OWNER, group=group, acl=text)
    steps = [Step(title=f"Set permissions of {place}", commands=(whole,))] if changes else []
    run = run_of(dataset.name, request.folder)
    if request.apply_to_existing:
        _check_apply(known, dataset, inventory, findings)
        findings.refuse_on_error()
        begin = ApplyRights(run=run, dataset=dataset.name, path=request.folder, acl=text)
        steps.append(Step(title=f"Start setting them on everything in {place}", commands=(begin,)))
    claims = (f"dataset:{dataset.name}", f"rights:{run}")
    lost = shut_out(known.rights, after, inventory.accounts)
    return Plan(
        operation="rights.set",
        steps=tuple(steps),
        summary=_summary(request, known.objects, lost),
        takes=_BACKGROUND if request.apply_to_existing else "",
        findings=findings.all(),
        claims=claims,
    )


def _summary(request: SetRights, objects: int | None, lost: list[str]) -> str:
    words = _ALONE[request.everyone]
    if request.read or request.write:
        words = f"{granted_words(request.read, request.write)}; {_ELSE[request.everyone]}"
    existing = "New files and folders get these permissions; existing ones keep theirs."
    if request.apply_to_existing:
        count = f"The {objects} files and folders" if objects else "All files and folders"
        existing = f"{count} in it get the same permissions instead of their own."
    gone = f" {listed(lost)} can no longer open it." if lost else ""
    return f"In {where(request.dataset, request.folder)}, {words}. {existing}{gone}"


def where(dataset: str, folder: str) -> str:
    """`tank/home`, `the folder Letters of tank/home`."""
    return f"the folder {plain(folder)} of {dataset}" if folder else dataset


def remember(_request: SetRights, _inventory: Inventory, _actor: str) -> None:
    """Discard stored answers: the folder has other rights now."""
    questions.forget(QUESTION)


def _dataset(request: SetRights, inventory: Inventory, findings: Findings) -> Dataset:
    dataset = inventory.dataset(request.dataset)
    if dataset is None:
        findings.refuse("unknown-dataset", "dataset", f"There is no dataset {request.dataset[:200]}.")
    if why := unsettable(dataset):
        findings.error(why.code, why.field, why.message)
    try:
        components(request.folder)
    except BadPath as error:
        findings.error("bad-path", "folder", str(error))
    return dataset


def _check_names(request: SetRights, accounts: Accounts, findings: Findings) -> None:
    if EVERYBODY not in accounts.gids:
        message = f"The group {EVERYBODY} is missing on this machine. Run the installation again."
        findings.error("no-people-group", "dataset", message)
    seen: set[str] = set()
    for field, names in (("read", request.read), ("write", request.write)):
        for index, name in enumerate(names):
            where = f"{field}[{index}]"
            if name in seen:
                findings.error(
                    "twice", where, f"{name[:60]} is listed twice. Whoever may write may also read."
                )
            elif not _is_known(name, accounts):
                message = f"There is no person or group {name[:60]}. Groups begin with @."
                findings.error("unknown-name", where, message)
            seen.add(name)


def _is_known(name: str, accounts: Accounts) -> bool:
    if name.startswith("@"):
        return name[1:] == EVERYBODY or accounts.group(name[1:]) is not None
    return accounts.person(name) is not None


def _add_warnings(request: SetRights, findings: Findings) -> None:
    if request.everyone == "write":
        message = "Everyone else may write too, including guests and every machine that NFS lets in."
        findings.warning("everyone-writes", "everyone", message)
    if not request.read and not request.write and request.everyone == "none":
        findings.warning("nobody", "", "Then nobody may read or write. Only root can open the folder.")


def _check_apply(known: RightsFound, dataset: Dataset, inventory: Inventory, findings: Findings) -> None:
    if known.run is not None and known.run.verdict is None:
        message = (
            "Permissions are already being set on this folder. Wait until that has finished, or stop it "
            "first."
        )
        findings.error("already-applying", "apply_to_existing", message)
    how_many = f"the {known.objects} files and folders" if known.objects else "all files and folders"
    message = (
        f"It goes through {how_many} in the background. Permissions that files have now are replaced; "
        "owners stay, and keep the owner's permission. Snapshots keep the old permissions."
    )
    findings.info("applies", "apply_to_existing", message)
    if inventory.below(dataset.name):
        message = "Datasets that are mounted in the folder are left out: each has its own permissions."
        findings.info("others-left-out", "apply_to_existing", message)


def _place(dataset: Dataset, folder: str) -> str:
    return f"{plain(folder)} in {dataset.name}" if folder else dataset.name


def _is_path(folder: str) -> bool:
    try:
        components(folder)
    except BadPath:
        return False
    return True
