"""Samples on disk: every form gives the same rows, and what cannot be read is said with file, row and column."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from resources.batch_files import read_batch
from resources.contract_files import ContractFileError, contract_of, read_contract, seal_contract
from resources.contract_template import Choices, contract_text
from resources.evidence_store import EvidenceError
from resources.sample_evidence import read_decision_evidence, read_samples
from warehouse.decision_rules import RiskDefaults
from warehouse.decision_words import MODALITIES, OBJECTIVE_KINDS, RISKS, SCORER_TYPES
from warehouse.release_contract import ReleaseContract

DEFAULTS = RiskDefaults(
    alpha=0.05, delta_pp=5, minimum_tasks=4, slice_minimum_tasks=2, minimum_clusters=2, max_infrastructure_frac=0.1,
    max_parse_frac=0.1,
)  # fmt: skip
TEXT = contract_text(Choices("assistant", "text", "rule", "non_inferiority", "low", "old", "new"), DEFAULTS)
ROWS = pl.DataFrame(
    {
        "system": ["old", "old", "new", "new"], "task": ["007", "8", "007", "8"], "success": [True, False, True, True],
        "latency_s": [1.5, 2.0, None, 0.25], "broke_red_line": [False] * 4, "unused": ["x"] * 4,
        "scorer_type": ["rule"] * 4, "scorer_version": ["1.10"] * 4,
    }
)  # fmt: skip


def sealed(folder: Path, text: str = TEXT) -> ReleaseContract:
    file = folder / "contract.yaml"
    file.write_text(text)
    return seal_contract(file, datetime(2026, 10, 1, tzinfo=UTC))[0]


def noted(folder: Path, contract: ReleaseContract, more: str = "") -> None:
    (folder / "samples.yaml").write_text(f"contract_sha256: {contract.sha256}\n{more}")


@pytest.mark.parametrize("write", [pl.DataFrame.write_csv, pl.DataFrame.write_ndjson, pl.DataFrame.write_parquet])
def test_every_form_gives_the_same_rows(tmp_path: Path, write: Callable[[pl.DataFrame, Path], None]) -> None:
    contract = sealed(tmp_path)
    suffix = {"write_csv": "csv", "write_ndjson": "jsonl", "write_parquet": "parquet"}[write.__name__]
    write(ROWS, tmp_path / f"rows.{suffix}")
    noted(tmp_path, contract)
    found = read_decision_evidence(tmp_path)
    assert found.contract == contract and found.samples.stage == "offline" and found.height == 4
    rows = found.samples.rows.with_columns(pl.col("system", "scorer_type", "scorer_version").cast(pl.String))
    assert rows["task"].to_list() == ["007", "8", "007", "8"] and rows["scorer_version"].to_list() == ["1.10"] * 4
    assert rows["success"].to_list() == [1.0, 0.0, 1.0, 1.0] and rows["latency_s"].to_list() == [1.5, 2.0, None, 0.25]
    assert rows["broke_red_line"].dtype == pl.Boolean and "unused" not in rows.columns


def test_the_note_renames_and_states(tmp_path: Path) -> None:
    contract = sealed(tmp_path)
    own = ROWS.drop("scorer_type", "scorer_version").rename({"success": "correct"})
    for name, system in (("a.csv", "old"), ("b.csv", "new")):
        own.filter(pl.col("system") == system).drop("system").write_csv(tmp_path / name)
    more = "stage: shadow\ncolumns: {success: correct}\nfiles: {a.csv: v1, b.csv: new}\nsystems: {v1: old}\n"
    noted(tmp_path, contract, more + 'state: {scorer_type: rule, scorer_version: "1"}\n')
    found = read_samples([tmp_path / "a.csv", tmp_path / "b.csv"], contract)
    assert found.stage == "shadow" and found.rows["system"].to_list() == ["old", "old", "new", "new"]
    assert set(found.rows["scorer_version"]) == {"1"} and "success" in found.rows.columns


def test_the_hash_may_stand_in_a_column(tmp_path: Path) -> None:
    contract = sealed(tmp_path)
    ROWS.with_columns(contract_sha256=pl.lit(contract.sha256)).write_csv(tmp_path / "a.csv")
    assert read_samples([tmp_path / "a.csv"], contract).contract_sha256 == contract.sha256
    ROWS.with_columns(contract_sha256=pl.Series([contract.sha256, *["0" * 64] * 3])).write_csv(tmp_path / "a.csv")
    with pytest.raises(EvidenceError, match="an evidence names one"):
        read_samples([tmp_path / "a.csv"], contract)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.csv", "", "a.csv: "),
        ("a.csv", "system,task,success\n", "holds no row"),
        ("a.csv", "system,task,success\nold,1\n", "row 1 has 2 cells, the header 3"),
        ("a.csv", "system,task,success\nold,1,maybe\n", "a.csv: row 1: success 'maybe' is not a finite number"),
        ("a.csv", "system,task,success\nold,,1\n", "row 1: task must be stated"),
        ("a.csv", "system,task\nold,1\n", "lack the column success"),
        ("a.csv", "system,task,task\nold,1,2\n", "stands twice in the header"),
        ("a.csv", "system,task,success,broke_red_line\nold,1,1,perhaps\n", "'perhaps' is not true or false"),
        ("a.jsonl", '{"system": "old"}\n{"task": \n', "line 2: not JSON"),
        ("a.jsonl", "[1]\n", "line 1: not an object"),
        ("a.jsonl", "", "a.jsonl: holds no row"),
        ("a.jsonl", "\n\n", "a.jsonl: holds no row"),
        ("a.jsonl", '{"success": 1}\n{"success": NaN}\n', "line 2: not JSON: NaN is no number of JSON"),
        ("a.jsonl", '{"success": 1}\n{"success": 1' + "0" * 40 + "}\n", "line 2: success holds a whole number beyond"),
        ("a.jsonl", '{"success": true}\n{"success": {"a": 1}}\n', "line 2: success holds an object, and true or fal"),
        ("a.jsonl", '{"success": false}\n{"success": 1}\n', "line 2: success holds a number, and true or false in"),
        ("a.jsonl", "[" * 100_000, "line 1: not JSON"),
        ("a.parquet", "PAR?", "a.parquet: "),
        ("a.txt", "x", "samples are .csv"),
    ],
)
def test_what_cannot_be_read_is_said(tmp_path: Path, name: str, text: str, said: str) -> None:
    contract = sealed(tmp_path)
    noted(tmp_path, contract)
    (tmp_path / name).write_text(text)
    with pytest.raises(EvidenceError, match=said):
        read_samples([tmp_path / name], contract)


def test_what_the_evidence_says_about_itself_is_checked(tmp_path: Path) -> None:
    contract = sealed(tmp_path)
    file = tmp_path / "a.csv"
    ROWS.write_csv(file)
    with pytest.raises(EvidenceError, match="names no contract"):
        read_samples([file], contract)
    for more, said in (
        ("stage: later\n", "samples.yaml:2: stage"),
        ("nonsense: 1\n", "samples.yaml:2: nonsense: unknown key"),
        ("state: {system: old}\n", "stands in the file and under `state`"),
        ("columns: {success: nowhere}\n", "lack the column success"),
    ):
        noted(tmp_path, contract, more)
        with pytest.raises(EvidenceError, match=said):
            read_samples([file], contract)
    with pytest.raises(EvidenceError, match="no such file"):
        read_samples([tmp_path / "b.csv"], contract)


def test_every_new_contract_is_whole() -> None:
    for modality in MODALITIES:
        for scorer in SCORER_TYPES:
            for objective in OBJECTIVE_KINDS:
                for risk in RISKS:
                    text = contract_text(Choices("x", modality, scorer, objective, risk, "a", "b"), DEFAULTS)
                    assert contract_of(text.encode(), "x.yaml").seal is None


def test_faults_of_a_contract_are_said_with_their_lines() -> None:
    def faults(old: str, new: str) -> str:
        assert old in TEXT
        with pytest.raises(ContractFileError) as error:
            contract_of(TEXT.replace(old, new).encode(), "c.yaml")
        return str(error.value)

    line = 1 + TEXT[: TEXT.index("scorer: {")].count("\n")
    assert f"c.yaml:{line}: scorer.type" in faults("type: rule", "type: oracle")
    assert "harms: must be given" in faults("harms:", "harmz:") and "harmz: unknown key" in faults("harms:", "harmz:")
    assert "`delta_regress_pp` and not the other margin" in faults("delta_regress_pp", "delta_ship_pp")
    assert "must lie above the margin" in faults("expected_pp: 0", "expected_pp: -5")
    assert "objective.alpha: " in faults("alpha: 0.05", "alpha: 1.0e-300")
    for low, high in (("0", "1.0e-310"), ("-1.7e308", "1.7e308")):
        score = f"outcome: {{column: score, kind: score, lowest: {low}, highest: {high}}}"
        assert "cannot be computed with" in faults("outcome: {column: success, kind: binary}", score)
    assert "belong together" in faults("minimum_clusters: null", "minimum_clusters: 20")
    with pytest.raises(ContractFileError, match=r"c\.yaml: cannot be read|no such|cannot be read"):
        read_contract(Path("/nowhere/c.yaml"))


def test_a_seal_is_given_once_and_holds_every_value(tmp_path: Path) -> None:
    contract = sealed(tmp_path)
    file = tmp_path / "contract.yaml"
    again, is_new = seal_contract(file, datetime(2026, 11, 1, tzinfo=UTC))
    assert not is_new and again == contract and contract.seal is not None
    assert contract.seal.sealed_at == datetime(2026, 10, 1, tzinfo=UTC)
    file.write_text(file.read_text().replace("# Who is in the denominator", "# Who counts"))
    assert seal_contract(file, datetime(2026, 11, 1, tzinfo=UTC))[0].sha256 == contract.sha256
    file.write_text(file.read_text().replace("alpha: 0.05", "alpha: 0.1"))
    with pytest.raises(ContractFileError, match="was changed after it was sealed"):
        seal_contract(file, datetime(2026, 11, 1, tzinfo=UTC))


@given(st.binary(max_size=200))
@settings(max_examples=30, deadline=None)
def test_no_bytes_crash_a_reader(data: bytes) -> None:
    import tempfile

    contract = contract_of(TEXT.encode(), "c.yaml")
    with tempfile.TemporaryDirectory() as folder:
        for suffix in ("csv", "jsonl", "parquet"):
            file = Path(folder) / f"a.{suffix}"
            file.write_bytes(data)
            with pytest.raises(EvidenceError):
                read_samples([file], contract)


def test_a_batch_counts_trials_as_a_decision_does(tmp_path: Path) -> None:
    metrics = 'metrics: [{id: all, column: "pass^2", at_least: 0.5, minimum_tasks: 20}]'
    budgets = "sample_budgets: [{column: cost, at_most: 5}]"
    text = TEXT.replace("metrics: []", metrics).replace("sample_budgets: []", budgets)
    assert metrics in text and budgets in text
    rows = [f"new,t{task},{trial},true,{9 if task == trial == 0 else 1}" for task in range(2) for trial in range(2)]
    (tmp_path / "b.csv").write_text("\n".join(["system,task,trial,success,cost", *rows]) + "\n")
    contract = contract_of(text.encode(), "c.yaml")
    assert read_batch(tmp_path / "b.csv", contract)["pass^2"].to_list() == [0.0, 0.0, 1.0, 1.0]
    (tmp_path / "b.csv").write_text("system,task,cost\nnew,t0,1\n")
    with pytest.raises(EvidenceError, match=r"b\.csv: the samples lack the column success"):
        read_batch(tmp_path / "b.csv", contract)


def test_what_the_note_says_in_vain_is_told(tmp_path: Path) -> None:
    """A name written wrong, of a column, a file or a system, would be read over otherwise."""
    contract = sealed(tmp_path)
    ROWS.rename({"latency_s": "seconds"}).write_csv(tmp_path / "rows.csv")
    for said in ("systems: {old: old}", "files: {rows.csv: new}"):
        noted(tmp_path, contract, f"columns: {{latency_s: seconds}}\nstate: {{purpose: test}}\n{said}\n")
        assert read_decision_evidence(tmp_path).notes == ()
    noted(
        tmp_path,
        contract,
        "columns: {latency_s: seconds, tokens: toknes, mood: unused}\nsystems: {old: old, odl: old}\n"
        "files: {rws.csv: new}\nstate: {purposs: test}\n",
    )
    assert read_decision_evidence(tmp_path).notes == (
        "samples.yaml, columns: no file has a column toknes, which tokens would be read from",
        "samples.yaml, columns: nothing here reads a column mood",
        "samples.yaml, state: nothing here reads a column purposs",
        "samples.yaml, files: none of the files read is called rws.csv",
        "samples.yaml, systems: no row is of a system odl",
    )
