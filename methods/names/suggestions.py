"""Proposals for the alias registry: which model an unresolved name may be, with the evidence, for a person to accept.

Nothing here is applied: a proposal is a line of models.yaml that somebody reads, checks and pastes. Belongs here: the
evidence for a proposal and what speaks against it. Does not belong here: printing, or the registry's own look-up.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import polars as pl

from methods.names.known_spellings import KnownSpellings
from methods.names.plain_parts import is_pipeline, told_apart, without_remark, without_routes, word_key
from methods.names.proposals import Evidence, Judged, Suggestion
from methods.names.registry import ModelRegistry
from methods.names.shared_rows import shared_rows
from methods.names.spelling import normalize, tokens
from methods.names.stanzas import model_stanza
from methods.names.unresolved import UnresolvedName, unresolved_names
from warehouse.catalog_model import Catalog, ModelSpec

SURE_KINDS = ("developer", "prefix", "remark", "word order", "judged")
"""Evidence that lies in the name itself, or in a person's judgement; what rows share comes after it."""


_DIGITS = frozenset(map(str, range(1000)))


@dataclass(slots=True)
class _Hits:
    """What was found for one name: evidence by model."""

    by_model: dict[str, list[Evidence]] = field(default_factory=lambda: defaultdict(list))

    def add(self, models: Iterable[str], kind: str, detail: str) -> None:
        for model in models:
            evidence = Evidence(kind, detail)
            if evidence not in self.by_model[model]:
                self.by_model[model].append(evidence)


def suggest(results: pl.DataFrame, catalog: Catalog, judged: Iterable[Judged] = ()) -> list[Suggestion]:
    """Proposals for the unresolved names of `core__result`, those that would identify most results first.

    A name gets a proposal where the evidence leads to exactly one model and no pair judged different stands against
    it; one where it leads to none is proposed as a new model, with every spelling of equal normalized name. An agent
    or a pipeline of several models is no model, and gets none. Proposals that something speaks against are single,
    say so, and come after all others.

    Args:
        results: `core__result` of a day.
        catalog: its registry and prefixes.
        judged: pairs that people have judged; a neighbour judged the same is evidence, one judged different a veto.
    """
    names = unresolved_names(results, catalog)
    known = KnownSpellings(catalog, ModelRegistry(catalog.models))
    rows = shared_rows(results, {name.name for name in names}, known.registry, catalog.models)
    neighbours = _neighbours(judged, known.registry)
    found: dict[tuple[str, ...], list[tuple[UnresolvedName, list[Evidence]]]] = defaultdict(list)
    for name in names:
        if is_pipeline(name.name):
            continue
        hits = _hits(name, known, rows, neighbours)
        models = {model: evidence for model, evidence in hits.items() if (name.name, model) not in neighbours.vetoes}
        best = _strongest(models)
        if best is not None:
            found[_group(name, catalog.model_by_id[best], models[best])].append((name, models[best]))
        elif not hits and normalize(name.name):
            found["new", normalize(name.name)].append((name, []))
    suggestions = [
        _suggestion(catalog.model_by_id[key[1]] if key[0] == "alias" else None, members, catalog)
        for key, members in found.items()
        if key[0] != "nothing"
    ]
    return sorted(suggestions, key=lambda item: (bool(item.against), -item.results, item.names))


def _group(name: UnresolvedName, model: ModelSpec, evidence: list[Evidence]) -> tuple[str, ...]:
    """Names of one proposal; a doubtful name is one of its own, and none where no word and nothing sure is shared."""
    against = _against(name.name, model)
    if not against:
        return ("alias", model.id)
    is_sure = any(item.kind in SURE_KINDS for item in evidence)
    shared = any(tokens(name.name) & tokens(spelling) - _DIGITS for spelling in (model.name, *model.aliases))
    return ("alias", model.id, name.name) if is_sure or shared else ("nothing", name.name)


def _against(name: str, model: ModelSpec) -> list[str]:
    return min((told_apart(name, spelling) for spelling in (model.name, *model.aliases)), key=len)


@dataclass(frozen=True, slots=True)
class _Neighbours:
    same: Mapping[str, frozenset[tuple[str, str]]]
    vetoes: frozenset[tuple[str, str]]


def _neighbours(judged: Iterable[Judged], registry: ModelRegistry) -> _Neighbours:
    same: dict[str, set[tuple[str, str]]] = defaultdict(set)
    vetoes = set()
    for pair in judged:
        for name, other in ((pair.name_a, pair.name_b), (pair.name_b, pair.name_a)):
            model = registry.resolve(other).model_id
            if model is not None and pair.is_same:
                same[name].add((model, other))
            elif model is not None:
                vetoes.add((name, model))
    return _Neighbours({name: frozenset(found) for name, found in same.items()}, frozenset(vetoes))


def _hits(
    name: UnresolvedName, known: KnownSpellings, rows: Mapping[str, Mapping[str, tuple[Evidence, ...]]],
    neighbours: _Neighbours,
) -> dict[str, list[Evidence]]:  # fmt: skip
    hits = _Hits()
    text = name.name
    hits.add(known.by_name(text), "developer", f"the name is the model's; its rows state {_said(name.developers)}")
    for plain, taken in without_routes(text, known.prefixes):
        hits.add(known.by_name(plain), "prefix", f"without {taken!r} the name is the model's")
    remark = without_remark(text)
    for plain, taken in [remark] if remark else []:
        hits.add(known.by_name(plain), "remark", f"without {taken!r} the name is the model's")
        for inner, route in without_routes(plain, known.prefixes):
            hits.add(known.by_name(inner), "prefix", f"without {route!r} and {taken!r} the name is the model's")
    hits.add(known.by_words(word_key(text)), "word order", "the same words and numbers in another order")
    for model, other in sorted(neighbours.same.get(text, ())):
        hits.add([model], "judged", f"judged the same as {other!r}")
    for model, found in rows.get(text, {}).items():
        for evidence in found:
            hits.add([model], evidence.kind, evidence.detail)
    return hits.by_model


def _strongest(models: Mapping[str, list[Evidence]]) -> str | None:
    """The one model that the name itself leads to, or that all evidence leads to; None where that is not one."""
    named = [model for model, found in models.items() if any(item.kind in SURE_KINDS for item in found)]
    if len(named) == 1:
        return named[0]
    return next(iter(models)) if len(models) == 1 else None


def _suggestion(
    model: ModelSpec | None, members: list[tuple[UnresolvedName, list[Evidence]]], catalog: Catalog
) -> Suggestion:
    names = [name for name, _ in members]
    spelled = tuple(name.name for name in names)
    against: list[str] = []
    if model is not None:
        against = [f"{name}: {reason}" for name in spelled for reason in _against(name, model)]
    evidence = [
        Evidence(item.kind, f"{name.name}: {item.detail}" if len(names) > 1 else item.detail)
        for name, found in members
        for item in found
    ]
    return Suggestion(
        names=spelled,
        results=sum(name.results for name in names),
        leaderboards=tuple(sorted({board for name in names for board in name.leaderboards})),
        model_id=model.id if model else None,
        evidence=tuple(evidence),
        against=tuple(against),
        stanza=model_stanza(model, spelled, {dev for name in names for dev in name.developers}, catalog),
    )


def _said(developers: tuple[str, ...]) -> str:
    return f"the developer {' or '.join(map(repr, developers))}" if developers else "no developer"
