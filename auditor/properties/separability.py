"""Does a body of two or more indices split into factors, each over fewer of them?

Every body is taken as a sum of products in normal form. For a pair of indices that no factor
mixes, it has rank r, the least number of products: f(u, v) = sum_r g_r(u) h_r(v). Where the only
mixing factors are exponentials, the question is asked of the exponent (``partial``: the logarithm
separates). A smooth kernel of a difference is sampled away from its diagonal (``partial``, by
probe); anything else is refuted by a two-by-two minor of a sampled matrix that is not zero.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import replace

from auditor.algebra.polynomial import (
    Atom,
    Factors,
    Poly,
    add,
    monomial,
    multiply,
    of,
    place,
    scale,
)
from auditor.algebra.summary import Summary
from auditor.lift.inline import depends
from auditor.notation import Computation, Index
from auditor.properties.products import Products, products
from auditor.properties.subject import Body, Result, Subject, atoms, deep_atoms, without_notation
from auditor.verdict import Verdict

_MOST_RANK = 6
_MOST_PAIRS = 3
_MOST_SUMMED = 4
_SHOWN = 3
_ORDER = {"holds": 0, "partial": 1, "fails": 2, "unknown": 3}


def ask(computation: Computation | Subject) -> Verdict:
    subject = computation if isinstance(computation, Subject) else Subject(computation)
    answers: list[Verdict] = []
    for body in _bodies(subject):
        answer = _body(body, subject)
        answers += [] if answer is None else [answer]
        if {"holds", "fails"} <= {one.verdict for one in answers}:
            break  # the first that holds and the first that fails say all
    if not answers and subject.hidden is not None:
        return Verdict("unknown", None, f"{subject.hidden} has no notation")
    if not answers:
        return Verdict("fails", "structure", "not applicable: nothing in it depends on two indices")
    known = [answer for answer in answers if answer.verdict != "unknown"]
    if known and len(known) < len(answers):
        other = next(answer for answer in answers if answer.verdict == "unknown")
        known = [
            replace(one, verdict="partial", evidence=f"{one.evidence}; {other.evidence}")
            if one.verdict == "holds" else one
            for one in known
        ]  # fmt: skip
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
        bodies = [body for body in reduced if not body.outer]
        beyond = sorted((v for v in top.poly.free if v not in top.around), key=place)
        whole = replace(top, around=(*beyond, *top.around))  # with the places of loops around it
        if not bodies:
            bodies.append(top)
        elif _bends(whole):
            bodies.append(whole)
        found.extend(_widest(bodies))
    return found


def _bends(top: Body) -> bool:
    """Is a result a function of a reduction that does not split as its body does, an exponential
    of a sum or a root of one?"""
    bent = (a for a in atoms(top.poly) if a.kind in ("exp", "poly", "fn", "abs", "relu"))
    return any(
        len(atom.free & set(top.around)) > 1
        and any(a.kind == "bind" and a.args[0] == "sum" for a in atoms(of(atom)))
        for atom in bent
    )


def _elements(subject: Subject) -> Iterable[Result]:
    scan = subject.computation.scan
    if scan is None or not scan.carries:
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
            found.append(replace(body, around=tuple(used)))
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
    guards, rest = _guards(body)
    if not guards or len({v for v in body.around if v in rest.free}) < 2:
        return _unguarded(body, subject)
    found = _unguarded(replace(body, poly=rest, term=None), subject)
    if found is None or found.verdict not in ("holds", "partial"):
        return _unguarded(body, subject)
    where = subject.show(monomial(frozenset((guard, 1) for guard in guards)))
    but_one = all(_all_but_one(guard, body) for guard in guards)
    # all but a diagonal is the product less that diagonal; any other part mixes the indices
    verdict = found.verdict if but_one else "partial"
    return replace(found, verdict=verdict, evidence=f"{found.evidence}; within {where}")


def _all_but_one(guard: Atom, body: Body) -> bool:
    """Does a guard leave out one place in a row and in a column?"""
    how, p = guard.args
    slopes = {v: p.terms.get(frozenset(((v, 1),)), 0) for v in body.around if v in guard.free}
    rest = add(p, *(scale(of(v), -slope) for v, slope in slopes.items()))
    straight = all(slopes.values()) and rest.free.isdisjoint(slopes)
    return guard.kind == "ifnot" and how == "eq" and straight


def _guards(body: Body) -> tuple[list[Atom], Poly]:
    """The guards over indices alone that are factors of all of a body, and the rest of it."""
    common: set[Atom] | None = None
    for factors in body.poly.terms:
        here = {
            atom
            for atom, exponent in factors
            if atom.kind in ("if", "ifnot") and exponent == 1
            and not any(a.kind in ("read", "state", "trace", "fn") for a in atoms(atom.args[1]))
        }  # fmt: skip
        common = here if common is None else common & here
    kept = sorted((g for g in common or () if len(g.free & set(body.around)) > 1), key=place)
    gone = frozenset((guard, 1) for guard in kept)
    return kept, Poly({factors - gone: weight for factors, weight in body.poly.terms.items()})


def _unguarded(body: Body, subject: Subject) -> Verdict | None:
    p = body.poly
    subject.rename()
    made = next((a for a in deep_atoms(p) if without_notation(a) or _moves(a, body)), None)
    if made is not None:
        text = f"{subject.show(of(made))} has no notation: what it depends on is not known"
        return Verdict("unknown", None, text)
    best: tuple[Products, tuple[Atom, Atom]] | None = None
    for pair in itertools.combinations([v for v in body.around if not _group(v)], 2):
        found = _rank(p, pair)
        if found is not None and (best is None or len(found) < len(best[0])):
            best = (found, pair)
    mixing = [a for f in p.terms for a, _ in f if len(a.free & set(body.around)) > 1]
    exponentials = [a for a in mixing if a.kind == "exp" and _splits(a.args[0], body.around)]
    if exponentials:
        shown = sorted(exponentials, key=place)  # letters are given in the order of showing
        inside = min(subject.show(monomial(atom.args[0])) for atom in shown)
        return Verdict(
            "partial", "proof",
            f"the exponent {inside} is a product of factors over fewer indices, its exponential "
            "is not",
        )  # fmt: skip
    if best is not None and len(best[0]) <= _MOST_RANK:
        found, pair = best
        text = _factors(found, pair, subject) + _orders(body, subject)
        return Verdict("holds", "proof" if _confirmed(body, found, subject) else "probe", text)
    here = [v for v in body.around if v in p.free and not _group(v)]
    pairs = list(itertools.combinations(here, 2))[:_MOST_PAIRS]
    if not pairs:
        return None
    # running needs NumPy, which most audits never do
    from auditor.properties.minors import sampled

    return sampled(p, pairs, subject)


def _moves(atom: Atom, body: Body) -> bool:
    """Is it an element of a row that is another one at other places, and does not say so itself?"""
    if atom.kind != "read" or atom.args[0].body is None:
        return False
    places = [v.args[0] for v in body.around if isinstance(v.args[0], Index)]
    return any(depends(atom.args[0], at, {}) for at in places)


def _rank(p: Poly, pair: tuple[Atom, Atom]) -> Products | None:
    """The products, if no factor mixes the pair and both occur together."""
    u, v = pair
    if u not in p.free or v not in p.free:
        return None
    return products(p, u, v)


def _confirmed(body: Body, found: Products, subject: Subject) -> bool:
    """Is it one product as it stands, or does sympy prove that the sum of these is the body?"""
    if body.poly.single is not None and len(found) == 1:
        return True
    from auditor.algebra.sympy_bridge import sum_of_products

    return body.term is not None and sum_of_products(body.term, found, subject.normaliser)


def _splits(factors: Factors, around: tuple[Atom, ...]) -> bool:
    """Is the exponent a product, or a sum of products, in which some pair does not mix?"""
    poly = monomial(frozenset((a, e) for a, e in factors if a.free & set(around)))
    single = poly.atom
    if single is not None and single.kind == "bind" and single.args[0] == "sum":
        poly = single.args[2]
    return any(_rank(poly, pair) is not None for pair in itertools.combinations(around, 2))


def _factors(found: Products, pair: tuple[Atom, Atom], subject: Subject) -> str:
    names = " and ".join(map(subject.name, pair))
    shown = []
    for one, two in found:
        if one.constant == 1 or two.constant == 1:
            shown.append(subject.show(multiply(one, two)))
        else:
            shown.append(f"({subject.show(one)}) * ({subject.show(two)})")
    text = " + ".join(shown[:_SHOWN]) + (" + ..." if len(shown) > _SHOWN else "")
    lone = all(one.constant is not None or two.constant is not None for one, two in found)
    kind = "additive, " if lone and len(found) == 2 else ""
    return f"{kind}rank {len(found)} in {names}: {text}"


def _orders(body: Body, subject: Subject) -> str:
    """Of a chain of contractions, what the cheapest and the dearest order of summing cost."""
    if body.op != "sum" or body.poly.single is None:
        return ""
    factors = [atom.free & set(body.around) for atom, _ in body.poly.single[0]]
    summed = [v for v in body.around if v not in subject.outputs]
    if len(factors) < 3 or not 2 <= len(summed) <= _MOST_SUMMED or any(map(_group, summed)):
        return ""
    costs = {}
    for order in itertools.permutations(summed):
        left, parts = [frozenset(f) for f in factors], []
        for v in order:
            met = frozenset().union(*(f for f in left if v in f))
            parts.append(met)
            left = [f for f in left if v not in f] + [met - {v}]
        costs[order] = parts
    few, many = (pick(costs, key=lambda order: sorted(map(len, costs[order]), reverse=True))
                 for pick in (min, max))  # fmt: skip
    if sorted(map(len, costs[few])) == sorted(map(len, costs[many])):
        return ""
    one, two = (" + ".join(_cost(part, subject) for part in costs[order]) for order in (few, many))
    return (
        f"; summing {subject.name(few[0])} first costs {one} products, {subject.name(many[0])} "
        f"first {two}"
    )


def _cost(indices: Iterable[Atom], subject: Subject) -> str:
    extents = sorted(subject.show(v.args[1]) for v in indices if v.args[1] is not None)
    return "*".join(extents) or "1"
