"""The UI does not start where it could not serve: a port in use, or a second one on the same home."""

from __future__ import annotations

import socket

from filelock import FileLock
from small_homes import SmallWorld, call


def test_a_port_in_use_is_said_at_once(fresh: SmallWorld) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        ran = call("ui", "--home", fresh.home, "--catalog", fresh.catalog, "--port", str(port))
    assert ran.code == 2
    assert f"127.0.0.1:{port}" in ran.said
    assert "--port" in ran.said
    assert "Dagster UI: http" not in ran.said


def test_a_second_ui_of_one_home_is_refused(fresh: SmallWorld) -> None:
    (fresh.home / "dagster").mkdir(parents=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with FileLock(fresh.home / "dagster" / ".ui-lock"):
        ran = call("ui", "--home", fresh.home, "--catalog", fresh.catalog, "--port", str(port))
    assert ran.code == 2
    assert "running already" in ran.said
