"""The catalog folder: every fault with its file and line, and a broken source entry that harms no other."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from resources.catalog_files import CatalogLoad, load_catalog
from resources.catalog_problems import CatalogError

METRICS = """version: "1"
metrics:
  - {id: m1, category: math, dimension: basic, family: f, protocol: p, direction: higher, transform: logit,
     status: scored, from: [{benchmark: B, metric: m, match: {steps: 15}}]}
benchmarks:
  - {benchmark: B, applies: [steps]}
"""
MODELS = """models:
  - {id: model-a, name: Model A, developer: D, aliases: [2024-11-20, "1.10", "no"]}
organization_prefixes: [org/]
"""
GATES = """gates:
  - {id: g1, product: scores, table: core__result, threshold: 0.5}
"""
SOURCES = """sources:
  - id: one
    title: One
    connector: native
    url: one.json
    source_type: official
  - id: two
    title: Two
    connector: native
    url: https://example.org/two.json
    source_type: paper
"""
WAIVER = """waivers:
  - {gate: g1, reason: r, who: a, approved_by: b, until: 2026-11-01T00:00:00Z}
"""
CORRECTION = """corrections:
  - {id: c, entry_id: e, reason: r, expected: 1.5, value: 2, who: a, approved_by: b, when: 2026-10-20}
"""
Edit = Callable[..., CatalogLoad]


@pytest.fixture
def load(tmp_path: Path, repository: Path) -> Edit:
    """Writes a small catalog folder with some files replaced (None: absent) and loads it."""

    def loaded(**changes: str | None) -> CatalogLoad:
        files = {"metrics.yaml": METRICS, "models.yaml": MODELS, "gates.yaml": GATES, "sources.yaml": SOURCES}
        shutil.copy(repository / "warehouse" / "catalog" / "methodology.yaml", tmp_path / "methodology.yaml")
        for name, text in (
            files | {key.replace("_yaml", ".yaml").replace("_csv", ".csv"): t for key, t in changes.items()}
        ).items():
            if text is None:
                (tmp_path / name).unlink(missing_ok=True)
            else:
                (tmp_path / name).write_text(text, encoding="utf-8")
        return load_catalog(tmp_path)

    return loaded


def failing(load: Edit, **changes: str | None) -> list[str]:
    with pytest.raises(CatalogError) as caught:
        load(**changes)
    assert all(str(problem) in str(caught.value) for problem in caught.value.problems)
    return [str(problem) for problem in caught.value.problems]


def test_a_folder_with_only_what_must_be_there(load: Edit) -> None:
    catalog = load().catalog
    assert [source.id for source in catalog.sources] == ["one", "two"]
    assert catalog.models[0].aliases == ("2024-11-20", "1.10", "no")
    assert catalog.metrics[0].from_[0].match == {"steps": 15}
    assert catalog.gates[0].threshold == 0.5
    assert (catalog.decisions, catalog.corrections, catalog.waivers, catalog.studies) == ((), (), (), ())


def test_the_catalog_of_the_project_is_sound(repository: Path) -> None:
    load = load_catalog(repository / "warehouse" / "catalog")
    assert load.problems == ()
    assert {"swebench", "aider", "livebench"} <= set(load.catalog.source_by_id)


@pytest.mark.parametrize("name", ["metrics_yaml", "models_yaml", "gates_yaml", "sources_yaml"])
def test_files_that_must_be_there(load: Edit, name: str) -> None:
    found = failing(load, **{name: None})
    assert found == [found[0]]
    assert found[0].startswith(f"{name.replace('_', '.')}: cannot be read: No such file")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"models_yaml": MODELS + "colour: red\n"}, "models.yaml:4: colour: unknown key"),
        ({"models_yaml": MODELS.replace("developer: D", "vendor: D")}, "models.yaml:2: models[0].vendor: unknown key"),
        (
            {"models_yaml": MODELS.replace('"1.10"', "1.10")},
            "models.yaml:2: models[0].aliases[1]: must be text: put it in quotes (found '1.1')",
        ),
        ({"models_yaml": MODELS.replace("[org/]", "org/")}, "models.yaml:3: organization_prefixes: "),
        ({"models_yaml": MODELS.replace("Model A", "")}, "models.yaml:2: models[0].name: "),
        ({"models_yaml": MODELS + "models: []\n"}, "models.yaml:4: key 'models' repeats (first on line 1)"),
        ({"models_yaml": MODELS + "  - {id: x"}, "models.yaml:"),
        ({"metrics_yaml": METRICS.replace('version: "1"\n', "")}, "metrics.yaml:1: version: must be given"),
        ({"metrics_yaml": METRICS.replace('"1"', "1.5")}, "metrics.yaml:1: version: must be text: put it in quotes"),
        (
            {"metrics_yaml": METRICS.replace("dimension: basic", "dimension: hard")},
            "metrics.yaml:3: metrics[0]: dimension 'hard' is none of math's",
        ),
        ({"metrics_yaml": METRICS.replace("status: scored", "status: best")}, "metrics.yaml:4: metrics[0].status: "),
        (
            {"metrics_yaml": METRICS.replace("applies: [steps]", "applies: [colour]")},
            "metrics.yaml:6: benchmarks[0]: colour is no protocol field",
        ),
        ({"metrics_yaml": "- a\n"}, "metrics.yaml:1: must be a mapping with the keys benchmarks, metrics, version"),
        ({"gates_yaml": GATES + GATES.split("\n", 1)[1]}, "gates.yaml:3: gates[1].id: 'g1' stands on line 2 too"),
        ({"gates_yaml": "gates: all\n"}, "gates.yaml:1: gates: must be a list"),
        ({"sources_yaml": "sources: one\n"}, "sources.yaml:1: sources: must be a list"),
        ({"sources_yaml": "sources: [\n"}, "sources.yaml:"),
        ({"waivers_yaml": "waivers: one\n"}, "waivers.yaml:1: waivers: must be a list"),
        ({"waivers_yaml": "waivers: [\n"}, "waivers.yaml:"),
        ({"corrections_yaml": "correction: []\n"}, "corrections.yaml:1: correction: unknown key"),
        ({"studies_yaml": "study: []\n"}, "studies.yaml:1: study: unknown key"),
        (
            {"decisions_csv": "entry_id_a,entry_id_b\n"},
            "decisions.csv:1: columns must be entry_id_a, entry_id_b, decision",
        ),
        (
            {"pair_aliases_csv": "entry_id_a,entry_id_b,reason\na,b,r\n\na,b\n"},
            "pair_aliases.csv:4: 2 cells where the header has 3",
        ),
        ({"pair_aliases_csv": "entry_id_a,entry_id_b,reason\na,,r\n"}, "pair_aliases.csv:2: entry_id_b: "),
    ],
)
def test_faults_are_told_with_file_line_and_path(load: Edit, changes: dict[str, str], message: str) -> None:
    found = failing(load, **changes)
    assert len(found) == 1
    assert found[0].startswith(message)


def test_every_fault_is_told_at_once(load: Edit) -> None:
    found = failing(
        load, models_yaml="models: 1\n", gates_yaml="gates: 2\n", sources_yaml=SOURCES.replace("paper", "blog")
    )
    assert sorted(problem.split(":")[0] for problem in found) == ["gates.yaml", "models.yaml", "sources.yaml"]


@pytest.mark.parametrize(
    ("sources", "broken", "message"),
    [
        (SOURCES.replace("paper", "blog"), "two", "sources.yaml:11: sources[1].source_type: "),
        (SOURCES + "    colour: red\n", "two", "sources.yaml:12: sources[1].colour: unknown key"),
        (SOURCES + "    min_rows: many\n", "two", "sources.yaml:12: sources[1].min_rows: "),
        (SOURCES + "    secret_env: PATH\n", "two", "sources.yaml:12: sources[1].secret_env: "),
        (SOURCES + "    options: {rows: 1}\n", "two", "sources.yaml:12: sources[1].options.rows: the native connector"),
        (
            SOURCES + "    options:\n      format: csv\n",
            "two",
            "sources.yaml:13: sources[1].options.format: the native",
        ),
        (SOURCES.replace("id: two", "id: Two!"), "Two!", "sources.yaml:7: sources[1].id: "),
        (SOURCES.replace("id: two\n    title", "title"), "sources[1]", "sources.yaml:7: sources[1].id: must be given"),
        (SOURCES.replace("id: two", "id: one"), "one", "sources.yaml:7: sources[1].id: 'one' stands on line 2 too"),
        (SOURCES + "  - just text\n", "sources[2]", "sources.yaml:12: sources[2]: "),
        (
            SOURCES.replace("connector: native\n    url: https", "connector: table\n    url: https")
            + "    options: {format: csv, fields: {model: m}}\n",
            "two",
            "sources.yaml:12: sources[1].options: fields.benchmark must be given",
        ),
    ],
)
def test_a_broken_source_entry_is_its_own_problem(load: Edit, sources: str, broken: str, message: str) -> None:
    loaded = load(sources_yaml=sources)
    assert loaded.catalog.sources[0].id == "one"
    assert loaded.catalog.broken_sources == (broken,)
    assert len(loaded.problems) == 1
    assert str(loaded.problems[0]).startswith(message)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (
            "{gate: g1, reason: r, who: a, approved_by: A, until: 2026-11-01T00:00:00Z}",
            "[1]: `approved_by` must be som",
        ),
        ("{gate: g1, reason: r, who: a, until: 2026-11-01T00:00:00Z}", "[1].approved_by: must be given"),
        (
            "{gate: g1, reason: r, who: a, approved_by: b, until: 2026-11-01T00:00:00}",
            "[1]: `until` must state its time",
        ),
        ("{gate: g1, reason: r, who: a, approved_by: b, until: soon}", "[1].until: "),
        ("just text", "[1]: must be a mapping"),
    ],
)
def test_a_broken_waiver_is_its_own_problem_and_waives_nothing(load: Edit, entry: str, message: str) -> None:
    loaded = load(waivers_yaml=f"{WAIVER}  - {entry}\n")
    assert [waiver.who for waiver in loaded.catalog.waivers] == ["a"]
    assert loaded.catalog.sha256 == load(waivers_yaml=WAIVER).catalog.sha256
    (problem,) = loaded.problems
    assert str(problem).startswith(f"waivers.yaml:3: waivers{message}")


@pytest.mark.parametrize(
    ("entry", "name", "message"),
    [
        (
            CORRECTION.split("- ")[1].replace(" value: 2,", "").replace("id: c", "id: d"),
            "d",
            "[1]: a correction gives eit",
        ),
        (CORRECTION.split("- ")[1], "c", "[1].id: 'c' stands on line 2 too"),
        ("{entry_id: e}", "corrections[1]", "[1]."),
    ],
)
def test_a_broken_correction_is_named_in_the_catalog(load: Edit, entry: str, name: str, message: str) -> None:
    sound = load(corrections_yaml=CORRECTION).catalog
    loaded = load(corrections_yaml=f"{CORRECTION}  - {entry}\n")
    assert loaded.catalog.corrections == sound.corrections and sound.broken_corrections == ()
    assert loaded.catalog.broken_corrections == (name,)
    assert loaded.catalog.sha256 != sound.sha256, "it decides whether anything goes out"
    assert str(loaded.problems[0]).startswith(f"corrections.yaml:3: corrections{message}")


def test_lists_are_read_with_their_dates(load: Edit) -> None:
    text = '\ufeffreviewed_at,entry_id_a,entry_id_b,decision,reason,reviewer\n2026-10-20,a,b,unsure,"one,\ntwo",R\n'
    decision = load(decisions_csv=text).catalog.decisions[0]
    assert (decision.entry_id_a, decision.reason, str(decision.reviewed_at)) == ("a", "one,\ntwo", "2026-10-20")


def test_a_correction_and_a_waiver_are_read(load: Edit) -> None:
    catalog = load(
        corrections_yaml=CORRECTION,
        waivers_yaml=WAIVER,
    ).catalog
    assert catalog.corrections[0].expected == 1.5
    assert catalog.waivers[0].until.isoformat() == "2026-11-01T00:00:00+00:00"


def test_the_hash_is_of_values_not_of_layout(load: Edit) -> None:
    first = load().catalog.sha256
    assert load(gates_yaml="# a remark\n" + GATES.replace("{id", "{ id")).catalog.sha256 == first
    assert load(gates_yaml=GATES.replace("0.5", "0.6")).catalog.sha256 != first


def test_another_sources_file_replaces_the_folders(load: Edit, tmp_path: Path) -> None:
    load()
    (tmp_path / "mine.yaml").write_text(SOURCES.split("  - id: two", maxsplit=1)[0].replace("one", "mine"))
    assert [source.id for source in load_catalog(tmp_path, tmp_path / "mine.yaml").catalog.sources] == ["mine"]


def test_a_file_that_is_not_text(load: Edit, tmp_path: Path) -> None:
    load()
    (tmp_path / "gates.yaml").write_bytes(b"gates: []\n# \xff\n")
    with pytest.raises(CatalogError, match=r"gates\.yaml:2: byte 0xff at offset 12"):
        load_catalog(tmp_path)
