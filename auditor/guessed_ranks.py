"""Numbers of axes that were guessed from how an array is used.

``x.amax(1)`` and ``e.sum(-1)`` are of one axis where `x` has two, and of two where it has three. A
fix that is another one for one axis more is not safe.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from auditor.lift import Lifted
from auditor.lift.facts import Facts
from auditor.notation import Read, Span
from auditor.region import covers
from auditor.verdict import Finding

_SQUEEZED = "has size 1"


def confirmed(
    findings: list[Finding], lifted: Lifted, again: Callable[[Facts], tuple[Lifted, list[Finding]]]
) -> list[Finding]:
    """The findings of a function; ``again`` reads it where other facts hold. Products of matrices
    are left alone: their operands have to fit."""
    facts = lifted.lifter.facts
    for owner in sorted(facts.guessed):
        if not any(map(_by_guess, findings)):
            break
        known = facts.of(owner)
        assert known.rank is not None
        other = Facts()
        other.of(owner).rank = known.rank + 1
        twins = _Twins(*again(other), known.by_dim)
        findings = [
            twins.instead(one, owner, known.rank) if _by_guess(one) and twins.differ(one) else one
            for one in findings
        ]
    return findings


@dataclass(frozen=True)
class _Twins:
    """What is found where an array has one axis more than was guessed."""

    lifted: Lifted
    findings: list[Finding]
    by_dim: bool

    def differ(self, finding: Finding) -> bool:
        """Whether the fix is another one there."""
        assert finding.fix is not None
        looped = any(covers(loop.span, finding.span) for loop in self.lifted.lifter.loops)
        if looped and self._grows(finding.span):
            return False  # what is carried would not keep its shape
        twin = next(
            (o for o in self.findings if (o.code, o.span) == (finding.code, finding.span)), None
        )
        if twin is None:
            return self.by_dim and not looped
        return twin.fix is not None and twin.fix.edits != finding.fix.edits

    def instead(self, finding: Finding, owner: str, rank: int) -> Finding:
        """The finding whose guess is the likelier: one that needs no axis to have the size 1, which
        nobody would squeeze. Otherwise neither is safe."""
        twin = next((one for one in self.findings if one.span == finding.span), None)
        assert finding.fix is not None
        if twin is None or twin.fix is None or twin.fix.applicability != "safe":
            return _unsafe(finding, owner, rank)
        if _SQUEEZED not in (finding.fix.reason or "") or _SQUEEZED in (twin.fix.reason or ""):
            return _unsafe(finding, owner, rank)
        stated = f"assumes that `{owner}` has {rank + 1} axes"
        reason = "; ".join(filter(None, (stated, twin.fix.reason)))
        return replace(twin, fix=replace(twin.fix, reason=reason))

    def _grows(self, span: Span) -> bool:
        """Whether a carried array gets more axes than it began with."""
        return any(
            isinstance(carry.init, Read) and 0 < len(carry.init.subs) < len(carry.state.axes)
            for loop in self.lifted.lifter.loops
            if covers(loop.span, span)
            for carry in loop.scan.carries
        )


def _by_guess(finding: Finding) -> bool:
    """Whether a finding has a safe fix that nothing but a guess may carry."""
    from auditor.rewrites import CATALOG

    if finding.fix is None or finding.fix.applicability != "safe":
        return False
    if any(any_rank in e.content for e in finding.fix.edits for any_rank in (".ndim", "per_step(")):
        return False  # written for any number of axes
    rewrite = next(entry for entry in CATALOG if entry.code == finding.code)
    matched = "products" in rewrite.seeks or "separability" in rewrite.properties
    return "loop" in rewrite.seeks or not matched


def _unsafe(finding: Finding, owner: str, rank: int) -> Finding:
    assert finding.fix is not None
    axes = f"{rank} {'axis' if rank == 1 else 'axes'}"
    doubt = f"it computes something else if `{owner}` has more than {axes}"
    return replace(finding, fix=finding.fix.doubted(doubt))
