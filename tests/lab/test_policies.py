"""Snapshot policies over simulated months on real OpenZFS: the guest's clock is set, `zfs list` decides."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from tests.lab.builder import build_image, built_release
from tests.lab.machine import Machine
from tests.lab.pool_life import DISKS, PoolLab, until

pytestmark = pytest.mark.drill

_TIERS = ("hourly", "daily", "weekly", "monthly")
_PERIODS = {"hourly": timedelta(hours=1), "daily": timedelta(days=1), "weekly": timedelta(days=7),
            "monthly": timedelta(days=31)}  # fmt: skip
_COUNTS = {"hourly": 4, "daily": 5, "weekly": 3, "monthly": 2}
_POLICY = " ".join(f"{tier}={count}" for tier, count in _COUNTS.items())
_START = datetime(2027, 1, 4, 9, 20, tzinfo=UTC)  # a Monday; 2027 is no leap year


class Clocked:
    """The lab with a clock of its own."""

    def __init__(self, lab: PoolLab) -> None:
        self.lab = lab
        self.run = lab.machine.run
        self.run("timedatectl set-ntp false", check=False)
        self.run("systemctl stop systemd-timesyncd", check=False)

    def set(self, moment: datetime) -> None:
        """The guest's clock, from now on."""
        self.run(f"date -u -s @{int(moment.timestamp())}")

    def tags(self, dataset: str) -> list[str]:
        """The names behind the @, by `zfs list`, oldest first."""
        said = self.run(f"zfs list -H -t snapshot -d 1 -s createtxg -o name {dataset}").stdout
        return [line.partition("@")[2] for line in said.splitlines()]

    def ours(self, dataset: str) -> dict[str, tuple[str, datetime]]:
        """Those whose name a policy gave, with tier and moment."""
        found: dict[str, tuple[str, datetime]] = {}
        for tag in self.tags(dataset):
            kind, _, when = tag.partition("_")
            if kind.startswith("auto-"):
                moment = datetime.strptime(when, "%Y-%m-%dT%H.%M.%SZ").replace(tzinfo=UTC)
                found[tag] = (kind.removeprefix("auto-"), moment)
        return found

    def taken_after(self, dataset: str, moment: datetime) -> str:
        """The first one since `moment`, once the clock has taken it and its job has ended."""

        def new() -> str:
            return next((tag for tag, (_, at) in self.ours(dataset).items() if at >= moment), "")

        _, tag = until(new, limit_s=240, every_s=2)
        until(self._quiet, limit_s=240, every_s=2)
        return str(tag)

    def _quiet(self) -> bool:
        jobs = self.lab.console.get("jobs/?limit=5")["results"]
        return not any(job["state"] in {"queued", "running"} for job in jobs)


@pytest.fixture(scope="module")
def lab() -> Iterator[PoolLab]:
    """One machine, whose clock nobody else needs."""
    with Machine(build_image(built_release()), DISKS) as nas:
        nas.boot()
        yield PoolLab(nas)


@pytest.fixture
def nas(lab: PoolLab) -> Iterator[Clocked]:
    """A pool with three datasets at a moment in January 2027; right again afterwards."""
    clocked = Clocked(lab)
    clocked.set(_START)
    lab.create("tank", "mirror", 1, 2)
    for name in ("tank/home", "tank/home/ada", "tank/media"):
        lab.console.do("POST", "datasets/", {"name": name})
    yield clocked
    lab.tidy()
    clocked.set(datetime.now(UTC))


def steps() -> Iterator[datetime]:
    """Hours, days, then weeks: two months in all, and another one at the end.

    Each a little more: an age that is a whole count of periods would be decided by the seconds of the clock.
    """
    moment = _START
    more = timedelta(minutes=4)
    for count, step in ((6, timedelta(hours=1)), (7, timedelta(days=1)), (8, timedelta(days=7))):
        for _ in range(count):
            moment += step + more
            yield moment


def report(words: str) -> None:
    """A figure for the report of a run: shown with -s, or when a drill fails."""
    print(f"\n  {words}", flush=True)


def expected(taken: dict[str, tuple[str, datetime]], now: datetime) -> set[str]:
    """What the rule leaves, computed another way than the product does."""
    kept: set[str] = set()
    for place, tier in enumerate(_TIERS):
        counts = [(at, tag) for tag, (own, at) in taken.items() if _TIERS.index(own) >= place]
        counts.sort(reverse=True)
        kept |= {tag for _, tag in counts[: _COUNTS[tier]]}
        kept |= {tag for at, tag in counts if now - at <= _COUNTS[tier] * _PERIODS[tier]}
    return kept


def test_three_months_leave_just_what_the_policy_says(nas: Clocked) -> None:
    console = nas.lab.console
    console.do("POST", "snapshot-policies/", {"dataset": "tank", "policy": _POLICY})
    console.do("POST", "snapshot-policies/", {"dataset": "tank/media", "policy": "off"})
    taken: dict[str, tuple[str, datetime]] = {}
    first = nas.taken_after("tank/home/ada", _START)
    assert first.startswith("auto-monthly_")
    # Neither of these is the policy's: taken by hand, held, cloned, renamed, sent from elsewhere.
    nas.run(f"zfs snapshot tank/home@auto-hourly_2020-01-01T00.00.00Z; zfs hold keep tank/home@{first}")
    nas.run(f"zfs clone tank/home/ada@{first} tank/clone; zfs inherit nasweb:policy tank/clone")
    nas.run("zfs set nasweb:policy=off tank/clone")
    nas.run(f"zfs send -p tank@{first} | zfs receive -u tank/copy; zfs set nasweb:policy=hourly=1 tank/copy")
    ended = _START
    for moment in steps():
        nas.set(moment)
        tag = nas.taken_after("tank/home", moment)
        taken |= nas.ours("tank/home")
        ended = taken[tag][1]
    taken.pop("auto-hourly_2020-01-01T00.00.00Z")
    left = set(nas.ours("tank/home")) - {first, "auto-hourly_2020-01-01T00.00.00Z"}
    assert left == expected(taken, ended) - {first}
    assert "auto-hourly_2020-01-01T00.00.00Z" in nas.tags("tank/home")
    assert first in nas.tags("tank/home"), "it is held"
    assert first in nas.tags("tank/home/ada"), "it has a clone"
    assert first in nas.tags("tank/copy"), "it was received"
    assert nas.tags("tank/media") == []
    report(f"{len(taken)} taken over {(ended - _START).days} days, {len(left)} left")

    # What was renamed belongs to whoever renamed it.
    oldest = min(left, key=lambda tag: taken[tag][1])
    nas.run(f"zfs rename tank/home@{oldest} tank/home@before-the-upgrade")
    nas.set(ended + timedelta(days=40))
    nas.taken_after("tank/home", ended + timedelta(days=40))
    assert "before-the-upgrade" in nas.tags("tank/home")


def test_a_clock_that_jumps_to_2038_and_back_deletes_next_to_nothing(nas: Clocked) -> None:
    nas.lab.console.do("POST", "snapshot-policies/", {"dataset": "tank/home", "policy": _POLICY})
    moment = _START
    nas.taken_after("tank/home", _START)
    for _ in range(5):
        moment += timedelta(hours=1)
        nas.set(moment)
        nas.taken_after("tank/home", moment)
    before = set(nas.ours("tank/home"))
    far = datetime(2038, 1, 19, 3, 14, tzinfo=UTC)
    nas.set(far)
    nas.taken_after("tank/home", far)
    assert len(before - set(nas.ours("tank/home"))) <= 2
    still = set(nas.ours("tank/home")) & before
    nas.set(moment + timedelta(hours=1))
    until(lambda: any(moment < at < far for _, at in nas.ours("tank/home").values()), limit_s=240, every_s=2)
    assert still <= set(nas.ours("tank/home"))


def test_a_policy_outlives_the_machines_own_memory_and_what_was_missed_is_made_up_for(nas: Clocked) -> None:
    console = nas.lab.console
    console.do("POST", "snapshot-policies/", {"dataset": "tank/home", "policy": "hourly=24 daily=7"})
    nas.taken_after("tank/home", _START)
    before = len(nas.tags("tank/home"))
    nas.run("systemctl stop nasweb-worker")
    later = _START + timedelta(days=3, hours=2)
    nas.set(later)
    nas.run("systemctl start nasweb-worker")
    tag = nas.taken_after("tank/home", later)
    assert tag.startswith("auto-daily_")
    assert len(nas.tags("tank/home")) == before + 1
