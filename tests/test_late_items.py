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
    "for v in xs:\n        s += v\n        xs[-1] = s",
    "for v in xs[::2]:\n        s += v\n        xs[0] = s",
)
_AS_WRITTEN = (
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
