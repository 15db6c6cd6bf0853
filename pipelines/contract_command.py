"""`scoretrail contract`: a release contract is written, checked, and sealed before there is evidence (METHODS 12)."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from pipelines import console, options
from pipelines.options import CatalogOption, HomeOption, JsonOption, UsageError
from warehouse.decision_words import MODALITIES, OBJECTIVE_KINDS, RISKS, SCORER_TYPES
from warehouse.exit_codes import ExitCode
from warehouse.identity import is_slug
from warehouse.release_stages import ENTRY_FLAGS

if TYPE_CHECKING:
    from warehouse.release_contract import ReleaseContract

app = typer.Typer(no_args_is_help=True, help="Release contracts: what a candidate must show, fixed before its results.")
FileArgument = Annotated[Path, typer.Argument(help="The contract, a YAML file.")]
Word = TypeVar("Word", bound=str)


@app.callback()
def contract() -> None:
    """Release contracts: what a candidate must show, fixed before its results."""


@app.command("new")
def new(
    out: Annotated[Path, typer.Argument(help="File to write; it must not be there yet.")],
    *,
    modality: Annotated[str | None, typer.Option(help=", ".join(MODALITIES))] = None,
    scorer: Annotated[str | None, typer.Option(help=", ".join(SCORER_TYPES))] = None,
    objective: Annotated[str | None, typer.Option(help=", ".join(OBJECTIVE_KINDS))] = None,
    risk: Annotated[str | None, typer.Option(help=", ".join(RISKS))] = None,
    name: Annotated[str | None, typer.Option("--id", help="Its id. [default: the file's name]")] = None,
    baseline: Annotated[str, typer.Option(help="System in use, as the evidence names it.")] = "baseline",
    candidate: Annotated[str, typer.Option(help="System to judge, as the evidence names it.")] = "candidate",
    made_sure: Annotated[
        list[str] | None,
        typer.Option("--made-sure", help=f"Entry to shadow that holds; repeatable: {', '.join(ENTRY_FLAGS)}."),
    ] = None,
    home: HomeOption = None,
    catalog: CatalogOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """Write a complete, commented contract; asks for what no option says, where somebody is there to answer."""
    from resources.atomic_files import write_bytes
    from resources.catalog_files import load_catalog
    from resources.contract_files import contract_of
    from resources.contract_template import Choices, contract_text

    settings = options.open_settings(home, catalog)
    if out.exists():
        raise UsageError(f"{out}: is there already; a contract is never written over")
    is_asked = None in (modality, scorer, objective, risk)
    choices = Choices(
        _id(name, out),
        _chosen("modality", modality, MODALITIES),
        _chosen("scorer", scorer, SCORER_TYPES),
        _chosen("objective", objective, OBJECTIVE_KINDS),
        _chosen("risk", risk, RISKS),
        _plain("--baseline", baseline),
        _plain("--candidate", candidate),
        _made_sure(made_sure, is_asked=is_asked),
    )
    defaults = load_catalog(settings.catalog_dir, settings.sources_file).catalog.methodology.decision.risks
    data = contract_text(choices, defaults[choices.risk]).encode()
    contract_of(data, out.name)
    write_bytes(out, data)
    if as_json:
        console.print_json({"file": str(out), "id": choices.id})
    else:
        console.stdout().print(
            f"Wrote {out}. Read every line and put in what holds for you, then:\n"
            f"  scoretrail contract check {out}\n  scoretrail plan {out}\n  scoretrail contract seal {out}",
            markup=False, soft_wrap=True,
        )  # fmt: skip
    return ExitCode.OK


@app.command("check")
def check(
    file: FileArgument, *, home: HomeOption = None, catalog: CatalogOption = None, as_json: JsonOption = False
) -> ExitCode:
    """Check a contract: every fault with its line, and whether it is sealed and unchanged.

    Ends with 2 for one that is faulty or was changed after it was sealed, as every command does that is given it.
    """
    from resources.contract_files import read_contract

    options.open_settings(home, catalog)
    found = read_contract(file)
    is_changed = found.seal is not None and found.seal.sha256 != found.sha256
    if as_json:
        code = ExitCode.USAGE if is_changed else ExitCode.OK
        console.print_json({**_about(found), "is_changed": is_changed, "exit_code": int(code)})
    elif found.seal is None:
        _say(f"{file}: a whole contract ({found.id}), not sealed yet: scoretrail contract seal {file}")
    elif is_changed:
        console.error_line(
            f"{file}: changed after it was sealed: its hash is {found.sha256}, sealed was {found.seal.sha256}. Take "
            "the change back; or make it a new contract: another id, no `seal`, scoretrail contract seal, new evidence"
        )
    else:
        _say(f"{file}: contract {found.id}, sealed {found.seal.sealed_at:%Y-%m-%d %H:%M} UTC, unchanged")
        _say(f"  hash {found.sha256}")
    return ExitCode.USAGE if is_changed else ExitCode.OK


@app.command("seal")
def seal(
    file: FileArgument, *, home: HomeOption = None, catalog: CatalogOption = None, as_json: JsonOption = False
) -> ExitCode:
    """Fix a contract's hash at the end of its file, before there is evidence, which then names the hash."""
    from resources.contract_files import seal_contract

    options.open_settings(home, catalog)
    found, is_new = seal_contract(file, datetime.now(UTC))
    if as_json:
        console.print_json({**_about(found), "sealed_now": is_new})
        return ExitCode.OK
    assert found.seal is not None
    _say(f"{file}: {'sealed' if is_new else 'was sealed already'}, hash {found.sha256}")
    _say(f"Evidence names it: contract_sha256: {found.sha256} in samples.yaml beside the samples, or a column.")
    return ExitCode.OK


def _about(found: ReleaseContract) -> dict[str, Any]:
    return {
        "id": found.id,
        "sha256": found.sha256,
        "sealed_at": None if found.seal is None else found.seal.sealed_at.isoformat(),
    }


def _say(text: str) -> None:
    console.stdout().print(text, markup=False, soft_wrap=True)


def _chosen(question: str, given: str | None, words: tuple[Word, ...]) -> Word:
    """A word from a closed list, as given or as answered."""
    if given is None:
        if not sys.stdin.isatty():
            raise UsageError(f"--{question}: one of {', '.join(words)}")
        given = typer.prompt(f"{question} ({', '.join(words)})", err=True).strip()
    if given not in words:
        raise UsageError(f"--{question} {given}: one of {', '.join(words)}")
    return given


def _made_sure(given: list[str] | None, *, is_asked: bool) -> frozenset[str]:
    """What must hold before requests are copied, as given or as answered; what nobody said does not hold."""
    for flag in given or ():
        if flag not in ENTRY_FLAGS:
            raise UsageError(f"--made-sure {flag}: one of {', '.join(ENTRY_FLAGS)}")
    if given is None and is_asked:
        return frozenset(
            flag
            for flag, said in ENTRY_FLAGS.items()
            if typer.confirm(f"before shadow: {said}?", default=False, err=True)
        )
    return frozenset(given or ())


def _id(name: str | None, out: Path) -> str:
    found = name or out.stem.lower().replace(" ", "-").replace("_", "-")
    if not is_slug(found):
        raise UsageError(f"--id {found}: lower-case letters, digits, '.', '_' or '-'")
    return found


def _plain(option: str, text: str) -> str:
    """A system's name that fits between quotes."""
    if not text.strip() or any(sign in text for sign in '"\\\n\r\t'):
        raise UsageError(f"{option} {text!r}: a name on one line without quotes and backslashes")
    return text
