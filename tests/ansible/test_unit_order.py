"""What starts before what, and what a stop takes along."""

from graphlib import TopologicalSorter

from tests.ansible.units import PEER_FILES, ROLES, UNITS, ordering, services, settings


def test_the_target_starts_every_service() -> None:
    wanted = " ".join(settings(UNITS / "nasweb.target")["Wants"]).split()
    # The keys are required by the services that need them; the others are started by their sockets.
    assert set(services()) - set(wanted) == {"nasweb-keys.service", "nasweb-helper.service", PEER_FILES}
    assert {"nasweb-helper.socket", "nasweb-peer-files.socket"} <= set(wanted)


def test_the_helper_and_the_queue_outlast_the_worker() -> None:
    # What starts before it stops after it. The job in hand is carried to its end, which takes both.
    assert {"nasweb-helper.service", "nasweb-redis.service"} <= ordering()["nasweb-worker.service"]


def test_what_a_stop_of_the_console_stops_its_start_brings_back() -> None:
    units = {file.name: settings(file) for file in ROLES.glob("*/files/units/*.*") if file.is_file()}
    units["nginx.service"] = settings(*ROLES.glob("nginx/files/units/nginx.service.d/*.conf"))
    named = {name: " ".join(unit.get("Requires", [])).split() for name, unit in units.items()}
    stopped = {name for name, unit in units.items() if "nasweb.target" in unit.get("PartOf", [])}
    while more := {name for name, needs in named.items() if stopped.intersection(needs)} - stopped:
        stopped |= more
    started = set(" ".join(units["nasweb.target"]["Wants"]).split())
    started |= {need for name in started for need in named.get(name, ())}
    # By its socket, its path, or whoever turned it on.
    started |= {name.replace(kind, ".service") for name in started for kind in (".socket", ".path", ".timer")}
    started |= {name for name, unit in units.items() if "nasweb.target" in unit.get("WantedBy", [])}
    assert stopped - started == set()
    assert "nginx.service" in stopped


def test_the_units_can_be_started_in_some_order() -> None:
    # systemd would leave one of a circle out, and a console without its socket is none.
    order = list(TopologicalSorter(ordering()).static_order())
    assert order.index("nasweb-web.socket") < order.index("basic.target") < order.index("nasweb-web.service")
