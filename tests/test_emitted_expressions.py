"""What a rewrite writes binds as what it read: random expressions, before and after."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor import audit
from auditor.writing.edits import apply_fixes

_RECURRENCE = """\
import torch


def f(a: torch.Tensor, b: torch.Tensor, x: torch.Tensor, w: torch.Tensor, k: float):
    assert a.ndim == 2 and b.ndim == 2 and x.ndim == 2 and w.ndim == 2
    h = torch.zeros(4, dtype=torch.float64)
    out = []
    for t in range(a.shape[0]):
        h = 0.5 * h + {expression}
        out.append(h)
    return torch.stack(out)
"""
_SUM = """\
import torch


def f(a: torch.Tensor, b: torch.Tensor, x: torch.Tensor, w: torch.Tensor, k: float):
    assert a.ndim == 2 and b.ndim == 2 and x.ndim == 2 and w.ndim == 2
    total = torch.zeros(4, dtype=torch.float64)
    for t in range(a.shape[0]):
        total = total + {expression}
    return total
"""
_NEST = """\
import numpy as np


def f(a: np.ndarray, b: np.ndarray, x: np.ndarray, w: np.ndarray, k: float):
    assert a.ndim == 2 and b.ndim == 2 and x.ndim == 2 and w.ndim == 2
    c = np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        for j in range(b.shape[0]):
            c[i] += {expression}
    return c
"""
_SOFTMAX = """\
import torch


def f(a: torch.Tensor, b: torch.Tensor, x: torch.Tensor, w: torch.Tensor, k: float):
    s = {expression}
    p = torch.exp(s - s.max(-1, keepdim=True).values)
    return p / p.sum(-1, keepdim=True)
"""
_STENCIL = """\
import numpy as np


def f(a: np.ndarray, b: np.ndarray, x: np.ndarray, w: np.ndarray, k: float):
    u = a[:, 0]
    y = np.zeros(len(u))
    for i in range(1, len(u) - 1):
        y[i] = {expression}
    return y
"""
_PRODUCT = """\
import numpy as np


def f(a: np.ndarray, b: np.ndarray, x: np.ndarray, w: np.ndarray, k: float):
    n, m = a.shape[0], w.shape[1]
    c = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            for t in range(w.shape[0]):
                c[i, j] += {expression}
    return c
"""
_WHOLE = ["a", "b", "k", "(x @ w)", "3.0"]
_BESIDE = ["u[i]", "u[i - 1]", "u[i + 1]", "k", "2.0"]
_FACTORS = ["a[i, t]", "w[t, j]", "k", "2.0", "(a[i, t] * w[t, j])"]
_ROWS = ["a[t]", "b[t]", "k", "(x[t] @ w)", "3.0", "torch.sigmoid(a[t])"]
_CELLS = ["a[i, 0]", "b[j, 1]", "k", "(a[i] @ b[j])", "3.0", "np.exp(-a[i, 2])", "x[j, 3]"]
PROGRAMS = {
    "recurrence": (_RECURRENCE, _ROWS, "a[t]"),
    "sum": (_SUM, _ROWS, "(a[t] * b[t])"),
    "nest": (_NEST, _CELLS, "np.exp(-((a[i, 0] - b[j, 1]) ** 2))"),
    "softmax": (_SOFTMAX, _WHOLE, "(a * k)"),
    "stencil": (_STENCIL, _BESIDE, "(u[i - 1] + u[i + 1])"),
    "product": (_PRODUCT, _FACTORS, "(a[i, t] * w[t, j])"),
}
"""Each with what expressions are made of, and one that is rewritten for sure."""


def expressions(atoms: list[str]) -> st.SearchStrategy[str]:
    """Operations on atoms, each in brackets of its own: nothing depends on what binds tighter."""

    def joined(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        binary = st.tuples(parts, st.sampled_from("+ - * / // %".split()), parts)
        return st.one_of(
            binary.map(lambda each: f"({each[0]} {each[1]} {each[2]})"),
            parts.map(lambda part: f"(-{part})"),
            parts.map(lambda part: f"({part} ** 2)"),
        )

    return st.recursive(st.sampled_from(atoms), joined, max_leaves=5)


def run(text: str) -> torch.Tensor:
    scope: dict[str, Any] = {}
    exec(compile(text, "program.py", "exec"), scope)
    make = np.random.default_rng(0)
    arrays = [make.random(size) + 1.25 for size in ((5, 4), (5, 4), (5, 4), (4, 4))]
    if "import torch" in text:
        arrays = [torch.from_numpy(each) for each in arrays]
    with np.errstate(all="ignore"):
        return torch.as_tensor(scope["f"](*arrays, 1.75))


def after_fixes(text: str) -> str:
    report = audit.audit_text(text, "program.py", audit.Options(kernels_allowed=True))
    safe = [one for one in report.findings if one.fix and one.fix.applicability == "safe"]
    return apply_fixes(text, safe).text


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_plain_expression_is_rewritten(program: str) -> None:
    loop, _, plain = PROGRAMS[program]
    text = loop.format(expression=plain)
    assert after_fixes(text) != text


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("program", PROGRAMS)
def test_expressions_mean_what_they_meant(program: str) -> None:
    loop, atoms, _ = PROGRAMS[program]

    @settings(max_examples=60, deadline=None, derandomize=True)
    @given(expressions(atoms))
    def check(expression: str) -> None:
        text = loop.format(expression=expression)
        after = after_fixes(text)
        if after == text:
            return
        try:
            want = run(text)
        except AttributeError:  # a method of a number
            with pytest.raises(AttributeError):
                run(after)
        else:
            torch.testing.assert_close(run(after), want, rtol=1e-9, atol=1e-9, equal_nan=True)

    check()
