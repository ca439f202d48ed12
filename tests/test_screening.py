"""What is not lifted has no finding: functions are left out by their text alone."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from pathlib import Path

import pytest
from auditor.rewrites import CATALOG

from auditor import audit, engine, findings
from auditor.audit import Options, audit_text
from auditor.lift import functions, read
from auditor.screening.functions import Screen
from auditor.screening.sought import KINDS, OTHER
from auditor.verdict import FileReport, Finding

ROOT = Path(__file__).parents[1]
PROGRAMS = sorted(
    path
    for folder in ("tests/corpora/literature", "examples")
    for path in (ROOT / folder).rglob("*.py")
)


class Everything(Screen):
    """Leaves nothing out."""

    empty = False

    def wants(self, node: object, klass: object = None) -> bool:
        return True

    def spelled_otherwise(self, node: object, klass: object) -> bool:
        return True

    def kinds(self, node: object) -> frozenset[str]:
        every = (kinds for each in CATALOG for kinds in each.expressions)
        return frozenset({"loop"}).union(*every)


def unscreened(text: str, monkeypatch: pytest.MonkeyPatch) -> FileReport:
    """What is found where nothing is left out, without its verdicts, which take longer."""
    monkeypatch.setattr(findings, "_verdicts", lambda *_: {})
    monkeypatch.setattr(audit, "Screen", Everything)
    return audit_text(text, "f.py", Options())


def places(found: Iterable[Finding]) -> list[tuple[object, ...]]:
    return [(each.span, each.code) for each in found]


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_nothing_that_is_found_is_left_out(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the programs that `test_corpora.py` audits, the same is asked there."""
    text = path.read_text(encoding="utf-8")
    screened = audit_text(text, "f.py", Options())
    assert places(screened.findings) == places(unscreened(text, monkeypatch).findings)


def _wanted(text: str) -> list[str]:
    module = read(textwrap.dedent(text))
    screen = Screen(module, everything=False)
    return [scope for scope, node, klass in functions(module) if screen.wants(node, klass)]


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


def test_rows_of_a_layer_behind_those_of_another_one() -> None:
    text = textwrap.dedent("""
        from torch import nn

        class Head(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv1d(4, 4, 1)
                self.linear = nn.Linear(4, 4)

            def forward(self, x):
                a = self.conv(x)
                b = self.linear(x)
                return a[0] + b[:, 0]
        """)
    assert [each.code for each in audit_text(text, "f.py", Options()).findings] == ["RED509"]


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


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("y = x[t] * 2.0; out.append(y)", False),
        ("y = x[t] * 2.0; out[t] = y", False),
        ("if x[t] > 0: y = 1.0\n        else: y = 2.0\n        out.append(y * 2.0)", False),
        ("out.append(total * 2.0); total = x[t]", True),
        ("if x[t] > 0: total = x[t] * 2.0", True),
        ("if x[t] > 0: continue\n        total = x[t] * 2.0", True),
        ("out[t] = out[t - 1] + x[t]", True),
        ("out.append(out[-1] + x[t])", True),
        ("total = total if x[t] < total else x[t] * 1.0", True),
        ("if x[t] * 2.0 > 1: return True", True),
        ("total = max(total, x[t])", True),
        ("y = 2.0 * x[t]; y = y + total; total = y", True),
        ("for s in range(3): total = total * x[s]", True),
    ],
)
def test_a_loop_that_hands_nothing_on(body: str, wanted: bool) -> None:
    text = f"""\
def f(x, out):
    total = 0.0
    for t in range(len(x)):
        {body}
    return total
"""
    assert ("f" in _wanted(text)) == wanted


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("if verbose: tracker.push(t)\n        total += x[t]", False),
        ("if 'a' in x: tracker.push(t)\n        total += x[t]", False),
        ("if quiet: tracker.push(t)\n        total += x[t]", True),
        ("total += x[t]; tracker(total)", False),
        ("total += fetch(x[t])", False),
        ("total += Reader(x[t])", False),
        ("total += scaled(x[t])", True),
        ("total += told(x[t])", False),
        ("total += noted(x[t])", False),
        ("tracker.total = total; total += x[t]", False),
        ("assert x[t] > 0; total += x[t]", False),
        ("for s in range(t): tracker.push(s)\n        total += x[t]", False),
        ("for s in hooks: tracker.push(s)\n        total += x[t]", True),
    ],
)
def test_what_a_step_does_whatever_its_branches_are(body: str, wanted: bool) -> None:
    text = f"""\
from .reading import fetch

class Reader:
    pass

def scaled(x):
    return 2.0 * x

def told(x):
    with fetch(x) as part:
        return part

def noted(x):
    fetch(x)
    return x

def f(x, tracker, verbose):
    total, quiet, hooks = 0.0, False, []
    for t in range(len(x)):
        {body}
    return total
"""
    assert ("f" in _wanted(text)) == wanted


def test_methods_of_the_same_object() -> None:
    text = """
        class Cell:
            def __init__(self, act):
                self.act = act
                self.norm = torch.nn.LayerNorm(3)

            def advance(self, h, x):
                return 0.5 * h + x

            def report(self, h):
                print(h)
                return h

            def plain(self, h, x):
                for t in range(4):
                    h = self.advance(h, x[t])
                return h

            def layer(self, h, x):
                for t in range(4):
                    h = self.norm(h) + x[t]
                return h

            def given(self, h, x):
                for t in range(4):
                    h = self.act(h) + x[t]
                return h

            def told(self, h, x):
                for t in range(4):
                    h = self.report(h) + x[t]
                return h

            def inherited(self, h, x):
                for t in range(4):
                    h = self.elsewhere(h) + x[t]
                return h
        """
    assert _wanted("import torch\n" + textwrap.dedent(text)) == ["Cell.plain", "Cell.layer"]


def test_every_rewrite_says_where_it_looks() -> None:
    kinds = {"loop", "operation", "again", "product", *KINDS, *OTHER}
    for rewrite in CATALOG:
        assert rewrite.seeks
        for sought in rewrite.seeks:
            assert {sought} <= kinds if isinstance(sought, str) else set(sought) <= kinds
    assert engine.rules()
