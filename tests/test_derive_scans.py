"""Loops that keep running values: a part goes on from the state of the parts before it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from test_derive import HERE, module

from auditor.derive.found import Derived, Nothing, derive_at
from auditor.derive.functions import Functions
from auditor.derive.program import program

SCANS = (HERE / "scans.py").read_text(encoding="utf-8")
REFUSED = (HERE / "running_refused.py").read_text(encoding="utf-8")
_WALKS = ("accumulate", "list")


def lines(text: str) -> dict[str, int]:
    """The line of the loop, or of what stands for one, of every function."""
    found = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            marks = [
                n.lineno
                for n in ast.walk(node)
                if isinstance(n, (ast.For, ast.ListComp))
                or (isinstance(n, ast.Call) and ast.unparse(n.func) in _WALKS)
            ]
            found[node.name] = min(marks)
    return found


LINES = lines(SCANS)


def derived(name: str) -> Derived:
    found = derive_at(SCANS, LINES[name])
    assert isinstance(found, Derived), found
    assert found.fold.running is not None
    return found


@pytest.mark.parametrize("name", LINES)
def test_a_module_is_written_and_its_test_can_fail(name: str, tmp_path: Path) -> None:
    text = program(derived(name), "scans.py", "python")
    module(text, tmp_path / f"scan_{name}.py").test_pieces_give_what_the_loop_gives()
    wrong = text.replace("outputs(one, finish(before", "outputs(one, finish(init()")
    assert wrong != text
    with pytest.raises(AssertionError):
        module(wrong, tmp_path / f"wrong_{name}.py").test_pieces_give_what_the_loop_gives()


@pytest.mark.parametrize("name, line", lines(REFUSED).items())
def test_what_has_no_monoid_is_refused_with_its_reason(name: str, line: int) -> None:
    found = derive_at(REFUSED, line)
    assert isinstance(found, Nothing), program(found, "x.py", "python")
    function = next(
        n for n in ast.walk(ast.parse(REFUSED)) if isinstance(n, ast.FunctionDef) and n.name == name
    )
    said = ast.get_docstring(function)
    assert said is not None and said in found.reason


def test_the_loop_goes_on_from_what_is_carried(tmp_path: Path) -> None:
    made = module(program(derived("two_states"), "scans.py", "python"), tmp_path / "means.py")
    assert made.outputs([6], made.finish(made.piece([1, 2]))) == [3.0]
    assert made.scan([[1, 2], [], [6]]) == [1.0, 1.5, 3.0]


def test_a_list_that_holds_a_name_is_no_other_name_of_it() -> None:
    text = """\
def f(xs):
    s = xs[0]
    out = [s]
    for x in xs[1:]:
        s = s + x
        out.append(s)
    return out
"""
    assert isinstance(derive_at(text, 4), Derived)
    held = text.replace("out.append(s)", "out[0].append(s)")
    assert isinstance(derive_at(held, 4), Nothing)


def test_a_start_that_is_kept_too_is_left_to_the_user() -> None:
    """The loop appends what comes after it."""
    found = derived("highest")
    assert "items = []" in "\n".join(Functions(found).functions())
