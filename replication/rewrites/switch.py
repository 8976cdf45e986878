"""dataset.switch-rewrite: the copy takes the place of what it was written from, or gives it back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from host.commands.closed import AnyCommand
from host.commands.datasets.datasets import ZfsRename
from host.commands.datasets.zfs import ZfsInherit, ZfsSet
from host.commands.replication.runs import FinishReplication
from host.inventory import Dataset, Inventory
from host.replication.rewriting import Rewrite
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from jobs.wording import listed
from pools.quotas.limits import in_words
from pools.sentences import clients_lose
from replication.models import RewriteRow
from replication.replications.live import quieting, tree_of
from replication.rewrites.known import DatasetText, find, task_of
from replication.rewrites.settings import (
    SET_ASIDE,
    SWITCHING,
    as_unmounted,
    given,
    reserving_again,
    set_aside,
    settings_of,
    used_again,
)


class SwitchRewrite(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Let the copy be the dataset from now on; with `back`, what was there before it again.

    Nothing is destroyed: the other one stays beside it until the rewriting is ended.
    """

    dataset: DatasetText
    back: bool = False


def plan(request: SwitchRewrite, inventory: Inventory) -> Plan:
    """Raises `Refused` before all files were compared, and where datasets were made or destroyed since.

    One that was cut off goes on: each step is made of what lies there now.
    """
    findings = Findings()
    known = find(request.dataset, inventory, findings)
    waiting, aside = names(known, back=request.back)
    there, coming = tree_of(known.dataset, inventory), tree_of(waiting, inventory)
    left = tree_of(aside, inventory)
    _check(request, known, inventory, findings)
    if there and coming:
        _check_same(there, coming, findings)
    _check_names(known, waiting, there, coming, left, findings)
    findings.refuse_on_error()
    going = there if coming and there else left
    settings = _settings(known, going)
    _check_quotas(known, going, coming or there, settings, findings)
    findings.refuse_on_error()
    steps = [_unmounted(request, known, there, settings)] if there and coming else []
    steps.append(
        Step(
            title=f"Let {waiting} be {known.dataset}",
            commands=_swap(known, request, going, inventory, settings),
        )
    )
    return Plan(
        operation="dataset.switch-rewrite",
        steps=tuple(steps),
        summary=sentences(
            f"{known.dataset} is what lies at {waiting} now, with the same settings, places and shares.",
            f"What was there before is kept at {aside}, read-only"
            f"{', with what was written since the switch,' if request.back else ''} until you end this.",
            clients_lose(there, inventory, " for a moment") if coming else "",
        ),
        takes="" if request.back else "moments, or as long as it takes to copy what was written last",
        findings=findings.all(),
        claims=(f"dataset:{known.dataset}", f"rewrite:{known.dataset}"),
    )


def remember(request: SwitchRewrite, inventory: Inventory, _actor: str) -> None:
    """The copy is live, or no longer."""
    rows = RewriteRow.objects.filter(dataset=find(request.dataset, inventory, Findings()).dataset)
    if request.back:
        # It may have been written to: only another comparison, after another run, would make it ready.
        rows.update(live=False, proof=None)
    else:
        rows.update(live=True)


def replaces(request: SwitchRewrite, inventory: Inventory) -> Mapping[str, str]:
    """By guid."""
    known = find(request.dataset, inventory, Findings())
    waiting, aside = names(known, back=request.back)
    coming = tree_of(waiting, inventory)
    going = tree_of(known.dataset, inventory) if coming else ()
    going = going or tree_of(aside, inventory)
    coming = coming or tree_of(known.dataset, inventory)
    if not (going and coming):
        return {}
    guids = {_below(one, coming): one.guid for one in coming}
    return {one.guid: guids[place] for one in going if (place := _below(one, going)) in guids}


def names(known: Rewrite, *, back: bool) -> tuple[str, str]:
    """What is to be the dataset, and where that then goes."""
    return (known.before, known.copy) if back else (known.copy, known.before)


def _check(request: SwitchRewrite, known: Rewrite, inventory: Inventory, findings: Findings) -> None:
    if request.back:
        if not known.live:
            message = f"{known.copy} has not taken the place of {known.dataset}."
            findings.error("not-live", "back", message)
        return
    if known.live:
        findings.error("is-live", "dataset", f"{known.copy} has taken the place of {known.dataset} already.")
    elif known.running or known.comparing:
        findings.error("running", "dataset", f"{known.dataset} is being copied or compared.")
    elif known.stage != "ready":
        message = f"Not all files of {known.copy} were found to be the same as those of {known.dataset}."
        findings.error("not-compared", "dataset", message)
    for task in inventory.replicating.tasks:
        if not task.pull and f"{task.source}/".startswith(f"{known.dataset}/"):
            message = (
                f"{task.name} goes on with the new one from the newest snapshot that both sides have. Run it "
                "now, so that there is one."
            )
            findings.warning("is-replicated", "dataset", message)


def _check_same(there: Sequence[Dataset], coming: Sequence[Dataset], findings: Findings) -> None:
    new = {_below(one, there) for one in there} - {_below(one, coming) for one in coming}
    left = {_below(one, coming) for one in coming} - {_below(one, there) for one in there}
    if new:
        names = listed([f"{there[0].name}{place}" for place in sorted(new)][:5])
        findings.error("not-whole", "dataset", f"Not copied yet: {names}. Go on with copying first.")
    if left:
        names = listed([f"{coming[0].name}{place}" for place in sorted(left)][:5])
        message = f"No longer part of {there[0].name}: {names}. Destroy that first, or it comes back."
        findings.error("comes-back", "dataset", message)


def _check_names(
    known: Rewrite,
    waiting: str,
    there: Sequence[Dataset],
    coming: Sequence[Dataset],
    left: Sequence[Dataset],
    findings: Findings,
) -> None:
    """One that was cut off has set aside what lies under that name; nothing else may."""
    ours = bool(left) and set_apart(left[0], known)
    if coming and left and (there or not ours):
        findings.error("name-taken", "dataset", f"There is a dataset {left[0].name}. Rename it first.")
    elif not there and not coming:
        findings.error("unknown-dataset", "dataset", f"Neither {known.dataset} nor {waiting} is there.")
    elif not coming and not ours:
        findings.error("unknown-dataset", "dataset", f"{waiting} is not there any more.")


def _check_quotas(
    known: Rewrite,
    going: Sequence[Dataset],
    tree: Sequence[Dataset],
    settings: Mapping[str, dict[str, str]],
    findings: Findings,
) -> None:
    """ZFS sets none that is smaller than what is stored already, and by then both have other names.

    A refquota arrives with the stream.
    """
    top = going[0].name if going else known.dataset
    for one in tree:
        own = settings.get(f"{known.dataset}{_below(one, tree)}", {})
        limit, used = own.get("quota", ""), one.number("used")
        if limit.isdigit() and 0 < int(limit) < used:
            message = (
                f"{top}{_below(one, tree)} has a quota of {in_words(int(limit))}, and {one.name} takes "
                f"{in_words(used)}. Raise it first."
            )
            findings.error("quota-too-small", "dataset", message)


def _below(one: Dataset, tree: Sequence[Dataset]) -> str:
    return one.name.removeprefix(tree[0].name)


def _settings(known: Rewrite, going: Sequence[Dataset]) -> dict[str, dict[str, str]]:
    """As they are now. Where switching was cut off, what it had changed is as it was at the start."""
    found = dict(known.settings)
    for one in going:
        name = f"{known.dataset}{_below(one, going)}"
        own = settings_of([one])[one.name]
        if set_apart(one, known):
            before = known.settings.get(name, {})
            own = {key: value for key, value in own.items() if key not in SET_ASIDE}
            own |= {key: value for key, value in before.items() if key in SET_ASIDE}
        found[name] = own
    return found


def set_apart(one: Dataset, known: Rewrite) -> bool:
    """Whether switching has made it read-only, and has not let it be used since."""
    mark = one.properties.get(SWITCHING)
    return mark is not None and (mark.value, mark.source) == (known.key, "local")


def unmarked(tree: Sequence[Dataset]) -> tuple[ZfsInherit, ...]:
    """Say of them that they are used again; when they are."""
    return tuple(ZfsInherit(name=one.name, property=SWITCHING) for one in tree)


def halfway(known: Rewrite, inventory: Inventory) -> bool:
    """Whether switching was cut off after it had given what was there its other name."""
    waiting, aside = names(known, back=known.live)
    left = inventory.dataset(aside)
    whole = inventory.dataset(known.dataset) is not None and inventory.dataset(waiting) is not None
    return left is not None and set_apart(left, known) and not whole


def _mounted(known: Rewrite, going: Sequence[Dataset]) -> frozenset[str] | None:
    """Those that are mounted; None where switching was cut off, and has unmounted some."""
    if not going or any(set_apart(one, known) for one in going):
        return None
    return frozenset(one.name for one in going if one.mounted)


def _unmounted(
    request: SwitchRewrite, known: Rewrite, there: Sequence[Dataset], settings: Mapping[str, dict[str, str]]
) -> Step:
    """Nobody writes to it any more, and the rest is copied; taken back as a whole should that fail."""
    title = f"Unmount {known.dataset}"
    quiet = tuple(_marking(command, known) for command in quieting(there))
    undo = (
        *used_again([as_unmounted(one) for one in there], settings, mounted=_mounted(known, there)),
        *reserving_again([one for one in there if set_apart(one, known)], settings),
        *unmarked(there),
    )
    if request.back:
        return Step(title=title, commands=quiet, undo=undo)
    rest = FinishReplication(task=task_of(known))
    return Step(title=f"{title}, and copy what was written last", commands=(*quiet, rest), undo=undo)


def _marking(command: AnyCommand, known: Rewrite) -> AnyCommand:
    """In the same command, so that nothing is read-only by a switch without saying so."""
    if not isinstance(command, ZfsSet):
        return command
    return msgspec.structs.replace(command, properties=command.properties | {SWITCHING: known.key})


def _swap(
    known: Rewrite,
    request: SwitchRewrite,
    going: Sequence[Dataset],
    inventory: Inventory,
    settings: Mapping[str, dict[str, str]],
) -> tuple[AnyCommand, ...]:
    waiting, aside = names(known, back=request.back)
    there, coming = tree_of(known.dataset, inventory), tree_of(waiting, inventory)
    commands: list[AnyCommand] = []
    if there and coming:
        commands += [set_aside(one, settings.get(one.name, {})) for one in there]
        commands.append(ZfsRename(name=known.dataset, to=aside))
    if coming:
        commands.append(ZfsRename(name=waiting, to=known.dataset))
    tree = [
        msgspec.structs.replace(one, name=f"{known.dataset}{_below(one, coming or there)}")
        for one in coming or there
    ]
    marked = [one for one in tree if set_apart(one, known)]
    return (*commands, *given(tree, settings, mounted=_mounted(known, going)), *unmarked(marked))
