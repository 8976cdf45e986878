"""Measures what each of OpenZFS's compressions makes of a sample of a dataset's files.

`python -m host.programs.measuring.compression --run ID --dataset NAME --snapshot TAG …`, see
`host.programs.measuring.snapshot`.
"""

from __future__ import annotations

import os
import random
import time

from host.compression.codecs import Codecs
from host.compression.measuring import Measuring, begun
from host.compression.values import Measured
from host.files.opening import Root
from host.measuring.pausing import Pausing
from host.programs.measuring.snapshot import Around, carry_out, parser, real
from host.programs.report import Report


def main(arguments: list[str] | None = None, around: Around | None = None) -> int:
    """The exit status."""
    options = parser("host.programs.measuring.compression", __doc__)
    options.add_argument("--record", type=int, required=True, help="the dataset's record size in bytes")
    options.add_argument(
        "--ashift", type=int, required=True, help="the pool's smallest sectors: 2**ashift bytes"
    )
    options.add_argument(
        "--embeds", action="store_true", help="the smallest blocks are kept in their pointers"
    )
    asked = options.parse_args(arguments)

    def begin(moment: str) -> Measured:
        return begun(
            moment, run=asked.run, dataset=asked.dataset, snapshot=asked.snapshot,
            record_bytes=asked.record, ashift=asked.ashift, cores=os.cpu_count() or 1,
        )  # fmt: skip

    def work(root: Root, report: Report[Measured], pausing: Pausing) -> None:
        Measuring(
            root, report, pausing, Codecs(time.thread_time), embeds=asked.embeds,
            chance=random.SystemRandom(),
        ).carry_out()  # fmt: skip

    return carry_out("compression", asked, around or real(), begin, work)


if __name__ == "__main__":
    raise SystemExit(main())
