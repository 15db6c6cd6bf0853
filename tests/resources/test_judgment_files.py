"""Files of judgments: every form reads alike, what is wrong is named; and real judgments of ../shared, as they are."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from methods.judging.judgments import Judgments
from methods.judging.study import judge_study, judge_tables
from resources.catalog_files import load_catalog
from resources.evidence_store import EvidenceError
from resources.judge_policy_file import read_policy, write_policy
from resources.judgment_files import judgments_of, read_judgments
from warehouse.judge_policy import PolicyFile, seal_of
from warehouse.judge_words import STACK_FIELDS
from warehouse.study_options import JudgeOptions

CATALOG = Path(__file__).resolve().parents[2] / "warehouse" / "catalog"
ROWS: list[dict[str, Any]] = [
    {"item": "1", "judge": "j", "task_type": "chat", "first_prob_ab": 0.9, "first_prob_ba": 0.25, "gold": "A"},
    {"item": "2", "judge": "j", "task_type": "chat", "first_prob_ab": 0.5, "first_prob_ba": None, "gold": "B"},
    {"item": "3", "judge": "j", "task_type": None, "first_prob_ab": 1, "first_prob_ba": 0, "gold": "tie"},
]


def write(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def in_form(folder: Path, form: str) -> Path:
    frame = pl.DataFrame(ROWS, schema_overrides={"first_prob_ab": pl.Float64, "first_prob_ba": pl.Float64})
    if form == "parquet":
        frame.write_parquet(folder / "j.parquet")
        return folder / "j.parquet"
    if form == "csv":
        return write(folder, "j.csv", frame.write_csv())
    if form == "csv.gz":
        return write(folder, "j.csv.gz", gzip.compress(frame.write_csv().encode()))
    if form == "json":
        return write(folder, "j.json", json.dumps(ROWS))
    return write(folder, "j.jsonl", "\n".join(json.dumps(row) for row in ROWS) + "\n\n")


def facts(found: Judgments) -> tuple[Any, ...]:
    return found.calls.rows(), found.items.rows(), dict(found.stacks)


@pytest.mark.parametrize("form", ["csv.gz", "json", "jsonl", "parquet"])
def test_every_form_reads_alike(tmp_path: Path, form: str) -> None:
    found = judgments_of([in_form(tmp_path, form)])
    assert facts(found) == facts(judgments_of([in_form(tmp_path, "csv")]))
    assert found.height == 3
    assert found.calls["state_ba"].to_list() == ["ok", "missing", "ok"]
    assert found.calls["first_ab"].to_list() == [900_000_000, 500_000_000, 1_000_000_000]


def test_a_column_called_row_is_the_users_own(tmp_path: Path) -> None:
    form = (
        "schema: scoretrail.judgments/1\nfiles:\n  - {name: '*.csv', columns: {item: row, judge: who, verdict_ab: v}}\n"
    )
    found = judgments_of([write(tmp_path, "j.csv", "row,file,who,v\nr1,f,j,A\n"), write(tmp_path, "about.yaml", form)])
    assert found.items["item"].to_list() == ["r1"]


HEAD = "schema: scoretrail.judgments/1\n"
ABOUT = """
schema: scoretrail.judgments/1
judges:
  j: {model: m, model_version: 1.10, system_prompt: none, rubric: none, reference: none, temperature: 0.0,
      max_length: 16, parser: exact, retries: 0}
files:
  - name: "*.jsonl"
    columns: {item: [set, n], verdict_ab: answer, gold: human}
    constants: {judge: j, task_type: chat}
    labels: {"1": A, "2": B, "0": tie, garbage: parse_failure}
"""


def test_other_columns_and_labels_are_mapped(tmp_path: Path) -> None:
    lines = [
        {"set": "s", "n": 1, "answer": 1, "human": 2, "text": "x"},
        {"set": "s", "n": 2, "answer": "garbage", "human": 0},
    ]
    data = write(tmp_path, "votes.jsonl", "\n".join(map(json.dumps, lines)))
    found = read_judgments_of(tmp_path, data)
    assert found.items.select("item", "gold", "task_type").rows() == [("s/1", "B", "chat"), ("s/2", "tie", "chat")]
    assert found.calls["state_ab"].to_list() == ["ok", "parse_failure"]
    assert found.stack("j").unstated == ()
    assert found.stack("j").fields["model_version"] == "1.1"


def read_judgments_of(folder: Path, _data: Path) -> Judgments:
    write(folder, "about.yaml", ABOUT)
    return read_judgments(folder)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("j.csv", "item,judge,verdict\n1,j,A\n", "column 'verdict' is none of judgments (is 'verdict_ba' meant?)"),
        ("j.csv", "judge,verdict_ab\nj,A\n", "has no column 'item'"),
        (
            "j.csv",
            "item,judge,first_prob_ab\n1,j,0.4\n2,j,4\n",
            "j.csv, row 2, first_prob_ab: '4' is no number from 0 to 1",
        ),
        ("j.csv", "item,judge,verdict_ab\n", "j.csv: holds no row"),
        ("j.csv", b"\xff\xfe1,2", "j.csv: begins with a byte-order mark of UTF-16"),
        ("j.txt", "x", "j.txt: judgments are read from .csv, .jsonl, .json, .parquet files"),
        ("j.json", "{}", "j.json: is no list of judgments"),
        ("j.json", "[1]", "j.json, row 1: is no object"),
        ("j.jsonl", '{"item": "1"}\n{"item": ', "j.jsonl, line 2"),
        ("j.jsonl", '{"item": "1", "item": "2"}', "j.jsonl, line 1"),
        ("j.parquet", b"no parquet", "j.parquet: is no readable parquet file"),
        ("j.csv.gz", b"no gzip", "j.csv.gz"),
        ("a.yaml", ABOUT, "no file of judgments was named"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, name: str, text: str | bytes, said: str) -> None:
    with pytest.raises(EvidenceError) as refused:
        judgments_of([write(tmp_path, name, text)])
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("about", "said"),
    [
        ("schema: other\n", "about.yaml:1: schema: Input should be 'scoretrail.judgments/1'"),
        (f"{HEAD}judges:\n  j: {{colour: red}}\n", "about.yaml:3: judges.j.colour: unknown key"),
        (f"{HEAD}files:\n  - {{name: j.csv, labels: {{x: maybe}}}}\n", "'x' means 'maybe', which is none of"),
        (f"{HEAD}files:\n  - {{name: j.csv, columns: {{item: itme}}}}\n", "has no column 'itme' (is 'item' meant?)"),
        (f"{HEAD}files:\n  - {{name: j.csv}}\n  - {{name: '*.csv'}}\n", "two entries under `files` fit it"),
        ("a: [", "about.yaml"),
    ],
)  # fmt: skip
def test_a_wrong_file_about_them_is_named(tmp_path: Path, about: str, said: str) -> None:
    data = write(tmp_path, "j.csv", "item,judge,verdict_ab\n1,j,A\n")
    with pytest.raises(EvidenceError) as refused:
        judgments_of([data, write(tmp_path, "about.yaml", about)])
    assert said in str(refused.value)


def policy() -> PolicyFile:
    key = dict.fromkeys(STACK_FIELDS, "0")
    values = {
        "schema": "scoretrail.judge_policy/1", "judge": {"name": "j", **key}, "fallback": {"name": "k", **key},
        "orders": ["ab", "ba"], "rule": "bound", "tolerance": 0.02, "methodology_version": "3.0",
        "thresholds": [{"task_type": None, "state": "open", "tau": 0.9, "items": 200, "accepted": 100,
                        "difference": 0.0, "bound": -0.0149, "auroc": 0.81}],
        "selection": ["0123456789abcdef"],
    }  # fmt: skip
    return PolicyFile.model_validate({**values, "seal": seal_of(values)})


@pytest.mark.parametrize("name", ["p.yaml", "p.json"])
def test_a_policy_reads_back_from_either_form(tmp_path: Path, name: str) -> None:
    write_policy(tmp_path / name, policy())
    assert read_policy(tmp_path / name) == policy()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("tau: 0.9", "tau: 0.6", "changed after it was frozen"),
        ("rule: bound", "rule: loose", "rule: Input should be"),
        ("schema: ", "scheme: ", "schema: must be given"),
        ("orders:", "orders: [", "p.yaml:"),
        ("  name: j", "  nom: j", "p.yaml: judge.name: must be given"),
    ],
)
def test_a_policy_that_was_changed_is_refused(tmp_path: Path, old: str, new: str, said: str) -> None:
    write_policy(tmp_path / "p.yaml", policy())
    text = (tmp_path / "p.yaml").read_text()
    assert old in text
    with pytest.raises(EvidenceError) as refused:
        read_policy(write(tmp_path, "p.yaml", text.replace(old, new)))
    assert said in str(refused.value)
    with pytest.raises(EvidenceError, match="No such file"):
        read_policy(tmp_path / "none.yaml")


@pytest.mark.parametrize("text", ["", "- a\n", "a\n", "1\n"])
def test_what_is_no_mapping_is_said_so(tmp_path: Path, text: str) -> None:
    """In words of the file, not of the program: a list of judgments handed over as a policy is a likely slip."""
    with pytest.raises(EvidenceError, match=r"^p\.yaml: must be a mapping of keys to values"):
        read_policy(write(tmp_path, "p.yaml", text))
    judgments = write(tmp_path, "j.csv", "item,judge,verdict_ab\n1,a,A\n")
    with pytest.raises(EvidenceError, match=r"^about\.yaml:1: must be a mapping of keys to values"):
        judgments_of([judgments, write(tmp_path, "about.yaml", text)])


LLMBAR = """
schema: scoretrail.judgments/1
files:
  - name: llmbar_votes.csv.gz
    columns: {item: [subset, item], judge: [evaluator, prompt], task_type: subset, gold: label,
              verdict_ab: winner_orig, verdict_ba: winner_swap}
    labels: {"1": A, "2": B}
"""
PANDALM = """
schema: scoretrail.judgments/1
files:
  - name: testset-v1.json
    columns: {item: idx, label_1: annotator1, label_2: annotator2, gold: annotator3, slice_models: cmp_key}
    labels: {"1": A, "2": B, "0": tie}
  - name: gpt-3.5-turbo-testset-v1.json
    columns: {item: idx, verdict_ab: gpt_result}
    constants: {judge: gpt-3.5-turbo}
    labels: {"1": A, "2": B, Tie: tie, garbage: parse_failure}
  - name: pandalm-7b-testset-v1.json
    columns: {item: idx, verdict_ab: pandalm_result}
    constants: {judge: pandalm-7b}
    labels: {"1": A, "2": B, "0": tie}
"""


def study(found: Judgments, **options: Any) -> dict[str, pl.DataFrame]:
    methodology = load_catalog(CATALOG, None).catalog.methodology
    return judge_tables("s", judge_study(found, JudgeOptions(**options), methodology), methodology)


def test_real_votes_in_both_orders(upstream_dir: Path, tmp_path: Path) -> None:
    """LLMBar: 65 judges on 419 items. Votes without probabilities: sure or discordant, so AUROC is one half, closed."""
    votes = upstream_dir.parent / "derived" / "llmbar_votes.csv.gz"
    found = judgments_of([votes, write(tmp_path, "about.yaml", LLMBAR)])
    assert (found.height, found.items.height, len(found.judges)) == (27235, 419, 65)
    assert found.strange_labels.height == 0
    tables = study(found, judges=("PaLM2/Vanilla", "ChatGPT/CoT"), fallbacks=("GPT-4/Vanilla",), split=0.5)
    raw = pl.read_csv(votes, infer_schema=False).filter(pl.col("evaluator") == "PaLM2", pl.col("prompt") == "Vanilla")
    both = raw.filter(pl.col("winner_orig").is_not_null() & pl.col("winner_swap").is_not_null())
    alike = both.filter(pl.col("winner_orig") == pl.col("winner_swap"))
    row = (
        tables["out__judge_summary"]
        .filter(pl.col("judge") == "PaLM2/Vanilla", pl.col("slice") == "all")
        .row(0, named=True)
    )
    assert (row["items"], row["valid"], row["discordant"]) == (419, both.height, both.height - alike.height)
    right = alike.filter(pl.col("winner_orig") == pl.col("label")).height
    assert row["accuracy"] == (right + (both.height - alike.height) / 2) / both.height
    assert row["unrecorded"] == raw["winner_orig"].null_count() + raw["winner_swap"].null_count()
    assert row["auroc"] == 0.5
    assert tables["out__judge_cascade"]["open_state"].unique().to_list() == ["auroc_below_limit"]
    assert tables["out__judge_queue"].height == sum(
        tables["out__judge_summary"].filter(pl.col("slice") == "all", pl.col("judge") != "GPT-4/Vanilla")["discordant"]
    )


def test_real_votes_of_people_and_of_two_judges(upstream_dir: Path, tmp_path: Path) -> None:
    """PandaLM: three people and two judges in one order, in three files; 25 answers that the parser did not know."""
    folder = upstream_dir / "pandalm" / "data"
    found = judgments_of([*sorted(folder.glob("*.json")), write(tmp_path, "about.yaml", PANDALM)])
    assert (found.height, found.items.height, found.judges) == (1998, 999, ("gpt-3.5-turbo", "pandalm-7b"))
    tables = study(found, judges=("pandalm-7b", "gpt-3.5-turbo"))
    everything = tables["out__judge_summary"].filter(pl.col("slice") == "all")
    gpt, panda = everything.rows(named=True)
    assert (gpt["judge"], gpt["parse_failures"], gpt["ties"], gpt["is_one_order"]) == ("gpt-3.5-turbo", 25, 38, True)
    assert (panda["verdicts_a"], panda["verdicts_b"], panda["ties"]) == (433, 459, 107)
    labels = tables["out__judge_label"].filter(pl.col("slice") == "all").row(0, named=True)
    people = json.loads((folder / "testset-v1.json").read_bytes())
    alike = sum(one["annotator1"] == one["annotator2"] for one in people)
    assert (labels["double_labelled"], labels["label_agreement"]) == (999, alike / 999)
    assert labels["label_kappa"] > 0.8
    assert tables["out__judge_label"].filter(pl.col("slice") == "models").height == 10
    agrees = {one["idx"]: one["annotator3"] for one in people}
    judged = json.loads((folder / "pandalm-7b-testset-v1.json").read_bytes())
    same = sum(one["pandalm_result"] == agrees[one["idx"]] for one in judged)
    assert panda["gold_agreement"] == same / 999


def test_real_labels_alone_are_no_judgments(upstream_dir: Path, tmp_path: Path) -> None:
    """FairEval holds people's labels of 80 questions, Arena-Hard a board: neither holds a verdict of a judge."""
    folder = upstream_dir / "faireval"
    questions = [json.loads(line) for line in (folder / "question.jsonl").read_text().splitlines()]
    human = (folder / "review" / "review_gpt35_vicuna-13b_human.txt").read_text().split()
    rows = [
        {"item": q["question_id"], "task_type": q["category"], "gold": label}
        for q, label in zip(questions, human, strict=True)
    ]
    labels = write(tmp_path, "human.jsonl", "\n".join(map(json.dumps, rows)))
    form = "{name: human.jsonl, columns: {item: item, task_type: task_type, gold: gold}, labels: {%s}}"
    about = f"{HEAD}files:\n  - {form % 'CHATGPT: A, VICUNA13B: B, TIE: tie'}\n"
    with pytest.raises(EvidenceError, match="these are labels alone"):
        judgments_of([labels, write(tmp_path, "about.yaml", about)])
    own = write(
        tmp_path, "mine.csv", "item,judge,verdict_ab\n" + "".join(f"{q['question_id']},mine,A\n" for q in questions)
    )
    found = study(judgments_of([labels, own, tmp_path / "about.yaml"]))
    row = found["out__judge_summary"].filter(pl.col("slice") == "all").row(0, named=True)
    assert (row["labelled"], row["accuracy"], row["gold_agreement"]) == (80, (41 + 14 / 2) / 80, 41 / 80)
    assert found["out__judge_label"]["gold_ties"][0] == 14
    board = upstream_dir / "arena-hard" / "leaderboard" / "arena_hard_leaderboard_20240731.csv"
    with pytest.raises(EvidenceError, match="column 'score' is none of judgments"):
        judgments_of([board])


def test_a_filled_sheet_is_read_with_the_judgments(tmp_path: Path) -> None:
    """As written for spreadsheets: an apostrophe in front of what one might run is no part of the text."""
    data = write(tmp_path, "j.csv", "item,judge,verdict_ab,verdict_ba\n=1,j,first,first\n2,j,A,A\n")
    sheet = '"item","task_type","shown_first","gold","adjudication_reason"\n"\'=1","","B","A","by two people"\n'
    found = judgments_of([data, write(tmp_path, "sheet.csv", sheet)])
    assert found.items.select("item", "gold").rows() == [("2", None), ("=1", "A")]


def test_labels_alone_can_be_mapped(tmp_path: Path) -> None:
    about = f"{HEAD}files:\n  - {{name: j.csv, labels: {{x: A, y: B}}}}\n"
    data = write(tmp_path, "j.csv", "item,judge,verdict_ab,gold\n1,j,x,y\n")
    found = judgments_of([data, write(tmp_path, "about.yaml", about)])
    assert (found.calls["first_ab"].to_list(), found.items["gold"].to_list()) == ([1_000_000_000], ["B"])
