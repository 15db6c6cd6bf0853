"""The code location loads as Dagster loads it, whatever one source entry says; the rooms import one way only."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import textwrap
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from small_homes import CHECKOUT, SmallWorld

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "resources"))
from local_server import local_server, plain

from pipelines.definitions import code_location
from pipelines.unloadable import tell_unloadable
from resources.atomic_files import read_json
from resources.catalog_files import load_catalog
from resources.catalog_problems import CatalogError
from resources.settings import CATALOG, HOME, SOURCES, Settings

BROKEN = (
    {"id": "omega", "title": "Omega", "connector": "native", "url": "omega.json", "source_type": "official", "nope": 1},
    {"id": "psi", "title": "Psi", "connector": "no-such-connector", "url": "psi.json", "source_type": "official"},
    {"id": "../evil", "title": "Evil", "connector": "native", "url": "e.json", "source_type": "official"},
    {"id": "alpha", "title": "Twice", "connector": "native", "url": "a.json", "source_type": "official"},
    {"title": "Nameless"},
)


@pytest.fixture
def located(fresh: SmallWorld, monkeypatch: pytest.MonkeyPatch) -> SmallWorld:
    """A small world that the environment names, as `scoretrail ui` does."""
    monkeypatch.setenv(HOME, str(fresh.home))
    monkeypatch.setenv(CATALOG, str(fresh.catalog))
    monkeypatch.setenv(SOURCES, str(fresh.catalog / "sources.yaml"))
    return fresh


def test_the_code_location_loads_with_broken_source_entries(located: SmallWorld) -> None:
    located.write_sources(*BROKEN)
    keys = {key.to_user_string() for key in code_location().get_repository_def().asset_graph.get_all_asset_keys()}
    assert {name for name in keys if name.startswith("source/")} == {
        f"source/{board}" for board in ("alpha", "beta", "gamma", "delta")
    }
    assert "out__release" in keys
    assert not located.home.exists(), "loading the code location writes nothing"


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("metrics.yaml", "version: '1'\nmetrics: [{id: x}]\n", r"metrics\.yaml:2: metrics\[0\]"),
        ("models.yaml", "models: 7\n", r"models\.yaml:1: models: must be a list"),
        ("gates.yaml", "gates: [\n", r"gates\.yaml:\d+: "),
        ("methodology.yaml", "version: '3.0'\nnonsense: 1\n", r"methodology\.yaml:2: nonsense: unknown key"),
        ("sources.yaml", "- a\n", r"sources\.yaml:1: must be a mapping"),
    ],
)
def test_a_broken_catalog_is_a_clear_error_with_a_line(located: SmallWorld, file: str, text: str, said: str) -> None:
    (located.catalog / file).write_text(text)
    with pytest.raises(CatalogError) as raised:
        code_location()
    assert re.search(said, str(raised.value)), raised.value
    ran = located.run()
    assert ran.code == 2
    assert re.search(said, ran.json["error"])
    assert "Traceback" not in ran.said


def test_a_code_location_that_cannot_load_alerts_people_once_a_day(
    located: SmallWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its schedule does not exist then: no night would ever begin, nor end with an alert."""
    good = (located.catalog / "gates.yaml").read_text()
    with local_server() as server:
        server.answers["/hook"] = plain(b"", 500)
        monkeypatch.setenv("SCORETRAIL_ALERT_WEBHOOK", server.url("/hook"))
        for text, posts in (("gates: [\n", 1), ("gates: [\n", 1), ("gates: 7\n", 2)):
            (located.catalog / "gates.yaml").write_text(text)
            with pytest.raises(CatalogError):
                code_location()
            assert len(server.posted) == posts
        told = json.loads(server.posted[0])
        assert "no night begins" in told["subject"] and "gates.yaml:" in told["text"]
        assert "reload the code location" in told["text"] and told["exit_code"] == 2
        assert read_json(located.home / "nightly" / "unloadable.json")["reason"].startswith("gates.yaml:1: gates: must")
        settings = Settings.from_env()
        with pytest.raises(CatalogError) as raised:
            load_catalog(located.catalog)
        tell_unloadable(settings, raised.value, datetime.now(UTC) + timedelta(hours=21))
        assert len(server.posted) == 3, "a night has passed"
        (located.catalog / "gates.yaml").write_text(good)
        code_location()
        assert len(server.posted) == 3


def test_a_missing_catalog_file_names_the_file(located: SmallWorld) -> None:
    (located.catalog / "models.yaml").unlink()
    with pytest.raises(CatalogError, match=r"models\.yaml: cannot be read"):
        code_location()


def test_a_catalog_without_any_source_loads(located: SmallWorld) -> None:
    (located.catalog / "sources.yaml").write_text("sources: []\n")
    keys = code_location().get_repository_def().asset_graph.get_all_asset_keys()
    assert not [key for key in keys if key.path[0] == "source"]


def test_the_rooms_import_one_way_only() -> None:
    """DESIGN "The house": pipelines, assets, checks or resources, methods, warehouse; held by import-linter."""
    ran = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()", "--no-cache"],
        cwd=CHECKOUT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "0 broken" in ran.stdout


def test_the_import_rule_bites(tmp_path: object) -> None:
    """The contract is no dead letter: the same linter on a room that imports upwards says so."""
    from pathlib import Path

    folder = Path(str(tmp_path))
    for room in ("pipelines", "assets", "checks", "resources", "methods", "warehouse"):
        (folder / room).mkdir()
        (folder / room / "__init__.py").write_text("")
    (folder / "methods" / "wrong.py").write_text("import resources\n")
    (folder / "pyproject.toml").write_bytes((CHECKOUT / "pyproject.toml").read_bytes())
    code = textwrap.dedent("""
        import sys
        sys.path.insert(0, ".")
        from importlinter.cli import lint_imports_command
        lint_imports_command()
    """)
    ran = subprocess.run(
        [sys.executable, "-P", "-c", code, "--no-cache"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "methods is not allowed to import resources" in ran.stdout
