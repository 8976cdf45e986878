"""What can be done with the pools, datasets and shares that there are, for the search."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from frontend.search.hit import Hit
from host.inventory import Inventory
from pools.links import dataset_href, pool_href, replace_href, snapshots_href

type Named = tuple[list[str], Hit]


def of_objects(inventory: Inventory, user: Any) -> Iterator[Named]:
    """Actions on each pool and dataset, as far as the role of `user` allows them."""
    if not user.has_perm("pools:write"):
        return
    for pool in inventory.pools:
        care = f"{pool_href(pool.name)}#care"
        yield _action(f"Scrub {pool.name}", "activity", care, "check verify")
        yield _action(
            f"Replace a disk in {pool.name}", "refresh-cw", replace_href(pool.name, None), "swap failed"
        )
        yield _action(f"Grow {pool.name}", "plus", f"{pool_href(pool.name)}grow/", "expand bigger space")
        yield _action(f"Export {pool.name}", "unplug", care, "eject unmount")
        yield _action(
            f"Benchmark of {pool.name}",
            "gauge",
            f"/benchmark/{quote(pool.name)}/",
            "speed fio fast slow measure",
        )
        yield _action(
            f"Deduplication of {pool.name}", "copy", f"/dedup/{quote(pool.name)}/", "dedup ddt equal blocks"
        )
        yield _action(
            f"Metadata of {pool.name}", "database", f"/metadata/{quote(pool.name)}/",
            "special vdev small blocks zdb",
        )  # fmt: skip
    for dataset in inventory.datasets:
        if dataset.kind == "filesystem":
            yield _action(
                f"Take a snapshot of {dataset.name}", "camera", snapshots_href(dataset.name), "protect"
            )
            if user.has_perm("files:write"):
                files = f"/files/{quote(dataset.name)}/"
                yield _action(f"Upload files to {dataset.name}", "upload", files, "new folder send copy")
            where = quote(dataset.name)
            yield _action(
                f"Compression of {dataset.name}", "gauge", f"/compression/{where}/", "measure ratio zstd lz4"
            )
            if dataset.parent is not None:
                yield _action(
                    f"Rewrite {dataset.name}", "refresh-cw", f"/rewrite/{where}/",
                    "existing files anew compression dedup undo balance",
                )  # fmt: skip
            if user.has_perm("files:read"):
                yield _action(
                    f"Files of {dataset.name} by kind and size", "list-checks", f"/scan/{where}/",
                    "scan record size recordsize folders kinds what takes space du",
                )  # fmt: skip
            yield _action(
                f"Change {dataset.name}", "pencil", dataset_href(dataset.name), "quota compression properties"
            )


def _action(title: str, icon: str, href: str, words: str) -> Named:
    return [title, *words.split()], Hit(icon=icon, title=title, detail="action", href=href)
