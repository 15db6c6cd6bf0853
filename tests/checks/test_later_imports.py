"""A module put off is loaded when first used, and is then the module itself."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from checks.later_imports import LaterModule, import_later

BODY = "import sys\nsys.modules.setdefault('loaded ' + __name__, sys)\nnumber = 7\n"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A package that says when it is loaded."""
    name = "put_off_package"
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").write_text(BODY)
    (tmp_path / name / "inner.py").write_text("from . import number\ntwice = 2 * number\n")
    monkeypatch.syspath_prepend(tmp_path)
    for module in (name, f"{name}.inner", f"loaded {name}"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    return name


def test_importing_it_does_not_load_it_and_using_it_does(package: str) -> None:
    import_later(package)
    held: ModuleType = __import__(package)
    assert isinstance(held, LaterModule) and f"loaded {package}" not in sys.modules
    assert not hasattr(held, "__wrapped__") and f"loaded {package}" not in sys.modules, "inspection loads nothing"
    assert held.number == 7
    assert f"loaded {package}" in sys.modules
    assert not isinstance(sys.modules[package], LaterModule)
    assert held.number == __import__(package).number
    with pytest.raises(AttributeError):
        _ = held.no_such_name


def test_a_part_of_it_can_be_imported_first(package: str) -> None:
    import_later(package)
    inner = __import__(f"{package}.inner", fromlist=["twice"])
    assert inner.twice == 14


def test_what_is_loaded_or_absent_stays_as_it_is() -> None:
    import_later("pathlib", "no_such_package_anywhere")
    assert sys.modules["pathlib"] is __import__("pathlib")
    assert "no_such_package_anywhere" not in sys.modules


def test_the_engine_starts_without_what_no_clause_touches() -> None:
    """In a process of its own: this one may have loaded them for other tests."""
    import subprocess

    asked = (
        "import sys, checks.engine as engine; engine._prove();"
        "print([name for name in ('scipy.stats._stats_py', 'altair.vegalite') if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
