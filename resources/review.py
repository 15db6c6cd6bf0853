"""A review as the page sees it: the pairs as JSON values, and a decision taken, checked and written.

Belongs here: what the page may ask for. Who may ask is `resources.review_server`; the file, `resources.decision_file`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from threading import Lock
from typing import Any

from methods.pairing.decisions import refused_decisions
from methods.pairing.walk import UnknownPairError
from resources.candidate_pairs import ReviewedSet
from resources.decision_file import append_decisions
from resources.review_sheet import checked_decision
from warehouse.catalog_model import Decision
from warehouse.pairing_words import PAIR_DECISIONS


class RefusedError(ValueError):
    """A decision that is not taken: says why, with the fields named where they are the reason."""


@dataclass
class Review:
    """One person's review of one set of pairs.

    Attributes:
        catalog_dir: whose decisions.csv is written.
        chosen: the pairs.
        reviewer: who decides.
        seen: since when each pair waits.
        everything: whether decided pairs are shown too.
    """

    catalog_dir: Path
    chosen: ReviewedSet
    reviewer: str
    seen: Mapping[str, date]
    everything: bool = False
    _lock: Lock = field(default_factory=Lock)

    def as_json(self) -> dict[str, Any]:
        """Everything the page shows; the longest waiting pairs first."""
        with self._lock:
            walker = self.chosen.walker
            walks = [walker.walk(pair) for pair in walker.pair_ids]
        shown = [walk for walk in walks if self.everything or walk.is_awaiting]
        shown.sort(key=lambda walk: (self.seen.get(walk.pair_id, date.max), walk.pair["benchmark"], walk.pair_id))
        return {
            "label": self.chosen.label,
            "reviewer": self.reviewer,
            "decisions": list(PAIR_DECISIONS),
            "total": len(walks),
            "pairs": [walk.as_json() | {"first_seen": _day(self.seen.get(walk.pair_id))} for walk in shown],
        }

    def decide(self, pair_id: str, decision: str, reason: str) -> dict[str, Any]:
        """Takes a decision: checks it against the pair, appends it, and gives the pair as it stands then.

        Raises:
            RefusedError: for an unknown pair or word, an empty reason, or an `aligned` that cannot be confirmed.
            CatalogError, OSError: if the file that stands is at fault, or the disk refuses; nothing was written.
        """
        with self._lock:
            walker = self.chosen.walker
            try:
                pair = walker.walk(pair_id).pair
            except UnknownPairError as error:
                raise RefusedError(str(error)) from error
            row = checked_decision(
                {
                    "entry_id_a": pair["entry_id_a"],
                    "entry_id_b": pair["entry_id_b"],
                    "decision": decision,
                    "reason": reason.strip(),
                    "reviewer": self.reviewer,
                    "reviewed_at": datetime.now(UTC).date(),
                }
            )
            if isinstance(row, str):
                raise RefusedError(row)

            def checked(standing: Sequence[Decision]) -> Sequence[Decision]:
                refused = refused_decisions([row], standing, walker.alignments)
                if refused:
                    raise RefusedError(refused[0].reason)
                return [row]

            walker.decide(append_decisions(self.catalog_dir, checked))
            return walker.walk(pair_id).as_json() | {"first_seen": _day(self.seen.get(pair_id))}


def _day(day: date | None) -> str | None:
    return None if day is None else day.isoformat()
