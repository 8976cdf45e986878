"""policy.set: which snapshots of a dataset, and of all below that follow it, are taken and kept."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated

import msgspec
from msgspec import Meta

from host.commands.closed import AnyCommand
from host.commands.datasets.zfs import ZfsInherit, ZfsSet
from host.inventory import Dataset, Inventory, Snapshot
from host.inventory.redundancy import resilvering
from jobs.needs import Needs, SnapshotNeeds
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from jobs.wording import counted, listed
from pools.chosen import check_writable
from pools.policies.deleting import deletion
from pools.policies.rules.effective import Effective, after, effective
from pools.policies.rules.names import tier_of
from pools.policies.rules.policy import PROPERTY, BadPolicy, Policy, parse, text_of
from pools.policies.rules.retention import doomed
from pools.sentences import are, tree

_Text = Annotated[str, Meta(max_length=1024)]


class SetPolicy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Give `dataset` a policy, such as `hourly=24 daily=30 tz=Europe/Berlin`; `off` excludes it and all below
    it. Null drops its own, so that the one from above holds again, or none."""

    dataset: _Text
    policy: _Text | None


def needs(request: SetPolicy, _inventory: Inventory) -> Needs:
    """The datasets whose snapshots the plan looks at."""
    return Needs(snapshots=SnapshotNeeds(datasets=(request.dataset,)))


def plan(request: SetPolicy, inventory: Inventory) -> Plan:
    """Raises `Refused` for a text that cannot be read, and while the pool cannot be changed.

    Its findings list what follows and what does not; snapshots that no policy retains any more go at once and
    the plan names each.
    """
    findings = Findings()
    dataset = inventory.dataset(request.dataset)
    if dataset is None:
        findings.refuse("unknown-dataset", "dataset", "There is no dataset of that name.")
    pool = inventory.pool(dataset.pool)
    if pool is not None:
        check_writable(pool, findings, field="dataset")
    text = _canonical(request.policy, findings)
    findings.refuse_on_error()
    _check_changes(dataset, text, findings)
    findings.refuse_on_error()
    changes = tuple(after(inventory, dataset.name, text))
    guid = pool.guid if pool is not None else ""
    lost = dict(_lost(changes, inventory, guid))
    _add_findings(dataset, changes, inventory, guid, findings)
    steps = [Step(title=_title(dataset.name, text), commands=(_command(dataset.name, text),))]
    if lost and pool is not None:
        if resilvering(pool):
            count = sum(map(len, lost.values()))
            message = (
                f"{pool.name} is resilvering, and this would delete {count} snapshots, which reads and "
                "writes. Change it when that has finished."
            )
            findings.error("resilvering", "policy", message)
        steps.append(deletion(lost, inventory, "that no policy retains any more"))
    findings.refuse_on_error()
    return Plan(
        operation="policy.set",
        steps=tuple(steps),
        summary=_summary(dataset, changes, lost, inventory, guid),
        findings=findings.all(),
        claims=(f"dataset:{dataset.name}", f"policies:{dataset.pool}"),
        confirm=dataset.name,
    )


def _summary(
    dataset: Dataset,
    changes: tuple[tuple[Effective, Effective], ...],
    lost: dict[str, tuple[Snapshot, ...]],
    inventory: Inventory,
    guid: str,
) -> str:
    then, what = changes[0][1], tree(dataset.name, len(changes) - 1)
    left = sum(
        tier_of(one, guid) is not None
        for _, each in changes
        for one in inventory.snapshots.get(each.dataset, ())
    )
    if then.policy is None or not then.acts:
        stay = "stays until somebody deletes it" if left == 1 else "stay until somebody deletes them"
        ended = " any more" if any(before.acts for before, _ in changes) else ""
        return sentences(
            f"No snapshots of {what} are scheduled{ended}.",
            f"The {counted(left, 'snapshot')} taken so far {stay}." if left else "",
        )
    count = sum(map(len, lost.values()))
    source = "" if then.source == dataset.name else f", by the policy of {then.source}"
    return sentences(
        f"Snapshots of {what} are taken on schedule{source}.",
        f"The newest {_retained(then.policy)} ones are retained, and older ones are deleted.",
        f"{counted(count, 'existing snapshot')} beyond that {are(count)} deleted for good at once."
        if count
        else "",
    )


def _retained(policy: Policy) -> str:
    """`24 hourly and 30 daily`."""
    said = [f"{policy.count(tier)} {tier}" for tier in policy.tiers]
    if policy.frequent:
        said[0] += f" (every {policy.every_minutes} minutes)"
    return listed(said, most=len(said))


def _canonical(text: str | None, findings: Findings) -> str | None:
    if text is None:
        return None
    try:
        return text_of(parse(text.strip()))
    except BadPolicy as bad:
        for _, message in bad.faults:
            findings.error("bad-policy", "policy", message)
        return text


def _check_changes(dataset: Dataset, text: str | None, findings: Findings) -> None:
    own = dataset.properties.get(PROPERTY)
    local = own is not None and own.source in {"local", "received"}
    if text is None and not local:
        findings.error("nothing-to-change", "policy", f"{dataset.name} has no policy of its own.")
    elif own is not None and own.source == "local" and own.value == text:
        findings.error("nothing-to-change", "policy", "It has just this policy.")


def _lost(
    changes: tuple[tuple[Effective, Effective], ...], inventory: Inventory, guid: str
) -> Iterator[tuple[str, tuple[Snapshot, ...]]]:
    """By dataset: what the new policy would not keep and the present one does."""
    now = datetime.fromisoformat(inventory.as_of)
    for before, then in changes:
        if not then.acts:
            continue
        existing = inventory.snapshots.get(then.dataset, ())
        going = doomed(existing, then.policy or Policy(off=True), now, pool_guid=guid)
        usual = doomed(existing, before.policy, now, pool_guid=guid) if before.acts and before.policy else ()
        known = {one.name for one in usual}
        if more := tuple(one for one in going if one.name not in known):
            yield then.dataset, more


def _add_findings(
    dataset: Dataset,
    changes: tuple[tuple[Effective, Effective], ...],
    inventory: Inventory,
    guid: str,
    findings: Findings,
) -> None:
    for before, then in changes:
        words = f"{before.text or 'no policy'} → {then.text or 'no policy'}"
        code = "changes" if then.dataset == dataset.name else "child-changes"
        findings.info(code, "policy", f"{then.dataset}: {words}")
        ours = sum(tier_of(one, guid) is not None for one in inventory.snapshots.get(then.dataset, ()))
        if not then.acts and ours:
            message = (
                f"The {ours} snapshots that policies took of {then.dataset} stay until they are deleted."
            )
            findings.info("snapshots-stay", "policy", message)
    followers = {then.dataset for _, then in changes}
    for child in inventory.below(dataset.name):
        theirs = effective(child, inventory)
        if child.name not in followers and theirs.source == child.name:
            findings.info("shielded", "policy", f"{child.name} keeps its own policy: {theirs.text}")
    if not any(then.acts for _, then in changes) and any(before.acts for before, _ in changes):
        message = "Snapshots are no longer scheduled here."
        findings.warning("not-taken-any-more", "policy", message)


def _command(dataset: str, text: str | None) -> AnyCommand:
    if text is None:
        return ZfsInherit(name=dataset, property=PROPERTY)
    return ZfsSet(name=dataset, properties={PROPERTY: text})


def _title(dataset: str, text: str | None) -> str:
    if text is None:
        return f"Let {dataset} follow the policy from above"
    return f"Exclude {dataset} from policies" if text == "off" else f"Set the policy of {dataset}: {text}"
