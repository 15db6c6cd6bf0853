"""Decoding: declared encodings, byte-order marks, and where a bad byte stands."""

from __future__ import annotations

import pytest

from resources.text_documents import DocumentError, decode, looks_like_web_page


def test_a_utf8_mark_is_tolerated() -> None:
    assert decode(b"\xef\xbb\xbfmodel", "a.csv") == "model"


def test_gbk_only_where_declared() -> None:
    data = "模型,分数".encode("gbk")
    assert decode(data, "a.csv", "gbk") == "模型,分数"
    with pytest.raises(DocumentError, match=r"a.csv:1: byte 0x.. at offset . is not utf-8"):
        decode(data, "a.csv")


def test_a_bad_byte_is_named_with_line_and_offset() -> None:
    with pytest.raises(DocumentError, match=r"a.csv:3: byte 0xff at offset 4 is not utf-8") as caught:
        decode(b"x\ny\n\xff", "a.csv")
    assert caught.value.line == 3


def test_the_offset_counts_the_mark() -> None:
    with pytest.raises(DocumentError, match="offset 4"):
        decode(b"\xef\xbb\xbfa\xff", "a.csv")


@pytest.mark.parametrize("mark", [b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\x00\x00"])
def test_another_encodings_mark_is_named(mark: bytes) -> None:
    with pytest.raises(DocumentError, match="UTF-"):
        decode(mark + b"m\x00", "a.csv")


@pytest.mark.parametrize(
    "data", [b"<!DOCTYPE html><p>", b"\n <html lang=en>", b"\xef\xbb\xbf<!doctype HTML>", b"<!-- x --><html>"]
)
def test_a_web_page_is_recognised(data: bytes) -> None:
    assert looks_like_web_page(data)


@pytest.mark.parametrize("data", [b"{}", b"model,score", b"<b>model</b>,score", b"- model: <html>"])
def test_data_is_no_web_page(data: bytes) -> None:
    assert not looks_like_web_page(data)
