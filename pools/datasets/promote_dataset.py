"""dataset.promote: a clone becomes the original, and what it grew from becomes its clone."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from host.commands.datasets.datasets import ZfsPromote
from host.inventory import Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences


class PromoteDataset(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Promote a clone: then the dataset that it grew from can be destroyed."""

    name: Annotated[str, Meta(max_length=1024)]


def plan(request: PromoteDataset, inventory: Inventory) -> Plan:
    """Raises `Refused` for what is no clone. Its findings tell which snapshots change hands."""
    findings = Findings()
    dataset = inventory.dataset(request.name)
    if dataset is None:
        findings.refuse("unknown-dataset", "name", "There is no dataset of that name.")
    origin, _, tag = (dataset.value("origin") or "").partition("@")
    if not tag:
        message = f"{dataset.name} is not a clone: it depends on no other dataset."
        findings.refuse("not-a-clone", "name", message)
    findings.info(
        "snapshots-move", "name",
        (
            f"The snapshots of {origin} up to {tag} become snapshots of {dataset.name}, together with the "
            f"space they use. {origin} is then a clone of {dataset.name}@{tag}."
        ),
    )  # fmt: skip
    for other in inventory.datasets:
        of, _, other_tag = (other.value("origin") or "").partition("@")
        if of == origin and other.name != dataset.name:
            message = f"{other.name}, a clone of {of}@{other_tag}, may depend on {dataset.name} afterwards."
            findings.info("clone-follows", "name", message)
    held = dataset.number("quota") or dataset.number("refquota")
    if held:
        findings.warning(
            "quota", "name",
            (
                f"{dataset.name} has a quota: the space of the snapshots will count towards it, so this "
                "may be refused."
            ),
        )  # fmt: skip
    return Plan(
        operation="dataset.promote",
        steps=(Step(title=f"Promote {dataset.name}", commands=(ZfsPromote(name=dataset.name),)),),
        summary=_summary(dataset.name, origin, tag),
        findings=findings.all(),
        claims=(f"dataset:{dataset.name}", f"dataset:{origin}"),
    )


def _summary(name: str, origin: str, tag: str) -> str:
    return sentences(
        f"{name} no longer depends on {origin}: it takes over the snapshots of {origin} up to {tag} and the "
        "space they use.",
        f"{origin} becomes a clone of {name} and can be deleted afterwards.",
        "Both stay mounted, and nobody is disconnected.",
    )
