"""`zfs get` of simulated ZFS without arguments: its usage with the table of properties."""

from __future__ import annotations

from host.base import Result
from host.commands.datasets.datasets import ZfsPropertyTable
from host.simulated.datasets.properties import NATIVE, Property
from host.simulated.handlers import always
from host.simulated.state import Machine

_HEAD = (
    "missing property argument\nusage:\n"
    '\tget [-rHp] [-j [--json-int]] [-d max] [-o "all" | field[,...]]\n'
    "\t    [-t type[,...]] [-s source[,...]]\n"
    '\t    <"all" | property[,...]> [filesystem|volume|snapshot|bookmark] ...\n\n'
    "The following properties are supported:\n\n"
    "\tPROPERTY              EDIT  INHERIT   VALUES\n\n"
)
_TAIL = (
    "\tuserused@...            NO       NO   <size>\n\tuserquota@...          YES       NO   <size> | none\n"
    "\twritten@<snap>          NO       NO   <size>\n"
    "\nSizes are specified in bytes with standard units such as K, M, G, etc.\n"
    "\nUser-defined properties can be specified by using a name containing a colon (:).\n"
)
_OF_RULES = {"size": "<size> | none", "count": "<count> | none", "mountpoint": "<path> | legacy | none"}
# What `zfs get` says of those whose rule here is another text, or none, and of those of snapshots alone.
_SAID = """\
available NO NO <size>
clones NO NO <dataset>[,...]
compressratio NO NO <1.00x or higher if compressed>
context YES NO <selinux context>
createtxg NO NO <uint64>
creation NO NO <date>
defcontext YES NO <selinux defcontext>
defer_destroy NO NO yes | no
encryption NO YES on | off | aes-128-ccm | aes-192-ccm | aes-256-ccm | aes-128-gcm | aes-192-gcm | aes-256-gcm
encryptionroot NO NO <filesystem | volume>
filesystem_count NO NO <count>
fscontext YES NO <selinux fscontext>
guid NO NO <uint64>
keyformat NO NO none | raw | hex | passphrase
keylocation YES NO prompt | <file URI> | <https URL> | <http URL>
keystatus NO NO none | unavailable | available
logicalreferenced NO NO <size>
logicalused NO NO <size>
mlslabel YES YES <sensitivity label>
mounted NO NO yes | no
objsetid NO NO <uint64>
origin NO NO <snapshot>
pbkdf2iters NO NO <iters>
prefetch YES YES none | metadata | all
receive_resume_token NO NO <string token>
recordsize YES YES 512 to 1M, power of 2
redact_snaps NO NO <snapshot>[,...]
refcompressratio NO NO <1.00x or higher if compressed>
referenced NO NO <size>
rootcontext YES NO <selinux rootcontext>
sharenfs YES YES on | off | NFS share options
sharesmb YES YES on | off | SMB share options
snapshot_count NO NO <count>
snapshots_changed NO NO <date>
special_small_blocks YES YES zero or 512 to 1M, power of 2
type NO NO filesystem | volume | snapshot | bookmark
used NO NO <size>
usedbychildren NO NO <size>
usedbydataset NO NO <size>
usedbyrefreservation NO NO <size>
usedbysnapshots NO NO <size>
userrefs NO NO <count>
version YES NO 1 | 2 | 3 | 4 | 5 | current
volblocksize NO YES 512 to 128k, power of 2
volsize YES NO <size>
written NO NO <size>
"""


def property_table(_machine: Machine) -> Result:
    """Those that nobody can set come first; ends with 2."""
    said = (line.split(" ", 3) for line in _SAID.splitlines())
    rows = {entry.name: _row(entry) for entry in NATIVE}
    rows |= {name: (edit, take, words) for name, edit, take, words in said}
    listed = sorted(rows.items(), key=lambda row: (row[1][:2] != ("NO", "NO"), row[0]))
    lines = "".join(
        f"\t{name:<22} {edit:>3}      {take:>3}   {words}\n" for name, (edit, take, words) in listed
    )
    return Result(exit=2, stdout="", stderr=_HEAD + lines + _TAIL)


def _row(entry: Property) -> tuple[str, str, str]:
    edit = "YES" if entry.rule and not entry.once else "NO"
    take = "YES" if entry.inherited or entry.once else "NO"
    return edit, take, _OF_RULES.get(entry.rule or "", entry.rule or "-")


HANDLERS = always(ZfsPropertyTable, property_table)
