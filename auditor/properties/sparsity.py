"""Is most of the work multiplied by zero or thrown away?

Asked of every guard under a reduction (in normal form an indicator factor) and of every order of
which only some places are used. A guard over indices says which fraction of the domain survives;
one over data says nothing before the data is seen.
"""

from __future__ import annotations

from auditor.algebra.bounds import highest
from auditor.algebra.polynomial import Atom, Poly, add, number, of, place, scale
from auditor.algebra.summary import Summary
from auditor.notation import Computation, Const, Index, Read
from auditor.properties.made import made_by
from auditor.properties.subject import Body, Subject, atoms, deep_atoms
from auditor.verdict import Verdict
from auditor.writing.readable import named

_MOSTLY_ZERO = frozenset(
    "diag diagflat diag_embed eye identity block_diag kron one_hot tril triu spdiags".split()
)


def ask(computation: Computation | Subject) -> Verdict:
    subject = computation if isinstance(computation, Subject) else Subject(computation)
    by_index: list[str] = []
    by_data: list[str] = []
    for result in subject.results:
        for body in (*subject.bodies(result), *_added(subject)):
            subject.rename()
            for atom in _factors(body):
                shown = subject.show(of(atom))
                if atom.kind == "relu":
                    by_data.append(f"the factor {shown} is 0 where the data says so")
                    continue
                p = atom.args[1]
                if any(len(term) == 1 and next(iter(term))[0].kind == "inf" for term in p.terms):
                    continue  # what is finite is always below
                data = any(inner.kind in ("read", "state", "trace") for inner in atoms(p))
                if not data and _only_ends(atom, body):
                    continue
                survives = _fraction(atom, body, subject)
                if survives is not None:
                    by_index.append(f"only {survives} survives the factor {shown}")
                else:
                    by_data.append(f"the factor {shown} is 0 where the data says so")
    top = _top(subject)
    if (by_index or by_data) and subject.unfollowed is not None:
        # what a step that is not made skips is no work
        return Verdict("unknown", None, subject.unfollowed)
    if by_index:
        return Verdict("holds", "structure", by_index[0])
    if top is not None:
        return Verdict("partial", "structure", top)
    if by_data:
        return Verdict("partial", "structure", f"{by_data[0]}: the fraction is not known here")
    if subject.hidden is not None:
        return Verdict("unknown", None, f"{subject.hidden} has no notation: it may be mostly zero")
    made = _made_of_zeros(subject)
    if made is not None:
        return Verdict("unknown", None, f"{made}, which may be mostly zero")
    return Verdict("fails", "structure", "no factor is zero and nothing computed is dropped")


def _made_of_zeros(subject: Subject) -> str | None:
    """What is made elsewhere, has no notation here and may mostly be zero: what a loop leaves, and
    the results of calls that leave all zero but a diagonal, blocks or one place of a row."""
    for node in subject.terms:
        if isinstance(node, Read) and node.value.kind == "opaque":
            if node.value.given is None and named(node.value):
                return f"{node.value.name} is what a loop leaves"
    return made_by(subject, _MOSTLY_ZERO)


def _added(subject: Subject) -> list[Body]:
    """What a loop's sums add at each step."""
    scan = subject.computation.scan
    found = []
    for stage in subject.stages:
        if scan is not None and isinstance(stage, Summary) and stage.domain == "sum":
            step = subject.normaliser.variable(scan.step)
            poly = subject.form(stage.elements["b"])
            if step in poly.free and any(a.kind == "read" for a in atoms(poly)):
                found.append(Body("sum", (step,), (step,), poly, stage.elements["b"]))
    return found


def _factors(body: Body) -> list[Atom]:
    """Indicators that multiply all of a body."""
    common: set[Atom] | None = None
    for factors in body.poly.terms:
        if any(atom.kind == "inf" for atom, _ in factors):
            continue  # an infinity under a maximum is not work
        kinds = ("if", "ifnot", "relu") if body.op == "sum" else ("if", "ifnot")
        here = {atom for atom, _ in factors if atom.kind in kinds}
        if not body.op and len(factors) == 1:
            return []
        common = here if common is None else common & here
    return sorted(common or (), key=place)


def _only_ends(atom: Atom, body: Body) -> bool:
    """Does a guard over indices drop no more than so many places, however long the axis is: one
    place, or the margins that padding adds?"""
    how, p = atom.args
    if how == "eq":
        return atom.kind == "ifnot" and _period(p) != 2
    p = p if atom.kind == "if" else scale(p, -1)  # kept where below 0, or at most 0
    for v in body.around:
        slope = p.terms.get(frozenset(((v, 1),)))
        if slope not in (1, -1) or v.args[1] is None:
            continue
        rest = add(p, scale(of(v), -slope))
        # of those above -rest, or below rest, that the axis has
        beyond = add(v.args[1], rest) if slope == 1 else rest
        most = highest(beyond)
        if v not in rest.free and most is not None and most.constant is not None:
            return True
    return False


def _fraction(atom: Atom, body: Body, subject: Subject) -> str | None:
    """The part of the domain on which a guard over indices holds, or None for one over data."""
    how, p = atom.args
    placed = _one_place(atom, body, subject)
    if placed is not None:
        return placed
    if any(
        inner.kind in ("state", "trace")
        or (inner.kind == "read" and bool(inner.args[2]))
        or (inner.kind == "fn" and str(inner.args[0]).startswith("call:"))
        for inner in deep_atoms(p)
    ):
        return None
    used = [v for v in body.around if v in p.free]
    if not used:
        return None
    names = subject.names(used)
    period = _period(p) if how == "eq" else None
    if period is not None:
        return f"1/{period} of ({names})"
    alone = [v for v in used if _alone(p, v)]
    if how == "eq" and alone == used:
        bound = [v for v in used if v in body.bound] or used
        extent = bound[0].args[1]
        one = f"1/{subject.show(extent)}"
        return f"{one} of ({names})"
    if len(used) == 2 and _triangular(p, used):
        return f"about 1/2 of ({names})"
    near = _near(atom, used)
    if near is not None:
        return f"({subject.show(near)})/{subject.show(used[-1].args[1])} of ({names})"
    return f"the part of ({names}) inside the guard"


def _period(p: Poly) -> int | None:
    """The number that divides a place, less what is always left, where ``p`` is 0."""
    for factors, weight in p.terms.items():
        ((atom, exponent),) = factors if len(factors) == 1 else ((None, 0),)
        if atom is None or exponent != 1 or atom.kind != "fn" or atom.args[0] != "floordiv":
            continue
        whole, by = atom.args[1]
        sign = 1 if weight > 0 else -1
        left = add(p, scale(of(atom), -weight), scale(whole, sign))
        if by.constant == sign * weight and left.constant is not None:
            return int(by.constant)
    return None


def _alone(p: Poly, v: Atom) -> bool:
    """Does a place occur once, by itself?"""
    weight = p.terms.get(frozenset(((v, 1),)))
    return weight in (1, -1) and v not in add(p, scale(of(v), -weight)).free


def _one_place(atom: Atom, body: Body, subject: Subject) -> str | None:
    """An index that equals what does not depend on it: one of its values at most."""
    how, p = atom.args
    if atom.kind != "if" or how != "eq":
        return None
    for v in body.bound:
        if v.args[1] is not None and _alone(p, v):
            return f"1/{subject.show(v.args[1])} of ({subject.name(v)})"
    return None


def _near(atom: Atom, used: list[Atom]) -> Poly | None:
    """How many places a band |i - j| < c or <= c keeps in a row."""
    _, p = atom.args
    p = p if atom.kind == "if" else scale(p, -1)
    for factors, weight in p.terms.items():
        distance = next((a for a, e in factors if a.kind == "abs" and e == 1), None)
        if distance is None or len(factors) != 1 or weight != 1:
            continue
        width = scale(add(p, scale(of(distance), -1)), -1)
        inside = distance.args[0]
        slopes = [inside.terms.get(frozenset(((v, 1),)), 0) for v in used]
        if width.free.isdisjoint(used) and sorted(slopes) == [-1, 1]:
            return add(scale(width, 2), number(-1 if atom.kind == "if" else 1))
    return None


def _triangular(p: Poly, used: list[Atom]) -> bool:
    """Is it i - j plus a constant, over two axes of the same extent?"""
    i, j = used
    a, b = (p.terms.get(frozenset(((v, 1),)), 0) for v in used)
    rest = add(p, scale(of(i), -a), scale(of(j), -b))
    return bool(a and a == -b and rest.constant is not None and i.args[1] == j.args[1])


def _top(subject: Subject) -> str | None:
    for stage in subject.stages:
        if isinstance(stage, Summary) and stage.domain == "top-k":
            return f"{stage.proof}: most elements do not change it"
    for node in subject.orders:
        rank, extent = node.rank, node.index.extent
        if isinstance(rank, Index) and rank.extent is not extent:
            return (
                f"{subject.write(rank.extent)} of {subject.write(extent)} ordered elements are used"
            )
        if isinstance(rank, Const):
            return f"1 of {subject.write(extent)} ordered elements is used"
    return None
