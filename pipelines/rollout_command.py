"""`scoretrail shadow` and `scoretrail canary`: real traffic in batches, and what it asks for after each of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipelines import console, options
from pipelines.options import CatalogOption, HomeOption, JsonOption, KnownSinceOption
from warehouse.exit_codes import ExitCode
from warehouse.rollout_words import RolloutAction, RolloutStage

if TYPE_CHECKING:
    from resources.settings import Settings
    from warehouse.methodology import Methodology

CODES: dict[RolloutAction, ExitCode] = {
    "continue": ExitCode.OK, "hold": ExitCode.UNDECIDED, "stop": ExitCode.GATE, "rollback": ExitCode.GATE,
}  # fmt: skip
ABOUT: dict[RolloutStage, str] = {
    "shadow": "Shadow: requests copied to a candidate whose answers reach nobody, batch by batch.",
    "canary": "Canary: a small part of real traffic, batch by batch, and when to stop.",
}
NameArgument = Annotated[str, typer.Argument(help="Its name: lower case, digits, '.', '_', '-'.")]


def rollout_app(stage: RolloutStage) -> typer.Typer:
    """The subcommands of one stage."""
    app = typer.Typer(no_args_is_help=True, help=ABOUT[stage])

    @app.command("start")
    def start(
        name: NameArgument,
        contract: Annotated[Path, typer.Argument(help="The sealed contract.")],
        *,
        home: HomeOption = None,
        catalog: CatalogOption = None,
        as_json: JsonOption = False,
    ) -> ExitCode:
        """Begin one under a sealed contract, before there is any batch."""
        return _start(stage, name, contract, home, catalog, as_json=as_json)

    @app.command("add")
    def add(
        name: NameArgument,
        files: Annotated[list[Path], typer.Argument(help="Batches: CSV, JSON lines or Parquet; they are copied.")],
        *,
        home: HomeOption = None,
        catalog: CatalogOption = None,
        as_json: JsonOption = False,
    ) -> ExitCode:
        """Add batches, decide again over all of them, and write the action for the deploy tool.

        Ends with 0 for continue, 4 for hold, 1 for stop and rollback.
        """
        from pipelines.rollout_reading import take_in
        from resources.rollouts import ACTION_NAME, RolloutStore

        settings, methodology = _opened(home, catalog)
        store = RolloutStore(settings.home)
        with store.open(stage, name).lock():
            found = take_in(store, store.open(stage, name), files, methodology)
        if not as_json:
            console.progress_line(f"written for the deploy tool: {found.rollout.folder / ACTION_NAME}")
        return _said(found, as_json=as_json)

    @app.command("status")
    def status(
        name: Annotated[str | None, typer.Argument(help="Its name; all of them where none is named.")] = None,
        *,
        home: HomeOption = None,
        catalog: CatalogOption = None,
        as_json: JsonOption = False,
    ) -> ExitCode:
        """What all batches so far say; writes nothing.

        Ends with 0 for continue, 4 for hold, 1 for stop and rollback.
        """
        from pipelines.rollout_reading import read
        from resources.rollouts import RolloutStore

        settings, methodology = _opened(home, catalog)
        store = RolloutStore(settings.home)
        if name is None:
            return _listed(stage, store.root.parent, as_json=as_json)
        return _said(read(store.open(stage, name), methodology), as_json=as_json)

    @app.command("decide")
    def decide(
        name: NameArgument,
        *,
        junit: Annotated[Path | None, typer.Option("--junit", help="Write JUnit XML here.")] = None,
        markdown: Annotated[Path | None, typer.Option("--markdown", help="Write Markdown here.")] = None,
        home: HomeOption = None,
        catalog: CatalogOption = None,
        as_json: JsonOption = False,
    ) -> ExitCode:
        """Every gate of the contract and of the stage, on all batches so far, and the verdict.

        Ends with 0 where every gate passed, 1 where one said no, 4 where the evidence is insufficient.
        """
        from pipelines.rollout_decision import decide_rollout

        return decide_rollout(stage, name, *_opened(home, catalog), junit=junit, markdown=markdown, as_json=as_json)

    @app.command("register")
    def register(
        name: NameArgument,
        *,
        given: Annotated[
            str | None, typer.Option("--as", help="Name of the evidence. [default: its name and number of batches]")
        ] = None,
        known_since: KnownSinceOption = None,
        home: HomeOption = None,
        catalog: CatalogOption = None,
        as_json: JsonOption = False,
    ) -> ExitCode:
        """Keep contract and all batches so far as samples, which a study of kind release_decision can name."""
        from pipelines.register_command import registered_line
        from pipelines.rollout_registration import register_rollout

        settings, methodology = _opened(home, catalog)
        record = register_rollout(settings.home, stage, name, given, methodology, options.first_day(known_since, name))
        if as_json:
            console.print_json({"kind": record.kind, "name": record.name, "sha256": record.sha256})
        else:
            console.stdout().print(registered_line(record), markup=False, soft_wrap=True)
        return ExitCode.OK

    return app


def _opened(home: Path | None, catalog: Path | None) -> tuple[Settings, Methodology]:
    from resources.catalog_files import load_methodology
    from resources.kernel_cache import use_kernel_cache

    settings = options.open_settings(home, catalog)
    use_kernel_cache(settings.home)
    return settings, load_methodology(settings.catalog_dir)


def _start(
    stage: RolloutStage, name: str, contract_file: Path, home: Path | None, catalog: Path | None, *, as_json: bool
) -> ExitCode:
    from methods.rollout.stage_gates import shadow_entry_gate
    from pipelines.rollout_reading import start
    from resources.contract_files import read_contract
    from resources.rollouts import INCOMING, RolloutStore

    settings = options.open_settings(home, catalog)
    gate = shadow_entry_gate(read_contract(contract_file)) if stage == "shadow" else None
    if stage == "shadow" and (gate is None or gate.outcome != "pass"):
        why = "the contract says that shadow is not needed, and names no entry to it" if gate is None else gate.detail
        if as_json:
            console.print_json({"stage": stage, "name": name, "started": False, "detail": why})
        else:
            console.error_line(f"no entry to shadow: {why}")
        return ExitCode.GATE
    rollout, contract = start(RolloutStore(settings.home), stage, name, contract_file)
    if as_json:
        console.print_json(
            {"stage": stage, "name": name, "started": True, "contract_sha256": rollout.contract_sha256,
             "incoming": str(rollout.folder / INCOMING)}
        )  # fmt: skip
        return ExitCode.OK
    out = console.stdout()
    canary = contract.stages.canary
    said = [f"Began {stage} {name} under contract {contract.id} {rollout.contract_sha256[:12]}."]
    if gate is not None:
        said.append(f"Entry: {gate.detail}.")
    else:
        lots = "at random" if canary.is_randomized else "not at random: an operational reading, no effect is claimed"
        said.append(f"{100 * canary.exposure_frac:g}% of {canary.unit}s, {lots}.")
    said.append(f"Batches: scoretrail {stage} add {name} FILE, or lay files into {rollout.folder / INCOMING}")
    for line in said:
        out.print(line, markup=False, soft_wrap=True)
    return ExitCode.OK


def _said(found: object, *, as_json: bool) -> ExitCode:
    from pipelines import rollout_text
    from pipelines.rollout_reading import RolloutReading

    assert isinstance(found, RolloutReading)
    if as_json:
        console.print_json({**rollout_text.as_json(found), "exit_code": int(CODES[found.action])})
    else:
        rollout_text.print_reading(console.stdout(), found)
    return CODES[found.action]


def _listed(stage: RolloutStage, home: Path, *, as_json: bool) -> ExitCode:
    """Every one of a stage, by the action that was last written."""
    from resources.rollouts import RolloutStore

    store = RolloutStore(home)
    found = [store.open(stage, name) for name in store.names(stage)]
    rows = []
    for one in found:
        action = one.action
        asked = "not decided yet" if action is None else str(action["action"])
        rows.append((one.name, str(len(one.batches)), asked, "" if one.is_decided else "batches came since"))
    if as_json:
        console.print_json(
            {stage: [{"name": name, "batches": int(count), "action": asked} for name, count, asked, _ in rows]}
        )
    else:
        columns = [("name", "left"), ("batches", "right"), ("action", "left"), ("", "left")]
        console.stdout().print(console.table(f"{len(rows)} in {stage}", columns, rows))
    return ExitCode.OK


shadow_app = rollout_app("shadow")
canary_app = rollout_app("canary")
