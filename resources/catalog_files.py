"""The catalog folder on disk: YAML and CSV into a `Catalog`, every fault with file, line and path.

Belongs here: which file holds what, and which fault stops what. A broken entry of sources, waivers or corrections is
that entry's problem alone: the others still sync, a broken waiver lets nothing pass, and a broken correction fails the
gate on corrections. Any other fault stops the run. What entries mean together is `methods.catalog`.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from methods.catalog.study_gates import split_gates
from resources.catalog_lists import read_list
from resources.catalog_problems import CatalogError, Problem, validation_problems
from resources.catalog_reader import CatalogReader
from warehouse.catalog_model import Catalog, Correction, Decision, ModelSpec, PairAlias, Waiver
from warehouse.methodology import Methodology
from warehouse.metric_model import BenchmarkSpec, MetricSpec


@dataclass(frozen=True, slots=True)
class CatalogLoad:
    """A usable catalog, and the problems of single entries of sources, waivers and corrections."""

    catalog: Catalog
    problems: tuple[Problem, ...] = ()


def load_catalog(folder: Path, sources_file: Path | None = None) -> CatalogLoad:
    """Reads a catalog folder.

    Args:
        folder: holds metrics.yaml, models.yaml, methodology.yaml, gates.yaml and (unless `sources_file`) sources.yaml;
            decisions.csv, pair_aliases.csv, corrections.yaml, waivers.yaml and studies.yaml may be absent.
        sources_file: a file that replaces sources.yaml.

    The same bytes are read once by a process: the catalog of a release and that of the home are mostly one.

    Raises:
        CatalogError: with every problem found, for any fault outside single entries of sources, waivers, corrections.
    """
    read = _content_sha256(folder, sources_file)
    if read not in _LOADED:
        loaded = _load(folder, sources_file)
        if loaded.problems:
            return loaded  # they name this folder's files
        _LOADED[read] = loaded
        if len(_LOADED) > KEPT:
            _LOADED.pop(next(iter(_LOADED)))
    return _LOADED[read]


KEPT: Final = 4
_LOADED: Final[dict[str, CatalogLoad]] = {}
"""Sound catalogs by what they were read from."""


def _content_sha256(folder: Path, sources_file: Path | None) -> str:
    """A hash over the names and bytes of everything a catalog is read from, wherever it lies."""
    files = {path.name: path for path in folder.glob("*") if path.suffix in {".yaml", ".csv"} and path.is_file()}
    if sources_file is not None:
        files["sources.yaml"] = sources_file
    digest = hashlib.sha256()
    for name, path in sorted(files.items()):
        data = path.read_bytes() if path.is_file() else b""
        digest.update(f"{name}\0{len(data)}\0".encode() + data)
    return digest.hexdigest()


def _load(folder: Path, sources_file: Path | None) -> CatalogLoad:
    reader = CatalogReader(folder)
    metrics = reader.document(
        folder / "metrics.yaml", {"version", "metrics", "benchmarks"}, required={"version", "metrics"}
    )
    models = reader.document(folder / "models.yaml", {"models", "organization_prefixes"}, required={"models"})
    gates = reader.document(folder / "gates.yaml", {"gates"}, required={"gates"})
    sources, broken, source_problems = reader.sources(sources_file or folder / "sources.yaml")
    corrections, broken_corrections = reader.corrections()
    waivers, _ = reader.signed("waivers.yaml", "waivers", Waiver, None)
    studies = reader.studies()
    judged, lines = split_gates(reader.gates(gates), studies)
    parts: dict[str, Any] = {
        "version": metrics.data.get("version") if metrics else None,
        "sources": sources,
        "broken_sources": broken,
        "metrics": reader.entries(metrics, "metrics", MetricSpec, "id"),
        "benchmarks": reader.entries(metrics, "benchmarks", BenchmarkSpec, "benchmark"),
        "models": reader.entries(models, "models", ModelSpec, "id"),
        "organization_prefixes": (models.data.get("organization_prefixes") or ()) if models else (),
        "methodology": reader.methodology(),
        "decisions": read_list(folder / "decisions.csv", Decision, reader.problems),
        "pair_aliases": read_list(folder / "pair_aliases.csv", PairAlias, reader.problems),
        "corrections": corrections,
        "waivers": waivers,
        "studies": studies,
        "gates": judged,
        "study_gates": lines,
    }
    if broken_corrections:  # absent where there is none: the catalog's hash is over what was set
        parts["broken_corrections"] = broken_corrections
    own_problems = [*source_problems, *reader.entry_problems]
    if reader.problems:
        raise CatalogError([*reader.problems, *own_problems])
    try:
        catalog = Catalog(**parts)
    except ValidationError as error:
        # What is left to find here stands outside the entries: the version and the prefixes.
        document = models if error.errors()[0]["loc"][0] == "organization_prefixes" else metrics
        assert document is not None
        raise CatalogError(validation_problems(error, document.name, document.line_of)) from error
    return CatalogLoad(catalog, tuple(own_problems))


def load_methodology(folder: Path) -> Methodology:
    """The methodology of a catalog folder alone: a tenth of the time of the whole.

    Raises:
        CatalogError: where methodology.yaml is not sound, with the line.
    """
    reader = CatalogReader(folder)
    found = reader.methodology()
    if found is None:
        raise CatalogError(reader.problems)
    return found


def load_corrections(folder: Path) -> tuple[Correction, ...]:
    """The corrections of a catalog folder alone, whatever its other files hold.

    Raises:
        CatalogError: where corrections.yaml is not sound, with the line.
    """
    reader = CatalogReader(folder)
    found, _ = reader.corrections()
    if problems := [*reader.problems, *reader.entry_problems]:
        raise CatalogError(problems)
    return found


def folder_sha256(folder: Path, sources_file: Path | None = None) -> str:
    """A hash over names and bytes of a catalog folder's files: it changes with any comment, and is cheap to ask for."""
    digest = hashlib.sha256()
    files = sorted(path for path in folder.iterdir() if path.suffix in {".yaml", ".csv"} and path.is_file())
    if sources_file is not None and sources_file not in files and sources_file.is_file():
        files.append(sources_file)
    for path in files:
        digest.update(f"{path.name}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()
