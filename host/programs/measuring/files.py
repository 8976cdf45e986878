"""Adds up the files of a snapshot by folder, kind and size, and compares large ones of one size on request.

`python -m host.programs.measuring.files --run ID --dataset NAME --snapshot TAG`, see
`host.programs.measuring.snapshot`.
"""

from __future__ import annotations

from host.files.opening import Root
from host.measuring.pausing import Pausing
from host.programs.measuring.snapshot import Around, carry_out, parser, real
from host.programs.report import Report
from host.scan.scanning import Scan, begun
from host.scan.values import Scanned


def main(arguments: list[str] | None = None, around: Around | None = None) -> int:
    """The exit status."""
    options = parser("host.programs.measuring.files", __doc__)
    options.add_argument("--compare", action="store_true", help="find large files with the same content")
    asked = options.parse_args(arguments)

    def begin(moment: str) -> Scanned:
        return begun(
            moment, run=asked.run, dataset=asked.dataset, snapshot=asked.snapshot, compares=asked.compare
        )

    def work(root: Root, report: Report[Scanned], pausing: Pausing) -> None:
        Scan(root, report, pausing, compares=asked.compare).carry_out()

    return carry_out("files", asked, around or real(), begin, work)


if __name__ == "__main__":
    raise SystemExit(main())
