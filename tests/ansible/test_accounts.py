"""The group that all people of the shares are in is made as the console knows it."""

from pathlib import Path
from typing import Any

import yaml

from host.inventory.people import EVERYBODY, EVERYBODY_GID, FIRST_PERSON, LAST_GROUP

ROLES = Path(__file__).parents[2] / "ansible" / "roles"


def test_the_group_of_all_people_has_its_number_outside_their_ranges() -> None:
    steps: list[dict[str, Any]] = yaml.safe_load((ROLES / "accounts" / "tasks" / "main.yml").read_text())
    made = [step["ansible.builtin.group"] for step in steps if "ansible.builtin.group" in step]
    assert {"name": EVERYBODY, "gid": EVERYBODY_GID} in made
    assert not FIRST_PERSON <= EVERYBODY_GID <= LAST_GROUP


def test_the_programs_that_accounts_and_shares_need_are_installed() -> None:
    packages = yaml.safe_load((ROLES / "base" / "defaults" / "main.yml").read_text())["base_packages"]
    assert {"acl", "samba", "smbclient"} <= set(packages)
    assert packages == sorted(packages)
