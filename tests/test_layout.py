"""Lines that are broken say what they said, and stand as a formatter would put them."""

from __future__ import annotations

import ast
import sys

import black
import pytest
from auditor.rewrites import CATALOG

from auditor import audit
from auditor.lift.module import read
from auditor.notation import Span
from auditor.verdict import Edit
from auditor.writing import edits
from auditor.writing.layout import laid_out, literal, width_of

WIDE = " + ".join(["coefficient"] * 9)
CHAIN = f"call({WIDE}).first(1).second[2].third({WIDE})"
LINES = (
    f"y = {CHAIN}",
    f"y = call({CHAIN}, {CHAIN}[0])",
    f"y = call(one={CHAIN} if a else {WIDE}, two=b)",
    f"y = call(lambda a: a if b else {WIDE}, 1)",
    f"y = scale * ({WIDE})",
    f"y = ({WIDE})",
    f"y = ({WIDE}).sum(0)",
    f"y, z = ({WIDE}) * 2, {WIDE}",
    f"y = f({WIDE})  # said",
    f"y = f(x for x in {WIDE})",
    f"y = x[{WIDE}]",
    f"y[{WIDE}] += first * ({WIDE}) - second / ({WIDE} * ({WIDE}))",
    f"y = f({WIDE}, g({WIDE}), *{WIDE}, key={WIDE})",
    f'y = "text with + and ( in it" + name + ({WIDE})',
    f"y = a if b else {WIDE}",
    f"return {WIDE}, y",
    f"y = -{WIDE}",
    f"for y in sum({WIDE} for i in range(number) for j in range(number) if {WIDE} > 3): pass",
    f"for y in {WIDE}:\n        if {WIDE}:\n            y = {WIDE}",
)


def written(line: str, before: str = "def f():\n    x = 1\n", newline: str = "\n") -> str:
    """A file in which a fix writes ``line`` in place of its second line."""
    text = before.replace("\n", newline)
    made = (Edit(Span(2, 5, 2, 10), line),)
    return edits.apply_edits(text, laid_out(read(text), made))


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("line", LINES)
def test_a_broken_line_is_the_same_statement(line: str, newline: str) -> None:
    made = written(line, newline=newline)
    assert ast.dump(ast.parse(made)) == ast.dump(ast.parse(f"def f():\n    {line}\n"))
    if ": pass" not in line:
        assert max(map(len, made.splitlines())) <= 88
    assert made.count(newline) == made.count("\n")


def test_a_line_that_fits_is_joined() -> None:
    long = " + ".join(["operand"] * 8)
    text = f"def f():\n    result = (\n        {long}\n    )\n    return result\n"
    made = (Edit(Span(3, 9, 3, 9 + len(long)), "x"),)
    fixed = edits.apply_edits(text, laid_out(read(text), made))
    assert fixed == "def f():\n    result = x\n    return result\n"


def test_a_layout_of_the_users_own_stays() -> None:
    text = "def f():\n    y = g(first,\n          'second'  , z [1:2])\n"
    made = (Edit(Span(2, 11, 2, 16), "x"),)
    fixed = edits.apply_edits(text, laid_out(read(text), made))
    assert fixed == text.replace("first", "x")


@pytest.mark.parametrize(
    "text, line, left",
    [
        ("a = 1\n\nb = 2\n\nc = 3\n", 3, "a = 1\n\nc = 3\n"),
        ("a = 1\n\n\nb = 2\n\nc = 3\n", 4, "a = 1\n\n\nc = 3\n"),
        ("a = 1\nb = 2\n\nc = 3\n", 2, "a = 1\n\nc = 3\n"),
        ("def f():\n    b = 2\n\n    c = 3\n", 2, "def f():\n    c = 3\n"),
    ],
)
def test_what_goes_leaves_no_more_blank_lines(text: str, line: int, left: str) -> None:
    made = laid_out(read(text), (Edit(Span(line, 1, line + 1, 1), ""),))
    assert edits.apply_edits(text, made) == left


EXAMPLES = [
    pytest.param(example, id=f"{rewrite.code}-{number}")
    for rewrite in CATALOG
    for number, example in enumerate(rewrite.examples)
]


@pytest.mark.parametrize("example", EXAMPLES)
def test_a_formatted_file_stays_formatted(example) -> None:
    width = width_of(example.before.splitlines())
    mode = black.Mode(target_versions={black.TargetVersion.PY310}, line_length=width)
    assert black.format_str(example.before, mode=mode) == example.before
    assert black.format_str(example.after, mode=mode) == example.after


def test_comments_and_texts_do_not_say_how_long_lines_are() -> None:
    long = "x" * 100
    assert width_of([f"# {long}", f'y = "{long}"', '"""', long, '"""', "z = 1"]) == 88
    assert width_of([long]) == 100


def test_numbers_are_as_formatters_write_them() -> None:
    assert [literal(n) for n in (1e20, -1e-7, 0.5, 3, True)] == [
        "1e20", "-1e-07", "0.5", "3", "True"
    ]  # fmt: skip


TUPLES = """\
import torch
import torch.nn.functional as F


class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(64, 64))
        self.down = torch.nn.Parameter(torch.randn(2, 64))
        self.up = torch.nn.Parameter(torch.randn(64, 2))
        self.bias = torch.nn.Parameter(torch.randn(64))

    def forward(self, x):
        x = x.view(4, 64)
        {start}x.sum(0), F.linear(x, self.weight + self.up @ self.down, self.bias), 3{end}
"""


@pytest.mark.parametrize("last", [True, False])
@pytest.mark.parametrize(
    "start, end", [("return ", ""), ("result = ", ""), ("yield ", ""), ("return (", ")")]
)
def test_a_broken_line_of_a_tuple_is_one_statement(start: str, end: str, last: bool) -> None:
    text = TUPLES.format(start=start, end=end)
    text = text.replace(", 3", "") if last else text
    report = audit.audit_text(text, "a.py", audit.Options())
    (finding,) = (one for one in report.findings if one.code == "SEP202")
    fixed = edits.apply_edits(text, finding.fix.edits)
    assert len(fixed.splitlines()) > len(text.splitlines())  # it was too long
    *_, method = ast.parse(fixed).body[-1].body
    assert len(method.body) == 2


@pytest.mark.parametrize("step", ["\t", "  ", "   ", "    "])
def test_a_block_is_indented_as_the_file_does(step: str) -> None:
    lines = (
        "import numpy as np",
        "def total(xs: np.ndarray):",
        f"{step}s = 0.0",
        f"{step}for x in xs:",
        f"{step}{step}s = s + x",
        f"{step}return s",
    )
    text = "\n".join(lines) + "\n"
    report = audit.audit_text(text, "a.py", audit.Options())
    fixed = edits.apply_edits(text, report.findings[0].fix.edits)
    assert f"{step}if len(xs):\n{step}{step}s += xs.sum(0)\n{step}return s\n" in fixed


def test_a_line_that_nests_too_deeply_stays_as_it_is() -> None:
    line = f"y = a{'.b(1)' * 900}"
    deepest = sys.getrecursionlimit()  # other tests may have raised it
    sys.setrecursionlimit(1000)
    try:
        assert written(line) == f"def f():\n    {line}\n"
    finally:
        sys.setrecursionlimit(deepest)
