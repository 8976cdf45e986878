"""Files and folders that people make from the console: a program of our own makes them with their rights."""

from __future__ import annotations

from host.commands.base import Command, DatasetName, PoolsCommand
from host.commands.files import FilePath, FilesUnitSaid, Ticket, upload_unit
from host.commands.starting import AT_ONCE_S, RELEASE, begun, explained, python
from host.families import NOTHING
from host.files.places import HANDED_OUT
from host.inventory.people import AccountName


class ReceiveFiles(Command, frozen=True, kw_only=True):
    """Let the console make files and folders in a dataset, as one person and with no other rights.

    It ends once the program listens; that goes on until nobody has sent anything for a while. What it is sent
    comes through a socket that only the console's own account can use.
    """

    timeout_s = AT_ONCE_S
    touches = NOTHING
    ticket: Ticket
    dataset: DatasetName
    person: AccountName

    def argv(self) -> tuple[str, ...]:
        folder = f"{HANDED_OUT}/{self.ticket}"
        unit, runtime = upload_unit(self.ticket), f"RuntimeDirectory={folder.removeprefix('/run/')}"
        described = f"Nasweb uploads of {self.person} into {self.dataset}"
        return (
            *begun(unit, described, f"--property={runtime}", within_s=AT_ONCE_S),
            *python("uploads.receive"),
            f"--socket={folder}/socket",
            f"--dataset={self.dataset}",
            f"--person={self.person}",
        )

    def explained_by(self, said: str) -> Command | None:
        return explained(said, by=FilesUnitSaid(what="upload", key=self.ticket))


class ForgetUpload(PoolsCommand, frozen=True, kw_only=True):
    """Remove what arrived of a file that nobody sent to its end. Status 3: that cannot be, and why."""

    dataset: DatasetName
    folder: FilePath = ""
    upload: Ticket

    def argv(self) -> tuple[str, ...]:
        program = ("env", f"--chdir={RELEASE}", *python("uploads.forget"))
        return (*program, f"--dataset={self.dataset}", f"--folder={self.folder}", f"--upload={self.upload}")


Commands = ReceiveFiles | ForgetUpload
