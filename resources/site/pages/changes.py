"""What changed since the release before: a page, and the same as an Atom feed that a reader can follow.

Belongs here: showing the comparison that the release keeps (`resources.release_changes`), and, metric by metric, what
its baseline figures say came and went. Nothing is compared here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC
from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr

from methods.lineage.baseline import BaselineFigures, baseline_figures
from resources.site.facts import Facts
from resources.site.page import Page, Plain
from resources.site.rendering import count, shown, title

FEED: Final = "changes.xml"
PARTS: Final = {
    "methodology": "methodology",
    "catalog": "catalog",
    "removed": "own rows removed",
    "changed": "own rows changed",
    "added": "own rows added",
    "cohort": "the others",
    "program": "program",
}
"""The parts of a change in words, in the order of METHODS 7; `program` is 0 where one program made both releases."""
GROUPS: Final = {"statuses": "Status changed", "appeared": "Appeared", "disappeared": "Disappeared"}
SHOWN_AT_ONCE: Final = 200


def changes(facts: Facts) -> Iterator[Page | Plain]:
    """The page of changes and its feed."""
    given = facts.inputs.changes or {}
    boards = given.get("boards", [])
    scores = sorted(given.get("scores", []), key=_largest_first)
    values = {
        "given": given,
        "boards": boards,
        "inputs": [board for board in given.get("inputs", []) if _is_moved(board)],
        "inputs_same": sum(not _is_moved(board) for board in given.get("inputs", [])),
        "scores": scores[:SHOWN_AT_ONCE],
        "waiting": scores[SHOWN_AT_ONCE:],
        "parts": PARTS,
        "groups": GROUPS,
        "metrics": _metrics(facts),
        "known_models": facts.models,
        "known_metrics": facts.catalog.metric_by_id,
        "known_sources": set(facts.leaderboards),
        "feed": FEED,
    }
    yield Page("changes.html", "changes.html", "Changes", values, section="changes.html", found_as="page")
    yield Plain(FEED, _feed(facts, list(_told(given))))


def _largest_first(score: Mapping[str, Any]) -> tuple[object, ...]:
    change = score["change"]
    return (change is None, -abs(change or 0.0), score["category"], score["model_id"])


def _is_moved(board: Mapping[str, Any]) -> bool:
    same_bytes = board["former_sha256"] == board["latter_sha256"]
    return not same_bytes or bool(board["added"] or board["removed"] or board["changed"])


def _metrics(facts: Facts) -> list[dict[str, Any]]:
    """Per metric, how many models' values were added, are gone, changed, or come from another row."""
    before = facts.inputs.baseline
    if before is None or (facts.former is not None and "core__evidence" in facts.former.unchanged):
        return []
    tables = facts.inputs.tables
    results, evidence, scores = (tables[n] for n in ("core__result", "core__evidence", "out__category_score"))
    after = baseline_figures(results, evidence, scores, facts.manifest.release_id)
    rows = [_metric(metric, before, after) for metric in sorted({*before.values, *after.values})]
    return [row for row in rows if any(row[kind] for kind in ("added", "gone", "changed", "elsewhere"))]


def _metric(metric: str, before: BaselineFigures, after: BaselineFigures) -> dict[str, Any]:
    old, new = before.values.get(metric, {}), after.values.get(metric, {})
    both = old.keys() & new.keys()
    changed = {model for model in both if old[model][1] != new[model][1]}
    return {
        "metric": metric,
        "added": sorted(new.keys() - old.keys()),
        "gone": sorted(old.keys() - new.keys()),
        "changed": sorted(changed),
        "elsewhere": sorted(model for model in both - changed if old[model][0] != new[model][0]),
    }


def _told(given: Mapping[str, Any]) -> Iterator[str]:
    """The comparison in sentences, as the feed tells it."""
    if "problem" in given:
        yield f"The release before could not be compared with this one: {given['problem']}"
    yield from given.get("warnings", [])
    for board in given.get("boards", []):
        name = title(board["category"])
        for group in ("movements", *GROUPS):
            yield from (f"{name}: {item['sentence']}." for item in board[group])
    for board in given.get("inputs", []):
        if _is_moved(board):
            yield (
                f"{board['leaderboard']}: {count(board['former_rows'])} → {count(board['latter_rows'])} results, "
                f"{count(board['added'])} added, {count(board['removed'])} removed, "
                f"{count(len(board['changed']))} changed."
            )


def _feed(facts: Facts, lines: list[str]) -> bytes:
    """The Atom feed: one entry for the release, its changes as the entry's text. Names no host; ids are stable."""
    manifest = facts.manifest
    updated = manifest.created_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    since = f"since {manifest.baseline_release_id}" if manifest.baseline_release_id else "a first release"
    said = lines or ["Nothing changed." if manifest.baseline_release_id else "A first release."]
    body = "\n".join(f"<p>{_xml(line)}</p>" for line in said)
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n'
        f"<id>urn:scoretrail:changes</id>\n<title>scoretrail: changes of the board</title>\n"
        f"<updated>{updated}</updated>\n<author><name>scoretrail</name></author>\n"
        f"<entry>\n<id>urn:scoretrail:release:{_xml(manifest.release_id)}</id>\n"
        f"<title>{_xml(manifest.release_id)}, {_xml(since)}</title>\n"
        f"<updated>{updated}</updated>\n<link href={quoteattr('changes.html')}/>\n"
        f'<content type="html">{escape(body)}</content>\n</entry>\n</feed>\n'
    ).encode()


def _xml(text: str) -> str:
    return escape(shown(text))
