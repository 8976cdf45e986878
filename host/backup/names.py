"""What copies and their content are called. It imports nothing of ours: commands are made of it."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

Digest = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
CopyName = Annotated[str, Meta(pattern=r"\A[0-9a-f]{16}-[0-9]{8}-[0-9]{8}T[0-9]{6}Z\.nasweb\Z")]
