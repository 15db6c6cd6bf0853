"""Gates as Dagster asset checks: what stops, what only warns, and that nothing shown is markup or no number."""

from datetime import date
from typing import Any

import dagster as dg
import pytest

from checks.asset_checks import asset_check_result, check_description, check_name, further_tables
from warehouse.catalog_model import Catalog, GateSpec
from warehouse.verdicts import GateResult
from warehouse.vocabulary import VERDICTS, Severity, Verdict

DAY = date(2026, 10, 20)


def gate(severity: Severity = "blocking") -> GateSpec:
    return GateSpec(id="rows-lost", product="scores", table="core__result", severity=severity, threshold=0.2)


def result(verdict: Verdict, detail: str = "as it is", figure: float | None = 0.31) -> GateResult:
    return GateResult(verdict, figure, 0.2, 3, 1, detail)


def run(severity: Severity, verdict: Verdict) -> tuple[bool, list[str]]:
    """Materializes table → publish and a diagnosis beside it, with one gate on the table."""
    made: list[str] = []

    @dg.asset
    def core__result() -> None:
        made.append("core__result")

    @dg.asset(deps=[core__result])
    def publish() -> None:
        made.append("publish")

    @dg.asset
    def diagnosis() -> None:
        made.append("diagnosis")

    @dg.asset_check(asset=core__result, name=check_name("rows-lost"), blocking=True)
    def check() -> dg.AssetCheckResult:
        return asset_check_result(gate(severity), result(verdict), DAY)

    job = dg.Definitions(
        assets=[core__result, publish, diagnosis], asset_checks=[check]
    ).resolve_implicit_global_asset_job_def()
    with dg.DagsterInstance.ephemeral() as instance:
        ran = job.execute_in_process(instance=instance, raise_on_error=False)
    return ran.success, sorted(made)


@pytest.mark.parametrize("verdict", ["fail", "error"])
def test_a_failed_blocking_gate_holds_publication_and_nothing_else(verdict: Verdict) -> None:
    """B01, B03: the run fails, what is downstream does not run, the diagnosis does."""
    assert run("blocking", verdict) == (False, ["core__result", "diagnosis"])


@pytest.mark.parametrize(("severity", "verdict"), [("warning", "fail"), ("blocking", "waived"), ("blocking", "pass")])
def test_a_warning_or_a_waiver_stops_nothing(severity: Severity, verdict: Verdict) -> None:
    assert run(severity, verdict) == (True, ["core__result", "diagnosis", "publish"])


def test_only_what_stands_is_green() -> None:
    passed = {verdict for verdict in VERDICTS if asset_check_result(gate(), result(verdict), DAY).passed}
    assert passed == {"pass", "waived", "not_applicable"}


def test_what_dagster_shows_is_strict_short_and_literal() -> None:
    """B11, B13: no NaN, no markup from names, under 4 kB."""
    shown = asset_check_result(
        gate(), result("fail", "![x](http://elsewhere/x.png) <img src=x> " + "y" * 850, None), DAY
    )
    assert shown.description is not None
    assert len(shown.description) < 4_000
    assert "](" not in shown.description
    assert "<img" not in shown.description
    values: dict[str, Any] = {name: entry.value for name, entry in shown.metadata.items()}
    assert values["figure"] == "none"
    assert values["threshold"] == 0.2
    assert values["as_of"] == "2026-10-20"


def test_names_are_ones_dagster_can_hold(catalog: Catalog) -> None:
    names = [check_name(item.id) for item in catalog.gates]
    assert len(set(names)) == len(names)
    for item, name in zip(catalog.gates, names, strict=True):
        spec = dg.AssetCheckSpec(
            name,
            asset=dg.AssetKey(item.table),
            blocking=True,
            description=check_description(item),
            additional_deps=further_tables(item),
        )
        assert item.id in (spec.description or "")
