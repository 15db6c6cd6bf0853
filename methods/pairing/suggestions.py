"""What a reviewer might decide about a pair, from what its rows show: a suggestion, marked as one, never a decision.

Belongs here: the suggestion and its reason. Does not belong here: what was decided (`methods.pairing.decisions`). The
words follow METHODS 5: what is not stated on both sides is not equal, so a pair is excluded for the first thing that
differs, or for what nobody recorded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from methods.names import normalize
from methods.pairing.alignment import UNIT, Aligner, Alignment
from methods.pairing.facts import NameFacts, RowReader
from warehouse.catalog_model import Catalog
from warehouse.pairing_words import QUESTION_SET_FIELDS, PairDecision
from warehouse.vocabulary import MODEL_FIELDS

_QUESTIONS: Final = ("benchmark", *QUESTION_SET_FIELDS, "metric")


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What the rows' surface suggests.

    Attributes:
        decision: one of the decision words.
        reason: the fact it rests on, in a sentence.
        origin: always "suggestion": nothing may take it for a reviewer's word.
    """

    decision: PairDecision
    reason: str
    origin: str = "suggestion"


class Suggester:
    """Suggests by one catalog."""

    def __init__(self, catalog: Catalog) -> None:
        """Prepare to read names and statements."""
        self._reader = RowReader.of(catalog)
        self._aligner = Aligner(catalog)

    def suggest(self, a: Mapping[str, Any], b: Mapping[str, Any]) -> Suggestion:
        """A decision about two rows of `core__result`, and why: the first of these that holds.

        1. no common unit; 2. another question set, subset or metric is stated; 3. another model version or
        post-training is stated, or the names tell two models apart; 4. any other field is stated differently;
        5. nothing stands against alignment; 6. the names do not tell whether this is one model; 7. the protocol is
        not recorded on both sides.
        """
        alignment = self._aligner.align(a, b)
        differs = alignment.having("differs")
        if UNIT in differs:
            return Suggestion("unit_mismatch", f"units differ: {a['unit']} and {b['unit']}")
        questions = [name for name in differs if name in _QUESTIONS]
        if questions:
            return Suggestion("subset_mismatch", f"stated differently: {_details(alignment, questions)}")
        model = [name for name in differs if name in MODEL_FIELDS]
        if model:
            return Suggestion("version_mismatch", f"stated differently: {_details(alignment, model)}")
        told_apart = self._told_apart(a["model"], b["model"])
        if told_apart:
            return Suggestion("version_mismatch", told_apart)
        if differs:
            return Suggestion("protocol_mismatch", f"stated differently: {_details(alignment, differs)}")
        if alignment.is_alignable:
            return Suggestion("aligned", "every asked-for field is stated on both sides and equal")
        if not self._are_one_model(a, b):
            return Suggestion("unsure", f"the names do not tell whether {a['model']} and {b['model']} are one model")
        return Suggestion("protocol_mismatch", f"not stated on both sides: {', '.join(alignment.having('unstated'))}")

    def _without_suffixes(self, model: str) -> NameFacts:
        """A name taken apart after its protocol suffixes are gone from every part."""
        return self._reader.name(self._reader.name(model).stripped)

    def _told_apart(self, model_a: str, model_b: str) -> str | None:
        """How two names tell two models apart, where they do."""
        a, b = self._without_suffixes(model_a), self._without_suffixes(model_b)
        if a.is_wrapped and b.is_wrapped:
            return None if a.backend == b.backend else "the names state different backend models"
        if a.is_wrapped or b.is_wrapped:
            return "one name states the backend model, the other none" if a.plain_head == b.plain_head else None
        shorter, longer = sorted((a.plain_head, b.plain_head), key=len)
        if shorter and shorter != longer and longer.startswith(shorter):
            return f"one name says more about the model than the other: {longer} and {shorter}"
        added = [model.count("+") - facts.stripped.count("+") for model, facts in ((model_a, a), (model_b, b))]
        return "one name states further training, the other none" if added[0] != added[1] else None

    def _are_one_model(self, a: Mapping[str, Any], b: Mapping[str, Any]) -> bool:
        """Whether equal model ids or names, wrappers and suffixes aside, speak for one model."""
        ids = [normalize(self._reader.without_prefix(row["model_id"] or "")[0]) for row in (a, b)]
        models = [facts.backend or facts.plain_head for facts in map(self._without_suffixes, (a["model"], b["model"]))]
        return ids[0] == ids[1] != "" or models[0] == models[1] != ""


def _details(alignment: Alignment, fields: Sequence[str]) -> str:
    states = {state.field: state for state in alignment.fields}
    return "; ".join(f"{name} {states[name].a} and {states[name].b}" for name in fields)
