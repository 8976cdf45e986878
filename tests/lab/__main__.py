"""`python -m tests.lab tree|build|boot|image|clean [--plain]`: a NAS that nobody has to own."""

import argparse
import re
import signal
import sys
from pathlib import Path

from tests.lab import appliance, builder, trees
from tests.lab.cache import lock
from tests.lab.disks import HOME
from tests.lab.machine import Machine


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.lab", description=__doc__)
    parser.add_argument("action", choices=("tree", "build", "boot", "image", "clean"))
    parser.add_argument("--plain", action="store_true", help="Debian with OpenZFS and without Nasweb")
    arguments = parser.parse_args()
    # What ends a service must also clean up: QEMU and its disks.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        if arguments.action == "clean":
            builder.clean()
            return 0
        if arguments.action == "tree":  # what takes longest, and no release is needed for
            with lock():
                print(builder.lab_tree())
            return 0
        if arguments.action == "image":
            write_out(appliance.build_flash_image())
            return 0
        image = builder.build_image(None if arguments.plain else builder.built_release())
        if arguments.action == "build":
            print(image.disk)
        else:
            boot(image)
    except trees.LabError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        pass
    return 0


def write_out(image: appliance.FlashImage) -> None:
    """Leaves it in `build/`, and says how it gets onto a flash drive."""
    out = Path(__file__).parents[2] / "build" / "nasweb.img"
    trees.call("cp", "--sparse=always", "--reflink=auto", str(image.disk), str(out))
    print(
        f"{out} is the image, {out.stat().st_size / 1e9:.2f} GB. Write it to a flash drive of at least 4 GB:"
    )
    print(f"dd if={out.name} of=/dev/disk/by-id/usb-… bs=4M conv=fsync status=progress")


def boot(image: builder.Image) -> None:
    """Boots a NAS with six disks and two flash drives and keeps it until Ctrl-C."""
    with Machine(image, HOME) as machine:
        print("Booting. Without hardware virtualisation this takes about a minute.", flush=True)
        machine.boot()
        console = f"https://127.0.0.1:{machine.https_port}"
        print(f"console  {console}")
        # At its start the machine makes such a link too, and only the newest one is valid.
        machine.wait_until("! systemctl is-active --quiet nasweb-setup", timeout_s=120)
        # The machine does not know under which port it is reached from here.
        said = machine.run("nasweb setup", check=False).stdout
        if link := re.search(r"/setup/\S+", said):
            print(f"first account  {console}{link[0]}")
        print(f"shell    {machine.shell.command}")
        print("Ctrl-C turns it off and deletes it.", flush=True)
        signal.pause()


if __name__ == "__main__":
    raise SystemExit(main())
