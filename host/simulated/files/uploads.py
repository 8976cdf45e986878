"""Folders and files that the console makes on a simulated machine, with the rights of a person."""

from __future__ import annotations

import hashlib
from typing import NoReturn

import msgspec

from host.base import Result
from host.commands.files import upload_unit
from host.commands.uploads import ForgetUpload, ReceiveFiles
from host.files import receiving
from host.files.names import UNFINISHED, BadPath, components, new_name, plain
from host.files.opening import Unreachable
from host.files.receiving import Declined, Message, NotRunning, Received, UploadRefused
from host.simulated.datasets.file_tree import Tree, new_file, put, reached, remove
from host.simulated.datasets.space import usages
from host.simulated.files.reading import at
from host.simulated.files.writable import may_write
from host.simulated.handlers import on
from host.simulated.people import passwd
from host.simulated.refusal import Refusal, done
from host.simulated.runs import Receiving
from host.simulated.state import Dataset, FileState, Machine, Pool


def start(machine: Machine, command: ReceiveFiles) -> Result:
    """systemd-run: ends once the program listens."""
    unit = upload_unit(command.ticket)
    try:
        if command.person not in machine.people:
            known = any(line.startswith(f"{command.person}:") for line in passwd(machine).splitlines())
            raise Unreachable("unreadable", _NO_PERSON[known].format(command.person))
        reached(machine, command.dataset, None)
    except Unreachable as error:
        machine.refused[unit] = machine.now(), str(error)
        hint = f'See "systemctl status {unit}" and "journalctl -xeu {unit}" for details.'
        raise Refusal(f"Job for {unit} failed.\n{hint}\n") from None
    machine.receiving[command.ticket] = Receiving(dataset=command.dataset, person=command.person)
    return done(stderr=f"Running as unit: {unit}\n")


_NO_PERSON = {
    False: "There is no NAS user called {}. Add one first.",
    True: "{} is a system account, not a NAS user.",
}


def forget(machine: Machine, command: ForgetUpload) -> Result:
    """Ends with 3 where the dataset cannot be reached."""
    try:
        components(command.folder)
        pool, dataset, _ = reached(machine, command.dataset, None)
    except (BadPath, Unreachable) as error:
        raise Refusal(f"{error}\n", exit_status=3) from None
    remove(pool, dataset, _within(command.folder, f"{UNFINISHED.decode()}{command.upload}"))
    return done()


def receive(machine: Machine, ticket: str, message: Message, data: bytes) -> Received:
    """What the program does with a message. Raises `UploadRefused`, `NotRunning`."""
    found = machine.receiving.get(ticket)
    if found is None or found.person not in machine.people:
        raise NotRunning("Nobody takes the file.")
    try:
        pool, dataset, files = reached(machine, found.dataset, None)
    except Unreachable as error:
        raise NotRunning(str(error)) from None
    try:
        components(message.folder)
        if at(files, message.folder).kind != "folder":
            _refuse("not-a-folder", "folder", "This is not a folder.")
    except BadPath as error:
        _refuse("bad-path", "folder", str(error))
    except Unreachable as error:
        _refuse(error.code, "folder", str(error))
    try:
        return _Arriving(machine, pool, dataset, files, found.person).carry_out(message, data)
    except BadPath as error:
        _refuse("bad-name", "name", str(error))


class _Arriving:
    def __init__(self, machine: Machine, pool: Pool, dataset: Dataset, files: Tree, person: str) -> None:
        self._machine, self._pool, self._dataset, self._files = machine, pool, dataset, files
        self._person, self._uid = person, machine.people[person].uid

    def carry_out(self, message: Message, data: bytes) -> Received:
        match message:
            case receiving.MakeFolder():
                new_name(message.folder, message.name)
                self._writable(message.folder)
                path = self._free(message.folder, message.name, "refuse")
                self._put(FileState(path=path, kind="folder", mode=0o700 if message.private else 0o775))
                return Received(name=path.rpartition("/")[2])
            case receiving.Begin():
                return self._begin(message)
            case receiving.Append():
                return self._append(message, data)
            case receiving.See():
                return Received(offset=self._unfinished(message.folder, message.upload).size)
            case receiving.Finish():
                return self._finish(message)
            case receiving.Abandon():
                remove(self._pool, self._dataset, _unfinished(message.folder, message.upload))
                return Received()

    def _begin(self, message: receiving.Begin) -> Received:
        new_name(message.folder, message.name)
        self._free(message.folder, message.name, message.existing)
        free = usages(self._pool)[self._dataset.name].available
        if message.size_bytes > free:
            words = f"It has {message.size_bytes} bytes, but only {free} are free. Free up space first."
            _refuse("no-space", "size_bytes", words)
        self._writable(message.folder)
        path, mode = _unfinished(message.folder, message.upload), 0o600 if message.private else 0o664
        self._put(FileState(path=path, kind="file", data=b"", mode=mode))
        return Received()

    def _append(self, message: receiving.Append, data: bytes) -> Received:
        if len(data) != message.length or hashlib.sha256(data).hexdigest() != message.sha256:
            _refuse("damaged", "sha256", "The checksum does not match. Send these bytes again.")
        state = self._unfinished(message.folder, message.upload)
        if message.offset != state.size:
            _refuse(
                "wrong-offset",
                "offset",
                f"{state.size} bytes were received. Continue at offset {state.size}.",
            )
        size = message.offset + message.length
        if size > message.size_bytes:
            words = f"This is more than the announced {message.size_bytes} bytes."
            _refuse("too-large", "offset", words)
        known = None if state.data is None else state.data + data
        grown = new_file(b"x", size if known is None else known, modified_ns=0)
        self._put(msgspec.structs.replace(state, size=size, data=grown.data))
        return Received(offset=size)

    def _finish(self, message: receiving.Finish) -> Received:
        new_name(message.folder, message.name)
        state = self._unfinished(message.folder, message.upload)
        if state.size != message.size_bytes:
            words = f"{state.size} of {message.size_bytes} bytes were received. Send the rest first."
            _refuse("incomplete", "size_bytes", words)
        path = self._free(message.folder, message.name, message.existing)
        self._writable(message.folder)
        remove(self._pool, self._dataset, state.path)
        self._put(msgspec.structs.replace(state, path=path))
        return Received(offset=state.size, name=path.rpartition("/")[2])

    def _free(self, folder: str, name: str, existing: receiving.Existing) -> str:
        """The path that it gets."""
        path = _within(folder, name)
        there = self._files.get(path)
        if there is None:
            return path
        if existing == "refuse":
            _refuse("exists", "name", f"“{plain(name)}” already exists.")
        if existing == "replace":
            if there.kind != "file":
                words = f"“{plain(name)}” is not a file, so it cannot be replaced. Choose another name."
                _refuse("not-replaceable", "name", words)
            return path
        stem, dot, ending = name.rpartition(".") if "." in name[1:] else (name, "", "")
        others = (_within(folder, f"{stem} ({number}){dot}{ending}") for number in range(2, 1000))
        return next(other for other in others if self._files.get(other) is None)

    def _unfinished(self, folder: str, upload: str) -> FileState:
        state = self._files.get(_unfinished(folder, upload))
        if state is None:
            _refuse("gone", "upload", "The data received so far is gone. Start the upload again.")
        return state

    def _writable(self, folder: str) -> None:
        if not may_write(self._machine, self._dataset, self._files, folder, self._person):
            _refuse("not-allowed", "folder", "This NAS user has no permission to write to this folder.")

    def _put(self, state: FileState) -> None:
        put(
            self._machine,
            self._pool,
            self._dataset,
            msgspec.structs.replace(state, uid=self._uid, modified_ns=self._machine.now_ns()),
        )


def _within(folder: str, name: str) -> str:
    return f"{folder}/{name}".removeprefix("/")


def _unfinished(folder: str, upload: str) -> str:
    return _within(folder, f"{UNFINISHED.decode()}{upload}")


def _refuse(code: str, field: str, message: str) -> NoReturn:
    raise UploadRefused(Declined(code=code, field=field, message=message))


HANDLERS = on(ReceiveFiles, start) | on(ForgetUpload, forget)
