"""What the steps of the first boot are called, and why each matters."""

from __future__ import annotations

from machine.first_boot.state import Step

_WORDS: dict[Step, tuple[str, str]] = {
    "name": (
        "Name and time zone",
        """
        Other machines find this one by its name, and snapshots and scrubs go by its clock. The console speaks
        English only.""",
    ),
    "account": (
        "Your account",
        """
        It was made when the machine was claimed, and may do everything. Nobody can sign in without it.""",
    ),
    "boot": (
        "Second flash drive",
        """
        Flash drives die without a warning. With a second one that carries the same system, either may fail
        and the machine goes on and starts.""",
    ),
    "network": (
        "Network",
        """
        An address that stays the same lets shares be found again after the router was off. A change that cuts
        you off takes itself back after 60 s.""",
    ),
    "bays": (
        "Chassis and bays",
        """
        When a disk fails you will want to know which bay to open. Say what the case looks like, and teach
        which disk sits where: a minute's work now, and hard to do then.""",
    ),
    "pool": (
        "First pool",
        """
        A pool joins disks into one space that survives the failure of some of them. Everything that you store
        lives in one.""",
    ),
    "share": (
        "First share",
        """
        A folder of the pool that your computers see, with Windows, macOS or Linux, and the people who may use
        it.""",
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
