"""Nothing that a loop does besides computing is overlooked, in whatever expression it hides."""

from __future__ import annotations

import textwrap

import pytest

from auditor.audit import Options, audit_text

LOOP = """
import torch

LOG = []


def f(x: torch.Tensor, a: float, d):
    h = torch.zeros_like(x[0])
    out = []
    for t in range(x.shape[0]):
{statement}
        h = a * h + x[t]
        out.append(h)
    return torch.stack(out)
"""

STATEMENTS = """\
pass
_ = [print(v) for v in x[t] if v > 0]
_ = [d.pop() for a in d for b in d]
s = f"{LOG.append(t)}"
s = {"a": d.pop()}
s = {d.pop()}
s = {k: LOG.append(k) for k in d}
s = {LOG.append(k) for k in d}
s = sum(d.pop() for _ in range(2))
s = torch.zeros(3, device=d.pop())
s = d[LOG.pop()]
s = 1 < t < d.pop()
s = x[t].view(d.pop(), -1)
s = {**d.popitem()}
s = [*d.pop()]
s = d and LOG.append(t)
s = LOG.append(t) if t > 2 else None
s = (lambda: LOG.append(1))()
s = not d.pop()
s = -d.pop()
s = d.pop() @ d
s = d.pop().shape[0]
s = (n := d.pop())
yield t
s = yield
assert t < 5, LOG.append(t)
del d[t]
d[t]: int = 5
d.count = t
for z in d: z.pop()
import os; d.pop()
def inner(q=d.pop()): return q
s = lambda q=d.pop(): q"""


def fixes(statement: str) -> list[str | None]:
    text = LOOP.format(statement=textwrap.indent(statement, " " * 8))
    return [f.code for f in audit_text(text, "f.py", Options()).findings if f.fix is not None]


@pytest.mark.parametrize("statement", STATEMENTS.splitlines()[1:])
def test_an_effect_forbids_the_rewrite(statement: str) -> None:
    assert not fixes(statement)


def test_without_an_effect_it_is_rewritten() -> None:
    assert fixes(STATEMENTS.splitlines()[0]) == ["ASC101"]


def test_what_is_written_between_the_parts_of_a_softmax() -> None:
    text = """
        import torch


        def f(x: torch.Tensor):
            e = torch.exp(x - x.max(-1, keepdim=True).values)
            {}
            return e / e.sum(-1, keepdim=True)
        """
    for statement in (
        's = f"{x.zero_()}"',
        "s = [x.zero_() for v in (1, 2) if v]",
        "s = {x.zero_()}",
    ):
        source = textwrap.dedent(text).format(statement)
        found = audit_text(source, "f.py", Options()).findings
        assert not [f for f in found if f.fix is not None], statement
    assert audit_text(textwrap.dedent(text).format("s = 1"), "f.py", Options()).findings


HELPER = """
import torch


class Layer(torch.nn.Module):
    def note(self, x):
        print("noted")
        {inner}
        return x

    def move(self):
        self.scale = self.scale * 2.0

    def forward(self, x: torch.Tensor):
        e = torch.exp(float(self.scale) * x)
        {call}
        return e / torch.exp(float(self.scale) * x).sum(-1, keepdim=True)
"""


@pytest.mark.parametrize(
    "inner",
    ["self.scale = self.scale + 1.0", "self.move()", "for _ in x:\n            self.move()"],
)
def test_an_attribute_that_a_called_method_sets_is_another_one(inner: str) -> None:
    text = HELPER.format(inner=inner, call="self.note(x)")
    assert not [f for f in audit_text(text, "f.py", Options()).findings if f.fix is not None]


def test_without_the_call_the_attribute_is_the_same() -> None:
    text = HELPER.format(inner="pass", call="pass")
    assert [f.code for f in audit_text(text, "f.py", Options()).findings if f.fix] == ["ASC107"]


def test_a_method_that_is_called_on_its_class() -> None:
    text = """
        import torch


        class Step(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x

        def f(x: torch.Tensor, a: float):
            h = torch.zeros_like(x[0])
            for t in range(x.shape[0]):
                h = a * h + x[t]
            return Step.apply(h)
        """
    report = audit_text(textwrap.dedent(text), "f.py", Options())
    assert not report.problems
    assert [f.code for f in report.findings] == ["ASC101"]


@pytest.mark.parametrize(
    "body",
    [
        # a place written in one branch, and given up in another
        """
        y = np.zeros((n, 1))
        for k in range(n):
            if most > least * (k + 1):
                if width > least:
                    pass
                elif low < -10:
                    y[k] = high
                elif high > 10:
                    pass
        """,
        # places of unknown number chosen among places of unknown number
        """
        kept = torch.index_select(a, 0, torch.tensor(b))
        return torch.where(kept < 0, torch.zeros_like(kept), kept)
        """,
        # an f-string into which text with a backslash would be put
        """
        found = []
        for row in b:
            row = row.replace("\\\\n", " ")
            found.append(f"{row}!")
        return found
        """,
        # an axis of which a sample has no length
        """
        r = n[b]
        u, s, v = torch.svd_lowrank(a, q=min(4 * r, min(a.shape)), niter=4)
        u = u[:, : 2 * r]
        s = s[: 2 * r]
        if b == "x":
            w = u[:, 0 : 2 * r : 2] @ torch.diag(s[0 : 2 * r : 2])
        elif b == "y":
            w = u[:, :r] @ torch.diag(s[:r])
        w = w / (a.shape[0] ** 0.25) * r
        return w.contiguous() - w.norm()
        """,
        """
        starts = np.cumsum(b)
        low = starts[n - 1] if n > 0 else 0
        sizes = a[low : starts[n]].prod(-1) // 4
        return [int(v) for v in sizes[1:]]
        """,
        # what is folded is computed of nothing
        """
        counts = torch.empty_like(a)
        sent, received = torch.stack([a.sum(dim=1), counts.sum(dim=1)]).tolist()
        return sum(received)
        """,
    ],
)
def test_what_has_no_notation_is_no_error(body: str) -> None:
    program = "import numpy as np\nimport torch\n\n\ndef f(a: torch.Tensor, b, n):\n"
    text = program + textwrap.indent(textwrap.dedent(body).strip("\n"), "    ") + "\n"
    assert audit_text(text, "f.py", Options(everything=True)).problems == ()
