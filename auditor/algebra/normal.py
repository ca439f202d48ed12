"""The normal form of a term: two terms with the same normal form are equal over the reals.

Definitions are expanded, bound indices renamed, sums and products brought to a polynomial over
atoms (see ``polynomial``), so that stable and naive softmax, or both forms of a variance, are the
same object. Equality is a proof wherever the code meets no NaN: a divisor is not 0, a difference
is not of infinities, the maximum is over an axis that is not empty. The converse does not hold:
terms with different normal forms may still be equal.

Casts between floating types are rounding, which has no place over the reals; they are dropped
unless asked for, and ``cast_sequence`` lists them for callers who must keep them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from fractions import Fraction

from auditor.algebra import binders, functions
from auditor.algebra.bounds import integral
from auditor.algebra.limits import TooLarge
from auditor.algebra.polynomial import (
    Atom,
    Poly,
    add,
    multiply,
    number,
    of,
    scale,
    subtract,
)
from auditor.notation import (
    Apply,
    Const,
    Index,
    Order,
    Read,
    Reduce,
    Scan,
    Symbol,
    Term,
    Trace,
    Value,
    children,
    definition,
    free_indices,
    transform,
    walk,
)

__all__ = [
    "Normal",
    "Normaliser",
    "TooLarge",
    "cast_sequence",
    "depends",
    "equal",
    "expand",
    "expanded_size",
    "normal",
]

Normal = Poly
MOST_STEPS = 6_000
_FINITE_INFINITY = -1e4
_FLOATS = ("float", "half", "double", "bfloat", "complex")


def normal(
    term: Term,
    *,
    stop: Set[Value] = frozenset(),
    axes: Mapping[Index, Term] | None = None,
    casts: bool = False,
    finite_mask: bool = False,
    same: Mapping[Term, Term] | None = None,
) -> Normal:
    """The normal form of ``term``; raises ``TooLarge`` beyond a budget.

    ``stop`` are values whose definitions are not expanded; ``axes`` renames free indices; ``same``
    replaces extents (or any atoms) that are known to be equal; ``casts`` keeps rounding casts;
    ``finite_mask`` takes constants of -1e4 and less for minus infinity, which supposes that no
    row is fully masked.
    """
    return Normaliser(stop, axes, casts, finite_mask, same).normal(term)


def equal(
    a: Term,
    b: Term,
    axes: Mapping[Index, Term] | None = None,
    *,
    stop: Set[Value] = frozenset(),
    finite_mask: bool = False,
) -> bool:
    """Are they equal over the reals, with ``b``'s free indices renamed by ``axes``?

    False also where it is unknown."""
    try:
        left = normal(a, stop=stop, finite_mask=finite_mask)
        return left == normal(b, stop=stop, axes=axes, finite_mask=finite_mask)
    except TooLarge:
        return False


def depends(term: Term, index: Index, *, stop: Set[Value] = frozenset()) -> bool:
    """May ``term`` depend on ``index``, once definitions are expanded and terms cancelled?"""
    try:
        normaliser = Normaliser(stop)
        place = normaliser.variable(index)
        return place in normaliser.normal(term).free
    except TooLarge:
        return index in free_indices(expand(term, stop))


def expand(term: Term, stop: Set[Value] = frozenset()) -> Term:
    """``term`` with the definitions of the values that it reads in their place."""
    return transform(term, _Definitions(stop))


class _Definitions:
    """Puts the definition of what is read in the place of a read. (Not a function within
    ``expand``: one that calls itself would stay until garbage is looked for.)"""

    def __init__(self, stop: Set[Value]) -> None:
        self._stop = stop
        self._known: dict[Term, Term] = {}

    def __call__(self, node: Term) -> Term:
        if not isinstance(node, Read) or node.value in self._stop:
            return node
        if node not in self._known:
            body = definition(node)
            self._known[node] = node if body is None else transform(body, self)
        return self._known[node]


def expanded_size(term: Term, stop: Set[Value] = frozenset()) -> int:
    """How many terms ``expand`` would give, found without expanding."""
    return _size(term, stop, {})


def _size(node: Term, stop: Set[Value], known: dict[Term, int]) -> int:
    if node not in known:
        body = definition(node) if isinstance(node, Read) and node.value not in stop else None
        inner = (body,) if body is not None else children(node)
        known[node] = 1 + sum(_size(part, stop, known) for part in inner)
    return known[node]


def cast_sequence(term: Term, stop: Set[Value] = frozenset()) -> tuple[str, ...]:
    """The dtypes that the term is cast to, inside out along every path, repetitions dropped."""
    found: dict[str, None] = {}
    for node in reversed(list(walk(expand(term, stop)))):
        if isinstance(node, Apply) and node.op.startswith("cast:"):
            found[node.op[5:]] = None
    return tuple(found)


@dataclass
class _Loop:
    """What is bound outside of every definition: the steps and the states of enclosing loops."""

    bound: Mapping[Index, Poly]
    states: Mapping[Value, tuple[int, int]]
    level: int = 0
    reads: dict[tuple[Value, tuple[Poly, ...]], Poly] = field(default_factory=dict)
    scans: dict[Scan, tuple[Poly, ...]] = field(default_factory=dict)


@dataclass
class _Scope:
    loop: _Loop
    bound: Mapping[Index, Poly]
    memo: dict[Term, Poly] = field(default_factory=dict)


class Normaliser:
    """Normal forms under one set of options; terms and definitions met twice, also in different
    questions, are normalised once."""

    def __init__(
        self,
        stop: Set[Value] = frozenset(),
        axes: Mapping[Index, Term] | None = None,
        casts: bool = False,
        finite_mask: bool = False,
        same: Mapping[Term, Term] | None = None,
    ) -> None:
        self._stop = stop
        self._casts = casts
        self._finite_mask = finite_mask
        self._same = same or {}
        self._steps = 0
        self._variables: dict[Index, Atom] = {}
        self._top = _Loop({}, {})
        # an index that is renamed to asks for its own extent
        self._outermost = _Scope(self._top, {})
        renamed = {index: self._term(to, self._outermost) for index, to in (axes or {}).items()}
        if renamed:
            self._outermost = _Scope(self._top, renamed)

    def normal(self, term: Term) -> Normal:
        self._steps = 0
        return self._term(term, self._outermost)

    def truth(self, term: Term) -> Normal:
        """The normal form of a condition: 0 or 1."""
        self._steps = 0
        return self._truth(term, self._outermost)

    def variable(self, index: Index) -> Atom:
        """The atom that a free index is."""
        if index not in self._variables:
            self._variables[index] = Atom("var", index, self._extent(index, self._outermost))
        return self._variables[index]

    def _extent(self, index: Index, scope: _Scope) -> Poly:
        extent = self._term(index.extent, scope)
        return of(Atom("group", extent)) if index.group else extent

    def _term(self, term: Term, scope: _Scope) -> Poly:
        known = scope.memo.get(term)
        if known is None:
            self._steps += 1
            if self._steps > MOST_STEPS:
                raise TooLarge(f"more than {MOST_STEPS} steps to a normal form")
            known = scope.memo[term] = self._compute(self._same.get(term, term), scope)
        return known

    def _compute(self, term: Term, scope: _Scope) -> Poly:
        if isinstance(term, Const):
            return self._constant(term)
        if isinstance(term, Symbol):
            return of(Atom("sym", term.name))
        if isinstance(term, Index):
            bound = scope.bound.get(term)
            if bound is None:
                bound = scope.loop.bound.get(term)
            return of(self.variable(term)) if bound is None else bound
        if isinstance(term, Apply):
            return self._apply(term, scope)
        if isinstance(term, Read):
            return self._read(term, scope)
        if isinstance(term, Reduce):
            return self._reduce(term, scope)
        if isinstance(term, Order):
            variable, inside = self._bind(term.index, scope)
            body = self._term(term.body, inside)
            rank = self._term(term.rank, scope)
            return binders.ordered(variable, body, rank, term.descending, term.what)
        assert isinstance(term, Trace)
        step = self._term(term.step, scope)
        subs = tuple(self._term(sub, scope) for sub in term.subs)
        scan = self._scan(term.scan, scope)
        return of(Atom("trace", scan, term.slot, step, subs))

    def _constant(self, term: Const) -> Poly:
        value = term.value
        if isinstance(value, bool):
            return number(int(value))
        if isinstance(value, int):
            return number(value)
        if isinstance(value, float):
            if math.isnan(value):
                return of(Atom("nan"))
            if math.isinf(value) or (self._finite_mask and value <= _FINITE_INFINITY):
                return scale(functions.INFINITY, 1 if value > 0 else -1)
            return number(Fraction(repr(value)))
        if isinstance(value, complex):
            real, imaginary = (number(Fraction(repr(x))) for x in (value.real, value.imag))
            return add(real, multiply(of(Atom("i")), imaginary))
        return of(Atom("constant", repr(value)))

    def _apply(self, term: Apply, scope: _Scope) -> Poly:
        op = term.op
        if op == "where":
            condition = self._truth(term.args[0], scope)
            then, otherwise = (self._term(arg, scope) for arg in term.args[1:])
            return functions.choose(condition, then, otherwise)
        if op in ("and", "or", "xor", "not"):
            return self._truth(term, scope)
        if op.startswith("cast:"):
            return self._cast(op, term.args[0], scope)
        args = [self._term(arg, scope) for arg in term.args]
        result = functions.applied(op, args) if args else None
        return functions.call(op, *args) if result is None else result

    def _cast(self, op: str, arg: Term, scope: _Scope) -> Poly:
        if op == "cast:bool":
            return self._truth(arg, scope)
        p = self._term(arg, scope)
        if op.startswith("cast:complex"):
            return functions.call("cast:complex", p, of(Atom("i")))
        if op[5:].startswith(_FLOATS):
            return functions.call(op, p) if self._casts else p
        if integral(p):
            return p
        return functions.cast("cast:int" if op in ("cast:long", "cast:int64") else op, p)

    def _truth(self, term: Term, scope: _Scope) -> Poly:
        if isinstance(term, Apply):
            op = term.op
            if op in ("eq", "ne", "lt", "le", "gt", "ge"):
                return self._term(term, scope)
            if op in ("and", "or", "xor"):
                args = [self._truth(arg, scope) for arg in term.args]
                out = args[0]
                for arg in args[1:]:
                    both = multiply(out, arg)
                    if op == "and":
                        out = both
                    else:
                        out = subtract(add(out, arg), scale(both, 1 if op == "or" else 2))
                return out
            if op == "not":
                return functions.opposite(self._truth(term.args[0], scope))
            if op == "cast:bool":
                return self._truth(term.args[0], scope)
            if op == "where":
                condition, then, otherwise = (self._truth(arg, scope) for arg in term.args)
                return functions.choose(condition, then, otherwise)
        if isinstance(term, Reduce) and term.op in ("any", "all"):
            return self._term(term, scope)
        p = self._term(term, scope)
        atom = p.atom
        if atom is not None and atom.kind in ("if", "ifnot"):
            return p
        if _zero_or_one(p):
            return p
        return functions.opposite(functions.zero(p))

    def _bind(self, index: Index, scope: _Scope) -> tuple[Atom, _Scope]:
        variable = binders.fresh(self._extent(index, scope))
        return variable, _Scope(scope.loop, {**scope.bound, index: of(variable)})

    def _reduce(self, term: Reduce, scope: _Scope) -> Poly:
        variable, inside = self._bind(term.index, scope)
        extent: Poly = variable.args[1]
        op = term.op
        if op in ("any", "all"):
            body = self._truth(term.body, inside)
            if op == "any":
                return binders.exists([variable], body)
            return functions.opposite(binders.exists([variable], functions.opposite(body)))
        body = self._term(term.body, inside)
        if extent.constant == 1 and op != "argmax" and op != "argmin":
            return binders.replaced(body, {variable: number(0)})
        if op == "sum":
            return binders.summed([variable], body)
        if op == "prod":
            return binders.multiplied(variable, body)
        if op in ("max", "min"):
            sign = 1 if op == "max" else -1
            return scale(binders.greatest([variable], scale(body, sign)), sign)
        if op in ("argmax", "argmin"):
            return binders.position(variable, scale(body, 1 if op == "argmax" else -1))
        return of(binders.closed(op, [variable], body))

    def _read(self, read: Read, scope: _Scope) -> Poly:
        value = read.value
        subs = tuple(self._term(sub, scope) for sub in read.subs)
        state = scope.loop.states.get(value)
        if read.aligned:
            resolved = self._aligned(read, subs, scope)
            if resolved is None:
                return _element(Atom("read", value, "aligned", subs), value)
            subs = resolved
        if state is not None:
            # a complex one is told by the imaginary unit in it: it has no sign
            return of(Atom("state", *state, subs, *[Atom("i")] * value.imaginary))
        if value.body is None or value in self._stop or len(subs) != len(value.axes):
            return _element(Atom("read", value, "", subs), value)
        key = (value, subs)
        known = scope.loop.reads.get(key)
        if known is None:
            bound = {**self._outermost.bound, **dict(zip(value.axes, subs, strict=True))}
            known = self._term(value.body, _Scope(scope.loop, bound))
            scope.loop.reads[key] = known
        return known

    def _aligned(
        self, read: Read, subs: tuple[Poly, ...], scope: _Scope
    ) -> tuple[Poly, ...] | None:
        """The plain subscripts of a broadcast read, or None where the ranks do not match up.

        An axis whose extent may be 1 is read at a subscript of its own kind: 0 if it is 1."""
        axes = read.value.axes
        count = len(subs) - len(axes)
        if count < 0:
            return None
        out = []
        for axis, term, sub in zip(axes, read.subs[count:], subs[count:], strict=True):
            group = isinstance(term, Index) and term.group
            if group != axis.group:
                return None
            extent = self._extent(axis, scope)
            mine = sub.atom.args[1] if sub.atom is not None and sub.atom.kind == "var" else None
            if group and count and extent != mine:
                return None  # any number of axes, of which the others may be a part
            if extent == mine or sub.constant == 0:
                out.append(sub)
            elif extent.constant == 1:
                out.append(number(0))
            else:
                out.append(of(Atom("bcast", sub, extent)))
        return tuple(out)

    def _scan(self, scan: Scan, scope: _Scope) -> tuple[Poly, ...]:
        """The loop as a structure: two loops that do the same are the same."""
        loop = scope.loop
        if scan in loop.scans:
            return loop.scans[scan]
        level = loop.level + 1
        extent = self._term(scan.step.extent, scope)
        states = {c.state: (level, slot) for slot, c in enumerate(scan.carries)}
        inside = _Loop(
            {**loop.bound, **scope.bound, scan.step: of(Atom("step", level))},
            {**loop.states, **states},
            level,
        )
        found = [extent]
        for slot, carry in enumerate(scan.carries):
            places = {
                axis: of(Atom("axis", level, slot, place))
                for place, axis in enumerate(carry.state.axes)
            }
            found.append(self._term(carry.init, _Scope(scope.loop, {**scope.bound, **places})))
            found.append(self._term(carry.update, _Scope(inside, places)))
        if not scope.bound:
            loop.scans[scan] = tuple(found)
        return tuple(found)


def _element(atom: Atom, value: Value) -> Poly:
    """An element of an array; of a boolean one it is an indicator."""
    return functions.opposite(functions.zero(of(atom))) if value.dtype == "bool" else of(atom)


def _zero_or_one(p: Poly) -> bool:
    if p.constant is not None:
        return p.constant in (0, 1)
    single = p.single
    return (
        single is not None
        and single[1] == 1
        and all(
            atom.kind in ("if", "ifnot") or (atom.kind == "bind" and atom.args[0] == "any")
            for atom, _ in single[0]
        )
    )
