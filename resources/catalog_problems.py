"""What is wrong in a catalog folder, said with file, line and path.

Belongs here: the problem, the error that carries problems, and turning a validation error into them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

Path = tuple[str | int, ...]

_SPOKEN = {
    "extra_forbidden": "unknown key",
    "missing": "must be given",
    "model_type": "must be a mapping of keys to values",
    "dict_type": "must be a mapping of keys to values",
    "string_type": "must be text: put it in quotes",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of the catalog folder.

    Attributes:
        file: name within the folder.
        line: 1-based; None where the whole file is at fault.
        path: place in the document, such as `sources[2].min_rows`; empty for the whole.
        message: what is wrong and what is expected.
    """

    file: str
    line: int | None
    path: str
    message: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.path}: {self.message}" if self.path else f"{place}: {self.message}"


class CatalogError(ValueError):
    """A catalog folder that cannot be used: every problem found."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


def dotted(path: Iterable[str | int]) -> str:
    """A path as people write it: `sources[0].options.rows`."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text


def validation_problems(
    error: ValidationError, file: str, line: int | Callable[[Path], int], prefix: Path = ()
) -> list[Problem]:
    """The faults of one validated entry.

    Args:
        line: the line of the entry, or the line of any path within the file.
        prefix: path of the entry itself.
    """
    problems = []
    for fault in error.errors(include_url=False, include_input=True):
        path = (*prefix, *fault["loc"])
        kind = fault["type"]
        message = _SPOKEN.get(kind) or fault["msg"].removeprefix("Value error, ")
        # a fault of the whole entry is said by its rule; the entry itself would only be cut off
        if kind not in {"extra_forbidden", "missing"} and not isinstance(fault["input"], dict):
            message = f"{message} (found {str(fault['input'])[:60]!r})"
        problems.append(Problem(file, line if isinstance(line, int) else line(path), dotted(path), message))
    return problems
