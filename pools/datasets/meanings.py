"""What each native property means, in a sentence, and what changing it does not do (man zfsprops).

Names come from ZFS; a property without a sentence here is shown all the same.
"""

from __future__ import annotations

import msgspec


class Meaning(msgspec.Struct, frozen=True, kw_only=True):
    """Words for an owner. `unchanged` is empty where a change means all that it says."""

    words: str = ""
    unchanged: str = ""


_STORED = "Only data written from now on is affected. To convert existing data, copy it."
_MOUNT = "File systems below that are mounted keep the old value until they are mounted again."
_MEANINGS: dict[str, tuple[str, str]] = {
    "aclinherit": ("How NFSv4 ACL entries are passed on to new files.", "Existing files keep their ACLs."),
    "aclmode": ("What chmod does to an NFSv4 ACL.", "Existing ACLs stay until somebody calls chmod."),
    "acltype": (
        "Which kind of access list files can have: POSIX ones for SMB and NFS.",
        "When turned off, existing lists are ignored, not deleted.",
    ),
    "atime": ("Whether reading a file updates its access time, which costs a write.", _MOUNT),
    "available": ("How much can still be written to it and everything below it.", ""),
    "canmount": (
        "When it is mounted: on automatically, noauto only by hand, off never.",
        "When turned on, it is not mounted immediately.",
    ),
    "casesensitivity": ("Whether Photo and photo are different names.", ""),
    "checksum": ("The checksum that detects damaged blocks; fletcher4 by default.", _STORED),
    "clones": ("The datasets cloned from a snapshot.", ""),
    "compression": ("The compression algorithm; lz4 costs almost nothing.", _STORED),
    "compressratio": ("The compression ratio, snapshots included.", ""),
    "copies": ("How many copies of each block are kept, besides the redundancy of the pool.", _STORED),
    "createtxg": ("The pool's transaction group in which it was created.", ""),
    "creation": ("When it was created.", ""),
    "dedup": (
        "Identical blocks are stored once, at the cost of a lot of memory; rarely worth it.",
        "When turned off, existing data stays deduplicated, and its table stays too.",
    ),
    "devices": ("Whether device files in it can be opened.", _MOUNT),
    "direct": ("Whether programs can bypass the cache.", ""),
    "dnodesize": (
        "The size of a file's metadata node; auto suits many extended attributes.",
        "Existing files keep theirs.",
    ),
    "encryption": ("The cipher; off means unencrypted on the disks.", ""),
    "encryptionroot": ("The dataset whose key unlocks this one.", ""),
    "exec": ("Whether programs stored in it can be run.", _MOUNT),
    "filesystem_limit": ("The limit on the number of datasets below it.", "Existing ones stay."),
    "guid": ("Its unique number, which renaming does not change.", ""),
    "keyformat": ("The format of its key.", ""),
    "keylocation": ("Where its key is read from.", ""),
    "keystatus": ("Whether its key is loaded.", ""),
    "logbias": (
        "Whether synchronous writes go to the log device first (latency) or straight to their place.",
        "",
    ),
    "logicalreferenced": ("The size of its files without compression.", ""),
    "logicalused": ("The size of it and everything below it without compression.", ""),
    "longname": ("Whether names may have up to 1023 bytes.", "When turned off, existing long names stay."),
    "mounted": ("Whether it is mounted now.", ""),
    "mountpoint": ("The folder in which its files appear. Datasets below it move with it.", ""),
    "nbmand": ("Mandatory locks, for SMB.", "Takes effect when it is next mounted."),
    "normalization": ("Whether names that look the same are treated as equal (Unicode normalization).", ""),
    "objsetid": ("Its number in the pool.", ""),
    "origin": ("The snapshot that it was cloned from, and depends on.", ""),
    "overlay": ("Whether it may be mounted over a folder that is not empty.", ""),
    "pbkdf2iters": ("How much work it takes to try one passphrase.", ""),
    "prefetch": ("Whether ZFS reads ahead.", ""),
    "primarycache": (
        "What the cache in memory keeps of it.",
        "What is cached already stays until it is evicted.",
    ),
    "quota": (
        "The limit for it and everything below it, snapshots included.",
        "Data already stored beyond the limit stays.",
    ),
    "readonly": ("Whether it is read-only.", "Turned off, " + _MOUNT[0].lower() + _MOUNT[1:]),
    "receive_resume_token": ("The token with which an interrupted transfer resumes.", ""),
    "recordsize": ("The largest block of a file: 1M for large files, 16K for databases.", _STORED),
    "redundant_metadata": ("How much of the metadata is stored twice.", _STORED),
    "refcompressratio": ("The compression ratio of its own files.", ""),
    "referenced": ("The size of its own files; snapshots may share it.", ""),
    "refquota": (
        "The limit for its own files, without snapshots and what is below.",
        "Data already stored beyond the limit stays.",
    ),
    "refreservation": ("The space reserved for its own files.", ""),
    "relatime": ("Updates access times at most once a day, where atime is on.", _MOUNT),
    "reservation": ("The space reserved for it and everything below it.", ""),
    "secondarycache": ("What of it may be stored on cache devices.", "What is cached already stays."),
    "setuid": ("Whether set-user-ID programs in it run as their owner.", _MOUNT),
    "sharenfs": ("ZFS's own NFS sharing; this console manages shares itself.", ""),
    "sharesmb": ("ZFS's own SMB sharing; this console manages shares itself.", ""),
    "snapdev": ("Whether snapshots of volumes appear as devices.", ""),
    "snapdir": (
        "Whether .zfs/snapshot is listed in its folder.",
        "When hidden, it can still be opened by name.",
    ),
    "snapshot_limit": (
        "The limit on the number of snapshots of it and everything below it.",
        "Existing ones stay.",
    ),
    "snapshots_changed": ("When a snapshot was last made or destroyed.", ""),
    "special_small_blocks": (
        "Blocks up to this size are stored on the special vdev, if the pool has one.",
        _STORED,
    ),
    "sync": (
        (
            "Whether programs wait until data is on disk; disabled may lose the last seconds of writes in "
            "a power cut."
        ),
        "",
    ),
    "type": ("File system or volume.", ""),
    "used": ("The space used by it and everything below it, snapshots included.", ""),
    "usedbychildren": ("The space used by everything below it.", ""),
    "usedbydataset": ("The space used by its own files, without its snapshots.", ""),
    "usedbyrefreservation": ("The space used by reservations alone.", ""),
    "usedbysnapshots": ("The space that deleting all its snapshots would free.", ""),
    "utf8only": ("Whether names must be UTF-8.", ""),
    "version": ("The version of the file system; 5 is the newest.", "There is no way back to an older one."),
    "volblocksize": ("The block size of a volume.", ""),
    "volmode": (
        "How a volume appears to the system.",
        "Takes effect when the pool is imported again or the volume is renamed.",
    ),
    "volsize": (
        "The size of the volume as its users see it.",
        "The file system inside it does not grow by itself.",
    ),
    "volthreading": (
        "Whether a volume handles several requests at the same time.",
        "Takes effect when the pool is imported again.",
    ),
    "written": ("How much has been written since the last snapshot.", ""),
    "xattr": ("Where extended attributes are stored: sa with the file, dir in a hidden folder.", _STORED),
    "zoned": ("Whether a container manages it.", ""),
    "context": ("The SELinux label of everything in it.", "Takes effect when it is next mounted."),
    "defcontext": ("The SELinux label of files that have none.", "Takes effect when it is next mounted."),
    "defer_destroy": ("Whether a snapshot is deleted as soon as nothing holds it.", ""),
    "filesystem_count": ("The number of datasets below it, while a limit is set.", ""),
    "fscontext": ("The SELinux label of the file system itself.", "Takes effect when it is next mounted."),
    "mlslabel": ("A sensitivity label for multilevel security systems.", ""),
    "redact_snaps": ("The snapshots by which a stream was redacted.", ""),
    "rootcontext": ("The SELinux label of its root folder.", "Takes effect when it is next mounted."),
    "snapshot_count": ("The number of snapshots of it and below it, while a limit is set.", ""),
    "userrefs": ("The number of holds on a snapshot.", ""),
    "vscan": ("Whether a virus scanner is called; unused on Linux.", ""),
}


def meaning(name: str) -> Meaning:
    """What is known of the property; empty words where nothing is."""
    words, unchanged = _MEANINGS.get(name, ("", ""))
    return Meaning(words=words, unchanged=unchanged)
