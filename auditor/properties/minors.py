"""Bodies of two indices as sampled matrices: a minor that is not zero refutes a product of factors,
and a low numerical rank between separated clusters nominates a far field."""

from __future__ import annotations

import itertools
import sys

import numpy as np

from auditor.algebra.evaluate import evaluate
from auditor.algebra.limits import CannotEvaluate, CannotSpell, TooLarge
from auditor.algebra.polynomial import Atom, Poly
from auditor.algebra.sampling import Array, Inputs, inputs
from auditor.algebra.spell import displayed, spelled
from auditor.algebra.without_algebra import KNOWN
from auditor.notation import Index, Read, Symbol, Term, Value, transform
from auditor.properties.subject import Subject, atoms, loose
from auditor.properties.witness import told
from auditor.verdict import Verdict

_POINTS = 24
_SIZES = (2, 7)
_TRIES = 6
_TOLERANCE = 1e-6
_CORNER, _WHOLE = (2, 2), (sys.maxsize, sys.maxsize)


def sampled(p: Poly, pairs: list[tuple[Atom, Atom]], subject: Subject) -> Verdict | None:
    """Sample the body as a matrix over each pair: a minor that is not zero refutes rank 1, and a
    low rank away from the diagonal nominates a far field."""
    refuted: Verdict | None = None
    missing = "what depends on two indices could not be evaluated on sampled inputs"
    for pair in pairs:
        try:
            minor = _minor(p, pair, subject)
            far = _far_field(p, pair)
        except (CannotEvaluate, CannotSpell, TooLarge) as reason:
            missing = (
                f"it could not be evaluated on sampled inputs: {' '.join(str(reason).split())}"
            )
            continue
        names = f"{subject.name(pair[0])} and {subject.name(pair[1])}"
        if far is not None:
            return Verdict(
                "partial", "probe",
                f"full rank in {names} near the diagonal; {far}",
            )  # fmt: skip
        if minor is None:
            missing = f"no sampled input refutes a product of factors in {names}"
        elif refuted is None:
            refuted = Verdict("fails", "counterexample", minor)
    return refuted or Verdict("unknown", None, missing)


def _minor(p: Poly, pair: tuple[Atom, Atom], subject: Subject) -> str | None:
    """Four elements of the body on a small input that no product of factors can have."""
    term, axes = _spelled_over(p, pair)
    for seed, size in itertools.product(range(_TRIES), _SIZES):
        reads = [term, *(axis.extent for axis in axes)]
        given = inputs(reads, seed, size, kinds=subject.kinds)
        for value, array in given.env.items():
            if array.dtype.kind == "f":
                given.env[value] = np.round(array * 4) / 4
        try:
            corner = _run(term, axes, given, _CORNER)
        except CannotEvaluate:
            if size == _SIZES[-1]:
                raise
            continue
        if corner.shape != (2, 2) or not np.isfinite(corner).all():
            continue
        with np.errstate(over="ignore", invalid="ignore"):
            one, other = corner[0, 0] * corner[1, 1], corner[0, 1] * corner[1, 0]
        # of products that agree, rounding leaves a difference in proportion to them
        scale = max(1.0, abs(float(one)), abs(float(other)))
        if 1e-9 * scale < abs(one - other) < np.inf:
            names = f"{subject.name(pair[0])} and {subject.name(pair[1])}"
            rows = ", ".join(f"[{a:.4g}, {b:.4g}]" for a, b in corner)
            return (
                f"{told(given)}: {subject.show(p)} is [{rows}] over {names}, of determinant "
                f"{float(one - other):.3g}: no product of factors"
            )
    return None


def _spelled_over(p: Poly, pair: tuple[Atom, Atom]) -> tuple[Term, tuple[Index, ...]]:
    """The body over its indices, the pair first; axes of unknown number are taken at one place."""
    scope: dict[Atom, Term] = {}
    ordered = [v for v in (*pair, *(v for v in p.free if v not in pair)) if not _group(v)]
    for place, variable in enumerate(ordered):
        known, extent = variable.args[0], variable.args[1]
        scope[variable] = known if isinstance(known, Index) else Index(
            f"v{place}", spelled(extent) if extent is not None else Symbol("n")
        )  # fmt: skip
    axes = tuple(axis for axis in scope.values() if isinstance(axis, Index))
    scope |= {v: v.args[0] for v in p.free if _group(v)}
    return _at_one_place(displayed(p, scope, {}, {})), axes


def _group(variable: Atom) -> bool:
    return isinstance(variable.args[0], Index) and variable.args[0].group


def _at_one_place(term: Term) -> Term:
    """``term`` with the axes of unknown number left out of every read."""
    known: dict[Value, Value] = {}

    def change(node: Term) -> Term:
        if not isinstance(node, Read) or not any(axis.group for axis in node.value.axes):
            return node
        old = node.value
        if old not in known:
            axes = tuple(axis for axis in old.axes if not axis.group)
            known[old] = Value(old.name, axes, None, old.dtype, old.kind, old.library)
        kept = tuple(s for s in node.subs if not (isinstance(s, Index) and s.group))
        if old.body is not None or len(kept) != len(known[old].axes):
            raise CannotEvaluate(f"the axes of {old.name} are not known")
        return Read(known[old], kept)

    return transform(term, change)


def _run(
    term: Term, axes: tuple[Index, ...], given: Inputs, most: tuple[int, int] = _WHOLE
) -> Array:
    """The term as a matrix over the first two axes, of each as many places as ``most`` says, at the
    first place of the others: code may state sizes at which all of it takes seconds."""
    array = evaluate(
        term, given.env, given.sizes, axes=axes, groups=given.groups, functions=KNOWN,
        most=(*most, *(1 for _ in axes[2:])),
    )  # fmt: skip
    if not array.size:
        raise CannotEvaluate("an axis of the sampled body has no elements")
    if np.iscomplexobj(array):
        raise CannotEvaluate("the sampled body is complex")
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
    rows = {
        axis.extent
        for atom in read if atom.args[0] in shared
        for axis, sub in zip(atom.args[0].axes, atom.args[2], strict=False)
        if sub.atom in pair and isinstance(axis.extent, Symbol)
    }  # fmt: skip
    sizes = dict.fromkeys((extents[0], *rows), 2 * _POINTS)
    given = inputs([term, *extents], 0, 2, sizes)
    random = np.random.default_rng(1)
    names = {value.name for value in shared}
    for value in given.env:
        if value.name in names and value.axes:
            points: Array = np.asarray(random.uniform(-0.5, 0.5, given.env[value].shape))
            points[_POINTS:] += 3
            given.env[value] = points
    matrix = _run(term, axes, given)
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
