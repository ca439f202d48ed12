"""What a fix assumes: what is put into a sentence is read out of it, and every question that is
asked of sentences is one that sentences of the source answer."""

from __future__ import annotations

import ast
import itertools
import re
from functools import cache
from pathlib import Path

import pytest

from auditor import assumed

ROOT = Path(__file__).parents[1]
FILLINGS = ("x", "2", "`x`", "axes", "`x[:, None]`", "x[i, ...]", "its docstring")
SENTENCES = [
    "`x` and `y` have 2 axes",
    "`m` has 1 axis",
    "`m` holds no truth values",
    "`out` and `row` do not overlap",
    "`a` and `b` are of one type",
    "`i` holds integers, as a subscript",
]
QUESTIONS = {
    name: value
    for name, value in vars(assumed).items()
    if isinstance(value, re.Pattern) and name != "_NAMED"
} | {f"of {claim.pattern}": claim for claim, _ in (*assumed._KINDS, *assumed._MEASURES)}


@cache
def written() -> tuple[str, ...]:
    """The texts in the source of the analysis, with names for what is filled in, and what becomes
    of several of one kind."""
    found = [assumed.assuming([f"`{x}` has {most} what it meets" for x in "abc"]) or ""
             for most in ("as many axes as", "no more axes than")]  # fmt: skip
    found.append(assumed.assuming(
        [f"`{x}` has the axes of what it meets" for x in "ab"]
        + ["`c` has no more axes than what it meets"]
    ) or "")  # fmt: skip
    for folder in ("auditor", "rewrites"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            if path.name != "assumed.py" or path.parent.name != "auditor":
                tree = ast.parse(path.read_text(encoding="utf-8"))
                found += [text for node in ast.walk(tree) for text in texts(node)]
    return tuple(found)


def texts(node: ast.AST) -> list[str]:
    """A text as it is, or with each way of filling in what it leaves open."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if not isinstance(node, ast.JoinedStr):
        return []
    fixed = [part.value if isinstance(part, ast.Constant) else None for part in node.values]
    parts = [FILLINGS if part is None else (str(part),) for part in fixed]
    return ["".join(filled) for filled in itertools.product(*parts)] if len(parts) < 8 else []


@pytest.mark.parametrize("question", QUESTIONS)
def test_what_is_asked_of_sentences_is_said_in_some(question: str) -> None:
    assert any(QUESTIONS[question].search(text) for text in written())


def test_sentences_are_read_out_of_a_reason() -> None:
    reason = assumed.assuming(SENTENCES)
    assert reason is not None
    assert assumed.sentences_of(reason) == SENTENCES
    assert assumed.ranks_in(reason) == {"x": 2, "y": 2, "m": 1}
    assert assumed.apart_in(reason) == [("out", "row")]
    assert assumed.alike_in(reason) == {"a", "b"}
    assert dict(assumed.kinds_excluded(reason)) == {
        "m": {assumed.TRUTH},
        "i": {assumed.TRUTH, assumed.FRACTION},
    }


def test_sizes_are_read_out_as_code() -> None:
    reason = assumed.assuming(
        [
            "`x` has 1 axis",
            "`x` has at least k entries that are not infinite",
            "`taps` has 3 elements or more",
            "`stride` is positive",
            "`k` is not negative",
            "`w` has no more than 2 axes",
            "`a` and `b` are not empty",
            "`n - 1` is more than 1",
            "`m` has 2 axes or more, as `@` says",
            "`p` is no less than `q`",
            "`steps` is at least 2: of one item `b` is returned",
            "`z` holds integers",
        ]
    )
    assert reason is not None
    assert assumed.conditions_in(reason) == [
        "(x).ndim == 1",
        "len(x) >= (k)",
        "len(taps) >= (3)",
        "(stride) > 0",
        "(k) >= 0",
        "(w).ndim <= 2",
        "len(a) > 0",
        "len(b) > 0",
        "(n - 1) > (1)",
        "(m).ndim >= 2",
        "(p) >= (q)",
        "(steps) >= (2)",
    ]


def test_few_axes_are_read_out_of_each_way_to_say_it() -> None:
    few = [f"`{name}` has no more axes than what it meets" for name in "abc"]
    many = [f"`{name}` has as many axes as what it meets" for name in "de"]
    for sentences in (few[:1], few, [*many, *few[:1]]):
        reason = assumed.assuming([*sentences, "`z` has 1 axis"])
        assert reason is not None
        names = {sentence[1] for sentence in sentences if "no more" in sentence}
        assert assumed.no_more_axes_in(reason) == names


def test_what_is_said_of_several_names_in_one_sentence_holds_of_each() -> None:
    (sentence,) = assumed.together([assumed.has_axes("x", 2), assumed.has_axes("y", 2)])
    assert assumed.ranks_in(sentence) == {"x": 2, "y": 2}


def test_a_reason_gets_more_and_loses_what_is_known() -> None:
    reason = assumed.assuming(["`x` is not 0"])
    assert assumed.assuming_too(None, ["`x` is not 0"]) == reason
    more = assumed.assuming_too(reason, ["`m` has 1 axis"])
    assert more == "assumes that `m` has 1 axis; `x` is not 0"
    assert assumed.not_assuming(more, ["`x` is not 0"]) == "assumes that `m` has 1 axis"
    assert assumed.not_assuming(reason, ["`x` is not 0"]) is None
    assert assumed.not_assuming("it is slower", ["it is slower"]) == "it is slower"


def test_nothing_is_assumed_in_no_sentence() -> None:
    assert assumed.assuming([]) is None
    assert assumed.assuming_too(None, []) is None
    assert assumed.reason_of(None, "") is None


def test_what_is_assumed_to_be_a_number() -> None:
    reason = assumed.assuming(["`gamma` is a number", "`x` is a numberless thing"])
    assert assumed.numbers_in(reason or "") == {"gamma"}
