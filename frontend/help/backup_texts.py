"""The help of the pages about backups and repositories."""

from __future__ import annotations

BACKUPS: dict[str, str] = {
    "backups": (
        "Lists what is stored elsewhere, how old it is, and when it was last read back. Usually all of it"
        " is up to date and was proven within the month. Keep the passwords of repositories away from "
        "this machine: without them nobody can read what is stored."
    ),
    "backup-form": (
        "Chooses datasets, a repository, a time and how many states stay there. Usually one backup a "
        "night is enough. The first run sends everything and may take days on a slow line; later ones "
        "send what changed."
    ),
    "backup": (
        "Shows how a backup stands, what runs now and how the last runs went. Usually you only look here "
        "when an alert says that it is too old. Stopping a run loses nothing: the next one goes on from "
        "there."
    ),
    "repository-form": (
        "Sets up the place where backups are stored. Usually another machine with SSH, or a disk that you"
        " unplug. The password is shown only once: write it down before you go on."
    ),
    "repository": (
        "Shows a repository, its checks and what it holds. Usually it is checked every week. If a check "
        "finds damage, make a new repository elsewhere first, and remove this one only afterwards."
    ),
    "stored-files": (
        "Browses what is stored and brings files back. They appear under a new name beside what is there,"
        " so nothing is replaced. A whole dataset takes as long as the line needs to send it."
    ),
}
