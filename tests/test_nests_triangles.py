"""Nests that walk a part of all pairs, written at random: whatever is made of them must fill the
array as they do."""

from __future__ import annotations

import random

import numpy as np
import pytest

from auditor.audit import Options, audit_text
from auditor.writing import edits

RANGES = ("range(n)", "range(i, n)", "range(i + 1, n)", "range(i)", "range(i + 1)")
GUARDS = ("", "if j < i:\n            continue", "if i == j:\n            continue",
          "if j <= i:\n            continue", "if i < j:\n            continue")  # fmt: skip
VALUES = ("a[i] @ a[j]", "np.dot(a[j], a[i]) / 2", "sum(a[i, k] * a[j, k] for k in range(d))",
          "a[i] @ b[j]", "np.sum((a[i] - a[j]) * b[i])", "sum(a[i, k] * a[j, k] for k in range(i))",
          "a[i, 0] - a[j, 0]", "a[i] @ a[j] + i")  # fmt: skip
STORES = (
    "g[i, j] = v",
    "g[j, i] = v",
    "g[i, j] = v\n        g[j, i] = v",
    "g[i, j] = v\n        g[j, i] = -v",
    "g[i, j] = g[j, i] = v",
    "g[i, j] += v\n        g[j, i] += v",
    "g[i, j] += v\n        g[j, i] = g[i, j]",
    "g[i, j] += v",
    "g[j, i] = v\n        g[i, j] += v",
    "g[i, j] = v\n        if i != j:\n            g[j, i] = g[i, j]",
    "g[i, j] = v\n        if j > i:\n            g[j, i] = v",
    "if i <= j:\n            g[i, j] = v\n            g[j, i] = v",
    "g[i, j] = v\n        g[j, i] = v\n        g[i, j] *= 2",
    "g[i, j] = g[j, i] + v",
    "r[i] += v",
    "r[j] += v",
    "g[i, j] = v\n        r[i] += v",
)
ALONG = ("", "g[i, i] = a[i] @ a[i]", "g[i, i] = 1.0", "g[i, i] += a[i] @ a[i]", "r[i] = a[i, 0]")
STARTS = ("np.zeros((n, n))", "np.ones((n, n))", "c.copy()", "np.zeros((n, n), dtype=int)")
BEHIND = ("", "for p in range(n):\n    for q in range(p):\n        g[p, q] = g[q, p]",
          "for p in range(n):\n    for q in range(p, n):\n        g[q, p] = g[p, q]")  # fmt: skip


def programs(seed: int, count: int) -> list[str]:
    """Programs of one nest. Half of their parts are those that can be whole in the end."""
    draw = random.Random(seed)
    every = (RANGES, GUARDS, VALUES, STORES, ALONG, STARTS, BEHIND)
    plain = (RANGES, ("",), VALUES[:3], STORES[:9], ALONG[:2], STARTS[:1], BEHIND)
    return [
        _program(*(draw.choice(draw.choice(pair)) for pair in zip(every, plain, strict=True)))
        for _ in range(count)
    ]


def _program(
    walk: str, guard: str, value: str, store: str, along: str, start: str, behind: str
) -> str:
    body = "\n        ".join(part for part in (guard, f"v = {value}", store) if part)
    outer = f"    {along}\n" if along else ""
    nest = f"for i in range(n):\n{outer}    for j in {walk}:\n        {body}\n{behind}\n"
    lines = "".join(f"    {line}\n" for line in nest.splitlines())
    return (
        "import numpy as np\n\n\ndef f(a: np.ndarray, b: np.ndarray, c: np.ndarray):\n"
        f"    n, d = a.shape\n    g = {start}\n    r = np.zeros(n)\n{lines}    return g, r\n"
    )


def after(text: str) -> str:
    """The text with all safe fixes, round after round."""
    for _ in range(6):
        found = [f for f in audit_text(text, "f.py", Options()).findings
                 if f.fix is not None and f.fix.applicability == "safe"]  # fmt: skip
        changed = edits.apply_fixes(text, found).text if found else text
        if changed == text:
            return text
        text = changed
    return text


def results(text: str) -> list[np.ndarray]:
    space: dict[str, object] = {}
    exec(compile(text, "f.py", "exec"), space)
    found = []
    rng = np.random.default_rng(0)
    for n, d in ((4, 5), (1, 2), (5, 5)):
        found += space["f"](rng.random((n, d)), rng.random((n, d)), rng.random((n, n)))  # type: ignore[operator]
    return found


@pytest.mark.parametrize("seed", range(4))
def test_fixes_fill_what_the_loops_fill(seed: int) -> None:
    changed = 0
    for text in programs(seed, 60):
        fixed = after(text)
        changed += fixed != text
        for before, now in zip(results(text), results(fixed), strict=True):
            assert before.dtype == now.dtype, f"{text}\n{fixed}"
            np.testing.assert_allclose(before, now, rtol=1e-9, atol=1e-12,
                                       err_msg=f"{text}\n{fixed}")  # fmt: skip
    assert changed > 10
