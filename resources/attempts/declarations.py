"""Declared panels and status maps: YAML files into typed values, every fault with file, line and path.

Belongs here: reading the two declarations, and the maps that are bundled. Does not belong here: records (`records`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, TypeVar

from pydantic import BaseModel, ValidationError

from resources.catalog_problems import validation_problems
from resources.evidence_store import EvidenceError
from resources.text_documents import DocumentError
from resources.yaml_documents import YamlDocument, load_yaml
from warehouse.harness_panel import MAP_SCHEMA, PANEL_SCHEMA, PanelSpec, StatusMap

BUNDLED_MAPS: Final = Path(__file__).resolve().parent.parent.parent / "warehouse" / "status_maps"
YAML_SUFFIXES: Final = (".yaml", ".yml")

Model = TypeVar("Model", bound=BaseModel)


def read_panel(path: Path) -> PanelSpec:
    """A declared panel.

    Raises:
        EvidenceError: naming file, line and what is wrong.
    """
    return _validated(PanelSpec, _document(path), PANEL_SCHEMA)


def read_map(path: Path) -> StatusMap:
    """A status map (errors as `read_panel`)."""
    return _validated(StatusMap, _document(path), MAP_SCHEMA)


def bundled_maps() -> dict[str, Path]:
    """The maps that come with the program: file by id."""
    return {path.stem: path for path in sorted(BUNDLED_MAPS.glob("*.yaml"))}


def maps_for(panel: PanelSpec, brought: Iterable[Path]) -> dict[str, Path]:
    """The file of every map that a panel names: a brought one before a bundled one of the same id.

    Raises:
        EvidenceError: for a map that is nowhere, or two brought ones of one id.
    """
    own: dict[str, Path] = {}
    for path in brought:
        found = read_map(path)
        if found.id in own:
            raise EvidenceError(f"{path.name}: the map {found.id} stands in {own[found.id].name} too")
        own[found.id] = path
    known = {**bundled_maps(), **own}
    wanted = dict.fromkeys(benchmark.map for benchmark in panel.benchmarks)
    for name in wanted:
        if name not in known:
            raise EvidenceError(
                f"panel {panel.title!r}: no status map {name}; bundled are {', '.join(sorted(bundled_maps()))}, "
                "and a file of your own is named with --map"
            )
    return {name: known[name] for name in wanted}


def declared_schema(path: Path) -> str | None:
    """What a YAML file says it is; None where it does not (errors as `read_panel`)."""
    data = _document(path).data
    return data.get("schema") if isinstance(data, Mapping) else None


def _document(path: Path) -> YamlDocument:
    try:
        return load_yaml(path.read_bytes(), path.name)
    except DocumentError as error:
        raise EvidenceError(str(error)) from error
    except OSError as error:
        raise EvidenceError(f"{path}: {error.strerror or error}") from error


def _validated(shape: type[Model], document: YamlDocument, schema: str) -> Model:
    if not isinstance(document.data, Mapping):
        raise EvidenceError(f"{document.name}: is no mapping; it begins with `schema: {schema}`")
    try:
        return shape.model_validate(document.data)
    except ValidationError as error:
        problems = validation_problems(error, document.name, document.line_of)
        raise EvidenceError("\n".join(str(problem) for problem in problems)) from error
