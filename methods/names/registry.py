"""Which model of the registry a received name is: exact alias, else equal normalized name, never anything fuzzy.

A normalized name drops every sign, also the few that tell models apart (1.3b and 13b, R and R+): a hit by it must agree
in those as well (`methods.names.hidden_marks`), since nothing may ever merge two models.

Belongs here: the look-up of METHODS 2 and the conflicts that make a registry ambiguous. Does not belong here: what
becomes of a row whose model is not found (`methods.catalog.eligibility`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from methods.names.hidden_marks import hidden_marks
from methods.names.spelling import normalize
from warehouse.catalog_model import ModelSpec


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a name came to.

    Attributes:
        model_id: the model; None where none, or several, answer to the name.
        detail: how it was found, or why not, the candidates named.
    """

    model_id: str | None
    detail: str


@dataclass(frozen=True, slots=True)
class AliasConflict:
    """One exact spelling that two or more models of the registry claim: a catalog error."""

    alias: str
    model_ids: tuple[str, ...]

    def __str__(self) -> str:
        """The conflict in words."""
        return f"the exact spelling {self.alias!r} belongs to {' and '.join(self.model_ids)}"


class ModelRegistry:
    """The models of models.yaml, indexed by exact and by normalized spelling."""

    def __init__(self, models: Iterable[ModelSpec]) -> None:
        """Index the models; a conflict between them is kept, not raised (`alias_conflicts`)."""
        self._exact: dict[str, tuple[str, ...]] = {}
        self._normal: dict[str, tuple[str, ...]] = {}
        self._marks: dict[tuple[str, str], set[object]] = {}
        self._developer: dict[str, str] = {}
        self._seen: dict[tuple[str, str | None], Resolution] = {}
        for model in models:
            self._developer[model.id] = normalize(model.developer or "")
            for spelling in (model.name, *model.aliases):
                _add(self._exact, spelling, model.id)
                normal = normalize(spelling)
                if normal:
                    _add(self._normal, normal, model.id)
                    self._marks.setdefault((normal, model.id), set()).add(hidden_marks(spelling))

    def resolve(self, name: str, developer: str | None = None) -> Resolution:
        """The model that a received name is (METHODS 2).

        First the model whose name or alias equals it exactly; else the one whose normalized name or alias equals the
        normalized name, those left out whose developer is stated on both sides and differs, or none of whose spellings
        parts its digits alike ("1.3b" is not "13b"; "R+" is not "R"). Several hits, or none, leave it unidentified.

        Args:
            name: as received.
            developer: as the row states it, or None.
        """
        key = (name, developer)
        known = self._seen.get(key)
        if known is None:
            known = self._seen[key] = self._look_up(name, developer)
        return known

    def _look_up(self, name: str, developer: str | None) -> Resolution:
        exact = self._exact.get(name, ())
        if len(exact) == 1:
            return Resolution(exact[0], "exact name or alias")
        if exact:
            return Resolution(None, f"the exact name belongs to several models: {', '.join(sorted(exact))}")
        normal = normalize(name)
        if not normal:
            return Resolution(None, "the name holds no letter or digit, so it equals nothing")
        equal = self._normal.get(normal, ())
        marks = hidden_marks(name) if equal else None
        same = tuple(model for model in equal if marks in self._marks[normal, model])
        if equal and not same:
            return Resolution(None, f"but for its digits or a plus the name is that of {', '.join(sorted(equal))}")
        stated = normalize(developer or "")
        hits = [model for model in same if not self._other_developer(model, stated)]
        if len(hits) == 1:
            return Resolution(hits[0], "equal normalized name or alias")
        if hits:
            return Resolution(None, f"several models have this normalized name: {', '.join(sorted(hits))}")
        if same:
            return Resolution(
                None, f"the name is that of {', '.join(sorted(same))}, but the row's developer {developer!r} is another"
            )
        return Resolution(None, "no model of the registry has this name")

    def _other_developer(self, model: str, stated: str) -> bool:
        known = self._developer[model]
        return bool(known and stated and known != stated)


def alias_conflicts(models: Iterable[ModelSpec]) -> list[AliasConflict]:
    """Exact spellings that belong to two or more models, in order of spelling: each is a catalog error."""
    claims: dict[str, tuple[str, ...]] = {}
    for model in models:
        for spelling in (model.name, *model.aliases):
            _add(claims, spelling, model.id)
    return [AliasConflict(alias, tuple(sorted(ids))) for alias, ids in sorted(claims.items()) if len(ids) > 1]


def _add(index: dict[str, tuple[str, ...]], spelling: str, model_id: str) -> None:
    known = index.get(spelling, ())
    if model_id not in known:
        index[spelling] = (*known, model_id)
