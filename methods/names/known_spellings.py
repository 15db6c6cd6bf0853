"""The spellings of the registry by the looser forms that proposals look under. Nothing here identifies a model."""

from __future__ import annotations

from collections import defaultdict

from methods.names.hidden_marks import hidden_marks
from methods.names.plain_parts import word_key
from methods.names.registry import ModelRegistry
from methods.names.spelling import normalize
from warehouse.catalog_model import Catalog


class KnownSpellings:
    """Names and aliases of models.yaml by normalized name and by their words; prefixes, longest first."""

    def __init__(self, catalog: Catalog, registry: ModelRegistry) -> None:
        self.registry = registry
        self.prefixes = tuple(sorted(catalog.organization_prefixes, key=lambda text: (-len(text), text)))
        self._names: dict[str, dict[str, set[object]]] = defaultdict(lambda: defaultdict(set))
        self._words: dict[tuple[str, ...], set[str]] = defaultdict(set)
        for model in catalog.models:
            for spelling in (model.name, *model.aliases):
                self._names[normalize(spelling)][model.id].add(hidden_marks(spelling))
                self._words[word_key(spelling)].add(model.id)

    def by_name(self, name: str) -> list[str]:
        """The models with this normalized name that part its digits alike, whoever made them."""
        found = self._names.get(normalize(name), {}) if normalize(name) else {}
        return sorted(model for model, marks in found.items() if hidden_marks(name) in marks)

    def by_words(self, words: tuple[str, ...]) -> list[str]:
        """The models of which a spelling has exactly these words and numbers, in any order; two at least."""
        return sorted(self._words.get(words, ())) if len(words) > 1 else []
