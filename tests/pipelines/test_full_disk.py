"""A full disk at any write: said clearly, nothing good harmed, and the day runs through once there is room."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from full_disk_days import LIMITS
from small_homes import SmallWorld

SCRIPT = Path(__file__).with_name("full_disk_days.py")


def test_a_full_disk_harms_nothing_and_is_said(published: SmallWorld, tmp_path: Path) -> None:
    """Exit code 2, the step and the home named, no bug of ours; readers keep a whole release after each."""
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", str(SCRIPT), str(published.root.parent)],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout[-3000:] + ran.stderr[-4000:]
    reports = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [report["limit"] for report in reports] == list(LIMITS)
    for report in reports:
        assert report["code"] == 2, report
        assert "is the disk full" in report["said"]
        assert "File too large" in report["said"]
        assert "Traceback" not in report["said"]
