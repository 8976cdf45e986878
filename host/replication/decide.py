"""What is to be sent for one dataset, so that its replica has all that the source has.

The rules: a stream starts from the newest snapshot of the replica, if the source has that too (by its guid,
as a snapshot or a bookmark); nothing at the replica is ever rolled back or destroyed for it.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import structs

from host.commands.replication.streams import SendRest, SendStream
from host.replication.sides import Member, Point

Code = Literal[
    "nothing-to-send", "no-common-snapshot", "target-ahead", "target-written", "encryption-differs",
    "key-missing", "other-kind", "stale-token",
]  # fmt: skip


_MODIFIED = "has been modified"


class Send(msgspec.Struct, frozen=True, kw_only=True):
    """The next stream. `arrives`: the snapshots that it carries, oldest first; of a token nobody knows.
    `common`: the newest snapshot that both have, from which it leads on."""

    stream: SendStream | SendRest
    arrives: tuple[Point, ...] = ()
    common: Point | None = None


class Current(msgspec.Struct, frozen=True, kw_only=True):
    """The replica has the newest snapshot of the source."""

    newest: Point


class Conflict(msgspec.Struct, frozen=True, kw_only=True):
    """Nothing can be sent until somebody has decided something. `extra`: what the replica has and the source
    has not; `common`: the newest snapshot that both have."""

    code: Code
    extra: tuple[Point, ...] = ()
    common: Point | None = None


type Decision = Send | Current | Conflict


def refused(sent: Send, said: str) -> Conflict | None:
    """What `zfs receive` means by its refusal of a stream; None for all else that it says.

    Whether a replica was written to it knows alone: `written` is above zero after a roll-back, too.
    """
    return Conflict(code="target-written", common=sent.common) if _MODIFIED in said else None


def decide(
    source: Member, replica: Member | None, *, raw: bool, properties: bool, anew: bool = False
) -> Decision:
    """The next step for one dataset. To be asked again after each stream, with what lies there then."""
    if source.newest is None:
        return Conflict(code="nothing-to-send")
    if source.encrypted and not raw and not source.key_loaded:
        return Conflict(code="key-missing")
    if source.encrypted and anew:
        # What is sent is readable, and nothing says that it would be encrypted where it arrives.
        return Conflict(code="encryption-differs")
    how = SendStream(snapshot=_named(source, source.newest), raw=raw, properties=properties, anew=anew)
    if replica is None:
        return _first(source, how)
    if replica.kind != source.kind:
        return Conflict(code="other-kind")
    if replica.token is not None:
        return Send(stream=SendRest(token=replica.token))
    return _following(source, replica, how)


def _first(source: Member, how: SendStream) -> Send:
    """The oldest snapshot whole: those after it follow as changes, so that the replica has the history."""
    oldest = source.snapshots[0]
    return Send(stream=structs.replace(how, snapshot=_named(source, oldest)), arrives=(oldest,))


def _following(source: Member, replica: Member, how: SendStream) -> Decision:
    here = {point.guid: point for point in (*source.bookmarks, *source.snapshots)}  # rather the snapshot
    shared = [point for point in replica.snapshots if point.guid in here]
    if not shared:
        return Conflict(code="no-common-snapshot", extra=replica.snapshots)
    common = shared[-1]
    extra = tuple(point for point in replica.snapshots if point.createtxg > common.createtxg)
    if extra:
        return Conflict(code="target-ahead", extra=extra, common=common)
    base, newest = here[common.guid], source.snapshots[-1]
    if newest.guid == common.guid or base.createtxg >= newest.createtxg:
        return Current(newest=common)
    if replica.encrypted != (source.encrypted and how.raw):
        return Conflict(code="encryption-differs", common=common)
    if base.bookmark:
        # From a bookmark a stream leads to one snapshot alone: the next one, and from there with all between.
        newest = next(point for point in source.snapshots if point.createtxg > base.createtxg)
        stream = structs.replace(how, snapshot=_named(source, newest), since=base.name)
        return Send(stream=stream, arrives=(newest,), common=common)
    arrives = tuple(point for point in source.snapshots if point.createtxg > base.createtxg)
    stream = structs.replace(how, base=_named(source, base), between=len(arrives) > 1)
    return Send(stream=stream, arrives=arrives, common=common)


def arrived(source: Member, name: str, replica: Member | None, sent: Send, *, raw: bool) -> Member:
    """The replica `name` once a stream has arrived whole, without asking for it: what is decided next.

    Should it lie there otherwise, the next stream is refused, and the probe at the end of the run says so.
    """
    new_one = Member(name=name, guid="", kind=source.kind, encrypted=source.encrypted and raw)
    before = replica or new_one
    last = before.snapshots[-1].createtxg if before.snapshots else 0
    new = (structs.replace(point, createtxg=last + place) for place, point in enumerate(sent.arrives, 1))
    return structs.replace(before, snapshots=(*before.snapshots, *new))


def _named(member: Member, point: Point) -> str:
    return f"{member.name}@{point.name}"
