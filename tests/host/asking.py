"""Somebody who asks a program of ours for its end."""

from __future__ import annotations


class Asked:
    """After so many looks whether somebody did."""

    def __init__(self, looks: int = 1 << 60) -> None:
        self.left = looks

    def asked(self) -> bool:
        self.left -= 1
        return self.left < 0

    def wait(self, seconds: float) -> bool:
        return self.asked()
