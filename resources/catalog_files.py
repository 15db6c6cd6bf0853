"""The catalog folder on disk: YAML and CSV into a `Catalog`, every fault with file, line and path.

Belongs here: which file holds what, and which fault stops what. A broken entry of the sources file is that entry's
problem alone, so that the others still sync and publish; any other fault stops the run. What entries mean together is
`methods.catalog`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError

from methods.catalog.study_gates import RESERVED_STUDY_IDS, split_gates
from resources.catalog_lists import read_list
from resources.catalog_problems import CatalogError, Problem, dotted, validation_problems
from resources.connectors import option_problems
from resources.text_documents import DocumentError
from resources.yaml_documents import YamlDocument, load_yaml
from warehouse.catalog_model import (
    Catalog,
    Correction,
    Decision,
    GateSpec,
    ModelSpec,
    PairAlias,
    SourceSpec,
    StudySpec,
    Waiver,
)
from warehouse.methodology import Methodology
from warehouse.metric_model import BenchmarkSpec, MetricSpec
from warehouse.study_words import SOURCE_STUDY_KIND, STUDY_EVIDENCE

Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class CatalogLoad:
    """A usable catalog, and the problems of single source entries."""

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
        CatalogError: with every problem found, for any fault outside single source entries.
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
    reader = _Reader(folder)
    metrics = reader.document(
        folder / "metrics.yaml", {"version", "metrics", "benchmarks"}, required={"version", "metrics"}
    )
    models = reader.document(folder / "models.yaml", {"models", "organization_prefixes"}, required={"models"})
    gates = reader.document(folder / "gates.yaml", {"gates"}, required={"gates"})
    sources, broken, source_problems = reader.sources(sources_file or folder / "sources.yaml")
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
        "corrections": reader.optional("corrections.yaml", "corrections", Correction, "id"),
        "waivers": reader.optional("waivers.yaml", "waivers", Waiver, None),
        "studies": studies,
        "gates": judged,
        "study_gates": lines,
    }
    if reader.problems:
        raise CatalogError([*reader.problems, *source_problems])
    try:
        catalog = Catalog(**parts)
    except ValidationError as error:
        # What is left to find here stands outside the entries: the version and the prefixes.
        document = models if error.errors()[0]["loc"][0] == "organization_prefixes" else metrics
        assert document is not None
        raise CatalogError(validation_problems(error, document.name, document.line_of)) from error
    return CatalogLoad(catalog, tuple(source_problems))


def load_methodology(folder: Path) -> Methodology:
    """The methodology of a catalog folder alone: a tenth of the time of the whole.

    Raises:
        CatalogError: where methodology.yaml is not sound, with the line.
    """
    reader = _Reader(folder)
    found = reader.methodology()
    if found is None:
        raise CatalogError(reader.problems)
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


class _Reader:
    """Reads the files of one folder and collects what is wrong with them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.problems: list[Problem] = []

    def document(self, path: Path, keys: Set[str] | None, required: Set[str] = frozenset()) -> YamlDocument | None:
        """A YAML file whose top level is a mapping; None, with problems noted, where it is not.

        Args:
            keys: the keys it may have; None where its model checks that.
            required: the keys it must have.
        """
        try:
            document = load_yaml(path.read_bytes(), path.name)
        except DocumentError as error:
            self.problems.append(Problem(path.name, error.line, "", error.message))
            return None
        except OSError as error:
            self.problems.append(Problem(path.name, None, "", f"cannot be read: {error.strerror or error} ({path})"))
            return None
        if not isinstance(document.data, dict):
            wanted = f" with the keys {', '.join(sorted(keys))}" if keys else ""
            self.problems.append(Problem(path.name, 1, "", f"must be a mapping{wanted}"))
            return None
        for key in document.data.keys() - (keys if keys is not None else document.data.keys()):
            self.problems.append(Problem(path.name, document.line_of((key,)), key, "unknown key"))
        for key in sorted(required - document.data.keys()):
            self.problems.append(Problem(path.name, 1, key, "must be given"))
        return document

    def entries(
        self, document: YamlDocument | None, key: str, model: type[Model], identity: str | None
    ) -> tuple[Model, ...]:
        """The list under a key as entries, each checked; ids may not repeat."""
        if document is None:
            return ()
        return tuple(entry for _, entry in self._each(document, key, model, identity, self.problems.append))

    def _each(
        self,
        document: YamlDocument,
        key: str,
        model: type[Model],
        identity: str | None,
        complain: Callable[[Problem], None],
    ) -> Iterator[tuple[int, Model]]:
        """The sound entries of a list with their places; what is wrong with the others goes to `complain`."""
        items = document.data.get(key)
        if items is None:
            return
        if not isinstance(items, list):
            complain(Problem(document.name, document.line_of((key,)), key, "must be a list"))
            return
        seen: dict[object, int] = {}
        for index, item in enumerate(items):
            line = document.line_of((key, index))
            try:
                entry = model.model_validate(item)
            except ValidationError as error:
                for problem in validation_problems(error, document.name, document.line_of, (key, index)):
                    complain(problem)
                continue
            name = getattr(entry, identity) if identity else index
            if name in seen:
                complain(
                    Problem(
                        document.name, line, f"{key}[{index}].{identity}", f"{name!r} stands on line {seen[name]} too"
                    )
                )
                continue
            seen[name] = line
            yield index, entry

    def optional(self, name: str, key: str, model: type[Model], identity: str | None) -> tuple[Model, ...]:
        """The entries of a file that may be absent."""
        if not (self.folder / name).exists():
            return ()
        return self.entries(self.document(self.folder / name, {key}), key, model, identity)

    def studies(self) -> tuple[StudySpec, ...]:
        """studies.yaml; its product has one set of tables, so one study of source differences at most."""
        name = "studies.yaml"
        found = self.optional(name, "studies", StudySpec, "id")
        same = [study.id for study in found if study.kind == SOURCE_STUDY_KIND]
        if len(same) > 1:
            message = f"at most one study of kind {SOURCE_STUDY_KIND}; found {', '.join(same)}"
            self.problems.append(Problem(name, None, "studies", message))
        for study in found:
            if study.kind in STUDY_EVIDENCE and study.id in RESERVED_STUDY_IDS:
                message = f"{study.id!r} names a product or a kind of study already; choose another id"
                self.problems.append(Problem(name, None, f"studies.{study.id}", message))
        return found

    def gates(self, document: YamlDocument | None) -> tuple[GateSpec, ...]:
        """gates.yaml; which study a gate stands for is never written by hand."""
        found = self.entries(document, "gates", GateSpec, "id")
        for gate in found:
            if gate.study is not None:
                self.problems.append(Problem("gates.yaml", None, f"gates.{gate.id}.study", "unknown key"))
        return found

    def methodology(self) -> Methodology | None:
        """methodology.yaml, which is one entry."""
        path = self.folder / "methodology.yaml"
        document = self.document(path, None)
        if document is None:
            return None
        try:
            return Methodology.model_validate(document.data)
        except ValidationError as error:
            self.problems.extend(validation_problems(error, path.name, document.line_of))
            return None

    def sources(self, path: Path) -> tuple[tuple[SourceSpec, ...], tuple[str, ...], list[Problem]]:
        """The sound source entries, the ids (or places) of the broken ones, and what is wrong with those."""
        document = self.document(path, {"sources"}, {"sources"})
        if document is None:
            return (), (), []
        if not isinstance(document.data.get("sources"), list):
            self.problems.append(Problem(path.name, document.line_of(("sources",)), "sources", "must be a list"))
            return (), (), []
        problems: list[Problem] = []
        sound = []
        for index, spec in self._each(document, "sources", SourceSpec, "id", problems.append):
            faults = [
                Problem(document.name, document.line_of(path), dotted(path), message)
                for path, message in ((("sources", index, *where), why) for where, why in option_problems(spec))
            ]
            problems.extend(faults)
            if not faults:
                sound.append(spec)
        broken = sorted({_owner(problem, document) for problem in problems})
        return tuple(sound), tuple(broken), problems


def _owner(problem: Problem, document: YamlDocument) -> str:
    """The id of the source entry a problem belongs to, or its place where it states none."""
    head = problem.path.split(".", 1)[0]
    item = document.data["sources"][int(head.removeprefix("sources[").removesuffix("]"))]
    name = item.get("id") if isinstance(item, dict) else None
    return name if isinstance(name, str) else head
