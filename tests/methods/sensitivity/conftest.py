"""Makes the modules beside this file, and those of the tests of protocols, importable by the tests of sensitivity."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "protocols")]
