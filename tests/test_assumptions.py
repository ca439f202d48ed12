"""What a fix has to say of its inputs: each program with what it assumes, and a neighbour that
need not."""

from __future__ import annotations

import re

import pytest

from auditor import audit
from auditor.writing import edits

EXISTS = """\
import torch


def f(x: torch.Tensor):
{before}    for i in range(1, len(x)):
        x[i] = x[i] + 0.5 * x[i - 1]
    return x
"""
FINITE = """\
import torch


def f(x: torch.Tensor, keep: torch.Tensor, a=0.9):
    h = torch.zeros(3)
    out = []
    for t in range(x.shape[0]):
        h = {step}
        out.append(h)
    return torch.stack(out)
"""
APART = """\
import torch

kept = torch.ones(6, 2)


class Filter:
    def __init__(self, buffer, out):
        self.buffer = buffer
        self.out = {out}

    def run(self, x: torch.Tensor):
        s = torch.zeros(2)
        source = {source}
        target = {target}
        for i in range(5):
            s = 0.5 * s + source[i]
            target[i] = s
        return target
"""
ROWS = """\
import torch


def attend(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    n, d = q.shape
    m, d = k.shape
    m, e = v.shape
    out = []
    for i in range({steps}):
        out.append((q[i] @ k.T / d**0.5).softmax(-1) @ v)
    return torch.stack(out)
"""


LEFT = """
import torch


def last(x: torch.Tensor, y: torch.Tensor):
    steps, d = x.shape
    h = x[0]
    for t in range(1, steps):
        h = {chosen}
    return h{used}
"""


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (LEFT.format(chosen="x[t] if y[t] > 0 else h", used=""), "neither is `x`"),
        (LEFT.format(chosen="x[t] if y[t] > 0 else h", used=" + 1"), "`h` stays finite"),
        (EXISTS.format(before=""), None),  # the code for all steps stands under `len(x) > 1`
        (EXISTS.format(before="    x[0] = 1.0\n"), None),
        (EXISTS.format(before="    first = x[1].sum()\n"), None),
        (FINITE.format(step="torch.where(keep[t], 0.5 * h, 0.0) + x[t]"), "`h` stays finite"),
        (
            FINITE.format(step="0.5 * h * keep[t] + x[t]"),
            "floating-point numbers, or `h` is float32",
        ),
        (FINITE.format(step="0.5 * h * (1 - keep[t]) + x[t]"), "numbers, or `h` is float32"),
        (FINITE.format(step="0.5 * h * (x[t] > 0) + x[t]"), "`h` is float32"),
        (FINITE.format(step="0.5 * h * keep[t].float() + x[t]"), None),
        (FINITE.format(step="0.5 * (1.0 - keep[t]) * h + x[t]"), None),
        (FINITE.format(step="0.5 * h * torch.sigmoid(keep[t]) + x[t]"), None),
        (FINITE.format(step="h * keep[t] + x[t]"), None),
        (FINITE.format(step="torch.where(keep[t], 0.5 * h + x[t], h)"), "`h` is float32"),
        (FINITE.format(step="0.5 * torch.where(keep[t], h, 0) + x[t]"), "`h` is float32"),
        (FINITE.format(step="torch.where(keep[t], a * h + x[t], h)"), "`h` is float32"),
        (FINITE.format(step="a * h.masked_fill(keep[t], 0) + x[t]"), "`h` is float32"),
        (FINITE.format(step="a * h * (1.0 - keep[t].float()) + x[t]"), "`h` is float32"),
        (FINITE.format(step="(1.0 - keep[t].float()) * h + x[t]"), None),
        (APART.format(source="self.buffer", target="self.out", out="out"), "do not overlap"),
        (APART.format(source="x", target="self.out", out="buffer[1:]"), "do not overlap"),
        (APART.format(source="kept", target="x", out="out"), "do not overlap"),
        (APART.format(source="self.buffer", target="torch.zeros(5, 2)", out="out"), None),
    ],
)
def test_what_a_fix_assumes(text: str, sentence: str | None) -> None:
    report = audit.audit_text(text, "program.py", audit.Options())
    assert not report.problems, report.problems
    (found,) = [finding for finding in report.findings if finding.code == "ASC101"]
    assert found.fix is not None and found.fix.applicability == "safe"
    reason = found.fix.reason or ""
    if sentence is not None:
        assert sentence in reason
    else:
        assert not any(word in reason for word in ("exists", "finite", "overlap", "float32"))


def test_what_is_only_computed_with_may_be_a_part_of_an_array() -> None:
    for chosen, used in (
        ("x[t] if y[t] > 0 else h", " + 1"),
        ("torch.where(y[t] > 0, x[t], h)", ""),
    ):
        report = audit.audit_text(LEFT.format(chosen=chosen, used=used), "l.py", audit.Options())
        (found,) = report.findings
        assert found.fix is not None and "written into" not in (found.fix.reason or "")


@pytest.mark.parametrize(("steps", "stated"), [("m", True), ("n", False)])
def test_a_loop_over_rows_need_not_be_as_long_as_the_array(steps: str, stated: bool) -> None:
    report = audit.audit_text(ROWS.format(steps=steps), "program.py", audit.Options())
    (found,) = report.findings
    assert found.code == "ASC109" and found.fix is not None
    assert ("the loop covers all of `q`" in (found.fix.reason or "")) is stated


SLICES = """\
import torch


def attend(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    n, d = q.shape
    m, d = k.shape
    m, e = v.shape
    out = []
    for i in range({steps}):
        low = max(0, i - 2)
        out.append((k[low : i + 1] @ q[i] / d**0.5).softmax(-1) @ v[low : i + 1])
    return torch.stack(out)
"""


def test_a_slice_of_keys_may_be_empty() -> None:
    report = audit.audit_text(SLICES.format(steps="n"), "program.py", audit.Options())
    (found,) = report.findings
    assert found.code == "LOC304" and found.fix is not None
    assert "`k.shape[0]` is no less than `q.shape[0]`" in (found.fix.reason or "")


def test_steps_that_leave_out_the_last_queries_are_no_attention_of_all() -> None:
    text = SLICES.format(steps="n - 1")
    report = audit.audit_text(text, "program.py", audit.Options())
    left = edits.apply_fixes(text, [one for one in report.findings if one.fix is not None]).text
    assert "for i in range(n - 1):" in left


RUNS = """\
import torch


def f(x: torch.Tensor, g: torch.Tensor, h: torch.Tensor):
{shapes}    {start}
    out = {made}
    for t in range(x.shape[0]):
        h = {step}
        {kept}
    return {result}
"""
_WRITTEN = {"made": "torch.empty_like(x)", "kept": "out[t] = h", "result": "out"}
_LISTED = {"made": "[]", "kept": "out.append(h)", "result": "torch.stack(out)"}
_FROM_X = {"shapes": "", "start": "h = torch.zeros_like(x[0])"}
_GIVEN = {"shapes": "", "start": "h = 1.0 * h"}
_RUNS = (
    ("0.5 * h + x[t]", _GIVEN | _WRITTEN, "`h` has no more axes than a row of `out`"),
    ("0.5 * h + x[t]", _FROM_X | _WRITTEN, None),
    ("torch.relu(h + x[t])", _GIVEN | _WRITTEN, "`h` has no more axes than a row of `out`"),
    ("torch.relu(h + x[t])", _FROM_X | _WRITTEN, None),
    ("h + x[t]", _GIVEN | _LISTED, "`h` starts with no more axes than a step has"),
    ("h + x[t]", _FROM_X | _LISTED, None),
    ("torch.maximum(h, x[t])", _GIVEN | _LISTED, "`h` starts with no more axes than a step has"),
    ("torch.maximum(h, x[t])", _FROM_X | _LISTED, None),
    ("torch.maximum(h, x[t])", {"shapes": "", "start": "h = torch.zeros(1, 3)"} | _LISTED,
     "`h` starts with no more axes than a step has"),
    ("torch.where(g[t] > 0, x[t], h)", _FROM_X | _LISTED,
     "`h` holds no truth values and no integers narrower than 64 bits"),
    ("torch.where(g[t] > 0, x[t], h)",
     {"shapes": "    x = x.float()\n", "start": "h = torch.zeros_like(x[0])"} | _LISTED, None),
)  # fmt: skip


@pytest.mark.parametrize(("step", "parts", "sentence"), _RUNS)
def test_what_is_assumed_of_a_start(step: str, parts: dict[str, str], sentence: str | None) -> None:
    report = audit.audit_text(RUNS.format(step=step, **parts), "program.py", audit.Options())
    (found,) = [f for f in report.findings if f.code in ("ASC101", "ASC104", "ASC105")]
    assert found.fix is not None and found.fix.applicability == "safe"
    reason = found.fix.reason or ""
    if sentence is not None:
        assert sentence in reason
    else:
        assert "axes than" not in reason and "`h` holds" not in reason


def test_what_the_rows_meet_is_named_where_they_carry_themselves() -> None:
    text = "\n".join(
        [
            "import torch",
            "def smooth(x, alpha):",
            "    out = torch.empty_like(x)",
            "    out[0] = x[0]",
            "    for t in range(1, x.shape[0]):",
            "        out[t] = alpha * x[t] + (1 - alpha) * out[t - 1]",
            "    return out",
        ]
    )
    (found,) = audit.audit_text(text, "program.py", audit.Options()).findings
    assert found.fix is not None
    assert "`alpha` has no more axes than a row of `out`" in (found.fix.reason or "")


def test_a_start_with_an_axis_more_than_a_step_stays() -> None:
    shapes = "    assert x.ndim == 2\n"
    for start, fits in (("torch.zeros(1, 3)", False), ("torch.zeros(3)", True)):
        text = RUNS.format(step="h + x[t]", shapes=shapes, start=f"h = {start}", **_LISTED)
        report = audit.audit_text(text, "program.py", audit.Options())
        assert bool([f for f in report.findings if f.fix is not None]) is fits


_TRACE = """\
import numpy as np


def f(A, B):
{before}    return np.trace(A @ B)
"""
_FILLED = """\
import numpy as np


def f(q, k, v):
    n = len(q)
    i = np.arange(n)
    return np.where(i[:, None] >= i, q @ k.T, {zero}) @ v
"""


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (_TRACE.format(before=""), "`A` holds floating-point numbers"),
        (_TRACE.format(before="    A = A.astype(np.float64)\n"), None),
        (_FILLED.format(zero="0.0"), "the scores keep their type beside the mask"),
        (_FILLED.format(zero="0"), None),
    ],
)
def test_what_is_assumed_of_types(text: str, sentence: str | None) -> None:
    report = audit.audit_text(text, "program.py", audit.Options())
    (found,) = [f for f in report.findings if f.code in ("RED509", "SPA404")]
    assert found.fix is not None and found.fix.applicability == "safe"
    reason = found.fix.reason or ""
    assert sentence in reason if sentence else "holds" not in reason and "type" not in reason


DECAYS = """\
import torch


def f(q, k, v, g):
    T = q.shape[0]
    i = torch.arange(T)
    away = i[:, None] - i[None, :]
    return (q @ k.T * {decays}) @ v
"""


@pytest.mark.parametrize(
    ("decays", "stated"),
    [
        ("torch.tril(g ** away)", True),
        ("torch.tril(torch.exp(g * away))", True),
        ("torch.where(away >= 0, g ** away, 0.0)", True),
        ("torch.tril(g ** away.clamp(min=0))", False),
        ("torch.exp((g * away).masked_fill(away < 0, -torch.inf))", False),
    ],
)
def test_decays_may_be_infinite_above_the_diagonal(decays: str, stated: bool) -> None:
    report = audit.audit_text(DECAYS.format(decays=decays), "program.py", audit.Options())
    (found,) = [f for f in report.findings if f.code == "SPA404"]
    assert found.fix is not None and found.fix.applicability == "safe"
    assert ("above the diagonal" in (found.fix.reason or "")) is stated


@pytest.mark.parametrize(
    ("expression", "stated"),
    [
        ("np.exp(x) / np.exp(x).sum(-1, keepdims=True)", True),
        ("np.log(np.exp(x).sum(-1))", True),
        ("np.log(np.exp(x - x.max(-1, keepdims=True)).sum(-1)) + x.max(-1)", False),
    ],
)
def test_softmax_by_hand_is_of_nothing_too(expression: str, stated: bool) -> None:
    text = f"import numpy as np\n\n\ndef f(x):\n    return {expression}\n"
    for found in audit.audit_text(text, "program.py", audit.Options()).findings:
        assert found.fix is not None
        assert ("has at least 1 element" in (found.fix.reason or "")) is stated


COUNTS = """\
import numpy as np


def f(n: int, k: int, x: np.ndarray):
    out = np.zeros(n)
    for i in range({steps}):
        out[i] = {cell}
    return out
"""


@pytest.mark.parametrize(
    ("steps", "cell", "sentence"),
    [
        ("n", "i * i", "products of the loop variables are smaller than 64 bits"),
        ("n", "i * (i + 1) * (i + 2) / 6", "products of the loop variables are smaller than 64"),
        ("n", "i**3", "products of the loop variables are smaller than 64 bits"),
        ("n", "k * i", "products with `k` are smaller than 64 bits"),
        ("9", "i * i", None),
        ("n", "2 * i + 1", None),
        ("n", "0.5 * i * i", None),
        ("n", "x[i] * i * i", None),
    ],
)
def test_what_is_assumed_of_products_of_counts(steps: str, cell: str, sentence: str | None) -> None:
    report = audit.audit_text(COUNTS.format(steps=steps, cell=cell), "a.py", audit.Options())
    (finding,) = report.findings
    assert finding.code == "LOC306" and finding.fix is not None
    assert finding.fix.applicability == "safe"
    assert (sentence or "") in (finding.fix.reason or "")
    assert ("products" in (finding.fix.reason or "")) is (sentence is not None)


def test_what_is_assumed_of_a_script() -> None:
    """What only its loop binds may go, and it is said; a list that others may import stays one."""
    script = """\
import torch

x = torch.ones(7, 3)
h = torch.zeros(3)
out = []
for t in range(x.shape[0]):
    h = 0.5 * h + x[t]
    out.append(h)
y = torch.stack(out)
"""
    for text, sentence in (
        (script, "no other file reads `t`"),
        ("if __name__ == '__main__':\n    " + script.replace("\n", "\n    "), None),
    ):
        report = audit.audit_text(text, "program.py", audit.Options())
        (found,) = [finding for finding in report.findings if finding.code == "ASC101"]
        assert found.fix is not None and found.fix.applicability == "safe"
        assert (sentence in (found.fix.reason or "")) if sentence else found.fix.reason is None


SHIFTED = """\
import numpy as np


def f(image: np.ndarray, shift: tuple[int, int]):
    found = np.zeros((8, 8))
    down, right = shift
    for y in range(1, image.shape[0] - 1):
        for x in range(1, image.shape[1] - 1):
            found[image[y, x], image[y + {down}, x + 1]] += 1
    return found
"""


@pytest.mark.parametrize(
    ("down", "sentence"), [("down", "`down` is not negative"), ("1", None), ("0", None)]
)
def test_what_is_assumed_of_a_shift(down: str, sentence: str | None) -> None:
    text = SHIFTED.format(down=down)
    report = audit.audit_text(text, "program.py", audit.Options())
    (found,) = report.findings
    assert found.code == "SPA406" and found.fix is not None
    reason = found.fix.reason or ""
    assert sentence in reason if sentence else "negative" not in reason


SPOKEN = """\
import torch


def f(a: torch.Tensor, x: torch.Tensor):
    {doc}
    h = torch.zeros_like(x[:, 0])
    for t in range(x.shape[1]):
        h = a[:, t] * h + x[:, t]
    return h
"""


@pytest.mark.parametrize(
    ("doc", "sentence"),
    [
        (
            '"""a, x: (batch, length, width)"""',
            "`a` and `x` have the axes (batch, length, width), as the docstring says",
        ),
        (
            '"""a: (batch, length, 1); x: (batch, length, d)"""',
            "`a` has the axes (batch, length, 1), `x` (batch, length, d), as the docstring says",
        ),
    ],
)
def test_axes_that_are_said_in_one_place_are_told_together(doc: str, sentence: str) -> None:
    report = audit.audit_text(SPOKEN.format(doc=doc), "program.py", audit.Options())
    (finding,) = report.findings
    assert finding.fix is not None and sentence in (finding.fix.reason or "")


STARTS = """\
import torch


def f(x: torch.Tensor):
    s = {start}
    out = torch.empty_like(x)
    for t in range(x.shape[1]):
        {step}
        out[:, t] = s
    return out, s
"""


@pytest.mark.parametrize(
    ("start", "step", "sentence"),
    [
        ("0.0", "s = s + x[:, t]", "`x` holds floating-point numbers"),
        ("0", "s = s + x[:, t]", "`x` holds no truth values and no integers narrower than 64 bits"),
        ("1.5", "s = s + x[:, t]", "`x` holds no integers whose sum exceeds 64 bits"),
        ("0.0", "s = 2 * s + x[:, t]", "`x` holds floating-point numbers"),
        ("torch.tensor(0.0)", "s = 2 * s + x[:, t]", "`x` holds floating-point numbers"),
        ("0", "s = s - 0.1 * (s - x[:, t])", "`x` holds no unsigned integers"),
        ("0.0", "s = 0.5 * s + x[:, t]", None),
        ("1.5", "s = 2 * s + x[:, t]", None),
        ("0.0", "s = torch.where(x[:, t] > 0, s, x[:, t])", "`x` holds floating-point numbers"),
        ("x[:, 0]", "s = s + (1 - s) * x[:, t].sigmoid()", "`s` starts as no unsigned integers"),
        ("x[:, 0]", "s = 0.5 * s + x[:, t].sigmoid()", None),
    ],
)
def test_a_start_that_is_not_written_makes_floats_of_integers(
    start: str, step: str, sentence: str | None
) -> None:
    text = STARTS.format(start=start, step=step)
    report = audit.audit_text(text, "program.py", audit.Options())
    (finding,) = [one for one in report.findings if one.code in ("ASC101", "ASC105")]
    assert finding.fix is not None
    reason = finding.fix.reason or ""
    assert sentence in reason if sentence else not re.search("`x` holds|integers", reason)


ALONE = """\
import torch


def f(x: torch.Tensor):
    {before}s = torch.tensor(0.0)
    for t in range(x.shape[0]):
        s = 0.9 * s + x[t]
    return s
"""


@pytest.mark.parametrize(("before", "stated"), [("", True), ("n, d = x.shape\n    ", False)])
def test_a_number_among_numbers_has_a_type_that_counts(before: str, stated: bool) -> None:
    report = audit.audit_text(ALONE.format(before=before), "program.py", audit.Options())
    (finding,) = report.findings
    assert finding.fix is not None
    assert ("no wider type" in (finding.fix.reason or "")) == stated


STEPS = """\
import torch


def f(x: torch.Tensor):
    n, d = x.shape
    s = {start}
    for t in range(n):
        s = {step}
    return s
"""


@pytest.mark.parametrize(
    ("start", "step", "stated"),
    [
        ("0", "0.9 * s + x[t]", True),
        ("torch.tensor(1.0)", "s * x[t]", True),
        ("torch.zeros(d)", "0.9 * s + x[t]", False),
    ],
)
def test_a_number_that_the_first_step_makes_an_array_of(
    start: str, step: str, stated: bool
) -> None:
    text = STEPS.format(start=start, step=step)
    report = audit.audit_text(text, "program.py", audit.Options())
    (finding,) = report.findings
    assert finding.fix is not None
    assert ("at least one step" in (finding.fix.reason or "")) == stated


PARTS = """\
{library}


def f(x: {array}):
    n, d = x.shape
    best = {start}
    for i in range({steps}):
        {step}
    {after}
"""
_TORCH = {"library": "import torch", "array": "torch.Tensor"}
_NUMPY = {"library": "import numpy as np", "array": "np.ndarray"}
_ONE = {"start": "x[0, 0]", "steps": "n", "step": "best = max(best, x[i, 0])"}
_PART = "`best`, which the loop leaves as a part of `x`, is not written into later"
_STEP = "the loop takes at least one step"
_LARGEST = "torch.maximum(best, x[i])"


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        (_TORCH | _ONE | {"after": "return best"}, _PART),
        (_TORCH | _ONE | {"after": "return best + 1"}, None),
        (_TORCH | _ONE | {"after": "return best.item()"}, None),
        (_TORCH | _ONE | {"start": "0", "after": "return best"}, _PART),
        (_NUMPY | _ONE | {"after": "return best"}, None),
        (_TORCH | {"start": "x[0]", "steps": "1, n", "step": f"best = {_LARGEST}",
                   "after": "return best"}, _STEP),
        (_TORCH | {"start": "x[0]", "steps": "n", "step": f"best = {_LARGEST}",
                   "after": "return best"}, None),
        (_NUMPY | {"start": "x[0]", "steps": "1, n", "step": "best = np.maximum(best, x[i])",
                   "after": "best[0] = 5\n    return best"}, _STEP),
        (_TORCH | {"start": "x[0]", "steps": "1, n", "step": "best = best + x[i]",
                   "after": "return best"}, _STEP),
        (_TORCH | {"start": "0 * x[0]", "steps": "1, n", "step": "best = best + 1.0 * x[i]",
                   "after": "return best"}, _STEP),
    ],
)  # fmt: skip
def test_what_a_loop_leaves_may_be_a_part_of_an_array(
    parts: dict[str, str], sentence: str | None
) -> None:
    report = audit.audit_text(PARTS.format(**parts), "program.py", audit.Options())
    (finding,) = report.findings
    assert finding.fix is not None and finding.fix.applicability == "safe"
    reason = finding.fix.reason or ""
    assert sentence in reason if sentence else not re.search("part of|one step", reason)


TAKEN = """\
import {library}
import numpy as np


def f({arguments}):
    {code}
"""
_INVERSE = "return b @ np.linalg.inv(a)"
_UPDATE = "return (np.asarray(a) + np.outer(b, b)) @ b"


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        ("a, b", _INVERSE, "`a` and `b` are arrays"),
        ("a: np.ndarray, b: np.ndarray", _INVERSE, None),
        ("a, b", "b = np.asarray(b)\n    " + _INVERSE, "`a` is an array"),
        ("a, b", "assert a.ndim == b.ndim == 2\n    " + _INVERSE, None),
        ("a, b", _INVERSE.replace("b @", "(b - 1) @"), "`a` is an array"),
        ("a, b", "return np.linalg.inv(a) @ b", "`b` is an array"),
        ("a, b", _UPDATE, "`b` is an array"),
        ("a, b", f"{_UPDATE} * b.size", None),
    ],
)
def test_what_the_new_code_takes_for_an_array(
    arguments: str, code: str, sentence: str | None
) -> None:
    text = TAKEN.format(library="math", arguments=arguments, code=code)
    report = audit.audit_text(text, "program.py", audit.Options())
    (finding,) = report.findings
    assert finding.fix is not None and finding.fix.applicability == "safe"
    reason = finding.fix.reason or ""
    assert f"assumes that {sentence}; " in reason if sentence else "array" not in reason


def test_a_list_is_not_taken_for_an_array() -> None:
    text = TAKEN.format(library="math", arguments="a: np.ndarray, b: list", code=_INVERSE)
    report = audit.audit_text(text, "program.py", audit.Options(everything=True))
    assert not report.findings
    assert any("`b` is a list" in (one.refused or "") for one in report.computations)


WRITTEN = """\
import torch


def several(n):
    return [None] * n


class Filter:
    def run(self, x: torch.Tensor, out, made):
        h = torch.zeros_like(x[0])
        {code}
        for t in range(x.shape[0]):
            h = 0.9 * h + x[t]
            {target}[t] = h
        return h, {target}
"""


@pytest.mark.parametrize(
    ("code", "target", "sentence"),
    [
        ("pass", "out", "`out` is an array"),
        ("self.out = made(len(x))", "self.out", "`out_` is an array"),
        ("out = made(len(x))", "out", "`out` is an array"),
        ("out = torch.empty_like(x)", "out", None),
        ("out = torch.zeros(9, 3)", "out", None),
        ("assert out.ndim == 2", "out", None),
        ("out = []\n        out = torch.empty_like(x)", "out", None),
    ],
)
def test_what_all_steps_are_written_into(code: str, target: str, sentence: str | None) -> None:
    text = WRITTEN.format(code=code, target=target)
    (finding,) = audit.audit_text(text, "program.py", audit.Options()).findings
    assert finding.fix is not None and finding.fix.applicability == "safe"
    reason = finding.fix.reason or ""
    assert sentence in reason if sentence else "is an array" not in reason


@pytest.mark.parametrize(
    "container",
    ["[None] * len(x)", "several(len(x))", "{}", "list(x)", "made.tolist()", "[h for _ in x]"],
)
@pytest.mark.parametrize("target", ["kept", "self.kept"])
def test_a_list_takes_no_steps_at_once(container: str, target: str) -> None:
    text = WRITTEN.format(code=f"{target} = {container}", target=target)
    findings = audit.audit_text(text, "program.py", audit.Options()).findings
    assert not [one for one in findings if one.fix is not None]


SCRIPT = """\
import numpy as np
import torch

x = torch.randn(20, 3)
image = np.load("image.npy")
total = np.zeros(2)
for row in image:
    total += row.sum()
h = {start}
states = []
for t in range(20):
    h = 0.9 * h + x[t]
    states.append(h)
stacked = torch.stack(states)
hist = np.zeros(8)
for v in image[0]:
    hist[int(v * 4)] += 1
print(total, stacked, hist)
"""
_IN_PLACE = "what changes `total` in place has its dtype"


@pytest.mark.parametrize(
    ("start", "sentence"),
    [("torch.zeros(3)", None), ("torch.zeros(3) + float(total[0])", _IN_PLACE)],
)
def test_a_statement_of_a_script_assumes_nothing_of_others(
    start: str, sentence: str | None
) -> None:
    report = audit.audit_text(SCRIPT.format(start=start), "program.py", audit.Options())
    (finding,) = (one for one in report.findings if one.code == "ASC101")
    assert finding.fix is not None and finding.fix.applicability == "safe"
    reason = finding.fix.reason or ""
    assert sentence in reason if sentence else not re.search("total|int", reason)


CAST = """\
import torch


def f(x: torch.Tensor, h0: torch.Tensor, a: float):
    h = {start}
    {code}
    out = []
    for t in range(x.shape[0]):
        h = {step}
        out.append(h)
    return torch.stack(out)
"""
_ADDED = "a * h + x[t]"


@pytest.mark.parametrize(
    ("start", "code", "step", "sentence"),
    [
        ("torch.zeros(3)", "pass", f"({_ADDED}).float()", "`x` is of no wider type than `h`"),
        ("torch.zeros(3)", "pass", f"({_ADDED}).to(h.dtype)", "`x` is of no wider type than `h`"),
        ("torch.zeros(3)", "pass", f"({_ADDED}).type_as(h)", "`x` is of no wider type than `h`"),
        ("torch.zeros(3)", "pass", "a * h.float() + x[t]", "`x` is of no wider type than `h`"),
        ("torch.zeros(3)", "x = x.float()", f"({_ADDED}).float()", None),
        ("torch.zeros(3)", "x = x.double()", f"({_ADDED}).float()", "refused"),
        ("torch.zeros(3)", "pass", "(a * h + x[t].double()).float()", "refused"),
        ("torch.zeros(3)", "pass", f"({_ADDED}).half()", "refused"),
        ("torch.zeros(3)", "pass", f"({_ADDED}).double()", "refused"),
        ("h0", "x = x.float()", f"({_ADDED}).float()", "refused"),
        ("torch.zeros(3, dtype=torch.float64)", "x = x.float()", f"({_ADDED}).float()", "refused"),
        ("torch.zeros(3, dtype=torch.int64)", "x = x.float()", _ADDED, None),
    ],
)
def test_a_cast_at_every_step(start: str, code: str, step: str, sentence: str | None) -> None:
    text = CAST.format(start=start, code=code, step=step)
    findings = audit.audit_text(text, "program.py", audit.Options()).findings
    fixes = [one.fix for one in findings if one.fix is not None]
    assert bool(fixes) != (sentence == "refused")
    for fix in fixes:
        assert fix.applicability == "safe"
        reason = fix.reason or ""
        assert sentence in reason if sentence else "no wider type than `h`" not in reason


SUMMED = """\
import torch


def f(x):
    {sizes}e = x.exp()
    return e / e.sum(-1{keep}
"""


@pytest.mark.parametrize(
    ("sizes", "keep", "stated"),
    [
        ("", ")[..., None]", True),
        ("", ").unsqueeze(-1)", True),
        ("", ", keepdim=True)", False),
        ("n, m = x.shape\n    ", ")[..., None]", False),
    ],
)
def test_a_number_gets_an_axis_that_a_softmax_does_not_give(
    sizes: str, keep: str, stated: bool
) -> None:
    text = SUMMED.format(sizes=sizes, keep=keep)
    (finding,) = audit.audit_text(text, "program.py", audit.Options()).findings
    assert finding.fix is not None and finding.fix.applicability == "safe"
    assert ("`x` is no tensor without axes" in (finding.fix.reason or "")) == stated


QUERIED = """\
import torch


def f(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    B, L, D = q.shape
    S = torch.zeros(B, D, v.shape[-1]{dtype})
    out = []
    for t in range(L):
        S = {decay}S + k[:, t, :, None] * v[:, t, None, :]
        out.append(torch.einsum("bd,bde->be", {query}, S))
    return torch.stack(out, dim=1)
"""


@pytest.mark.parametrize(
    ("dtype", "decay", "query", "stated"),
    [
        (", dtype=q.dtype", "", "q[:, t]", True),
        ("", "", "q[:, t]", False),
        (", dtype=q.dtype", "", "torch.exp(q[:, t])", False),
        (", dtype=q.dtype", "0.5 * ", "q[:, t]", False),
    ],
)
def test_sums_of_integers_have_more_bits(dtype, decay, query, stated):
    text = QUERIED.format(dtype=dtype, decay=decay, query=query)
    report = audit.audit_text(text, "program.py", audit.Options())
    (finding,) = [f for f in report.findings if f.code == "ASC103"]
    sentence = "`q` holds no truth values and no integers narrower than 64 bits"
    assert (sentence in (finding.fix.reason or "")) == stated


SOFTMAX = """\
import torch
from torch import nn


def f(a, b, layer: nn.Linear):
    x = {scores}
    m = x.max(1, keepdim=True).values
    return (m + torch.log(torch.exp(x - m).sum(1, keepdim=True))).squeeze(1)
"""


@pytest.mark.parametrize(
    ("scores", "stated"),
    [
        ("a", "a"),
        ("a.abs()", "a"),
        ("a * b", "a"),
        ("a @ b", "b"),
        ("a / 2", None),
        ("a * 0.5", None),
        ("a.float()", None),
        ("torch.exp(a)", None),
        ("torch.randn(3, 4)", None),
    ],
)
def test_a_difference_of_unsigned_integers_wraps_around(scores, stated):
    report = audit.audit_text(SOFTMAX.format(scores=scores), "program.py", audit.Options())
    (finding,) = [f for f in report.findings if f.code == "ASC107" and f.fix is not None]
    reason = finding.fix.reason or ""
    assert (f"`{stated}` holds no unsigned" in reason) if stated else "unsigned" not in reason


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int16"])
@pytest.mark.parametrize("scores", ["a.to(torch.{})", "a.to(torch.{}) * 2"])
def test_of_short_integers_the_shift_stays(scores, dtype):
    text = SOFTMAX.format(scores=scores.format(dtype))
    report = audit.audit_text(text, "program.py", audit.Options())
    assert all(finding.fix is None for finding in report.findings if finding.code == "ASC107")


TURNED = """\
import torch


def f(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    b, n, h, d = k.shape
    e = v.shape[-1]
    q, k, v = [x.transpose(1, 2) for x in (q, k, v)]
    q = q / q.shape[-1] ** 0.5
    S = torch.zeros(b, h, d, e)
    out = torch.zeros(b, h, n, e)
    for i in range(n):
        S = S + k[:, :, i].unsqueeze(-1) * v[:, :, i].unsqueeze(-2)
        out[:, :, i] = (S * q[:, :, i].unsqueeze(-1)).sum(-2)
    return out
"""


def test_rows_that_meet_a_state_have_its_axes():
    report = audit.audit_text(TURNED, "program.py", audit.Options())
    (finding,) = [f for f in report.findings if f.code == "ASC103"]
    assert finding.fix is not None and finding.fix.applicability == "safe"
    assert "3 axes" not in (finding.fix.reason or "")


def test_attributes_set_as_views_of_one_array_share() -> None:
    text = APART.format(source="self.buffer", target="self.out", out="buffer[1:]")
    report = audit.audit_text(text, "program.py", audit.Options())
    assert not [finding for finding in report.findings if finding.fix is not None]


MASKED = """\
import torch
import torch.nn as nn


class Causal(nn.Module):
    def __init__(self, n, d):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)
        self.register_buffer("bias", torch.tril(torch.ones(n, n)))

    def forward(self, x):
        b, t, d = x.shape
        scores = (self.q(x) @ self.k(x).transpose(-2, -1)) * d ** -0.5
        scores = scores.masked_fill(self.bias[:t, :t] == 0, float("-inf"))
        return torch.softmax(scores, -1) @ self.v(x)


{elsewhere}
"""


@pytest.mark.parametrize(
    "elsewhere, kept",
    [
        ("", True),
        ("def other(m):\n    m.weight.data.mul_(0)", True),
        ("class Other(nn.Module):\n    def forward(self):\n        self.bias.zero_()", True),
        ("def other(m):\n    m.layer.bias.data.mul_(0)", False),
        ("def other(m):\n    m.bias = torch.ones(3, 3)", False),
        ("def other(m):\n    b = m.bias\n    b[0, 1] = 1", False),
        ("def other(m):\n    nn.init.ones_(m.bias)", False),
        ("def other(m):\n    setattr(m, 'bias', torch.ones(3, 3))", False),
        ("def other(m):\n    m.register_buffer('bias', torch.ones(3, 3))", False),
        ("def other(m):\n    m._buffers['bias'] = torch.ones(3, 3)", False),
        ("class Other(Causal):\n    def forward(self, x):\n        self.bias.zero_()", False),
    ],
)
def test_what_the_file_writes_elsewhere_is_not_as_the_constructor_made_it(
    elsewhere: str, kept: bool
) -> None:
    report = audit.audit_text(MASKED.format(elsewhere=elsewhere), "m.py", audit.Options())
    said = " ".join(str(f.fix.reason) for f in report.findings if f.fix)
    assert ("`self.bias` is what `__init__` made it" in said) is kept


def test_values_without_a_name_are_spelled_as_the_source_spells_them() -> None:
    text = MASKED.format(elsewhere="def other(m):\n    m.bias = torch.ones(3, 3)")
    report = audit.audit_text(text, "m.py", audit.Options())
    said = " ".join(str(f.fix.reason) for f in report.findings if f.fix)
    assert "`self.bias[:t, :t] == 0` has 3 axes" in said


ROWWISE = """\
import torch


def f(x: torch.Tensor, out{kind}):
    T, D = x.shape
    {made}h = torch.zeros(D)
    for t in range(T):
        h = 0.5 * h + x[t]
        out[t] = h
    return out
"""
COLUMNS = """\
import numpy as np


def f(img: np.ndarray):
    n, m = img.shape
    out = np.zeros(m)
    for j in range(m):
        {body}
        out[j] = total / n
    return out
"""
DECAYING = """\
import torch


def f(x: torch.Tensor, k: float):
    h = {start}
    out = []
    for t in range(1, x.shape[0]):
        h = torch.maximum(k * h, x[t])
        out.append(h)
    return torch.stack(out)
"""
PREFIXES = """\
import torch


def f(x: torch.Tensor):
    return torch.stack([x[: i + 1].{fold} for i in range(x.shape[0])])
"""
BEFORE = """\
import torch


def f(x: torch.Tensor, h: torch.Tensor, a: float):
    out = []
    {start}
    for t in range(x.shape[0]):
        {body}
    return torch.stack(out)
"""
KEPT = "out.append(h)\n        h = a * h + x[t]"
ALIGNED = """\
def align(a: tuple{of}, b: tuple{of}) -> str:
    if not a or not b:
        return ""
    if a[0] == b[0]:
        return str(a[0]) + align(a[1:], b[1:])
    return max(align(a[1:], b), align(a, b[1:]))
"""
TWO_LOOPS = """\
data = [1, 5, 3]
largest = 0
for i in range(len(data)):
    if data[i] > largest:
        largest = data[i]
p = 1
for _ in range(5):
    p *= 2
"""
LAST = """\
import torch


def f(x: torch.Tensor, k: int):
    n = x.shape[0]
    h = torch.zeros_like(x[0])
    for t in range({steps}):
        h = 0.5 * h + x[t]
    return h
"""
IN_PLACE = """\
import torch


def f(x: torch.Tensor):
    {made}
    for t in range(1, len(x)):
        x[t] += x[t - 1]
    return x
"""
SUMS = """\
def f(x):
    before = sum(x)
    return before, sum(x)
"""
ADDED_UP = "total = {start}\n        for i in range(n):\n            total += img[i, j]"


@pytest.mark.parametrize(
    "text, sentence, stated",
    [
        (ROWWISE.format(kind=": torch.Tensor", made=""), "`out` has 2 axes", True),
        (
            ROWWISE.format(kind="", made="out = torch.empty(T, D)\n    "),
            "`out` has 2 axes",
            False,
        ),
        (COLUMNS.format(body=ADDED_UP.format(start="0")), "narrower than 64 bits", True),
        (COLUMNS.format(body=ADDED_UP.format(start="0.0")), "narrower than 64 bits", False),
        (COLUMNS.format(body=ADDED_UP.format(start="0.0")), "sum exceeds 64 bits", True),
        (COLUMNS.format(body="total = img[:, j].sum()"), "64 bits", False),
        (DECAYING.format(start="x[0]"), "`h` starts as floating-point numbers", True),
        (
            DECAYING.format(start="torch.zeros_like(x[0], dtype=torch.float32)"),
            "`h` starts as",
            False,
        ),
        (PREFIXES.format(fold="amax(0)"), "gradient may be shared differently", True),
        (PREFIXES.format(fold="sum(0)"), "gradient may be shared differently", False),
        (BEFORE.format(start="", body=KEPT), "the loop takes more than one step", True),
        (
            BEFORE.format(start="", body="\n        ".join(reversed(KEPT.split("\n        ")))),
            "the loop takes more than one step",
            False,
        ),
        (LAST.format(steps="n - 2, n"), "`x.shape[0] - 2` is not negative", True),
        (LAST.format(steps="n - 1"), "is not negative", False),
        (LAST.format(steps="n - 1, -1, -1"), "is not negative", False),
        (LAST.format(steps="k, n"), "`k` is not negative", True),
        (IN_PLACE.format(made="n = len(x)"), "no two elements of `x` share memory", True),
        (IN_PLACE.format(made="x = torch.zeros(5, 3)"), "share memory", False),
        (SUMS, "`sum(x)` is a number", True),
        (ALIGNED.format(of=""), "equal items of `a` and `b` are alike", True),
        (ALIGNED.format(of="[int, ...]"), "equal items", False),
        (TWO_LOOPS, "holds numbers", False),
    ],
)
def test_types_axes_and_ties_are_stated(text: str, sentence: str, stated: bool) -> None:
    report = audit.audit_text(text, "m.py", audit.Options())
    fixes = [f.fix for f in report.findings if f.fix and f.fix.applicability == "safe"]
    assert fixes
    assert (sentence in " ".join(str(fix.reason) for fix in fixes)) is stated


MEANS = """\
import torch
import torch.nn.functional as F


def f(x: torch.Tensor, a: torch.Tensor):
    B, T, D = x.shape
    h = x.new_zeros(B, D)
    total, out = 0, []
    for t in range(T):
        h = {step}
        {use}
    return {result}
"""


@pytest.mark.parametrize(
    ("step", "use", "stated"),
    [
        ("a[:, t] * h + x[:, t]", "total = total + h.mean()", True),
        ("a[:, t] * h + x[:, t]", "total = total + h.pow(2).sum() / h.numel()", True),
        ("a[:, t] * h + x[:, t]", "out.append(h.var(-1))", True),
        ("a[:, t] * h + x[:, t]", "out.append(h.sum(-1) / h.shape[-1])", True),
        ("torch.maximum(h * a[:, t], x[:, t])", "out.append(h.mean(-1))", True),
        ("0.9 * h + x[:, t]", "total = total + F.mse_loss(h, a[:, t])", True),
        ("0.9 * h + x[:, t]", "total = total + h.mean()", False),
        ("a[:, t] * h + x[:, t]", "total = total + h.sum()", False),
        ("a[:, t] * h + x[:, t]", "out.append(h.amax(-1))", False),
    ],
)
def test_a_size_that_is_computed_with_is_that_of_all_that_meet(
    step: str, use: str, stated: bool
) -> None:
    result = "total" if "total" in use else "torch.stack(out, 1)"
    text = MEANS.format(step=step, use=use, result=result)
    report = audit.audit_text(text, "program.py", audit.Options(target="cpu"))
    (found,) = report.findings
    assert found.fix is not None and found.fix.applicability == "safe"
    assert ("`a.shape[2]` and `x.shape[2]` are equal" in (found.fix.reason or "")) is stated


WALKED = """\
import torch


def f(r, d, v, h):
    delta = r + d * v
    {unpacked}
    out = []
    for t in {steps}:
        h = delta[t] + 0.9 * {factor} * h
        out.append(h)
    return torch.stack(out)
"""


@pytest.mark.parametrize(
    ("unpacked", "steps", "factor", "stated"),
    [
        ("T, B = d.shape", "range(T)", "d[t]", True),
        ("T = len(d)", "range(T)", "d[t]", True),
        ("T = d.shape[0]", "reversed(range(T))", "v[t]", True),
        ("T = len(r)", "range(T)", "1", True),
        ("", "range(len(delta))", "1", False),
    ],
)
def test_a_loop_has_as_many_steps_as_what_met_before_it(
    unpacked: str, steps: str, factor: str, stated: bool
) -> None:
    text = WALKED.format(unpacked=unpacked, steps=steps, factor=factor)
    report = audit.audit_text(text, "program.py", audit.Options(target="cpu"))
    (found,) = report.findings
    assert found.fix is not None and found.fix.applicability == "safe"
    sentence = "the loop takes one step for each item of `delta`"
    assert (sentence in (found.fix.reason or "")) is stated


CHOSEN = """\
import torch


def f(x, y):
    h = {start}
    out = []
    for t in range(len(x)):
        h = {step}
        out.append(h)
    return torch.stack(out)
"""


@pytest.mark.parametrize(
    ("start", "step", "stated"),
    [
        ("x[0] * 0", "x[t] + (h if y[t] > 0 else 0.0)", True),
        ("1.0", "x[t] if y[t] > 0 else h", True),
        ("x[0] * 0", "x[t] + (h if y[t] > 0 else 0)", False),
        ("x[0]", "x[t] if y[t] > 0 else h", False),
    ],
)
def test_a_chosen_number_makes_floats_of_integers(start: str, step: str, stated: bool) -> None:
    report = audit.audit_text(CHOSEN.format(start=start, step=step), "program.py", audit.Options())
    (found,) = report.findings
    assert found.fix is not None and found.fix.applicability == "safe"
    reason = found.fix.reason or ""
    assert ("`x` holds floating-point numbers" in reason) is stated
    assert "`y` holds floating-point numbers" not in reason


KINDS = """\
import numpy as np


def f(x):
    {test}
    total = 0.0
    for value in x:
        total = total + value * value
    return total
"""


@pytest.mark.parametrize(
    ("test", "safe"),
    [
        (
            "if isinstance(x, np.ndarray):\n        print('array')\n    else:\n        print()",
            False,
        ),
        ("if not isinstance(x, np.ndarray):\n        raise TypeError('no array')", True),
        ("if isinstance(x, list):\n        x = np.array(x)", True),
        ("assert hasattr(x, 'shape')", True),
    ],
)
def test_what_may_be_no_array_by_what_the_function_asks(test: str, safe: bool) -> None:
    report = audit.audit_text(KINDS.format(test=test), "program.py", audit.Options(target="cpu"))
    fixes = [one for one in report.findings if one.fix and one.fix.applicability == "safe"]
    assert bool(fixes) is safe


GIVEN = """\
import numpy as np


def f(x: np.ndarray, out{default}):
    {choice}
    for k in range({steps}):
        out[k] = x[k] * 2
    return out
"""


@pytest.mark.parametrize(
    ("default", "choice", "steps", "stated"),
    [
        ("=None", "if out is None:\n        out = np.zeros(4)", "4", True),
        ("=None", "out = np.zeros(len(x)) if out is None else out", "len(x)", True),
        (": np.ndarray", "n = len(x)", "n", False),
    ],
)
def test_what_stands_in_for_an_array_has_its_shape(
    default: str, choice: str, steps: str, stated: bool
) -> None:
    text = GIVEN.format(default=default, choice=choice, steps=steps)
    report = audit.audit_text(text, "program.py", audit.Options(target="cpu"))
    (found,) = report.findings
    assert found.fix is not None and found.fix.applicability == "safe"
    reason = found.fix.reason or ""
    assert ("one shape" in reason) is stated


POWER = """\
import numpy as np


def f(x: np.ndarray, s: np.ndarray, n: int):
    for _ in range(n):
        x = x * {factor}
    return x
"""


@pytest.mark.parametrize(("factor", "stated"), [("2", True), ("2.0", True), ("s", False)])
def test_the_power_of_a_number_has_to_fit_the_array(factor: str, stated: bool) -> None:
    text = POWER.format(factor=factor)
    report = audit.audit_text(text, "program.py", audit.Options(target="cpu"))
    (found,) = report.findings
    assert found.fix is not None
    assert ("a number that `x` can hold" in (found.fix.reason or "")) is stated


WINDOWS = """\
import numpy as np


def moving(x: np.ndarray, k):
    n = x.shape[0]
    out = np.zeros(max(n - {size} + 1, 0))
    for i in range(n - {size} + 1):
        s = 0.0
        for j in range({size}):
            s += x[i + j]
        out[i] = s / 3
    return out
"""


@pytest.mark.parametrize(("size", "stated"), [("k", True), ("12", False)])
def test_windows_have_a_size(size: str, stated: bool) -> None:
    text = WINDOWS.format(size=size)
    (finding,) = audit.audit_text(text, "program.py", audit.Options()).findings
    assert finding.fix is not None and finding.fix.applicability == "safe"
    assert ("`k` is not negative" in (finding.fix.reason or "")) is stated


GATE = """\
import torch


def run(x: torch.Tensor, gate: torch.Tensor):
    batch, steps, width = x.shape
    h = x.new_zeros(batch, width)
    out = []
    for t in range(steps):
        h = {gate} * h + x[:, t]
        out.append(h)
    return torch.stack(out, dim=1)
"""


@pytest.mark.parametrize(("gate", "stated"), [("gate[t]", True), ("0.5", False)])
def test_a_gate_that_may_be_one_number_a_step_is_of_no_wider_type(gate: str, stated: bool) -> None:
    (finding,) = audit.audit_text(GATE.format(gate=gate), "program.py", audit.Options()).findings
    assert finding.fix is not None and finding.fix.applicability == "safe"
    assert ("is of no wider type" in (finding.fix.reason or "")) is stated


ROWS_BESIDE = """\
import torch


def f(rows, gates, h):
    out = []
    for row, gate in zip(rows, gates):
        h = 0.5 * h + torch.outer(gate, gate)
        out.append(h + {beside})
    return torch.stack(out)
"""


@pytest.mark.parametrize(("beside", "stated"), [("row", True), ("gate[None]", False)])
def test_rows_of_unknown_rank_have_as_many_axes_as_the_state(beside: str, stated: bool) -> None:
    report = audit.audit_text(ROWS_BESIDE.format(beside=beside), "program.py", audit.Options())
    (found,) = [finding for finding in report.findings if finding.code == "ASC101"]
    assert found.fix is not None
    assert ("`rows` has as many axes as what it meets" in (found.fix.reason or "")) is stated


PUT_ALONG = """\
import torch


def f(k: torch.Tensor, v: torch.Tensor):
    n = k.shape[0]
    for i in range(n):
        k[i, i] {put}
    return k


def g(v: torch.Tensor):
    n = v.shape[0]
    out = torch.zeros(n, n, dtype=torch.float32)
    for i in range(n):
        out[i, i] = 2 * v[i].float()
    return out
"""


@pytest.mark.parametrize(
    ("put", "sentence"),
    [
        ("= v[i]", "`k` and `v` hold floating-point numbers of one type"),
        ("= k[i, i] * 2.5", "`k` holds floating-point numbers"),
    ],
)
def test_what_torch_puts_at_listed_places_is_of_the_type_of_the_array(
    put: str, sentence: str
) -> None:
    report = audit.audit_text(PUT_ALONG.format(put=put), "program.py", audit.Options())
    found = {finding.scope: finding.fix for finding in report.findings}
    assert found["f"] is not None and sentence in (found["f"].reason or "")


LAGS_LIKE = """\
import torch


def filtered(x: torch.Tensor, taps: torch.Tensor):
    (n,) = x.shape
    out = torch.zeros(n, dtype=x.dtype)
    for i in range(n):
        total = 0.0
        for k in range(min(3, i + 1)):
            total += x[i - k] * taps[k]
        out[i] = total
    return out
"""


def test_the_type_of_another_array_has_no_name() -> None:
    report = audit.audit_text(LAGS_LIKE, "program.py", audit.Options())
    (found,) = report.findings
    assert found.fix is not None and found.fix.reason is not None
    assert "hold floating-point numbers" in found.fix.reason and " like " not in found.fix.reason


def test_a_total_of_no_pairs_stays_the_number_it_began_as() -> None:
    text = """\
import math

import numpy as np


def f(x: np.ndarray):
    n = len(x)
    total = {start}
    for i in range(n):
        for j in range(i + 1, n):
            total += math.exp(-abs(x[i] - x[j]))
    return total
"""
    for start, stated in (("0", True), ("0.0", False)):
        report = audit.audit_text(text.format(start=start), "program.py", audit.Options())
        (found,) = [finding for finding in report.findings if finding.code == "LOC305"]
        assert found.fix is not None
        assert ("at least one pair" in (found.fix.reason or "")) is stated


READ_ONCE = """\
import torch


def smoothed(x: torch.Tensor, w: torch.Tensor):
    {made}
    for i in range(1, {last}):
        out[i] = {first} * x[i - 1] + w[-3] * x[i] + x[i + 1]
    return out
"""


@pytest.mark.parametrize(
    ("made", "last", "first", "sentence"),
    [
        ("n = x.shape[0]; out = torch.zeros(n)", "n - 1", "w[0]", "`w.shape[0]` is 3 or more"),
        ("n = x.shape[0]; out = torch.zeros(n)", "n - 1", "w[3]", "`w.shape[0]` is 4 or more"),
        ("out = torch.zeros(9)", "8", "w[3]", None),
    ],
)
def test_a_place_that_steps_read_by_its_number_is_there_without_steps(
    made: str, last: str, first: str, sentence: str | None
) -> None:
    text = READ_ONCE.format(made=made, last=last, first=first)
    (found,) = audit.audit_text(text, "program.py", audit.Options()).findings
    assert found.fix is not None and found.fix.applicability == "safe"
    reason = found.fix.reason or ""
    assert "or more" not in reason if sentence is None else sentence in reason


WHOLE_SCORES = """\
import torch


def f(x: torch.Tensor, y: torch.Tensor):
    s = {scores}
    return s - s.exp().sum(1, keepdim=True).log()
"""


@pytest.mark.parametrize(
    ("scores", "sentence"),
    [
        ("x", "`x` holds floating-point numbers"),
        ("2 * x", "`x` holds floating-point numbers"),
        ("x - y", "`x` or `y` holds floating-point numbers"),
        ("x / 2", None),
        ("x.float() + y", None),
    ],
)
def test_integers_have_no_log_softmax(scores: str, sentence: str | None) -> None:
    report = audit.audit_text(WHOLE_SCORES.format(scores=scores), "program.py", audit.Options())
    (found,) = [finding for finding in report.findings if finding.code == "ASC107"]
    assert found.fix is not None
    reason = found.fix.reason or ""
    assert "floating-point" not in reason if sentence is None else sentence in reason


IDENTITY = """import numpy as np


def f(a: np.ndarray, gains: np.ndarray):
    rows, columns = a.shape
    rows, {several} = gains.shape
    return np.eye(rows) * gains{part} @ a
"""


@pytest.mark.parametrize(
    ("several", "part", "stated"),
    [
        ("several", "", "`gains`"),
        ("several", "[:, :-1]", "`gains[:, :-1]`"),
        ("several", ".reshape(rows, rows)", None),
    ],
)
def test_one_column_meets_an_identity_as_well(several: str, part: str, stated: str | None) -> None:
    text = IDENTITY.format(several=several, part=part)
    (found,) = audit.audit_text(text, "program.py", audit.Options()).findings
    assert found.code == "SPA402" and found.fix is not None
    reason = found.fix.reason or ""
    assert "is square" not in reason if stated is None else f"{stated} is square" in reason


STARTS_WITHOUT_AXES = """\
import torch


def f(x: torch.Tensor):
    {shape} = x.shape
    total = {start}
    rows = []
    for i in range(n):
        total = {step}
        rows.append({row})
    return torch.stack(rows)
"""


@pytest.mark.parametrize(
    ("shape", "start", "step", "stated"),
    [
        ("(n,)", "torch.zeros(())", "total + x[i]", True),
        ("(n,)", "torch.zeros(())", "total + 0.5 * x[i]", True),
        ("(n,)", "torch.tensor(-torch.inf)", "torch.maximum(total, x[i])", True),
        ("(n,)", "0.0", "total + x[i]", False),
        ("n, d", "torch.zeros(())", "total + 0.5 * x[i]", False),
    ],
)
def test_numbers_of_torch_widen_each_other(shape: str, start: str, step: str, stated: bool) -> None:
    row = "total" if "maximum" in step else "total * 2"
    text = STARTS_WITHOUT_AXES.format(shape=shape, start=start, step=step, row=row)
    (found,) = audit.audit_text(text, "program.py", audit.Options()).findings
    assert found.fix is not None and found.fix.applicability == "safe"
    assert ("`total` starts in no wider type" in (found.fix.reason or "")) is stated


def test_a_tensor_of_zero_widens_halves() -> None:
    text = STARTS_WITHOUT_AXES.format(
        shape="(n,)", start="torch.zeros(())", step="0.9 * total + x[i].half()", row="total"
    )
    report = audit.audit_text(text, "program.py", audit.Options())
    assert not [one for one in report.findings if one.fix is not None]


def test_a_product_of_unknown_rank_is_no_matrix_to_normalise() -> None:
    text = """\
import torch


def f(x, w):
    y = x @ w
    mean = y.mean({dim}, keepdim=True)
    variance = ((y - mean) ** 2).mean({dim}, keepdim=True)
    return (y - mean) / torch.sqrt(variance + 1e-5)
"""
    for dim, safe in ((1, False), (-1, True)):
        report = audit.audit_text(text.format(dim=dim), "program.py", audit.Options())
        fixes = [one.fix for one in report.findings if one.code == "ASC108" and one.fix]
        written = [edit.content for fix in fixes for edit in fix.edits]
        assert any("layer_norm" in content for content in written) is safe


@pytest.mark.parametrize("kind, stated", [("R", True), ("R: float", False), ("R=0.5", False)])
def test_what_is_added_to_a_matrix_that_is_inverted_makes_no_stack_of_it(
    kind: str, stated: bool
) -> None:
    text = f"""\
import numpy as np


def gain(H: np.ndarray, {kind}):
    S = H @ H.T + R
    return H.T @ np.linalg.inv(S)
"""
    (finding,) = audit.audit_text(text, "program.py", audit.Options()).findings
    assert finding.code == "RED507" and finding.fix is not None
    sentence = "`R` has no more axes than what it meets"
    assert (sentence in (finding.fix.reason or "")) is stated


@pytest.mark.parametrize(
    "router, stated", [("router", True), ("router: 'Float[Tensor, \"d e\"]'", False)]
)
def test_experts_are_chosen_once_a_token_which_a_product_does_not_say(
    router: str, stated: bool
) -> None:
    text = f"""\
import torch


def mixed(x, w, {router}):
    logits = x @ router
    top, places = logits.topk(2, dim=-1)
    gate = torch.zeros_like(logits).scatter(-1, places, top.softmax(-1))
    y = torch.einsum("bd,edh->beh", x, w)
    return (y * gate[:, :, None]).sum(1)
"""
    (finding,) = audit.audit_text(text, "program.py", audit.Options()).findings
    assert finding.code == "SPA403" and finding.fix is not None
    assert ("`places` has 2 axes" in (finding.fix.reason or "")) is stated


COUNTED = """\
def total({given}, values: list[float]):
    i = 0
    s = 0.0
    while i < {bound}:
        s += values[i]
        i += 1
    return s
"""


@pytest.mark.parametrize(
    ("given", "bound", "sentence"),
    [
        ("n", "n", "`n` is an integer"),
        ("n, m", "n * m", "`m` and `n` are integers"),
        ("n: int", "n", None),
        ("n", "len(values)", None),
        ("n", "int(n / 2)", None),
    ],
)
def test_what_a_while_loop_counts_to(given: str, bound: str, sentence: str | None) -> None:
    """A comparison takes any number, a range only integers."""
    report = audit.audit_text(COUNTED.format(given=given, bound=bound), "name.py", audit.Options())
    (finding,) = report.findings
    assert finding.fix is not None and finding.fix.applicability == "safe"
    reason = finding.fix.reason or ""
    assert (sentence in reason) if sentence else "integer" not in reason


@pytest.mark.parametrize("bound", ["n / 2", "n**0.5", "2.5", "0.5 * n"])
def test_no_range_goes_as_far_as_a_fraction(bound: str) -> None:
    report = audit.audit_text(COUNTED.format(given="n", bound=bound), "name.py", audit.Options())
    assert all(finding.fix is None or finding.fix.applicability == "unsafe"
               for finding in report.findings)  # fmt: skip


@pytest.mark.parametrize(
    "given, walked, stated",
    [
        ("batches", "batches", True),
        ("batches", "reversed(batches)", True),
        ("batches: list[np.ndarray]", "batches", False),
        ("batches: np.ndarray", "batches", False),
        ("n: int", "(np.ones(2) for _ in range(n))", False),
    ],
)
def test_what_gives_the_parts_of_a_grown_array_may_give_one_array_again(
    given: str, walked: str, stated: bool
) -> None:
    text = f"""\
import numpy as np


def joined({given}):
    out = np.array([])
    for batch in {walked}:
        out = np.concatenate([out, batch])
    return out
"""
    (finding,) = audit.audit_text(text, "program.py", audit.Options()).findings
    assert finding.code == "RED511" and finding.fix is not None
    sentence = "each item of `batches` is an object of its own"
    assert (sentence in (finding.fix.reason or "")) is stated


_LAYER = """import torch


def f(x: torch.Tensor):
    {before}
    m = x.mean(-1, keepdim=True)
    v = ((x - m) ** 2).mean(-1, keepdim=True)
    return (x - m) / torch.sqrt(v + 1e-5)
"""
_CELLS = """import numpy as np


def f(a: np.ndarray, b: np.ndarray):
    n, k = a.shape
    c = np.zeros((n, b.shape[1]){dtype})
    for i in range(n):
        for j in range(b.shape[1]):
            for p in range(k):
                c[i, j] += a[i, p] * b[p, j]
    return c
"""
_LARGEST = "import numpy as np\n\n\ndef f(x):\n    {before}\n    return np.max(np.exp(x))\n"
_FEW = _LARGEST.replace("numpy as np", "torch").replace("np.max(np.exp(x))", "x.exp().topk(2)[0]")


@pytest.mark.parametrize(
    ("text", "sentence", "stated"),
    [
        (_LAYER.format(before="pass"), "`x` holds no complex numbers", True),
        (_LAYER.format(before="x = x.float()"), "no complex numbers", False),
        (_CELLS.format(dtype=""), "`a` and `b` hold no complex numbers", True),
        (_CELLS.format(dtype=", dtype=complex"), "no complex numbers", False),
        (_LARGEST.format(before="pass"), "`x` holds no complex numbers", True),
        (_LARGEST.format(before="x = np.abs(x)"), "no complex numbers", False),
        (_FEW.format(before="pass"), "`x` holds no truth values", True),
        (_FEW.format(before="x = x.float()"), "truth values", False),
    ],
)
def test_what_is_assumed_of_the_numbers_that_are_computed_with(
    text: str, sentence: str, stated: bool
) -> None:
    report = audit.audit_text(text, "f.py", audit.Options())
    (fix,) = (one.fix for one in report.findings if one.fix is not None)
    assert fix.applicability == "safe"
    assert (sentence in (fix.reason or "")) is stated, fix.reason


@pytest.mark.parametrize(
    ("given", "taken", "stated"),
    [
        ("x", "x.sort().values[0]", True),
        ("x", "x.sort(descending=True).indices[0]", True),
        ("x", "torch.sort(x)[0][k]", True),
        ("x.float()", "x.sort(descending=True).indices[0]", False),
        ("x", "x.sort().values[-1]", False),
    ],
)
def test_truth_values_are_sorted_but_not_searched(given: str, taken: str, stated: bool) -> None:
    text = f"import torch\n\n\ndef f(x, k):\n    x = {given}\n    return {taken}\n"
    report = audit.audit_text(text, "f.py", audit.Options())
    (fix,) = (one.fix for one in report.findings if one.fix is not None)
    assert ("`x` holds no truth values" in (fix.reason or "")) is stated, fix.reason
    assert (fix.reason or "").startswith("assumes that") <= stated


@pytest.mark.parametrize(
    ("taken", "sentence", "stated"),
    [
        ("torch.sqrt(x).argmax(-1)", "where `sqrt` is not defined another place may win", True),
        ("torch.sqrt(x.abs()).argmax(-1)", "is not defined", False),
        ("torch.exp(x).argmax(-1)", "`x` holds no truth values", True),
        ("torch.exp(x.abs()).argmax(-1)", "truth values", False),
        ("torch.linalg.norm(x, dim=-1) < 2", "complex numbers are compared otherwise", True),
        ("torch.linalg.norm(x.float(), dim=-1) < 2", "complex", False),
    ],
)
def test_what_is_doubted_of_what_is_compared(taken: str, sentence: str, stated: bool) -> None:
    text = f"import torch\n\n\ndef f(x):\n    return {taken}\n"
    report = audit.audit_text(text, "f.py", audit.Options())
    (fix,) = (one.fix for one in report.findings if one.fix is not None)
    assert fix.applicability == "unsafe"
    assert (sentence in (fix.reason or "")) is stated, fix.reason


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("(a @ b[:, None])[:, 0]", "`b[:, None]` has 2 axes"),
        ("(a @ b)[:, 0]", None),
        ("c @ torch.diag_embed(b)", "`c` has 2 axes or more"),
        ("a @ torch.diag_embed(b)", None),
    ],
)
def test_what_is_assumed_of_axes_that_products_meet(code: str, sentence: str | None) -> None:
    given = "    n, m = b.shape\n" if sentence is None else ""
    head = "def f(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor):\n    k, n = a.shape\n"
    text = f"import torch\n\n\n{head}{given}    return {code}\n"
    report = audit.audit_text(text, "f.py", audit.Options())
    (fix,) = (one.fix for one in report.findings if one.fix is not None)
    assert fix.applicability == "safe"
    assert sentence in (fix.reason or "") if sentence else fix.reason is None


@pytest.mark.parametrize(
    ("device", "places", "rows"),
    [
        ("", ".to(sums.device)", ".to(sums)"),
        (", device=x.device", ".to(sums.device)", ".to(sums.dtype)"),
        (", device=labels.device", "", ".to(sums)"),
    ],
)
def test_what_is_added_up_is_where_the_sums_are(device: str, places: str, rows: str) -> None:
    text = f"""\
import torch


def f(x: torch.Tensor, labels: torch.Tensor, k: int):
    sums = torch.zeros(k, x.shape[1]{device})
    for j in range(k):
        sums[j] = x[labels == j].sum(0)
    return sums
"""
    report = audit.audit_text(text, "f.py", audit.Options())
    (new,) = (edit.content for one in report.findings if one.fix for edit in one.fix.edits)
    assert f"groups = labels[inside].long(){places}\n" in new
    assert f"x[inside]{rows})" in new


@pytest.mark.parametrize(
    ("term", "sentence"),
    [
        ("math.log(x[i] - x[j])", "`math.log(x[i] - x[j])` raises nothing"),
        ("math.sqrt(x[i] - x[j])", "`math.sqrt(x[i] - x[j])` raises nothing"),
        ("math.sqrt((x[i] - x[j]) * (x[i] - x[j]) + 0.5)", None),
        ("math.sqrt((x[i] - x[j]) ** 2 + abs(x[i]))", None),
        ("math.tanh(x[i] - x[j])", None),
        ("np.log(x[i] - x[j])", None),
    ],
)
def test_functions_that_are_not_defined_everywhere(term: str, sentence: str | None) -> None:
    text = f"""\
import math

import numpy as np


def f(x: np.ndarray):
    total = 0.0
    for i in range(x.shape[0]):
        for j in range(i + 1, x.shape[0]):
            total += {term}
    return total
"""
    report = audit.audit_text(text, "f.py", audit.Options())
    (fix,) = (one.fix for one in report.findings if one.fix is not None)
    assert fix.applicability == "safe"
    said = fix.reason or ""
    assert sentence in said if sentence else "raises nothing" not in said


@pytest.mark.parametrize(
    ("step", "stated"),
    [("W.dot(D[i])", True), ("(W + 1).dot(D[i])", False), ("W.dot(D[i]) + W.sum()", False)],
)
def test_what_is_only_multiplied_may_be_sparse(step: str, stated: bool) -> None:
    text = f"""\
import numpy as np


def f(W, D):
    out = np.empty((D.shape[0], W.shape[0], D.shape[2]))
    for i in range(D.shape[0]):
        out[i] = {step}
    return out
"""
    report = audit.audit_text(text, "f.py", audit.Options())
    reasons = [one.fix.reason or "" for one in report.findings if one.fix and one.fix.edits]
    assert reasons
    assert all(("`W` is an array" in reason) is stated for reason in reasons)


@pytest.mark.parametrize(
    ("library", "given", "safe"),
    [
        ("from scipy import sparse\n", "a, b", False),
        ("import scipy.sparse as sps\n", "a, b", False),
        ("from scipy.sparse import csr_matrix\n", "a, b", False),
        ("import scipy\n\nEMPTY = scipy.sparse.eye(3)\n", "a, b", False),
        ("from scipy import sparse\n", "a: np.ndarray, b: np.ndarray", True),
        ("from lib import util\n\nBASIS = util.sparsify_rows(np.eye(3))\n", "a, b", False),
        ("\n\ndef inverse(x):\n    return x.T.toarray()\n", "a, b", False),
        ("from scipy import linalg\n", "a, b", True),
        ("SPARSITY = 0.01\n", "a, b", True),
        ("", "a, b", True),
    ],
)
def test_a_file_of_sparse_matrices_multiplies_them(library: str, given: str, safe: bool) -> None:
    text = f"""\
import numpy as np
{library}

def f({given}):
    return a.T.dot(b)[0, 0]
"""
    report = audit.audit_text(text, "f.py", audit.Options())
    (fix,) = (one.fix for one in report.findings if one.fix is not None)
    assert fix.applicability == ("safe" if safe else "unsafe")
    assert ("`a` may be a sparse matrix" in (fix.reason or "")) is not safe


COLUMN = """\
import torch


def turned(points, {cell}):
    return torch.sum(points[..., None] * {frame}[None, ...], dim=1)
"""


def test_an_axis_counted_from_the_front_says_how_many_there_are() -> None:
    text = COLUMN.format(cell="cell", frame="cell.view(3, 3)")
    report = audit.audit_text(text, "program.py", audit.Options())
    (found,) = report.findings
    assert found.code == "LOC301" and found.fix is not None
    assert "has 3 axes, as its uses say" in (found.fix.reason or "")
    assert "at least 3 axes" not in (found.fix.reason or "")


KERNELS = """\
import numpy as np


class Kernels:
    def pair(self, a, b):
        return np.exp(-np.sum((a - b) ** 2))

    def matrix(self, x: np.ndarray, y: np.ndarray):
        n, _ = x.shape
        m, _ = y.shape
        out = np.zeros((n, m))
        for i in range(n):
            for j in range(m):
                out[i, j] = self.pair(x[i], y[j])
        return out
"""


def test_what_a_method_computes_is_assumed_to_be_what_is_called() -> None:
    report = audit.audit_text(KERNELS, "program.py", audit.Options())
    fixes = [found.fix for found in report.findings if found.fix is not None]
    assert fixes
    for fix in fixes:
        assert "no subclass elsewhere overrides `pair`" in (fix.reason or "")


OF_A_NUMBER = """\
import numpy as np


def smoothed(x: np.ndarray, c{kind}):
    h = 0.0
    out = []
    for v in x:
        h = c * h + v
        out.append(h)
    return np.array(out)
"""


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        (": float", "`c` is a float, as its annotation says"),
        (": float | None = None", "`c` is a float, as its annotation says"),
        ("=0.5", "`c` is a float, as its default says"),
        ("=2", "`c` is an integer, as its default says"),
        (": int", None),
    ],
)
def test_another_number_than_a_parameter_is_taken_for(kind: str, sentence: str | None) -> None:
    (found,) = audit.audit_text(OF_A_NUMBER.format(kind=kind), "m.py", audit.Options()).findings
    assert found.fix is not None and found.fix.applicability == "safe"
    reason = found.fix.reason or ""
    assert sentence in reason if sentence else "`c` is" not in reason


def test_a_number_that_counts_is_whole() -> None:
    text = OF_A_NUMBER.format(kind="=2").replace("for v in x:", "for v in x[c:]:")
    (found,) = audit.audit_text(text, "m.py", audit.Options()).findings
    assert found.fix is not None and "is an integer" not in (found.fix.reason or "")


FALLING = """\
import torch


def f(x: torch.Tensor, y: torch.Tensor):
    h = {start}
    out = []
    for t in range(x.shape[0]):
        h = {step}
        out.append(h)
    return torch.stack(out)
"""


@pytest.mark.parametrize(
    ("start", "step", "stated"),
    [
        ("y[0]", "max(0.9 * h, x[t])", True),
        ("y[0]", "torch.maximum(0.9 * h, x[t])", False),
    ],
)
def test_what_no_step_chooses_has_zeros(start: str, step: str, stated: bool) -> None:
    text = FALLING.format(start=start, step=step)
    (found,) = audit.audit_text(text, "m.py", audit.Options()).findings
    assert found.fix is not None and found.fix.applicability == "safe"
    assert ("gradient of zeros, not none" in (found.fix.reason or "")) is stated


DOTS = """\
import torch


def f(a: torch.Tensor):
    n = a.shape[0]
    out = torch.zeros(n, n)
    for i in range(n):
        for j in range(n):
            out[i, j] = torch.{product}(a[i], a[j])
    return out
"""


@pytest.mark.parametrize(("product", "stated"), [("vdot", True), ("dot", False)])
def test_products_that_conjugate_are_of_real_numbers(product: str, stated: bool) -> None:
    (found,) = audit.audit_text(DOTS.format(product=product), "m.py", audit.Options()).findings
    assert found.fix is not None
    assert ("`a[i]` holds no complex numbers" in (found.fix.reason or "")) is stated


def test_what_stands_between_a_row_and_itself_is_a_matrix() -> None:
    text = "import numpy as np\n\n\ndef f(d, P):\n    return np.array([v @ P @ v for v in d])\n"
    (found,) = audit.audit_text(text, "m.py", audit.Options()).findings
    assert found.fix is not None and "`d` and `P` have 2 axes" in (found.fix.reason or "")


LARGER = """\
import torch


def f(x: torch.Tensor):
    h = {start}
    out = []
    for v in x:
        h = torch.where(v > h, v, h)
        out.append(h)
    return torch.stack(out)
"""


@pytest.mark.parametrize(("start", "stated"), [("0.0", True), ("0", False)])
def test_an_extreme_that_starts_as_a_fraction_makes_floats(start: str, stated: bool) -> None:
    (found,) = audit.audit_text(LARGER.format(start=start), "m.py", audit.Options()).findings
    assert found.fix is not None and found.fix.applicability == "safe"
    assert ("`x` holds floating-point numbers" in (found.fix.reason or "")) is stated


STANDING = """\
import torch


def f(x: torch.Tensor):
    h = torch.ones(1)
    out = []
    for t in range(x.size(0)):
        v = x[t, :]
        h = v if v.sum() > 0 else h
        out.append(h.unsqueeze(0))
    return torch.cat(out, 0)
"""


def test_what_stands_in_for_a_row_is_of_its_type() -> None:
    (found,) = audit.audit_text(STANDING, "m.py", audit.Options()).findings
    assert found.fix is not None and "and are of one type, as" in (found.fix.reason or "")


CHOSEN_START = """\
import numpy as np


def last(x: np.ndarray, y: np.ndarray):
{before}    h = {start}
    for t in range(len(x)):
        h = np.where(y[t] > 0, x[t], h + x[t])
    return h
"""


def test_numbers_that_where_makes_arrays_of_are_said() -> None:
    said = "whether `h` is a number or an array without axes is the same to what reads it"
    rows = "    n, m = x.shape\n"
    for before, start, stated in (("", "x[0]", True), (rows, "np.zeros(m)", False)):
        text = CHOSEN_START.format(before=before, start=start)
        (found,) = audit.audit_text(text, "program.py", audit.Options()).findings
        assert found.code == "ASC101" and found.fix is not None
        assert (said in (found.fix.reason or "")) is stated


AT_THE_END = """\
import {library}


def returns(x: {array}, values: {array}, last: {array}, g: float):
    h = x[0] * 0
    out = {library}.zeros_like(x)
    for t in reversed(range(len(x))):
        following = last if t == len(x) - 1 else values[t + 1]
        h = x[t] + following + g * h
        out[t] = h
    return out
"""


def test_gradients_of_a_single_step_are_said() -> None:
    said = "what a single step never reads has a gradient of zeros, not none"
    for library, array in (("torch", "torch.Tensor"), ("numpy", "numpy.ndarray")):
        text = AT_THE_END.format(library=library, array=array)
        (found,) = audit.audit_text(text, "program.py", audit.Options()).findings
        assert found.code == "ASC101" and found.fix is not None
        assert (said in (found.fix.reason or "")) is (library == "torch")


CLIPPED = """\
import numpy as np


def clipped(x{annotation}):
    h = 0
    out = []
    for t in range(len(x)):
        h = np.clip(h + x[t], {low}, 1)
        out.append(h)
    return np.array(out)
"""


def test_unsigned_integers_are_not_kept_above_a_negative_number() -> None:
    for low, stated in (("-1", True), ("0", False)):
        text = CLIPPED.format(annotation=": np.ndarray", low=low)
        (found,) = audit.audit_text(text, "program.py", audit.Options()).findings
        assert found.code == "ASC104" and found.fix is not None
        assert ("`x` holds no unsigned integers" in (found.fix.reason or "")) is stated
