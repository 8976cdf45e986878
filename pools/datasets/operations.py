"""The operations on file systems and volumes."""

from __future__ import annotations

from typing import Any

from host.families import Family
from jobs.operation import Effect, Operation
from jobs.wording import Data, Losses, Wording, at, counted, filled
from pools.datasets import (
    create_dataset,
    destroy_dataset,
    destroy_many,
    mount_dataset,
    promote_dataset,
    rename_dataset,
    set_properties,
    unmount_dataset,
)
from pools.links import DATASET_PAGE
from pools.quotas import set_quotas


def _creation(data: Data) -> str | None:
    kind = "volume" if data.get("kind") == "volume" else "dataset"
    return filled(f"Create {kind} {{name}}", data)


def _many(data: Data) -> str:
    names = data.get("names")
    return f"Change {counted(len(names) if isinstance(names, list) else 0, 'dataset')}"


def _properties_button(data: Data, _losses: Losses) -> str:
    properties, received = data.get("properties"), data.get("received")
    count = len(properties) if isinstance(properties, dict) else 0
    count += len(received) if isinstance(received, list) else 0
    return f"Change {counted(count, 'property', 'properties')}"


def _properties_effect(data: Data) -> Effect:
    """Only a volume that becomes smaller loses something."""
    properties = data.get("properties")
    return "destroys" if isinstance(properties, dict) and "volsize" in properties else "changes"


def _destroy_many(data: Data) -> str:
    names = data.get("names")
    return f"Destroy {counted(len(names) if isinstance(names, list) else 0, 'dataset')}"


def _destroy_button(data: Data, losses: Losses) -> str:
    datasets = sum("dataset" in loss for loss in losses)
    snapshots = len(losses) - datasets
    if len(losses) <= 1:
        return filled("Destroy {name}", data) or "Destroy"
    return f"Destroy {counted(datasets, 'dataset')}" + (
        f" and {counted(snapshots, 'snapshot')}" if snapshots else ""
    )


OPERATIONS: tuple[Operation[Any], ...] = (
    Operation(
        name="dataset.create",
        request=create_dataset.CreateDataset,
        plan=create_dataset.plan,
        scope="pools:write",
        effect="changes",
        facts=frozenset({Family.POOLS}),
        wording=Wording(
            title=_creation,
            page=at("New dataset", "/create/dataset/"),
            result=at("Open {name}", "/datasets/{name:/}/"),
            editable=True,
        ),
    ),
    Operation(
        name="dataset.set",
        request=set_properties.SetProperties,
        plan=set_properties.plan,
        scope="pools:write",
        effect=_properties_effect,
        facts=frozenset({Family.POOLS}),
        moves_datasets=True,
        wording=Wording(title="Change {name}", page=DATASET_PAGE, button=_properties_button),
    ),
    Operation(
        name="dataset.bulk-set",
        request=set_properties.BulkSetProperties,
        plan=set_properties.plan_bulk,
        scope="pools:write",
        effect=_properties_effect,
        facts=frozenset({Family.POOLS}),
        moves_datasets=True,
        wording=Wording(title=_many, page=at("Datasets", "/datasets/"), button=_properties_button),
    ),
    Operation(
        name="dataset.rename",
        request=rename_dataset.RenameDataset,
        plan=rename_dataset.plan,
        scope="pools:write",
        effect="changes",
        facts=frozenset({Family.POOLS}),
        needs=rename_dataset.needs,
        moves_datasets=True,
        wording=Wording(
            title="Rename {name} to {to}", page=DATASET_PAGE, result=at("Open {to}", "/datasets/{to:/}/")
        ),
    ),
    Operation(
        name="dataset.promote",
        request=promote_dataset.PromoteDataset,
        plan=promote_dataset.plan,
        scope="pools:write",
        effect="changes",
        facts=frozenset({Family.POOLS}),
        wording=Wording(title="Promote {name}", page=DATASET_PAGE),
    ),
    Operation(
        name="dataset.mount",
        request=mount_dataset.MountDataset,
        plan=mount_dataset.plan,
        scope="pools:write",
        effect="changes",
        facts=frozenset({Family.POOLS}),
        wording=Wording(title="Mount {name}", page=DATASET_PAGE),
    ),
    Operation(
        name="dataset.unmount",
        request=unmount_dataset.UnmountDataset,
        plan=unmount_dataset.plan,
        scope="pools:write",
        effect="changes",
        facts=frozenset({Family.POOLS}),
        moves_datasets=True,
        wording=Wording(title="Unmount {name}", page=DATASET_PAGE),
    ),
    Operation(
        name="dataset.destroy",
        request=destroy_dataset.DestroyDataset,
        plan=destroy_dataset.plan,
        scope="pools:write",
        effect="destroys",
        facts=frozenset({Family.POOLS}),
        needs=destroy_dataset.needs,
        moves_datasets=True,
        wording=Wording(
            title="Destroy {name}",
            page=DATASET_PAGE,
            result=at("Datasets", "/datasets/"),
            button=_destroy_button,
        ),
    ),
    Operation(
        name="dataset.bulk-destroy",
        request=destroy_many.DestroyDatasets,
        plan=destroy_many.plan,
        scope="pools:write",
        effect="destroys",
        facts=frozenset({Family.POOLS}),
        needs=destroy_many.needs,
        moves_datasets=True,
        wording=Wording(title=_destroy_many, page=at("Datasets", "/datasets/"), button=_destroy_button),
    ),
    Operation(
        name="dataset.quota",
        request=set_quotas.SetQuotas,
        plan=set_quotas.plan,
        scope="pools:write",
        effect="changes",
        facts=frozenset({Family.POOLS}),
        wording=Wording(title="Change quotas of {name}", page=at("{name}", "/quotas/{name:/}/")),
    ),
)
