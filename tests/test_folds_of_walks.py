"""``max``, ``min``, ``any`` and ``all`` of what hands out items one by one: one fold, not two."""

from __future__ import annotations

import pytest

from auditor.audit import Options, audit_text

HEADER = "import math\nfrom itertools import accumulate, count\n\n\n"
GENERATOR = """\
def levels(xs):
    level = 0
    for x in xs:
        level += x
        yield level


"""

ONE_FOLD = {
    "running sum": "def f(xs: list[float]):\n    return max(accumulate(xs))\n",
    "from a start": "def f(xs: list[int]):\n    return min(accumulate(xs, initial=0))\n",
    "default": "def f(xs: list[int]):\n    return max(accumulate(xs), default=0)\n",
    "condition": "def f(xs: list[int], top: int):\n    return any(s > top for s in accumulate(xs))",
    "of a generator": "def f(s: str):\n"
    "    return all(d >= 0 for d in accumulate(1 if c == '(' else -1 for c in s))\n",
    "walrus": "def f(xs: list[float]):\n    total = 0.0\n"
    "    return max((total := total + x) for x in xs)\n",
    "walrus of both": "def f(xs: list[float]):\n    best = 0.0\n"
    "    return max((best := max(x, best + x)) for x in xs)\n",
    "beside the items": "def f(xs: list[float]):\n"
    "    return max(top - x for top, x in zip(accumulate(xs, max), xs))\n",
    "generator function": GENERATOR + "def f(xs: list[int]):\n    return min(levels(xs))\n",
}
OTHERS = {
    "no state that composes": "def f(xs: list[float]):\n    s = 0.0\n"
    "    return max(s := math.tanh(s + x) for x in xs)\n",
    "pairs": "def f(xs: list[float]):\n    return max(zip(accumulate(xs), xs))\n",
    "a key": "def f(xs: list[float]):\n    return max(accumulate(xs), key=abs)\n",
    "an effect": "def f(xs: list[float]):\n    seen = []\n"
    "    return any(s > 3 and not seen.append(s) for s in accumulate(xs)), seen\n",
    "no end": "def f(top: int):\n    return any(s > top for s in accumulate(count(1)))\n",
    "another max": "from heapq import nlargest as max\n\n\n"
    "def f(xs: list[float]):\n    return max(accumulate(xs))\n",
    "items without a state": "def f(xs: list[float]):\n    return max(2 * x for x in xs)\n",
}


@pytest.mark.parametrize("name", ONE_FOLD)
def test_one_fold(name: str) -> None:
    report = audit_text(HEADER + ONE_FOLD[name], "program.py", Options())
    (found,) = report.findings
    assert (found.code, found.fix) == ("ASC111", None)
    assert "PATH:" not in found.message  # there is no loop in the text


@pytest.mark.parametrize("name", OTHERS)
def test_no_fold(name: str) -> None:
    assert not audit_text(HEADER + OTHERS[name], "program.py", Options()).findings


def test_what_a_comprehension_carries_is_no_reduction_over_its_items() -> None:
    text = "def f(xs: list[float]):\n    s = 0.0\n    return max((s := s + x) for x in xs)\n"
    verdict = audit_text(text, "program.py", Options(everything=True)).findings[0].properties
    assert verdict["symmetry"].verdict == "fails"


JUMPS = """\
def jumps(nums: list[int]):
    jumps = end = far = 0
    for i in range(len(nums) - 1):
        far = max(far, i + nums[i])
        if i == end:
            jumps += 1
            end = {end}
    return jumps, far
"""


@pytest.mark.parametrize("end", ["far", "far + 1"])
def test_what_rests_on_a_value_that_does_not_compose_does_not(end: str) -> None:
    report = audit_text(JUMPS.format(end=end), "program.py", Options(everything=True))
    told = [one.code for one in report.findings if one.code == "ASC111"]
    assert not told
    (loop,) = (one for one in (*report.findings, *report.computations) if one.span.line == 3)
    assert loop.properties["associativity"].verdict != "holds"


def test_a_list_that_is_a_part_of_itself() -> None:
    text = """
def f(rows):
    rows = rows[:-1]
    out = []
    for i in range(len(rows)):
        out.append("#")
        for j in range(7):
            out.append(rows[i][j])
    return out
"""
    report = audit_text(text, "program.py", Options(everything=True))
    assert report.computations
    assert not any("deeply" in (one.refused or "") for one in report.computations)
