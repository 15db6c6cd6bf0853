"""Two inference-stack manifests, field by field: first the three that explain most for least, then the rest.

Belongs here: what is equal, different, missing, and what may be claimed of it. Missing is a difference: nothing may be
claimed over it, although it does not say that anything differed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from warehouse.inference_manifest import InferenceManifest
from warehouse.manifest_rules import ManifestRules
from warehouse.manifest_words import FieldPart, FieldState, PairStanding, RunStanding

_MISSING: Final[Mapping[tuple[bool, bool], FieldState]] = {
    (True, False): "missing_b",
    (False, True): "missing_a",
    (False, False): "missing_both",
}


@dataclass(frozen=True, slots=True)
class FieldComparison:
    """One field of two manifests.

    Attributes:
        field: its name. part: whether it comes first, makes a manifest whole, or is stated beside.
        a, b: the values as text; None where not stated.
        state: how they stand to each other.
    """

    field: str
    part: FieldPart
    a: str | None
    b: str | None
    state: FieldState


@dataclass(frozen=True, slots=True)
class ManifestComparison:
    """Two manifests held against each other.

    Attributes:
        fields: every field, in the order of comparison.
        standing: what the two are to each other.
    """

    fields: tuple[FieldComparison, ...]
    standing: PairStanding

    def having(self, *states: FieldState) -> tuple[FieldComparison, ...]:
        """The fields in one of these states, in order."""
        return tuple(one for one in self.fields if one.state in states)

    @property
    def different(self) -> tuple[FieldComparison, ...]:
        """Stated on both sides, and different."""
        return self.having("different")

    @property
    def missing(self) -> tuple[FieldComparison, ...]:
        """Not stated on one side or on both."""
        return self.having("missing_a", "missing_b", "missing_both")

    @property
    def first_difference(self) -> FieldComparison | None:
        """The first field, in order of comparison, that is not equal; missing is a difference."""
        return next((one for one in self.fields if one.state != "equal"), None)

    @property
    def first_stated_difference(self) -> FieldComparison | None:
        """The first field, in order of comparison, that both sides state, and differently."""
        return next(iter(self.different), None)

    @property
    def may_claim_reproduction(self) -> bool:
        """Whether a result of one may be called a reproduction of the other: the whole manifest matches."""
        return self.standing == "matches"


def compare_manifests(
    a: InferenceManifest | None, b: InferenceManifest | None, rules: ManifestRules
) -> ManifestComparison:
    """Field by field, in order: the first ones, the others of a whole manifest, what either states beside.

    Args:
        a, b: the manifests; None where a run has none.
        rules: which fields come first, and which make a manifest whole.
    """
    stated_a, stated_b = (one.stated if one is not None else {} for one in (a, b))
    beside = sorted((set(stated_a) | set(stated_b)) - {*rules.first, *rules.whole})
    parts: tuple[tuple[FieldPart, tuple[str, ...]], ...] = (
        ("first", rules.first), ("whole", rules.whole), ("beside", tuple(beside)),
    )  # fmt: skip
    fields = tuple(_field(name, part, stated_a, stated_b) for part, names in parts for name in names)
    return ManifestComparison(fields, _standing(a is None or b is None, fields))


def _field(name: str, part: FieldPart, a: Mapping[str, str], b: Mapping[str, str]) -> FieldComparison:
    left, right = a.get(name), b.get(name)
    if left is None or right is None:
        return FieldComparison(name, part, left, right, _MISSING[left is not None, right is not None])
    return FieldComparison(name, part, left, right, "equal" if left == right else "different")


def _standing(is_absent: bool, fields: tuple[FieldComparison, ...]) -> PairStanding:
    if is_absent:
        return "no_manifest"
    states = {one.state for one in fields}
    return "differs" if "different" in states else "matches" if states == {"equal"} else "unknown"


def missing_fields(manifest: InferenceManifest | None, rules: ManifestRules) -> tuple[str, ...]:
    """The fields that a whole manifest states and this one does not, in order of comparison."""
    stated = manifest.stated if manifest is not None else {}
    return tuple(name for name in (*rules.first, *rules.whole) if name not in stated)


def run_standing(manifest: InferenceManifest | None, rules: ManifestRules) -> RunStanding:
    """What a run's own manifest is worth: a result without a whole one may be published, and is marked."""
    if manifest is None or not manifest.stated:
        return "no_manifest"
    return "partial" if missing_fields(manifest, rules) else "whole"
