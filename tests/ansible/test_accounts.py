"""The group that all people of the shares are in is made as the console knows it."""

from pathlib import Path
from typing import Any

import yaml

from host.inventory import Sharing
from host.inventory.people import EVERYBODY, EVERYBODY_GID, FIRST_PERSON, LAST_GROUP
from shares import discovery
from shares.sealing import is_ours
from tests import made

ROLES = Path(__file__).parents[2] / "ansible" / "roles"


def test_the_group_of_all_people_has_its_number_outside_their_ranges() -> None:
    steps: list[dict[str, Any]] = yaml.safe_load((ROLES / "accounts" / "tasks" / "main.yml").read_text())
    made = [step["ansible.builtin.group"] for step in steps if "ansible.builtin.group" in step]
    assert {"name": EVERYBODY, "gid": EVERYBODY_GID} in made
    assert not FIRST_PERSON <= EVERYBODY_GID <= LAST_GROUP


def test_what_serves_shares_is_installed_and_off_until_something_is_shared() -> None:
    steps: list[dict[str, Any]] = yaml.safe_load((ROLES / "shares" / "tasks" / "main.yml").read_text())
    (packages,) = [step["vars"]["base_wanted"] for step in steps if "base_wanted" in step.get("vars", {})]
    assert packages == ["acl", "avahi-daemon", "nfs-kernel-server", "samba", "smbclient", "wsdd2"]
    base = yaml.safe_load((ROLES / "base" / "defaults" / "main.yml").read_text())["base_packages"]
    assert not set(packages) & set(base)  # or they would be there before it is checked whether they are new


def test_the_announcement_is_installed_as_the_console_writes_it_without_shares() -> None:
    installed = (ROLES / "shares" / "files" / "nasweb.service").read_text()
    assert installed == discovery.render(Sharing(), made.inventory())
    assert is_ours(installed)
