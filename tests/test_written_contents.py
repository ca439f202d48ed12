"""What made an array or a list tells what it holds only until something writes into it, by whatever
way: no fix rests on what was there before."""

from __future__ import annotations

import textwrap

import pytest

from auditor.audit import Options, audit_text

ARRAY = """
import contextlib
import operator

import numpy as np
from elsewhere import does


def writes(q):
    q[0] = 3


def f(M: np.ndarray, n: int):
    A = np.eye(M.shape[0])
{statement}
    for _ in range(n):
        A = A @ M
    return A
"""

LIST = """
import torch
from elsewhere import does


def f(x: torch.Tensor):
    best = x[:, 0]
    out = [best]
{statement}
    for t in range(1, x.shape[1]):
        best = torch.maximum(best, x[:, t])
        out.append(best)
{later}
    return torch.stack(out, dim=1)
"""

LAST = """
import torch


def f(signal, decay, drive):
    state = torch.zeros(signal.shape[1], dtype=signal.dtype)
    kept = []
    for k in range(signal.shape[0]):
        state = decay * state + drive[k] * signal[k]
        kept.append(state)
{statement}
    return torch.stack(kept)
"""

FILLED = """
import torch


def f(rewards: torch.Tensor, gamma: float):
    adv = torch.zeros(rewards.shape[0])
    last = 0.0
    for t in reversed(range(rewards.shape[0])):
        last = rewards[t] + gamma * last
{statement}
        adv[t] = last
    return adv
"""

NEST = """
import numpy as np


def f(left: np.ndarray, right: np.ndarray):
    n, k = left.shape
    m = right.shape[1]
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            for p in range(k):
                out[i, j] += left[i, p] * right[p, j]
            {statement}
    return out
"""

SOFTMAX = """
import numpy as np
from scipy import special


def f(logits):
    z = logits - logits.max(axis=1, keepdims=True)
    {statement}
    np.exp(z, z)
    z /= z.sum(axis=1, keepdims=True)
    return z
"""

LAGS = """
import torch


def f(x: torch.Tensor, h: torch.Tensor):
    (n,) = x.shape
    (n,) = h.shape
    rows = []
    for t in range(n):
        rows.append((h[: t + 1].flip(0) * x[: t + 1]).sum())
{statement}
    return torch.stack(rows)
"""

BETWEEN = """\
logits.put(0, 3)
logits.fill(2)
logits.T[0] = 2
logits.flat = 2
np.put(logits, [0], [3])
np.copyto(logits, 0)
np.copyto(dst=logits, src=0.0)
np.add.at(logits, 0, 1)
np.ndarray.fill(logits, 2)"""

WRITES = """\
A.fill(3)
A.sort(axis=0)
A.partition(1)
A.put(0, 3)
A.flat = 3
A.flat[0] = 3
A.T[0] = 3
A[0][0] = 3
A.ravel()[0] = 3
A.real[0] = 3
A.shape = (3, 3)
A.setfield(3.0, A.dtype)
A.__setitem__(0, 3)
np.copyto(A.T, 2)
np.place(A, A > 0, [3])
np.add.at(A, 0, 2)
np.asarray(A)[0] = 3
np.atleast_1d(A)[0] = 3
np.ndarray.fill(A, 3)
np.put_along_axis(A, np.zeros((1, 3), int), 3, 0)
np.apply_along_axis(lambda v: v.fill(1), 0, A)
operator.iadd(A, 1)
memoryview(A)[0, 0] = 3
does(A)
does([A])
does(q=A.T)
does(lambda: A)
writes(A)
writes(A[:1])
list(map(does, [A]))
list(map(writes, [A]))
list(map(A.__setitem__, [0], [3]))
s = A.fill(3)
s = f"{A.fill(3)}"
s = len(str(A.fill(3)))
s = (lambda: A.fill(3))()
s = [r.fill(3) for r in A]
s = A; s += 1
s = A.T; s *= 2
s = [A]; s[0][0] = 3
s = {"a": A}; s["a"][0] = 3
s = list(A); s[0][0] = 3
a, *s = A; s[0][0] = 3
s = A.fill; s(3)
for r in A: r *= 3
with contextlib.nullcontext(A) as s: s[0] = 3
class Z: A[0] = 3
if n: A.fill(3)
print(A.fill(3))
assert A.fill(3) is None"""

READS = """\
pass
s = A.shape
s = A + 1
s = A.T
s = A[0]
s = np.linalg.norm(A)
s = np.sort(A, axis=0); s[0] = 1
s = A.copy(); s[0] = 3
s = np.array(A); s[0] = 3
s = M.copy(); s.fill(2)
s = [r.sum() for r in A]
s = sorted([1, 2], key=abs)
s = []; s.append(1); s.pop()
print(A.sum(), f"{A}")
assert A.ndim == 2"""

TAKEN = """\
del out[0]
del out[:]
out.pop()
out.clear()
out.remove(best)
list.pop(out)
does(out)
does([out])
s = out; s.pop()
s = out; del s[0]
s = out; s += [best]
s = [out]; s[0].pop()"""

LEFT = """\
state[0] = 3
s = state; s[0] = 3
s = state[1:]; s[0] = 3
s = state.view(-1); s[0] = 3"""

FIRST = """\
x[0] = 3
x.fill_(3)
best[0] = 3
s = x.__setitem__(0, 3) or 1
s = out[0]; s += 1"""

ALIASES = """\
s = adv; s *= 2
s = adv; s += last"""


def safe(program: str, statement: str, later: str = "pass") -> list[str | None]:
    indent = "        " if program is FILLED else "    "
    indent = "" if program is SOFTMAX else indent
    lines, behind = (textwrap.indent(one, indent) for one in (statement, later))
    report = audit_text(program.format(statement=lines, later=behind), "f.py", Options())
    assert not report.problems, report.problems
    return [
        one.code for one in report.findings if one.fix and one.fix.applicability == "safe"
    ]  # fmt: skip


@pytest.mark.parametrize("statement", WRITES.splitlines())
def test_what_an_array_held_before_a_write_is_forgotten(statement: str) -> None:
    assert safe(ARRAY, statement) == []


@pytest.mark.parametrize("statement", BETWEEN.splitlines())
def test_what_an_expression_read_is_written_before_its_last_part(statement: str) -> None:
    assert safe(SOFTMAX, "n = logits.shape") == ["ASC107"]
    assert safe(SOFTMAX, statement.strip()) == []


@pytest.mark.parametrize("statement", READS.splitlines())
def test_what_is_only_read_is_known(statement: str) -> None:
    assert safe(ARRAY, statement) == ["ASC114"]


@pytest.mark.parametrize("statement", TAKEN.splitlines())
def test_items_may_be_taken_out_of_a_list(statement: str) -> None:
    assert safe(LIST, statement) == []


@pytest.mark.parametrize("statement", LEFT.splitlines())
def test_what_a_loop_left_may_be_the_last_item_of_its_list(statement: str) -> None:
    assert safe(LAST, statement) == []


@pytest.mark.parametrize("statement", FIRST.splitlines())
def test_what_a_list_began_with_may_be_changed_before_it_is_stacked(statement: str) -> None:
    assert safe(LIST, "pass", statement) == []


@pytest.mark.parametrize("statement", ALIASES.splitlines())
def test_what_a_loop_writes_may_be_changed_under_another_name(statement: str) -> None:
    assert safe(FILLED, statement) == []


@pytest.mark.parametrize("program", [LIST, LAST, FILLED])
def test_the_programs_are_fixed_otherwise(program: str) -> None:
    assert safe(program, "pass") != []


@pytest.mark.parametrize("write", ["np.atleast_1d(left)[0] = 3", "left.T[0] = 3", "left.flat = 3"])
def test_steps_that_write_what_others_read_are_not_taken_apart(write: str) -> None:
    text = NEST.format(statement=write)
    spans = [
        edit.span for one in audit_text(text, "f.py", Options()).findings
        if one.fix and one.fix.applicability == "safe" for edit in one.fix.edits
    ]  # fmt: skip
    (line,) = (at for at, said in enumerate(text.splitlines(), 1) if write in said)
    assert not any(span.line <= line <= span.end_line for span in spans)


@pytest.mark.parametrize(
    "statement", ["x.fill_(3)", "s = x.__setitem__(0, 3)", "s = [x]; s[0][0] = 3"]
)
def test_what_a_list_was_computed_of_is_written_before_it_is_stacked(statement: str) -> None:
    assert safe(LAGS, "n = x.shape[0]") == ["SYM604"]
    assert safe(LAGS, statement) == []
