"""Lambdas that are kept are read as functions; only expressions are put into them."""

from __future__ import annotations

import ast

import pytest
import torch

from auditor import audit
from auditor.verdict import Finding
from auditor.writing.edits import apply_edits, completed

_SOFTMAX = (
    "torch.exp(x - x.amax(-1, keepdim=True)) "
    "/ torch.exp(x - x.amax(-1, keepdim=True)).sum(-1, keepdim=True)"
)
_KEPT = {
    "named": f"f = lambda x: {_SOFTMAX}",
    "annotated": f"f: object = lambda x: {_SOFTMAX}",
    "in a dictionary": f'table = {{"a": lambda x: {_SOFTMAX}}}\nf = table["a"]',
    "in a list": f"f, g = [lambda x: {_SOFTMAX}, None]",
    "chosen": f"f = (lambda x: {_SOFTMAX}) if torch else None",
    "in brackets": f"f = lambda x: (\n    {_SOFTMAX}\n)",
    "on several lines": f"f = (\n    lambda x:\n    {_SOFTMAX}\n)",
    "returned": f"def made():\n    return lambda x: {_SOFTMAX}\n\nf = made()",
    "within a function": f"def f(y):\n    g = lambda x: {_SOFTMAX}\n    return g(y)",
    "on an object": f"class F:\n    pass\n\nF.f = lambda self, x: {_SOFTMAX}\nf = F().f",
    "a method": f"class F:\n    f = lambda self, x: {_SOFTMAX}\n\nf = F().f",
}
_OTHERS = {
    "handed on": f"f = torch.vmap(lambda x: {_SOFTMAX})",
    "in a comprehension": f"f, = [lambda x: {_SOFTMAX} for _ in range(1)]",
    "of its own torch": f"def made(torch):\n    return lambda x: {_SOFTMAX}\n\nf = made(torch)",
    "of nothing": "f = lambda: torch.ones(3)",
}


def _findings(text: str) -> list[Finding]:
    return list(audit.audit_text(text, "program.py", audit.Options()).findings)


def _run(text: str, x: torch.Tensor) -> torch.Tensor:
    names: dict[str, object] = {}
    exec(compile(text, "program.py", "exec"), names)
    out = names["f"](x)  # type: ignore[operator]
    assert isinstance(out, torch.Tensor)
    return out


@pytest.mark.parametrize("name", _KEPT)
def test_what_is_kept_is_rewritten(name: str) -> None:
    text = f"import torch\n\n{_KEPT[name]}\n"
    (finding,) = _findings(text)
    assert finding.code == "ASC107"
    assert finding.fix is not None
    after = apply_edits(text, completed(text, ast.parse(text), finding.fix))
    assert "online_softmax(x, -1)" in after
    x = torch.randn(3, 5, dtype=torch.float64)
    torch.testing.assert_close(_run(after, x), _run(text, x))


@pytest.mark.parametrize("name", _OTHERS)
def test_what_is_given_by_others_is_not(name: str) -> None:
    assert not _findings(f"import torch\n\n{_OTHERS[name]}\n")


def test_no_statement_is_put_before_a_lambda() -> None:
    """The inverse would be given a name in a line of its own, where there is no ``x``."""
    body = "np.linalg.inv(x) + 2 * np.linalg.inv(x)"
    (told,) = _findings(f"import numpy as np\n\ndef f(x):\n    return {body}\n")
    assert told.fix is not None
    assert not any(one.fix for one in _findings(f"import numpy as np\n\nf = lambda x: {body}\n"))


def test_a_name_of_the_function_around_is_not_the_modules() -> None:
    body = f"def f(y):\n    torch = y\n    g = lambda x: {_SOFTMAX}\n    return g\n"
    assert not _findings(f"import torch\n\n{body}")
