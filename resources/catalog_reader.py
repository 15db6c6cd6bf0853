"""Reading the files of a catalog folder into entries, and collecting what is wrong with them.

Belongs here: one file after the other, with line and path of every fault. Which faults stop what, and what is kept of
a catalog that was read, is `resources.catalog_files`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from methods.catalog.study_gates import RESERVED_STUDY_IDS
from resources.catalog_problems import Problem, dotted, validation_problems
from resources.connectors import option_problems
from resources.text_documents import DocumentError
from resources.yaml_documents import YamlDocument, load_yaml
from warehouse.catalog_model import Correction, GateSpec, SourceSpec, StudySpec
from warehouse.methodology import Methodology
from warehouse.study_words import SOURCE_STUDY_KIND, STUDY_EVIDENCE

Model = TypeVar("Model", bound=BaseModel)


class CatalogReader:
    """Reads the files of one folder and collects what is wrong with them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.problems: list[Problem] = []
        self.entry_problems: list[Problem] = []

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

    def signed(
        self, name: str, key: str, model: type[Model], identity: str | None
    ) -> tuple[tuple[Model, ...], tuple[str, ...]]:
        """The sound entries of a file that people sign, and the ids (or places) of the broken ones.

        What is wrong with an entry goes to `entry_problems`; a file that is no list of entries is everybody's problem.
        """
        document = self.document(self.folder / name, {key}) if (self.folder / name).exists() else None
        if document is None:
            return (), ()
        problems: list[Problem] = []
        sound = tuple(entry for _, entry in self._each(document, key, model, identity, problems.append))
        self.problems += [problem for problem in problems if problem.path == key]
        own = [problem for problem in problems if problem.path != key]
        self.entry_problems += own
        return sound, tuple(sorted({_owner(problem, document, key) for problem in own}))

    def corrections(self) -> tuple[tuple[Correction, ...], tuple[str, ...]]:
        """The sound entries of corrections.yaml, and the names of the broken ones."""
        return self.signed("corrections.yaml", "corrections", Correction, "id")

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
        broken = sorted({_owner(problem, document, "sources") for problem in problems})
        return tuple(sound), tuple(broken), problems


def _owner(problem: Problem, document: YamlDocument, key: str) -> str:
    """The id of the entry a problem belongs to, or its place where it states none."""
    head = problem.path.split(".", 1)[0]
    item = document.data[key][int(head.removeprefix(f"{key}[").removesuffix("]"))]
    name = item.get("id") if isinstance(item, dict) else None
    return name if isinstance(name, str) else head
