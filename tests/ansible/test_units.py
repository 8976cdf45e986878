"""What the installed units allow: design.md's table of who may do what on the machine."""

from pathlib import Path

from host.backup.folders import READY, RESTORED, SPOOL, WORKSHOP
from host.commands.copies import UNIT as COPIES
from host.commands.logs import UNIT as LOGS
from host.commands.replication.hashes import HashFiles
from host.commands.system.converting import NOTES
from host.commands.system.converting import UNIT as CONVERT
from host.commands.system.power import NAME as POWER
from host.commands.units import StopUnit
from host.contents import logs as log_files
from host.contents import peers
from host.programs import peer_files
from host.programs.greeting import CODE, ISSUE, RELOAD
from host.programs.peer.files import SOCKET as PEER_SOCKET
from host.secrets import FOLDER as SECRETS
from tests.ansible.units import MAKES_A_MOUNT_NAMESPACE, PEER_FILES, ROLES, UNITS, services, settings


def test_what_the_helper_mounts_is_mounted_for_everyone() -> None:
    assert MAKES_A_MOUNT_NAMESPACE & services()["nasweb-helper.service"].keys() == set()


def test_every_other_service_sees_a_read_only_system_and_no_network() -> None:
    for name, unit in services().items():
        if name != "nasweb-helper.service":
            assert unit["ProtectSystem"] == ["strict"], name
            if name not in {"nasweb-worker.service", "nasweb-greeting.service", LOGS}:
                assert unit["PrivateNetwork"] == ["yes"], name
            if name != PEER_FILES:
                assert unit["CapabilityBoundingSet"] == [""], name


def test_the_worker_alone_reaches_the_network_to_notify_people_and_never_this_machine() -> None:
    worker = services()["nasweb-worker.service"]
    assert worker["PrivateNetwork"] == ["yes", "no"]
    assert " ".join(worker["RestrictAddressFamilies"]).split() == ["AF_UNIX", "AF_INET", "AF_INET6"]
    # Emptied, and then what a message never goes to. Of its own addresses the name server's alone.
    assert worker["IPAddressDeny"] == ["any", "", "localhost 169.254.0.0/16 multicast"]
    assert worker["IPAddressAllow"] == ["127.0.0.53 127.0.0.54"]


def test_what_sends_the_journal_reads_that_and_talks_to_other_machines_alone() -> None:
    unit = services()[LOGS]
    assert (unit["DynamicUser"], unit["SupplementaryGroups"]) == (["yes"], ["systemd-journal"])
    assert unit["ConditionPathExists"] == [log_files.FILE]
    assert unit["ExecStart"] == [f"/usr/sbin/rsyslogd -n -iNONE -f {log_files.FILE}"]
    assert f"/var/lib/{unit['StateDirectory'][0]}" == log_files.STATE
    assert unit["ExecPaths"] == ["/usr/sbin/rsyslogd /usr/lib /lib"]
    assert unit["IPAddressDeny"] == ["localhost 169.254.0.0/16 multicast"]
    common = settings(UNITS / "nasweb-.service.d" / "sandbox.conf")
    unequal = {name for name, values in common.items() if unit.get(name) != values}
    assert unequal == {
        "ExecPaths", "SystemCallFilter", "PrivateNetwork", "RestrictAddressFamilies", "IPAddressDeny",
    }  # fmt: skip


def test_the_workers_key_is_in_a_folder_that_the_console_cannot_read() -> None:
    worker = services()["nasweb-worker.service"]
    assert worker["StateDirectoryMode"] == ["0700"]
    assert worker["Environment"] == [
        f"NASWEB_CHANNEL_KEY=/var/lib/{worker['StateDirectory'][0]}/channels.key"
    ]
    assert worker["User"] != services()["nasweb-web.service"]["User"]


def test_no_service_gains_privileges() -> None:
    assert {tuple(unit["NoNewPrivileges"]) for unit in services().values()} == {("yes",)}


def test_four_services_run_as_root_and_no_other() -> None:
    assert {name for name, unit in services().items() if "User" not in unit} == {
        "nasweb-greeting.service",
        "nasweb-helper.service",
        "nasweb-keys.service",
        PEER_FILES,
    }


def test_what_hashes_files_for_paired_machines_reads_and_answers_and_nothing_else() -> None:
    unit, socket = services()[PEER_FILES], settings(UNITS / "nasweb-peer-files.socket")
    assert (socket["ListenStream"], socket["Accept"]) == ([str(PEER_SOCKET)], ["yes"])
    assert (socket["SocketGroup"], socket["SocketMode"]) == ([peers.USER], ["0660"])
    assert int(socket["MaxConnections"][0]) <= 8
    assert unit["CapabilityBoundingSet"] == ["CAP_SYS_ADMIN CAP_DAC_READ_SEARCH"]
    assert unit["ExecStart"][0].endswith(f" -m {peer_files.__name__}")
    assert (unit["StandardInput"], unit["RestrictNamespaces"]) == (["socket"], ["mnt"])
    assert peer_files.WITHIN_S < float(unit["RuntimeMaxSec"][0]) < HashFiles.timeout_s
    common = settings(UNITS / "nasweb-.service.d" / "sandbox.conf")
    assert {name for name, values in common.items() if unit.get(name) != values} == {
        "CapabilityBoundingSet", "RestrictNamespaces", "SystemCallFilter",
    }  # fmt: skip


def test_the_greeting_reads_the_code_and_the_addresses_and_writes_what_the_screens_say() -> None:
    unit = services()["nasweb-greeting.service"]
    memory = (ROLES / "services" / "files" / "tmpfiles" / "nasweb.conf").read_text().splitlines()
    assert unit["ReadWritePaths"] == [f"-{ISSUE.parent} -{RELOAD}"]
    assert {f"d {CODE.parent} 0750 nasweb nasweb", f"d {ISSUE.parent} 0755 root root"} <= set(memory)
    assert f"f {RELOAD} 0644 root root" in memory  # agetty watches it only if it is there when it starts
    assert (unit["Group"], unit["CapabilityBoundingSet"]) == (["nasweb"], [""])
    assert unit["PrivateNetwork"] == ["yes", "no"]
    assert " ".join(unit["RestrictAddressFamilies"]).split() == ["AF_UNIX", "AF_NETLINK"]
    assert unit["IPAddressDeny"] == ["any"]


def test_the_code_goes_to_the_screen_and_never_to_the_journal() -> None:
    unit = services()["nasweb-setup.service"]
    assert unit["ExecStart"][0].split()[-2:] == ["setup", "--screen"]
    assert "StandardOutput" not in unit
    environment = (ROLES / "app" / "templates" / "environment.j2").read_text()
    assert f"NASWEB_SCREEN={CODE}" in environment.splitlines()
    for name in ("nasweb-setup.service", "nasweb-web.service"):
        assert f"-{CODE.parent}" in services()[name]["ReadWritePaths"][0].split()


def test_what_the_owner_sets_is_in_a_file_that_no_upgrade_writes() -> None:
    files = ["/etc/nasweb/environment", "-/etc/nasweb/environment.local"]  # the second one counts
    units = [file for file in ROLES.glob("*/files/units/*.service") if "EnvironmentFile" in settings(file)]
    assert len(units) == 5
    assert [settings(file)["EnvironmentFile"] for file in units] == [files] * 5
    for program in ("nasweb", "nasweb-release"):
        text = (ROLES / "services" / "files" / "sbin" / program).read_text()
        assert "[ ! -f /etc/nasweb/environment.local ] || . /etc/nasweb/environment.local\n" in text
    assert not [file for file in ROLES.glob("*/tasks/*.yml") if "environment.local" in file.read_text()]


def test_the_web_process_can_neither_reach_the_helper_nor_start_a_program() -> None:
    web = services()["nasweb-web.service"]
    assert web["User"] == ["nasweb"]
    assert "-/run/nasweb" in web["InaccessiblePaths"][0].split()
    assert web["NoExecPaths"] == ["/"]
    assert web["ExecPaths"] == ["/opt/nasweb /usr/bin/python3 /usr/lib /lib"]


def test_the_helpers_socket_is_the_workers_alone() -> None:
    socket = settings(UNITS / "nasweb-helper.socket")
    assert socket["SocketUser"] == ["root"]
    assert socket["SocketGroup"] == ["nasweb-worker"]
    assert socket["SocketMode"] == ["0660"]
    assert "--allow-user nasweb-worker" in services()["nasweb-helper.service"]["ExecStart"][0]


def test_the_queue_listens_on_no_port() -> None:
    lines = (ROLES / "redis" / "files" / "redis.conf").read_text().splitlines()
    assert "port 0" in lines
    assert "unixsocket /run/nasweb-redis/redis.sock" in lines


def on_a_disk() -> dict[str, list[str]]:
    """What confines the transient units of `host.commands.units`; systemd-run adds the one device."""
    return settings(UNITS / "nasweb-disk-.service.d" / "sandbox.conf")


def test_what_works_on_a_disk_is_confined_like_the_rest_but_for_the_disk() -> None:
    common = settings(UNITS / "nasweb-.service.d" / "sandbox.conf")
    # Of one name, or both would count. Root has no System V objects to remove.
    left_out = common.keys() - on_a_disk().keys()
    assert left_out == {"PrivateDevices", "RemoveIPC"}
    unequal = {name for name in common.keys() - left_out if on_a_disk()[name] != common[name]}
    assert unequal == {"CapabilityBoundingSet", "ExecPaths"}
    assert on_a_disk()["CapabilityBoundingSet"] == ["CAP_SYS_RAWIO CAP_SYS_ADMIN"]


def test_what_works_on_a_disk_reaches_neither_systemd_nor_the_helper() -> None:
    closed = on_a_disk()["InaccessiblePaths"][0].split()
    assert {"-/run/nasweb", "-/run/systemd/private", "-/run/dbus", "-/var/lib/nasweb"} <= set(closed)


def test_the_helper_can_ask_systemd_to_start_and_stop_a_unit() -> None:
    # systemd's own socket in /run/systemd asks for root with CAP_SYS_ADMIN.
    helper = services()["nasweb-helper.service"]
    assert "AF_UNIX" in helper["RestrictAddressFamilies"][0].split()
    assert "CAP_SYS_ADMIN" in helper["CapabilityBoundingSet"][0].split()


def test_what_restarts_the_machine_runs_systemctl_and_cannot_do_it_itself() -> None:
    unit = settings(UNITS / f"{POWER}.service.d" / "sandbox.conf")
    assert (unit["NoExecPaths"], unit["ExecPaths"][0].split()[0]) == (["/"], "/usr/bin/systemctl")
    assert {"CAP_SYS_ADMIN", "CAP_SYS_BOOT"} == set(unit["CapabilityBoundingSet"][0].split())
    assert unit["SystemCallFilter"][0] == "@system-service"
    assert "@reboot" in unit["SystemCallFilter"][1].removeprefix("~").split()
    assert (unit["RestrictAddressFamilies"], unit["PrivateNetwork"]) == (["AF_UNIX"], ["yes"])


def test_stopping_a_unit_is_waited_for_longer_than_it_may_take() -> None:
    assert StopUnit.timeout_s > float(on_a_disk()["TimeoutStopSec"][0])


def test_secrets_wait_in_memory_for_the_helper_and_are_the_consoles_alone() -> None:
    web = services()["nasweb-web.service"]
    assert "nasweb-secrets" in web["RuntimeDirectory"][0].split()
    assert web["RuntimeDirectoryMode"] == ["0700"]
    assert Path("/run/nasweb-secrets") == SECRETS
    for name in ("nasweb-worker.service", "nasweb-setup.service"):
        assert "-/run/nasweb-secrets" in services()[name]["InaccessiblePaths"][0].split()
    assert "-/run/nasweb-secrets" in on_a_disk()["InaccessiblePaths"][0].split()
    # The folder is another account's: root reads and removes what is in it by these.
    capabilities = " ".join(services()["nasweb-helper.service"]["CapabilityBoundingSet"]).split()
    assert {"CAP_DAC_OVERRIDE", "CAP_DAC_READ_SEARCH"} <= set(capabilities)
    environment = (ROLES / "app" / "templates" / "environment.j2").read_text()
    assert f"NASWEB_SECRETS={SECRETS}" in environment.splitlines()


def test_what_reports_on_a_pool_has_priority_over_the_load_on_it() -> None:
    weights = {name: unit.get("CPUWeight") for name, unit in services().items()}
    ours = {"nasweb-helper.service", "nasweb-web.service", "nasweb-worker.service"}
    assert {name for name, weight in weights.items() if weight == ["1000"]} == ours
    assert "CPUWeight" not in on_a_disk()


def test_the_programs_of_copies_mount_for_themselves_alone() -> None:
    confined = settings(UNITS / f"{COPIES}.service.d" / "sandbox.conf")
    assert confined["RestrictNamespaces"] == ["mnt"]
    assert confined["SystemCallFilter"][0] == "@system-service @mount"
    assert MAKES_A_MOUNT_NAMESPACE & confined.keys() == set()


def test_what_passes_through_memory_is_its_owners_alone() -> None:
    helper, worker = services()["nasweb-helper.service"], services()["nasweb-worker.service"]
    for unit, folder in ((helper, WORKSHOP), (worker, SPOOL)):
        assert (f"/run/{unit['RuntimeDirectory'][0]}", unit["RuntimeDirectoryMode"]) == (
            str(folder),
            ["0700"],
        )


def test_a_restored_database_is_put_in_place_before_anything_of_the_console_starts() -> None:
    swap = services()["nasweb-swap.service"]
    assert swap["ConditionPathExists"] == [str(RESTORED / READY)]
    # Not the socket: it is one of the units that systemd has up before it starts any service. What knocks
    # there starts the console, and that waits.
    after = {"nasweb-web.service", "nasweb-worker.service", "nasweb-setup.service"}
    assert set(swap["Before"][0].split()) == after
    assert swap["User"] == ["nasweb"]
    assert swap["ExecStopPost"][0].split()[-1] == str(RESTORED)


def converting() -> dict[str, list[str]]:
    """What confines the copy of the system onto a boot pair."""
    folder = f"{CONVERT}.d"
    return settings(ROLES / "boot" / "files" / "units" / folder / "sandbox.conf")


def test_the_copy_of_the_system_changes_nothing_of_the_old_one_but_the_next_start() -> None:
    unit = converting()
    assert unit["ProtectSystem"] == ["strict"]
    assert unit["ReadWritePaths"] == ["/run -/boot/grub"]
    assert f"/var/lib/{unit['StateDirectory'][0]}" == NOTES
    assert (unit["PrivateNetwork"], unit["NoNewPrivileges"]) == (["yes"], ["yes"])


def test_the_copy_of_the_system_mounts_for_itself_alone_and_keeps_set_user_id() -> None:
    unit = converting()
    assert unit["PrivateMounts"] == ["yes"]
    # sudo and mount would be copied without their rights. And a clock that is protected shuts all disks off.
    assert {"RestrictSUIDSGID", "ProtectHome", "ProtectClock", "ProtectKernelModules"} & unit.keys() == set()
    capabilities = set(" ".join(unit["CapabilityBoundingSet"]).split())
    assert {"CAP_SYS_TIME", "CAP_SYS_MODULE", "CAP_SYS_BOOT", "CAP_NET_ADMIN"} & capabilities == set()
