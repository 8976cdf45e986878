"""What changes for whom, in findings."""

from __future__ import annotations

from host.files import acl
from host.files.answers import FolderRights
from host.inventory import Accounts
from jobs.planning.findings import Findings
from shares.rights.effective import ORDER, Right, effective, person_of

_MOST = 60
_WORDS = {"none": "nothing", "some": "single bits", "read": "reading", "write": "reading and writing"}


def rights_of_people(rights: FolderRights, accounts: Accounts) -> dict[str, Right]:
    """What each person may do."""
    names = {number: name for name, number in accounts.gids.items()}
    return {one.name: effective(rights, one.name, person_of(one, accounts), names) for one in accounts.people}


def report_people(before: FolderRights, after: FolderRights, accounts: Accounts, findings: Findings) -> None:
    """Who gains what and who loses what."""
    now, then = rights_of_people(before, accounts), rights_of_people(after, accounts)
    changed = [name for name in now if now[name].level != then[name].level]
    changed.sort(key=lambda name: ORDER.index(then[name].level) > ORDER.index(now[name].level))
    for name in changed[:_MOST]:
        was, will = now[name].level, then[name].level
        if ORDER.index(will) > ORDER.index(was):
            findings.info("gains", "", f"{name} gains {_WORDS[will]}; before: {_WORDS[was]}.")
        else:
            findings.info("loses", "", f"{name} loses {_WORDS[was]}; after: {_WORDS[will]}.")
    if len(changed) > _MOST:
        findings.info("more-people", "", f"Access changes for {len(changed) - _MOST} more people.")
    for name, right in then.items():
        if right.because == "user" and _groups_give_more(after, name, accounts, right):
            message = f"{name} is in a group with more access, but only their own entry counts for them."
            findings.info("own-entry-counts", "", message)


def shut_out(before: FolderRights, after: FolderRights, accounts: Accounts) -> list[str]:
    """Who could read and will not."""
    now, then = rights_of_people(before, accounts), rights_of_people(after, accounts)
    return [name for name in now if now[name].level in {"read", "write"} and then[name].level == "none"]


def report_lines(before: FolderRights, after: FolderRights, accounts: Accounts, findings: Findings) -> None:
    """The entries that go and come, as getfacl would show them."""
    was, will = _lines(before, accounts), _lines(after, accounts)
    for line in was:
        if line not in will:
            findings.info("acl-removed", "", f"− {line}")
    for line in will:
        if line not in was:
            findings.info("acl-added", "", f"+ {line}")


def _groups_give_more(rights: FolderRights, name: str, accounts: Accounts, right: Right) -> bool:
    person = accounts.person(name)
    if person is None:
        return False
    alone = person_of(person, accounts)._replace(uid=-1)
    through_groups = effective(rights, name, alone, {})
    return through_groups.because == "group" and ORDER.index(through_groups.level) > ORDER.index(right.level)


def _lines(rights: FolderRights, accounts: Accounts) -> list[str]:
    users = {str(number): name for name, number in accounts.uids.items()}
    groups = {str(number): name for name, number in accounts.gids.items()}
    found = [f"owner: {users.get(str(rights.owner), rights.owner)}"]
    found.append(f"group: {groups.get(str(rights.group), rights.group)}")
    found += [_named(line, users, groups) for line in acl.lines(acl.parse(rights.access))]
    default = acl.lines(acl.parse(rights.default)) if rights.default else ()
    return found + [f"default:{_named(line, users, groups)}" for line in default]


def _named(line: str, users: dict[str, str], groups: dict[str, str]) -> str:
    kind, number, bits = line.split(":")
    names = users if kind == "user" else groups
    return f"{kind}:{names.get(number, number)}:{bits}"
