"""Comments inside of what a fix replaces."""

from __future__ import annotations

import pytest

from auditor.audit import Options, audit_text
from auditor.writing.edits import apply_edits

SOLVED = """\
import numpy as np


def f(a: np.ndarray, b: np.ndarray):
    n, _ = a.shape
    m, _ = b.shape
    x = np.linalg.inv(
        a  # the matrix
        # of the system
    ) @ b  # solved
    return x
"""

SOLVED_AFTER = """\
    # the matrix
    # of the system
    x = np.linalg.solve(a, b)  # solved
"""

LISTED = """\
def f(xs: list):
    found = [
        1,  # one
        sorted(xs,  # all of "#" them
               key=len,  # noqa: E501
        )[0],
    ]
    return found
"""

LISTED_AFTER = """\
    # all of "#" them
    found = [
        1,  # one
        min(xs, key=len),
    ]
"""


SUMMED = """\
def f(xs: list[int]):
    total = 0  # of all

    for x in xs:  # noqa: B007
        # each counts
        total += x  # noqa
    return total
"""

SUMMED_AFTER = """\
    # of all

    # each counts
    total = sum(xs)
    return total
"""
ATTENDED = """\
import torch
from torch import Tensor


def f(q: Tensor, k: Tensor, v: Tensor):
    # q, k, v: (B, H, T, D)
    att = q @ k.transpose(-2, -1)      # scores
    att = torch.softmax(att, dim=-1)   # weights

    x = att @ v                        # what is attended to
    return x
"""

ATTENDED_AFTER = """\
    # q, k, v: (B, H, T, D)
    # scores
    # weights

    x = flash_attention(q, k, v, scale=1.0)                        # what is attended to
    return x
"""
MOVED = """\
import numpy as np


def f(xs: np.ndarray, w: np.ndarray, n: int):
    out = []
    for i in range(n):
        inverse = np.linalg.inv(w)  # of the weights
        out.append(inverse @ xs[i] * i)
    return out
"""

MOVED_AFTER = """\
    inverse = np.linalg.inv(w)  # of the weights
    for i in range(n):
        out.append(inverse @ xs[i] * i)
    return out
"""
REPEATED = """\
def f(xs: list[int]):
    total = 0  # so far
    count = 0  # so far
    for x in xs:
        total += x
        count += 1
    return total, count
"""

REPEATED_AFTER = """\
def f(xs: list[int]):
    # so far
    total = sum(xs)
    count = sum(1 for x in xs)
"""
EXAMPLES = [
    (REPEATED, REPEATED_AFTER),
    (MOVED, MOVED_AFTER),
    (ATTENDED, ATTENDED_AFTER),
    (SOLVED, SOLVED_AFTER),
    (LISTED, LISTED_AFTER),
    (SUMMED, SUMMED_AFTER),
]


@pytest.mark.parametrize(("before", "after"), EXAMPLES)
def test_comments_in_an_expression_stay_above_its_statement(before: str, after: str) -> None:
    (finding,) = audit_text(before, "f.py", Options()).findings
    assert finding.fix is not None and finding.fix.applicability == "safe"
    assert after in apply_edits(before, finding.fix.edits)


def test_comments_that_are_kept_are_not_told_twice() -> None:
    text = """\
def f(xs: list[int]):
    total = 0
    # add up
    for x in xs:  # every one
        total += x
    return total
"""
    (finding,) = audit_text(text, "f.py", Options()).findings
    assert finding.fix is not None
    after = apply_edits(text, finding.fix.edits)
    assert after.count("# every one") == after.count("# add up") == 1
