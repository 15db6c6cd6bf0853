"""Connections to public addresses only: the address actually connected to is judged, so a name that changes between
check and use (DNS rebinding), or a redirect inward, gains nothing.

Belongs here: resolving, judging and connecting, as httpcore's network backend and httpx's transport. What is said over
the connection is `http`.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterable
from functools import cache
from typing import Any

import httpcore
import httpx

from resources.addresses import is_public
from resources.deadlines import TimedBackend


class PrivateAddressError(httpcore.ConnectError):
    """A name that leads to no public address."""


def public_addresses(host: str, port: int) -> list[str]:
    """The public IP addresses a name leads to, now.

    Raises:
        PrivateAddressError: if it leads to none that is public.
        httpcore.ConnectError: if it leads nowhere.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise httpcore.ConnectError(f"no address for {host}: {error}") from error
    addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
    public = [address for address in addresses if is_public(address)]
    if not public:
        raise PrivateAddressError(
            f"{host} leads to {', '.join(addresses)}, no public address; "
            "a source that is meant to says allow_private: true"
        )
    return public


class PublicBackend(httpcore.SyncBackend):
    """Connects to public IP addresses and no others."""

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """Resolves the name once, connects to its first public address that answers.

        Raises:
            PrivateAddressError: if the name has no public address.
            httpcore.ConnectError: if it has no address, or none answers.
        """
        public = public_addresses(host, port)
        failure: httpcore.ConnectError | httpcore.ConnectTimeout | None = None
        for address in public:
            try:
                return super().connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
        assert failure is not None
        raise failure

    def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ARG002 - the signature is httpcore's
        socket_options: Iterable[Any] | None = None,  # noqa: ARG002
    ) -> httpcore.NetworkStream:
        """Never: a socket file is no public address."""
        raise PrivateAddressError(f"{path} is no public address")


def transport(*, allow_private: bool) -> httpx.HTTPTransport:
    """A transport without proxies and retries; to public addresses only unless `allow_private`."""
    made = httpx.HTTPTransport(verify=_certificates(), trust_env=False, retries=0)
    # httpx has no argument for the backend; the pool's own (httpcore's public) argument is where it belongs.
    made._pool.close()
    made._pool = httpcore.ConnectionPool(
        ssl_context=_certificates(),
        max_connections=16,
        keepalive_expiry=5.0,
        http1=True,
        network_backend=TimedBackend(httpcore.SyncBackend() if allow_private else PublicBackend()),
    )
    return made


@cache
def _certificates() -> ssl.SSLContext:
    """The trusted certificates, read once: reading them takes longer than a small download."""
    return httpx.create_ssl_context(trust_env=False)
