"""A normal form as a term again: to run it, and to show it in evidence. It is never emitted as
code, which keeps the user's own structure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import groupby

from auditor.algebra.bounds import integral
from auditor.algebra.limits import CannotSpell
from auditor.algebra.polynomial import ONE, Atom, Factors, Number, Poly, place
from auditor.notation import (
    INF,
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
    show,
)

_NAMES = "kjlpqruvw"


def spelled(
    p: Poly,
    variables: Mapping[Atom, Term] | None = None,
    names: Mapping[Poly, Sequence[str]] | None = None,
) -> Term:
    """A term that is equal to ``p``. ``variables`` spells free variables; ``names`` are the names
    that bound ones get by their extents, as far as they are not taken."""
    return _Speller(dict(variables or {}), names or {}, _taken(p)).poly(p)


def displayed(
    p: Poly,
    variables: Mapping[Atom, Term],
    names: Mapping[Poly, Sequence[str]],
    loops: Mapping[tuple[Poly, ...], Scan],
) -> Term:
    """``p`` to be read, not run: an element that is read broadcast is shown as a plain one, the
    carried values of ``loops`` by their names."""
    return _Speller(dict(variables), names, _taken(p), loops).poly(p)


def _taken(p: Poly) -> frozenset[str]:
    return frozenset(v.args[0].name for v in p.free if isinstance(v.args[0], Index))


class _Speller:
    def __init__(
        self,
        variables: dict[Atom, Term],
        names: Mapping[Poly, Sequence[str]],
        taken: frozenset[str],
        loops: Mapping[tuple[Poly, ...], Scan] | None = None,
    ) -> None:
        self._loops = loops
        self._variables = variables
        self._names = names
        self._taken = taken

    def poly(self, p: Poly) -> Term:
        out: Term | None = None
        for factors, coefficient in self._ranked(p):
            if out is not None and coefficient < 0:
                out = Apply("sub", (out, self._monomial(factors, -coefficient)))
            else:
                part = self._monomial(factors, coefficient)
                out = part if out is None else Apply("add", (out, part))
        return Const(0) if out is None else out

    def _ranked(self, p: Poly) -> list[tuple[Factors, Number]]:
        """The terms in an order that is the same in every process."""
        found: list[tuple[Factors, Number]] = []
        for _, group in groupby(sorted(p.terms.items(), key=_readable), key=_readable):
            alike = list(group)
            if len(alike) > 1:
                alike.sort(key=lambda item: show(self._monomial(item[0], _positive(item[1]))))
            found += alike
        return found

    def _monomial(self, factors: Factors, coefficient: Number) -> Term:
        above: list[Term] = []
        below: list[Term] = []
        conditions: list[Term] = []
        if coefficient.numerator != 1 or not factors:
            above.append(Const(coefficient.numerator))
        if coefficient.denominator != 1:
            below.append(Const(coefficient.denominator))
        powers: list[Term] = []
        for atom, exponent, term in self._factors(factors):
            if atom.kind in ("if", "ifnot"):
                conditions.append(term)
            elif atom.kind == "exp":
                powers.append(term)
            elif exponent < 0:
                below.append(self._power(term, -exponent))
            else:
                above.append(self._power(term, exponent))
        if powers:
            inside = powers[0] if len(powers) == 1 else Apply("add", tuple(powers))
            above.append(Apply("exp", (inside,)))
        out = _times(above)
        if below:
            out = Apply("div", (out, _times(below)))
        for condition in conditions:
            out = Apply("where", (condition, out, Const(0)))
        return out

    def _factors(self, factors: Factors) -> list[tuple[Atom, Number, Term]]:
        """The factors spelled, in an order that is the same in every process."""
        found = [
            (atom, exponent, self._monomial(atom.args[0], exponent) if atom.kind == "exp"
             else self.atom(atom))
            for atom, exponent in factors
        ]  # fmt: skip
        return sorted(found, key=lambda part: (part[0].kind, show(part[2]), place(part[0])))

    def _power(self, base: Term, exponent: Number) -> Term:
        if exponent == 1:
            return base
        if exponent == Fraction(1, 2):
            return Apply("sqrt", (base,))
        return Apply("pow", (base, _constant(exponent)))

    def _condition(self, atom: Atom) -> Term:
        """With what is subtracted on the other side; integers below n + 1 are at most n."""
        how, p = atom.args
        one = p.terms.get(ONE)
        strict = not (how == "lt" and one == -1 and integral(p))
        terms = {f: c for f, c in p.terms.items() if strict or f != ONE}
        left = self.poly(Poly({f: c for f, c in terms.items() if c > 0}))
        right = self.poly(Poly({f: -c for f, c in terms.items() if c < 0}))
        if how == "eq":
            return Apply("eq" if atom.kind == "if" else "ne", (left, right))
        if atom.kind == "if":
            return Apply("lt" if strict else "le", (left, right))
        return Apply("ge" if strict else "gt", (left, right))

    def atom(self, atom: Atom) -> Term:
        kind, args = atom.kind, atom.args
        if kind == "var":
            if isinstance(args[0], Index):
                return args[0]
            if atom in self._variables:
                return self._variables[atom]
            raise CannotSpell("a variable out of its scope")
        if kind in ("if", "ifnot"):
            return self._condition(atom)
        if kind == "sym":
            return Symbol(args[0])
        if kind == "inf":
            return INF
        if kind == "nan":
            return Const(float("nan"))
        if kind == "i":
            return Const(1j)
        if kind == "num":
            return Const(args[0])
        if kind == "read":
            subs = tuple(self.poly(sub) for sub in args[2])
            return Read(args[0], subs, bool(args[1]))
        if kind == "fn":
            return Apply(args[0], tuple(self.poly(arg) for arg in args[1]))
        if kind == "pow":
            return Apply("pow", (self.poly(args[0]), self._monomial(args[1], 1)))
        if kind == "poly":
            return self.poly(args[0])
        if kind == "relu":
            return Apply("max", (self.poly(args[0]), Const(0)))
        if kind == "abs":
            return Apply("abs", (self.poly(args[0]),))
        if kind == "pole":
            return Apply("div", (Const(1), self.poly(args[0]) if args else Const(0)))
        if kind == "maxof":
            terms = [self.poly(p) for p in args[0]]
            out = terms[0]
            for term in terms[1:]:
                out = Apply("max", (out, term))
            return out
        if kind == "trace" and self._loops is not None and args[0] in self._loops:
            subs = tuple(self.poly(sub) for sub in args[3])
            return Trace(self._loops[args[0]], args[1], self.poly(args[2]), subs)
        if kind == "bcast" and self._loops is not None:
            return self.poly(args[0])
        if kind == "bcast":
            one = Apply("eq", (self.poly(args[1]), Const(1)))
            return Apply("where", (one, Const(0), self.poly(args[0])))
        if kind == "bind":
            return self._binder(atom)
        if kind == "arg":
            return self._binder(args[0], "argmax")
        if kind == "order":
            index, body = self._opened(args[0])
            return Order(index[0], body, self.poly(args[1]), args[2], args[3])
        raise CannotSpell(f"no term for '{kind}'")

    def _opened(self, binder: Atom) -> tuple[list[Index], Term]:
        _, extents, body, height = binder.args
        indices: list[Index] = []
        inside = _Speller(dict(self._variables), self._names, self._taken, self._loops)
        for slot, extent in enumerate(extents):
            wanted = (*self._names.get(extent, ()), *_NAMES)
            name = next((n for n in wanted if n not in inside._taken), "k")
            index = inside._bound(name, extent)
            inside._variables[Atom("var", (height, slot), None)] = index
            inside._taken |= {name}
            indices.append(index)
        return indices, inside.poly(body)

    def _bound(self, name: str, extent: Poly) -> Index:
        group = extent.atom is not None and extent.atom.kind == "group"
        if self._loops is not None and group:
            return Index(name, Const(1), group=True)
        return Index(name, self.poly(extent))

    def _binder(self, binder: Atom, op: str | None = None) -> Term:
        indices, term = self._opened(binder)
        for index in reversed(indices):
            term = Reduce(op or binder.args[0], index, term)
        return term


def _times(terms: list[Term]) -> Term:
    if not terms:
        return Const(1)
    return terms[0] if len(terms) == 1 else Apply("mul", tuple(terms))


def _constant(value: Number) -> Const:
    return Const(value.numerator if value.denominator == 1 else float(value))


def _readable(item: tuple[Factors, Number]) -> tuple[bool, int, str]:
    factors, coefficient = item
    names = sorted(atom.args[0].name if atom.kind == "read" else atom.kind for atom, _ in factors)
    return (coefficient < 0, -len(factors), ",".join(names))


def _positive(value: Number) -> Number:
    return -value if value < 0 else value
