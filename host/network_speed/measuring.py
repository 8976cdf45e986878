"""Measures with iperf3: to another machine in both directions, or as the other end for those that measure."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from host.measuring.pausing import STOPPED, Asked, Writing
from host.network_speed.output import Failed, Texts, parse
from host.network_speed.values import NetworkSpeed
from host.system.following import Follow

SECONDS, STREAMS, LISTENS_S = 10, 4, 600
_MOST_TRANSFERS = 50
_NEVER_MORE = 0.95


def client_argv(address: str, port: int, *, reverse: bool) -> tuple[str, ...]:
    """One direction: with `reverse` the other machine sends."""
    return (
        "iperf3", f"--client={address}", f"--port={port}", f"--time={SECONDS}", f"--parallel={STREAMS}",
        "--json", "--connect-timeout=5000", *(("--reverse",) if reverse else ()),
    )  # fmt: skip


def server_argv(port: int) -> tuple[str, ...]:
    """The other end."""
    return ("iperf3", "--server", f"--port={port}", "--json", "--forceflush")


class Measuring:
    """One measurement. `clock` is monotonic."""

    def __init__(
        self, report: Writing[NetworkSpeed], *, follow: Follow, clock: Callable[[], float], stop: Asked
    ) -> None:
        self._report, self._follow, self._clock, self._stop = report, follow, clock, stop

    def to(self, address: str) -> None:
        """Send to `address`, then receive from it; to the verdict in its report."""
        asked = self._report.content
        for number, reverse in enumerate((False, True)):
            self._report.note(phase="receiving" if reverse else "sending")
            begun = self._clock()

            def progress(number: int = number, begun: float = begun) -> bool:
                here = min(self._clock() - begun, SECONDS * _NEVER_MORE)
                done = (number * SECONDS + here) / (2 * SECONDS)
                self._report.note(share=done, left_s=2 * SECONDS * (1 - done))
                return self._stop.asked()

            said: list[bytes] = []
            argv = client_argv(address, asked.port, reverse=reverse)
            result = self._follow(argv, environment={}, line=said.append, asked=progress)
            if self._stop.asked():
                return self._close("stopped", STOPPED)
            try:
                found = parse(b"\n".join(said).decode("utf-8", "replace"), serves=False)
            except Failed as error:
                return self._close("failed", self._why(str(error), result.stderr))
            self._report.note(transfers=(*self._report.content.transfers, found))
        return self._close("done", "")

    def listen(self) -> None:
        """Until its time is over, or somebody stops it."""
        texts, begun = Texts(), self._clock()
        self._report.note(phase="listening")

        def line(one: bytes) -> None:
            if (text := texts.take(one)) is not None:
                with suppress(Failed):  # somebody who went away in the middle
                    found = parse(text, serves=True)
                    kept = (*self._report.content.transfers, found)[-_MOST_TRANSFERS:]
                    self._report.note(transfers=kept)

        def over() -> bool:
            passed = self._clock() - begun
            self._report.note(share=min(1.0, passed / LISTENS_S), left_s=max(0.0, LISTENS_S - passed))
            return passed >= LISTENS_S or self._stop.asked()

        result = self._follow(server_argv(self._report.content.port), environment={}, line=line, asked=over)
        if self._clock() - begun < LISTENS_S and not self._stop.asked():
            return self._close("failed", f"iperf3 says: {_last(result.stderr)}")
        words = "" if self._report.content.transfers else "Nobody measured."
        return self._close("done", words)

    def _why(self, said: str, errors: str) -> str:
        asked = self._report.content
        if said.startswith("unable to connect"):
            return (
                f"iperf3 does not answer at {asked.host}, port {asked.port} ({said}). Start it there first: "
                f"iperf3 --server"
            )
        if "busy" in said:
            return f"The iperf3 at {asked.host} measures with somebody else now. Try again in a minute."
        return f"iperf3 says: {said or _last(errors)}"

    def _close(self, verdict: str, words: str) -> None:
        self._report.note(
            phase="done", left_s=None, share=1.0 if verdict == "done" else self._report.content.share
        )
        self._report.close(verdict, words)


def _last(said: str) -> str:
    lines = [line for line in said.splitlines() if line.strip()]
    return lines[-1][:300] if lines else "nothing"
