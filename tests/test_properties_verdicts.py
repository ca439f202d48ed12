"""The six properties on loops and expressions, the book's worked examples, and what must fail."""

from __future__ import annotations

import time

import pytest
from expressions import every, softmax
from hypothesis import given, settings
from loops import coupled, mamba, simple, streaming_top_k
from notation_builders import (
    HERE,
    E,
    N,
    T,
    ap,
    array,
    at,
    expression,
    idx,
    loop,
    red,
    state,
    term,
    value,
    where,
)  # fmt: skip
from test_algebra_normal import FREE, terms

from auditor.notation import Carry, Computation, Scan, Trace, Value
from auditor.properties import audit_table
from auditor.verdict import PROPERTIES, Verdicts


def answers(verdicts: Verdicts) -> str:
    return " ".join(v.verdict for v in verdicts.values())


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("sum", "holds fails fails fails fails holds"),
        ("mean", "holds fails fails fails fails holds"),
        ("variance", "holds fails fails fails fails holds"),
        ("mean deviation", "partial fails fails fails fails holds"),
        ("median", "fails fails fails fails holds holds"),
        ("top-k", "holds fails fails partial holds holds"),
        ("argmin of sqrt", "holds fails fails fails holds fails"),
        ("softmax", "holds fails fails fails fails holds"),
        ("attention", "holds partial partial holds fails fails"),
        ("matmul", "holds holds partial fails fails holds"),
        ("gram", "holds holds partial fails fails holds"),
        ("nbody", "holds partial partial fails fails holds"),
        ("stencil", "fails fails holds fails fails holds"),
        ("convolution", "holds fails holds fails fails holds"),
        ("toeplitz", "holds fails partial holds fails holds"),
        ("banded", "holds fails holds holds fails fails"),
        ("one_hot", "holds holds partial holds fails fails"),
        ("prefix_sums", "holds fails fails fails holds fails"),
        ("pairwise", "holds holds partial fails fails holds"),
        ("pointwise", "fails fails holds fails fails fails"),
    ],
)
def test_expressions(name: str, expected: str) -> None:
    verdicts = audit_table(every()[name])
    assert tuple(verdicts) == PROPERTIES
    assert answers(verdicts) == expected, {k: v.evidence for k, v in verdicts.items()}


def test_the_books_mamba() -> None:
    verdicts = audit_table(mamba())
    assert answers(verdicts) == "holds partial holds fails partial fails"
    assert "(a2 a1, a2 b1 + b2)" in verdicts["associativity"].evidence
    assert verdicts["symmetry"].basis == "counterexample"


def test_the_books_top_k() -> None:
    verdicts = audit_table(streaming_top_k())
    assert answers(verdicts) == "holds fails holds partial holds holds"


def test_the_books_n_body() -> None:
    verdicts = audit_table(every()["nbody"])
    assert verdicts["separability"].basis == "probe"
    assert "f(i, j) = -f(j, i)" in verdicts["symmetry"].evidence
    assert "m[j]" in verdicts["symmetry"].evidence


@pytest.mark.parametrize("name", ["max by branch", "min by branch", "count", "running mean"])
def test_streaming_programs_hold(name: str) -> None:
    verdict = audit_table(simple()[name])["associativity"]
    assert (verdict.verdict, verdict.basis) == ("holds", "proof")


@pytest.mark.parametrize("name", ["online softmax", "online softmax by branch", "welford"])
def test_cascades_hold_in_one_pass(name: str) -> None:
    verdict = audit_table(coupled()[name])["associativity"]
    assert verdict.verdict == "holds" and "one pass" in verdict.evidence


@pytest.mark.parametrize(
    "name", ["tanh", "logistic", "rare branch", "reset", "kahan", "gauss-seidel", "pointer",
             "saturating int", "rounded", "opaque"],
)  # fmt: skip
def test_never_a_false_holds(name: str) -> None:
    assert audit_table(simple()[name])["associativity"].verdict in ("fails", "unknown")


def test_softmax_across_two_axes_is_not_a_cascade() -> None:
    assert "one pass" not in audit_table(softmax(across=True))["associativity"].evidence
    plain = audit_table(softmax())["associativity"].evidence
    assert "max" not in plain  # the maximum has cancelled
    assert "max" in audit_table(softmax(across=True))["associativity"].evidence


def test_all_six_fail() -> None:
    """A nonlinear recurrence that jumps through its input."""
    x, s, t = array("x", N), state("s"), idx("t", T)
    jump = at(x, E(t) * 2)
    verdicts = audit_table(loop(t, (s, 0.0, ap("tanh", at(s) + jump) * at(x, t))))
    assert {v.verdict for v in verdicts.values()} == {"fails"}, verdicts


def test_loop_invariant_and_power() -> None:
    x, a, s, t = array("x", T), array("a"), state("s"), idx("t", T)
    verdicts = audit_table(loop(t, (s, 0.0, at(s) * ap("exp", at(a)) + at(x, t))))
    assert verdicts["redundancy"].verdict == "holds"
    s, t = state("s"), idx("t", T)
    assert "squarings" in audit_table(loop(t, (s, 1.0, at(s) * at(a))))["redundancy"].evidence
    s, b, t = state("s"), state("b"), idx("t", T)
    moving = loop(t, (s, 1.0, at(s) * at(b)), (b, 1.0, at(b) + at(x, t)))
    assert audit_table(moving)["redundancy"].verdict == "fails"


def test_data_dependent_index_is_unknown() -> None:
    x, c, i = array("x", N), array("c", N, dtype="int64"), idx("i", N)
    verdicts = audit_table(expression(value("y", (i,), at(x, at(c, i)))))
    assert verdicts["locality"].verdict == "unknown"


def test_every_table_is_fast() -> None:
    tables = [*every().values(), *simple().values(), *coupled().values(), mamba()]
    start = time.process_time()
    for computation in tables:
        audit_table(computation)
    assert (time.process_time() - start) / len(tables) < 0.25


@settings(max_examples=60, deadline=None, derandomize=True)
@given(terms())
def test_any_term_has_a_table(t: E) -> None:
    verdicts = audit_table(expression(value("y", (FREE,), t)))
    assert tuple(verdicts) == PROPERTIES


def test_symmetries_that_only_look_so() -> None:
    x, b, i, k = array("x", N), array("b", N), idx("i", N), idx("k", N)
    first = expression(value("y", (i,), at(x, E(i) + 1) - at(x, 0)))
    assert audit_table(first)["symmetry"].verdict == "fails"
    biased = expression(value("y", (i,), at(x, i) / red("sum", k, at(x, k)) + at(b, i)))
    assert "in b, x permutes i in the same way" in audit_table(biased)["symmetry"].evidence
    placed = expression(value("y", (), red("sum", k, at(x, k) * k)))
    assert audit_table(placed)["symmetry"].verdict == "fails"
    pinned = expression(value("y", (), red("sum", k, at(x, k)) - at(x, 0)))
    assert audit_table(pinned)["symmetry"].verdict == "fails"


def test_a_loop_with_a_state_dependent_end_or_history() -> None:
    x, s = array("x", N), state("s")
    t = idx("t", (at(s) + 1).term)
    assert audit_table(loop(t, (s, 0, at(s) + at(x, t))))["associativity"].verdict == "fails"
    s, t = state("s"), idx("t", T)
    scan = Scan(t)
    older = Trace(scan, 0, (E(t) - 2).term, ())
    scan.carries = (Carry("s", s, term(0.0), (at(s) + E(older) * at(x, t)).term),)
    end = Value("s", (), Trace(scan, 0, (E(T) - 1).term, ()))
    computation = Computation("loop", "f", HERE, (end,), scan, (), (0,))
    assert audit_table(computation)["associativity"].verdict == "unknown"


def test_a_state_that_only_starts_as_a_boolean() -> None:
    x, s, t = array("x", T), state("s"), idx("t", T)
    computation = loop(t, (s, False, where(at(s).eq(3), at(x, t), at(x, t) + 1)))
    assert audit_table(computation)["associativity"].verdict != "holds"


def test_an_opaque_result_is_unknown() -> None:
    opaque = Value("y", (), None, kind="opaque")
    assert {v.verdict for v in audit_table(expression(opaque)).values()} == {"unknown"}


def test_what_has_no_notation_may_read_the_state() -> None:
    from auditor.audit import Options, audit_text

    text = (
        "def decay(xs: list[float], gate) -> float:\n"
        "    s = 0.0\n"
        "    for x in xs:\n"
        "        s = s * gate(s) + x\n"
        "    return s\n"
    )
    (loop,) = audit_text(text, "decay.py", Options(everything=True)).computations
    assert loop.properties["associativity"].verdict == "unknown"
    assert "gate(s)" in loop.properties["associativity"].evidence


def test_what_a_loop_collects_is_local_to_the_step() -> None:
    from auditor.audit import Options, audit_text

    text = (
        "import torch\n\n\n"
        "def readout(x: torch.Tensor, c: torch.Tensor) -> torch.Tensor:\n"
        "    batch, length, width = x.shape\n"
        "    h = torch.zeros(batch, width)\n"
        "    found = []\n"
        "    for t in range(length):\n"
        "        h = 0.9 * h + x[:, t]\n"
        "        found.append((c[:, t, :] * h).sum(dim=-1))\n"
        "    return torch.stack(found, dim=1)\n"
    )
    (finding,) = audit_text(text, "readout.py", Options()).findings
    assert finding.properties["locality"].verdict == "holds"


@pytest.mark.parametrize(
    ("step", "verdict", "evidence"),
    [
        ("x = 0.5 * x + x[0]", "fails", "x[0] is read at every place"),
        ("x = 0.5 * x - x[-1]", "fails", "is read at every place"),
        ("x = 0.5 * x", "holds", "radius 0"),
        (
            "new = x.copy()\n"
            "        for i in range(2, len(x) - 2):\n"
            "            new[i] = x[i - 2] + x[i] + x[i + 2]\n"
            "        x = new",
            "holds",
            "radius 2",
        ),
    ],
)
def test_where_a_step_reads_what_the_step_before_left(
    step: str, verdict: str, evidence: str
) -> None:
    from auditor.audit import Options, audit_text

    text = (
        "import numpy as np\n\n\n"
        "def run(x: np.ndarray, steps: int):\n"
        "    for t in range(steps):\n"
        f"        {step}\n"
        "    return x\n"
    )
    report = audit_text(text, "run.py", Options(everything=True))
    found = next(o for o in (*report.computations, *report.findings) if o.span.line == 5)
    assert found.properties["locality"].verdict == verdict
    assert evidence in found.properties["locality"].evidence


def test_a_row_beside_its_array_is_not_the_array() -> None:
    """``x[0]`` has as many axes as are left of ``x``: beside it they are the last ones."""
    from auditor.audit import Options, audit_text

    text = "import numpy as np\n\n\ndef f(x: np.ndarray):\n    return x - x[0]\n"
    (found,) = audit_text(text, "f.py", Options(everything=True)).computations
    assert found.properties["locality"].verdict == "fails"
    assert "x[0]" in found.properties["locality"].evidence


_SEQUENCES = """\
class Joined:
    def __init__(self, text):
        self.text = text

    def __{operator}__(self, other):
        return Joined(f"({{self.text}} {{other.text}})")


def whole(xs{said}, start):
    for x in xs:
        start = start + x
    return start
"""


@pytest.mark.parametrize(
    ("operator", "said", "verdict", "evidence"),
    [
        ("add", ": 'list[Joined]'", "unknown", "`xs` may be an object of `Joined`, which has its "),
        ("add", "", "holds", "supposes that nothing is an object of `Joined`"),
        ("radd", "", "holds", "supposes that nothing is an object of `Joined`"),
        ("sub", ": 'list[Joined]'", "holds", "sum"),
    ],
)
def test_objects_that_are_added_in_their_own_way(
    operator: str, said: str, verdict: str, evidence: str
) -> None:
    from auditor.audit import Options, audit_text

    text = _SEQUENCES.format(operator=operator, said=said)
    report = audit_text(text, "f.py", Options(everything=True))
    found = next(o for o in (*report.computations, *report.findings) if o.span.line == 10)
    assert found.properties["associativity"].verdict == verdict
    assert evidence in found.properties["associativity"].evidence
