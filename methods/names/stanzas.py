"""Ready-made entries of models.yaml: for a person to read and paste, never written by the program."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence, Set

from methods.names.spelling import normalize
from warehouse.catalog_model import Catalog, ModelSpec

_PLAIN = re.compile(r"[A-Za-z](?:[A-Za-z0-9 ._/+()-]*[A-Za-z0-9+)])?")
_WORDS = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})


def model_stanza(model: ModelSpec | None, names: Sequence[str], developers: Set[str], catalog: Catalog) -> str:
    """One entry of models.yaml: the model's own with the names as aliases, or a new one under the first name.

    Args:
        model: the entry to extend; None for a new one.
        names: received names, the most used first.
        developers: as the rows state them; a new entry takes it where there is exactly one.
        catalog: ids that are taken.
    """
    if model is not None:
        known = (model.name, *model.aliases)
        aliases: list[str] = [*model.aliases, *(name for name in names if name not in known)]
        parts = [f"id: {model.id}", f"name: {plain_text(model.name)}"]
        developer, urls = model.developer, model.urls
    else:
        parts = [f"id: {_free_id(names[0], catalog)}", f"name: {plain_text(names[0])}"]
        aliases, urls = list(names[1:]), ()
        developer = next(iter(developers)) if len(developers) == 1 else None
    if developer:
        parts.append(f"developer: {plain_text(developer)}")
    if aliases:
        parts.append(f"aliases: [{', '.join(map(plain_text, aliases))}]")
    if urls:
        parts.append(f"urls: [{', '.join(map(plain_text, urls))}]")
    return f"  - {{{', '.join(parts)}}}\n"


def plain_text(value: str) -> str:
    """A text in YAML within a flow mapping: as it is where that is safe, else in double quotes."""
    is_plain = _PLAIN.fullmatch(value) is not None and value.casefold() not in _WORDS
    return value if is_plain else json.dumps(value, ensure_ascii=False)


def _free_id(name: str, catalog: Catalog) -> str:
    slug = re.sub(r"[^a-z0-9.]+", "-", name.casefold().replace("+", "-plus-")).strip("-.")[:72].strip("-.")
    wanted = slug or f"model-{len(normalize(name))}"
    number = 2
    found = wanted
    while found in catalog.model_by_id:
        found, number = f"{wanted}-{number}", number + 1
    return found
