"""`scoretrail ui`: the Dagster UI on this home, on 127.0.0.1."""

from __future__ import annotations

import os
import socket
import sys
from typing import Annotated

import typer
from filelock import FileLock, Timeout

from pipelines import console, options
from pipelines.options import CatalogOption, HomeOption, JsonOption, SourcesOption, UsageError
from pipelines.supervision import supervise
from warehouse.exit_codes import ExitCode


def ui(
    *,
    port: Annotated[int, typer.Option("--port", min=1, max=65535, help="Port to listen on.")] = 3000,
    host: Annotated[
        str,
        typer.Option(
            "--host",
            help="Address to listen on; any but 127.0.0.1 lets other machines in.",
        ),
    ] = "127.0.0.1",
    demo: Annotated[bool, typer.Option("--demo", help="The home and sources of the demonstration.")] = False,
    home: HomeOption = None,
    catalog: CatalogOption = None,
    sources: SourcesOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """The same graph in the Dagster UI, with the nightly schedule running while it is up. Ctrl-C and TERM end it."""
    from pipelines.instance import dagster_environment

    if demo:
        home, sources = home or options.DEMO_HOME, sources or options.DEMO_SOURCES
    settings = options.open_settings(home, catalog, sources)
    _check_free(host, port)
    (settings.home / "dagster").mkdir(parents=True, exist_ok=True)
    held = FileLock(settings.home / "dagster" / ".ui-lock")
    try:
        held.acquire(timeout=0)
    except Timeout:
        raise UsageError(f"a Dagster UI of {settings.home} is running already; end it first") from None
    environment = {**os.environ, **dagster_environment(settings)}
    command = [sys.executable, "-m", "dagster", "dev", "-m", "pipelines.definitions", "-h", host, "-p", str(port)]
    if as_json:
        console.print_json({"address": f"http://{host}:{port}", "home": str(settings.home)})
        sys.stdout.flush()
    else:
        console.progress_line(f"Dagster UI: http://{host}:{port} (home {settings.home}); Ctrl-C ends it")
    if host not in {"127.0.0.1", "localhost", "::1"}:
        console.error_line(f"{host} is reachable from other machines, and the UI asks for no password")
    # Not the checkout: the `.env` there serves a plain `dagster dev` and would override this home's storage.
    return ExitCode.OK if supervise(command, environment, settings.home) else ExitCode.BUG


def _check_free(host: str, port: int) -> None:
    """Refuse a port that something listens on, before anything is started.

    Raises:
        UsageError: naming it.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise UsageError(f"cannot listen on {host}:{port}: {error.strerror}; name another with --port") from error
