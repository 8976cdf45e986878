"""The sections of the console, the pages in each, and which of them an address belongs to."""

from __future__ import annotations

import msgspec


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A page of a section; `also` are the starts of addresses that belong to it."""

    title: str
    href: str
    also: tuple[str, ...] = ()
    scope: str = ""  # what a role must allow to see it


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """What the rail shows: a section leads to its first page."""

    title: str
    icon: str
    pages: tuple[Place, ...]


SECTIONS: tuple[Section, ...] = (
    Section(
        title="Overview",
        icon="layout-dashboard",
        pages=(
            Place(title="Overview", href="/"),
            Place(title="Charts", href="/charts/", scope="system:read"),
        ),
    ),
    Section(
        title="Storage",
        icon="database",
        pages=(
            Place(
                title="Pools",
                href="/pools/",
                also=("/create/pool/", "/destroy/pool/", "/import/", "/arrays/", "/create/array/",
                      "/destroy/array/", "/dedup/", "/stop-dedup/", "/metadata/", "/stop-metadata/",
                      "/benchmark/", "/stop-benchmark/"),
            ),
            Place(
                title="Datasets",
                href="/datasets/",
                also=("/create/dataset/", "/destroy/dataset/", "/rename/dataset/", "/act/dataset/",
                      "/edit/datasets/", "/properties/", "/compare/datasets/", "/keys/", "/quotas/",
                      "/rights/", "/stop-rights/", "/compression/", "/stop-compression/",
                      "/scan/", "/stop-scan/", "/rewrite/", "/rewrite-act/",
                      "/share-blocks/"),
            ),
            Place(
                title="Snapshots",
                href="/snapshots/",
                also=("/snapshot/", "/create/snapshot/", "/changes/snapshot/", "/rollback/snapshot/",
                      "/destroy/snapshot/"),
            ),
            Place(title="Space", href="/space/"),
            Place(title="Disks", href="/disks/", also=("/chassis/", "/teach/", "/act/disks/")),
        ),
    ),
    Section(
        title="Files",
        icon="folder",
        pages=(
            Place(title="Files", href="/files/", also=("/versions/", "/difference/"), scope="files:read"),
        ),
    ),
    Section(
        title="Shares",
        icon="share-2",
        pages=(
            Place(
                title="Shares",
                href="/shares/",
                also=("/create/share/", "/delete/share/", "/share/"),
            ),
            Place(title="Connections", href="/sessions/"),
            Place(title="Settings for all shares", href="/settings/shares/"),
        ),
    ),
    Section(
        title="Users",
        icon="users",
        pages=(
            Place(title="People and groups", href="/people/", also=("/groups/", "/create/person/",
                                                                    "/create/group/")),
            Place(title="Console accounts", href="/settings/accounts/"),
        ),
    ),
    Section(
        title="Protection",
        icon="shield-check",
        pages=(
            Place(title="Snapshot policies", href="/policies/", also=("/prune/",)),
            Place(title="Schedules", href="/schedules/", also=("/self-tests/",)),
            Place(title="Replication", href="/replication/"),
            Place(title="Targets", href="/replication/targets/", also=("/replication/pairings/",)),
            Place(title="Backups", href="/backups/",
                  also=("/repositories/", "/create/backup/", "/create/repository/")),
            Place(title="Settings backup", href="/settings/copies/"),
        ),
    ),
    Section(
        title="Alerts",
        icon="bell",
        pages=(
            Place(title="Alerts", href="/alerts/"),
            Place(title="Doctor", href="/doctor/"),
            Place(title="What is slow?", href="/slow/"),
            Place(title="Health report", href="/health/"),
            Place(title="Notifications", href="/settings/notifications/"),
        ),
    ),
    Section(
        title="System",
        icon="settings",
        pages=(
            Place(title="Settings", href="/settings/", also=("/welcome/", "/accounts/")),
            Place(
                title="Network", href="/settings/network/", also=("/network-speed/", "/stop-network-speed/")
            ),
            Place(title="Boot pair", href="/boot/"),
            Place(title="Power", href="/power/", scope="system:read"),
            Place(title="Jobs", href="/jobs/"),
            Place(title="Audit log", href="/audit/", scope="system:read"),
        ),
    ),
)  # fmt: skip


def here(path: str) -> Place | None:
    """The page of the rail that `path` belongs to: the one with the longest start of it."""
    starts = [
        (len(start), place)
        for section in SECTIONS
        for place in section.pages
        for start in (place.href, *place.also)
        if path == start or (start != "/" and path.startswith(start))
    ]
    return max(starts, key=lambda found: found[0])[1] if starts else None
