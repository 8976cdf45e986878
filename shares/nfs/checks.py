"""What must hold of an export before it is rendered, and what somebody should know of it."""

from __future__ import annotations

from host.contents.clients import client_fault, is_wide
from host.inventory import Inventory, NfsClient, NfsShare
from jobs.planning.findings import Findings
from jobs.rights import ADMIN
from shares.datasets import check_dataset
from shares.serving import dataset_of
from shares.wording import machines, mounting


def check(share: NfsShare, inventory: Inventory, findings: Findings) -> None:
    """All that is wrong with `share`."""
    found = dataset_of(share, inventory)
    check_dataset(found, share.dataset, findings)
    if not share.clients:
        message = "Enter who may mount it: a host, an address, or a network such as 192.168.1.0/24."
        findings.error("nobody", "clients", message)
    seen: set[str] = set()
    for index, client in enumerate(share.clients):
        where = f"clients[{index}]"
        if fault := client_fault(client.host):
            findings.error("bad-client", f"{where}.host", fault)
        elif client.host.casefold() in seen:
            findings.error("given-twice", f"{where}.host", f"{client.host} is listed twice.")
        elif is_wide(client.host):
            message = f"{client.host} lets in every machine that can reach this one, from anywhere."
            findings.warning("wide-open", f"{where}.host", message)
        seen.add(client.host.casefold())
        if not client.security or len(set(client.security)) != len(client.security):
            message = "Choose one or more of sys, krb5, krb5i and krb5p, each once."
            findings.error("bad-value", f"{where}.security", message)
        elif "sys" not in client.security:
            message = (
                "Kerberos has to be set up on this machine and its clients; until then nobody can connect."
            )
            findings.warning("needs-kerberos", f"{where}.security", message)
        if client.squash == "none":
            message = (
                f"Root on {client.host} can read and change all files, no matter who owns them, and can "
                "leave programs there that run as root. Choose root squashing, or let an admin decide."
            )
            # To stop serving it is everybody's who may change shares.
            findings.warning("no-squash", f"{where}.squash", message, needs=ADMIN if share.enabled else None)
    if "sys" in {flavour for client in share.clients for flavour in client.security}:
        findings.info(
            "trusts-clients", "clients",
            "NFS trusts its clients about who somebody is: whoever has the owner's UID there is the owner.",
        )  # fmt: skip
    children = [one.name for one in inventory.below(found.name) if one.mounted] if found else []
    if children and not share.below:
        message = (
            f"{', '.join(children[:5])} appear as empty folders to clients, because they are not exported "
            "with it."
        )
        findings.warning("children-empty", "below", message)


def warn_of_heir(what: str, heir: NfsShare, findings: Findings) -> None:
    """That what an export gives up stays exported by the one above, whose clients may be root there."""
    root = rooted(heir.clients)
    message = f"{what} stays exported, as {included(heir)}.{root}"
    findings.warning("still-exported", "", message, needs=ADMIN if root else None)


def included(heir: NfsShare) -> str:
    """Who may do what with what that export includes, as a clause."""
    return f"the export of {heir.dataset} includes it: {mounting(heir.clients)}"


def rooted(clients: tuple[NfsClient, ...]) -> str:
    """A sentence where some of them may do all; empty where none may."""
    root = machines(one for one in clients if one.squash == "none")
    return f" Root on {root} may read and change every file there." if root else ""
