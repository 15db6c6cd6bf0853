"""Addresses of sources: what a `url` may be, what of it is kept, and which IP addresses are public.

Belongs here: the grammar of an address and the judgement of an IP address (DESIGN "Safety"). Opening a connection is
`public_network` and `http`; opening a file is `paths`.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import SplitResult, unquote, urlsplit, urlunsplit

Kind = Literal["network", "file"]

_NAT64: Final = ipaddress.ip_network("64:ff9b::/96")


class AddressError(ValueError):
    """An address that may not be used: what it is, and which are allowed."""


@dataclass(frozen=True, slots=True)
class Address:
    """A checked address of a source.

    Attributes:
        kind: network or file.
        location: the full address of a network source; the path, absolute or relative, of a file.
    """

    kind: Kind
    location: str


def read_address(url: str, *, allow_private: bool = False) -> Address:
    """What a source's `url` points at.

    Args:
        url: https://…, file:///…, or a path. Plain http only for a source that may reach private addresses.

    Raises:
        AddressError: for any other scheme (so no `ext::`, `ssh:`, `data:`), credentials in the address, an address
            that begins like an option, or control characters.
    """
    if url.startswith("-") or any(character < " " or character == "\x7f" for character in url):
        shown = without_query(url)[:80]
        raise AddressError(f"{shown!r} is no address: it begins like an option or holds control characters")
    head, separator, _ = url.partition(":")
    if not separator or "/" in head:
        return Address("file", url)
    parts = _split(url)
    if parts.scheme == "file":
        if parts.netloc not in {"", "localhost"} or parts.query or parts.fragment:
            raise AddressError(f"{without_query(url)[:80]!r}: a file address is file:///absolute/path")
        return Address("file", unquote(parts.path))
    check_network(parts, allow_plain=allow_private)
    return Address("network", url)


def check_network(parts: SplitResult, *, allow_plain: bool) -> None:
    """Checks scheme, host and absence of credentials of a network address.

    Raises:
        AddressError: saying which of them is wrong.
    """
    shown = without_query(urlunsplit(parts))
    if parts.scheme != "https" and not (allow_plain and parts.scheme == "http"):
        raise AddressError(f"{shown}: only https, file:// and paths are read, not {parts.scheme!r}")
    if not parts.hostname:
        raise AddressError(f"{shown}: no host")
    if parts.username or parts.password:
        raise AddressError(f"{shown}: credentials in an address; name a secret_env instead")


def without_query(url: str) -> str:
    """The address without credentials, query and fragment: what may be stored and shown."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "(unreadable address)"
    if not parts.scheme:
        return url.split("?", 1)[0].split("#", 1)[0]
    host = f"[{host}]" if ":" in host else host
    return urlunsplit((parts.scheme, f"{host}{port}", parts.path, "", ""))


def is_public(ip: str) -> bool:
    """Whether an IP address is on the public internet, also behind its IPv6 disguises (mapped, 6to4, Teredo, NAT64)."""
    try:
        address = ipaddress.ip_address(ip.partition("%")[0])
    except ValueError:
        return False
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if address.teredo:
            inner = address.teredo[1]
        if address in _NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return inner.is_global and not inner.is_multicast
    return address.is_global and not address.is_multicast and not address.is_reserved


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        raise AddressError(f"{without_query(url)[:80]!r} is no address: {error}") from error
    return parts
