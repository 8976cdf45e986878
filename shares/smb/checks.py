"""What must hold of a share of SMB before it is rendered, and what somebody should know of it."""

from __future__ import annotations

import re

from host.contents.smb_names import comment_fault, share_name_fault
from host.contents.smb_parameters import extra_fault
from host.inventory import Inventory, Sharing, SmbShare
from host.inventory.people import EVERYBODY
from jobs.planning.findings import Findings
from shares.datasets import check_dataset
from shares.serving import dataset_of

_SECTION = re.compile(r"^\s*\[(?P<name>[^\]\n]*)\]", re.MULTILINE)
_LEAST_BACKUP_BYTES = 1 << 30


def check(share: SmbShare, sharing: Sharing, inventory: Inventory, findings: Findings) -> None:
    """All that is wrong with `share`, which belongs beside the others of `sharing`."""
    _check_name(share, sharing, inventory, findings)
    if fault := comment_fault(share.comment):
        findings.error("bad-value", "comment", fault)
    for name, value in share.extra.items():
        if fault := extra_fault(name, value):
            findings.error("bad-parameter", f"extra.{name}", fault)
    check_dataset(dataset_of(share, inventory), share.dataset, findings)
    _check_people(share, inventory, findings)
    _check_guests(share, sharing, findings)
    _check_purpose(share, findings)


def foreign_sections(smb_conf: str) -> frozenset[str]:
    """The shares that Debian's own smb.conf has, in lower case."""
    return frozenset(found["name"].strip().casefold() for found in _SECTION.finditer(smb_conf))


def others_shares(smb_conf: str) -> frozenset[str]:
    """Those of them that somebody put there: Debian's file comes with three sections that share nothing."""
    return foreign_sections(smb_conf) - {"global", "homes", "printers", "print$"}


def _check_name(share: SmbShare, sharing: Sharing, inventory: Inventory, findings: Findings) -> None:
    if fault := share_name_fault(share.name):
        findings.error("bad-name", "name", fault)
        return
    same = [one for one in sharing.smb if one.name.casefold() == share.name.casefold() and one is not share]
    if any(one.id != share.id or not share.id for one in same):
        findings.error("name-taken", "name", f"There is a share {same[0].name} already.")
    elif share.name.casefold() in foreign_sections(inventory.served.smb_conf):
        findings.error("name-taken", "name", f"{share.name} is defined in /etc/samba/smb.conf already.")


def _check_people(share: SmbShare, inventory: Inventory, findings: Findings) -> None:
    accounts = inventory.accounts
    for field in ("read", "write"):
        for index, name in enumerate(getattr(share, field)):
            where = f"{field}[{index}]"
            if name == f"@{EVERYBODY}":
                continue
            if name.startswith("@"):
                if accounts.group(name[1:]) is None:
                    findings.error("unknown-group", where, f"There is no group {name[1:][:60]}.")
                continue
            person = accounts.person(name)
            if person is None:
                findings.error("unknown-person", where, f"There is no person {name[:60]}.")
            elif person.samba == "none":
                message = f"{name} has no password yet, and cannot sign in until one is set."
                findings.warning("no-password", where, message)
    if not share.read and not share.write and share.guests == "no":
        findings.error(
            "nobody", "write", "Nobody could use it. Select people or groups that may read or write."
        )


def _check_guests(share: SmbShare, sharing: Sharing, findings: Findings) -> None:
    if share.guests == "no":
        return
    if share.encryption == "required":
        findings.error(
            "guests-in-clear", "encryption", "Guest connections cannot be encrypted: choose one or the other."
        )
    if sharing.settings.signing:
        message = "Signing is required for all shares, and guests cannot sign, so they would be refused."
        findings.error("guests-unsigned", "guests", message)
    if share.purpose == "homes":
        findings.error(
            "homes-for-guests", "guests", "A folder for each person needs people with accounts, not guests."
        )
    if share.guests == "write":
        message = (
            "Everybody on the network can change and delete all files in it, without a name or password."
        )
        findings.warning("guests-write", "guests", message)
    else:
        findings.info("guests-read", "guests", "Everybody on the network can read all files in it.")
    message = "Windows 11 and Windows Server refuse guest shares unless configured to allow them."
    findings.info("guests-windows", "guests", message)


def _check_purpose(share: SmbShare, findings: Findings) -> None:
    if share.purpose != "time-machine":
        if share.most_bytes is not None:
            findings.error(
                "not-time-machine", "most_bytes", "Only a share for Time Machine has a size of its own."
            )
        return
    if not share.write:
        findings.error(
            "nobody", "write", "A Mac signs in with a person's name to write backups: select who may write."
        )
    if not share.macos:
        findings.error(
            "needs-macos", "macos", "Time Machine needs the metadata that a Mac stores beside its files."
        )
    if share.most_bytes is not None and share.most_bytes < _LEAST_BACKUP_BYTES:
        findings.error("too-small", "most_bytes", "Give it at least 1 GiB.")
    if share.most_bytes is None:
        message = "A Mac fills all available space. Give the share a size, or the dataset a quota."
        findings.warning("no-size", "most_bytes", message)
