"""The address that is connected to is the one that was judged: names that change or lead inward gain nothing."""

from __future__ import annotations

import socket
from collections.abc import Sequence

import httpcore
import pytest

from resources.public_network import PrivateAddressError, PublicBackend


def resolving(*answers: Sequence[str]) -> tuple[object, list[str]]:
    """A stand-in for getaddrinfo that answers differently each time, and the names it was asked."""
    asked: list[str] = []
    left = list(answers)

    def getaddrinfo(host: str, port: int, **_kwargs: object) -> list[tuple[object, ...]]:
        asked.append(host)
        found = left.pop(0)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in found]

    return getaddrinfo, asked


@pytest.fixture
def connected(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that a connection was opened to; none really is."""
    addresses: list[str] = []

    def connect_tcp(self: object, host: str, *_args: object, **_kwargs: object) -> str:
        addresses.append(host)
        return "stream"

    monkeypatch.setattr(httpcore.SyncBackend, "connect_tcp", connect_tcp)
    return addresses


def test_a_name_is_resolved_once_and_its_address_connected_to(
    monkeypatch: pytest.MonkeyPatch, connected: list[str]
) -> None:
    """DNS rebinding: a second look-up would lead inward, so there is none."""
    answer, asked = resolving(["93.184.216.34"], ["127.0.0.1"])
    monkeypatch.setattr(socket, "getaddrinfo", answer)
    PublicBackend().connect_tcp("example.org", 443)
    assert connected == ["93.184.216.34"]
    assert asked == ["example.org"]


def test_private_answers_among_public_ones_are_passed_over(
    monkeypatch: pytest.MonkeyPatch, connected: list[str]
) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", resolving(["10.0.0.1", "93.184.216.34"])[0])
    PublicBackend().connect_tcp("example.org", 443)
    assert connected == ["93.184.216.34"]


@pytest.mark.parametrize("address", ["127.0.0.1", "169.254.169.254", "::1", "::ffff:10.0.0.1"])
def test_a_name_that_leads_inward_is_refused(
    monkeypatch: pytest.MonkeyPatch, connected: list[str], address: str
) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", resolving([address])[0])
    with pytest.raises(PrivateAddressError, match="allow_private"):
        PublicBackend().connect_tcp("inward.example.org", 443)
    assert connected == []


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "0x7f000001", "2130706433", "[::1]", "127.1"])
def test_spellings_of_the_own_machine_are_refused(connected: list[str], host: str) -> None:
    with pytest.raises(httpcore.ConnectError):
        PublicBackend().connect_tcp(host.strip("[]"), 443)
    assert connected == []


def test_a_socket_file_is_refused() -> None:
    with pytest.raises(PrivateAddressError):
        PublicBackend().connect_unix_socket("/run/x.sock")
