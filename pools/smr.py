"""Disks known to record in shingles (SMR): rewriting is slow enough for a resilver to take days or to fail.

A small table, not a complete one; a model that is not in it may still be shingled. Sources:
- Western Digital: Red 2 to 6 TB (…EFAX), Blue (…EZAZ, …EDAZ):
  https://blocksandfiles.com/2020/04/20/western-digital-smr-drives-statement/ and
  https://wccftech.com/western-digital-officially-states-which-specific-hdd-models-use-smr-technology/
  (8 TB and more of the same letters are not shingled)
- Toshiba: P300 and DT02 of 4 and 6 TB, MQ04:
  https://www.tomshardware.com/news/toshiba-hard-drives-smr-list-slower
- Seagate: BarraCuda of 2 to 8 TB, and those of 2.5 inches:
  https://storagediskprices.com/seagate-barracuda-smr
"""

from __future__ import annotations

import re

_SHINGLED = re.compile(
    r"""
    WD[2346]0(EFAX|EZAZ|EDAZ)
    | HDWD2[46]0 | DT02(ABA|-V)?[46]00 | MQ04
    | ST2000DM008 | ST3000DM007 | ST4000DM004 | ST6000DM003 | ST8000DM004
    | ST500LM030 | ST1000LM048 | ST2000LM015 | ST[34]000LM024 | ST5000LM000
    """,
    re.VERBOSE | re.IGNORECASE,
)


def shingled(model: str) -> bool:
    """Whether a disk of that model is known to be shingled."""
    return _SHINGLED.search(model) is not None
