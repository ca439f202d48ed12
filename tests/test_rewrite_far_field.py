"""Particles whose pull decays: which loops are offered the tree code, and that it is theirs."""

from __future__ import annotations

import ast

import numpy as np
import pytest
import torch
from auditor.rewrites import far_field

from auditor import rewrites
from auditor.audit import Options, audit_text
from auditor.writing import edits

HEAD = "import math\n\nimport numpy as np\nimport torch\n\n\n"

BODIES = {
    "softened": "r = x[j] - x[i]\na[i] += m[j] * r / (r.dot(r) + eps**2) ** 1.5",
    "the other way": "r = x[i] - x[j]\na[i] -= m[j] * r / ((r * r).sum() + eps) ** 1.5",
    "signs": "r = x[i] - x[j]\na[i] += -m[j] * r / ((r * r).sum() + eps) ** 1.5",
    "inverse power": "r = x[j] - x[i]\nw = ((r**2).sum() + eps) ** -1.5\na[i] += m[j] * w * r",
    "norm": "d = x[j] - x[i]\ns = LIB.linalg.norm(d)\na[i] += d * (m[j] / (s**3 + eps))",
    "at": "d = x[j] - x[i]\nq = d @ d + eps\na[i] += eps * m[j] * d / (q * LIB.sqrt(q))",
    "vortices": "a[i] += m[j] * (x[j] - x[i]) / (LIB.sum((x[i] - x[j]) ** 2, axis=0) + eps)",
    "screened": "r = x[j] - x[i]\nd = LIB.sqrt((r * r).sum() + eps)\n"
    "a[i] += m[j] * LIB.exp(-d / 2) * r / d**3",
    "changed": "r = x[j] - x[i]\nw = (r * r).sum()\nw += eps\nw **= 1.5\na[i] += m[j] * r / w",
    "written out": "r = x[j] - x[i]\na[i] = a[i] + 2.0 * m[j] * r / ((r * r).sum() + eps) ** 2",
}

NOT = {
    "springs": "r = x[j] - x[i]\na[i] += m[j] * r",
    "growing": "r = x[j] - x[i]\na[i] += m[j] * r * (r * r).sum()",
    "too slow": "r = x[j] - x[i]\na[i] += m[j] * r / ((r * r).sum() + eps) ** 0.5",
    "one side": "r = x[j] - x[i]\na[i] += m[j] * x[j] / ((r * r).sum() + eps) ** 1.5",
    "another array": "r = x[j] - v[i]\na[i] += m[j] * r / ((r * r).sum() + eps) ** 1.5",
    "components": "r = x[j] - x[i]\na[i] += m[j] * r / (r * r * r + eps)",
    "cut off": "r = x[j] - x[i]\nq = (r * r).sum()\n"
    "a[i] += m[j] * r * LIB.where(q < 4.0, 1.0, 0.0) / (q + eps) ** 1.5",
    "weight of the way": "r = x[j] - x[i]\na[i] += (v[j] * r).sum() * r / ((r * r).sum() + 1) ** 2",
    "two weights": "r = x[j] - x[i]\na[i] += m[i] * m[j] * r / ((r * r).sum() + eps) ** 1.5",
    "divided by a weight": "r = x[j] - x[i]\na[i] += r / m[j] / ((r * r).sum() + eps) ** 1.5",
    "a sum of weights": "r = x[j] - x[i]\na[i] += (m[j] + eps) * r / ((r * r).sum() + eps) ** 1.5",
    "turned": "r = x[i] - x[j]\nq = x[j] - x[i]\na[i] += m[j] * q / ((r * q).sum() + eps) ** 2",
}


def program(body: str, library: str) -> str:
    body = body.replace("LIB", "np" if library == "numpy" else "torch")
    if library == "torch":
        body = body.replace("axis=0", "dim=0")
    zeros = "np.zeros_like(x)" if library == "numpy" else "torch.zeros_like(x)"
    lines = "".join(f"            {line}\n" for line in body.splitlines())
    return (
        f"{HEAD}def f(x, m, v, eps):\n    n = x.shape[0]\n    a = {zeros}\n"
        f"    for i in range(n):\n        for j in range(n):\n            if j == i:\n"
        f"                continue\n{lines}    return a\n"
    )


@pytest.fixture(autouse=True)
def alone(monkeypatch):
    monkeypatch.setattr(rewrites, "CATALOG", (far_field.REWRITE,))


def rewritten(text: str) -> str | None:
    found = audit_text(text, "name.py", Options()).findings
    if not found:
        return None
    (one,) = found
    assert one.fix is not None
    assert one.fix.applicability == "unsafe"
    assert "0.3%" in one.message
    return edits.apply_fixes(text, found).text


def run(text, given):
    names: dict = {}
    exec(compile(text, "name.py", "exec"), names)
    return names["f"](*given)


@pytest.mark.parametrize("library", ["numpy", "torch"])
@pytest.mark.parametrize("body", BODIES)
def test_it_is_theirs(body, library):
    text = program(BODIES[body], library)
    after = rewritten(text)
    assert after is not None
    assert "for " not in after
    ast.parse(after)
    rng = np.random.default_rng(0)
    given = [rng.standard_normal((9, 3)), rng.uniform(0.5, 2, 9), rng.standard_normal((9, 3)), 0.1]
    if library == "torch":
        given = [torch.tensor(each, requires_grad=True) for each in given[:3]] + given[3:]
    old, new = run(text, given), run(after, given)
    assert type(old) is type(new)
    if library == "torch":
        torch.testing.assert_close(new, old)
        for some, other in zip(
            torch.autograd.grad(new.square().sum(), given[:2]),
            torch.autograd.grad(old.square().sum(), given[:2]),
            strict=True,
        ):
            torch.testing.assert_close(some, other)
    else:
        np.testing.assert_allclose(new, old, rtol=1e-10)


@pytest.mark.parametrize("library", ["numpy", "torch"])
@pytest.mark.parametrize("body", NOT)
def test_it_is_not(body, library):
    assert rewritten(program(NOT[body], library)) is None


CHANGES = {
    "not all": ("n = x.shape[0]", "n = x.shape[0] - 1"),
    "of others": ("n = x.shape[0]", "n = m.shape[0]"),
    "rebound": ("    n = x", "    x = x * 2\n    n = x"),
    "half": ("if j == i:", "if j <= i:"),
    "starts with something": ("np.zeros_like(x)", "v"),
    "read later": ("return a", "return a, r"),
    "an effect": ("            r = ", "            print(j)\n            r = "),
    "weights made": ("    n = x", "    m = m[::-1]\n    n = x"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_surroundings(change):
    text = program(BODIES["softened"], "numpy")
    assert rewritten(text) is not None
    old, new = CHANGES[change]
    assert old in text
    assert rewritten(text.replace(old, new)) is None
