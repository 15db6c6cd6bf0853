"""Addresses: what may be read at all, what of an address is kept, which IP addresses are public."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from resources.addresses import AddressError, is_public, read_address, without_query


@pytest.mark.parametrize(
    ("url", "kind", "location"),
    [
        ("https://example.org/a.json", "network", "https://example.org/a.json"),
        ("file:///data/a%20b.json", "file", "/data/a b.json"),
        ("demo/a.json", "file", "demo/a.json"),
        ("../a.json", "file", "../a.json"),
        ("/data/x:y.json", "file", "/data/x:y.json"),
    ],
)
def test_what_may_be_read(url: str, kind: str, location: str) -> None:
    address = read_address(url)
    assert (address.kind, address.location) == (kind, location)


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/a.json", "ftp://example.org/a", "ext::sh -c id", "--upload-pack=id", "-x", "data:text/csv",
        "ssh://host/a", "https://user:pass@example.org/a", "https:///a", "file://host/a", "https://example.org:port/a",
        "https://exa\nmple.org/", "https://[::1/a", "javascript:alert(1)", "file:///a?b=c", "a\x00b",
    ],
)  # fmt: skip
def test_what_is_refused(url: str) -> None:
    with pytest.raises(AddressError):
        read_address(url)


def test_plain_http_only_for_private_sources() -> None:
    assert read_address("http://127.0.0.1:8/a", allow_private=True).kind == "network"


def test_stored_addresses_hold_no_query_and_no_credentials() -> None:
    """G07."""
    assert without_query("https://u:p@example.org:8443/a/b.json?token=abc#x") == "https://example.org:8443/a/b.json"
    assert without_query("demo/a.json?x=1") == "demo/a.json"
    assert without_query("https://[2001:db8::1]:8/a?b") == "https://[2001:db8::1]:8/a"
    with pytest.raises(AddressError) as caught:
        read_address("https://u:hush@example.org/a?token=abc")
    assert "hush" not in str(caught.value)
    assert "abc" not in str(caught.value)


@pytest.mark.parametrize(
    "ip",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0", "100.64.0.1", "224.0.0.1",
        "255.255.255.255", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "ff02::1", "::ffff:127.0.0.1",
        "::ffff:169.254.169.254", "2002:7f00:1::", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "not an ip", "",
    ],
)  # fmt: skip
def test_private_addresses_in_all_their_disguises(ip: str) -> None:
    assert not is_public(ip)


@pytest.mark.parametrize("ip", ["8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_public_addresses(ip: str) -> None:
    assert is_public(ip)


@given(st.text(max_size=60))
def test_any_text_is_an_address_or_an_address_error(text: str) -> None:
    with contextlib.suppress(AddressError):
        read_address(text)
    without_query(text)
