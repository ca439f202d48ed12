"""Names that the analysis gives, as sentences for people have them."""

from __future__ import annotations

import pytest

from auditor.audit import Options, audit_text
from auditor.wording import worded

LINES = ["x = f(\n", "    a, b\n", ")\n", "y = g(a)[0]\n"]


@pytest.mark.parametrize(
    ("sentence", "said"),
    (
        ("`expression at 4:5-4:9` has 1 axis", "`g(a)` has 1 axis"),
        ("`expression at 1:5-3:2` has 1 axis", "`f( a, b )` has 1 axis"),
        ("``g(a)` (line 4)` has 1 axis", "`g(a)` (line 4) has 1 axis"),
        ("rows of ``a.b``", "rows of `a.b`"),
        ("``a.b()`[i, j]` has 1 axis", "`a.b()[i, j]` has 1 axis"),
        ("``g(a)` (line 4)[i]` has 1 axis", "`g(a)[i]` (line 4) has 1 axis"),
        ("reads `gaps (line 9)`, which", "reads `gaps` (line 9), which"),
        ("`x` holds integers; `y` is 1; `x` holds integers", "`x` holds integers; `y` is 1"),
        (
            "assumes that ``f(x)` (line 4)` is 1; `y` is 2; ``f(x)` (line 4)` is 1",
            "assumes that `f(x)` (line 4) is 1; `y` is 2",
        ),
        ("`x` and `y` have one shape", "`x` and `y` have one shape"),
    ),
)
def test_places_are_said_as_code(sentence: str, said: str) -> None:
    assert worded(sentence, LINES) == said


def test_what_is_assumed_names_what_the_code_computes() -> None:
    text = """
import numpy as np
from scipy.linalg import expm

def q(phi, c):
    d = expm(phi * 2.0).dot(c)
    return c.dot(np.linalg.inv(d))
"""
    (found,) = [one for one in audit_text(text, "p.py", Options()).findings if one.fix is not None]
    reason = (found.fix and found.fix.reason) or ""
    assert "`expm(phi * 2.0)` has 2 axes, as `dot` says" in reason
    assert "``" not in reason


LATER = """
import numpy as np
from there import weights

def total(x):
    w = weights(x)
    s = 0.0
    for t in range(len(x)):
        w = weights(w)
        s = np.tanh(s + w[t] * x[t])
    return s

def few(x):
    for _ in range(1):
        x = x * 1.5
    return x
"""


def test_what_is_refused_is_worded_too() -> None:
    found = audit_text(LATER, "p.py", Options(everything=True)).computations
    said = {one.scope: one.refused or "" for one in found}
    assert said["few"] == "1 step is too few for a power to pay"
    every = [one.refused or "" for one in found]
    every += [verdict.evidence for one in found for verdict in one.properties.values()]
    assert not [one for one in every if "``" in one or "(line 9)`" in one]
    assert "(line" in said["total"]


def test_a_reason_names_what_it_is_about() -> None:
    text = (
        "import torch\n\ndef f(first, second, x):\n    return torch.block_diag(first, second) @ x\n"
    )
    (found,) = audit_text(text, "p.py", Options()).findings
    reason = (found.fix and found.fix.reason) or ""
    assert "nothing says that `first` and `second` have 2 axes" in reason
    assert "its factors" not in reason


_STATES = {
    "update": ("h = torch.tanh(w * h + x[:, t])", "tanh of the state in the update of h"),
    "gated": (
        "z = torch.sigmoid(w * h)\n        h = z * h + x[:, t]",
        "a product of states in the update of h: sigmoid(",
    ),
    "entangled": (
        "f = torch.sigmoid(h)\n        c = f * c + x[:, t]\n        h = f * torch.tanh(c)",
        "a product of states in the update of c, h: sigmoid(",
    ),
}


@pytest.mark.parametrize("which", _STATES)
def test_what_does_not_compose_is_named(which: str) -> None:
    update, said = _STATES[which]
    text = f"""
import torch

def f(x: torch.Tensor, w: torch.Tensor, h: torch.Tensor, c: torch.Tensor):
    out = []
    for t in range(x.shape[1]):
        {update}
        out.append(h)
    return torch.stack(out, 1)
"""
    report = audit_text(text, "p.py", Options(everything=True))
    (reason,) = [one.refused or "" for one in report.computations if one.span.line == 6]
    assert reason.startswith("its steps do not compose: ") and said in reason


@pytest.mark.parametrize(("made", "doubted"), [("a", True), ("a.astype(np.float64)", False)])
def test_squares_of_perhaps_integers_are_doubted(made: str, doubted: bool) -> None:
    text = f"""
import numpy as np

def f(a: np.ndarray):
    return np.linalg.norm({made}, axis=-1) > 0
"""
    (found,) = audit_text(text, "p.py", Options()).findings
    assert found.fix is not None and "0 **" not in str(found.fix.edits)
    assert ("floating-point" in (found.fix.reason or "")) is doubted
