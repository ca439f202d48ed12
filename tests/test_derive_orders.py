"""The best by several keys in turn, inner loops with more around them, containers of containers."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_derive import loops
from test_derive_generated import judged

from auditor.derive.found import Derived, Nothing, derive_at

HERE = Path(__file__).parent / "derive"
ORDERS, NO_ORDERS, MARKED, PAIRS = (
    (HERE / f"{name}.py").read_text(encoding="utf-8")
    for name in ("orders", "no_orders", "marked", "pairs")
)
ALL = (ORDERS, MARKED, PAIRS)


@pytest.mark.parametrize(
    "text, name, line",
    [(text, name, line) for text in ALL for name, line, _ in loops(text)],
    ids=[name for text in ALL for name, *_ in loops(text)],
)
def test_pieces_give_what_the_loop_gives(text: str, name: str, line: int, tmp_path: Path) -> None:
    assert isinstance(derive_at(text, line), Derived)
    judged(text, name, line, tmp_path, (1,))


@pytest.mark.parametrize("name, line", [(name, line) for name, line, _ in loops(NO_ORDERS)])
def test_what_is_no_order_is_refused(name: str, line: int) -> None:
    assert isinstance(derive_at(NO_ORDERS, line), Nothing)


_TIES = """\
def best(rows):
    a, b = 0, 0
    for x, y in rows:
        if {asked}:
            a, b = x, y
    return a, b
"""


@pytest.mark.parametrize(
    "asked, is_order",
    [
        ("x > a or (x == a and y > b)", True),
        ("x > a or (x == a and y >= b)", True),
        ("x > a or x >= a and y < b", True),
        ("not (x < a or (x == a and y <= b))", True),
        ("x >= a and (x > a or y > b)", True),
        ("x >= a or y > b", False),
        ("x > a or (x < a and y > b)", False),
        ("x != a and y > b", False),
        ("x > a or (x == a and y != b)", False),
        ("x > b or (x == b and y > a)", False),
        ("x + 1 > a or (x + 1 == a and y > b)", False),
    ],
)
def test_only_an_order_by_keys_is_one(asked: str, is_order: bool) -> None:
    assert isinstance(derive_at(_TIES.format(asked=asked), 3), Derived) == is_order


_AROUND = """\
def total(rows):
    n = 0
    for row in rows:
        {head}
        for x in row:
            {body}
        {tail}
    return n
"""


@pytest.mark.parametrize(
    "head, body, tail",
    [
        ("s = 0", "s += x", "n += x"),  # the last one of the row, or of the row before
        ("s = len(row)", "row = row[1:]", "n += s"),
        ("if not row: continue", "n += x", "n *= 2"),
        ("s = 0", "if x > n: break", "n += s"),
        ("k = n", "n += k * x", "n -= k * n"),
    ],
)
def test_what_goes_on_around_an_inner_loop_is_not_missed(head: str, body: str, tail: str) -> None:
    assert isinstance(derive_at(_AROUND.format(head=head, body=body, tail=tail), 3), Nothing)


_HELD = """\
from collections import Counter, defaultdict


def total(rows):
    d = {made}
    for a, b, v in rows:
        {step}
    return d
"""


@pytest.mark.parametrize(
    "made, step",
    [
        # what is looked at is there afterwards, though nothing may be in it
        ("defaultdict(Counter)", "if b in d[a]: d[a][b] += v"),
        ("defaultdict(Counter)", "if v > d[a][b]: d[a][b] = v"),
        ("defaultdict(dict)", "if v > 0 and d[a].get(b, 0) < v: d[a][b] = v"),
        ("defaultdict(Counter)", "d[a][b] += len(d[a])"),
        ("defaultdict(Counter)", "d[a][b] += v; d[b][a] += v"),
        ("defaultdict(Counter)", "d[a][b] += v; d = defaultdict(Counter)"),
        ("{{}}", "d[a][b] = v; e = d"),
        ("{{a: Counter()}}", "d[a][b] += v"),
    ],
)
def test_what_is_held_is_not_missed(made: str, step: str) -> None:
    text = _HELD.format(made=made.replace("{{", "{").replace("}}", "}"), step=step)
    assert isinstance(derive_at(text, 6), Nothing)
