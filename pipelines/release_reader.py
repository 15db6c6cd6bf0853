"""Opens a release for reading: by its id or a word that stands for it, or the one in force."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import polars as pl

from methods.names.registry import ModelRegistry
from pipelines import console
from pipelines.options import UsageError
from resources.manifest import Release
from resources.recovery import is_published
from resources.release_catalog import release_catalog
from resources.releases import ReleaseStore
from warehouse.catalog_model import Catalog


class ReleaseReader:
    """A release's tables and its own catalog, read when asked for.

    A withdrawn release is read as any other, and says so on stderr.

    Attributes:
        release: the release. is_consistent: whether the DuckDB copy holds the one in force.
        withdrawn: why it was withdrawn; None where it was not.

    Raises:
        UsageError: where the home holds no release, or all of them are withdrawn and none was named.
        ReleaseError: for an unknown id, or a release that was changed after it was made.
    """

    def __init__(self, home: Path, release_id: str | None) -> None:
        store = ReleaseStore(home)
        found = store.open(release_id) if release_id else store.current()
        if found is None:
            raise UsageError(_nothing_to_read(store))
        self.release: Release = found
        self.withdrawn: str | None = store.ledger().withdrawn.get(found.release_id)
        if self.withdrawn is not None:
            console.note_line(f"{found.release_id} is withdrawn: {self.withdrawn}")
        self.is_consistent = is_published(home)

    @cached_property
    def catalog(self) -> Catalog:
        """The catalog the release was made with (errors as `release_catalog`)."""
        return release_catalog(self.release)

    def table(self, name: str) -> pl.DataFrame:
        """A table of the release."""
        return self.release.read(name)

    def model_id(self, name: str) -> str:
        """The id of a model named by id, exact name or alias, or equal normalized name; nothing fuzzy is taken.

        Raises:
            UsageError: for an unknown or ambiguous name, with those that resemble it.
        """
        models = self.catalog.model_by_id
        if name in models:
            return name
        found = ModelRegistry(self.catalog.models).resolve(name)
        if found.model_id is None:
            known = [spelling for model in models.values() for spelling in (model.name, *model.aliases)]
            raise UsageError(f"model {name!r}: {found.detail}{_resembling(name, known)}")
        return found.model_id


def _resembling(name: str, known: Sequence[str]) -> str:
    """The names of the same family that are nearest, as the end of a sentence; where there is none, any that are.

    GPT-9 is one digit from GPT-5, and shares more letters with names that only contain it.
    """
    from rapidfuzz import fuzz, process

    family = _family(name)
    same = {one.lower(): one for one in reversed(known) if family and _family(one) == family}
    near = [same[match] for match, _, _ in process.extract(name.lower(), list(same), scorer=fuzz.ratio, limit=3)]
    return f"; did you mean {', '.join(near)}?" if near else console.suggestion(name, known)


def _family(name: str) -> str:
    """The letters that a name begins with: gpt of GPT-5.2."""
    found = re.match(r"[^\W\d_]+", name.strip().lower())
    return found[0] if found else ""


def _nothing_to_read(store: ReleaseStore) -> str:
    withdrawn = [record.release_id for record in store.ledger().releases]
    if not withdrawn:
        return f"{store.home} holds no release yet; make one with: scoretrail run --home {store.home}"
    latest = ", ".join(withdrawn[-5:])
    return f"every release of {store.home} is withdrawn ({latest}); name one to read it all the same, as --release ID"
