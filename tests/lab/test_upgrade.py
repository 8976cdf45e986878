"""A second release over one that runs: nothing is lost, a second run changes nothing, and a way leads back.

The second release is the first one under another number, and with one more migration. Installing it makes a
Python environment in the emulated machine, which takes its time.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.lab.builder import build_image, built_release
from tests.lab.clients import Clients
from tests.lab.console import Console
from tests.lab.disks import sata
from tests.lab.machine import Machine
from tests.lab.new_machine import SMALL, TIMEOUT_S, failed_units, refresh_inventory, rows, wait_until_up
from tests.lab.pool_life import until

pytestmark = pytest.mark.drill
ANNA = "words of anna"
_INSTALL_S = 3600.0
_SECOND, _MIGRATION = "/root/second", "9000_drill"
_DATABASE = "/var/lib/nasweb/nasweb.sqlite3"
_DRILLED = "select count(*) from sqlite_master where name = 'drill_marker'"
_TEXT = '''"""What a later release might bring."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("machine", "{before}")]
    operations = [migrations.RunSQL("CREATE TABLE drill_marker (id integer)", "DROP TABLE drill_marker")]
'''


class Nas:
    """A machine that is in use, and the numbers of both releases."""

    def __init__(self, machine: Machine, first: str) -> None:
        self.machine = machine
        self.console = Console(machine)
        self.first, self.second = first, f"{first}.drill"
        refresh_inventory(self.console)

    def version(self, link: str = "current") -> str:
        """The release that a link leads to."""
        return self.machine.run(["readlink", f"/opt/nasweb/{link}"]).stdout.strip().rpartition("/")[2]

    def play(self, release: str) -> tuple[int, int]:
        """Run a release's own playbook: how many things changed, and how many failed."""
        line = f"ansible-playbook -i localhost, -c local {release}/ansible/site.yml"
        said = self.machine.run(line, timeout_s=_INSTALL_S).stdout
        recap = re.search(r"changed=(\d+) +unreachable=0 +failed=(\d+)", said)
        assert recap is not None, said[-4000:]
        return int(recap[1]), int(recap[2])

    def settings(self) -> dict[str, Any]:
        """What must be the same under every release."""
        wait_until_up(self.machine)
        refresh_inventory(self.console)
        get = self.console.get
        return {
            "pool": (get("pools/tank/")["guid"], get("pools/tank/")["health"]),
            "people": [(one["name"], one["uid"]) for one in get("users/")["results"]],
            "shares": [(one["name"], one["dataset"]) for one in get("shares/smb/")["results"]],
            "accounts": rows(self.machine, "select username from accounts_user"),
        }

    def hands_out(self, name: str) -> bool:
        """Whether anna reads a file that she put there before, and puts another one there."""
        clients = Clients(self.machine)
        clients.come()
        clients.know("anna", ANNA)
        until(lambda: clients.smb("films", "ls", person="anna").exit == 0, limit_s=TIMEOUT_S, every_s=2)
        said = clients.smb("films", f"get first /var/tmp/{name}; put /var/tmp/{name} {name}", person="anna")
        return said.exit == 0 and clients.run(f"cmp /var/tmp/first /var/tmp/{name}").exit == 0


@pytest.fixture(scope="module")
def nas() -> Iterator[Nas]:
    """A machine with a pool, a person and a share."""
    release = built_release()
    assert release is not None, "There is no release. Run: make release"
    disks = tuple(sata(number, size_bytes=SMALL) for number in (1, 2))
    with Machine(build_image(release), disks) as machine:
        machine.boot()
        wait_until_up(machine)
        found = Nas(machine, (release / "VERSION").read_text().strip())
        furnish(found)
        yield found


def furnish(nas: Nas) -> None:
    """A share with a file in it."""
    do = nas.console.do
    ids = [disk["id"] for disk in nas.console.get("disks/")["results"] if disk["transport"] == "sata"]
    do("POST", "pools/", {"name": "tank", "vdevs": [{"role": "data", "layout": "mirror", "disks": ids}]})
    do("POST", "users/", {"name": "anna", "password": ANNA})
    do(
        "POST",
        "shares/folder/",
        {"dataset": "tank/films", "create": True, "name": "films", "write": ["anna"]},
    )
    clients = Clients(nas.machine)
    clients.come()
    clients.know("anna", ANNA)
    clients.run("head -c 10000000 /dev/urandom > /var/tmp/first")
    said = clients.smb("films", "put /var/tmp/first first", person="anna")
    assert said.exit == 0, said


@pytest.fixture(scope="module")
def second(nas: Nas, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder of the second release on the machine, not yet installed."""
    release = built_release()
    assert release is not None
    folder: Path = tmp_path_factory.mktemp("release") / "second"
    shutil.copytree(release, folder, symlinks=True)
    (folder / "VERSION").write_text(f"{nas.second}\n")
    migrations = folder / "machine" / "migrations"
    before = max(path.stem for path in migrations.glob("[0-9]*.py"))
    (migrations / f"{_MIGRATION}.py").write_text(_TEXT.format(before=before))
    nas.machine.copy(folder, _SECOND)
    return _SECOND


def test_there_is_no_way_back_from_the_first_release(nas: Nas) -> None:
    refused = nas.machine.run(["nasweb-release", "back", "--yes"], check=False)
    assert (refused.exit, refused.stderr) == (1, "There is no other release to go back to.\n")
    assert nas.machine.run(["nasweb-release"]).stdout == f"{nas.first} runs\n"


def test_an_upgrade_keeps_everything(nas: Nas, second: str) -> None:
    before = nas.settings()
    changed, failed = nas.play(second)
    assert (changed > 0, failed) == (True, 0)
    assert (nas.version(), nas.version("previous")) == (nas.second, nas.first)
    assert nas.settings() == before
    assert rows(nas.machine, _DRILLED) == ["1"]
    assert nas.hands_out("after-upgrade")
    assert failed_units(nas.machine) == ""


def test_a_second_run_changes_nothing(nas: Nas, second: str) -> None:
    assert nas.play(second) == (0, 0)


def test_going_back_is_announced_first(nas: Nas) -> None:
    said = nas.machine.run(["nasweb-release", "back"]).stdout
    assert f"From {nas.second} back to {nas.first}." in said
    assert "The database becomes that of" in said
    assert said.endswith("Nothing was done. Add --yes to do it.\n")
    assert nas.version() == nas.second


def test_the_way_back_leads_to_what_was_there(nas: Nas) -> None:
    before = nas.settings()
    # Set since the upgrade: the release before never knew of it, and the pool keeps the files.
    nas.console.do("POST", "datasets/", {"name": "tank/late"})
    said = nas.machine.run(["nasweb-release", "back", "--yes"], timeout_s=_INSTALL_S).stdout
    assert said.endswith(f"{nas.first} runs again.\n"), said[-4000:]
    assert (nas.version(), nas.version("previous")) == (nas.first, nas.second)
    assert nas.settings() == before
    assert rows(nas.machine, _DRILLED) == ["0"]
    assert "tank/late" in [one["name"] for one in nas.console.get("datasets/?limit=1000")["results"]]
    assert nas.hands_out("after-going-back")
    assert failed_units(nas.machine) == ""
    kept = nas.machine.run(f"ls {_DATABASE}*").stdout.split()
    assert f"{_DATABASE}.left-{nas.second}" in kept
    assert f"{_DATABASE}.before-{nas.second}" not in kept


def test_after_that_its_own_playbook_changes_nothing(nas: Nas) -> None:
    assert nas.play(f"/opt/nasweb/releases/{nas.first}") == (0, 0)


def test_the_upgrade_can_be_made_again(nas: Nas, second: str) -> None:
    before = nas.settings()
    began = int(nas.machine.run("date +%s").stdout)
    changed, failed = nas.play(second)
    assert (changed > 0, failed) == (True, 0)
    assert (nas.version(), nas.settings()) == (nas.second, before)
    assert rows(nas.machine, _DRILLED) == ["1"]
    # Its copy of the database is of now, not of the first upgrade.
    assert int(nas.machine.run(["stat", "-c", "%Y", f"{_DATABASE}.before-{nas.second}"]).stdout) >= began


def test_it_starts_with_it(nas: Nas) -> None:
    nas.machine.reboot()
    assert nas.settings()["pool"][1] == "healthy"
    assert nas.hands_out("after-a-start")
    assert failed_units(nas.machine) == ""
