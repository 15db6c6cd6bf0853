"""Makes the modules beside this file, and those of the tests of scoring, importable by these tests."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "linked"), str(HERE.parent / "scoring")]
