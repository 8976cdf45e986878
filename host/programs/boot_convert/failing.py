"""Why it refuses or fails, in the words of the report."""

from __future__ import annotations

from host.base import CommandFailed


class Refused(Exception):
    """It cannot be done. Nothing has been touched."""


class Failed(Exception):
    """It could not be done; the text is the reason."""


def last_line(text: str) -> str:
    """The last one that says something."""
    lines = text.strip().splitlines()
    return lines[-1].strip() if lines else ""


def said(error: CommandFailed) -> str:
    """The last line of a command that failed: usually its reason."""
    return last_line(error.result.stderr) or last_line(error.result.stdout)


def reason(error: Exception) -> str:
    """One line."""
    if isinstance(error, CommandFailed):
        return f"{' '.join(error.command.argv())} ended with {error.result.exit}: {said(error)}"
    return last_line(str(error)) or type(error).__name__
