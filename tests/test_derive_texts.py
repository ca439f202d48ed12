"""Texts that a loop joins are no numbers that it adds up."""

from __future__ import annotations

import pytest

from auditor.audit import Options, audit_text

LOOP = """
def f(layer, items, obj, label):
    {before}
    for w in items:
        {step}
    return layer
"""


def folds(before: str, step: str) -> bool:
    report = audit_text(LOOP.format(before=before, step=step), "program.py", Options())
    return any(one.code == "ASC111" for one in report.findings)


@pytest.mark.parametrize(
    ("before", "step"),
    (
        ("pad = obj.label(2).replace('a', 'b')", "layer[w.key] += pad"),
        ("pad = obj.label(2).strip()", "layer[w.key] = layer[w.key] + pad"),
        ("pad = f'{obj}'", "layer[w.key] += pad"),
        ("pass", "layer[w.key] += str(w.size)"),
        ("pass", "layer[w.key] += label + '.'"),
        ("pass", "layer[w.key] += 'x' if w.size else 'y'"),
    ),
)
def test_texts_are_no_numbers(before: str, step: str) -> None:
    assert not folds(before, step)


@pytest.mark.parametrize(
    ("before", "step"),
    (
        ("pass", "layer[w.key] += label"),
        ("pass", "layer[w.key] += w.size"),
        ("pad = obj.size", "layer[w.key] += pad"),
        ("pass", "layer[w.key.lower() + '.'] += w.size"),
    ),
)
def test_numbers_by_texts_are_folded(before: str, step: str) -> None:
    assert folds(before, step)
