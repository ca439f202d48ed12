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

import numpy as np

from auditor.algebra.domains import Summary
from auditor.algebra.evaluate import CannotEvaluate, evaluate
from auditor.algebra.polynomial import Atom, Factors, Poly, TooLarge, monomial
from auditor.algebra.sampling import Array, inputs
from auditor.algebra.spell import CannotSpell, spelled
from auditor.notation import Computation, Index, Symbol, Term
from auditor.properties.subject import Body, Result, Subject, atoms
from auditor.verdict import Verdict

_MOST_RANK = 6
_POINTS = 24
_TOLERANCE = 1e-6
_ORDER = {"holds": 0, "partial": 1, "fails": 2, "unknown": 3}


def ask(computation: Computation | Subject) -> Verdict:
    subject = computation if isinstance(computation, Subject) else Subject(computation)
    found = [_body(body, subject) for body in _bodies(subject)]
    answers = [answer for answer in found if answer is not None]
    if not answers:
        return Verdict("fails", "structure", "not applicable: no body of two or more indices")
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
        found.extend(_widest(list(subject.bodies(result))))
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
        used = [v for v in body.around if v in body.poly.free]
        bare = body.poly.atom is not None and body.poly.atom.kind in ("read", "bind", "order")
        if len(used) > 1 and not (bare and not body.op):
            found.append(Body(body.op, body.bound, tuple(used), body.poly))
    return found


def _body(body: Body, subject: Subject) -> Verdict | None:
    p = body.poly
    best: tuple[int, tuple[Atom, Atom]] | None = None
    for pair in itertools.combinations(body.around, 2):
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
    pairs = [q for q in itertools.combinations(body.around, 2) if set(q) <= p.free]
    return _sampled(p, pairs, subject)


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
    poly = monomial(factors)
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


def _sampled(p: Poly, pairs: list[tuple[Atom, Atom]], subject: Subject) -> Verdict | None:
    """Sample the body as a matrix over each pair: a minor that is not zero refutes rank 1, and a
    low rank away from the diagonal nominates a far field."""
    refuted: Verdict | None = None
    for pair in pairs:
        try:
            matrix = _matrix(p, pair)
            far = _far_field(p, pair)
        except (CannotEvaluate, CannotSpell, TooLarge):
            continue
        names = f"{subject.name(pair[0])} and {subject.name(pair[1])}"
        if far is not None:
            return Verdict(
                "partial", "probe",
                f"full rank in {names} near the diagonal; {far}",
            )  # fmt: skip
        minor = _minor(matrix)
        if minor is None or refuted is not None:
            continue
        refuted = Verdict(
            "fails", "counterexample",
            f"f(0,0) f(1,1) - f(0,1) f(1,0) = {minor:.3g} in {names} of {subject.show(p)} on "
            "sampled inputs: no product of factors",
        )  # fmt: skip
    return refuted or Verdict("unknown", None, "the bodies of two indices could not be sampled")


def _minor(matrix: Array) -> float | None:
    if matrix.shape[0] < 2 or matrix.shape[1] < 2:
        return None
    minor = float(matrix[0, 0] * matrix[1, 1] - matrix[0, 1] * matrix[1, 0])
    return minor if np.isfinite(minor) and abs(minor) > 1e-9 else None


def _spelled_over(p: Poly, pair: tuple[Atom, Atom]) -> tuple[Term, tuple[Index, ...]]:
    scope: dict[Atom, Term] = {}
    for place, variable in enumerate(sorted(p.free, key=hash)):
        known = variable.args[0]
        extent = variable.args[1]
        scope[variable] = known if isinstance(known, Index) else Index(
            f"v{place}", spelled(extent) if extent is not None else Symbol("n")
        )  # fmt: skip
    axes = [scope[v] for v in (*pair, *(v for v in p.free if v not in pair))]
    return spelled(p, scope), tuple(axis for axis in axes if isinstance(axis, Index))


def _matrix(p: Poly, pair: tuple[Atom, Atom]) -> Array:
    term, axes = _spelled_over(p, pair)
    given = inputs([term, *(axis.extent for axis in axes)], 0)
    array = evaluate(term, given.env, given.sizes, axes=axes)
    return np.asarray(array.reshape(*array.shape[:2], -1)[:, :, 0], float)


def _far_field(p: Poly, pair: tuple[Atom, Atom]) -> str | None:
    """The numerical rank between two clusters three radii apart, for a body in which the same
    array is read at both indices."""
    term, axes = _spelled_over(p, pair)
    shared = {
        atom.args[0]
        for f in p.terms for top, _ in f for atom in _reads(top)
        if len(atom.args[2]) and pair[0] in atom.free
    } & {
        atom.args[0]
        for f in p.terms for top, _ in f for atom in _reads(top) if pair[1] in atom.free
    }  # fmt: skip
    extents = [axis.extent for axis in axes[:2]]
    if not shared or extents[0] is not extents[1] or not isinstance(extents[0], Symbol):
        return None
    given = inputs([term, *extents], 0, 2, {extents[0]: 2 * _POINTS})
    random = np.random.default_rng(1)
    for value in shared:
        points = random.uniform(-0.5, 0.5, given.env[value].shape)
        points[_POINTS:] += 3.0
        given.env[value] = points
    array = evaluate(term, given.env, given.sizes, axes=axes)
    matrix = np.asarray(array.reshape(*array.shape[:2], -1)[:, :, 0], float)
    block = matrix[:_POINTS, _POINTS:]
    if not np.isfinite(block).all():
        return None
    near, far = (_numerical_rank(m) for m in (matrix, block))
    if far <= _POINTS // 2 and near > 2 * far:
        return (
            f"between clusters 3 apart of {_POINTS} points rank {far} to a relative {_TOLERANCE:g}"
        )
    return None


def _reads(atom: Atom) -> list[Atom]:
    return [a for a in atoms(monomial(frozenset(((atom, 1),)))) if a.kind == "read"]


def _numerical_rank(matrix: Array) -> int:
    finite = np.where(np.isfinite(matrix), matrix, 0.0)
    singular = np.linalg.svd(finite, compute_uv=False)
    return int((singular > _TOLERANCE * max(singular[0], 1e-30)).sum())
