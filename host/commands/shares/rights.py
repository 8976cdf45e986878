"""Who may do what with the folders of datasets: a program of our own, which opens them safely.

`setfacl` and `chown` follow links, and somebody who may write into a share could put one in the way.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from host.commands.base import Command, DatasetName, PoolsCommand
from host.commands.files import FilePath
from host.commands.starting import RELEASE, START_S, begun, explained, last_line, python
from host.files.places import RIGHTS_REPORTS

_NUMBER = r"(?:[0-9]{1,10})?"
_ENTRY = rf"(?:user|group|mask|other):{_NUMBER}:[r-][w-][x-]"
AclText = Annotated[str, Meta(pattern=rf"\A{_ENTRY}(?:,{_ENTRY})*\Z", max_length=65_536)]
AccountNumber = Annotated[int, Meta(ge=0, le=4_294_967_294)]
RunId = Annotated[str, Meta(pattern=r"\A[0-9a-f]{16}\Z")]
RUNS = "nasweb-files-rights-"


def run_unit(run: str) -> str:
    """The unit that sets rights on all that lies in a folder."""
    return f"{RUNS}{run}.service"


def _direct(action: str, dataset: str, path: str) -> tuple[str, ...]:
    program = ("env", f"--chdir={RELEASE}", *python("rights"), action)
    return (*program, f"--dataset={dataset}", f"--path={path}")


class ReadFolderRights(Command, frozen=True, kw_only=True):
    """The owner, the group and both access control lists of a folder, as JSON; a `FileProblem` where there
    is none.
    """

    reads = True
    dataset: DatasetName
    path: FilePath = ""

    def argv(self) -> tuple[str, ...]:
        return _direct("read", self.dataset, self.path)


class SetFolderRights(PoolsCommand, frozen=True, kw_only=True):
    """Give a folder to a user and a group, and set its list; new files and folders in it begin with the same.

    What lies in it stays as it is. Status 3: it cannot be done, and why is on stderr.
    """

    dataset: DatasetName
    path: FilePath = ""
    owner: AccountNumber
    group: AccountNumber
    acl: AclText

    def argv(self) -> tuple[str, ...]:
        given = (f"--owner={self.owner}", f"--group={self.group}", f"--acl={self.acl}")
        return (*_direct("set", self.dataset, self.path), *given)


class ApplyRights(PoolsCommand, frozen=True, kw_only=True):
    """Set a list on all that lies in a folder, in a unit of its own that writes a report.

    It ends once the folder is open, and goes on in the background. Owners stay; of files that are no programs
    nobody gets the right to execute.
    """

    timeout_s = START_S
    run: RunId
    dataset: DatasetName
    path: FilePath = ""
    acl: AclText

    def argv(self) -> tuple[str, ...]:
        return (
            *begun(run_unit(self.run), f"Nasweb rights in {self.dataset}"),
            *python("apply_rights"),
            f"--run={self.run}",
            f"--dataset={self.dataset}",
            f"--path={self.path}",
            f"--acl={self.acl}",
        )

    def explained_by(self, said: str) -> Command | None:
        return explained(said, by=RightsUnitSaid(run=self.run))


class RightsUnitSaid(Command, frozen=True, kw_only=True):
    """The last line that such a unit's program wrote: why it refuses."""

    reads = True
    timeout_s = 20.0
    run: RunId

    def argv(self) -> tuple[str, ...]:
        return last_line(run_unit(self.run))


class StopApplyingRights(PoolsCommand, frozen=True, kw_only=True):
    """Ask for the end, and wait for it. What is set by then stays so."""

    timeout_s = 180.0
    good_exits = (0, 5)  # 5: it has ended
    run: RunId

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "stop", run_unit(self.run))


class ReadRightsReport(Command, frozen=True, kw_only=True):
    """The report of a run, as JSON; status 1 where there is none."""

    reads = True
    good_exits = (0, 1)
    run: RunId

    def argv(self) -> tuple[str, ...]:
        return ("cat", f"{RIGHTS_REPORTS}/{self.run}.json")


class ListRightsRuns(Command, frozen=True, kw_only=True):
    """The units of runs that go on now, as JSON."""

    reads = True

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "list-units", "--all", "--type=service", "--output=json", f"{RUNS}*")


Commands = (
    ReadFolderRights
    | SetFolderRights
    | ApplyRights
    | RightsUnitSaid
    | StopApplyingRights
    | ReadRightsReport
    | ListRightsRuns
)
