"""What the catalog promises of each rewrite, derived from its own examples: the before becomes
exactly the after, the after is silent, both agree; each refused program is refused for its stated
condition and for no other; near misses do not match; kernels resolve."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import replace
from types import FunctionType
from typing import Any

import numpy as np
import pytest
import torch
from auditor.rewrites import CATALOG

from auditor import audit, rewrites
from auditor.lift import attributes_of, functions, lift, read
from auditor.rewrite import Example, Match, Refused, RefusedExample, Rewrite, Site
from auditor.writing import edits

PROPERTIES = (
    "associativity", "separability", "locality", "sparsity", "redundancy", "symmetry"
)  # fmt: skip

every_rewrite = pytest.mark.parametrize("rewrite", CATALOG, ids=lambda rewrite: rewrite.name)
EXAMPLES = [(rewrite, example) for rewrite in CATALOG for example in rewrite.examples]
REFUSED = [(rewrite, refused) for rewrite in CATALOG for refused in rewrite.refused]
UNMATCHED = [(rewrite, text) for rewrite in CATALOG for text in rewrite.unmatched]


def findings(text: str, code: str | None = None) -> list[Any]:
    report = audit.audit_text(text, "example.py", audit.Options())
    assert not report.problems, report.problems
    return [finding for finding in report.findings if code is None or finding.code == code]


def sites(text: str) -> Iterator[Site]:
    """Every site of every function of a program."""
    module = read(text)
    for scope, node, klass in functions(module):
        attributes = attributes_of(module, klass) if klass is not None else {}
        yield from audit.sites(lift(module, scope, node, klass, attributes))


def answers(rewrite: Rewrite, text: str, waived: frozenset[str] = frozenset()) -> list[Any]:
    """What the rewrite says at each site: a match or a refusal."""
    found: list[Any] = []
    for site in sites(text):
        try:
            answer = rewrite.find(replace(site, waived=waived))
        except Refused as refusal:
            found.append(refusal)
        else:
            found += [answer] if answer is not None else []
    return found


def last_function(text: str) -> Any:
    """The last function that a program defines."""
    space: dict[str, Any] = {}
    exec(compile(text, "example.py", "exec"), space)
    made = [v for v in space.values() if isinstance(v, FunctionType)]
    return [v for v in made if v.__code__.co_filename == "example.py"][-1]


def cases(example: Example) -> list[tuple[Any, ...]]:
    torch.manual_seed(0)
    given = eval(example.cases, {"torch": torch, "np": np})
    return list(given) if given and isinstance(given[0], tuple) else [given]


def fresh(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.detach().clone().requires_grad_(value.is_floating_point())
    return value.copy() if isinstance(value, (list, np.ndarray)) else value


def close(new: Any, old: Any) -> None:
    assert type(new) is type(old)
    if isinstance(old, (tuple, list)):
        assert len(new) == len(old)
        for a, b in zip(new, old, strict=True):
            close(a, b)
    elif isinstance(old, torch.Tensor):
        assert new.shape == old.shape and new.dtype == old.dtype
        torch.testing.assert_close(new, old, rtol=2e-4, atol=1e-5)
    elif isinstance(old, (float, np.ndarray, np.generic)):
        np.testing.assert_allclose(new, old, rtol=1e-5)
    else:
        assert new == old


@every_rewrite
def test_row_of_the_catalog(rewrite: Rewrite) -> None:
    assert rewrite.doc and rewrite.summary and rewrite.becomes
    assert set(rewrite.properties) <= set(PROPERTIES)
    assert rewrite.examples or rewrite.fix == "advice", "a rewrite without an example"


def test_codes_and_names_are_unique() -> None:
    assert len({rewrite.code for rewrite in CATALOG}) == len(CATALOG)
    assert len({rewrite.name for rewrite in CATALOG}) == len(CATALOG)


@every_rewrite
def test_kernel_resolves(rewrite: Rewrite) -> None:
    if rewrite.kernel is not None:
        module, _, name = rewrite.kernel.rpartition(".")
        assert callable(getattr(importlib.import_module(module), name))


BEHIND = frozenset(("SEP206",))
"""What is offered for places that another rewrite, a safe one, goes first at: seen alone."""
GOES_ON = {"LOC303": {"LOC308", "LOC309"}, "SEP201": {"ASC111"}}
"""Rewrites that go on from where another stops: windows that loops become are a convolution, or
pooled, and one loop over what were pairs is a fold."""


@pytest.mark.parametrize(
    ("rewrite", "example"), EXAMPLES, ids=lambda x: getattr(x, "name", getattr(x, "title", ""))
)
class TestExamples:
    def test_becomes_exactly_the_after(
        self, rewrite: Rewrite, example: Example, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        if rewrite.code in BEHIND:
            monkeypatch.setattr(rewrites, "CATALOG", (rewrite,))
        found = [f for f in findings(example.before, rewrite.code) if f.fix is not None]
        assert found
        assert edits.apply_fixes(example.before, found).text == example.after

    def test_after_is_silent(self, rewrite: Rewrite, example: Example) -> None:
        found = {finding.code for finding in findings(example.after)}
        assert found <= GOES_ON.get(rewrite.code, set())

    def test_before_and_after_agree(self, rewrite: Rewrite, example: Example) -> None:
        assert example.cases, "an example without cases"
        for arguments in cases(example):
            first, second = [list(map(fresh, arguments)) for _ in range(2)]
            old = last_function(example.before)(*first)
            new = last_function(example.after)(*second)
            close(new, old)
            outputs = [[t for t in (out if isinstance(out, tuple) else (out,))
                        if isinstance(t, torch.Tensor) and t.requires_grad]
                       for out in (old, new)]  # fmt: skip
            leaves = [[t for t in side if isinstance(t, torch.Tensor) and t.requires_grad]
                      for side in (first, second)]  # fmt: skip
            if outputs[0] and leaves[0]:
                before, after = (
                    torch.autograd.grad(
                        sum((t * t.detach().cos()).sum() for t in out), side, allow_unused=True
                    )
                    for out, side in zip(outputs, leaves, strict=True)
                )
                for one, two in zip(before, after, strict=True):
                    assert (one is None) == (two is None)
                    if one is not None:
                        torch.testing.assert_close(two, one, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize(
    ("rewrite", "refused"), REFUSED, ids=lambda x: getattr(x, "name", getattr(x, "condition", ""))
)
def test_refused_for_its_condition_alone(rewrite: Rewrite, refused: RefusedExample) -> None:
    compile(refused.source, "refused.py", "exec")
    given = answers(rewrite, refused.source)
    assert not [answer for answer in given if isinstance(answer, Match) and answer.edits]
    conditions = {answer.condition for answer in given if isinstance(answer, Refused)}
    assert refused.condition in conditions, conditions
    waived = answers(rewrite, refused.source, frozenset({refused.condition}))
    others = {answer.condition for answer in waived if isinstance(answer, Refused)}
    assert any(isinstance(answer, Match) for answer in waived), others


@pytest.mark.parametrize(("rewrite", "text"), UNMATCHED, ids=lambda x: getattr(x, "name", ""))
def test_near_misses_do_not_match(rewrite: Rewrite, text: str) -> None:
    compile(text, "unmatched.py", "exec")
    assert not answers(rewrite, text)
    assert not findings(text, rewrite.code)
