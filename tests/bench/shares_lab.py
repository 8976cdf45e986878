"""On the virtual NAS: a change of one of 200 shares, with Samba's own testparm, reload and answer."""

from __future__ import annotations

from datetime import datetime
from statistics import median
from typing import Any

from host.inventory.people import EVERYBODY_GID, FIRST_PERSON
from tests.bench.journal import commands
from tests.bench.timing import show
from tests.lab.builder import build_image, built_release
from tests.lab.console import Console
from tests.lab.disks import HOME
from tests.lab.machine import Machine

SHARES, PEOPLE, FOLDERS, CHANGES = 200, 500, 10, 5
_RELOAD = ["systemctl", "reload", "smbd"]
# A job or a command each would take an hour on an emulated machine: the accounts and rows are put where
# jobs put them, and the first change of one share has all of them served.
_PEOPLE = f"""
none=$(printf %032d 0) never=XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX
for n in $(seq -w 0 {PEOPLE - 1}); do
  uid=$(({FIRST_PERSON} + 1$n - 1000))
  echo "bench$n:x:$uid:{EVERYBODY_GID}::/nonexistent:/usr/sbin/nologin" >> /etc/passwd
  echo "bench$n:$uid:$never:$none:[U          ]:LCT-00000000:"
done > /root/bench-people
pwconv
pdbedit --import=smbpasswd:/root/bench-people > /dev/null
"""
_ROWS = f"""
from jobs import cache
from shares.models import SmbShareRow
found = cache.current()
for number in range({SHARES}):
    one = found.dataset(f"tank/shared/d{{number % {FOLDERS}}}")
    value = {{"read": ["@nasweb-people"], "write": [f"bench{{number:03}}"]}}
    SmbShareRow.objects.create(name=f"Bench {{number:03}}", guid=one.guid, dataset=one.name, value=value)
"""


def measure() -> None:
    """Boot a NAS of its own for this."""
    with Machine(build_image(built_release()), HOME) as machine:
        machine.boot()
        machine.wait_until("curl -fks https://127.0.0.1/accounts/login/ > /dev/null", timeout_s=300)
        console = Console(machine)
        console.fresh()
        disks = [d["id"] for d in console.get("disks/")["results"] if d["id"].startswith("ata-WDC_WD30EFRX")]
        vdevs = [{"role": "data", "layout": "mirror", "disks": disks[:2]}]
        console.do("POST", "pools/", {"name": "tank", "vdevs": vdevs})
        _fill(machine, console)
        _time(machine, console)


def _time(machine: Machine, console: Console) -> None:
    """Seconds from the submission of a change to its job's end."""
    before = len(commands(machine))
    changes = [{"comment": f"Number {number}"} for number in range(CHANGES)]
    jobs = [console.do("PATCH", "shares/smb/Bench%20100/", change) for change in changes]
    ran = commands(machine)[before:]
    reloads = [float(one["duration_s"]) for one in ran if one["argv"] == _RELOAD]
    assert len(reloads) == CHANGES, "each job reloads Samba once"
    whole = [_seconds(job) for job in jobs]
    beyond = [job - reload for job, reload in zip(whole, reloads, strict=True)]
    how = (
        f"median of {CHANGES}, worst {max(beyond):.1f}; {SHARES} shares, {PEOPLE} people, with testparm, both"
        f" probes and Samba's answer; the reload itself {median(reloads):.2f}"
        f" (the same on a simulated machine: python -m tests.bench.shares)"
    )
    show("change of a share, beyond Samba's reload", median(beyond), aim=5, unit="s", how=how)


def _fill(machine: Machine, console: Console) -> None:
    machine.run(
        f"zfs create tank/shared; for n in $(seq 0 {FOLDERS - 1}); do zfs create tank/shared/d$n; done",
        timeout_s=300,
    )
    machine.run(_PEOPLE, timeout_s=600)
    console.fresh()
    machine.run(["nasweb", "shell", "--command", _ROWS], timeout_s=300)
    console.fresh()  # the console reads what jobs did not write with its next probe
    console.do("PATCH", "shares/smb/Bench%20100/", {"comment": "The first change serves them all"})
    served = machine.run("testparm --suppress-prompt 2> /dev/null | grep --count '^.Bench '").stdout
    assert int(served) == SHARES, served
    known = machine.run("pdbedit --list | grep --count ^bench").stdout
    assert int(known) == PEOPLE, known


def _seconds(job: dict[str, Any]) -> float:
    ended, submitted = (datetime.fromisoformat(job[name]) for name in ("finished_at", "submitted_at"))
    return (ended - submitted).total_seconds()


if __name__ == "__main__":
    measure()
