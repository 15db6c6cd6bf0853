"""Settings: defaults from the checkout, arguments before environment, secrets bound to their prefix."""

from __future__ import annotations

from pathlib import Path

import pytest

from resources.settings import CHECKOUT, Settings


def test_defaults_come_from_the_checkout_not_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    settings = Settings.from_env(environ={})
    assert settings.home == CHECKOUT / "data"
    assert settings.catalog_dir == CHECKOUT / "warehouse" / "catalog"
    assert settings.sources_file == settings.catalog_dir / "sources.yaml"
    assert settings.working_dir == tmp_path


def test_an_argument_wins_over_the_environment(tmp_path: Path) -> None:
    env = {"SCORETRAIL_HOME": "/elsewhere", "SCORETRAIL_CATALOG": str(tmp_path / "c")}
    settings = Settings.from_env(home=tmp_path / "h", environ=env)
    assert settings.home == tmp_path / "h"
    assert settings.catalog_dir == tmp_path / "c"


def test_a_named_sources_file_starts_relative_addresses_at_its_own_folder(tmp_path: Path) -> None:
    settings = Settings.from_env(sources_file=tmp_path / "mine" / "s.yaml", environ={})
    assert settings.sources_dir == tmp_path / "mine"
    assert tmp_path / "mine" in settings.roots


def test_allowed_roots_are_separated_as_in_path(tmp_path: Path) -> None:
    settings = Settings.from_env(environ={"SCORETRAIL_ALLOW_ROOTS": f"{tmp_path}/a:{tmp_path}/b::"})
    assert settings.allow_roots == (tmp_path / "a", tmp_path / "b")


def test_only_prefixed_secrets_are_read_and_none_is_shown() -> None:
    settings = Settings.from_env(environ={"SCORETRAIL_SECRET_X": "hush", "AWS_KEY": "other", "SCORETRAIL_SECRET_E": ""})
    assert settings.secret("SCORETRAIL_SECRET_X") == "hush"
    assert settings.secret("SCORETRAIL_SECRET_E") is None
    assert "hush" not in repr(settings)
    with pytest.raises(ValueError, match="SCORETRAIL_SECRET_"):
        settings.secret("AWS_KEY")
