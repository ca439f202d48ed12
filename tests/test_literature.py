"""The loops of the literature: what is expected of each is what is found. The numbers that
``python -m benchmarks.literature`` prints rest on the same code."""

from __future__ import annotations

import pytest

from benchmarks.literature import CORPUS, Loop, loops, outcome

LOOPS = [loop for file in sorted(CORPUS.glob("*.py")) for loop in loops(file)]


@pytest.mark.parametrize("loop", LOOPS, ids=lambda loop: f"{loop.suite}.{loop.name}")
def test_found_as_expected(loop: Loop) -> None:
    found = outcome(loop)
    if loop.expected == "fails":
        assert found.verdict != "holds", found.evidence
    else:
        assert found.right, (found.verdict, found.one_pass, found.evidence)


def test_goals() -> None:
    """Enough benchmarks in enough guises, and enough near misses."""
    good = [loop for loop in LOOPS if loop.expected != "fails"]
    guises: dict[tuple[str, str], int] = {}
    for loop in good:
        guises[loop.suite, loop.benchmark] = guises.get((loop.suite, loop.benchmark), 0) + 1
    assert min(guises.values()) >= 2
    assert sum(loop.expected == "fails" for loop in LOOPS) >= 60
