"""How often a download is tried, how long it waits, and that hosts are asked one at a time: on a clock of our own."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from datetime import timedelta

import pytest
from local_server import LocalServer, in_order, local_server, plain
from pacing import START, FakeTime, network_of

from resources.hosts import HostTurns, host_of
from resources.http import FetchError
from resources.retries import Pace, RetryPolicy, retried, retry_after_seconds


@pytest.fixture
def server() -> Iterator[LocalServer]:
    with local_server() as running:
        yield running


def attempts_of(failures: list[FetchError], clock: FakeTime, policy: RetryPolicy | None = None, draw: float = 0) -> str:
    left = list(failures)

    def attempt() -> str:
        if left:
            raise left.pop(0)
        return "done"

    return retried(attempt, policy or RetryPolicy(), clock.pace(draw))


def transient(status: int | None = 503, retry_after: str | None = None) -> FetchError:
    return FetchError("it failed", status=status, is_transient=True, retry_after=retry_after)


def test_waits_double_up_to_the_cap() -> None:
    clock = FakeTime()
    policy = RetryPolicy(attempts=7, base_seconds=1, cap_seconds=8, total_seconds=100)
    assert attempts_of([transient()] * 6, clock, policy) == "done"
    assert clock.slept == [1, 2, 4, 8, 8, 8]


def test_chance_takes_up_to_half_of_a_wait() -> None:
    clock = FakeTime()
    attempts_of([transient()] * 2, clock, draw=0.5)
    assert clock.slept == [0.75, 1.5]


def test_the_waits_together_are_bounded() -> None:
    clock = FakeTime()
    with pytest.raises(FetchError, match="given up after 3 attempts, as the next would come 4 s later: at most 5 s"):
        attempts_of([transient()] * 9, clock, RetryPolicy(attempts=9, total_seconds=5))
    assert sum(clock.slept) <= 5


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410])
def test_what_another_attempt_cannot_mend_is_tried_once(server: LocalServer, status: int) -> None:
    server.answers["/a"] = plain(b"", status)
    clock = FakeTime()
    with pytest.raises(FetchError, match=f"status {status}"):
        network_of(clock).fetch(server.url("/a"), allow_private=True)
    assert (len(server.seen), clock.slept) == (1, [])


def test_retry_after_is_waited_for(server: LocalServer) -> None:
    clock = FakeTime()
    server.answers["/a"] = in_order(plain(b"", 429, retry_after="30"), plain(b"x"))
    assert network_of(clock).fetch(server.url("/a"), allow_private=True).data == b"x"
    assert clock.slept == [30]


def test_three_times_429_ends_as_rate_limited_within_the_bound(server: LocalServer) -> None:
    """A50: 429 Retry-After:30 again and again stops, named rate_limited."""
    clock = FakeTime()
    server.answers["/a"] = plain(b"", 429, retry_after="30")
    with pytest.raises(FetchError, match=r"^rate_limited: .*status 429.*given up after 3 attempts") as caught:
        network_of(clock, RetryPolicy(total_seconds=60)).fetch(server.url("/a"), allow_private=True)
    assert clock.slept == [30, 30]
    assert caught.value.status == 429


def test_a_retry_after_beyond_the_bound_is_not_waited_for_and_spares_the_host(server: LocalServer) -> None:
    clock = FakeTime()
    network = network_of(clock)
    server.answers["/a"] = plain(b"", 429, retry_after="7200")
    for path in ("/a", "/b"):
        with pytest.raises(FetchError, match="rate_limited"):
            network.fetch(server.url(path), allow_private=True)
    assert [path for path, _ in server.seen] == ["/a"]
    assert clock.slept == []


@pytest.mark.parametrize(
    ("sent", "seconds"),
    [
        ("30", 30.0),
        (" 0 ", 0.0),
        ("Tue, 20 Oct 2026 03:01:30 GMT", 90.0),
        ("Tue, 20 Oct 2026 02:00:00 GMT", 0.0),
        ("soon", None),
        ("-5", None),
        ("1e9", None),
        ("", None),
        (None, None),
        ("9" * 40, 999_999_999.0),
    ],
)
def test_retry_after_as_number_or_date(sent: str | None, seconds: float | None) -> None:
    assert retry_after_seconds(sent, START) == seconds


def test_no_budget_means_one_attempt() -> None:
    clock = FakeTime()
    with pytest.raises(FetchError, match="not tried again"):
        attempts_of([transient()], clock, RetryPolicy(total_seconds=0))
    assert clock.slept == []


def test_a_host_is_asked_by_one_at_a_time_and_others_meanwhile() -> None:
    turns, talking, most = HostTurns(Pace(), pause_seconds=0), {"a": 0, "b": 0}, {"a": 0, "b": 0}
    together = threading.Event()

    def talk(host: str) -> None:
        with turns.turn(host):
            talking[host] += 1
            most[host] = max(most[host], talking[host])
            if all(talking.values()):
                together.set()
            time.sleep(0.01)
            talking[host] -= 1

    threads = [threading.Thread(target=talk, args=(host,)) for host in "abababab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == {"a": 1, "b": 1}
    assert together.is_set()


def test_a_host_rests_between_requests() -> None:
    clock = FakeTime()
    turns = HostTurns(clock.pace(), pause_seconds=0.5)
    for _ in range(3):
        with turns.turn("h"):
            clock.seconds += 0.1
    with turns.turn("other"):
        pass
    assert clock.slept == [0.5, 0.5]


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://h/a", "h"),
        ("git+https://h:444/r.git", "h:444"),
        ("file:///a", None),
        ("a/b.json", None),
        ("git+file:///r.git", None),
        ("https://[::1", None),
    ],
)
def test_hosts_of_addresses(url: str, host: str | None) -> None:
    assert host_of(url) == host


def test_the_wall_clock_is_only_read_for_dates() -> None:
    assert Pace().wall() - START > timedelta(days=-3650)
