"""What is computed again: equal terms are found by what they compute, and nothing is shared or kept
that something in between, another name or a caller could change."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from auditor import audit
from auditor.writing import edits

_HEAD = """\
import random

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


"""


def found(text: str) -> list[Any]:
    report = audit.audit_text(_HEAD + text, "example.py", audit.Options())
    assert not report.problems, report.problems
    return [finding for finding in report.findings if finding.code.startswith("RED50")]


SILENT = {
    "a list holds the array that is written": """\
def f(x: np.ndarray):
    xs = []
    xs.append(x)
    a = np.sort(x)
    xs[0][0] = 9
    return a.sum() + np.sort(x).max()
""",
    "a property may give something else": """\
class M:
    def f(self):
        return np.linalg.norm(self.w) + np.linalg.norm(self.w)

    @property
    def w(self):
        return np.random.rand(3)
""",
    "a choice between it and nothing": """\
def f(x: np.ndarray, c: bool):
    u = np.exp(x).sum()
    y = x if c else None
    y[0] = 3
    return u + np.exp(x).sum()
""",
    "out of a container": """\
def f(x: np.ndarray):
    u = np.exp(x).sum()
    y = {"a": x}["a"]
    y[0] = 3
    return u + np.exp(x).sum()
""",
    "rows taken apart": """\
def f(x: np.ndarray):
    u = np.exp(x).sum()
    first, *rest = x
    rest[0][0] = 7
    return u + np.exp(x).sum()
""",
    "what a call gives": """\
def f(x: np.ndarray):
    def get():
        return x

    u = np.exp(x).sum()
    get()[0] = 3
    return u + np.exp(x).sum()
""",
    "an iterator over its numbers": """\
def f(x: np.ndarray):
    flat = x.flat
    for i in range(len(x)):
        flat[i] = flat[i] / np.linalg.norm(x)
    return x
""",
    "halves": """\
def f(x: np.ndarray):
    p, q = np.split(x, 2)
    for i in range(3):
        p[:] = p / np.linalg.norm(x)
    return x
""",
    "another name for what the loop writes": """\
def f(x: np.ndarray):
    y = x
    for i in range(len(x)):
        y[i] = y[i] / np.linalg.norm(x)
    return y
""",
    "a view of what the loop writes": """\
def f(x: np.ndarray):
    y = x[1:]
    for i in range(len(y)):
        y[i] /= np.linalg.norm(x)
    return y
""",
    "one of two that may be one": """\
def f(x: np.ndarray):
    y = np.asarray(x)
    for i in range(len(x)):
        y[i] = 1 / np.linalg.norm(x)
    return y
""",
    "a property binds the attribute again": """\
class Net:
    def __init__(self, w):
        self.w = w

    @property
    def p(self):
        self.w = self.w + 1
        return self.w

    def f(self, n: int):
        assert n > 0
        s = 0
        for _ in range(n):
            s += np.exp(self.w).sum()
            self.p
        return s
""",
    "a closure writes": """\
def f(x: np.ndarray):
    def bump():
        x[0] += 1

    a = np.linalg.norm(x)
    bump()
    return a + np.linalg.norm(x)
""",
    "written through `out`": """\
def f(x: torch.Tensor):
    a = x.exp()
    b = x.exp()
    torch.add(b, 1, out=b)
    return a.sum() + b.sum()
""",
    "a batch norm counts": """\
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.bn = nn.BatchNorm1d(4)

    def forward(self, x):
        return self.bn(x).softmax(-1) * self.bn(x).softmax(-1).amax(0)
""",
    "dropout in a module": """\
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.drop(x).softmax(-1) * self.drop(x).softmax(-1).amax(0)
""",
    "one with and one without a gradient": """\
def f(w: torch.Tensor):
    return (torch.softmax(w, -1) * torch.softmax(w.detach(), -1)).sum()
""",
    "another dtype": """\
def f(w: torch.Tensor):
    return (w.softmax(-1) * w.softmax(-1, dtype=torch.float64)).sum()
""",
    "a keyword apart": """\
def f(w: np.ndarray):
    return np.quantile(w, 0.5, method="lower") + np.quantile(w, 0.5, method="higher")
""",
    "evaluated later": """\
def f(x: np.ndarray):
    a = np.linalg.norm(x)
    g = lambda: np.linalg.norm(x)
    x[0] = 5
    return g() + a
""",
    "perhaps not evaluated": """\
def f(a: np.ndarray, flag):
    x = np.linalg.inv(a).sum() if flag else 0
    return x + np.linalg.inv(a).max()
""",
    "stable and naive": """\
def f(x: torch.Tensor):
    e = torch.exp(x)
    return (e / e.sum(-1, keepdim=True)).amax(0) + torch.softmax(x, -1).amin(0)
""",
    "another name of the list grows": """\
def f(xs: list):
    ys = xs
    out = []
    for x in range(3):
        ys.append(x)
        out.append(x / sum(xs))
    return out
""",
    "names change places": """\
def f(a: np.ndarray, b: np.ndarray):
    for _ in range(3):
        n = np.linalg.norm(a)
        a, b = b, a / n
    return a
""",
    "an iterator": """\
def f(xs: list):
    m = map(float, xs)
    out = []
    for x in xs:
        out.append(x / sum(m))
    return out
""",
    "caught where it is raised": """\
def f(a: np.ndarray):
    out = 0
    for i in range(3):
        try:
            out += np.linalg.inv(a)[i, i]
        except np.linalg.LinAlgError:
            out -= 1
    return out
""",
    "an object that has what the term reads": """\
class Queue:
    def __init__(self, waiting):
        self.waiting = waiting


def f(xs, ys):
    queue = Queue(ys)
    out = []
    for x in xs:
        out.append(np.exp(np.asarray(ys)).sum())
        queue.waiting.append(x)
    return out
""",
    "recursion that draws": """\
def f(n: int):
    if n < 2:
        return random.random()
    return f(n - 1) + f(n - 2)
""",
    "recursion to arrays": """\
def f(n: int):
    if n < 2:
        return np.eye(2)
    return f(n - 1) @ f(n - 2)
""",
    "recursion that writes down": """\
def outer(n):
    log = []

    def f(i: int):
        log.append(i)
        return 1 if i < 2 else f(i - 1) + f(i - 2)

    return f(n), log
""",
    "recursion that is handed out": """\
def outer(xs):
    def f(i: int):
        if i >= len(xs):
            return 0
        return max(f(i + 1), xs[i] + f(i + 2))

    return f
""",
    "one call a way": """\
def f(n: int) -> int:
    if n < 2:
        return 1
    if n % 2:
        if n > 9:
            return f(n - 1)
        return f(n - 3)
    return f(n // 2)
""",
}

FOUND = {
    "in a string": ("RED502", """\
def f(w: np.ndarray):
    return f"{np.linalg.det(w):.2f} and {np.linalg.det(w)}"
"""),
    "a condition and its branch": ("RED502", """\
def f(x: np.ndarray):
    if np.linalg.matrix_rank(x) > 2:
        return np.linalg.matrix_rank(x) + 1
    return 0
"""),
    "a name that is bound again": ("RED502", """\
def f(x: np.ndarray):
    a = np.linalg.norm(x)
    t = a + 1
    a = 7
    return np.linalg.norm(x) + a + t
"""),
    "a layer and a function": ("RED502", """\
def shares(x):
    return torch.softmax(x, -1)


def f(x: torch.Tensor):
    z = x
    return shares(x).sum(0) + F.softmax(z, dim=-1).amax(0)
"""),
    "the condition of a loop": ("RED501", """\
def f(x: np.ndarray):
    i = 0
    while i < np.linalg.norm(x):
        i += 1
    return i
"""),
    "a comprehension over what is there": ("RED501", """\
def f(w: np.ndarray):
    return [x * np.exp(w).sum() for x in (1, 2, 3)]
"""),
    "a range of places": ("RED503", """\
def f(dims: tuple, i: int, j: int) -> int:
    if i + 1 >= j:
        return 0
    ways = (f(dims, i, k) + f(dims, k, j) + dims[i] * dims[k] for k in range(i + 1, j))
    return min(ways)
"""),
    "one of several cases": ("RED503", """\
def f(n: int) -> int:
    match n:
        case 0 | 1:
            return n
        case _:
            return f(n - 1) + f(n - 2)
"""),
}  # fmt: skip


@pytest.mark.parametrize("text", SILENT.values(), ids=SILENT.keys())
def test_left_alone(text: str) -> None:
    compile(_HEAD + text, "example.py", "exec")
    assert not found(text)


APART = {
    "`y` and `x` do not overlap": """\
def f(x: np.ndarray, y: np.ndarray):
    u = np.exp(x).sum()
    y[0] = 0
    return u + np.exp(x).sum()
""",
    "`ys` and `x` do not overlap": """\
def f(x: np.ndarray, ys):
    u = np.exp(x).sum()
    for y in ys:
        y += 1
    return u + np.exp(x).sum()
""",
    "`other.w` and `self.w` do not overlap": """\
class Net:
    def f(self, n: int, other):
        assert n > 0
        s = 0
        for _ in range(n):
            s += np.exp(self.w).sum()
            other.w[0] += 1
        return s
""",
    "`other` and `self` are two objects": """\
class Net:
    def f(self, n: int, other):
        assert n > 0
        s = 0
        for _ in range(n):
            s += np.exp(self.w).sum()
            other.w = other.w + 1
        return s
""",
    "": """\
def f(x: np.ndarray, y: np.ndarray):
    u = np.exp(x).sum()
    z = np.zeros(3)
    z[0] = y[1]
    count = 0
    count += 1
    return u + np.exp(x).sum() + z
""",
}


@pytest.mark.parametrize(("sentence", "text"), APART.items())
def test_what_is_assumed_of_what_is_written(sentence: str, text: str) -> None:
    (finding,) = found(text)
    assert finding.fix.applicability == "safe"
    assert finding.fix.reason == (f"assumes that {sentence}" if sentence else None)


@pytest.mark.parametrize(("code", "text"), FOUND.values(), ids=FOUND.keys())
def test_found_and_gone_once_it_is_mended(code: str, text: str) -> None:
    (finding,) = found(text)
    assert finding.code == code and finding.fix.applicability == "safe", finding
    mended = edits.apply_fixes(_HEAD + text, [finding]).text
    report = audit.audit_text(mended, "example.py", audit.Options())
    assert not [one for one in report.findings if one.code.startswith("RED50")]


@pytest.mark.parametrize("calls", [(3, 3.0, True), (True, 3, 3.0)])
def test_arguments_of_another_type_keep_their_own_results(calls: tuple[Any, ...]) -> None:
    """Where nothing says what a parameter is, equal arguments of another type are told apart."""
    text = "def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\n"
    (finding,) = found(text)
    mended = edits.apply_fixes(_HEAD + text, [finding]).text
    old: dict[str, Any] = {}
    new: dict[str, Any] = {}
    exec(compile(_HEAD + text, "old.py", "exec"), old)
    exec(compile(mended, "new.py", "exec"), new)
    for n in calls:
        was, now = old["fib"](n), new["fib"](n)
        assert was == now and type(was) is type(now)


def test_equal_numbers_of_terms_are_equal_values() -> None:
    """Terms that the audit shares give the same numbers, whatever spells them."""
    text = """\
def f(x: np.ndarray, y: np.ndarray):
    n, k = x.shape
    k, m = y.shape
    first = x @ y
    return first.max(axis=0) + np.einsum("ik,kj->ij", x, y).min(axis=0) + np.dot(x, y).std(axis=0)
"""
    (finding,) = found(text)
    mended = edits.apply_fixes(_HEAD + text, [finding]).text
    assert mended.count("first") == 4
    old: dict[str, Any] = {}
    new: dict[str, Any] = {}
    exec(compile(_HEAD + text, "old.py", "exec"), old)
    exec(compile(mended, "new.py", "exec"), new)
    x, y = np.random.default_rng(0).normal(size=(2, 4, 4))
    np.testing.assert_allclose(new["f"](x, y), old["f"](x, y), rtol=1e-12)


_RECURSION = """\
def fib(n: int) -> int:
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)
"""


@pytest.mark.parametrize(
    "above, below, decorator, imports",
    [
        ("from functools import cache", "", "@cache", 0),
        ("from functools import cache as kept", "", "@kept", 0),
        ("import functools as ft", "", "@ft.cache", 0),
        ("", "from functools import cache", "@functools.cache", 1),  # not there yet
        ("from functools import cache", "def cache(f): pass", "@functools.cache", 1),
    ],
)
def test_a_cache_is_called_as_the_file_imports_it(
    above: str, below: str, decorator: str, imports: int
) -> None:
    text = f"{above}\n\n\n{_RECURSION}\n\n{below}\n"
    report = audit.audit_text(text, "example.py", audit.Options())
    (fix,) = (finding.fix for finding in report.findings if finding.code == "RED503")
    assert fix.edits[0].content.strip() == decorator
    assert len(fix.imports) == imports


NO_STEP = "`np.linalg.inv(a)` raises nothing where the loop takes no step"


@pytest.mark.parametrize(
    ("start", "sentence"), [("", NO_STEP), ("    assert n > 0\n", None), ("    n = 3\n", None)]
)
def test_what_is_assumed_where_a_loop_may_take_no_step(start: str, sentence: str | None) -> None:
    (finding,) = found(
        f"def f(a: np.ndarray, x: np.ndarray, n: int):\n{start}"
        "    for _ in range(n):\n        x = x + np.linalg.inv(a) @ x\n    return x\n"
    )
    assert finding.code == "RED501" and finding.fix.applicability == "safe"
    assert finding.fix.reason == (f"assumes that {sentence}" if sentence else None)


def test_numbers_are_chosen_where_a_file_has_no_arrays() -> None:
    text = "def f(n: int) -> int:\n    return 1 if n < 2 else f(n - 1) + f(n - 2)\n"
    (finding,) = audit.audit_text(text, "numbers.py", audit.Options()).findings
    assert finding.code == "RED503" and finding.fix.reason is None


def test_a_recursion_with_several_statements_in_a_line_is_remembered() -> None:
    text = """
def f(n: int):
    a = [n]; a += [1]
    if n < 2:
        return n
    return f(n - 1) + f(n - 2)
"""
    report = audit.audit_text(text, "f.py", audit.Options())
    assert not report.problems
    assert [one.code for one in report.findings] == ["RED503"]
