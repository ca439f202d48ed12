"""Sums of forces over half of the pairs: what is written, what it computes, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from auditor.rewrites import symmetric_pairs

from auditor import rewrites
from auditor.audit import Options, audit_text
from auditor.writing import edits

BODIES = {
    "weighted": "r = x[j] - x[i]\na[i] += m[j] * r / (r.dot(r) + eps) ** 1.5",
    "the other way": "r = x[i] - x[j]\na[i] -= m[j] * r / ((r * r).sum() + eps) ** 1.5",
    "weight last": "r = x[j] - x[i]\na[i] += r / ((r * r).sum() + eps) * m[j]",
    "no weight": "r = x[j] - x[i]\na[i] += eps * r",
    "weight inside": "r = x[j] - x[i]\na[i] += eps * (m[j] * r) / ((r * r).sum() + eps)",
    "springs": "r = x[j] - x[i]\na[i] += m[j] * r",
}

NOT = {
    "one side": "r = x[j] - x[i]\na[i] += m[j] * x[j] / ((r * r).sum() + eps)",
    "both weights": "r = x[j] - x[i]\na[i] += m[i] * m[j] * r / ((r * r).sum() + eps)",
    "weight before": "w = m[j] * eps\na[i] += w * (x[j] - x[i])",
    "same sign": "r = x[j] - x[i]\na[i] += m[j] * r * r",
    "weight below": "r = x[j] - x[i]\na[i] += r / m[j]",
    "other array": "r = x[j] - v[i]\na[i] += m[j] * r",
    "replaced": "r = x[j] - x[i]\na[i] = m[j] * r",
}


def program(body: str, library: str = "np", guard: str = "if i == j:\n    continue") -> str:
    text = "\n".join([*guard.splitlines(), *body.splitlines()])
    if guard.endswith(":"):
        text = "\n".join([guard, *(f"    {line}" for line in body.splitlines())])
    lines = "".join(f"            {line}\n" for line in text.splitlines())
    return (
        f"import numpy as np\nimport torch\n\n\ndef f(x, m, v, eps):\n    n = len(x)\n"
        f"    a = {library}.zeros_like(x)\n"
        f"    for i in range(n):\n        for j in range(n):\n{lines}    return a\n"
    )


@pytest.fixture(autouse=True)
def alone(monkeypatch):
    monkeypatch.setattr(rewrites, "CATALOG", (symmetric_pairs.REWRITE,))


def rewritten(text: str) -> str | None:
    found = audit_text(text, "name.py", Options()).findings
    if not found:
        return None
    (one,) = found
    assert one.fix is not None
    assert one.fix.applicability == "safe"
    return edits.apply_fixes(text, found).text


def run(text, given):
    names: dict = {}
    exec(compile(text, "name.py", "exec"), names)
    return names["f"](*given)


@pytest.mark.parametrize("library", ["np", "torch"])
@pytest.mark.parametrize("guard", ["if i == j:\n    continue", "if i != j:", ""])
@pytest.mark.parametrize("body", BODIES)
def test_half_of_the_pairs_do_the_same(body, guard, library):
    text = program(BODIES[body], library, guard)
    after = rewritten(text)
    assert after is not None
    assert "range(i + 1, n)" in after
    assert "continue" not in after
    assert rewritten(after) is None
    rng = np.random.default_rng(0)
    for count in (0, 1, 2, 7):
        given = [rng.standard_normal((count, 3)), rng.uniform(1, 2, count),
                 rng.standard_normal((count, 3)), 0.1]  # fmt: skip
        if library == "np":
            np.testing.assert_allclose(run(after, given), run(text, given), rtol=1e-10, atol=1e-12)
            continue
        given = [torch.tensor(each).requires_grad_() for each in given[:3]] + [0.1]
        old, new = run(text, given), run(after, given)
        torch.testing.assert_close(new, old)
        if count > 1:
            grads = [torch.autograd.grad(out.square().sum(), given[0]) for out in (new, old)]
            torch.testing.assert_close(grads[0], grads[1])


@pytest.mark.parametrize("body", NOT)
def test_what_is_no_reaction(body):
    assert rewritten(program(NOT[body])) is None


CHANGES = {
    "read": ("return a", "return a, r"),
    "start": ("np.zeros_like(x)", "v"),
    "reads the sum": ("+ eps)", "+ a[j, 0])"),
    "some pairs": ("if i == j", "if j > i"),
    "other counts": ("for j in range(n)", "for j in range(len(m))"),
    "effect": ("            r =", "            print(j)\n            r ="),
    "places": ("+ eps)", "+ abs(i - j))"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_surroundings(change):
    text = program(BODIES["weighted"])
    old, new = CHANGES[change]
    assert old in text
    assert rewritten(text) is not None
    assert rewritten(text.replace(old, new)) is None
