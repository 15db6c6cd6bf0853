"""What stands beside files of judgments: the keys of the judges, and how the columns of other forms are to be read.

Belongs here: the shape of that file. Does not belong here: reading it (`resources.judgment_files`).
"""

from __future__ import annotations

from typing import Final, Literal, Self

from pydantic import Field, model_validator

from warehouse.judge_words import CALL_STATES, PLACES, SIDES
from warehouse.source_model import Entry, Stated

LABEL_WORDS: Final[tuple[str, ...]] = (*SIDES, *PLACES, *CALL_STATES)
"""What a label of a file may be said to mean."""


class JudgeStack(Entry):
    """The key of a judge; what is left out is not stated."""

    model: str | None = None
    model_version: str | None = None
    system_prompt: str | None = None
    rubric: str | None = None
    reference: str | None = None
    temperature: str | float | None = None
    max_length: str | int | None = None
    parser: str | None = None
    retries: str | int | None = None


class FileForm(Entry):
    """How some files are read.

    `name`: the file's name; `*` stands for anything. `columns`: from the names used here to the file's own, several
    joined by `/`; columns that are not named are not read. Where none is named the file's own names are these.
    `constants`: the same value in every row. `labels`: what the file's verdicts and labels mean.
    """

    name: Stated
    columns: dict[str, Stated | tuple[Stated, ...]] = Field(default_factory=dict)
    constants: dict[str, Stated] = Field(default_factory=dict)
    labels: dict[str, str] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _known_words(self) -> Self:
        for label, word in self.labels.items():
            if word not in LABEL_WORDS:
                raise ValueError(f"labels: {label!r} means {word!r}, which is none of {', '.join(LABEL_WORDS)}")
        twice = sorted(set(self.columns) & set(self.constants))
        if twice:
            raise ValueError(f"{twice[0]} is both a column and a constant")
        return self


class AboutJudgments(Entry):
    """The whole file."""

    schema_: Literal["scoretrail.judgments/1"] = Field(alias="schema")
    judges: dict[Stated, JudgeStack] = Field(default_factory=dict)
    files: tuple[FileForm, ...] = ()
