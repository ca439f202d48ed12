"""What is computed when it is asked for is not read as if it were computed where it stands."""

from __future__ import annotations

import pytest

from auditor import audit

_LATE = (
    "for v in (a * s for a in xs):\n        s += v",
    "for v in (a for a in xs if a > s):\n        s += 1",
    "for v in map(lambda a: a * s, xs):\n        s += v",
    "for v in filter(lambda a: a > s + 1, xs):\n        s += 1",
    "for i, v in enumerate(a * s for a in xs):\n        s += v",
    "f = lambda v: v + s\n    for x in xs:\n        s += f(x)",
    "g = (x * s for x in xs)\n    for v in g:\n        s += v + 1",
    "for v in (w + 1 for w in (x * s for x in xs)):\n        s += v",
    "def f(v):\n        return v * s\n    for v in (f(x) for x in xs):\n        s += v",
    "def f(v):\n        return v * s\n    for v in map(f, xs):\n        s += v",
    "def f(a):\n        return a > s\n    for v in filter(f, xs):\n        s += 1",
    "g = lambda v: v * s\n    f = lambda v: g(v) + 1\n    for x in xs:\n        s += f(x)",
    "v = k\n    for v in (x * v for x in xs):\n        s += v",
    "for v in ((k := k * 2) * x for x in xs):\n        s += v * k",
    "for i, v in enumerate(xs[:-1]):\n        xs[i + 1] = v + xs[i + 1]\n        s += v",
    "for v in reversed(xs[1:]):\n        s += v\n        xs[0] = s",
    "for v in zip(xs[1:], ys):\n        s += v[0] * v[1]\n        xs[0] = s",
    "for v in xs:\n        s += v\n        xs[-1] = s",
    "for v in xs[::2]:\n        s += v\n        xs[0] = s",
)
_AS_WRITTEN = (
    "g = (x * k for x in xs)\n    for v in g:\n        s += v",
    "for v in (w + 1 for w in (x * k for x in xs)):\n        s += v",
    "def f(v):\n        return v * k\n    for v in (f(x) for x in xs):\n        s += v",
    "out = []\n    for v in (x * k for x in xs):\n        s += v\n        out.append(v)",
    "for v in [x * s for x in xs]:\n        s += v",
    "for v in list(x * s for x in xs):\n        s += v",
    "for i, v in enumerate(xs[1:]):\n        s += v\n        ys[0] = s",
    "for v in (a * k for a in xs):\n        s += v",
    "f = lambda v: v + k\n    for x in xs:\n        s += f(x)",
    "for i, v in enumerate(xs):\n        s += v\n        ys[i] = s",
)


def associativity(body: str) -> list[str]:
    text = (
        f"def f(xs: list[float], ys: list[float], k: float, s: float):\n    {body}\n    return s\n"
    )
    report = audit.audit_text(text, "program.py", audit.Options(everything=True))
    loops = [one for one in (*report.findings, *report.computations) if one.span.line > 1]
    whole = [one for one in loops if "for" in text.splitlines()[one.span.line - 1].split("(")[0]]
    return [one.properties["associativity"].verdict for one in whole]


@pytest.mark.parametrize("body", _LATE)
def test_late_items_prove_nothing(body: str) -> None:
    assert "holds" not in associativity(body)


@pytest.mark.parametrize("body", _AS_WRITTEN)
def test_items_that_nothing_changes_are_read(body: str) -> None:
    assert "holds" in associativity(body)
