"""Lines that are broken say what they said."""

from __future__ import annotations

import ast

import pytest

from auditor.layout import fit_line

WIDE = " + ".join(["coefficient"] * 9)
LINES = (
    f"y = scale * ({WIDE})",
    f"y = ({WIDE})",
    f"y = ({WIDE}).sum(0)",
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


def test_operands_stand_below_each_other() -> None:
    broken = fit_line("y = " + " + ".join(["coefficient"] * 9), "", 88)
    assert broken.splitlines()[:3] == ["y = (", "    coefficient", "    + coefficient"]


def test_clauses_stand_below_each_other() -> None:
    line = f"y = sum({WIDE} for i in range(number) if i)"
    rows = fit_line(line, "", 40).split("\n")
    assert rows[-3:] == ["    for i in range(number)", "    if i", ")"]
