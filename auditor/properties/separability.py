"""Does a body of two or more indices split into factors, each over fewer of them?

Every body is taken as a sum of products in normal form. For a pair of indices that no factor
mixes, it has rank r, the number of products: f(u, v) = sum_r g_r(u) h_r(v). Where the only mixing
factors are exponentials, the question is asked of the exponent (``partial``: the logarithm
separates). A smooth kernel of a difference is sampled away from its diagonal (``partial``, by
probe); anything else is refuted by a two-by-two minor of a sampled matrix that is not zero.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from auditor.algebra.polynomial import Atom, Factors, Poly, monomial
from auditor.algebra.summary import Summary
from auditor.notation import Computation, Index
from auditor.properties.subject import Body, Result, Subject, atoms
from auditor.verdict import Verdict

_MOST_RANK = 6
_MOST_PAIRS = 3
_ORDER = {"holds": 0, "partial": 1, "fails": 2, "unknown": 3}


def ask(computation: Computation | Subject) -> Verdict:
    subject = computation if isinstance(computation, Subject) else Subject(computation)
    found = [_body(body, subject) for body in _bodies(subject)]
    answers = [answer for answer in found if answer is not None]
    if not answers:
        return Verdict("fails", "structure", "not applicable: no body of two or more indices")
    known = [answer for answer in answers if answer.verdict != "unknown"]
    answers = known or answers
    worst = max(answers, key=lambda answer: _ORDER[answer.verdict])
    best = min(answers, key=lambda answer: _ORDER[answer.verdict])
    if _ORDER[best.verdict] < _ORDER[worst.verdict] == 2:
        return Verdict("partial", best.basis, f"{best.evidence}; but {worst.evidence}")
    if best is not worst and worst.verdict == "partial":
        return Verdict("partial", worst.basis, f"{worst.evidence}; {best.evidence}")
    return worst


def _bodies(subject: Subject) -> list[Body]:
    """The bodies to be asked about: a loop's elements, else everything under a binder."""
    found: list[Body] = []
    for result in _elements(subject):
        top, *reduced = subject.bodies(result)
        found.extend(_widest(reduced or [top]))
    return found


def _elements(subject: Subject) -> Iterable[Result]:
    scan = subject.computation.scan
    if scan is None:
        return subject.results
    found = []
    for stage in subject.stages:
        if isinstance(stage, Summary):
            axes = scan.carries[stage.state[0]].state.axes
            for name, term in stage.elements.items():
                found.append(Result(name, (*axes, scan.step), term))
        else:
            names = [scan.carries[slot].name for slot in stage.state]
            found.extend(r for r in subject.results if r.name in names)
    return found


def _widest(bodies: list[Body]) -> list[Body]:
    """Bodies whose own product spans two indices; a bare element has nothing to split."""
    found = []
    for body in bodies:
        direct = {v for a in atoms(body.poly) for v in ((a,) if a.kind == "var" else a.free)
                  if a.kind in ("var", "bind")}  # fmt: skip
        used = [v for v in body.around if v in direct]
        if len(used) > 1 and (body.op or not _bare(body)):
            found.append(Body(body.op, body.bound, tuple(used), body.poly))
    return found


def _group(variable: Atom) -> bool:
    """Does it stand for axes of unknown number?"""
    return isinstance(variable.args[0], Index) and variable.args[0].group


def _bare(body: Body) -> bool:
    """One element, perhaps times what is the same everywhere."""
    if body.poly.single is None:
        return not body.poly.terms
    moving = [a for a, _ in body.poly.single[0] if not a.free.isdisjoint(body.around)]
    return len(moving) == 1 and moving[0].kind in ("read", "bind", "order", "trace")


def _body(body: Body, subject: Subject) -> Verdict | None:
    p = body.poly
    subject.rename()
    best: tuple[int, tuple[Atom, Atom]] | None = None
    for pair in itertools.combinations([v for v in body.around if not _group(v)], 2):
        rank = _rank(p, pair)
        if rank is not None and (best is None or rank < best[0]):
            best = (rank, pair)
    mixing = [a for f in p.terms for a, _ in f if len(a.free & set(body.around)) > 1]
    exponentials = [a for a in mixing if a.kind == "exp" and _splits(a.args[0], body.around)]
    if exponentials:
        atom = exponentials[0]
        inside = subject.show(monomial(atom.args[0]))
        return Verdict(
            "partial", "proof",
            f"the exponent {inside} is a product of factors over fewer indices, its exponential "
            "is not",
        )  # fmt: skip
    if best is not None and best[0] <= _MOST_RANK:
        rank, (u, v) = best
        return Verdict("holds", "proof", _factors(p, u, v, rank, subject))
    here = [v for v in body.around if v in p.free and not _group(v)]
    pairs = list(itertools.combinations(here, 2))[:_MOST_PAIRS]
    if not pairs:
        return None
    # running needs NumPy, which most audits never do
    from auditor.properties.minors import sampled

    return sampled(p, pairs, subject)


def _rank(p: Poly, pair: tuple[Atom, Atom]) -> int | None:
    """The number of products, if no factor mixes the pair and both occur together."""
    u, v = pair
    if u not in p.free or v not in p.free:
        return None
    together = False
    for factors in p.terms:
        for atom, _ in factors:
            if u in atom.free and v in atom.free:
                return None
        used = frozenset().union(*(atom.free for atom, _ in factors))
        together = together or (u in used and v in used)
    return len(p.terms) if together or len(p.terms) > 1 else None


def _splits(factors: Factors, around: tuple[Atom, ...]) -> bool:
    """Is the exponent a product, or a sum of products, in which some pair does not mix?"""
    poly = monomial(frozenset((a, e) for a, e in factors if a.free & set(around)))
    single = poly.atom
    if single is not None and single.kind == "bind" and single.args[0] == "sum":
        poly = single.args[2]
    return any(_rank(poly, pair) is not None for pair in itertools.combinations(around, 2))


def _factors(p: Poly, u: Atom, v: Atom, rank: int, subject: Subject) -> str:
    names = f"{subject.name(u)} and {subject.name(v)}"
    if p.single is not None:
        factors, coefficient = p.single
        mine = monomial(frozenset((a, e) for a, e in factors if u in a.free), coefficient)
        other = monomial(frozenset((a, e) for a, e in factors if u not in a.free))
        return f"rank 1 in {names}: ({subject.show(mine)}) * ({subject.show(other)})"
    return f"rank {rank} in {names}: {subject.show(p)} is a sum of {rank} products"
