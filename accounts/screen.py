"""What the console has to say on the machine's own screen: the code, while there is no account.

It lies in a file in memory that only this account and the greeting (`host.programs.greeting`) can read; that
program reads it whenever it changes. It is never printed or logged.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from django.conf import settings


def there() -> Path | None:
    """The file; None where no screen is read, as on a simulated machine."""
    return settings.NASWEB_SCREEN


def show(code: str) -> None:
    """Put `code` there in one step. Raises `OSError`."""
    path = there()
    if path is None:
        return
    new = path.with_name(f".{path.name}.new")
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o640), "w") as file:
        file.write(f"{code}\n")
    new.replace(path)


def clear() -> None:
    """Remove it: there is an account."""
    path = there()
    if path is not None:
        with suppress(OSError):
            path.unlink(missing_ok=True)
