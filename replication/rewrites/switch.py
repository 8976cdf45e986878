"""dataset.switch-rewrite: the copy takes the place of what it was written from, or gives it back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from host.commands.closed import AnyCommand
from host.commands.datasets.datasets import ZfsRename
from host.commands.replication.runs import FinishReplication
from host.inventory import Dataset, Inventory
from host.replication.rewriting import Rewrite
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from jobs.wording import listed
from pools.sentences import clients_lose
from replication.models import RewriteRow
from replication.replications.live import is_quiet, quieting, tree_of
from replication.rewrites.known import DatasetText, find, task_of
from replication.rewrites.settings import SET_ASIDE, given, set_aside, settings_of, used_again


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
    waiting, aside = _names(request, known)
    there, coming = tree_of(known.dataset, inventory), tree_of(waiting, inventory)
    _check(request, known, inventory, findings)
    if there and coming:
        _check_same(there, coming, findings)
        if inventory.dataset(aside) is not None:
            findings.error("name-taken", "dataset", f"There is a dataset {aside}. Rename it first.")
    elif not there and not coming:
        findings.error("unknown-dataset", "dataset", f"Neither {known.dataset} nor {waiting} is there.")
    findings.refuse_on_error()
    settings = _settings(known, there if coming else ())
    steps = [_unmounted(request, known, there, settings)] if there and coming else []
    steps.append(
        Step(title=f"Let {waiting} be {known.dataset}", commands=_swap(known, request, inventory, settings))
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
    waiting, aside = _names(request, known)
    coming = tree_of(waiting, inventory)
    going = tree_of(known.dataset, inventory) if coming else ()
    going = going or tree_of(aside, inventory)
    coming = coming or tree_of(known.dataset, inventory)
    if not (going and coming):
        return {}
    guids = {_below(one, coming): one.guid for one in coming}
    return {one.guid: guids[place] for one in going if (place := _below(one, going)) in guids}


def _names(request: SwitchRewrite, known: Rewrite) -> tuple[str, str]:
    return (known.before, known.copy) if request.back else (known.copy, known.before)


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


def _below(one: Dataset, tree: Sequence[Dataset]) -> str:
    return one.name.removeprefix(tree[0].name)


def _settings(known: Rewrite, there: Sequence[Dataset]) -> dict[str, dict[str, str]]:
    """As they are now. Where switching was cut off, what it had changed is as it was at the start."""
    found = dict(known.settings)
    for one in there:
        own = settings_of([one])[one.name]
        if cut_off(one, known):
            before = known.settings[one.name]
            own = {name: value for name, value in own.items() if name not in SET_ASIDE}
            own |= {name: value for name, value in before.items() if name in SET_ASIDE}
        found[one.name] = own
    return found


def cut_off(one: Dataset, known: Rewrite) -> bool:
    """Whether switching has made it read-only, or kept it from being mounted, and came no further."""
    own = known.settings.get(one.name)
    return (
        own is not None and is_quiet(one) and own.get("readonly") != "on" and own.get("canmount") != "noauto"
    )


def _mounted(known: Rewrite, there: Sequence[Dataset]) -> frozenset[str] | None:
    """Those that are mounted; None where switching was cut off, and has unmounted some."""
    if not there or any(cut_off(one, known) for one in there):
        return None
    return frozenset(one.name for one in there if one.mounted)


def _unmounted(
    request: SwitchRewrite, known: Rewrite, there: Sequence[Dataset], settings: Mapping[str, dict[str, str]]
) -> Step:
    """Nobody writes to it any more, and the rest is copied; taken back as a whole should that fail."""
    title = f"Unmount {known.dataset}"
    undo = used_again(there, settings, mounted=_mounted(known, there))
    if request.back:
        return Step(title=title, commands=quieting(there), undo=undo)
    rest = FinishReplication(task=task_of(known))
    return Step(
        title=f"{title}, and copy what was written last", commands=(*quieting(there), rest), undo=undo
    )


def _swap(
    known: Rewrite, request: SwitchRewrite, inventory: Inventory, settings: Mapping[str, dict[str, str]]
) -> tuple[AnyCommand, ...]:
    waiting, aside = _names(request, known)
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
    mounted = _mounted(known, there if coming else ())
    return (*commands, *given(tree, settings, mounted=mounted))
