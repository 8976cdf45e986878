"""`python -m tests.lab build|boot|clean [--release FOLDER]`: a NAS that nobody has to own."""

import argparse
import signal
import sys
from pathlib import Path

from tests.lab import builder
from tests.lab.disks import HOME
from tests.lab.machine import Machine


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.lab", description=__doc__)
    parser.add_argument("action", choices=("build", "boot", "clean"))
    parser.add_argument(
        "--release", type=Path, help="a release to install with its own playbook; none: plain Debian"
    )
    arguments = parser.parse_args()
    # What ends a service must also clean up: QEMU and its disks.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        if arguments.action == "clean":
            builder.clean()
        elif arguments.action == "build":
            print(builder.build_image(arguments.release).disk)
        else:
            boot(builder.build_image(arguments.release))
    except builder.LabError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        pass
    return 0


def boot(image: builder.Image) -> None:
    """Boots a NAS with six disks and two flash drives and keeps it until Ctrl-C."""
    with Machine(image, HOME) as machine:
        print("Booting. Without hardware virtualisation this takes about a minute.", flush=True)
        machine.boot()
        print(f"console  https://127.0.0.1:{machine.https_port}")
        print(f"shell    {machine.shell.command}")
        print("Ctrl-C turns it off and throws it away.", flush=True)
        signal.pause()


if __name__ == "__main__":
    raise SystemExit(main())
