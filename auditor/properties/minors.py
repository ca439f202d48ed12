"""Bodies of two indices as sampled matrices: a minor that is not zero refutes a product of factors,
and a low numerical rank between separated clusters nominates a far field."""

from __future__ import annotations

import numpy as np

from auditor.algebra.evaluate import evaluate
from auditor.algebra.limits import CannotEvaluate, CannotSpell, TooLarge
from auditor.algebra.polynomial import Atom, Poly
from auditor.algebra.sampling import Array, inputs
from auditor.algebra.spell import spelled
from auditor.algebra.without_algebra import KNOWN
from auditor.notation import Index, Symbol, Term
from auditor.properties.subject import Subject, atoms, loose
from auditor.verdict import Verdict

_POINTS = 24
_SIZE = 7
_TOLERANCE = 1e-6


def sampled(p: Poly, pairs: list[tuple[Atom, Atom]], subject: Subject) -> Verdict | None:
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
    corner = matrix[:2, :2]
    if not np.isfinite(corner).all():
        return None
    with np.errstate(over="ignore", invalid="ignore"):
        one, other = corner[0, 0] * corner[1, 1], corner[0, 1] * corner[1, 0]
        minor = float(one - other)
    # of products that agree, rounding leaves a difference in proportion to them
    scale = max(1.0, abs(float(one)), abs(float(other)))
    return minor if 1e-9 * scale < abs(minor) < np.inf else None


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
    given = inputs([term, *(axis.extent for axis in axes)], 0, _SIZE)
    array = evaluate(term, given.env, given.sizes, axes=axes, groups=given.groups, functions=KNOWN)
    if not array.size:
        raise CannotEvaluate("an axis of the sampled body has no elements")
    return np.asarray(array.reshape(*array.shape[:2], -1)[:, :, 0], float)


def _far_field(p: Poly, pair: tuple[Atom, Atom]) -> str | None:
    """The numerical rank between two clusters three radii apart, for a body in which the same
    array is read at both indices."""
    u, v = pair
    read = [a for a in atoms(p) if a.kind == "read"]
    mine, others = ({a.args[0] for a in read if w in a.free} for w in pair)
    shared = mine & others
    mixed = any(u in a.free and v in a.free for a in read)
    if not shared or mixed or any(loose(p, w) for w in pair):
        return None
    term, axes = _spelled_over(p, pair)
    extents = [axis.extent for axis in axes[:2]]
    if extents[0] is not extents[1] or not isinstance(extents[0], Symbol):
        return None
    given = inputs([term, *extents], 0, 2, {extents[0]: 2 * _POINTS})
    random = np.random.default_rng(1)
    for value in shared:
        points: Array = np.asarray(random.uniform(-0.5, 0.5, given.env[value].shape))
        points[_POINTS:] += 3
        given.env[value] = points
    array = evaluate(term, given.env, given.sizes, axes=axes, groups=given.groups, functions=KNOWN)
    matrix = np.asarray(array.reshape(*array.shape[:2], -1)[:, :, 0], float)
    block = matrix[:_POINTS, _POINTS:]
    if not np.isfinite(block).all():
        return None
    near, far = _numerical_rank(matrix), _numerical_rank(block)
    if far <= _POINTS // 2 and near > 2 * far:
        return (
            f"between clusters 3 apart of {_POINTS} points rank {far} to a relative {_TOLERANCE:g}"
        )
    return None


def _numerical_rank(matrix: Array) -> int:
    finite = np.where(np.isfinite(matrix), matrix, 0.0)
    singular = np.linalg.svd(finite, compute_uv=False)
    return int((singular > _TOLERANCE * max(singular[0], 1e-30)).sum())
