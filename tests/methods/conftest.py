"""Makes the modules beside the tests of any method importable by the tests of all: their names are unique."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(folder) for folder in (HERE, *sorted(HERE.iterdir())) if folder.is_dir()]
