"""What each native property means, in a sentence, and what changing it does not do (man zfsprops).

Names come from ZFS; a property without a sentence here is shown all the same.
"""

from __future__ import annotations

import msgspec


class Meaning(msgspec.Struct, frozen=True, kw_only=True):
    """Words for an owner. `unchanged` is empty where a change means all that it says."""

    words: str = ""
    unchanged: str = ""


_STORED = "What is stored stays as it is; only what is written from now on follows. To convert, copy it anew."
_MOUNT = "File systems below that are mounted keep the old value until they are mounted again."
_MEANINGS: dict[str, tuple[str, str]] = {
    "aclinherit": ("How NFSv4 ACL entries are passed on to new files.", "Existing files keep their ACLs."),
    "aclmode": ("What chmod does to an NFSv4 ACL.", "Existing ACLs stay until somebody calls chmod."),
    "acltype": (
        "Which kind of access list files can have: POSIX ones for SMB and NFS.",
        "Turned off, stored lists are ignored, not deleted.",
    ),
    "atime": ("Whether reading a file notes the time, which costs a write.", _MOUNT),
    "available": ("What can still be written to it and to all below it.", ""),
    "canmount": (
        "Whether it is mounted: on by itself, noauto by hand, off never.",
        "Turned on, it is not mounted at once.",
    ),
    "casesensitivity": ("Whether Photo and photo are two names.", ""),
    "checksum": ("What finds damaged blocks; fletcher4 unless chosen otherwise.", _STORED),
    "clones": ("The datasets that grew from a snapshot.", ""),
    "compression": ("How blocks are made smaller; lz4 is nearly free.", _STORED),
    "compressratio": ("How many times more would be stored without compression, snapshots included.", ""),
    "copies": ("How many copies of each block are kept, besides the redundancy of the pool.", _STORED),
    "createtxg": ("The pool's transaction in which it was made.", ""),
    "creation": ("When it was made.", ""),
    "dedup": (
        "Equal blocks are stored once, for much memory; hardly ever worth it.",
        "Turned off, what was deduplicated stays so, and so does its table.",
    ),
    "devices": ("Whether device files work in it.", _MOUNT),
    "direct": ("Whether programs can pass by the cache.", ""),
    "dnodesize": (
        "The size of what describes a file; auto suits many extended attributes.",
        "Existing files keep theirs.",
    ),
    "encryption": ("The cipher; off is plain text on the disks.", ""),
    "encryptionroot": ("The dataset whose key opens this one.", ""),
    "exec": ("Whether programs in it can be run.", _MOUNT),
    "filesystem_limit": ("How many datasets there may be below it.", "Those that are there already stay."),
    "guid": ("Its number, which a new name does not change.", ""),
    "keyformat": ("What its key looks like.", ""),
    "keylocation": ("Where its key comes from.", ""),
    "keystatus": ("Whether its key is loaded.", ""),
    "logbias": (
        "Whether synchronous writes go to the log device first (latency) or straight to their place.",
        "",
    ),
    "logicalreferenced": ("What its files would take without compression.", ""),
    "logicalused": ("What it and all below it would take without compression.", ""),
    "longname": ("Whether names may have up to 1023 bytes.", "Turned off, long names that exist stay."),
    "mounted": ("Whether its files can be reached now.", ""),
    "mountpoint": ("The folder in which its files appear. Those below it move along.", ""),
    "nbmand": ("Locks that keep others out, for SMB.", "Heeded when it is mounted again."),
    "normalization": ("Whether names that look the same are the same.", ""),
    "objsetid": ("Its number within the pool.", ""),
    "origin": ("The snapshot that it was cloned from, and depends on.", ""),
    "overlay": ("Whether it may be mounted over a folder that is not empty.", ""),
    "pbkdf2iters": ("How long it takes to try one passphrase.", ""),
    "prefetch": ("Whether ZFS reads ahead.", ""),
    "primarycache": (
        "What of it is kept in memory.",
        "What is in memory already stays until it is pushed out.",
    ),
    "quota": (
        "The most that it and all below it may take, snapshots included.",
        "What is stored beyond it stays.",
    ),
    "readonly": ("Whether nothing can be written.", "Turned off, " + _MOUNT[0].lower() + _MOUNT[1:]),
    "receive_resume_token": ("With which an interrupted transfer goes on.", ""),
    "recordsize": ("The largest block of a file: 1M for large files, 16K for databases.", _STORED),
    "redundant_metadata": ("How much metadata is kept twice.", _STORED),
    "refcompressratio": ("How many times more its own files would take without compression.", ""),
    "referenced": ("What its own files take; snapshots may share it.", ""),
    "refquota": (
        "The most that its own files may take, without snapshots and what is below.",
        "What is stored beyond it stays.",
    ),
    "refreservation": ("What is kept free for its own files.", ""),
    "relatime": ("Notes the time of reading once a day at most, where atime is on.", _MOUNT),
    "reservation": ("What is kept free for it and all below it.", ""),
    "secondarycache": ("What of it may go to the cache devices.", "What is there already stays."),
    "setuid": ("Whether programs in it can act as their owner.", _MOUNT),
    "sharenfs": ("ZFS's own NFS sharing; this console shares by itself.", ""),
    "sharesmb": ("ZFS's own SMB sharing; this console shares by itself.", ""),
    "snapdev": ("Whether snapshots of volumes appear as devices.", ""),
    "snapdir": (
        "Whether .zfs/snapshot is listed in its folder.",
        "Hidden, it can still be entered by its name.",
    ),
    "snapshot_limit": (
        "How many snapshots it and all below it may have.",
        "Those that are there already stay.",
    ),
    "snapshots_changed": ("When a snapshot was last made or destroyed.", ""),
    "special_small_blocks": (
        "Blocks up to this size are stored on the special vdev, if the pool has one.",
        _STORED,
    ),
    "sync": (
        "Whether programs wait until data is safe; disabled may lose the last seconds in a power cut.",
        "",
    ),
    "type": ("File system or volume.", ""),
    "used": ("What it and all below it take, snapshots included.", ""),
    "usedbychildren": ("What would be free if all below it went.", ""),
    "usedbydataset": ("What would be free if its own files went, and its snapshots before.", ""),
    "usedbyrefreservation": ("What is only kept free.", ""),
    "usedbysnapshots": ("What would be free if all its snapshots went.", ""),
    "utf8only": ("Whether names must be UTF-8.", ""),
    "version": ("The version of the file system; 5 is the newest.", "There is no way back to an older one."),
    "volblocksize": ("The block of a volume.", ""),
    "volmode": (
        "How a volume appears to the system.",
        "Heeded when the pool is imported again or the volume renamed.",
    ),
    "volsize": (
        "The size of the volume as programs see it.",
        "The file system inside does not grow with it.",
    ),
    "volthreading": (
        "Whether a volume works at several requests at a time.",
        "Heeded when the pool is imported again.",
    ),
    "written": ("What was written since the last snapshot.", ""),
    "xattr": ("Where extended attributes lie: sa with the file, dir in a hidden folder.", _STORED),
    "zoned": ("Whether a container has it to itself.", ""),
    "context": ("The SELinux label of all that is in it.", "Heeded when it is mounted again."),
    "defcontext": ("The SELinux label of files that have none.", "Heeded when it is mounted again."),
    "defer_destroy": ("Whether a snapshot goes as soon as nothing holds it.", ""),
    "filesystem_count": ("How many datasets there are below it, while a limit is set.", ""),
    "fscontext": ("The SELinux label of the file system itself.", "Heeded when it is mounted again."),
    "mlslabel": ("A label for systems that sort data by secrecy.", ""),
    "redact_snaps": ("The snapshots by which a stream was blacked out.", ""),
    "rootcontext": ("The SELinux label of its topmost folder.", "Heeded when it is mounted again."),
    "snapshot_count": ("How many snapshots there are in it and below, while a limit is set.", ""),
    "userrefs": ("How many holds keep a snapshot.", ""),
    "vscan": ("Whether a virus scanner is asked; unused on Linux.", ""),
}


def meaning(name: str) -> Meaning:
    """What is known of the property; empty words where nothing is."""
    words, unchanged = _MEANINGS.get(name, ("", ""))
    return Meaning(words=words, unchanged=unchanged)
