"""Lines that are broken say what they said."""

from __future__ import annotations

import ast

import pytest

from auditor import audit
from auditor.writing import edits
from auditor.writing.layout import fit_line, in_brackets, literal, powers, width_of

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
    f"y = ({WIDE}) / 9",
    f"y = f(({WIDE}) ** 2 / 10 ** ({WIDE}))",
    f"y = f(({WIDE} == 2) | ({WIDE} <= 3) & (first == 1))",
    f"y = {WIDE} == {WIDE}",
    f"y = f({WIDE})",
    f"y = f(x for x in {WIDE})",
    f"y = x[{WIDE}]",
    f"y = first * ({WIDE}) - second / ({WIDE} * ({WIDE}))",
    f"y = f({WIDE}, g({WIDE}), key={WIDE})",
    f'y = "text with + and ( in it" + name + ({WIDE})',
    f"y = a if b else {WIDE}",
    f"y = [{WIDE}]",
    f"y = -{WIDE}",
    f"y = sum({WIDE} for i in range(number) for j in range(number) if {WIDE} > 3)",
    f"y = max((first if second else {WIDE} for first, second in pairs if first), default=0)",
)


@pytest.mark.parametrize("line", LINES)
def test_a_broken_line_is_the_same_statement(line: str) -> None:
    broken = fit_line(line, "    ", 88)
    assert ast.dump(ast.parse(broken)) == ast.dump(ast.parse(line))


@pytest.mark.parametrize("line", [f"    {line}" for line in LINES])
def test_a_line_of_a_block_is_indented_as_one(line: str) -> None:
    broken = fit_line(line, "    ", 88)
    assert ast.dump(ast.parse(f"if 1:\n{broken}")) == ast.dump(ast.parse(f"if 1:\n{line}"))


def test_what_stands_in_brackets_is_broken_there() -> None:
    broken = fit_line(f"y = ({WIDE}) / 9", "", 88)
    assert broken.splitlines() == [
        "y = (", "    coefficient", *["    + coefficient"] * 8, ") / 9"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("(x ** 2).sum() + b.c ** -1.5", "(x**2).sum() + b.c**-1.5"),
        ("x[t]**2 + f(x)**2 + x**f(2) + x**y[0]", "x[t] ** 2 + f(x) ** 2 + x ** f(2) + x ** y[0]"),
        ("f(*a, **b) + g(**c)", None),
        ("a['x ** 2'] + x ** 2", None),
    ],
)
def test_powers_are_written_as_formatters_do(text: str, same: str | None) -> None:
    assert powers(text) == (same or text)


def test_links_of_a_chain_stand_below_each_other() -> None:
    call = f"attend({', '.join(['first_argument'] * 4)})"
    broken = fit_line(f"y = {call}.transpose(1, 2).contiguous()", "", 88)
    assert broken.splitlines() == [
        "y = (", f"    {call}", "    .transpose(1, 2)", "    .contiguous()", ")"
    ]  # fmt: skip
    taken = fit_line(f"y = {call}[0]", "", 72)
    assert taken.splitlines()[-1] == ")[0]"


def test_a_choice_among_arguments_stands_below_each_other() -> None:
    given = f"one=first_argument if {' '.join(['not'] * 12)} second_argument else third_argument"
    broken = fit_line(f"y = call({given}, two)", "", 88).splitlines()
    assert [line.split()[0] for line in broken] == [
        "y",
        "one=first_argument",
        "if",
        "else",
        "two,",
        ")",
    ]


def test_comments_and_texts_do_not_say_how_long_lines_are() -> None:
    long = "x" * 100
    assert width_of([f"# {long}", f'y = "{long}"', '"""', long, '"""', "z = 1"]) == 88
    assert width_of([long]) == 100


def test_numbers_are_as_formatters_write_them() -> None:
    assert [literal(n) for n in (1e20, -1e-7, 0.5, 3, True)] == [
        "1e20", "-1e-07", "0.5", "3", "True"
    ]  # fmt: skip


def test_operands_stand_below_each_other() -> None:
    broken = fit_line("y = " + " + ".join(["coefficient"] * 9), "", 88)
    assert broken.splitlines()[:3] == ["y = (", "    coefficient", "    + coefficient"]


def test_clauses_stand_below_each_other() -> None:
    line = f"y = sum({WIDE} for i in range(number) if i)"
    rows = fit_line(line, "", 40).split("\n")
    assert rows[-3:] == ["    for i in range(number)", "    if i", ")"]


@pytest.mark.parametrize(
    "before, within",
    [
        ("return x, ", False),
        ("return (x, ", True),
        ("return f(x)[0], ", False),
        ('return "(", ', False),
        ("return (x, )[0], [\n    # a comment (\n    y, ", True),
    ],
)
def test_whether_code_stands_in_brackets(before: str, within: bool) -> None:
    assert in_brackets(before) is within


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
