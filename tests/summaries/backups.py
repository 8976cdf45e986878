"""Examples of plans of repositories and backups."""

from __future__ import annotations

import msgspec

from host.inventory import BackedUp, Backup, BackupRun, Backups, Repository
from host.repositories.settings import LocalFolder, RepositorySettings
from tests import made
from tests.summaries.asked import SECRET, asked

KEY = f"ssh-ed25519 {'A' * 68}"
PHOTOS = made.dataset("tank/photos", mounted="yes", mountpoint="/mnt/tank/photos")
EMPTY = made.inventory(pools=(made.pool("tank"),), datasets=(PHOTOS,))
STICK = Repository(
    name="stick", key="a" * 16, ready=True,
    settings=RepositorySettings(local=LocalFolder(path="/media/stick/backups")),
)  # fmt: skip
BACKUP = Backup(
    name="Photos", key="b" * 16, repository="stick",
    datasets=(BackedUp(guid=PHOTOS.guid, name="tank/photos"),),
)  # fmt: skip
RUN = BackupRun(
    run="c" * 16, action="backup", started_at="2026-11-21T12:00:00+00:00", repository="stick", backup="Photos"
)


def _with(repository: Repository, *backups: Backup) -> Backups:
    return Backups(repositories=(repository,), backups=backups)


FAR = msgspec.structs.replace(STICK, name="far", ready=False)
NAS = msgspec.structs.replace(EMPTY, backups=_with(STICK, BACKUP))
UNUSED = msgspec.structs.replace(EMPTY, backups=_with(STICK))
UNCONNECTED = msgspec.structs.replace(EMPTY, backups=_with(FAR))
RUNNING = msgspec.structs.replace(
    EMPTY,
    backups=_with(msgspec.structs.replace(STICK, running=RUN), msgspec.structs.replace(BACKUP, running=RUN)),
)
AT = {"host": "backup.example.org", "user": "nas", "path": "photos", "host_key": KEY}
BUCKET = {"host": "s3.example.org", "bucket": "photos", "access_key": "AKIA"}

EXAMPLES = {
    "repository.create": (
        asked(EMPTY, "repository.create", name="far", password=SECRET, sftp=AT),
        asked(EMPTY, "repository.create", name="stick", password=SECRET, local={"path": "/media/stick/b"}),
    ),
    "repository.import": (
        asked(
            EMPTY, "repository.import", name="cloud", password=SECRET, key=SECRET, s3=BUCKET, check_cron=None
        ),
    ),
    "repository.connect": (asked(UNCONNECTED, "repository.connect", name="far"),),
    "repository.remove": (asked(UNUSED, "repository.remove", name="stick"),),
    "repository.check": (asked(NAS, "repository.check", name="stick"),),
    "backup.create": (
        asked(UNUSED, "backup.create", name="Photos", repository="stick", datasets=["tank/photos"]),
    ),
    "backup.change": (asked(NAS, "backup.change", name="Photos", aim_hours=72),),
    "backup.delete": (asked(NAS, "backup.delete", name="Photos"),),
    "backup.run": (asked(NAS, "backup.run", name="Photos"),),
    "backup.stop": (asked(RUNNING, "backup.stop", run="c" * 16),),
    "backup.restore": (
        asked(
            NAS, "backup.restore", repository="stick", stored="d" * 64, path="2026/beach.jpg",
            dataset="tank/photos",
        ),
    ),
}  # fmt: skip
