"""Files whole or not at all; strict JSON; lines that a killed writer tore."""

from __future__ import annotations

from pathlib import Path

import pytest

from resources.atomic_files import (
    JsonFileError,
    append_json_line,
    read_json,
    read_json_lines,
    remove_leftovers,
    replacing,
    write_bytes,
    write_json,
    write_json_lines,
)


def test_a_file_is_replaced_whole_and_nothing_stays_beside_it(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "er" / "file"
    write_bytes(target, b"old")
    write_bytes(target, b"new")
    assert target.read_bytes() == b"new"
    assert [path.name for path in target.parent.iterdir()] == ["file"]


def test_an_error_while_writing_leaves_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "file"
    write_bytes(target, b"old")
    with pytest.raises(ZeroDivisionError), replacing(target) as temporary:
        temporary.write_bytes(b"half")
        Path(f"{temporary}.wal").write_bytes(b"log")
        raise ZeroDivisionError
    assert target.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_writer_that_writes_nothing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), replacing(tmp_path / "file"):
        pass
    assert list(tmp_path.iterdir()) == []


def test_new_files_get_the_usual_permissions(tmp_path: Path) -> None:
    write_bytes(tmp_path / "ours", b"")
    (tmp_path / "usual").write_bytes(b"")
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "usual").stat().st_mode


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_json_holds_no_nan(tmp_path: Path, number: float) -> None:
    write_json(tmp_path / "a.json", 1)
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_json(tmp_path / "a.json", [number])
    with pytest.raises(ValueError, match="not JSON compliant"):
        append_json_line(tmp_path / "a.jsonl", number)
    assert read_json(tmp_path / "a.json") == 1
    assert not (tmp_path / "a.jsonl").exists()


@pytest.mark.parametrize("text", ["NaN", "[-Infinity]", "1e999", '{"a": 1, "a": 2}', "", '{"a"', "[" * 100_000, "\xff"])
def test_json_that_is_not_strict_is_refused_with_its_file(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(JsonFileError, match=r"a\.json"):
        read_json(path)


def test_a_torn_last_line_is_passed_over_and_cut_off_by_the_next(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    append_json_line(path, {"n": 1})
    whole = path.read_bytes()
    for torn in (b"{", b'{"n":2}', b"\xff\xfe", b"x" * 200_000):
        path.write_bytes(whole + torn)
        assert read_json_lines(path) == [{"n": 1}]
    append_json_line(path, {"n": 3})
    assert path.read_bytes() == whole + b'{"n":3}\n'


def test_a_first_line_that_was_torn_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'{"n":')
    assert read_json_lines(path) == []
    append_json_line(path, "ü")
    assert path.read_bytes() == '"ü"\n'.encode()


def test_a_broken_line_before_the_last_is_damage(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'1\n{"n":\n3\n')
    with pytest.raises(JsonFileError, match="line 2"):
        read_json_lines(path)
    assert read_json_lines(tmp_path / "absent.jsonl") == []


def test_json_lines_round_trip(tmp_path: Path) -> None:
    values = [{"b": 1, "a": [None, True, "\n"]}, "2024-11-20", 0.1]
    write_json_lines(tmp_path / "x.jsonl", values)
    assert read_json_lines(tmp_path / "x.jsonl") == values


def test_leftovers_are_removed_and_nothing_else(tmp_path: Path) -> None:
    for name in (".a.0123.tmp", ".a.0123.tmp.wal", "a", ".hidden", "b.tmp"):
        (tmp_path / name).write_bytes(b"")
    (tmp_path / ".dir.99.tmp").mkdir()
    (tmp_path / ".dir.99.tmp" / "x").write_bytes(b"")
    assert len(remove_leftovers(tmp_path)) == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == [".hidden", "a", "b.tmp"]
