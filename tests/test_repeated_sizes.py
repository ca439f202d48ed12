"""Sizes that a fix repeats get a name, where one can be given."""

from __future__ import annotations

import textwrap

import pytest

from auditor.lift.module import read
from auditor.notation import Span
from auditor.verdict import Edit
from auditor.writing.edits import apply_edits
from auditor.writing.repeated_sizes import named

BEFORE = """
def f(a, b, c):
    h = 0
    first(a)
    h = h + 1
    second(b)
    return {last}
"""
LEAST = "min(a.shape[0], len(b))"


def fixed(first: str, second: str, last: str = "h", before: str = BEFORE, **more: str) -> str:
    """The function with its calls replaced in one fix."""
    text = before.format(last="x")
    module = read(text)
    edits = []
    for old, new in (("first(a)", first), ("second(b)", second), ("x", last)):
        for number, line in enumerate(text.split("\n"), 1):
            at = line.find(old)
            if at >= 0 and line.strip() in (old, f"return {old}"):
                edits.append(Edit(Span(number, at + 1, number, at + 1 + len(old)), new))
    return apply_edits(text, named(module, more.get("scope", "f"), tuple(edits)))


def test_a_size_in_one_statement_gets_a_name() -> None:
    found = fixed("pass", "pass", f"scan(a[:{LEAST}], b[: {LEAST}], c)")
    assert "return scan(a[:steps], b[: steps], c)" in found
    assert f"    steps = {LEAST}\n    return" in found


def test_a_size_in_statements_side_by_side_gets_one_name() -> None:
    text = textwrap.dedent("""
        def f(a, b):
            out = old()  # α
            return out
        """)
    new = f"x = a[: {LEAST}]\n    out = x + b[: {LEAST}]"
    edit = Edit(Span(3, 5, 3, 16), new)
    found = apply_edits(text, named(read(text), "f", (edit,)))
    assert found.count(LEAST) == 1
    assert "    steps = min(a.shape[0], len(b))\n    x = a[: steps]\n" in found
    assert "    out = x + b[: steps]  # α\n" in found


def test_the_name_is_one_that_the_file_does_not_have() -> None:
    before = BEFORE.replace("c):", "steps):")
    found = fixed("pass", "pass", f"scan(a[:{LEAST}], b[:{LEAST}])", before)
    assert f"length = {LEAST}" in found
    before = before + "steps = length = count = size = 0\n"
    found = fixed("pass", "pass", f"scan(a[:{LEAST}], b[:{LEAST}])", before)
    assert found.count(LEAST) == 2


@pytest.mark.parametrize(
    ("first", "second", "last"),
    [
        # once
        ("pass", "pass", f"scan(a[:{LEAST}], b)"),
        # a statement between them that the fix does not touch: another fix may use the same name
        (f"x = a[:{LEAST}]", f"y = b[:{LEAST}]", "h"),
        # values that need not be sizes
        ("pass", "pass", "g(min(a.sum(), b), min(a.sum(), b))"),
        ("pass", "pass", "g(min(a, key=len), min(a, key=len))"),
        # evaluated for some, later, or not at all
        ("pass", "pass", f"a[:{LEAST}] if c else b[:{LEAST}]"),
        ("pass", "pass", f"[a[:{LEAST}] + b[:{LEAST}] for a in c]"),
        ("pass", "pass", f"c and g(a[:{LEAST}], b[:{LEAST}])"),
    ],
)
def test_no_name(first: str, second: str, last: str) -> None:
    assert "steps" not in fixed(first, second, last)


def test_no_name_where_names_are_seen() -> None:
    last = f"scan(a[:{LEAST}], b[:{LEAST}])"
    assert "steps" not in fixed("pass", "pass", last, BEFORE.replace("h = 0", "h = locals()"))
    assert "steps" not in fixed("pass", "pass", last, scope="<module>")


def test_no_name_where_what_is_read_is_bound_between() -> None:
    text = "def f(a, b):\n    return old()\n"
    new = f"    x = a[: {LEAST}]\n    b = g(b)\n    return x + b[: {LEAST}]\n"
    edit = Edit(Span(2, 1, 3, 1), new)
    assert "steps" not in apply_edits(text, named(read(text), "f", (edit,)))
