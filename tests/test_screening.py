"""What is not lifted has no finding: functions are left out by their text alone."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from auditor import audit, engine
from auditor.audit import Options, audit_text
from auditor.lift import functions, read
from auditor.screening.functions import Screen

ROOT = Path(__file__).parents[1]
PROGRAMS = sorted(
    path
    for folder in ("tests/corpora", "examples", "tests/golden")
    for path in (ROOT / folder).rglob("*.py")
)


class Everything(Screen):
    """Leaves nothing out."""

    empty = False

    def wants(self, node: object) -> bool:
        return True


@pytest.mark.parametrize("part", range(8))
def test_nothing_that_is_found_is_left_out(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    found = [audit_text(path.read_text(), "f.py", Options()) for path in PROGRAMS[part::8]]
    monkeypatch.setattr(audit, "Screen", Everything)
    for path, screened in zip(PROGRAMS[part::8], found, strict=True):
        whole = audit_text(path.read_text(), "f.py", Options())
        mine, theirs = ([(f.span, f.code) for f in r.findings] for r in (screened, whole))
        assert mine == theirs, path.name


def _wanted(text: str) -> list[str]:
    module = read(textwrap.dedent(text))
    screen = Screen(module, everything=False)
    return [scope for scope, node, _ in functions(module) if screen.wants(node)]


def test_an_exponential_may_come_from_another_function_or_attribute() -> None:
    text = """
        import torch
        from torch.nn.functional import softmax as weigh

        def safe(x):
            return torch.exp(x - x.amax(-1, keepdim=True))

        def share(x):
            e = safe(x)
            return e / e.sum(-1, keepdim=True)

        def renamed(q, k, v):
            return weigh(torch.matmul(q, k), -1) @ v

        def plain(x):
            return x.sum(-1)

        class Layer(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.normalise = torch.nn.Softmax(dim=-1)

            def forward(self, q, k, v):
                return torch.matmul(self.normalise(torch.matmul(q, k)), v)
        """
    assert _wanted(text) == ["safe", "share", "renamed", "Layer.forward"]


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("total = total + x[t]", True),
        ("total = total + x[t]; tracker.push(total)", False),
        (
            "tracker.push(total)\n        if x[t]:\n            continue\n        total += x[t]",
            False,
        ),
        ("if x[t]:\n            tracker.push(t)\n        total += x[t]", True),
        ("total += x[t]; json.load(x)", False),
        ("total += x[t]; log = [tracker.push(v) for v in x]", True),
        ("total += x[t]; step(x)", True),
        ("total += math.sqrt(x[t])", True),
        ("total += random.random()", False),
    ],
)
def test_a_loop_that_calls_anything_at_each_step(body: str, wanted: bool) -> None:
    text = f"""\
import json
import math
import random

def step(x):
    return x

def f(x, tracker):
    total = 0.0
    for t in range(len(x)):
        {body}
    return total
"""
    assert ("f" in _wanted(text)) == wanted


def test_what_is_defined_or_kept_in_the_file_is_not_foreign() -> None:
    text = """
        class Cell:
            def advance(self, h, x):
                return 0.5 * h + x

            def forward(self, h, x):
                for t in range(4):
                    h = self.advance(h, x[t]) * 1.0
                return h
        """
    assert "Cell.forward" in _wanted(text)


def test_every_rewrite_says_where_it_looks() -> None:
    from auditor.rewrites import CATALOG

    kinds = {
        "loop",
        "operation",
        "exponential",
        "root",
        "order",
        "products",
        "repetition",
        "constants",
    }
    assert all(set(rewrite.seeks) <= kinds and rewrite.seeks for rewrite in CATALOG)
    assert engine.rules()
