"""How targets are spoken of: what to type on the other machine, and what a look at it found."""

from __future__ import annotations

import re
import shlex

from host.commands.peering.peers import RECEIVE
from host.pairing.probed import Probed
from host.replication.values import Target
from jobs.wording import listed

PORT, USER = 22, "nasweb"
_USER = re.compile(r"[a-z_][a-z0-9_\-]{0,31}")
_TROUBLES = {
    "name-unknown": "Its name was not found. Check the name, and whether this machine has a DNS server.",
    "unreachable": "It cannot be reached. Is it on, is its SSH server running, and is this its address?",
    "key-refused": "It refuses this machine's key.",
    "cut-off": "The connection was cut off.",
}


def user_fault(user: str) -> str:
    """Why nobody is called so there; empty where somebody may be."""
    if _USER.fullmatch(user):
        return ""
    return "An account's name has up to 32 small letters, digits, - and _, and begins with a letter."


def commands_there(target: Target, key: str) -> tuple[str, ...]:
    """What its owner types on another host, as root: an account with a key for this machine, and no more
    rights than replicas take."""
    user, dataset, home = target.user, shlex.quote(target.dataset), f"/var/lib/{target.user}"
    line = shlex.quote(f"restrict {key} nasweb")
    if user == "root":
        return (f"echo {line} >> /root/.ssh/authorized_keys",)
    return (
        f"useradd --system --create-home --home-dir {home} --shell /bin/sh {user}",
        f"install -d -m 0700 -o {user} {home}/.ssh",
        f"echo {line} >> {home}/.ssh/authorized_keys",
        f"zfs create -o canmount=off -o readonly=on {dataset}",
        f"zfs allow -u {user} {','.join(RECEIVE)} {dataset}",
    )


def probed_words(target: Target, found: Probed) -> str:
    """What a look found, and what helps, in one or two sentences."""
    if found.trouble == "host-key" and found.shown_keys:
        return (
            f"{target.host} shows another host key than the one you trust. Either it was installed anew, "
            "or somebody stands between. Compare the fingerprints before you trust it again."
            if target.host_keys
            else f"You have not trusted a host key of {target.host} yet."
        )
    if found.trouble == "host-key":
        return f"You have not trusted the host key of {target.host} yet."
    if found.trouble == "key-refused" and target.kind == "nasweb":
        return "It refuses this machine's key: it was unpaired there. Remove this target and pair them again."
    if found.trouble == "key-refused":
        return f"It refuses this machine's key. Type the commands below on {target.host}."
    if found.trouble is not None:
        return _TROUBLES[found.trouble]
    if found.zfs is None:
        said = f" It says: {found.said}" if found.said else ""
        return f"It answers, but has no OpenZFS that this account can use.{said}"
    if found.dataset == "missing":
        return f"It answers with OpenZFS {found.zfs}, but has no dataset {target.dataset} for this machine."
    if found.missing:
        return (
            f"It answers with OpenZFS {found.zfs}, but {target.user} lacks rights on {target.dataset}: "
            f"{listed(found.missing, most=30)}."
        )
    return f"It answers with OpenZFS {found.zfs}, and is ready for replicas."


def is_ready(found: Probed) -> bool:
    """Whether replicas can be sent there now."""
    return found.trouble is None and found.zfs is not None and found.dataset == "there" and not found.missing
