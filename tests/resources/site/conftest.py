"""Sites that the tests of this folder share, made once."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from chromium import Tab, browser, find_chromium
from synthetic_release import synthetic

from resources.site.build import site_files
from resources.site.inputs import SiteInputs
from resources.site.writing import write_site


@pytest.fixture(scope="session")
def hostile_inputs() -> SiteInputs:
    """A release whose every name is bad."""
    return synthetic(20, hostile=True)


@pytest.fixture(scope="session")
def hostile(hostile_inputs: SiteInputs) -> dict[str, bytes]:
    """Its site."""
    return dict(site_files(hostile_inputs))


@pytest.fixture(scope="session")
def large_inputs() -> SiteInputs:
    """A release of 500 models with evidence in two categories."""
    return synthetic(500, fill=0.35, categories=("coding", "math"))


@pytest.fixture(scope="session")
def large(large_inputs: SiteInputs) -> dict[str, bytes]:
    """Its site."""
    return dict(site_files(large_inputs))


@pytest.fixture(scope="session")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    """A browser tab; the test skips, saying so, on a machine without Chromium."""
    if find_chromium() is None:
        pytest.skip("no Chromium on this machine (SCORETRAIL_CHROMIUM names one)")
    with browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture(scope="session")
def hostile_folder(hostile: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site with bad names, on disk."""
    folder = tmp_path_factory.mktemp("hostile") / "site"
    write_site(folder, hostile.items())
    return folder


@pytest.fixture(scope="session")
def large_folder(large: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of 500 models, on disk."""
    folder = tmp_path_factory.mktemp("large") / "site"
    write_site(folder, large.items())
    return folder
