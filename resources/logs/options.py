"""What the user says about logs that the logs do not, or say in several ways."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from resources.logs.rows import LogRow


@dataclass(frozen=True, slots=True)
class LogOptions:
    """Choices for one reading.

    Attributes:
        scores: which of several scores, in the log's own words (`match`, `multi.a`, `acc`, `exact_match,strict`); more
            than one where logs of different tasks are read together.
        system, model, harness, benchmark: what to call them; None leaves what the log says.
        slices: keys of a sample's metadata to carry along as slice columns.
        are_repeats: whether logs that hold the same attempt are further repetitions of it, to be numbered on.
    """

    scores: tuple[str, ...] = ()
    system: str | None = None
    model: str | None = None
    harness: str | None = None
    benchmark: str | None = None
    slices: tuple[str, ...] = ()
    are_repeats: bool = False

    @property
    def asked(self) -> str:
        """What was asked for, in words, for a message."""
        return f"no score {' or '.join(self.scores)}" if self.scores else "which score is meant is not clear"

    def named(self, row: LogRow) -> LogRow:
        """The row with its names as the user wants them, and its system made of model and harness."""
        model, harness = self.model or row.model, self.harness or row.harness
        system = self.system or " / ".join(name for name in (harness, model) if name) or None
        benchmark = self.benchmark or row.benchmark
        return replace(row, model=model, harness=harness, system=system, benchmark=benchmark)


@dataclass(slots=True)
class Findings:
    """What a reading finds beside its rows.

    Attributes:
        problems: what could not be read, or cannot be right, each naming file and place.
        notes: what a reader should know though nothing is wrong.
    """

    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
