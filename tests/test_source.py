"""Source texts, the places in them, and the comments that silence findings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.notation import Span
from auditor.selection import Rule, UnknownRule, check_selectors, enabled, find_rule
from auditor.source import Places, Undecodable, decode, split_lines
from auditor.suppression import directives, idle_warnings

RULES = (Rule("ASC101", "linear-recurrence"), Rule("ASC107", "online-softmax"), Rule("SEP206", "x"))


@pytest.mark.parametrize(
    "data, encoding, text",
    [
        (b"x = 1\n", "utf-8", "x = 1\n"),
        (b"\xef\xbb\xbfx = 1\n", "utf-8-sig", "x = 1\n"),
        (b"# -*- coding: latin-1 -*-\nx = '\xe9'\n", "iso-8859-1", None),
        (b"#!/bin/python\r# coding: cp1252\rx = '\x80'\r", "cp1252", None),
        (b"a\r\nb\rc\x0cd\n", "utf-8", "a\r\nb\rc\x0cd\n"),
        (b"", "utf-8", ""),
    ],
)
def test_bytes_become_text_and_bytes_again(data: bytes, encoding: str, text: str | None) -> None:
    source = decode(data, "x.py")
    assert source.encoding == encoding
    assert text is None or source.text == text
    assert source.reproducible
    assert source.encode(source.text) == data


@pytest.mark.parametrize(
    "data, line", [(b"x = 1\ny = '\xff'\n", 2), (b"# coding: nonsense\n", 1), (b"\r\r\xff", 3)]
)
def test_bytes_that_are_not_text_name_their_line(data: bytes, line: int) -> None:
    with pytest.raises(Undecodable) as caught:
        decode(data, "x.py")
    assert caught.value.line == line


def test_only_python_line_endings_end_lines() -> None:
    assert split_lines("a\x0c\u2028b\r\nc\rd\n\ne") == ["a\x0c\u2028b\r\n", "c\r", "d\n", "\n", "e"]


TEXTS = st.text(alphabet="ab \t\r\n\x0cé\u2028𝔸", max_size=40)


@given(TEXTS, st.data())
def test_offsets_and_places_are_inverse(text: str, data: st.DataObject) -> None:
    places = Places(text)
    offset = data.draw(st.integers(0, len(text)))
    line, column = places.place(offset)
    back = places.offset(line, column)
    # Between a carriage return and its line feed there is no place of its own.
    assert back == offset or text[offset - 1 : offset + 1] == "\r\n"


@given(TEXTS, st.integers(-1, 9), st.integers(-1, 9))
def test_places_that_do_not_exist_are_none(text: str, line: int, column: int) -> None:
    offset = Places(text).offset(line, column)
    assert offset is None or 0 <= offset <= len(text)


def test_a_span_that_ends_before_it_begins_is_none() -> None:
    places = Places("abc\ndef\n")
    assert places.range(Span(1, 2, 2, 1)) == (1, 4)
    assert places.range(Span(2, 1, 1, 1)) is None
    assert places.range(Span(1, 9, 2, 1)) is None


@pytest.mark.parametrize(
    "text, expected",
    [
        ("x = 1  # audit: ignore[ASC101] kept in order\n", (1, 1, ("ASC101",))),
        ("# audit: ignore[linear-recurrence, SEP]\n\n# more\nx = f(\n  1,\n)\n", (4, 6, None)),
        ("x = f(\n  1,  # audit: ignore\n)\n", (1, 3, ("ALL",))),
        ("x = 1  # noqa: E501  # audit:ignore [ASC101]\n", (1, 1, ("ASC101",))),
        ("y = 2\n# audit: file-ignore[ASC]\n", (1, 10**9, ("ASC",))),
        ("x = 1  # audit: ignore[ASC101\n", (1, 1, ())),
        ("x = 1\r# audit: ignore\ry = 1\r", (3, 3, ("ALL",))),
    ],
)
def test_directives(text: str, expected: tuple[int, int, tuple[str, ...] | None]) -> None:
    (found,) = directives(text)
    assert (found.first, found.last) == expected[:2]
    assert expected[2] is None or found.selectors == expected[2]


@pytest.mark.parametrize(
    "text",
    [
        's = "# audit: ignore[ASC101]"\n',
        "'''\n# audit: ignore\n'''\n",
        "x = 1  # audit: ignored\n",
        "x = 1  # audit: ignore-next\n",
    ],
)
def test_what_is_not_a_directive(text: str) -> None:
    assert directives(text) == ()


def test_directives_before_a_place_that_cannot_be_read_count() -> None:
    assert len(directives("x = 1  # audit: ignore\n'''open\n")) == 1


@pytest.mark.parametrize(
    "comment, select, warned",
    [
        ("# audit: ignore[ASC101]", ("ALL",), "silences nothing"),
        ("# audit: ignore[ASC101]", ("SEP",), None),
        ("# audit: ignore[ASC999]", ("ALL",), "names no rule"),
        ("# audit: ignore[]", ("ALL",), "names no rule"),
    ],
)
def test_an_ignore_that_silences_nothing_is_reported(
    comment: str, select: tuple[str, ...], warned: str | None
) -> None:
    cautions = idle_warnings("x.py", directives(f"x = 1  {comment}\n"), RULES, select, ())
    assert [warned in caution.message for caution in cautions if warned] == [True] * len(cautions)
    assert bool(cautions) == bool(warned)


@pytest.mark.parametrize(
    "select, ignore, on",
    [
        (("ALL",), (), {"ASC101", "ASC107", "SEP206"}),
        (("ASC",), (), {"ASC101", "ASC107"}),
        (("asc1",), ("online-softmax",), {"ASC101"}),
        (("ASC101",), ("ASC",), {"ASC101"}),
        (("ALL",), ("ASC101", "SEP2"), {"ASC107"}),
        (("linear-recurrence",), ("ALL",), {"ASC101"}),
        (("A",), (), set()),
        (("ASC101",), ("ASC101",), set()),
    ],
)
def test_the_more_exact_selector_decides(
    select: tuple[str, ...], ignore: tuple[str, ...], on: set[str]
) -> None:
    assert {rule.code for rule in RULES if enabled(rule, select, ignore)} == on


def test_unknown_rules_are_named_with_a_suggestion() -> None:
    check_selectors(("ALL", "ASC", "linear-recurrence"), RULES)
    with pytest.raises(UnknownRule, match="did you mean linear-recurrence"):
        check_selectors(("linear-recurence",), RULES)
    with pytest.raises(UnknownRule, match="did you mean ASC101"):
        find_rule("ASC1O1", RULES)
    with pytest.raises(UnknownRule, match="audit catalog"):
        find_rule("zzzzzz", RULES)
    assert find_rule("asc107", RULES) is find_rule("online-softmax", RULES)
