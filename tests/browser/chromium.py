"""Which Chromium is driven, and how it is started."""

from __future__ import annotations

from shutil import which

# Without these Chromium talks to its maker at every start, which a closed network answers slowly.
QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
# The shell is the same engine without what draws windows for people, at half the cost.
CHROMIUM = which("chromium-headless-shell") or which("chromium") or "/usr/bin/chromium"
