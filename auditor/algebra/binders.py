"""Bound variables: sums, products and maxima over axes, and what leaves them.

A closed binder names its variables by its height (one more than the highest binder inside), which
makes the name the same however the term was built and can never capture: the binders inside are
lower, those outside higher. Several variables of one binder are put in the order that gives the
least spelling, so that sums over independent axes commute.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from auditor.algebra import functions
from auditor.algebra.bounds import integral
from auditor.algebra.limits import TooLarge
from auditor.algebra.polynomial import (
    ORDERED,
    Atom,
    Factors,
    Number,
    Poly,
    add,
    leads_positive,
    monomial,
    multiply,
    never_negative,
    number,
    of,
    parts,
    placed_by_age,
    power,
    product,
    rational_content,
    scale,
    spelling,
    spelling_of_places,
    subtract,
)

MOST_VARIABLES = 6
MOST_ORDERS = 24

_fresh = itertools.count()


def fresh(extent: Poly | None) -> Atom:
    """A variable that occurs nowhere else."""
    return Atom("var", next(_fresh), extent)


def summed(variables: Sequence[Atom], p: Poly) -> Poly:
    """The sum of ``p`` over every value of the variables."""
    return add(*(_sum_monomial(variables, f, c) for f, c in p.terms.items()))


def _sum_monomial(variables: Sequence[Atom], factors: Factors, coefficient: Number) -> Poly:
    pending = list(variables)
    outside: list[tuple[Atom, Number]] = []
    inside: list[tuple[Atom, Number]] = []
    work = list(factors)
    while work:
        atom, exponent = work.pop()
        if not _meets(atom, pending):
            outside.append((atom, exponent))
        elif _is_bound(atom, "sum") and exponent.denominator == 1 and 0 < exponent <= 3:
            for _ in range(int(exponent)):
                more, body = opened(atom)
                pending += more
                single = body.single
                if single is None:  # respelling the variables split the body
                    rest = monomial(frozenset(work), coefficient)
                    return summed(pending, product([rest, of_all(outside), of_all(inside), body]))
                work += single[0]
                coefficient = coefficient * single[1]
        else:
            inside.append((atom, exponent))
    if len(pending) > MOST_VARIABLES:
        raise TooLarge(f"a sum over {len(pending)} axes")
    out = monomial(frozenset(outside), coefficient)
    picked = _pick(pending, inside)
    if picked is not None:
        return multiply(out, picked)
    for group, mine in _components(pending, inside):
        if mine or any(_extent(v).free & set(group) for v in group):
            out = multiply(out, of(closed("sum", group, monomial(frozenset(mine)))))
        else:
            out = product([out, *(_count(v) for v in group)])
    return out


def of_all(factors: Iterable[tuple[Atom, Number]]) -> Poly:
    return product(
        of(atom, exponent) if atom.kind == "exp" else power(of(atom), exponent)
        for atom, exponent in factors
    )


def _pick(variables: list[Atom], inside: list[tuple[Atom, Number]]) -> Poly | None:
    """A sum of [k == e] f(k) is f(e), for an e that is certainly in range. Of several such
    conditions the one that gives another variable is taken, which leaves most to be seen, and of
    those the one with the oldest."""
    found = [(rest, variable, factor) for factor in inside
             for rest, variable in _places(variables, factor[0])]  # fmt: skip
    if not found:
        return None
    rest, variable, factor = min(found, key=lambda one: _precedence(one[0]))
    kept = monomial(frozenset(other for other in inside if other != factor))
    others = [v for v in variables if v is not variable]
    return summed(others, replaced(kept, {variable: rest}))


def _precedence(place: Poly) -> tuple[bool, int, Number]:
    return place.constant is not None, place.made, place.constant or 0


def _places(variables: list[Atom], condition: Atom) -> Iterator[tuple[Poly, Atom]]:
    """Where a condition says that a variable is equal to something, with the variable."""
    if condition.kind != "if" or condition.args[0] != "eq":
        return
    p: Poly = condition.args[1]
    for variable in variables:
        place = frozenset(((variable, 1),))
        weight = p.terms.get(place)
        if weight not in (1, -1):
            continue
        rest = scale(subtract(p, monomial(place, weight)), -weight)
        if variable in rest.free or not integral(rest):
            continue
        low = functions.below_zero(rest).constant
        high = functions.below_zero(subtract(rest, _extent(variable))).constant
        if low == 0 and high == 1:
            yield rest, variable


def _meets(atom: Atom, variables: Iterable[Atom]) -> bool:
    return not atom.free.isdisjoint(variables)


def _is_bound(atom: Atom, op: str) -> bool:
    return atom.kind == "bind" and bool(atom.args[0] == op)


def _extent(variable: Atom) -> Poly:
    extent: Poly | None = variable.args[1]
    return of(Atom("extent", variable)) if extent is None else extent


def _count(variable: Atom) -> Poly:
    """How many values a variable takes: of several axes at once, the product of their extents."""
    extent = _extent(variable)
    if extent.atom is not None and extent.atom.kind == "group":
        count: Poly = extent.atom.args[0]
        return count
    return extent


def _components(
    variables: list[Atom], factors: list[tuple[Atom, Number]]
) -> list[tuple[list[Atom], list[tuple[Atom, Number]]]]:
    """Split a product into parts that share no variable."""
    groups: list[set[Atom]] = [{v} for v in variables]
    links = [atom.free for atom, _ in factors] + [_extent(v).free | {v} for v in variables]
    for link in links:
        joined = [group for group in groups if not group.isdisjoint(link)]
        if len(joined) > 1:
            groups = [group for group in groups if group.isdisjoint(link)]
            groups.append(set().union(*joined))
    return [
        (
            [v for v in variables if v in group],
            [(a, e) for a, e in factors if not a.free.isdisjoint(group)],
        )
        for group in groups
    ]


def closed(op: str, variables: Sequence[Atom], body: Poly) -> Atom:
    """The binder over ``variables``, spelled canonically."""
    extents = [_extent(v) for v in variables]
    height = 1 + max([body.height, *(extent.height for extent in extents)])
    names = [Atom("var", (height, place), None) for place in range(len(variables))]
    best: list[Atom] = []
    orders = _orders(variables, body)
    alone = len(orders) == 1
    for order in orders:
        naming = {v: of(names[place]) for place, v in enumerate(order)}
        atom = Atom(
            "bind",
            op,
            tuple(replaced(_extent(v), naming) for v in order),
            replaced(body, naming),
            height,
        )
        # the variables are bound here, not free
        atom.free = atom.free - frozenset(names)
        atom.height = height
        if alone:
            return atom
        if not best or spelling(atom) < spelling(best[0]):
            best = []
        if not best or (spelling(atom) == spelling(best[0]) and atom not in best):
            best.append(atom)
    if len(best) == 1:
        return best[0]
    # The free variables have one name: they differ by the order in which they were made.
    places = placed_by_age(best[0].free)
    return min(best, key=lambda atom: spelling_of_places(atom.args, places))


def _orders(variables: Sequence[Atom], body: Poly) -> Sequence[Sequence[Atom]]:
    """The orders worth trying: variables that look alike from outside are permuted."""
    if len(variables) == 1:
        return [variables]
    looks = {v: (seen, 0) for v, seen in _seen(variables, body).items()}
    often = Counter(looks.values())
    if len(often) < len(variables):
        mark, other = Atom("this"), Atom("that")
        for variable in variables:
            if often[looks[variable]] == 1:
                continue
            naming = {v: of(mark if v is variable else other) for v in variables}
            looks[variable] = (
                looks[variable][0],
                hash((replaced(body, naming).look, replaced(_extent(variable), naming).look)),
            )
    ranked = sorted(variables, key=lambda v: looks[v])
    classes = [list(group) for _, group in itertools.groupby(ranked, key=lambda v: looks[v])]
    choices = itertools.product(*(itertools.permutations(group) for group in classes))
    return [list(itertools.chain(*choice)) for choice in itertools.islice(choices, MOST_ORDERS)]


def _seen(variables: Sequence[Atom], body: Poly) -> dict[Atom, int]:
    """Where each variable stands in the subscripts of elements: what is the same in whichever of
    its canonical spellings a condition is, and mostly tells the variables apart."""
    places: dict[Atom, set[tuple[int, int, int]]] = {v: set() for v in variables}
    stack: list[Atom | Poly] = [body]
    done: set[Atom] = set()
    while stack:
        part = stack.pop()
        if part.free.isdisjoint(places):
            continue
        if isinstance(part, Poly):
            stack.extend(atom for factors in part.terms for atom, _ in factors)
            continue
        if part in done:
            continue
        done.add(part)
        stack.extend(parts(part.args))
        if part.kind == "read" and not part.ordered:
            for place, sub in enumerate(part.args[2]):
                for factors, weight in sub.terms.items():
                    for variable in variables:
                        if any(variable in atom.free for atom, _ in factors):
                            places[variable].add((part.look, place, hash(weight)))
    return {v: hash(frozenset(found)) for v, found in places.items()}


def opened(atom: Atom) -> tuple[list[Atom], Poly]:
    """The variables of a binder, renewed, and its body over them."""
    _, extents, body, height = atom.args
    naming: dict[Atom, Poly] = {}
    variables: list[Atom] = []
    for place, extent in enumerate(extents):
        variable = fresh(replaced(extent, naming))
        naming[Atom("var", (height, place), None)] = of(variable)
        variables.append(variable)
    return variables, replaced(body, naming)


def greatest(variables: Sequence[Atom], p: Poly) -> Poly:
    """The maximum over the variables; what does not depend on them shifts or scales it.

    Over an empty axis this raises in every library, so a constant is its own maximum."""
    free = set(variables)
    shift = Poly({f: c for f, c in p.terms.items() if not _depends(f, free)})
    rest = subtract(p, shift)
    if not rest.terms:
        return shift
    weight = rational_content(rest)
    rest = scale(rest, Fraction(1) / weight)
    factor = number(weight)
    if rest.single is not None:
        factors, sign = rest.single
        leaving = frozenset((a, e) for a, e in factors if not a.free & free and never_negative(a))
        if leaving:
            factor = multiply(factor, monomial(leaving))
            rest = monomial(factors - leaving, sign)
    pending = list(variables)
    inner = rest.atom
    while inner is not None and _is_bound(inner, "max"):
        more, rest = opened(inner)
        pending += more
        inner = rest.atom
    out = shift
    for group, mine in _addends(pending, rest):
        out = add(out, multiply(factor, of(closed("max", group, mine))))
    return out


def _depends(factors: Factors, variables: set[Atom]) -> bool:
    return any(not atom.free.isdisjoint(variables) for atom, _ in factors)


def _addends(variables: list[Atom], p: Poly) -> list[tuple[list[Atom], Poly]]:
    """Split a sum into parts that share no variable."""
    used = [v for v in variables if v in p.free]
    groups: list[set[Atom]] = [{v} for v in used]
    for factors in p.terms:
        link = frozenset().union(*(atom.free for atom, _ in factors))
        joined = [group for group in groups if not group.isdisjoint(link)]
        if len(joined) > 1:
            groups = [group for group in groups if group.isdisjoint(link)]
            groups.append(set().union(*joined))
    return [
        (
            [v for v in used if v in group],
            Poly({f: c for f, c in p.terms.items() if _depends(f, group)}),
        )
        for group in groups
    ]


def multiplied(variable: Atom, p: Poly) -> Poly:
    """The product over one variable."""
    if p.single is None:
        if variable not in p.free:
            return functions.raised(p, _extent(variable))
        return of(closed("prod", [variable], p))
    factors, coefficient = p.single
    out = functions.raised(number(coefficient), _extent(variable))
    for atom, exponent in factors:
        if not _meets(atom, (variable,)):
            if exponent.denominator == 1:
                exponents = scale(_extent(variable), exponent)
                out = multiply(out, functions.raised(of(atom), exponents))
            else:
                out = multiply(out, functions.raised(of(atom, exponent), _extent(variable)))
        elif atom.kind == "exp":
            total = summed([variable], monomial(atom.args[0], exponent))
            out = multiply(out, functions.exponential(total))
        else:
            out = multiply(out, power(of(closed("prod", [variable], of(atom))), exponent))
    return out


def exists(variables: Sequence[Atom], condition: Poly) -> Poly:
    """Is the condition (0 or 1) met anywhere?"""
    if condition.constant == 0:
        return number(0)
    return of(closed("any", variables, condition))


def position(variable: Atom, p: Poly) -> Poly:
    """The first place of the maximum: monotone maps of the body do not move it."""
    free = {variable}
    while True:
        p = Poly({f: c for f, c in p.terms.items() if _depends(f, free)})
        if p.single is None:
            break
        factors, coefficient = p.single
        inside = [(a, e) for a, e in factors if a.free & free]
        if any(not never_negative(a) for a, _ in factors if not a.free & free):
            break
        p = monomial(frozenset(inside), 1 if coefficient > 0 else -1)
        if len(inside) != 1:
            break
        atom, exponent = inside[0]
        if atom.kind == "exp":
            p = scale(monomial(atom.args[0], exponent), 1 if coefficient > 0 else -1)
        elif atom.kind == "fn" and atom.args[0] == "log" and exponent == 1:
            p = scale(atom.args[1][0], 1 if coefficient > 0 else -1)
        elif atom.kind == "poly" and exponent == Fraction(1, 2):
            p = scale(atom.args[0], 1 if coefficient > 0 else -1)
        else:
            break
    if p.terms:
        p = scale(p, Fraction(1) / rational_content(p))
    inner = closed("arg", [variable], p) if variable in p.free else None
    return number(0) if inner is None else of(Atom("arg", inner))


def ordered(variable: Atom, p: Poly, rank: Poly, descending: bool, what: str) -> Poly:
    """The element at a place of the sorted axis; the first and the last are extremes."""
    if what == "values" and rank.constant == 0:
        if descending:
            return greatest([variable], p)
        return scale(greatest([variable], scale(p, -1)), -1)
    binder = closed("order", [variable], p)
    return of(Atom("order", binder, rank, descending, what))


class _Replacement(dict[Atom, Poly]):
    """What is put for variables; ``done`` are the atoms in which it was already put: those of a
    stabilised softmax occur many times over."""

    done: dict[Atom, Poly]


def replaced(p: Poly, by: Mapping[Atom, Poly]) -> Poly:
    """``p`` with variables replaced; canonical again."""
    if not by or p.free.isdisjoint(by):
        return p
    if not isinstance(by, _Replacement):
        by = _Replacement(by)
        by.done = {}
    renaming = _renaming(p, by)
    if renaming is not None:
        try:
            return _renamed(p, renaming, {})
        except _Turned:
            pass
    terms = []
    for factors, coefficient in p.terms.items():
        out = number(coefficient)
        for atom, exponent in factors:
            out = multiply(out, _replaced_power(atom, exponent, by))
        terms.append(out)
    return add(*terms)


def _replaced_power(atom: Atom, exponent: Number, by: _Replacement) -> Poly:
    if atom.kind == "exp":  # its exponent is a factor within it: a number that may be no root's
        return functions.exponential(scale(replaced(monomial(atom.args[0]), by), exponent))
    return power(_replaced_atom(atom, by), exponent)


class _Turned(Exception):
    """Under other names another spelling is the canonical one."""


def _renaming(p: Poly, by: Mapping[Atom, Poly]) -> dict[Atom, Atom] | None:
    """The new names, where variables are only given names that ``p`` does not have, and nothing
    else is said of how many values they take."""
    names: dict[Atom, Atom] = {}
    for old, target in by.items():
        new = target.atom
        if new is None or new.kind != "var" or new in p.free or old.kind != "var":
            return None
        extents = old.args[1], new.args[1]
        if None not in extents and extents[0] != extents[1]:
            return None
        names[old] = new
    return names if len(set(names.values())) == len(names) else None


def _renamed(p: Poly, names: Mapping[Atom, Atom], done: dict[Atom, Atom]) -> Poly:
    """A plain copy under other names. Raises ``_Turned`` where that is not canonical."""
    if p.free.isdisjoint(names):
        return p
    return Poly(
        {
            frozenset((_renamed_atom(a, names, done), e) for a, e in factors): c
            for factors, c in p.terms.items()
        }
    )


def _renamed_atom(atom: Atom, names: Mapping[Atom, Atom], done: dict[Atom, Atom]) -> Atom:
    if atom.free.isdisjoint(names):
        return atom
    if atom in names:
        return names[atom]
    if atom not in done:
        oriented = atom.kind in ORDERED
        new = Atom(atom.kind, *[_renamed_part(arg, oriented, names, done) for arg in atom.args])
        if atom.kind == "bind":
            bound = [Atom("var", (atom.args[3], n), None) for n in range(len(atom.args[1]))]
            new.free = new.free - frozenset(bound)
            new.height = atom.height
        done[atom] = new
    return done[atom]


def _renamed_part(
    arg: Any, oriented: bool, names: Mapping[Atom, Atom], done: dict[Atom, Atom]
) -> Any:
    if isinstance(arg, Poly):
        new = _renamed(arg, names, done)
        if oriented and len(arg.terms) > 1 and leads_positive(new) != leads_positive(arg):
            raise _Turned
        return new
    if isinstance(arg, Atom):
        return _renamed_atom(arg, names, done)
    if isinstance(arg, (tuple, frozenset)):
        return type(arg)([_renamed_part(part, oriented, names, done) for part in arg])
    return arg


def _replaced_atom(atom: Atom, by: _Replacement) -> Poly:
    if atom.free.isdisjoint(by):
        return of(atom)
    if atom in by:
        return by[atom]
    found = by.done.get(atom)
    if found is None:
        again = _REBUILT.get(atom.kind)
        if again is not None:
            found = again(atom, by)
        else:
            found = of(Atom(atom.kind, *(_replaced_in(arg, by) for arg in atom.args)))
        by.done[atom] = found
    return found


def _replaced_in(arg: Any, by: _Replacement) -> Any:
    if isinstance(arg, Poly):
        return replaced(arg, by)
    if isinstance(arg, Atom):
        new = _replaced_atom(arg, by)
        inner = new.atom
        assert inner is not None
        return inner
    if isinstance(arg, tuple):
        return tuple(_replaced_in(part, by) for part in arg)
    return frozenset(_replaced_in(p, by) for p in arg) if isinstance(arg, frozenset) else arg


def _rebuild_binder(atom: Atom, by: _Replacement) -> Poly:
    op = atom.args[0]
    variables, body = opened(atom)
    body = replaced(body, by)
    extents = [replaced(_extent(v), by) for v in variables]
    if extents != [_extent(v) for v in variables]:
        renewed = [fresh(extent) for extent in extents]
        body = replaced(body, {v: of(n) for v, n in zip(variables, renewed, strict=True)})
        variables = renewed
    if op == "sum":
        return summed(variables, body)
    if op == "max":
        return greatest(variables, body)
    if op == "prod":
        return multiplied(variables[0], body)
    if op == "any":
        return exists(variables, body)
    return of(closed(op, variables, body))


def _rebuild_function(atom: Atom, by: _Replacement) -> Poly:
    name, args = atom.args
    new = [replaced(arg, by) for arg in args]
    result = functions.applied(name, new)
    return functions.call(name, *new) if result is None else result


def _rebuild_condition(atom: Atom, by: _Replacement) -> Poly:
    how, p = atom.args
    condition = (functions.below_zero if how == "lt" else functions.zero)(replaced(p, by))
    return condition if atom.kind == "if" else functions.opposite(condition)


def _rebuild_variable(atom: Atom, by: _Replacement) -> Poly:
    return of(Atom("var", atom.args[0], replaced(atom.args[1], by)))


def _rebuild_exponential(atom: Atom, by: _Replacement) -> Poly:
    return functions.exponential(replaced(monomial(atom.args[0]), by))


def _rebuild_power(atom: Atom, by: _Replacement) -> Poly:
    base, exponent = atom.args
    return functions.raised(replaced(base, by), replaced(monomial(exponent), by))


def _rebuild_sum(atom: Atom, by: _Replacement) -> Poly:
    """The base of a root or of an inverse; its exponent is applied by the caller."""
    return replaced(atom.args[0], by)


_REBUILT: dict[str, Callable[[Atom, _Replacement], Poly]] = {
    "bind": _rebuild_binder,
    "fn": _rebuild_function,
    "if": _rebuild_condition,
    "ifnot": _rebuild_condition,
    "var": _rebuild_variable,
    "exp": _rebuild_exponential,
    "pow": _rebuild_power,
    "poly": _rebuild_sum,
    "relu": lambda atom, by: functions.positive_part(replaced(atom.args[0], by)),
    "abs": lambda atom, by: functions.absolute(replaced(atom.args[0], by)),
    "maxof": lambda atom, by: functions.maximum(replaced(p, by) for p in atom.args[0]),
}
