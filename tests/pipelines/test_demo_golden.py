"""The demonstration gives the same bits: on every run, in every home, on other processors, threads and row orders.

The hashes stand in tests/golden/demo.json. After a wanted change of catalog, demonstration or method:
`SCORETRAIL_UPDATE_GOLDEN=1 pytest tests/pipelines/test_demo_golden.py -k golden`, and say in the commit why they moved.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import polars as pl
from demo_hashes import CODE_BOUND, MADE, UNCHECKED, golden_hashes
from small_homes import CHECKOUT, Ran, SmallWorld, call

from pipelines.options import DEMO_DAY, DEMO_SOURCES
from resources.releases import ReleaseStore
from resources.tables import TableStore

GOLDEN = CHECKOUT / "tests" / "golden" / "demo.json"
SCRIPT = Path(__file__).with_name("demo_hashes.py")
OTHER_PROCESSOR = {"OPENBLAS_CORETYPE": "Haswell", "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR"}
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "POLARS_MAX_THREADS", "MKL_NUM_THREADS")


def stored(home: Path) -> dict[str, pl.DataFrame]:
    tables = TableStore(home)
    return {name: tables.read(name, DEMO_DAY) for name in MADE}


def test_the_golden_hashes_of_the_demonstration(demo: tuple[Path, Ran]) -> None:
    found = golden_hashes(stored(demo[0]))
    if os.environ.get("SCORETRAIL_UPDATE_GOLDEN"):
        GOLDEN.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    assert found == json.loads(GOLDEN.read_text(encoding="utf-8"))


def test_the_same_bits_on_another_processor_with_other_threads(demo: tuple[Path, Ran], tmp_path: Path) -> None:
    """METHODS 14: another BLAS kernel, no SIMD in numpy, one thread; in a home and a process of its own.

    The `test_same_bits` of the methods ask the same of each, with two threads and other compilers.
    """
    environment = {**os.environ, **OTHER_PROCESSOR, **dict.fromkeys(THREADS, "1"), "PYTHONHASHSEED": "1"}
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", str(SCRIPT), str(tmp_path / "home")],
        env=environment, cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr[-3000:]
    expected = golden_hashes({name: frame for name, frame in stored(demo[0]).items() if name in UNCHECKED})
    assert json.loads(ran.stdout.splitlines()[-1]) == expected


def test_the_order_of_rows_in_the_files_changes_no_score(demo: tuple[Path, Ran], tmp_path: Path) -> None:
    """The same facts in another order, over other bytes: every published table but its release id is equal."""
    draw = random.Random(20261020)
    folder = tmp_path / "shuffled"
    shutil.copytree(DEMO_SOURCES.parent, folder)
    for path in folder.glob("*.json"):
        body = json.loads(path.read_text(encoding="utf-8"))
        draw.shuffle(body["results"])
        body["results"] = [dict(draw.sample(list(row.items()), len(row))) for row in body["results"]]
        path.write_text(json.dumps(body, ensure_ascii=False), encoding="utf-8")
    home = tmp_path / "home"
    ran = call("run", "--demo", "--home", home, "--sources", folder / "sources.yaml", "--json")
    assert ran.code == 0, ran.said
    assert ran.json["published"] != demo[1].json["published"], "other bytes are another release"
    one, other = stored(demo[0]), stored(home)
    out = [name for name in MADE if name.startswith("out__")]
    assert {name: golden_hashes({name: one[name]}) for name in out} == {
        name: golden_hashes({name: other[name]}) for name in out
    }
    assert set(one["core__evidence"].rows()) == set(other["core__evidence"].rows())
    assert set(CODE_BOUND) <= set(out)


def test_a_second_run_in_one_home_is_the_same_release_and_changes_nothing(published: SmallWorld) -> None:
    first = published.current()
    folder = published.releases.folder(str(first))
    before = {path: (path.stat().st_mtime_ns, path.stat().st_ino) for path in sorted(folder.rglob("*"))}
    ledger = (published.home / "releases.jsonl").read_bytes()
    hashes = {name: published.tables.stamp(name, published_day(published)).table_hash for name in published.released}
    ran = published.run()
    assert ran.code == 0, ran.said
    assert ran.json["published"] == first
    assert {path: (path.stat().st_mtime_ns, path.stat().st_ino) for path in sorted(folder.rglob("*"))} == before
    assert (published.home / "releases.jsonl").read_bytes() == ledger
    assert {
        name: published.tables.stamp(name, published_day(published)).table_hash for name in published.released
    } == hashes


def published_day(world: SmallWorld) -> object:
    release = ReleaseStore(world.home).current()
    assert release is not None
    return release.manifest.as_of


def test_two_homes_give_the_same_release(template: SmallWorld, fresh: SmallWorld) -> None:
    """Another home, another folder, another moment: the same release id and the same table hashes."""
    ran = fresh.run()
    assert ran.json["published"] == template.current()
    one, other = template.releases.current(), fresh.releases.current()
    assert one is not None
    assert other is not None
    assert one.manifest.table_hashes == other.manifest.table_hashes
