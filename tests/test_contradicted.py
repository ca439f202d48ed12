"""What the file passes to its own functions, against what their fixes assume of it."""

from __future__ import annotations

import textwrap

import pytest

from auditor.audit import Options, audit_text
from auditor.verdict import Finding

TOTAL = """
    import numpy as np

    def total(xs):
        s = 0
        for x in xs:
            s += x
        return s
"""
TRACE = """
    import numpy as np

    def trace(a, b):
        return np.trace(a @ b)
"""
COUNTS = """
    import numpy as np

    def counts(places, n):
        out = np.zeros(n)
        for i in places:
            out[i] += 1
        return out
"""
ENCODED = """
    import numpy as np

    def encoded(labels, n, w):
        return np.eye(n)[labels] @ w
"""
SMOOTH = """
    import numpy as np
    import pandas as pd

    def smooth(src, dst):
        for i in range(1, len(src) - 1):
            dst[i] = (src[i - 1] + src[i] + src[i + 1]) / 3
"""
LOOKED_UP = """
    import torch

    def looked_up(table, ids):
        out = torch.zeros(len(ids))
        for i in range(len(ids)):
            out[i] = table[ids[i]]
        return out
"""
ADDED = """
    import torch

    def added(ids, v, n: int):
        out = torch.zeros(n)
        for i in range(len(ids)):
            out[ids[i]] += v[i]
        return out
"""
MEANS = """
    import numpy as np

    def means(x):
        out = np.zeros(len(x))
        for i in range(1, len(x) - 1):
            out[i] = x[i - 1 : i + 2].mean()
        return out
"""
POWER = """
    def power(b, e, m):
        r = 1
        for _ in range(e):
            r = r * b % m
        return r
"""
FIRST = """
    def first(xs, k):
        return sorted(xs)[:k]
"""
TWICE = """
    def twice(xs):
        return sum(xs) + sum(xs)
"""
SUMS = """
    import torch

    def sums(x):
        s = torch.zeros(4)
        for i in range(x.shape[0]):
            s = s + x[i]
        return s
"""
NORM = """
    import torch

    def norm(x):
        m = x.mean(-1, keepdim=True)
        v = ((x - m) ** 2).mean(-1, keepdim=True)
        return (x - m) / torch.sqrt(v + 1e-5)
"""
SOLVED = """
    import numpy as np

    class Unit(np.ndarray):
        pass

    def unit(a):
        return np.asarray(a).view(Unit)

    def solved(a, b):
        return np.linalg.inv(a) @ b
"""


def found(text: str, calls: str) -> Finding:
    text = textwrap.dedent(text) + "\n\n" + calls + "\n"
    (finding, *_) = [one for one in audit_text(text, "m.py", Options()).findings if one.fix]
    return finding


@pytest.mark.parametrize(
    "text, fits, call, told",
    [
        (TOTAL, "total(np.ones(3))", "total(np.ones(3, np.uint8))", "narrow integers as `xs`"),
        (TOTAL, "total(np.zeros(3))", "total(np.zeros(3).astype('int16'))", "narrow integers"),
        (TOTAL, "total(np.ones(3))", "x = np.array([True])\ntotal(x)", "truth values as `xs`"),
        (LOOKED_UP, "looked_up(torch.ones(4), torch.zeros(3, dtype=torch.int32))",
         "looked_up(torch.ones(4), torch.zeros(3, dtype=torch.int16))", "8 or 16 bits as `ids`"),
        (LOOKED_UP, "looked_up(torch.ones(4), torch.tensor([1, 2]))",
         "looked_up(torch.ones(4), torch.tensor([1, 2]).byte())", "8 or 16 bits as `ids`"),
        (ADDED, "added(torch.tensor([1, 2]), torch.ones(2), 4)",
         "i = torch.zeros(2).to(torch.uint8)\nadded(i, torch.ones(2), 4)", "8 or 16 bits as `ids`"),
        (MEANS, "means(np.ones(9))", "means(np.ones(9, dtype=np.float16))",
         "half precision as `x`"),
        (TRACE, "trace(np.eye(2), np.eye(2))", "a = np.array([[1, 2], [3, 4]])\ntrace(a, a)",
         "whole numbers as `a`"),
        (COUNTS, "counts(np.array([0, 1]), 3)", "counts(np.array([True, False]), 3)",
         "truth values as `places`"),
        (ENCODED, "encoded(np.array([0, 1]), 2, np.ones((2, 2)))",
         "encoded(np.ones(2) > 0, 2, np.ones((2, 2)))", "truth values as `labels`"),
        (SMOOTH, "smooth(np.ones(5), np.zeros(5))", "a = np.ones(5)\nsmooth(a, a)",
         "`a` as `dst` and as `src`"),
        (SMOOTH, "smooth(np.ones(5), np.zeros(5))", "smooth(pd.Series([1.0]), np.zeros(5))",
         "no plain array as `src`"),
        (POWER, "power(2, 3, 7)", "power(2.5, 3, 7)", "a broken number as `b`"),
        (FIRST, "first([1, 2], 1)", "first([1, 2], None)", "`None` as `k`"),
        (TWICE, "twice([1, 2])", "twice(iter([1, 2]))", "an iterator as `xs`"),
        (TWICE, "twice([1, 2])", "twice(x for x in (1, 2))", "an iterator as `xs`"),
        (SUMS, "sums(torch.ones(3, 4))", "sums(torch.ones(3, 4).bfloat16())", "half precision"),
        (NORM, "norm(torch.ones(3, 4))", "norm(torch.ones(3, 4, dtype=torch.cfloat))",
         "complex numbers as `x`"),
        (SOLVED, "solved(np.eye(2), np.ones(2))", "solved(Unit(2), np.ones(2))",
         "no plain array as `a`"),
    ],
)  # fmt: skip
def test_a_call_that_passes_something_else(text: str, fits: str, call: str, told: str) -> None:
    assert found(text, fits).fix.applicability == "safe"  # type: ignore[union-attr]
    fix = found(text, call).fix
    assert fix is not None and fix.applicability == "unsafe"
    assert told in (fix.reason or "")


@pytest.mark.parametrize(
    "call",
    [
        "x = np.ones(3, np.uint8)\nx = x / 255\ntotal(x)",
        "def inner(x):\n    x = x / 2\n    return total(x)\n\nx = np.ones(3, np.uint8)\ninner(x)",
        "def total2(xs):\n    return xs\n\ntotal2(np.ones(3, np.uint8))",
    ],
)
def test_a_call_of_which_nothing_is_certain(call: str) -> None:
    assert found(TOTAL, call).fix.applicability == "safe"  # type: ignore[union-attr]
