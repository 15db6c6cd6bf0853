"""What a suite found on a table: each clause's result, their verdict, and the strict, short JSON record of them.

Belongs here: what the results add up to. Pass, fail, errored and evaluated nothing are four different things (C03, C04,
C06). How a suite is run is `checks.validation`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from checks.engine import engine_version
from checks.plain_json import short
from warehouse.canonical import Json

ClauseStatus = Literal["pass", "fail", "errored", "nothing", "not_run"]
SuiteVerdict = Literal["pass", "fail", "error"]
TEXT_LIMIT: Final = 300


@dataclass(frozen=True, slots=True)
class ClauseResult:
    """What one clause found.

    Attributes:
        name, kind, sentence, columns: of the clause.
        status: `nothing` where no row was looked at; `not_run` where the table's shape was already wrong.
        rows: rows of the table. evaluated: rows looked at (not null, or the rule speaks of them).
        failed: of these, at fault.
        examples: the first rows at fault: position, key and the clause's columns.
        message: why it errored, or what was found instead.
    """

    name: str
    kind: str
    sentence: str
    columns: tuple[str, ...]
    status: ClauseStatus
    rows: int = 0
    evaluated: int = 0
    failed: int = 0
    examples: tuple[dict[str, Json], ...] = ()
    message: str = ""

    def to_json(self) -> dict[str, Json]:
        """The result as strict JSON values, with both denominators written out (C06)."""
        return {
            "clause": self.name,
            "kind": self.kind,
            "sentence": short(self.sentence, TEXT_LIMIT),
            "columns": list(self.columns),
            "status": self.status,
            "of_evaluated": f"{self.failed}/{self.evaluated}",
            "of_rows": f"{self.failed}/{self.rows}",
            "examples": list(self.examples),
            "message": short(self.message, TEXT_LIMIT),
        }


@dataclass(frozen=True, slots=True)
class Validation:
    """What a whole suite found on one table."""

    table: str
    rows: int
    results: tuple[ClauseResult, ...]

    def of_status(self, *statuses: ClauseStatus) -> tuple[ClauseResult, ...]:
        """The results that have one of these statuses."""
        return tuple(result for result in self.results if result.status in statuses)

    @property
    def evaluated(self) -> int:
        """Clauses that were judged on something."""
        return len(self.of_status("pass", "fail"))

    @property
    def failed(self) -> int:
        """Clauses that failed or could not be judged."""
        return len(self.of_status("fail", "errored"))

    @property
    def verdict(self) -> SuiteVerdict:
        """error if any clause crashed; fail if any failed or nothing at all was judged; else pass."""
        if self.of_status("errored"):
            return "error"
        if self.of_status("fail", "not_run") or not self.evaluated:
            return "fail"
        return "pass"

    def to_json(self) -> dict[str, Json]:
        """The validation result as strict JSON values: what is kept beside the verdict."""
        statuses: tuple[ClauseStatus, ...] = ("pass", "fail", "errored", "nothing", "not_run")
        return {
            "table": self.table,
            "engine": engine_version(),
            "verdict": self.verdict,
            "rows": self.rows,
            "clauses": {status: len(self.of_status(status)) for status in statuses},
            "results": [result.to_json() for result in self.results],
        }

    def detail(self) -> str:
        """The outcome in words: how many clauses, and the first that failed."""
        bad = self.of_status("errored", "fail")
        if not bad:
            silent = len(self.of_status("nothing"))
            aside = f"; {silent} had nothing to judge" if silent else ""
            return f"{self.evaluated} clauses hold on {self.rows} rows{aside}"
        told = "; ".join(_told(result) for result in bad[:3])
        more = f"; and {len(bad) - 3} more" if len(bad) > 3 else ""
        skipped = len(self.of_status("not_run"))
        unread = f"; {skipped} clauses not judged on a table of the wrong shape" if skipped else ""
        return f"{len(bad)} of {len(self.results)} clauses fail on {self.rows} rows: {told}{more}{unread}"


def _told(result: ClauseResult) -> str:
    if result.status == "errored":
        return f"{result.name} could not be judged ({short(result.message, 120)})"
    if result.examples:
        values = ", ".join(f"{name} {short(str(value), 40)}" for name, value in result.examples[0].items())
        return f"{result.sentence}: {result.failed}/{result.evaluated} rows do not, first {values}"
    return f"not so that {result.sentence} ({short(result.message, 120)})" if result.message else result.sentence
