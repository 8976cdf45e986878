"""How often the code on the screen may be guessed, by one and by all."""

from __future__ import annotations

from jobs.api.guesses import MOST_A_DAY, OF_ALL, OF_NEWCOMERS, OF_ONE, Guesses

OWNER = "192.168.1.20"


class Clock:
    now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def flood(guesses: Guesses, addresses: list[str], each: int = 50) -> int:
    """How many guesses of a flood are checked."""
    return sum(guesses.allow(address) for address in addresses for _ in range(each))


def test_one_address_has_ten_a_minute() -> None:
    clock = Clock()
    guesses = Guesses(clock)
    assert flood(guesses, [OWNER]) == OF_ONE
    clock.now += 60
    assert flood(guesses, [OWNER]) == OF_ONE


def test_all_addresses_of_a_home_network_never_shut_the_owner_out() -> None:
    clock = Clock()
    guesses = Guesses(clock)
    neighbours = [f"192.168.1.{n}" for n in range(1, 255) if n != 20]
    for _ in range(3):
        checked = flood(guesses, neighbours)
        assert checked <= OF_ALL + OF_NEWCOMERS
        assert guesses.allow(OWNER)
        clock.now += 60


def test_a_larger_network_shuts_out_for_a_minute_and_not_longer() -> None:
    clock = Clock()
    guesses = Guesses(clock)
    crowd = [f"10.0.{n // 250}.{n % 250}" for n in range(20_000)]
    assert flood(guesses, crowd, each=10) == OF_ALL + OF_NEWCOMERS
    assert not guesses.allow(OWNER)
    clock.now += 60
    assert guesses.allow(OWNER)


def test_a_days_guesses_are_counted_right() -> None:
    clock = Clock()
    guesses = Guesses(clock)
    crowd = [f"10.0.{n // 250}.{n % 250}" for n in range(2_000)]
    minutes = 3
    checked = 0
    for _ in range(minutes):
        checked += flood(guesses, crowd, each=10)
        clock.now += 60
    assert checked * 24 * 60 // minutes == MOST_A_DAY


def test_all_addresses_of_a_prefix_of_ipv6_are_one() -> None:
    guesses = Guesses(Clock())
    assert flood(guesses, [f"2001:db8::{n:x}" for n in range(100)], each=1) == OF_ONE
    assert guesses.allow("2001:db8:0:1::1")


def test_an_ipv4_address_written_as_ipv6_is_the_same_one() -> None:
    guesses = Guesses(Clock())
    assert flood(guesses, [OWNER, f"::ffff:{OWNER}", "::ffff:192.168.1.21"]) == 2 * OF_ONE
