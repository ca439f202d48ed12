"""Carried vectors and matrices that each step multiplies by a matrix, over several semirings."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_derive import loops, module
from test_derive_generated import judged

from auditor.audit import Options, audit_text
from auditor.derive.found import Derived, Nothing, derive_at
from auditor.derive.program import program

HERE = Path(__file__).parent
MATRICES = (HERE / "derive" / "matrices.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("name, line", [(name, line) for name, line, _ in loops(MATRICES)])
def test_pieces_give_what_the_loop_gives(name: str, line: int, tmp_path: Path) -> None:
    assert isinstance(derive_at(MATRICES, line), Derived)
    judged(MATRICES, name, line, tmp_path, (1,))


_HEAD = "import numpy as np\nimport torch\n\n\n"
_STEPS = """\
def loop(A, B, u, xs, h):
    for x in xs:
        {step}
    return h
"""


@pytest.mark.parametrize(
    "step, said",
    [
        ("h = h * (A @ h)", "a product of it with itself"),
        ("h = A @ h + h @ A", "otherwise"),
        ("h = A @ h @ B + 1.0", "a number is added to every place"),
        ("h = A @ h.T", "it is transposed"),
        ("h = np.max(h[:, None] + x, axis=1)", "otherwise"),
        ("h = (h[:, None] * x).sum(axis=0) + np.max(h[:, None] + x, axis=0)", "no product"),
        ("h = A @ h if x > 0 else h @ A", "not each step multiplies it from the same side"),
        ("h = A @ h / h.sum()", "looks at the carried `h`"),
        ("h = h + np.outer(u, h)", "otherwise"),
        ("h, u = A @ h + u, h * u", "arrays that need each other"),
        ("h, u = A @ h + u, u @ B + h", "arrays that need each other"),
        ("h, u = A @ h + u, (u + h if x > 0 else u)", "arrays that need each other"),
    ],
)
def test_what_is_no_product_with_a_matrix_is_refused(step: str, said: str) -> None:
    found = derive_at(_HEAD + _STEPS.format(step=step), 6)
    assert isinstance(found, Nothing) and said in found.reason, found


def _made(step: str, tmp_path: Path) -> Any:
    found = derive_at(_HEAD + _STEPS.format(step=step), 6)
    assert isinstance(found, Derived), found
    return module(program(found, "loop.py", "python"), tmp_path / "derived_matrices.py")


_A, _V = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([1.0, -1.0])


@pytest.mark.parametrize(
    "step, xs, h",
    [
        # a vector is added to each row of a matrix, and would be multiplied as a column
        ("h = x @ h + u", [_A, _A], _A),
        # a weight of rows, not of places
        ("h = u * (x @ h)", [_A, _A], _A),
        # a product of vectors is a number
        ("h = x @ h", [_V, _V], _V),
        ("h = h - np.outer(h @ x, u)", [_A, _A], _A),
        # a matrix as the weights of places
        ("h, u = A @ h + u, x * u + h", [_A, _A], _V),
        # a number in every place of a matrix, where a vector is supposed
        ("h = x @ h + 1.0", [_A, _A], _A),
    ],
)
def test_what_has_another_number_of_axes_raises(
    step: str, xs: list[Any], h: Any, tmp_path: Path
) -> None:
    made = _made(step, tmp_path)
    given = {
        name: {"u": _V, "h": h, "A": _A}[name]
        for name in made.loop.__kwdefaults__ or ("u", "h", "A")
    }
    options = {k: v for k, v in given.items() if k in made.loop.__annotations__}
    update = {k: v for k, v in options.items() if k in made.piece.__annotations__}
    with pytest.raises((ValueError, AttributeError)):
        states = [made.piece([x], **update) for x in xs]
        finish = {k: v for k, v in options.items() if k in made.finish.__annotations__}
        whole = made.finish(made.merge(states), **finish)
        assert not made.alike(whole, made.loop(xs, **options))
    sys.modules.pop("derived_matrices")


def test_the_check_says_what_is_derived() -> None:
    line = next(line for name, line, _ in loops(MATRICES) if name == "delta_rule")
    report = audit_text(MATRICES, "matrices.py", Options(everything=True))
    found = [one for one in (*report.findings, *report.computations) if one.span.line == line]
    assert {one.properties["associativity"].verdict for one in found} == {"holds"}
