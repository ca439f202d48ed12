"""Numbers of axes that were guessed from dimension numbers counted from both ends.

``x.amax(1)`` and ``e.sum(-1)`` are of one axis where `x` has two, and of two where it has three. A
fix that is another one for one axis more, or none, is not safe.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from auditor.lift import Lifted
from auditor.lift.facts import Facts
from auditor.region import covers
from auditor.verdict import Finding, Fix


def confirmed(
    findings: list[Finding], lifted: Lifted, again: Callable[[Facts], list[Finding]]
) -> list[Finding]:
    """The findings of a function; ``again`` finds those where other facts hold. Loops and products
    of matrices are left alone: what they read has to fit."""
    facts = lifted.lifter.facts
    doubtful = [one for one in findings if _doubtful(one, lifted)]
    for owner in sorted(facts.guessed):
        rank = facts.of(owner).rank
        if not doubtful or not facts.of(owner).by_dim or rank is None:
            continue
        more = Facts()
        more.of(owner).rank = rank + 1
        others = {(one.code, one.span): one.fix for one in again(more)}
        for one in doubtful:
            fix, other = one.fix, others.get((one.code, one.span))
            if fix is not None and (other is None or other.edits != fix.edits):
                axes = f"if `{owner}` has more than {rank} {'axis' if rank == 1 else 'axes'}"
                findings[findings.index(one)] = replace(one, fix=_unsafe(fix, axes))
        doubtful = [one for one in findings if _doubtful(one, lifted)]
    return findings


def _doubtful(finding: Finding, lifted: Lifted) -> bool:
    from auditor.rewrites import CATALOG

    if finding.fix is None or finding.fix.applicability != "safe":
        return False
    rewrite = next(entry for entry in CATALOG if entry.code == finding.code)
    if "products" in rewrite.seeks or "separability" in rewrite.properties:
        return False
    return not any(covers(loop.span, finding.span) for loop in lifted.lifter.loops)


def _unsafe(fix: Fix, axes: str) -> Fix:
    reasons = filter(None, (fix.reason, f"it computes something else {axes}"))
    return replace(fix, applicability="unsafe", reason="; ".join(reasons))
