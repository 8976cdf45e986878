"""What `zpool import` prints of a simulated pool that is not imported."""

from __future__ import annotations

from collections.abc import Iterator

from host.simulated.state import Pool, Vdev
from host.simulated.vdevs import GHOSTS, health, names, of_role, root_health

_NOTES = {
    "NO_REPLICAS": "insufficient replicas",
    "OPEN_FAILED": "cannot open",
    "ERR_EXCEEDED": "too many errors",
}
_SECTIONS = (
    ("dedup", "dedup"),
    ("special", "special"),
    ("logs", "log"),
    ("cache", "cache"),
    ("spares", "spare"),
)
_USUAL = "The pool can be imported using its name or numeric identifier.\n"
_LEAST_WIDTH = 10
Line = tuple[int, str, str]  # depth, name, what stands behind it


def show(pool: Pool) -> str:
    """One pool with its state, what to do, and its tree."""
    state = root_health(pool).state
    head = [f"  pool: {pool.name}\n    id: {pool.guid}\n state: {state}"]
    head.append(" (DESTROYED)\n" if pool.left == "destroyed" else "\n")
    status, action, msgid = _reason(pool, state)
    head += [f"status: {status}\n"] if status else []
    head.append(f"action: {action}")
    head += [f"comment: {pool.values['comment']}\n"] if "comment" in pool.values else []
    head += [f"   see: https://openzfs.github.io/openzfs-docs/msg/{msgid}\n"] if msgid else []
    lines = list(_lines(pool))
    width = max(_LEAST_WIDTH, *(2 * depth + len(name) for depth, name, _ in lines))
    rows = [f"\t{'  ' * depth}{name:<{width - 2 * depth}}  {rest}".rstrip() for depth, name, rest in lines]
    return "".join(head) + "config:\n\n" + "\n".join(rows) + "\n"


def _reason(pool: Pool, state: str) -> tuple[str | None, str, str | None]:
    if state == "UNAVAIL":
        action = "The pool cannot be imported. Attach the missing\n\tdevices and try again.\n"
        return "One or more devices are missing from the system.", action, "ZFS-8000-3C"
    if state == "DEGRADED":
        action = (
            "The pool can be imported despite missing or damaged devices.  The\n"
            "\tfault tolerance of the pool may be compromised if imported.\n"
        )
        return "One or more devices are missing from the system.", action, "ZFS-8000-2Q"
    if pool.host is not None:
        action = "The pool can be imported using its name or numeric identifier and\n\tthe '-f' flag.\n"
        return "The pool was last accessed by another system.", action, "ZFS-8000-EY"
    if pool.disabled:
        action = (
            "The pool can be imported using its name or numeric identifier, though\n"
            "\tsome features will not be available without an explicit 'zpool upgrade'.\n"
        )
        return (
            "Some supported features are not enabled on the pool.\n"
            "\t(Note that they may be intentionally disabled if the\n"
            "\t'compatibility' property is set.)"
        ), action, None  # fmt: skip
    return None, _USUAL, None


def _lines(pool: Pool) -> Iterator[Line]:
    shown = names(pool)
    yield 0, pool.name, _state(root_health(pool))
    for vdev in of_role(pool, "data"):
        yield from _vdev(vdev, shown, 1)
    for word, role in _SECTIONS:
        found = [vdev for vdev in pool.vdevs if vdev.role == role and vdev.kind not in GHOSTS]
        if found:
            yield 0, word, ""
        for vdev in found:
            if role in {"cache", "spare"}:
                yield 1, _short(vdev.path or ""), ""
            else:
                yield from _vdev(vdev, shown, 1)


def _vdev(vdev: Vdev, shown: dict[int, str], depth: int) -> Iterator[Line]:
    missing = not vdev.children and vdev.state == "UNAVAIL"
    name = str(vdev.guid) if missing else _short(shown[vdev.guid])
    yield depth, name, _state(health(vdev))
    for child in vdev.children:
        yield from _vdev(child, shown, depth + 1)


def _state(found: tuple[str, str | None]) -> str:
    state, aux = found
    return f"{state}  {_NOTES[aux]}" if aux in _NOTES else state


def _short(path: str) -> str:
    return path.rpartition("/")[2]
