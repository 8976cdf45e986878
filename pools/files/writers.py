"""Who may make files in a dataset from the console: the NAS user of the same name as the account."""

from __future__ import annotations

from host.inventory import Inventory
from jobs.plan import Finding
from jobs.planning.findings import fault
from pools.files.reach import dataset_fault

NO_PERSON = "no-nas-user"


def why_not(inventory: Inventory, dataset: str, account: str) -> Finding | None:
    """Why this account can make nothing in that dataset; None where it can, as far as folders let it."""
    found = inventory.dataset(dataset)
    if found is None:
        return fault("unknown-dataset", "dataset", f"There is no dataset {dataset}.")
    if shut := dataset_fault(found):
        return shut
    if found.value("readonly") == "on":
        message = f"{dataset} is read-only. Set “readonly” to “off” to write into it."
        return fault("read-only", "dataset", message)
    person = inventory.accounts.person(account)
    if person is None:
        message = (
            "Uploads are written as the NAS user with the name of your account. "
            f"Add a NAS user called {account}."
        )
        return fault(NO_PERSON, "", message)
    if person.samba == "disabled":
        return fault("nas-user-disabled", "", f"The NAS user {account} is disabled. Enable it first.")
    return None
