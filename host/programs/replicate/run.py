"""One run: what is to be sent, dataset after dataset, and what became of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any, Protocol

from host.base import CommandFailed
from host.commands.replication.points import TakePoint
from host.commands.replication.streams import (
    MakeContainer,
    ReceiveStream,
    SendRest,
    SendStream,
)
from host.commands.replication.task import Task, within
from host.pipeline import Carried
from host.programs.replicate.progress import Progress
from host.programs.replicate.settling import Copy, Settling
from host.programs.replicate.side import CONNECTION_LOST, Side
from host.replication import marks
from host.replication.decide import Conflict, Current, Send, arrived, decide, refused
from host.replication.sides import Member, Point
from host.replication.values import Replica, Verdict

_STREAMS = 100_000  # of one dataset: from a bookmark each snapshot has one of its own


def _utc() -> datetime:
    return datetime.now(UTC)


class Stopped(Exception):
    """Somebody asked for the end."""


class Broken(Exception):
    """The whole run ends: `code` and words of `Replicated`."""

    def __init__(self, code: str, words: str) -> None:
        super().__init__(words)
        self.code = code


class Carrying(Protocol):
    """Lets a stream run from one side to the other."""

    def __call__(self, stream: SendStream | SendRest, receive: ReceiveStream) -> Carried: ...


class Run:
    """From the first probe of both sides to the last one."""

    def __init__(
        self,
        task: Task,
        source: Side,
        target: Side,
        progress: Progress,
        carry: Carrying | None = None,
        *,
        now: Callable[[], datetime] = _utc,
    ) -> None:
        self._now = now
        self._task, self._source, self._target, self._progress = task, source, target, progress
        self._carry = carry
        self._here: dict[str, Member] = {}  # also what does not belong to it
        self._there: dict[str, Member] = {}
        self._settling = Settling(task, source, target)

    def plan(self) -> list[tuple[Member, Replica]]:
        """The datasets that belong to it, each with what comes first for it. Raises `Broken`."""
        task = self._task
        self._here = _tree(self._source, task.source, "source-missing")
        self._there = self._read_target()
        wanted = [member for name, member in sorted(self._here.items()) if task.wants(name)]
        replicas = {task.replica_of(member.name) for member in wanted}
        place = self._there.get(task.target) or self._there.get(task.root)
        left = [name for name in self._there if within(name, task.target) and name not in replicas]
        self._progress.begin(
            tuple(Replica(source=member.name, target=task.replica_of(member.name)) for member in wanted),
            left_behind=tuple(sorted(left)),
            available_bytes=None if place is None else place.available_bytes,
        )
        return [(member, self._planned(member)) for member in wanted]

    def _read_target(self) -> dict[str, Member]:
        """What lies there. Below the root there may be many replicas of others: all of it is read only where
        there is none of ours yet."""
        try:
            return self._target.tree(self._task.target)
        except CommandFailed as error:
            _lost(error)
            return _tree(self._target, self._task.root, "root-missing")

    def _planned(self, source: Member) -> Replica:
        replica = self._there.get(self._task.replica_of(source.name))
        decision = self._decide(source, replica)
        first = replica is None
        if isinstance(decision, Conflict):
            return self._conflict(source, decision)
        if isinstance(decision, Current):
            return self._note(source, state="current", **_newest(decision.newest))
        try:
            size = self._source.size_of(decision.stream)
            if first and len(source.snapshots) > 1:
                size = _sum(size, self._source.size_of(self._rest_of(source)))
        except CommandFailed as error:
            _lost(error)
            if isinstance(decision.stream, SendRest):
                return self._conflict(source, Conflict(code="stale-token"))
            return self._failed(source, error.result.stderr)
        return self._note(source, first=first, expected_bytes=size)

    def _rest_of(self, source: Member) -> SendStream:
        """What follows the first snapshot of a replica that does not exist yet."""
        return SendStream(
            snapshot=f"{source.name}@{source.snapshots[-1].name}",
            base=f"{source.name}@{source.snapshots[0].name}",
            between=len(source.snapshots) > 2, raw=self._task.raw, properties=self._task.properties,
            anew=self._task.anew,
        )  # fmt: skip

    def carry_out(self) -> Verdict:
        """Send all of it. Raises `Broken`, `Stopped`, `HostError`."""
        if self._task.own_snapshots:
            # While the target is away no snapshots pile up for it.
            _tree(self._target, self._task.root, "root-missing")
            self._take()
        planned = self.plan()
        waiting = [source for source, replica in planned if replica.state == "waiting"]
        if waiting:
            if self._task.target not in self._there:
                self._make_containers()
            self._hold(waiting)
        for source in waiting:
            self._bring(source)
        if waiting:  # what was read a moment ago still holds where nothing was sent since
            self._there = self._read_target()
        self._let_go([source for source, _ in planned])
        # Also what was current before: a first copy that was carried there has no marks yet.
        copies = self._proven({source.name: source for source, _ in planned})
        self._settling.mark(copies)
        self._forget_own(copies)
        made = self._target.times(self._to_date(copies))
        for copy in copies:
            self._note(copy.source, newest_at=made.get(copy.newest_name))
        self._settling.forget_expired(copies, made, self._now())
        states = {replica.state for replica in self._progress.datasets}
        if not states & {"conflict", "failed"}:
            return "done"
        return "partly" if "current" in states else "failed"

    def _take(self) -> None:
        tag = marks.own_snapshot(self._task.id, self._now())
        name = f"{self._task.source}@{tag}"
        try:
            self._source.run(TakePoint(snapshot=name, recursive=self._task.recursive))
        except CommandFailed as error:
            _lost(error)
            raise Broken("source-missing", error.result.stderr.strip()) from error

    def _make_containers(self) -> None:
        path = self._task.target.split("/")[:-1]
        for depth in range(1, len(path) + 1):
            name = "/".join(path[:depth])
            if within(name, self._task.root) and name not in self._there:
                self._target.run(MakeContainer(name=name))

    def _hold(self, waiting: list[Member]) -> None:
        """Let nobody destroy what is to arrive, nor what it starts from: cut off after any of them, the next
        run starts there."""
        names = [f"{source.name}@{point.name}" for source in waiting for point in self._on_the_way(source)]
        self._source.hold(names, self._source.tag(self._task.id))

    def _on_the_way(self, source: Member) -> tuple[Point, ...]:
        """The snapshots of the source from the newest that its replica has, too."""
        known = {point.guid for point in self._replica(source).snapshots}
        points = (*source.bookmarks, *source.snapshots)
        since = max((point.createtxg for point in points if point.guid in known), default=0)
        return tuple(point for point in source.snapshots if point.createtxg >= since)

    def _let_go(self, sources: list[Member]) -> None:
        """Of what is behind only that stays held from which the next stream starts and to which the rest of a
        broken one leads: the source's policy goes on although its target is full. Of what cannot go on
        nothing: that would keep its owner from rolling it back."""
        states = {one.source: one.state for one in self._progress.datasets}
        names = list[str]()
        for source in sources:
            if states[source.name] == "current":
                continue
            stuck = states[source.name] == "conflict" and self._replica(source).token is None
            needed = () if stuck else self._on_the_way(source)[:2]
            names += [f"{source.name}@{point.name}" for point in source.snapshots if point not in needed]
        tag = self._source.tag(self._task.id)
        self._source.release(self._source.held(names, tag), tag)

    def _forget_own(self, copies: list[Copy]) -> None:
        """Of its own snapshots the source keeps the newest that its replica has. They are taken of the whole
        tree at once: of what is behind the newest stays, and all that its replica has; of what is left out
        none."""
        current = {copy.source.name: copy.newest.guid for copy in copies}
        for source in self._here.values():
            if (newest := current.get(source.name)) is not None:
                needed = {newest}
            else:
                needed = {point.guid for point in self._replica(source).snapshots}
                if source.newest is not None and self._task.wants(source.name):
                    needed.add(source.newest.guid)
            self._settling.forget_own(source, needed)

    def _replica(self, source: Member) -> Member:
        """As it was read last; an empty one where there is none."""
        name = self._task.replica_of(source.name)
        return self._there.get(name) or Member(name=name, guid="", kind=source.kind)

    def _bring(self, source: Member) -> None:
        name = self._task.replica_of(source.name)
        self._note(source, state="sending")
        for _ in range(_STREAMS):
            decision = self._decide(source, self._there.get(name))
            if isinstance(decision, Conflict):
                self._conflict(source, decision)
                return
            if isinstance(decision, Current):
                self._note(source, state="current", **_newest(decision.newest))
                return
            if not self._send(source, name, decision):
                return

    def _send(self, source: Member, name: str, decision: Send) -> bool:
        """Whether it arrived; the next decision is made with what lies there then."""
        if self._carry is None:
            raise TypeError("Only a run that carries")
        receive = ReceiveStream(name=name, volume=source.kind == "volume", beside=self._task.anew)
        done = self._carry(decision.stream, receive)
        if done.stopped:
            raise Stopped
        if CONNECTION_LOST in {done.sender_exit, done.receiver_exit}:
            said = done.sender_said if done.sender_exit == CONNECTION_LOST else done.receiver_said
            raise Broken("connection", said.strip())
        if not done.well and (conflict := refused(decision, done.receiver_said)):
            self._conflict(source, conflict)
            return False
        if not done.well:
            # Whichever ended first, the other one complains of that.
            texts = (done.receiver_said if done.receiver_exit else "", done.sender_said)
            self._failed(source, "\n".join(text.strip() for text in texts if text.strip()))
            return False
        if decision.arrives:
            there = arrived(source, name, self._there.get(name), decision, raw=self._task.raw)
            self._there[name] = there
        else:
            self._there |= self._target.tree(name, recursive=False)
        return True

    def _proven(self, sources: dict[str, Member]) -> list[Copy]:
        """What is current has its newest snapshot at the target, by its guid, as the target was read last."""
        copies = []
        for replica in self._progress.datasets:
            if replica.state != "current":
                continue
            member = self._there.get(replica.target)
            points = () if member is None else member.snapshots
            newest = next((point for point in points if point.guid == replica.newest_guid), None)
            if member is None or newest is None:
                self._progress.note(replica.source, state="failed", said="It was not there at the end.")
            else:
                copies.append(Copy(source=sources[replica.source], replica=member, newest=newest))
        return copies

    def _to_date(self, copies: list[Copy]) -> Iterator[str]:
        """The snapshots whose times are asked for: with a retention of its own, all of them."""
        if self._task.retention is None:
            return (copy.newest_name for copy in copies)
        return (name for copy in copies for name in copy.names())

    def _decide(self, source: Member, replica: Member | None) -> Send | Current | Conflict:
        task = self._task
        found = decide(source, replica, raw=task.raw, properties=task.properties, anew=task.anew)
        if not isinstance(found, Send) or not isinstance(found.stream, SendRest):
            return found
        # What a token asks for is sent, whatever it is: another machine could have made it up.
        goes_on = self._source.may_go_on(found.stream.token, source, raw=task.raw)
        return found if goes_on else Conflict(code="stale-token")

    def _conflict(self, source: Member, found: Conflict) -> Replica:
        common = None if found.common is None else found.common.name
        extra = tuple(point.name for point in found.extra)
        return self._note(source, state="conflict", code=found.code, extra=extra, common=common)

    def _failed(self, source: Member, said: str) -> Replica:
        return self._note(source, state="failed", said=said.strip())

    def _note(self, source: Member, **changes: Any) -> Replica:
        return self._progress.note(source.name, **changes)


def forget(task: Task, source: Side, target: Side, *, here_only: bool = False) -> None:
    """Take the marks of the task off both sides. Raises `HostError`; what is gone altogether is no error."""
    for side, name in ((source, task.source), (target, task.target)):
        if here_only and side.elsewhere:
            continue
        try:
            found = side.tree(name)
        except CommandFailed as error:
            _lost(error)
            continue
        side.unmark(found.values(), side.tag(task.id))


def _tree(side: Side, name: str, code: str) -> dict[str, Member]:
    try:
        return side.tree(name)
    except CommandFailed as error:
        _lost(error)
        raise Broken(code, error.result.stderr.strip()) from error


def _lost(error: CommandFailed) -> None:
    if error.result.exit == CONNECTION_LOST:
        raise Broken("connection", error.result.stderr.strip()) from error


def _newest(point: Point) -> dict[str, Any]:
    return {"newest": point.name, "newest_guid": point.guid}


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other
