"""What changed since the release before, computed when a release is made and kept in its folder as `changes.json`.

Belongs here: comparing a folder that is being built with its baseline, and the form in which that is kept. The
comparison itself is `methods.lineage.release_diff`; the site shows it. Kept is what pages need of every score: both
sides, the parts and the sentence; the rows behind them are told by `scoretrail diff`, which computes them anew.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from methods.lineage.release_diff import unmoved_diff
from resources.diff_sides import diff_of, facts_of
from resources.manifest import Release
from resources.releases import ReleaseStore
from warehouse.manifest import Manifest

CHANGES_NAME: Final = "changes.json"
CHANGES_SCHEMA: Final = "scoretrail.changes/1"
COMPARED: Final = ("raw__snapshot", "raw__row", "core__result", "out__category_score")
"""The tables that a comparison is made of."""
_LEFT_OUT: Final = frozenset({"own_rows", "cohort_moves"})


def changes_since_baseline(
    store: ReleaseStore, folder: Path, manifest: Manifest, unchanged: frozenset[str] = frozenset()
) -> dict[str, Any] | None:
    """The changes since the baseline as JSON values; None for a first release.

    Args:
        store, folder, manifest: the release that is being made.
        unchanged: its tables that hold the baseline's values, if code, packages and catalog are the baseline's too.

    A comparison that cannot be made (the baseline's catalog is of another program's form, its bytes are gone) holds
    nothing up: the numbers do not depend on it. Then `problem` says why, in place of the comparison.
    """
    baseline = manifest.baseline_release_id
    if baseline is None:
        return None
    head: dict[str, Any] = {"schema": CHANGES_SCHEMA, "former_release_id": baseline}
    try:
        former, latter = store.open(baseline), Release(folder, manifest, "", "")
        if unchanged.issuperset(COMPARED):
            rows = latter.read("core__result"), latter.read("out__category_score")
            found = unmoved_diff(facts_of(store, former), facts_of(store, latter), *rows).as_json()
        else:
            found = diff_of(store, former, latter).as_json()
    except (ValueError, LookupError, OSError) as error:
        return {**head, "problem": f"{type(error).__name__}: {error}".replace(str(store.home), "")}
    moved = [
        {name: value for name, value in score.items() if name not in _LEFT_OUT}
        for score in found.pop("scores")
        if score["change"] != 0.0 or _sides_differ(score)
    ]
    return {**found, **head, "scores": moved}


def _sides_differ(score: dict[str, Any]) -> bool:
    former, latter = score["former"], score["latter"]
    return former is None or latter is None or (former["status"], former["rank"]) != (latter["status"], latter["rank"])
