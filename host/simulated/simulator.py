"""The Host that exists only in a file."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from msgspec import ValidationError

from host.base import HostError, Result, check, explained
from host.commands.base import Command
from host.commands.closed import decode, encode
from host.commands.datasets.keys import ForgetSecrets
from host.commands.datasets.snapshots import ZfsClone
from host.inventory.network import Manager
from host.mount_guard import check_places
from host.secrets import SecretStore
from host.simulated import clients, hands, profiles, samba_people, units
from host.simulated.answers import answer
from host.simulated.arrays import clock as array_clock
from host.simulated.arrays import hands as array_hands
from host.simulated.arrays.occupation import Occupation, occupy
from host.simulated.datasets import admission, cloning, crowd
from host.simulated.datasets.lifecycle import find
from host.simulated.files import hands as file_hands
from host.simulated.files.resolving import resolved as resolve
from host.simulated.hands import find_disk
from host.simulated.network import changes as network
from host.simulated.pools import clock, damage, faults
from host.simulated.refusal import Fault, Refusal
from host.simulated.replication import runs as replications
from host.simulated.state import Disk, Machine, Snapshot
from host.simulated.store import Store
from host.simulated.system import arc, converting, moved_state, power, swap

_MOST_REMEMBERED = 2000  # commands


class SimulatedHost:
    """A NAS in `state_file`, made from `profile` when the file is missing. Any process may open it."""

    kind = "simulated"

    def __init__(
        self,
        state_file: Path,
        profile: str = "home",
        *,
        pause: Callable[[float], None] = time.sleep,
        secrets: SecretStore | None = None,
    ) -> None:
        self._pause = pause
        self._secrets = secrets or SecretStore(state_file.parent / "secrets")
        self._store = Store(state_file, lambda: profiles.build(profile))

    def run(self, command: Command) -> Result:
        """What the real program would leave.

        Raises `CommandFailed`, `SecretGone`, and `HostError` for a command that the helper would not take.
        """
        try:
            decode(encode(command))
        except ValidationError as error:
            raise HostError(f"The helper would refuse {type(command).__name__}: {error}") from error
        check_places(self, command, lambda path: resolve(self._store.read(), path))
        if isinstance(command, ForgetSecrets):
            return self._forget(command)
        self._secrets.sweep()
        fed = command.feeds()
        given = self._secrets.fed(fed) if fed else b""
        name = type(command).__name__
        machine = self._store.read()
        clocks = (clock, array_clock, network, converting, power, replications)
        if any(one.due(machine) for one in clocks):
            with self._store.change() as changed:
                for one in clocks:
                    one.settle(changed)
        if delay := machine.delays.get(name):
            # Before anything is changed and without the lock: whoever waits here may be killed.
            self._pause(delay)
        faulty = any(fault.command == name for fault in machine.faults)
        del machine  # a crowded one is large: not to be held while another one is made
        reads = command.reads and not faulty
        result = _answer(self._store.read(), command, given) if reads else self._change(command, given)
        return check(command, explained(self, command, result))

    def _forget(self, command: ForgetSecrets) -> Result:
        for reference in command.references:
            self._secrets.drop(reference)
        return Result(exit=0)

    def _change(self, command: Command, given: bytes) -> Result:
        with self._store.change() as machine:
            if not command.reads:
                machine.ran = [*machine.ran[1 - _MOST_REMEMBERED :], list(command.shown())]
            for fault in machine.faults:
                if fault.command == type(command).__name__:
                    machine.faults.remove(fault)
                    return Result(exit=fault.exit, stdout=fault.stdout, stderr=fault.stderr)
            return _answer(machine, command, given)

    # What follows is for tests and for people who play with it: things that happen to a machine.

    def machine(self) -> Machine:
        """The whole state, to read."""
        return self._store.read()

    def ran(self) -> list[list[str]]:
        """The argv of all commands that change something, whether they succeeded or not, oldest first."""
        return self._store.read().ran

    def pull(self, disk: str) -> None:
        """Take a disk out; named by any by-id link, serial or kernel name. Raises KeyError."""
        with self._store.change() as machine:
            _pull(machine, find_disk(machine, disk, pulled=False))

    def insert(self, disk: str, *, into: str | None = None) -> None:
        """Put a pulled disk back, with what was on it; `into` the place of another pulled disk.

        Raises KeyError, or `hands.Impossible`.
        """
        with self._store.change() as machine:
            found = find_disk(machine, disk, pulled=True)
            if into is not None:
                hands.trade_places(found, find_disk(machine, into, pulled=True))
            hands.plug(machine, found)
            faults.inserted(machine, found)

    def swap(self, disk: str, serial: str) -> None:
        """Pull a disk and put a new one of the same model in its place. Raises KeyError."""
        with self._store.change() as machine:
            old = find_disk(machine, disk, pulled=False)
            _pull(machine, old)
            hands.plug(machine, hands.unbox(machine, old, serial))

    def shuffle(self) -> None:
        """Start again with the disks found in another order: nearly every kernel name differs."""
        with self._store.change() as machine:
            hands.shuffle(machine)
            units.restarted(machine)

    def sleep(self, disk: str, *, asleep: bool = True) -> None:
        """Spin a disk down. Raises KeyError, or `hands.Impossible` for one without SMART."""
        with self._store.change() as machine:
            hands.smart_of(find_disk(machine, disk, pulled=False)).asleep = asleep

    def wake(self, disk: str) -> None:
        """Spin a disk up. Raises KeyError."""
        self.sleep(disk, asleep=False)

    def age(self, disk: str, **counters: int) -> None:
        """Let a disk count otherwise: pending=3, crc=120, temperature=51… Raises as `sleep` does."""
        with self._store.change() as machine:
            hands.set_counters(find_disk(machine, disk, pulled=False), counters)

    def occupy(self, disk: str, how: Occupation | None) -> None:
        """Put something on a disk that stands in the way; None lets go of maps on it. Raises KeyError."""
        with self._store.change() as machine:
            occupy(machine, find_disk(machine, disk, pulled=False), how)

    def weaken(self, disk: str) -> None:
        """Let a disk forget: it will fail the burn-ins that are started from now on. Raises KeyError."""
        with self._store.change() as machine:
            machine.weak.append(find_disk(machine, disk, pulled=False).serial)

    def pass_time(self, seconds: float) -> None:
        """Let the machine, and the units, self-tests and scans that run, be further than the clock says."""
        with self._store.change() as machine:
            machine.ahead_s += seconds
            units.pass_time(machine, seconds)
            clock.pass_time(machine, seconds)
            array_clock.settle(machine)
            network.settle(machine)
            converting.settle(machine)
            power.settle(machine)
            replications.settle(machine)

    def spoil_copy(self) -> None:
        """Let the copy of the system not start: the machine comes back with the old one."""
        with self._store.change() as machine:
            machine.copy_refuses = True

    def rule_network(self, manager: Manager) -> None:
        """Let another program, or none, decide on all interfaces."""
        with self._store.change() as machine:
            for link in machine.network.links:
                link.manager = manager

    def restart_network(self) -> None:
        """Start the machine again, as far as its network is concerned: before it, what is pending goes."""
        with self._store.change() as machine:
            network.roll_back(machine)

    def restart_state(self) -> None:
        """Start the machine again, as far as swap, ZFS and where /var and /home lie are concerned."""
        with self._store.change() as machine:
            for part in (swap, arc, moved_state):
                part.restarted(machine)

    def fill_root(self, *, free_bytes: int) -> None:
        """Leave so much free on the system's own disk."""
        with self._store.change() as machine:
            machine.root_free_bytes = free_bytes

    def lose_zram(self) -> None:
        """Remove what makes swap in compressed memory."""
        with self._store.change() as machine:
            machine.memory.zram_installed = machine.memory.zram_used = False

    def fail(self, disk: str) -> None:
        """Let a disk fail so often that ZFS gives it up: its leaves are FAULTED. Raises KeyError."""
        with self._store.change() as machine:
            damage.fail(machine, find_disk(machine, disk, pulled=False))
            array_hands.failed(machine, find_disk(machine, disk, pulled=False))

    def corrupt(self, disk: str, size: int) -> None:
        """Overwrite `size` bytes on a disk behind ZFS's back: a scrub will find them. Raises KeyError."""
        with self._store.change() as machine:
            damage.corrupt(machine, find_disk(machine, disk, pulled=False), size)

    def differ(self, array: str, sectors: int) -> None:
        """Let so many sectors of an md array differ between its members. Raises KeyError."""
        with self._store.change() as machine:
            array_hands.differ(machine, array, sectors)

    def halt_array(self, array: str) -> None:
        """Let an md array wait for members, as after a start without one of them. Raises KeyError."""
        with self._store.change() as machine:
            array_hands.halt(machine, array)

    def damage(self, pool: str, *files: str) -> None:
        """Let no good copy be left of these files. Raises KeyError."""
        with self._store.change() as machine:
            machine.pools[pool].damaged += files

    def lose_links(self, prefix: str) -> None:
        """Start again without the links that begin so, as after an upgrade that makes other ones."""
        with self._store.change() as machine:
            damage.lose_links(machine, prefix)
            units.restarted(machine)

    def move_away(self, pool: str, *, host: str | None = None, torn_s: int = 0) -> None:
        """Remove a pool without exporting it: as if another machine, `host`, had used it last, or as if
        its last `torn_s` seconds were not fit to be read. Raises KeyError."""
        with self._store.change() as machine:
            damage.move_away(machine, machine.pools[pool], host=host, torn_s=torn_s)

    def prepare_elsewhere(self, pool: str, wishes: dict[str, dict[str, str]]) -> None:
        """Let another machine set properties of the datasets of an exported pool. Raises StopIteration."""
        with self._store.change() as machine:
            unimported = next(one for one in machine.away if one.name == pool)
            admission.prepare_elsewhere(machine, unimported, wishes)

    def install_kernel(self, version: str, *, module: bool = True) -> None:
        """Install a kernel that the next start will take, with or without a ZFS module for it."""
        with self._store.change() as machine:
            machine.kernels[version] = module

    def upgrade_zfs(self, version: str) -> None:
        """Install another version of the programs; the module that is loaded stays the old one."""
        with self._store.change() as machine:
            machine.zfs_userland = version

    def set_unit(self, unit: str, state: str) -> None:
        """Enable or disable a service for pools, or zed: "enabled", "disabled", "masked"."""
        with self._store.change() as machine:
            machine.unit_files[unit] = state

    def forget_pool(self, pool: str) -> None:
        """Let the cache file lack a pool, as after one was copied from elsewhere."""
        with self._store.change() as machine:
            machine.uncached.append(pool)

    def leave_file(self, folder: str) -> None:
        """Put a file into a folder of the system's own disk, where a file system may be to be mounted."""
        with self._store.change() as machine:
            machine.full_folders.append(folder)

    def link_folder(self, path: str, leads_to: str) -> None:
        """Put a symbolic link onto the system's own disk."""
        with self._store.change() as machine:
            machine.folder_links[path] = leads_to

    def fit_memory(self, *, ecc: bool | None) -> None:
        """Let the firmware report modules with ECC, without, or nothing of use."""
        with self._store.change() as machine:
            machine.modules_ecc = ecc

    def fail_next(self, command: type[Command], *, stderr: str, exit_status: int = 1) -> None:
        """Make the next command of this type fail without doing anything; several calls add up."""
        with self._store.change() as machine:
            machine.faults.append(Fault(command=command.__name__, exit=exit_status, stderr=stderr))

    def delay(self, command: type[Command], seconds: float) -> None:
        """Make all commands of this type wait before they do anything; 0 ends it."""
        with self._store.change() as machine:
            machine.delays.pop(command.__name__, None)
            if seconds:
                machine.delays[command.__name__] = seconds

    def write(self, dataset: str, size: int) -> None:
        """Write `size` bytes of file data that do not compress."""
        with self._store.change() as machine:
            find(machine, dataset)[1].data += size

    def erase(self, dataset: str) -> None:
        """Delete all files; what the newest snapshot saw is now held by it alone."""
        with self._store.change() as machine:
            found = find(machine, dataset)[1]
            if found.snapshots:
                newest = found.snapshots[-1]
                newest.unique = min(newest.data, found.data)
            found.data = 0

    def write_file(
        self, dataset: str, path: bytes, data: bytes | int, *, modified_ns: int | None = None
    ) -> None:
        """Write a file, with its folders where they are missing; of a number, only so many bytes."""
        with self._store.change() as machine:
            file_hands.write(machine, dataset, path, data, modified_ns)

    def link_file(self, dataset: str, path: bytes, leads_to: bytes) -> None:
        """Make a symbolic link."""
        with self._store.change() as machine:
            file_hands.link(machine, dataset, path, leads_to)

    def delete_file(self, dataset: str, path: bytes) -> None:
        """Delete a file, or a folder with all in it."""
        with self._store.change() as machine:
            file_hands.delete(machine, dataset, path)

    def furnish(self, dataset: str) -> None:
        """Let a dataset hold what a family has: letters, photos, odd names, a link."""
        with self._store.change() as machine:
            file_hands.furnish(machine, dataset)

    def knows_password(self, person: str, password: str) -> bool:
        """Whether somebody could sign in to a share by it now."""
        return samba_people.knows(self._store.read(), person, password)

    def lose_samba(self) -> None:
        """Remove Samba's programs, with no word to anybody."""
        with self._store.change() as machine:
            machine.samba_missing = True

    def connect(self, **client: Any) -> str:
        """Let somebody connect to a share, with the fields of `clients.Client`; the id of the session."""
        with self._store.change() as machine:
            return clients.connect(machine, **client)

    def disconnect(self, session: str) -> None:
        """Let a client go by itself."""
        with self._store.change() as machine:
            clients.disconnect(machine, session)

    def change(self) -> AbstractContextManager[Machine]:
        """The whole state, to be changed; as it was where the block does not end well."""
        return self._store.change()

    def hold_open(self, dataset: str, *, busy: bool = True) -> None:
        """Keep a file open in a dataset, so that it cannot be unmounted."""
        with self._store.change() as machine:
            find(machine, dataset)[1].busy = busy

    def hold(self, snapshot: str, *, count: int = 1) -> None:
        """Set how many user holds a snapshot has."""
        with self._store.change() as machine:
            _snapshot(machine, snapshot).holds = {f"keep{number}": 0 for number in range(count)}

    def clone(self, snapshot: str, name: str) -> None:
        """Make a file system from a snapshot of the same pool."""
        with self._store.change() as machine:
            cloning.clone(machine, ZfsClone(snapshot=snapshot, name=name))

    def crowd(self, pool: str, *, datasets: int, snapshots: int) -> None:
        """Fill a pool with datasets that have so many snapshots each, an hour apart. Raises KeyError."""
        with self._store.change() as machine:
            crowd.fill(machine, machine.pools[pool], datasets=datasets, snapshots=snapshots)


def _answer(machine: Machine, command: Command, given: bytes) -> Result:
    try:
        return answer(machine, command, given)
    except Refusal as refusal:
        return refusal.result


def _pull(machine: Machine, disk: Disk) -> None:
    disk.pulled = True
    faults.pulled(machine, disk)
    array_hands.pulled(machine, disk)
    units.pulled(machine, disk)


def _snapshot(machine: Machine, name: str) -> Snapshot:
    dataset, _, tag = name.partition("@")
    return next(snapshot for snapshot in find(machine, dataset)[1].snapshots if snapshot.tag == tag)
