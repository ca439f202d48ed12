# ruff: noqa: E501
"""Loops that fold, in many guises: the fixed program gives what the loop gave, and what must be
refused is."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
import torch

from auditor import audit
from auditor.writing import edits

HEADERS = {
    "list": "from __future__ import annotations\nimport math\n",
    "numpy": "import numpy as np\n",
    "torch": "import torch\n",
}


@pytest.fixture(autouse=True)
def _whether_it_pays_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a fix means is looked at here; over lists some are not offered, since they gain nothing."""
    monkeypatch.setattr("auditor.findings.predict", lambda *_: None)
    monkeypatch.setattr("auditor.folds.lists.gain", lambda *_: 1.0)


def findings(text: str, code: str = "ASC106") -> list[Any]:
    report = audit.audit_text(text, "program.py", audit.Options())
    assert not report.problems, report.problems
    return [finding for finding in report.findings if finding.code == code]


def fixed(text: str, code: str = "ASC106") -> str:
    """The program with its safe fixes."""
    found = [f for f in findings(text, code) if f.fix is not None and f.fix.applicability == "safe"]
    assert found, f"nothing was found in\n{text}"
    applied = edits.apply_fixes(text, found)
    assert not findings(applied.text, code), f"found again in\n{applied.text}"
    return applied.text


def run(text: str, arguments: tuple[Any, ...]) -> Any:
    space: dict[str, Any] = {}
    exec(compile(text, "program.py", "exec"), space)
    return space["f"](*arguments)


def copies(values: tuple[Any, ...]) -> tuple[Any, ...]:
    def copy(value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            return value.detach().clone().requires_grad_(value.requires_grad)
        return value.copy() if isinstance(value, (list, np.ndarray, dict)) else value

    return tuple(map(copy, values))


def leaves(value: Any) -> list[Any]:
    if isinstance(value, (tuple, list)):
        return [leaf for item in value for leaf in leaves(item)]
    return [value]


def agree(before: str, after: str, arguments: tuple[Any, ...]) -> None:
    """Same types, shapes, dtypes, values and gradients."""
    first, second = copies(arguments), copies(arguments)
    old, new = leaves(run(before, first)), leaves(run(after, second))
    assert len(old) == len(new)
    for a, b in zip(old, new, strict=True):
        assert type(a) is type(b), f"{type(a)} became {type(b)}\n{after}"
        if isinstance(a, torch.Tensor):
            assert a.dtype == b.dtype and a.shape == b.shape, after
            torch.testing.assert_close(b, a)
            assert a.requires_grad == b.requires_grad
            if a.requires_grad:
                old_leaves = [x for x in first if isinstance(x, torch.Tensor) and x.requires_grad]
                new_leaves = [x for x in second if isinstance(x, torch.Tensor) and x.requires_grad]
                one = torch.autograd.grad(a.sum(), old_leaves, retain_graph=True, allow_unused=True)
                two = torch.autograd.grad(b.sum(), new_leaves, retain_graph=True, allow_unused=True)
                for x, y in zip(one, two, strict=True):
                    assert (x is None) == (y is None)
                    if x is not None:
                        torch.testing.assert_close(y, x)
        elif isinstance(a, (float, np.floating)):
            assert math.isclose(a, b, rel_tol=1e-5, abs_tol=1e-6) or a == b, after
        elif isinstance(a, np.ndarray):
            assert a.dtype == b.dtype
            np.testing.assert_allclose(b, a, rtol=1e-5)
        else:
            assert a == b, after


def indent(body: str) -> str:
    return "".join(f"    {line}\n" for line in body.strip("\n").splitlines())


def function(header: str, signature: str, body: str) -> str:
    return f"{HEADERS[header]}\n\ndef f({signature}):\n{indent(body)}"


# ---------------------------------------------------------------- lists

ITERATIONS = {
    "elements": ("for v in xs:", "v"),
    "indices": ("for i in range(len(xs)):", "xs[i]"),
    "enumerate": ("for i, v in enumerate(xs):", "v"),
    "tail": ("for v in xs[1:]:", "v"),
    "from one": ("for i in range(1, len(xs)):", "xs[i]"),
    "strided": ("for i in range(0, len(xs), 2):", "xs[i]"),
    "backwards": ("for v in reversed(xs):", "v"),
}

FOLDS = {
    "sum": ("s = 0", "s += {v}"),
    "float sum": ("s = 0.0", "s = s + {v} * {v}"),
    "right sum": ("s = 0.0", "s = {v} + s"),
    "difference": ("s = 10.0", "s -= {v}"),
    "two addends": ("s = 0.0", "s = s + {v} + 1"),
    "from a number": ("s = 2.5", "s += {v}"),
    "product": ("s = 1", "s *= {v}"),
    "float product": ("s = 1.0", "s = {v} * s"),
    "count": ("s = 0", "if {v} > 0:\n        s += 1"),
    "count else": ("s = 0", "if {v} > 0:\n        pass\n    else:\n        s += 1"),
    "guarded": ("s = 0", "if {v} > 0 and {v} < 2:\n        s += {v}"),
    "skipped": ("s = 0", "if not {v} > 0:\n        continue\n    s += {v}"),
    "builtin max": ("s = 0.0", "s = max(s, {v})"),
    "compare max": ("s = float('-inf')", "if {v} > s:\n        s = {v}"),
    "mirrored": ("s = -math.inf", "if s < {v}:\n        s = {v}"),
    "choice": ("s = 1.0", "s = {v} if {v} < s else s"),
    "other choice": ("s = 1.0", "s = s if {v} >= s else {v}"),
    "none": ("s = None", "if s is None or {v} < s:\n        s = {v}"),
    "flag": ("s = False", "if {v} > 1:\n        s = True"),
    "stopping flag": ("s = True", "if {v} > 1:\n        s = False\n        break"),
    "flag or": ("s = False", "s = s or {v} > 1"),
    "flag and": ("s = True", "s = s and {v} > -1"),
    "temporary": ("s = 0.0", "d = {v} - 1\n    s += d * 2"),
}

NUMBERS = ([], [1.5], [-2.0, -1.0], [0.25, -1.5, 2.0, 1.0, -0.5, 0.75], [3, 1, 2, 0])


@pytest.mark.parametrize(
    ("walk", "fold"),
    list(itertools.product(ITERATIONS, FOLDS)),
    ids=lambda name: name.replace(" ", "-"),
)
def test_lists(walk: str, fold: str) -> None:
    loop, element = ITERATIONS[walk]
    start, step = FOLDS[fold]
    body = f"{start}\n{loop}\n    {step.format(v=element)}\nreturn s"
    before = function("list", "xs: list[float]", body)
    if walk == "indices" and fold == "none":
        assert findings(before)
    after = fixed(before)
    for numbers in NUMBERS:
        agree(before, after, (numbers,))


EXTREMA = {
    "first": "m = xs[0]\nfor v in xs:\n    if v > m:\n        m = v\nreturn m",
    "index": "m = xs[0]\nfor i in range(1, len(xs)):\n    if xs[i] < m:\n        m = xs[i]\nreturn m",
    "call": "m = xs[0]\nfor v in xs[1:]:\n    m = min(m, v)\nreturn m",
    "place": (
        "m, k = xs[0], 0\nfor i, v in enumerate(xs):\n    if v > m:\n        m, k = v, i\nreturn m, k"
    ),
    "place by place": "k = 0\nfor i in range(1, len(xs)):\n    if xs[i] > xs[k]:\n        k = i\nreturn k",
    "both": (
        "lo = hi = xs[0]\nfor v in xs:\n    if v > hi:\n        hi = v\n    if v < lo:\n        lo = v\n"
        "return lo, hi"
    ),
    "several": (
        "n = 0\ns = 0.0\nq = 0.0\nfor v in xs:\n    n += 1\n    s += v\n    q += v * v\nreturn n, s, q"
    ),
}


@pytest.mark.parametrize("name", EXTREMA)
def test_lists_that_are_not_empty(name: str) -> None:
    before = function("list", "xs: list[float]", EXTREMA[name])
    after = fixed(before)
    for numbers in [*NUMBERS[1:], [1.0, 5.0, 5.0, -3.0, -3.0]]:
        agree(before, after, (numbers,))


SEARCHES = {
    "any": "for v in xs:\n    if v > 1:\n        return True\nreturn False",
    "all": "for v in xs:\n    if not v > 1:\n        return False\nreturn True",
    "none": "for v in xs:\n    if v > 1:\n        return False\nreturn True",
    "nested": "for a in xs:\n    for b in xs:\n        if a + b == 0:\n            return True\nreturn False",
    "guarded": "for v in xs:\n    if v > 0:\n        if v > 1:\n            return True\nreturn False",
}


@pytest.mark.parametrize("name", SEARCHES)
def test_searches(name: str) -> None:
    before = function("list", "xs: list[float]", SEARCHES[name])
    after = fixed(before)
    for numbers in NUMBERS:
        agree(before, after, (numbers,))


# ---------------------------------------------------------------- arrays

ARRAYS = {
    "sum": "s = 0.0\nfor i in range(x.shape[0]):\n    s = s + x[i]\nreturn s",
    "augmented": "s = 0.0\nfor i in range(len(x)):\n    s += 2 * x[i]\nreturn s",
    "elements": "s = 0.0\nfor row in x:\n    s = s + row * row\nreturn s",
    "enumerate": "s = 0.0\nfor i, row in enumerate(x):\n    s = s + row * w[i]\nreturn s",
    "neighbours": "s = 0.0\nfor i in range(1, len(x)):\n    s = s + (x[i] - x[i - 1]) ** 2\nreturn s",
    "ahead": "s = 0.0\nfor i in range(len(x) - 1):\n    s = s + x[i + 1] * x[i]\nreturn s",
    "strided": "s = 0.0\nfor i in range(0, len(x), 2):\n    s = s + x[i]\nreturn s",
    "part": "s = 0.0\nfor i in range(n):\n    s = s + x[i]\nreturn s",
    "product": "s = 1.0\nfor i in range(len(x)):\n    s = s * x[i]\nreturn s",
    "dot": "s = 0.0\nfor i in range(len(x)):\n    s += x[i] * w[i]\nreturn s",
    "two": "s = 0.0\nq = 0.0\nfor v in x:\n    s += v\n    q += v * v\nreturn s, q",
    "offset": "s = 1.5\nfor v in x:\n    s += v\nreturn s",
    "minus": "s = 1.5\nfor v in x:\n    s -= v\nreturn s",
    "count": "s = 0\nfor i in range(len(x)):\n    if x[i] > 0:\n        s += 1\nreturn s",
    "guarded": "s = 0.0\nfor i in range(len(x)):\n    if x[i] > -5:\n        s += x[i]\nreturn s",
    "flag": "s = False\nfor i in range(len(x)):\n    if x[i] > 1:\n        s = True\nreturn s",
    "search": "for i in range(len(x)):\n    if x[i] > 1:\n        return True\nreturn False",
    "maximum": "m = x[0]\nfor i in range(1, len(x)):\n    if x[i] > m:\n        m = x[i]\nreturn m",
    "minimum": "m = x[0]\nfor v in x:\n    m = min(m, v)\nreturn m",
    "from -inf": "m = -float('inf')\nfor v in x:\n    if v > m:\n        m = v\nreturn m",
    "from 0": "m = 0.0\nfor v in x:\n    m = max(m, v)\nreturn m",
    "place": (
        "m, k = x[0], 0\nfor i in range(len(x)):\n    if x[i] > m:\n        m, k = x[i], i\nreturn m, k"
    ),
    "place by place": (
        "k = 0\nfor i in range(1, len(x)):\n    if x[i] < x[k]:\n        k = i\nreturn k"
    ),
    "while": "s = 0.0\ni = 0\nwhile i < len(x):\n    s += x[i]\n    i += 1\nreturn s",
}  # fmt: skip

TYPES = {"torch": "torch.Tensor", "numpy": "np.ndarray"}


def array(library: str, values: Any, dtype: str) -> Any:
    if library == "numpy":
        return np.array(values, dtype=dtype)
    made = torch.tensor(values, dtype=getattr(torch, dtype))
    return made.requires_grad_() if made.is_floating_point() else made


@pytest.mark.parametrize(
    ("library", "name"),
    list(itertools.product(TYPES, ARRAYS)),
    ids=lambda name: name.replace(" ", "-"),
)
def test_vectors(library: str, name: str) -> None:
    kind = TYPES[library]
    before = function(library, f"x: {kind}, w: {kind}, n: int", ARRAYS[name])
    after = fixed(before)
    (finding,) = findings(before)
    assumes = finding.fix.reason or ""
    rng = np.random.default_rng(3)
    for size in (1, 2, 9):
        values = rng.permutation(size) / 3 - 1
        for dtype in ("float32", "float64"):
            x, w = array(library, values, dtype), array(library, rng.random(size), dtype)
            if size > 1 or "at least once" not in assumes:
                agree(before, after, (x, w, max(size - 1, 1)))
        if size > 1 and "integers" not in assumes and name not in ("product", "offset"):
            x = array(library, rng.integers(-3, 3, size), "int32")
            agree(before, after, (x, array(library, rng.integers(0, 3, size), "int32"), size))


@pytest.mark.parametrize("library", TYPES)
@pytest.mark.parametrize("name", ["count", "flag", "search", "from -inf", "from 0"])
def test_empty_vectors(library: str, name: str) -> None:
    kind = TYPES[library]
    before = function(library, f"x: {kind}, w: {kind}, n: int", ARRAYS[name])
    empty = array(library, [], "float32")
    agree(before, fixed(before), (empty, empty, 0))


MATRICES = {
    "columns": "h = torch.zeros(x.shape[0])\nfor t in range(x.shape[1]):\n    h = h + x[:, t].sum(-1)\nreturn h",
    "rows": "h = torch.zeros_like(x[0])\nfor t in range(x.shape[0]):\n    h += x[t]\nreturn h",
    "everything": "h = 0.0\nfor t in range(x.shape[1]):\n    h = h + (x[:, t] ** 2).sum()\nreturn h",
    "mean": "h = 0.0\nfor t in range(x.shape[1]):\n    h = h + x[:, t].mean(-1)\nreturn h / x.shape[1]",
    "maximum": (
        "h = x[:, 0]\nfor t in range(1, x.shape[1]):\n    h = torch.maximum(h, x[:, t])\nreturn h"
    ),
    "last": "h = 0.0\nfor t in range(x.shape[-1]):\n    h = h + x[..., t] * 2\nreturn h",
    "fixed": "h = 0.0\nfor t in range(x.shape[1]):\n    h = h + x[:, t] * w\nreturn h",
    "softmax": "h = 0.0\nfor t in range(x.shape[0]):\n    h = h + x[t].softmax(-1)\nreturn h",
    "weights": "h = 0.0\nfor t in range(x.shape[0]):\n    h = h + v[t] * x[t]\nreturn h",
    "temporary": (
        "h = 0.0\nfor t in range(x.shape[1]):\n    part = torch.exp(x[:, t])\n    h = h + part * 2\nreturn h"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MATRICES)
def test_tensors_of_three_axes(name: str) -> None:
    head = "a, b, c = x.shape\n(d,) = w.shape\n(e,) = v.shape\n"
    before = function("torch", "x: torch.Tensor, w: torch.Tensor, v: torch.Tensor",
                      head + MATRICES[name])  # fmt: skip
    after = fixed(before)
    for shape in ((1, 1, 1), (2, 5, 3), (4, 2, 6)):
        x = torch.randn(shape, requires_grad=True)
        agree(before, after, (x, torch.randn(shape[2]), torch.randn(shape[0])))


REFUSED = {
    "suppressed": ("list", "xs: list[str]",
                   "import contextlib\ns = 0\nwith contextlib.suppress(ValueError):\n    for v in xs:\n        s += int(v)\nreturn s"),
    "caught": ("list", "xs: list[str]",
               "s = 0\ntry:\n    for v in xs:\n        s += int(v)\nexcept ValueError:\n    pass\nreturn s"),
    "read once": ("list", "xs: Iterator[int]",
                  "s = False\nfor v in xs:\n    if v > 0:\n        s = True\nreturn s, list(xs)"),
    "mutation": ("torch", "h, x: torch.Tensor", "for row in x:\n    h += row\nreturn h"),
    "start of unknown type": ("list", "xs, s", "for v in xs:\n    s = s + v\nreturn s"),
    "strings": ("list", "xs", "s = ''\nfor v in xs:\n    s += v\nreturn s"),
    "lists": ("list", "xs", "s = []\nfor v in xs:\n    s += v\nreturn s"),
    "set": ("list", "xs", "s = 0.0\nfor v in set(xs):\n    s += v\nreturn s"),
    "print": ("list", "xs: list[int]", "s = 0\nfor v in xs:\n    s += v\n    print(s)\nreturn s"),
    "unknown call": ("list", "xs: list[int], g", "s = 0\nfor v in xs:\n    s += g(v)\nreturn s"),
    "break": ("list", "xs: list[int]",
              "s = 0\nfor v in xs:\n    if v < 0:\n        break\n    s += v\nreturn s"),
    "break on state": ("list", "xs: list[int]",
                       "s = 0\nfor v in xs:\n    s += v\n    if s > 3:\n        break\nreturn s"),
    "leak": ("list", "xs: list[int]", "s = 0\nfor v in xs:\n    s += v\nreturn s, v"),
    "partial sums": ("list", "xs: list[int]",
                     "s = 0\nout = []\nfor v in xs:\n    s += v\n    out.append(s)\nreturn out"),
    "coupled": ("list", "xs: list[float]",
                "s = q = 0.0\nfor v in xs:\n    s += v\n    q += s\nreturn s, q"),
    "last of equals": ("list", "xs",
                       "m = xs[0]\nfor v in xs:\n    if v >= m:\n        m = v\nreturn m"),
    "another key": ("list", "xs: list[float]",
                    "m = 0.0\nfor v in xs:\n    if abs(v) > m:\n        m = v\nreturn m"),
    "int32": ("numpy", "x: np.ndarray",
              "s = np.int32(0)\nfor v in x.astype(np.int32):\n    s = s + v\nreturn s"),
    "random": ("numpy", "x: np.ndarray",
               "s = 0.0\nfor v in x:\n    s += v * np.random.rand()\nreturn s"),
    "generator twice": ("list", "xs",
                        "s = q = 0\nfor v in iter(xs):\n    s += v\n    q += v * v\nreturn s, q"),
    "unequal zip": ("numpy", "x: np.ndarray, w: np.ndarray",
                    "s = 0.0\nfor a, b in zip(x[1:], w):\n    s += a * b\nreturn s"),
    "wrapping": ("numpy", "x: np.ndarray",
                 "s = 0.0\nfor i in range(len(x)):\n    s += x[i] * x[i - 1]\nreturn s"),
    "counter used": ("numpy", "x: np.ndarray",
                     "s = 0.0\nfor i in range(len(x)):\n    s += x[i] * i\nreturn s"),
    "other branch reads the state": ("list", "xs: list[int]",
        "s = 0\nfor v in xs:\n    if s > 3:\n        s += 1\n    else:\n        s += v\nreturn s"),
    "two updates": ("list", "xs: list[int]",
                    "s = 0\nfor v in xs:\n    s += v\n    s *= 2\nreturn s"),
    "else": ("list", "xs: list[int]", "s = 0\nfor v in xs:\n    s += v\nelse:\n    s += 1\nreturn s"),
    "flag read before": ("list", "xs: list[int]",
        "s = False\nn = 0\nfor v in xs:\n    if s:\n        n += 1\n    if v > 2:\n        s = True\nreturn n"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    header, signature, body = REFUSED[name]
    text = function(header, signature, body)
    assert not [f for f in findings(text) if f.fix is not None], fixed(text)


CHANGED_AFTER_THE_START = {
    "rebound": ("list", "xs", "xs = [x * 2 for x in xs]"),
    "shifted": ("list", "xs", "xs = xs[1:]"),
    "element": ("list", "xs", "xs[0] = -100"),
    "popped": ("list", "xs", "xs.pop(0)"),
    "unknown function": ("list", "xs, f=lambda xs: xs.clear()", "f(xs)"),
    "another name": ("list", "xs", "ys = xs\nys[0] = -100"),
    "sometimes": ("list", "xs", "if len(xs) > 2:\n    xs = xs[1:]"),
    "in place": ("numpy", "xs: np.ndarray", "xs -= 100"),
    "copied into": ("numpy", "xs: np.ndarray", "np.copyto(xs, -xs)"),
    "array rebound": ("torch", "xs: torch.Tensor", "xs = xs * 2"),
    "array element": ("numpy", "xs: np.ndarray", "xs[0] = -100"),
    "view": ("numpy", "xs: np.ndarray", "ys = xs[:]\nys -= 100"),
}


@pytest.mark.parametrize("walk", ["for v in xs:\n    if v > m:\n        m = v",
                                  "for i in range(1, len(xs)):\n    m = max(m, xs[i])",
                                  "for v in xs[1:]:\n    m = max(m, v)"])  # fmt: skip
@pytest.mark.parametrize("name", CHANGED_AFTER_THE_START)
def test_a_start_is_not_taken_from_what_has_changed(name: str, walk: str) -> None:
    header, signature, change = CHANGED_AFTER_THE_START[name]
    before = function(header, signature, f"m = xs[0]\n{change}\n{walk}\nreturn m")
    # Whatever is made of the loop, the name is not bound again to what it was bound to.
    after = [fixed(before)] if any(f.fix is not None for f in findings(before)) else []
    assert all("m = xs[0]" in text for text in after), after


def test_a_start_is_taken_across_what_leaves_it_alone() -> None:
    before = function("torch", "x: torch.Tensor",
                      "m = x[:, 0]\nn = x.shape[1]\nprint(n)\ny = x * 2\nfor t in range(1, n):\n"
                      "    m = torch.maximum(m, x[:, t])\nreturn m + y[:, 0]")  # fmt: skip
    assert "m = x.amax(1)" in fixed(before)


PREFIXES = {
    "torch": {
        "append": "s = 0.0\nout = []\nfor t in range(len(x)):\n    s = s + x[t]\n    out.append(s)\nreturn torch.stack(out)",
        "tensor start": "s = torch.zeros(())\nout = []\nfor v in x:\n    s = s + v\n    out.append(s)\nreturn torch.stack(out)",
        "cloned": "s = 0.0\nout = []\nfor v in x:\n    s += v\n    out.append(s.clone())\nreturn torch.stack(out)",
        "product": "s = 1.0\nout = []\nfor v in x:\n    s = s * v\n    out.append(s)\nreturn torch.stack(out)",
        "maximum": "s = -float('inf')\nout = []\nfor v in x:\n    if v > s:\n        s = v\n    out.append(s)\nreturn torch.stack(out)",
        "pairwise": "s = torch.zeros(())\nout = []\nfor v in x:\n    s = torch.maximum(s, v)\n    out.append(s)\nreturn torch.stack(out)",
        "logsumexp": "s = torch.zeros(())\nout = []\nfor v in x:\n    s = torch.logaddexp(s, 2 * v)\n    out.append(s)\nreturn torch.stack(out)",
        "in place": "y = x.clone()\nfor t in range(1, len(x)):\n    y[t] += y[t - 1]\nreturn y",
    },
    "numpy": {
        "append": "assert x.ndim == 1\ns = 0.0\nout = []\nfor v in x:\n    s += v\n    out.append(s)\nreturn np.array(out)",
        "written": "s = 0.0\nout = np.zeros(len(x))\nfor t in range(len(x)):\n    s += x[t]\n    out[t] = s\nreturn out",
        "table": "out = np.zeros(len(x) + 1)\nfor t in range(len(x)):\n    out[t + 1] = out[t] + x[t]\nreturn out",
        "first": "out = np.empty(len(x))\nout[0] = x[0]\nfor t in range(1, len(x)):\n    out[t] = out[t - 1] + x[t]\nreturn out",
        "compound": "out = np.ones(len(x))\nfor t in range(1, len(x)):\n    out[t] = out[t - 1] * (1 + x[t])\nreturn out",
        "maximum": "s = -np.inf\nout = []\nfor v in x:\n    s = max(s, v)\n    out.append(s)\nreturn np.array(out)",
    },
}


@pytest.mark.parametrize(
    ("library", "name"), [(library, name) for library in PREFIXES for name in PREFIXES[library]],
    ids=lambda name: name.replace(" ", "-"),
)  # fmt: skip
def test_prefixes(library: str, name: str) -> None:
    before = function(library, f"x: {TYPES[library]}", PREFIXES[library][name])
    after = fixed(before, "ASC105")
    rng = np.random.default_rng(4)
    for size in (1, 2, 9):
        for dtype in ("float32", "float64") if library == "torch" else ("float64",):
            x = array(library, rng.permutation(size) / 3 - 1, dtype)
            agree(before, after, (x,))


LIST_PREFIXES = {
    "sum": "s = 0\nout = []\nfor v in xs:\n    s += v\n    out.append(s)\nreturn out",
    "float": "s = 0.0\nout = []\nfor v in xs:\n    s = s + v * v\n    out.append(s)\nreturn out",
    "product": "s = 1\nout = []\nfor v in xs:\n    s *= v\n    out.append(s)\nreturn out",
    "maximum": "s = float('-inf')\nout = []\nfor v in xs:\n    s = max(s, v)\n    out.append(s)\nreturn out",
    "listed": "s = 0.0\nout = []\nfor v in list(xs):\n    s += v\n    out.append(s)\nreturn out",
    "made numbers": "s = 0.0\nout = []\nys = sorted(map(float, xs))\nfor v in ys:\n    s += v\n    out.append(s)\nreturn out",
    "reckoned": "s = 0.0\nout = []\nfor v in [2 * i + 1 for i in range(len(xs))]:\n    s += v\n    out.append(s)\nreturn out",
    "not in place": "s = 0\nout = []\nys = [x * 2 for x in xs]\nfor v in list(ys):\n    s = s + v\n    out.append(s)\nreturn out",
    "bounded": "s = 0.5\nout = []\nfor v in xs:\n    if v < s:\n        s = v\n    out.append(s)\nreturn out",
}


@pytest.mark.parametrize("name", LIST_PREFIXES)
def test_prefixes_of_lists(name: str) -> None:
    before = function("list", "xs: list[float]", LIST_PREFIXES[name])
    after = fixed(before, "ASC105")
    for numbers in NUMBERS:
        agree(before, after, (numbers,))


REFUSED_PREFIXES = {
    "in place": (
        "torch",
        "x: torch.Tensor",
        "s = torch.zeros(())\nout = []\nfor v in x.double():\n    s += v\n    out.append(s.clone())\nreturn torch.stack(out)",
    ),
    "aliases": (
        "torch",
        "x: torch.Tensor",
        "s = torch.zeros(3)\nout = []\nfor v in x:\n    s += v\n    out.append(s)\nreturn torch.stack(out)",
    ),
    "before the update": (
        "list",
        "xs: list[int]",
        "s = 0\nout = []\nfor v in xs:\n    out.append(s)\n    s += v\nreturn out",
    ),
    "guarded": (
        "list",
        "xs: list[int]",
        "s = 0\nout = []\nfor v in xs:\n    s += v\n    if v > 0:\n        out.append(s)\nreturn out",
    ),
    "clipped": (
        "list",
        "xs: list[int]",
        "s = 0\nout = []\nfor v in xs:\n    s = max(s + v, 0)\n    out.append(s)\nreturn out",
    ),
    "the list itself": (
        "torch",
        "x: torch.Tensor",
        "s = torch.zeros(())\nout = []\nfor v in x:\n    s = s + v\n    out.append(s)\nreturn out",
    ),
    **{
        f"of arrays by {walk} of {signature}": (
            "list",
            signature,
            f"s = 0\nout = []\nfor v in {walk}:\n    s += v\n    out.append(s)\nreturn out",
        )
        for walk, signature in (
            ("list(xs)", "xs"),
            ("tuple(xs)", "xs"),
            ("sorted(xs)", "xs"),
            ("reversed(list(xs))", "xs"),
            ("list(xs)[1:]", "xs"),
            ("[x * 2 for x in xs]", "xs"),
            ("[np.full(3, i) for i in range(5)]", "xs"),
            ("[xs + i for i in range(5)]", "xs"),
            ("[i * x for i in range(5) for x in xs]", "xs"),
            ("xs", "xs: list[np.ndarray]"),
            ("xs", "xs: list"),
            ("[a, b]", "a, b"),
            ("xs.values()", "xs"),
        )
    },
    "of arrays put in a list before": (
        "list",
        "xs",
        "s = 0\nout = []\nys = []\nfor x in xs:\n    ys.append(x * 2)\nfor v in ys:\n    s += v\n    out.append(s)\nreturn out",
    ),
    "of arrays listed before": (
        "list",
        "xs",
        "s = 0\nout = []\nys = list(xs)\nfor v in ys:\n    s += v\n    out.append(s)\nreturn out",
    ),
    **{
        f"with a last item that has a hook by {hook}": (
            "torch",
            "x: torch.Tensor, seen",
            f"s = torch.zeros(3)\nout = []\nfor v in x:\n    s = s + v\n    out.append(s)\n{hook}\nreturn torch.stack(out)",
        )
        for hook in ("s.register_hook(seen)", "s.retain_grad()", "handle = s.register_hook(seen)")
    },
    **{
        f"stacked under {context}": (
            "torch",
            "x: torch.Tensor, quiet",
            f"s = torch.zeros(3)\nout = []\nfor v in x:\n    s = s + v\n    out.append(s)\nwith {context}:\n    r = torch.stack(out)\nreturn r",
        )
        for context in ("torch.no_grad()", "quiet()", "quiet", "quiet.frozen(x)")
    },
    "two behind": (
        "numpy",
        "x: np.ndarray",
        "out = np.zeros(len(x))\nfor t in range(2, len(x)):\n    out[t] = out[t - 2] + x[t]\nreturn out",
    ),
    "integers": (
        "numpy",
        "x: np.ndarray",
        "out = np.zeros(len(x), dtype=np.int64)\nfor t in range(1, len(x)):\n    out[t] = out[t - 1] + x[t]\nreturn out",
    ),
}


@pytest.mark.parametrize("name", REFUSED_PREFIXES)
def test_refused_prefixes(name: str) -> None:
    header, signature, body = REFUSED_PREFIXES[name]
    text = function(header, signature, body)
    assert not [f for f in findings(text, "ASC105") if f.fix is not None], fixed(text, "ASC105")


@pytest.mark.parametrize(
    ("body", "offered"),
    [
        ("s = 0.0\nfor v in xs:\n    s += v\nreturn s", True),
        ("s = 0.0\nfor v in xs:\n    s += abs(v)\nreturn s", True),
        ("s = 0.0\nfor v in xs:\n    s += v * v\nreturn s", False),
        ("for v in xs:\n    if v > 1:\n        return True\nreturn False", False),
        ("s = False\nfor v in xs:\n    if v > 1:\n        s = True\nreturn s", True),
        ("s = 0.0\nfor v in xs:\n    if v * v > s:\n        s = v * v\nreturn s", False),
    ],
)
def test_what_gains_nothing_over_lists_is_not_offered(
    body: str, offered: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    from auditor.cost.profit import predict
    from auditor.folds.list_costs import gain

    monkeypatch.setattr("auditor.findings.predict", predict)
    monkeypatch.setattr("auditor.folds.lists.gain", gain)
    text = "def f(xs: list[float]):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    assert bool(findings(text)) == offered


def test_a_place_of_nothing_is_where_the_loop_starts() -> None:
    before = function(
        "list",
        "xs: list[float]",
        "k = 0\nfor i in range(1, len(xs)):\n    if xs[i] > xs[k]:\n        k = i\nreturn k",
    )
    agree(before, fixed(before), ([],))


def test_the_first_of_equal_maxima_gets_the_gradient() -> None:
    before = function(
        "torch", "x: torch.Tensor", "m = x[0]\nfor v in x:\n    if v > m:\n        m = v\nreturn m"
    )
    after = fixed(before)
    x, y = (torch.tensor([1.0, 2.0, 2.0], requires_grad=True) for _ in range(2))
    for text, leaf in ((before, x), (after, y)):
        run(text, (leaf,)).backward()
    assert torch.equal(x.grad, y.grad)


_COUNTED = """\
import torch


def f(x: torch.Tensor, n: int):
    h = torch.zeros(3)
    for i in range({bound}):
        h = {step}
    return h
"""


@pytest.mark.parametrize(("step", "code"), [("h + x[i]", "ASC106"), ("0.5 * h + x[i]", "ASC101")])
def test_a_stop_of_a_slice_is_not_negative(step: str, code: str) -> None:
    """``range(n)`` makes no step where ``x[:n]`` drops from the end."""
    for bound in ("n", "n - 1"):
        (found,) = findings(_COUNTED.format(bound=bound, step=step), code)
        assert found.fix is not None and "negative" not in (found.fix.reason or "")
        assert f"max({bound}, 0)" in fixed(_COUNTED.format(bound=bound, step=step), code)


def test_folds_side_by_side_are_all_found_at_once() -> None:
    text = """\
import functools


def f(a: list[int], b: list[int]):
    self = lambda: None
    self.first = functools.reduce(lambda x, y: x * y, a, 1)
    self.second = functools.reduce(lambda x, y: x * y, b, 1)
    return self.first, self.second
"""
    found = audit.audit_text(text, "f.py", audit.Options()).findings
    assert [(one.code, one.span.line) for one in found] == [("ASC106", 6), ("ASC106", 7)]


@pytest.mark.parametrize("xs", [[10**30, 1, -(10**30)], list(np.array([100, 100, 50], np.int8))])
@pytest.mark.parametrize("before", ["s = 0.0", "s = 0.0\nprint(end=str(s)[:0])"])
@pytest.mark.parametrize("sign", "-+")
def test_numbers_are_added_to_a_broken_one(xs: list[Any], before: str, sign: str) -> None:
    text = function("list", "xs", f"{before}\nfor v in xs:\n    s {sign}= v\nreturn s")
    agree(text, fixed(text, "ASC106"), (xs,))
