"""Arrays whose sizes the code says, carried by a loop that writes their elements one by one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from auditor.properties import associativity
from auditor.properties.subject import Subject
from auditor.verdict import Verdict
from benchmarks.literature import outermost


def verdict(text: str) -> Verdict:
    (loop,) = outermost(text)
    return associativity.ask(Subject(loop))


LINEAR = {
    "a product of quaternions": (4, """
import numpy as np
def f(qs, start):
    q = np.array([start[0], start[1], start[2], start[3]])
    for w, x, y, z in qs:
        a, b, c, d = q
        q = np.array([
            a * w - b * x - c * y - d * z, a * x + b * w + c * z - d * y,
            a * y - b * z + c * w + d * x, a * z + b * y - c * x + d * w,
        ])
    return q
"""),
    "the first of the last two": (2, """
import numpy as np
def f(qs, start):
    h = np.array([start[0], start[1]])
    for q in qs:
        h = np.array([0.5 * h[1] + q[0], h[0] - h[1]])
    return h
"""),
}  # fmt: skip

NOT_LINEAR = {
    "a product of elements": """
import numpy as np
def f(xs):
    h = np.array([0.1, 0.2])
    for x in xs:
        h = np.array([h[0] * h[1] + x, h[1] + h[0]])
    return h
""",
    "one as a branch on the other": """
import numpy as np
def f(xs):
    h = np.array([0.1, 0.2])
    for x in xs:
        h = np.array([x - h[0] if h[1] > 0 else h[0], h[0] + x])
    return h
""",
}


@pytest.mark.parametrize("name", LINEAR)
def test_each_element_is_a_carried_number(name: str) -> None:
    size, text = LINEAR[name]
    held: dict[str, Callable[..., np.ndarray]] = {}
    exec(text, held)
    random = np.random.default_rng(0)
    qs, one, two = random.normal(size=(5, 4)), random.normal(size=size), random.normal(size=size)
    left = [held["f"](qs, start) for start in (one, two, 0 * one, one + two)]
    assert np.allclose(left[0] + left[1] - left[2], left[3])
    found = verdict(text)
    assert (found.verdict, found.basis) == ("holds", "proof")
    assert "each element by itself" in found.evidence


@pytest.mark.parametrize("name", NOT_LINEAR)
def test_elements_that_no_domain_knows(name: str) -> None:
    assert verdict(NOT_LINEAR[name]).verdict != "holds"
