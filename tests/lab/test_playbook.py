"""The playbook on a running NAS: a second run finds nothing to do."""

import re

import pytest

from tests.lab.machine import Machine

pytestmark = pytest.mark.drill


def test_a_second_run_of_the_playbook_changes_nothing(machine: Machine) -> None:
    # The image was made with this release, and keeps it.
    play = "ansible-playbook -i localhost, -c local /root/release/ansible/site.yml"
    said = machine.run(play, timeout_s=5400).stdout
    recap = re.search(r"changed=(\d+) +unreachable=(\d+) +failed=(\d+)", said)
    assert recap is not None, said[-2000:]
    assert recap.groups() == ("0", "0", "0"), said[-4000:]
