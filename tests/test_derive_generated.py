"""The tests that ``audit derive --to python`` writes: they pass as they are written, whatever the
seed, and fail where the combine is wrong."""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import seed
from test_derive import FOLDS, loops, module

from auditor.derive.found import Derived, derive_at
from auditor.derive.program import program

HERE = Path(__file__).parent
DRAWN = (HERE / "derive" / "drawn.py").read_text(encoding="utf-8")
LITERATURE = sorted((HERE / "corpora" / "literature").glob("*.py"))
TEST = "test_pieces_give_what_the_loop_gives"
# what no element changes, or what is not looked at where a carried value is not a number
LEFT_IS_RIGHT = frozenset("weights angle always_zero".split())
_ONE_IN = 12


def literature() -> Iterator[tuple[str, str, int]]:
    """The loops of the literature that look into something, or walk texts."""
    for file in LITERATURE:
        text = file.read_text(encoding="utf-8")
        yield from ((text, name, line) for name, line in _first_loops(text))


def _first_loops(text: str) -> Iterator[tuple[str, int]]:
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            lines = [n.lineno for n in ast.walk(node) if isinstance(n, (ast.For, ast.While))]
            if lines:
                yield node.name, min(lines)


def outcome(made: Any, number: int) -> str:
    """How the test of a generated module ends."""
    run = seed(number)(getattr(made, TEST))
    try:
        run()
    except Exception as error:
        return type(error).__name__
    return "passes"


_BRIEFLY = {
    "max_examples=200, deadline=None": "max_examples=60, deadline=None, phases=(Phase.generate,)",
    "from hypothesis import": "from hypothesis import Phase,",
}
"""As many examples as tell whether the parts fit, none of which is made smaller."""


def judged(text: str, name: str, line: int, path: Path, seeds: tuple[int, ...]) -> None:
    found = derive_at(text, line)
    if not isinstance(found, Derived):
        pytest.skip("no monoid")
    written = program(found, "loops.py", "python")
    for as_a_user, here in _BRIEFLY.items():
        assert as_a_user in written
        written = written.replace(as_a_user, here)
    made = module(written, path / f"generated_{name}.py")
    try:
        assert [outcome(made, number) for number in seeds] == ["passes"] * len(seeds)
        made.combine = lambda left, right: left
        wrong = outcome(made, 1)
        assert (wrong == "passes") == (name in LEFT_IS_RIGHT), wrong
        assert wrong not in ("FailedHealthCheck", "Unsatisfiable")
    finally:
        sys.modules.pop(f"generated_{name}")


@pytest.mark.parametrize("name, line", [(name, line) for name, line, _ in loops(DRAWN)])
def test_what_is_drawn_is_what_the_loop_takes(name: str, line: int, tmp_path: Path) -> None:
    assert isinstance(derive_at(DRAWN, line), Derived)
    judged(DRAWN, name, line, tmp_path, (1, 2, 3))


_SOME = [
    (text, name, line)
    for number, (text, name, line) in enumerate(literature())
    if number % _ONE_IN == 0
]


@pytest.mark.parametrize("text, name, line", _SOME, ids=[name for _, name, _ in _SOME])
def test_of_the_literature(text: str, name: str, line: int, tmp_path: Path) -> None:
    judged(text, name, line, tmp_path, (1,))


_ALL = [*literature(), *((FOLDS, name, line) for name, line, _ in loops(FOLDS))]


@pytest.mark.slow
@pytest.mark.skipif("AUDIT_SLOW" not in os.environ, reason="takes minutes; set AUDIT_SLOW to run")
@pytest.mark.parametrize("text, name, line", _ALL, ids=[name for _, name, _ in _ALL])
def test_of_all(text: str, name: str, line: int, tmp_path: Path) -> None:
    judged(text, name, line, tmp_path, (1, 2, 3))
