"""The help of the pages about replication."""

from __future__ import annotations

REPLICATION: dict[str, str] = {
    "targets": (
        "Lists where replicas of this machine's data lie, and which machines replicate to this one. Usually "
        "you add another Nasweb or a disk that you keep elsewhere. A copy in the same house burns with it: "
        "let one be far away."
    ),
    "target-form": (
        "Adds a place for replicas. Another Nasweb is paired by a code; another host gets an account with "
        "few rights; a pool of this machine can be on a disk that is unplugged. Only another machine "
        "still has the data when this one is stolen."
    ),
    "target": (
        "Shows whether replicas can be sent there now, and what is missing. Usually you compare the host key "
        "once and then look here when a replication fails. Never trust another host key because it is in the "
        "way: find out first why it changed."
    ),
    "target-change": (
        "Changes what a target is called and how it is reached. Usually another machine got a new address. "
        "Its host key stays the one that you trust: at the new address, too, nobody else is sent anything."
    ),
    "pairing-form": (
        "Makes a place where another Nasweb keeps its replicas. Usually it is a dataset of its own with a "
        "quota. All below it is the other machine's to write, and nothing else."
    ),
    "pairing": (
        "Shows the code by which another Nasweb is paired, and what that may do here. The code is valid for "
        "10 minutes and one use: type it at the other machine. Whoever has it in that time can write below "
        "this one dataset."
    ),
}
