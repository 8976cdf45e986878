"""What operations are called where no request is at hand."""

from __future__ import annotations

import re
from typing import Any

from jobs.operation import operations


def title_of(name: str) -> str:
    """`Create pool {name}` → `Create pool …`; the name of the operation where its title needs a request."""
    row = operations().get(name)
    title = row.wording.title if row else None
    if callable(title):
        title = title(_Anything())
    if title is None:
        return name.replace(".", " ").replace("-", " ").capitalize()
    return re.sub(r"\b0 ", "several ", re.sub(r"\{[^}]*\}", "…", title))


class _Anything(dict[str, Any]):
    """Stands for a request that is not at hand."""

    def __missing__(self, key: str) -> str:
        return "…"

    def get(self, key: str, default: Any = None) -> Any:
        return self[key]
