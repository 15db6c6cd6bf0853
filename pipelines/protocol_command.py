"""`scoretrail protocol`: how far a ranking moves under another lawful protocol, and whether the winner does."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipelines import console, options
from pipelines.options import CatalogOption, HomeOption, JsonOption, KnownSinceOption, UsageError
from warehouse.exit_codes import ExitCode, strongest

if TYPE_CHECKING:
    import polars as pl

    from checks.gate_inputs import Finding
    from warehouse.catalog_model import Catalog
    from warehouse.study_options import ProtocolOptions

KIND = "protocol_sensitivity"
FILE_STUDY = "files"
CODES = {"fail": ExitCode.GATE, "inconclusive": ExitCode.UNDECIDED}


def protocol(
    files: Annotated[
        list[Path],
        typer.Argument(
            help="Losses, CSV or Parquet: site, coordinate, protocol, candidate, loss; and convention, unit, weight."
        ),
    ],
    *,
    reference: Annotated[
        str | None, typer.Option("--reference", help="Compare all protocols with this one, not every two.")
    ] = None,
    candidates: Annotated[
        str | None,
        typer.Option("--candidates", help="The candidate set declared beforehand: a,b,c. Another voids the verdicts."),
    ] = None,
    growth: Annotated[
        str | None, typer.Option("--growth", help="Candidates in the order in which they joined: a,b,c.")
    ] = None,
    page: Annotated[
        Path | None, typer.Option("--page", help="Write a page (HTML, one file) with figures here.")
    ] = None,
    register: Annotated[str | None, typer.Option("--register", help="Keep the files as evidence of this name.")] = None,
    known_since: KnownSinceOption = None,
    home: HomeOption = None,
    catalog: CatalogOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """How far a ranking moves under another lawful protocol: PSS and winner swap, beside conventions and chance.

    Ends with 1 where either figure lies beyond the catalog's limit, with 4 where too few sites decide; what would is
    said.
    """
    from methods.protocols.study import protocol_tables
    from pipelines.protocol_text import print_study
    from pipelines.register_command import register_files, registered_line
    from resources.atomic_files import write_bytes
    from resources.catalog_files import load_catalog
    from resources.kernel_cache import use_kernel_cache
    from resources.loss_files import losses_of
    from warehouse.study_options import ProtocolOptions

    settings, since = options.open_settings(home, catalog), options.first_day(known_since, register)
    use_kernel_cache(settings.home)
    loaded = load_catalog(settings.catalog_dir, settings.sources_file).catalog
    losses = losses_of(files)
    try:
        asked = ProtocolOptions(candidates=_names(candidates), reference=reference, growth=_names(growth))
        tables = protocol_tables(losses, FILE_STUDY, asked, loaded.methodology)
    except ValueError as error:
        raise UsageError(_plain(error)) from error
    findings = verdicts(tables, asked, loaded)
    if page is not None:
        from resources.site.protocol_page import protocol_page

        try:
            write_bytes(page, protocol_page(", ".join(path.name for path in files), tables, findings))
        except OSError as error:
            raise UsageError(f"--page {page}: {error.strerror or error}; name a file that can be written") from error
    kept = None if register is None else register_files(settings.home, "losses", register, files, since)
    code = strongest(CODES.get(finding.outcome, ExitCode.OK) for finding in findings.values())
    if as_json:
        console.print_json(
            {**_values(tables, findings), "evidence_sha256": kept and kept.sha256, "exit_code": int(code)}
        )
        return code
    print_study(console.stdout(), tables, findings)
    if kept is not None:
        console.progress_line(registered_line(kept))
    return code


def verdicts(tables: dict[str, pl.DataFrame], asked: ProtocolOptions, catalog: Catalog) -> dict[str, Finding]:
    """What the catalog's gates of protocol sensitivity say of tables that no release holds, by gate.

    The one on the candidate set is asked only where a set was declared.
    """
    from checks.gate_inputs import GateInputs
    from checks.named.protocol_stability import PROTOCOL_GATES
    from warehouse.catalog_model import StudySpec

    stated = {name: value for name, value in asked.model_dump().items() if value}
    study = StudySpec(id=FILE_STUDY, kind=KIND, evidence=FILE_STUDY, options=stated)
    now = datetime.now(UTC)
    inputs = GateInputs(
        frames=tables, catalog=catalog.model_copy(update={"studies": (study,)}), baseline=None, decided_at=now,
        as_of=now.date(),
    )  # fmt: skip
    return {
        line.id: PROTOCOL_GATES[line.id](line.model_copy(update={"study": FILE_STUDY}), inputs)
        for line in catalog.study_gates
        if line.id in PROTOCOL_GATES and (asked.candidates or line.id != "protocol-candidates")
    }


def _names(text: str | None) -> tuple[str, ...]:
    return () if text is None else tuple(name.strip() for name in text.split(",") if name.strip())


def _plain(error: ValueError) -> str:
    """A refusal in its own words, without the frame that validation puts around them."""
    from pydantic import ValidationError

    if isinstance(error, ValidationError):
        return str(error.errors()[0]["msg"]).removeprefix("Value error, ")
    return str(error)


def _values(tables: dict[str, pl.DataFrame], findings: dict[str, Finding]) -> dict[str, Any]:
    shown = {
        name.removeprefix("out__protocol_"): frame.drop("study").rows(named=True) for name, frame in tables.items()
    }
    said = [
        {"gate": gate, "verdict": one.outcome, "figure": one.figure, "detail": one.detail}
        for gate, one in findings.items()
    ]
    return {**shown, "verdicts": said}
