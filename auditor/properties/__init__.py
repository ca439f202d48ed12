"""The six properties: each a question put to one computation in index notation."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from auditor.algebra.kinds import UNKNOWN, Kinds
from auditor.algebra.limits import CannotEvaluate, CannotSpell, TooLarge, within
from auditor.notation import Computation
from auditor.properties import (
    associativity,
    locality,
    redundancy,
    separability,
    sparsity,
    symmetry,
)
from auditor.properties.subject import Subject
from auditor.verdict import Verdict, Verdicts
from auditor.writing.readable import by_lines

if TYPE_CHECKING:
    from auditor.written import Written

__all__ = ["STEPS", "audit_table"]

STEPS = 40_000
"""Steps that one property of one computation may take before it is called too large: most take a
hundred, the largest programs met take 33,000, the better part of a second."""

_ASKED = {
    "associativity": associativity.ask,
    "separability": separability.ask,
    "locality": locality.ask,
    "sparsity": sparsity.ask,
    "redundancy": redundancy.ask,
    "symmetry": symmetry.ask,
}


def audit_table(
    computation: Computation,
    kinds: Kinds = UNKNOWN,
    written: tuple[Written, ...] = (),
) -> Verdicts:
    """All six verdicts, in their order; what outgrows its budget is unknown. ``kinds`` is
    what the inputs are said to hold; ``written`` is what the source
    computes, place by place."""
    subject = Subject(computation, kinds, written)
    verdicts: Verdicts = {}
    if not subject.results:
        said = "nothing is known of what is computed"
        if computation.kind == "loop" and computation.effects:
            said += f": the loop {computation.effects[0][1]}"
        return dict.fromkeys(_ASKED, Verdict("unknown", None, said))
    for name, ask in _ASKED.items():
        try:
            with within(STEPS):
                verdict = ask(subject)
                verdicts[name] = replace(verdict, evidence=by_lines(verdict.evidence))
        except (TooLarge, RecursionError) as reason:
            verdicts[name] = Verdict("unknown", None, f"too large: {_line(reason)}")
        except (CannotEvaluate, CannotSpell) as reason:
            verdicts[name] = Verdict("unknown", None, _line(reason))
    return verdicts


def _line(reason: BaseException) -> str:
    return " ".join(str(reason).split()) or type(reason).__name__
