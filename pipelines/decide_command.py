"""`scoretrail decide`: a release decision from per-sample evidence under a sealed contract (METHODS 12)."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipelines import console, options
from pipelines.options import CatalogOption, HomeOption, JsonOption, KnownSinceOption
from warehouse.exit_codes import ExitCode

if TYPE_CHECKING:
    from methods.decision.samples import Samples
    from methods.decision.verdict import Decision

CODES = {"block": ExitCode.GATE, "insufficient_evidence": ExitCode.UNDECIDED}


def decide(
    contract: Annotated[Path, typer.Argument(help="The sealed contract.")],
    evidence: Annotated[list[Path], typer.Argument(help="Files or folders: CSV, JSON lines, Parquet, logs.")],
    *,
    junit: Annotated[Path | None, typer.Option("--junit", help="Write JUnit XML here: one test case a gate.")] = None,
    markdown: Annotated[
        Path | None, typer.Option("--markdown", help="Write Markdown here, for a pull request.")
    ] = None,
    page: Annotated[Path | None, typer.Option("--page", help="Write a page (HTML, one file) here.")] = None,
    register: Annotated[
        str | None, typer.Option("--register", help="Keep contract and samples in the home under this name.")
    ] = None,
    known_since: KnownSinceOption = None,
    home: HomeOption = None,
    catalog: CatalogOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """Ship it or not: every gate of the contract, and the verdict.

    Ends with 0 where every gate passed, 1 where one said no, 4 where the evidence is insufficient; the gates say what
    number of tasks would decide.
    """
    from methods.decision.decide import check_seal
    from methods.decision.samples import SampleError
    from methods.rollout.stage_decision import decide_evidence
    from pipelines.decision_reports import as_values, junit_xml, markdown_text
    from pipelines.decision_text import print_decision
    from resources.atomic_files import write_bytes
    from resources.catalog_files import load_catalog
    from resources.contract_files import read_contract
    from resources.kernel_cache import use_kernel_cache
    from resources.sample_evidence import read_samples

    settings, since = options.open_settings(home, catalog), options.first_day(known_since, register)
    use_kernel_cache(settings.home)
    sealed = read_contract(contract)
    methodology = load_catalog(settings.catalog_dir, settings.sources_file).catalog.methodology
    samples = read_samples(evidence, sealed)
    check_seal(sealed, sealed.sha256)  # what is wrong with the contract itself is no fault of these files
    try:
        found = decide_evidence(sealed, samples, methodology)
    except SampleError as error:
        raise SampleError(f"{', '.join(map(str, evidence))}: {error}") from error
    for note in samples.notes:
        console.note_line(note)
    if junit is not None:
        write_bytes(junit, junit_xml(found).encode())
    if markdown is not None:
        write_bytes(markdown, markdown_text(found, sealed).encode())
    if page is not None:
        from resources.site.decision_page import decision_page

        write_bytes(page, decision_page(found, sealed))
    registered = None if register is None else keep(settings.home, register, contract, evidence, samples, since)
    if as_json:
        values = as_values(found)
        console.print_json(
            {**values, "notes": list(samples.notes), "registered": registered, "exit_code": int(code_of(found))}
        )
    else:
        print_decision(console.stdout(), found, sealed)
        if registered is not None:
            console.stdout().print(f"Registered samples {register}: SHA-256 {registered}", markup=False, soft_wrap=True)
    return code_of(found)


def code_of(found: Decision) -> ExitCode:
    """The exit code of a verdict."""
    return CODES.get(found.verdict, ExitCode.OK)


def keep(home: Path, name: str, contract: Path, evidence: Sequence[Path], samples: Samples, since: date | None) -> str:
    """Registers a contract with its samples, so that a study can name them, and returns the evidence's SHA-256."""
    from pipelines.register_command import register_files
    from resources.sample_registration import files_to_register

    with tempfile.TemporaryDirectory() as folder:
        files = files_to_register(contract, evidence, samples, Path(folder))
        return register_files(home, "samples", name, files, since).sha256
