"""The units of the roles as the tests read them."""

from pathlib import Path

ROLES = Path(__file__).parents[2] / "ansible" / "roles"
UNITS = ROLES / "services" / "files" / "units"
PEER_FILES = "nasweb-peer-files@.service"

# Each of these gives a service a mount namespace of its own (systemd.exec(5)).
MAKES_A_MOUNT_NAMESPACE = {
    "BindPaths", "BindReadOnlyPaths", "DynamicUser", "ExecPaths", "InaccessiblePaths", "MountFlags",
    "NoExecPaths", "PrivateDevices", "PrivateMounts", "PrivateNetwork", "PrivateTmp", "PrivateUsers",
    "ProcSubset", "ProtectClock", "ProtectControlGroups", "ProtectHome", "ProtectHostname",
    "ProtectKernelLogs", "ProtectKernelModules", "ProtectKernelTunables", "ProtectProc", "ProtectSystem",
    "ReadOnlyPaths", "ReadWritePaths", "RootDirectory", "TemporaryFileSystem",
}  # fmt: skip


def settings(*files: Path) -> dict[str, list[str]]:
    """Every setting of the files with all its values, in order; no name is in two sections."""
    found: dict[str, list[str]] = {}
    for file in files:
        for line in file.read_text().replace("\\\n", " ").splitlines():
            name, equals, value = line.partition("=")
            if equals and not line.startswith("#"):
                found.setdefault(name, []).append(value)
    return found


def services() -> dict[str, dict[str, list[str]]]:
    """The settings of each service with its drop-ins: of two with one name the more specific one counts."""
    common = UNITS / "nasweb-.service.d" / "sandbox.conf"
    found = {}
    for unit in [*UNITS.glob("*.service"), *(ROLES / "redis" / "files" / "units").glob("*.service")]:
        own = UNITS / f"{unit.name}.d" / "sandbox.conf"
        sandbox = settings(own if own.exists() else common)
        # Later ones, in the order of their names: what they set is set anew or added.
        more = [file for file in UNITS.glob(f"{unit.name}.d/*.conf") if file.name > "sandbox.conf"]
        for name, values in settings(*sorted(more, key=lambda file: file.name)).items():
            sandbox[name] = sandbox.get(name, []) + values
        found[unit.name] = {**settings(unit), **sandbox}
    return found


def ordering() -> dict[str, set[str]]:
    """Unit -> what it starts after: as its file says, and as systemd adds by itself (systemd.service(5),
    .socket(5), .path(5), .timer(5) and .target(5), "Default Dependencies")."""
    before_services = {".socket", ".path", ".timer"}
    graph: dict[str, set[str]] = {}
    for file in ROLES.glob("*/files/units/nasweb*.*"):
        if not file.is_file():
            continue
        unit = settings(file)
        graph.setdefault(file.name, set()).update(" ".join(unit.get("After", [])).split())
        for later in " ".join(unit.get("Before", [])).split():
            graph.setdefault(later, set()).add(file.name)
        if file.suffix == ".target":
            graph[file.name].update(" ".join(unit["Wants"]).split())
        elif unit.get("DefaultDependencies") == ["no"]:
            continue
        elif file.suffix in before_services:
            graph.setdefault("basic.target", set()).add(file.name)
        else:
            graph[file.name].add("basic.target")
    return graph
