"""kill -9 at any step: readers keep a whole release, the next run recovers and publishes (never half a release)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from killed_days import INJECTED, RANDOM_KILLS
from small_homes import SmallWorld

SCRIPT = Path(__file__).with_name("killed_days.py")


def test_a_killed_day_never_leaves_half_a_release(published: SmallWorld, tmp_path: Path) -> None:
    """Injected at every hand-over between stores, and at random moments; what a kill left is looked at each time."""
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", str(SCRIPT), str(published.root.parent), "20261020"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout + ran.stderr[-4000:]
    kills = [json.loads(line) for line in ran.stdout.splitlines()]
    assert len(kills) == len(INJECTED) + RANDOM_KILLS
    for kill in kills[: len(INJECTED)]:
        assert kill["ended"] == 137, kill
    assert sum(kill["ended"] == 137 for kill in kills[len(INJECTED) :]) >= 1, "the random moments missed the run"
