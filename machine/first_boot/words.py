"""What the steps of the first boot are called, and why each matters."""

from __future__ import annotations

from machine.first_boot.state import Step

_WORDS: dict[Step, tuple[str, str]] = {
    "name": (
        "Name and time zone",
        """
        Other machines find this one by its name; snapshots and scrubs are scheduled in its time zone.""",
    ),
    "account": (
        "Your account",
        """
        The admin account, created when the machine was claimed.""",
    ),
    "boot": (
        "Second flash drive",
        """
        Flash drives fail without warning. With a second one holding the same system, either may fail and the
        machine keeps running.""",
    ),
    "network": (
        "Network",
        """
        An address that stays the same lets shares be found again after the router was off. A change that cuts
        you off is reverted after 60 s.""",
    ),
    "bays": (
        "Chassis and bays",
        """
        When a disk fails you need to know which bay to open. Describe the case and map its bays now: it takes
        a minute, and is hard to do later.""",
    ),
    "pool": (
        "First pool",
        """
        A pool combines disks into one storage space that survives the failure of some of them. All your data
        is stored in pools.""",
    ),
    "share": (
        "First share",
        """
        A folder of the pool that Windows, macOS and Linux can open, and the people who may use it.""",
    ),
    "notifications": (
        "Notifications",
        """
        A pool survives a failed disk only if somebody replaces it. Have the machine notify you, by e-mail or
        on your phone.""",
    ),
}


def title_of(step: Step) -> str:
    """What the step is called."""
    return _WORDS[step][0]


def why(step: Step) -> str:
    """Why it matters."""
    return " ".join(_WORDS[step][1].split())
