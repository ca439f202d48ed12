"""Exact polynomials over atoms: the arithmetic under the normal form.

A polynomial maps monomials to rational coefficients; a monomial is a set of (atom, exponent)
pairs, with rational exponents where the atom is known not to be negative. Everything that is not
addition, multiplication or an exponential is an atom: an element of an array, a sum over a bound
variable, a function of polynomials.

Some atoms have an algebra of their own, kept by ``multiply``:

    exp     exp(m)^c is the exponential of c times the monomial m, so products of exponentials add
    if      an indicator: 1 where its condition holds, else 0; idempotent. It is a *strong* zero:
            what it multiplies counts for nothing where it is 0, even if that is infinite
    ifnot   the complement of the indicator with the same condition
    poly    a sum under an exponent that does not expand: its inverse, its square root
    num     a positive integer under a root
    i       the imaginary unit

Every identity used holds wherever no NaN arises: a cancelled quotient supposes that its divisor is
not zero, a cancelled difference that it is not infinite.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from functools import reduce as fold
from math import gcd, lcm
from typing import Any, TypeAlias
from zlib import crc32

from auditor.algebra.limits import TooLarge, tick

Number: TypeAlias = "int | Fraction"
Factors: TypeAlias = "frozenset[tuple[Atom, Number]]"


MOST_TERMS = 400
MOST_SIZE = 20_000
EXPANDED_POWER = 4
EXPANDED_TERMS = 8
_LARGEST_POWER = 64  # of a number that is written out

ORDERED = frozenset(("poly", "if", "ifnot", "relu", "abs", "fn", "maxof"))
"""Kinds whose spelling depends on an order between monomials: renaming a variable in them may
change which spelling is the canonical one."""


_REAL = frozenset(("abs", "if", "ifnot", "arg", "var", "sym", "num"))
"""Kinds that are real whatever they are of."""
_REAL_PARTS = frozenset(("abs", "real", "imag", "call:angle", "call:real", "call:imag"))


class Atom:
    """An irreducible factor. ``free`` are the variables in it, ``height`` counts binders;
    ``imaginary`` says that it may be a complex number: then it has no sign."""

    __slots__ = (
        "__weakref__", "_hash", "_look", "_made", "_spelling", "args", "free", "height",
        "imaginary", "kind", "ordered", "size",
    )  # fmt: skip

    def __init__(self, kind: str, *args: Any) -> None:
        self.kind = kind
        self.args = args
        self._hash = hash((kind, args))
        free: frozenset[Atom] = frozenset()
        height, size, ordered = 0, 1, kind in ORDERED
        imaginary = kind == "i" or bool(args and getattr(args[0], "imaginary", False))
        for part in parts(args):
            if part.free:
                free |= part.free
            if part.height > height:
                height = part.height
            size += part.size
            ordered = ordered or part.ordered
            imaginary = imaginary or part.imaginary
        if size > MOST_SIZE:
            raise TooLarge(f"a term of more than {MOST_SIZE} nodes")
        self._look: int | None = None
        self._made: int | None = None
        self._spelling: int | None = None
        self.free = free | {self} if kind == "var" else free
        self.height, self.size, self.ordered = height, size, ordered
        self.imaginary = imaginary and not (
            kind in _REAL or (kind == "fn" and args[0] in _REAL_PARTS)
        )

    def __hash__(self) -> int:
        return self._hash

    @property
    def look(self) -> int:
        """A hash that does not see the names of variables."""
        if self._look is None:
            kind = _named(self.kind)
            self._look = hash(kind if self.kind == "var" else (kind, looks(self.args)))
        return self._look

    @property
    def made(self) -> int:
        """When the last of the objects in it was made: it tells those of one name apart."""
        if self._made is None:
            own: int = getattr(self.args[0], "uid", 0) if self.args else 0
            self._made = max((part.made for part in parts(self.args)), default=0)
            self._made = max(own, self._made)
        return self._made

    @property
    def spelling(self) -> int:
        """A hash that sees which variable is which (see the function of this name)."""
        if self._spelling is None:
            self._spelling = hash((_named(self.kind), spelling(self.args)))
        return self._spelling

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (
            isinstance(other, Atom)
            and self._hash == other._hash
            and self.kind == other.kind
            and self.args == other.args
        )

    def __repr__(self) -> str:
        return f"{self.kind}({', '.join(map(repr, self.args))})"


class Poly:
    """A sum of monomials. Immutable, compared by value."""

    __slots__ = (
        "_hash", "_look", "_made", "free", "height", "imaginary", "ordered", "size", "terms",
    )  # fmt: skip

    def __init__(self, terms: Mapping[Factors, Number]) -> None:
        tick()
        self.terms = terms
        self._hash: int | None = None
        self._look: int | None = None
        self._made: int | None = None
        free: frozenset[Atom] = frozenset()
        height, size, ordered, imaginary = 0, 1, False, False
        for factors in terms:
            for atom, _ in factors:
                if atom.free:
                    free |= atom.free
                if atom.height > height:
                    height = atom.height
                size += atom.size
                ordered = ordered or atom.ordered
                imaginary = imaginary or atom.imaginary
        if len(terms) > MOST_TERMS or size > MOST_SIZE:
            nodes = "" if len(terms) > MOST_TERMS else f" of {size} nodes"
            raise TooLarge(f"a sum of {len(terms)} terms{nodes}")
        self.free, self.height, self.size, self.ordered = free, height, size, ordered
        self.imaginary = imaginary

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self.terms.items()))
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Poly) and hash(self) == hash(other) and self.terms == other.terms

    def __repr__(self) -> str:
        if not self.terms:
            return "0"
        return " + ".join(
            "*".join([str(c), *(f"{a!r}^{e}" if e != 1 else repr(a) for a, e in f)])
            for f, c in self.terms.items()
        )

    @property
    def look(self) -> int:
        """A hash that does not see the names of variables."""
        if self._look is None:
            self._look = hash(frozenset((_look(f), c) for f, c in self.terms.items()))
        return self._look

    @property
    def made(self) -> int:
        """When the last of the objects in it was made."""
        if self._made is None:
            found = (atom.made for factors in self.terms for atom, _ in factors)
            self._made = max(found, default=0)
        return self._made

    @property
    def constant(self) -> Number | None:
        """The number that this is, or None."""
        if not self.terms:
            return 0
        if len(self.terms) == 1 and ONE in self.terms:
            return self.terms[ONE]
        return None

    @property
    def single(self) -> tuple[Factors, Number] | None:
        """The only monomial and its coefficient, or None."""
        return next(iter(self.terms.items())) if len(self.terms) == 1 else None

    @property
    def atom(self) -> Atom | None:
        """The atom that this is, or None."""
        if len(self.terms) == 1:
            factors, coefficient = next(iter(self.terms.items()))
            if coefficient == 1 and len(factors) == 1:
                atom, exponent = next(iter(factors))
                return atom if exponent == 1 else None
        return None


ONE: Factors = frozenset()
_NUMBERS: dict[Number, Poly] = {n: Poly({ONE: n} if n else {}) for n in range(-8, 9)}


def parts(args: Any) -> list[Any]:
    """The atoms and polynomials in an atom's arguments. (No generator, and types by identity: this
    runs whenever an atom is made.)"""
    found: list[Any] = []
    for arg in args:
        kind = type(arg)
        if kind is Poly or kind is Atom:
            found.append(arg)
        elif kind is tuple or kind is frozenset:
            found += parts(arg)
    return found


def looks(arg: Any) -> int:
    """A hash of an atom's arguments that does not see the names of variables. It is the same in
    every process, so that evidence is."""
    if isinstance(arg, (Atom, Poly)):
        return arg.look
    if isinstance(arg, tuple):
        return hash(tuple(map(looks, arg)))
    if isinstance(arg, frozenset):
        return hash(frozenset(map(looks, arg)))
    if arg is None or isinstance(arg, str):
        return _named(arg or "")
    name = getattr(arg, "name", None)
    return _named(name) if isinstance(name, str) else hash(arg)


@cache
def _named(text: str) -> int:
    # the dtype of a value is told by a number that is another one in each reading
    return crc32(_OF_A_VALUE.sub("", text).encode())


_OF_A_VALUE = re.compile(r"(?<=like )\d+$|(?<=to )\d+$")


def spelling(arg: Any) -> int:
    """A hash of an atom, or of its arguments, that sees which variable is which, the same in every
    process: it chooses among the spellings of a binder whose variables look alike."""
    if isinstance(arg, Atom):
        if arg.kind == "var":
            name = arg.args[0]  # the numbers of indices differ from process to process
            return hash(_age(arg)) if isinstance(name, (int, tuple)) else looks(name)
        return arg.spelling
    if isinstance(arg, Poly):
        return hash(frozenset((spelling(factors), weight) for factors, weight in arg.terms.items()))
    if isinstance(arg, tuple):
        return hash(tuple(map(spelling, arg)))
    if isinstance(arg, frozenset):
        return hash(frozenset(map(spelling, arg)))
    return looks(arg)


def spelling_of_places(arg: Any, places: Mapping[Atom, int]) -> int:
    """As ``spelling``, with ``places`` for the variables that it does not tell apart."""
    if isinstance(arg, Atom):
        if arg.kind == "var" and arg in places:
            return places[arg]
        return hash((_named(arg.kind), spelling_of_places(arg.args, places)))
    if isinstance(arg, Poly):
        return hash(
            frozenset((spelling_of_places(f, places), weight) for f, weight in arg.terms.items())
        )
    if isinstance(arg, (tuple, frozenset)):
        return hash(type(arg)(spelling_of_places(part, places) for part in arg))
    return spelling(arg)


def placed_by_age(variables: Iterable[Atom]) -> dict[Atom, int]:
    """The place of each variable in the order in which they were made."""
    return {v: place for place, v in enumerate(sorted(variables, key=_age))}


def number(value: Number) -> Poly:
    known = _NUMBERS.get(value)
    return Poly({ONE: tidy(value)}) if known is None else known


def of(atom: Atom, exponent: Number = 1) -> Poly:
    return Poly({frozenset(((atom, exponent),)): 1})


def monomial(factors: Factors, coefficient: Number = 1) -> Poly:
    return Poly({factors: tidy(coefficient)} if coefficient else {})


def tidy(value: Number) -> Number:
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


def scale(p: Poly, by: Number) -> Poly:
    if by == 1 or not p.terms:
        return p
    return Poly({f: tidy(c * by) for f, c in p.terms.items()} if by else {})


def add(*polys: Poly) -> Poly:
    terms: dict[Factors, Number] = {}
    for p in polys:
        for factors, coefficient in p.terms.items():
            _accumulate(terms, factors, coefficient)
    return _settle(terms)


def subtract(a: Poly, b: Poly) -> Poly:
    return add(a, scale(b, -1))


def multiply(a: Poly, b: Poly) -> Poly:
    if (known := a.constant) is not None:
        return scale(b, known)
    if (known := b.constant) is not None:
        return scale(a, known)
    if len(a.terms) * len(b.terms) > MOST_TERMS:
        raise TooLarge(f"a product of {len(a.terms)} by {len(b.terms)} terms")
    terms: dict[Factors, Number] = {}
    later: list[Poly] = []
    for f, c in a.terms.items():
        for g, d in b.terms.items():
            factors, extra, expand = _product(f, g)
            if expand:
                later.append(product([monomial(factors, c * d * extra), *expand]))
            else:
                _accumulate(terms, factors, c * d * extra)
    first = _settle(terms)
    return add(first, *later) if later else first


def product(polys: Iterable[Poly]) -> Poly:
    return fold(multiply, polys, number(1))


def invert(p: Poly) -> Poly:
    """1 / p, for p not zero."""
    if not p.terms:
        return of(Atom("pole"))
    content, rest = split_content(p)
    factors, coefficient = next(iter(content.terms.items()))
    out = number(Fraction(1) / coefficient)
    for atom, exponent in factors:
        out = multiply(out, _atom_power(atom, -exponent))
    if rest.constant is not None:
        return scale(out, rest.constant)  # 1 or -1
    if rest.single is not None:
        return multiply(out, of(Atom("pole", rest)))  # what is left are indicators
    return multiply(out, of(Atom("poly", rest), -1))


def power(p: Poly, exponent: Number) -> Poly:
    """p ** exponent for a rational exponent."""
    if exponent == 0:
        return number(1)
    if exponent == 1:
        return p
    if exponent < 0:
        return power(invert(p), -exponent) if exponent.denominator == 1 else invert(
            power(p, -exponent)
        )  # fmt: skip
    if not p.terms:
        return p
    if exponent.denominator == 1:
        if len(p.terms) == 1:
            factors, coefficient = next(iter(p.terms.items()))
            if exponent > _LARGEST_POWER and coefficient not in (1, -1):
                return of(Atom("poly", p), exponent)
            out = number(coefficient ** int(exponent))
            for atom, e in factors:
                out = multiply(out, _atom_power(atom, e * exponent))
            return out
        if exponent <= EXPANDED_POWER and len(p.terms) <= EXPANDED_TERMS:
            return product([p] * int(exponent))
        return of(Atom("poly", p), exponent)
    content, loose = split_content(p)
    factors, coefficient = next(iter(content.terms.items()))
    out = _root(coefficient, exponent)
    for atom, e in factors:
        if never_negative(atom):
            out = multiply(out, _atom_power(atom, e * exponent))
        else:
            loose = multiply(loose, of(atom, e))
    if loose.constant == 1:
        return out
    inner = loose.atom
    if inner is not None and inner.kind != "poly" and not (inner.kind == "exp" and inner.imaginary):
        return multiply(out, _atom_power(inner, exponent))
    return multiply(out, of(Atom("poly", loose), exponent))


def split_content(p: Poly) -> tuple[Poly, Poly]:
    """``p`` as a monomial with a positive coefficient times a polynomial without a common factor.

    The remainder is the same for every multiple of ``p`` by a positive monomial."""
    common: dict[Atom, Number] | None = None
    for factors in p.terms:
        here = dict(factors)
        if common is None:
            common = here
        else:
            common = {a: min(common.get(a, 0), here.get(a, 0)) for a in {**common, **here}}
    assert common is not None
    kept = {a: e for a, e in common.items() if e and a.kind not in ("if", "ifnot")}
    weight = rational_content(p)
    if not kept:
        return number(weight), scale(p, Fraction(1) / weight)
    terms: dict[Factors, Number] = {}
    for factors, coefficient in p.terms.items():
        left = dict(factors)
        for atom, exponent in kept.items():
            left[atom] = tidy(left.get(atom, 0) - exponent)
            if not left[atom]:
                del left[atom]
        terms[frozenset(left.items())] = tidy(Fraction(coefficient) / weight)
    return monomial(frozenset(kept.items()), weight), Poly(terms)


def rational_content(p: Poly) -> Number:
    """The positive rational that leaves coprime integers as coefficients."""
    above = gcd(*(c.numerator for c in p.terms.values()))
    below = lcm(*(c.denominator for c in p.terms.values()))
    return tidy(Fraction(above, below))


def leading(p: Poly) -> Factors:
    """A monomial chosen by an order that does not depend on how ``p`` came about."""
    return max(p.terms, key=order)


def leads_positive(p: Poly) -> bool:
    """Is the leading coefficient (not the constant's, unless there is nothing else) positive?"""
    return p.terms[leading(p)] > 0


def _look(factors: Factors) -> int:
    return hash(frozenset((atom.look, exponent) for atom, exponent in factors))


def order(factors: Factors) -> tuple[Any, ...]:
    """Constants last, then by degree and by look; what looks alike by its variables, in the order
    in which they were bound, so that renaming them when a binder closes changes nothing."""
    powers = sorted(((atom.look, exponent) for atom, exponent in factors), reverse=True)
    names = sorted(_age(v) for v in frozenset().union(*(a.free for a, _ in factors)))
    degree = sum(exponent for _, exponent in powers)
    each = sorted((atom.look, exponent, sorted(map(_age, atom.free))) for atom, exponent in factors)
    made = sorted(atom.made for atom, _ in factors)
    return (bool(factors), degree, powers, names, each, made, hash(factors))


def place(part: Atom | Poly) -> tuple[Any, ...]:
    """A key that sorts atoms alike in every process."""
    return (part.look, sorted(map(_age, part.free)), part.made)


def _age(variable: Atom) -> tuple[int, int, int]:
    """Free variables, then those being bound, then bound ones, outer before inner."""
    name = variable.args[0]
    if isinstance(name, tuple):
        return (2, -name[0], name[1])
    return (1, name, 0) if isinstance(name, int) else (0, getattr(name, "uid", 0), 0)


def never_negative(atom: Atom) -> bool:
    if atom.imaginary:
        return False
    if atom.kind in ("exp", "if", "ifnot", "num", "sym", "abs", "relu", "inf", "var", "step"):
        return True
    if atom.kind == "bind" and atom.args[0] in ("sum", "prod", "max", "any"):
        return nonnegative(atom.args[2])
    return False


def nonnegative(p: Poly) -> bool:
    """Certainly not negative: positive coefficients over factors that are not negative."""
    return not p.imaginary and all(
        coefficient > 0
        and all(
            never_negative(atom)
            or (exponent.denominator == 1 and exponent % 2 == 0)
            or (atom.kind == "poly" and (exponent.denominator != 1 or nonnegative(atom.args[0])))
            for atom, exponent in factors
        )
        for factors, coefficient in p.terms.items()
    )


_PLAIN = frozenset(("read", "exp", "bind", "var", "sym", "state", "step", "axis", "relu", "inf"))


def _product(f: Factors, g: Factors) -> tuple[Factors, Number, list[Poly]]:
    """The product of two monomials: factors, the coefficient and the sums that came out of it."""
    if not f:
        return g, 1, []
    if not g:
        return f, 1, []
    merged = dict(f)
    special = False
    for atom, exponent in g:
        total = merged.get(atom, 0) + exponent
        if total:
            merged[atom] = tidy(total)
        else:
            del merged[atom]
        special = special or atom.kind not in _PLAIN
    if not special and all(atom.kind in _PLAIN for atom in merged):
        return frozenset(merged.items()), 1, []
    return _simplify(merged)


def _simplify(merged: dict[Atom, Number]) -> tuple[Factors, Number, list[Poly]]:
    extra: Number = 1
    expand: list[Poly] = []
    for atom, exponent in list(merged.items()):
        if atom.kind == "if":
            if Atom("ifnot", *atom.args) in merged:
                return ONE, 0, []
            merged[atom] = 1
        elif atom.kind == "ifnot":
            merged[atom] = 1
        elif (
            atom.kind == "abs"
            and exponent.denominator == 1
            and exponent % 2 == 0
            and not atom.args[0].imaginary
        ):
            del merged[atom]
            expand.append(power(atom.args[0], exponent))
        elif atom.kind == "i":
            turn = int(exponent) % 4
            extra = extra * (-1 if turn >= 2 else 1)
            del merged[atom]
            if turn % 2:
                merged[atom] = 1
        elif atom.kind == "num":
            whole = exponent.numerator // exponent.denominator
            extra = extra * Fraction(atom.args[0]) ** whole
            del merged[atom]
            if exponent - whole:
                merged[atom] = exponent - whole
        elif atom.kind == "poly" and exponent.denominator == 1:
            inside: Poly = atom.args[0]
            few = len(inside.terms) <= EXPANDED_TERMS and 0 < exponent <= EXPANDED_POWER
            small = -_LARGEST_POWER <= exponent <= _LARGEST_POWER
            if few or (inside.single and small):
                del merged[atom]
                expand.append(power(inside, exponent))
    return frozenset(merged.items()), tidy(extra), expand


def _atom_power(atom: Atom, exponent: Number) -> Poly:
    if atom.kind in ("if", "ifnot"):
        # the inverse of an indicator is a pole where it is 0: kept whole
        return of(atom) if exponent > 0 else of(Atom("pole", of(atom)))
    if atom.kind in _PLAIN:
        return of(atom, tidy(exponent))
    factors, extra, expand = _simplify({atom: tidy(exponent)})
    return product([monomial(factors, extra), *expand])


def _root(coefficient: Number, exponent: Number) -> Poly:
    """A positive rational under a fractional exponent, in prime factors."""
    out = number(1)
    for base, sign in ((coefficient.numerator, 1), (coefficient.denominator, -1)):
        for prime, count in _primes(base):
            out = multiply(out, _atom_power(Atom("num", prime), sign * count * exponent))
    return out


def _primes(value: int) -> list[tuple[int, int]]:
    """The factors of ``value``; a large one is left whole, which costs a missed identity."""
    found = []
    divisor = 2
    while divisor * divisor <= value and divisor < 1000:
        count = 0
        while value % divisor == 0:
            value //= divisor
            count += 1
        if count:
            found.append((divisor, count))
        divisor += 1
    return [*found, (value, 1)] if value > 1 else found


def _accumulate(terms: dict[Factors, Number], factors: Factors, coefficient: Number) -> None:
    total = terms.get(factors, 0) + coefficient
    if total:
        terms[factors] = tidy(total)
    else:
        terms.pop(factors, None)


def _settle(terms: dict[Factors, Number]) -> Poly:
    """Join complementary indicators and reduce quotients, then wrap up."""
    kinds = {atom.kind for factors in terms for atom, _ in factors}
    if "ifnot" in kinds or "if" in kinds:
        terms = _join_indicators(terms)
    if "poly" in kinds:
        terms = _reduce_quotients(terms)
    return Poly(terms)


def _join_indicators(terms: dict[Factors, Number]) -> dict[Factors, Number]:
    """One spelling for each pair of values that a monomial takes on both sides of a condition:
    (a, 0) as [c], (0, b) as [not c], (a, a) without, else b + (a - b) [c]."""
    if len(terms) == 1:
        return terms
    conditions: dict[Any, set[str]] = {}
    partners = set()
    for factors in terms:
        for atom, _ in factors:
            if atom.kind in ("if", "ifnot"):
                conditions.setdefault(atom.args, set()).add(atom.kind)
                if factors - {(atom, 1)} in terms:
                    partners.add(atom.args)
    partners |= {args for args, kinds in conditions.items() if len(kinds) == 2}
    for args in sorted(partners, key=lambda args: (looks(args), hash(args))):
        yes, no = Atom("if", *args), Atom("ifnot", *args)
        for factors in list(terms):
            bare = factors - {(yes, 1), (no, 1)}
            if factors == bare or factors not in terms:
                continue
            positive, negative = bare | {(yes, 1)}, bare | {(no, 1)}
            if (bare in terms) + (positive in terms) + (negative in terms) < 2:
                continue
            plain = terms.pop(bare, 0)
            here = plain + terms.pop(positive, 0)
            other = plain + terms.pop(negative, 0)
            if here == other:
                _accumulate(terms, bare, here)
            elif not other:
                terms[positive] = here
            elif not here:
                terms[negative] = other
            else:
                terms[bare] = other
                terms[positive] = tidy(here - other)
    return terms


def _reduce_quotients(terms: dict[Factors, Number]) -> dict[Factors, Number]:
    """Rewrite lead(d) / d as 1 - rest(d) / d, so that a quotient by a sum has one spelling."""
    for _ in range(32):
        found = _reducible(terms)
        if found is None:
            return terms
        factors, atom, lead = found
        divisor: Poly = atom.args[0]
        left = dict(factors)
        for part, exponent in lead:
            left[part] = tidy(left[part] - exponent)
            if not left[part]:
                del left[part]
        weight = tidy(Fraction(terms[factors]) / divisor.terms[lead])
        changes: list[tuple[Factors, Number]] = []
        for f, c in divisor.terms.items():
            if f == lead:
                continue
            times, extra, expand = _product(frozenset(left.items()), f)
            if expand:
                return terms
            changes.append((times, -weight * c * extra))
        terms = {f: c for f, c in terms.items() if f != factors}
        lowered = dict(left)
        lowered[atom] = tidy(lowered[atom] + 1)
        if not lowered[atom]:
            del lowered[atom]
        for f, c in [(frozenset(lowered.items()), weight), *changes]:
            _accumulate(terms, f, c)
    return terms


def _reducible(terms: dict[Factors, Number]) -> tuple[Factors, Atom, Factors] | None:
    for factors in terms:
        present = dict(factors)
        for atom, exponent in factors:
            if atom.kind == "poly" and exponent <= -1 and exponent.denominator == 1:
                lead = leading(atom.args[0])
                if lead and all(present.get(a, 0) >= e > 0 for a, e in lead):
                    return factors, atom, lead
    return None
