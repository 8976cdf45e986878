"""Names of files as text. A name is bytes to the kernel; here it is written so that no byte is lost.

Readable UTF-8 stays as it is. A percent sign, what cannot be printed (line feeds, marks that turn the
direction of writing) and bytes that are no UTF-8 are written as `%` and two hexadecimal digits each.
"""

from __future__ import annotations

import re

LONGEST_PATH = 4096  # bytes: PATH_MAX of Linux
LONGEST_TEXT = 3 * LONGEST_PATH
LONGEST_NAME = 255  # bytes: NAME_MAX of Linux
UNFINISHED = b".nasweb-upload-"  # begins the names of what has not arrived whole yet
_WINDOWS_LETTERS = '<>:"\\|?*'
_WINDOWS_PORTS = {f"{port}{number}" for port in ("COM", "LPT") for number in range(1, 10)}
_WINDOWS_NAMES = {"CON", "PRN", "AUX", "NUL", *_WINDOWS_PORTS}
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})|(%)")


class BadPath(ValueError):
    """This cannot be the path of a file in a dataset; the text says why and what helps."""


def shown(name: bytes) -> str:
    """A name, or a path, as text. `readable(shown(x)) == x` for every x."""
    return "".join(_escaped(letter) for letter in name.decode("utf-8", "surrogateescape"))


def _escaped(letter: str) -> str:
    if letter != "%" and letter.isprintable():
        return letter
    return "".join(f"%{byte:02X}" for byte in letter.encode("utf-8", "surrogateescape"))


def plain(text: str) -> str:
    """What people read of such a text: a name that can be printed is seen as it is, `100%` as `100%`.

    For the eye alone: a name with bytes that cannot be printed stays as `shown` has it.
    """
    try:
        name = readable(text).decode()
    except (BadPath, UnicodeDecodeError):
        return text
    return name if name.isprintable() else text


def readable(text: str) -> bytes:
    """The bytes behind such a text. Raises `BadPath`."""
    parts, end = [], 0
    for match in _ESCAPE.finditer(text):
        if match[2]:
            raise BadPath("A percent sign in a name is written %25.")
        parts += [_encoded(text[end : match.start()]), bytes.fromhex(match[1])]
        end = match.end()
    return b"".join((*parts, _encoded(text[end:])))


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise BadPath("This holds half of a character. Write such bytes as %XX.") from None


def components(text: str) -> tuple[bytes, ...]:
    """The names along a path from the dataset's own folder; none for that folder itself.

    Raises `BadPath` for whatever could lead elsewhere: `..`, `.`, an empty name, a hidden slash, a NUL, and
    for `.zfs` at the top, where ZFS shows snapshots.
    """
    if not text:
        return ()
    path = readable(text)
    if len(path) > LONGEST_PATH:
        raise BadPath(f"The path has {len(path)} bytes; Linux allows {LONGEST_PATH}.")
    if path.count(b"/") != text.count("/"):
        raise BadPath("No name can hold a slash.")
    names = tuple(path.split(b"/"))
    if b"" in names:
        raise BadPath(
            "A path starts at the dataset and has no empty part: “photos/2024”, without a slash at its ends."
        )
    if b"." in names or b".." in names:
        raise BadPath("“.” and “..” lead nowhere here: give the path from the dataset's own folder.")
    if b"\0" in path:
        raise BadPath("No name can hold a NUL byte.")
    if names[0] == b".zfs":
        raise BadPath("“.zfs” is where ZFS shows snapshots: choose the snapshot by its name instead.")
    return names


def joined(names: tuple[bytes, ...]) -> str:
    """The text of a path."""
    return shown(b"/".join(names))


def new_name(folder: str, text: str) -> bytes:
    """The name of something that is to be made in `folder`. Raises `BadPath`.

    What is there already may have any name; what is made here has one that people can read and type.
    """
    if not text:
        raise BadPath("Enter a name.")
    if "/" in text:
        raise BadPath("A name cannot contain a slash.")
    name = components(f"{folder}/{text}" if folder else text)[-1]
    if len(name) > LONGEST_NAME:
        raise BadPath(f"A name can have at most {LONGEST_NAME} bytes; this one has {len(name)}.")
    try:
        read = name.decode()
    except UnicodeDecodeError:
        raise BadPath("The name must be valid UTF-8.") from None
    if any(ord(letter) < 0x20 or 0x7F <= ord(letter) < 0xA0 for letter in read):
        raise BadPath("A name cannot contain control characters such as line feeds or tabs.")
    if name.startswith(UNFINISHED):
        raise BadPath(f"Names that begin with “{UNFINISHED.decode()}” are reserved for unfinished uploads.")
    return name


def windows_trouble(text: str) -> str | None:
    """Why Windows cannot open something of that name; None where it can."""
    name = plain(text)
    bad = sorted({letter for letter in name if letter in _WINDOWS_LETTERS})
    if bad:
        return f"Windows cannot use {' '.join(bad)} in names and shows this one differently."
    if name.endswith((".", " ")):
        return "Windows cannot open names that end with a dot or a space."
    if name.partition(".")[0].rstrip().upper() in _WINDOWS_NAMES:
        return f"Windows cannot open “{name}”: the name is reserved for a device."
    return None
