"""What may be wrong with a repository, in words with the way out."""

from __future__ import annotations

from host.repositories.answers import Code
from host.repositories.settings import RepositorySettings

_LONGEST = 400


class RepositoryProblem(Exception):
    """It cannot be done; `code` is for programs, the text for people."""

    def __init__(self, code: Code, message: str) -> None:
        self.code: Code = code
        super().__init__(message)


def problem(code: Code, where: str, said: str = "") -> RepositoryProblem:
    """`where` is the place of the repository, `said` what restic says of what we have no words for."""
    said = clean(said)
    match code:
        case "unreachable":
            text = f"{where} does not answer. Check its address, and that it is switched on and connected."
        case "stopped":
            text = (
                f"{where} is too slow: it had not done what was asked in time. Check how it is "
                "connected and how busy it is, and try again."
            )
            if said:
                text = f"{where} did not do what was asked in time. Its last answer: {said}."
        case "not-found":
            text = (
                f"There is no repository at {where}. Check the folder or the path, and that the disk is in."
            )
        case "locked":
            text = (
                f"Something else uses the repository at {where}. If nothing does, its last user was cut off: "
                "such a lock counts no longer after half an hour, so try again then."
            )
        case "wrong-password":
            text = f"The password that is kept here does not open the repository at {where}."
        case "full":
            text = f"There is no space left at {where}. Free some there, or keep fewer snapshots."
        case "host-key":
            text = (
                f"{where} shows another key than the one that was confirmed. If its system was installed "
                "anew, remove the repository here and import it again; if not, somebody may be in between."
            )
        case "certificate":
            text = (
                f"The certificate of {where} is not accepted: {said}. If an authority of your own signed it, "
                "add the repository with that authority's certificate. If another name is in it, use that."
            )
        case "no-disk":
            text = (
                f"{where} lies on the system's own disk: what is to be mounted there is missing. Plug in the "
                "disk, or mount the dataset."
            )
        case _:
            text = (
                f"It failed, and restic says: {said}" if said else "It failed, and restic does not say why."
            )
    return RepositoryProblem(code, text)


def clean(text: str) -> str:
    """One printable line of it, and not too much."""
    plain = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(plain.split())[:_LONGEST]


def place_of(settings: RepositorySettings) -> str:
    """A repository's place as a sentence names it: the folder, or the server."""
    return settings.local.path if settings.local else settings.server.host if settings.server else ""
