"""What an entry of sources.yaml may say of its place and limits; corrections and waivers need two people."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest
from pydantic import ValidationError

from warehouse.catalog_model import Correction, SourceSpec, Waiver

ENTRY = {"id": "b", "title": "B", "connector": "native", "url": "https://h/a/", "source_type": "official"}
GIT = {"url": "git+https://h/r.git"}
TREE = {"index": "https://h/i", "names": "tree[*].path"}


@pytest.mark.parametrize(
    "more",
    [
        {"git": {"path": "a.json"}},
        GIT,
        GIT | {"git": {"path": "../a.json"}},
        GIT | {"git": {"path": "/etc/passwd"}},
        GIT | {"git": {"path": "--upload-pack=x"}},
        GIT | {"git": {"path": "a:b"}},
        GIT | {"git": {"path": "a", "ref": "-x"}},
        GIT | {"git": {"path": "a", "ref": "a..b"}},
        GIT | {"git": {"path": "a", "ref": "x@{1}"}},
        GIT | {"git": {"path": "a", "ref": "a b"}},
        GIT | {"git": {"path": "a"}, "tree": {"files": ["x"]}},
        {"tree": {}},
        {"tree": {"files": ["a"], "index": "https://h/i", "names": "x"}},
        {"tree": {"index": "https://h/i"}},
        {"tree": {"files": ["../a"]}},
        {"tree": {"files": ["a"], "version": "sha"}},
        {"tree": TREE, "url": "https://h/a.json"},
        {"max_jump": 1.5},
        {"max_scale": 0},
        {"max_same": 1},
    ],
)
def test_a_place_or_limit_that_makes_no_sense_is_refused(more: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        SourceSpec(**(ENTRY | more))


@pytest.mark.parametrize(
    "more",
    [
        GIT | {"git": {"path": "data/*/result.json", "ref": "release/v1.2"}},
        {"url": "git+file:///srv/r.git", "git": {"path": "a b/c..d.csv"}},
        {"tree": TREE | {"version": "sha", "pattern": r"data/(.+\.json)"}},
        {"max_gone": 0.1, "max_jump": 0.5, "max_scale": 1.2, "max_same": 8, "max_duplicates": 0, "max_drift": 1},
    ],
)
def test_a_sound_place_and_limits_are_read(more: dict[str, Any]) -> None:
    assert SourceSpec(**(ENTRY | more)).id == "b"


@pytest.mark.parametrize(
    ("who", "approved_by"), [("Ada", None), ("Ada", ""), ("Ada", "Ada"), ("Ada", " ada "), ("ADA", "Ada")]
)
def test_nobody_approves_their_own_change(who: str, approved_by: str | None) -> None:
    """Corrections and waivers need a second name, and another spelling is not one."""
    correction = {"id": "c", "entry_id": "e", "reason": "r", "expected": 1, "value": 2, "when": date(2026, 1, 1)}
    waiver = {"gate": "g", "reason": "r", "until": datetime(2026, 1, 1, tzinfo=UTC)}
    named = {"who": who} | ({} if approved_by is None else {"approved_by": approved_by})
    for model, entry in ((Correction, correction), (Waiver, waiver)):
        with pytest.raises(ValidationError, match="approved_by"):
            model(**(entry | named))
        assert model(**(entry | named | {"approved_by": "Ben"})).who == who
