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
        ("``g(a)` at 4` has 1 axis", "`g(a)` (line 4) has 1 axis"),
        ("rows of ``a.b``", "rows of `a.b`"),
        ("`x` holds integers; `y` is 1; `x` holds integers", "`x` holds integers; `y` is 1"),
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
