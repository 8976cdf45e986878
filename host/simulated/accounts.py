"""The accounts of a simulated machine: some that Debian has from the beginning."""

from __future__ import annotations

PASSWD = (
    "root:x:0:0:root:/root:/bin/bash\n"  # noqa: S105
    "games:x:5:60:games:/usr/games:/usr/sbin/nologin\n"
    "backup:x:34:34:backup:/var/backups:/usr/sbin/nologin\n"
    "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n"
)
GROUP = "root:x:0:\nbackup:x:34:\ngames:x:60:\nusers:x:100:\nnogroup:x:65534:\n"
