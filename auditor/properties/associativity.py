"""Can the computation be split, and the halves combined?

Of a loop, each stage of its carried values must be a scan over functions that compose (see
``auditor.algebra.domains``); of an expression, every reduction must be over a monoid, and a
reduction that rests on an earlier one over the same axis must need it no more once the normal
form is taken (softmax's maximum cancels, the mean leaves the variance).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from auditor.algebra.binders import opened
from auditor.algebra.joint import monoids, one_pass
from auditor.algebra.polynomial import Atom, Poly
from auditor.algebra.states import Dependence
from auditor.algebra.summary import Refused, Summary
from auditor.notation import Computation, Index, Read, Reduce, Scan, Term, Value, walk
from auditor.properties.subject import SOME, Body, Subject, atoms, deep_atoms
from auditor.verdict import Numerics, Verdict

_MONOIDS: dict[str, tuple[str, str | None, Numerics]] = {
    "sum": ("x1 + x2", "0", "reassociated"),
    "prod": ("x1 x2", "1", "conditioned"),
    "max": ("max(x1, x2)", "-inf", "exact"),
    "any": ("x1 or x2", "False", "exact"),
    "arg": ("the better of (value, place), the earlier place on a tie", None, "exact"),
}
GRADES: tuple[Numerics, ...] = ("exact", "reassociated", "conditioned")


def ask(computation: Computation | Subject) -> Verdict:
    subject = computation if isinstance(computation, Subject) else Subject(computation)
    scan = subject.computation.scan
    if scan is not None and scan.carries:
        return _of_loop(subject)
    if scan is not None and subject.unfollowed is not None:
        return Verdict("unknown", None, subject.unfollowed)
    return _of_values(subject, _of_reductions(subject))


def _of_loop(subject: Subject) -> Verdict:
    verdict = _of_stages(subject)
    shown = verdict.verdict == "holds" or verdict.basis == "counterexample"
    if shown and subject.unfollowed is not None:
        return Verdict("unknown", None, subject.unfollowed)
    return _of_values(subject, verdict)


def _of_values(subject: Subject, verdict: Verdict) -> Verdict:
    """The verdict with what the code does besides computing values."""
    if verdict.verdict != "holds" or subject.computation.scan is None:
        return verdict
    beside = [what for _, what in subject.computation.effects]
    if not beside:
        return verdict
    more = f" and {len(beside) - 1} more" if len(beside) > 1 else ""
    return replace(
        verdict,
        evidence=f"{verdict.evidence}; said of the values alone, for the loop {beside[0]}{more}",
    )


def _of_stages(subject: Subject) -> Verdict:
    scan = subject.computation.scan
    assert scan is not None
    found: list[Summary] = []
    for stage in subject.stages:
        if isinstance(stage, Refused):
            # what takes the dearer algebras, or running the loop, is asked of few loops
            from auditor.properties.refused import decided

            return decided(scan, stage, subject.derived, subject.kinds.whole)
        found.append(stage)
    numerics = max((stage.numerics for stage in found), key=GRADES.index)
    dependent = _dependent(scan)
    whole = one_pass(scan, found) if dependent else None
    if whole is not None:
        return Verdict("holds", "proof", f"{whole.proof}; combine {whole.combine}", whole.numerics)
    parts = []
    for stage in found:
        names = ", ".join(scan.carries[slot].name for slot in stage.state)
        identity = f"; identity {stage.identity}" if stage.identity else " (a semigroup)"
        parts.append(f"{names} ({stage.domain}): {stage.proof}; combine {stage.combine}{identity}")
    staged = ""
    if len(parts) > 1:
        staged = f"{len(parts)} scans {'in turn' if dependent else 'side by side'}: "
    return Verdict("holds", "proof", staged + " | ".join(parts), numerics)


def _dependent(scan: Scan) -> bool:
    """Does a carried value depend on another one?"""
    dependence = Dependence()
    states = {carry.state for carry in scan.carries}
    return any(dependence.states(c.update) & states - {c.state} for c in scan.carries)


def _of_reductions(subject: Subject) -> Verdict:
    reductions: dict[Atom, tuple[str, str]] = {}
    cascades: list[str] = []
    for result in subject.results:
        for body in subject.normal_bodies(result):
            for atom in atoms(body.poly):
                if atom.kind == "bind" and atom.args[0] != SOME:
                    reductions[atom] = (atom.args[0], result.name)
            cascade = _cascade(body, subject)
            if cascade:
                cascades.append(cascade)
    if subject.orders:
        # a counterexample is run, which needs NumPy; most audits never do
        from auditor.properties.order_statistics import no_combine

        return no_combine(subject.orders[0], subject)
    if _chosen_by_counting(subject):
        from auditor.properties.order_statistics import counted

        return counted(subject)
    if not reductions and subject.hidden is not None:
        return Verdict("unknown", None, f"{subject.hidden} has no notation")
    if not reductions and not _collects(subject):
        return Verdict("fails", "structure", "not applicable: nothing is accumulated over an axis")
    own = subject.of_its_step
    if own is not None:
        return Verdict("unknown", None, f"{own} may depend on the steps before")
    if not reductions:
        return Verdict("holds", "structure", "concatenation: no step needs another")
    ops = list(dict.fromkeys(op for op, _ in reductions.values()))
    unknown = [op for op in ops if op not in _MONOIDS]
    if unknown:
        return Verdict("unknown", None, f"the reduction {unknown[0]} is not known to be a monoid")
    numerics: Numerics = "exact"
    shown = []
    for op in ops:
        combine, identity, grade = _MONOIDS[op]
        empty = f"identity {identity}" if identity is not None else "a semigroup"
        shown.append(f"{op}: {combine}, {empty}")
        numerics = max(numerics, grade, key=GRADES.index)
    evidence = "; ".join(shown)
    if cascades:
        return Verdict(
            "partial", "proof", f"in passes, each a monoid ({evidence}): {cascades[0]}", numerics
        )
    return Verdict("holds", "proof", evidence + _finish(subject), numerics)


def _collects(subject: Subject) -> bool:
    """Is it a loop that does nothing but put what each step computes after what is there?"""
    scan, outputs = subject.computation.scan, subject.computation.outputs
    return (
        scan is not None
        and not scan.carries
        and bool(outputs)
        and all(value.axes and value.axes[0] is scan.step for value in outputs)
    )


def _chosen_by_counting(subject: Subject) -> bool:
    """Is a place chosen by a reduction over the places themselves, as the most frequent element?"""
    for node in subject.nodes:
        if not isinstance(node, Reduce) or node.op not in ("argmax", "argmin"):
            continue
        below = list(walk(node.body))
        mine = _read_at(below, node.index)
        inner = [other for other in below if isinstance(other, Reduce)]
        if any(mine & _read_at(walk(other.body), other.index) for other in inner):
            return True
    return False


def _read_at(nodes: Iterable[Term], index: Index) -> set[Value]:
    return {node.value for node in nodes if isinstance(node, Read) and index in node.subs}


def _cascade(body: Body, subject: Subject) -> str | None:
    """A reduction under a binder that does not depend on its variables and did not leave it: an
    earlier pass over the same data."""
    if not body.op:
        return None
    mine = _places(body.poly, body.bound)
    for atom in atoms(body.poly):
        if atom.kind == "bind" and atom.free.isdisjoint(body.bound):
            variables, inner = opened(atom)
            shared = mine & _places(inner, variables)
            if shared:
                names = ", ".join(sorted({value.name for value, _ in shared}))
                return (
                    f"the {body.op} needs the finished {atom.args[0]} of {names} over the same axis"
                )
    return None


def _places(p: Poly, variables: Iterable[Atom]) -> set[tuple[Value, int]]:
    """The axes of arrays that run over the variables, also under binders."""
    bound = frozenset(variables)
    return {
        (atom.args[0], axis)
        for atom in deep_atoms(p)
        if atom.kind == "read"
        for axis, sub in enumerate(atom.args[2])
        if not sub.free.isdisjoint(bound)
    }


def _finish(subject: Subject) -> str:
    """Say so where the result is a function of the reductions rather than one itself."""
    for result in subject.results:
        p = subject.form(result.term)
        if p.atom is None or p.atom.kind != "bind":
            return f"; then {result.name} = {subject.show(p)}"
    return ""


def one_pass_found(subject: Subject) -> bool:
    """Is the loop one monoid, so that its halves can be summarised apart?"""
    scan = subject.computation.scan
    if scan is None or not scan.carries:
        return True
    stages = [stage for stage in subject.stages if isinstance(stage, Summary)]
    if len(stages) < len(subject.stages):
        return False
    return monoids(scan, stages) is not None
