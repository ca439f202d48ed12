"""Products with a matrix that is a sum of one and of a product of two: ``x (W + B A)``."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from auditor.algebra.chains import Cost, summed_pair
from auditor.notation import (
    ONE,
    Apply,
    Const,
    Index,
    Read,
    Reduce,
    Term,
    Value,
    definition,
    free_indices,
    walk,
)

_DEEPEST = 12


@dataclass(frozen=True)
class Summand:
    """A matrix in a sum, ``read`` at the row and column, with the ``scales``, the ``divisors`` and
    the sign that it is taken with."""

    read: Read
    scales: tuple[Value | Const, ...] = ()
    negative: bool = False
    divisors: tuple[Value | Const, ...] = ()

    @property
    def plain(self) -> bool:
        return not (self.scales or self.divisors)


@dataclass(frozen=True)
class Update:
    """``x`` times ``matrix + product``, summed over ``inner``, with the matrices' other index
    ``outer``; the product sums ``near``, which has ``inner``, times ``far`` over ``middle``, or is
    the outer product of two vectors, with a ``middle`` that has one place.
    ``bias`` is added to the result, ``first`` says that the matrices stand to the left of ``x``;
    ``made`` are the sum, the product and what is between them."""

    x: Read
    matrix: Summand
    product: Summand
    near: Read
    far: Read
    inner: Index
    outer: Index
    middle: Index
    bias: Value | None
    first: bool
    made: tuple[Value, ...]


def update(value: Value) -> Update | None:
    """The product with a sum that a value is, or None."""
    body, bias = value.body, None
    if isinstance(body, Apply) and body.op == "add" and len(body.args) == 2:
        inner, added = body.args
        if not isinstance(inner, Read) or not isinstance(added, Read):
            return None
        if inner.value.span is not None and inner.value.span != value.span:
            return None  # a product that the code names, and something added to it
        body, bias = inner.value.body, added.value
    if not isinstance(body, Reduce) or body.op != "sum" or not isinstance(body.body, Apply):
        return None
    args = body.body.args
    if body.body.op != "mul" or len(args) != 2:
        return None
    for merged, x in (args, args[::-1]):
        if isinstance(merged, Read) and isinstance(x, Read):
            found = _update(merged, x, body.index, bias, merged is args[0])
            if found is not None:
                return found
    return None


def _update(merged: Read, x: Read, inner: Index, bias: Value | None, first: bool) -> Update | None:
    others = [sub for sub in merged.subs if sub is not inner]
    if len(others) != 1 or not isinstance(others[0], Index) or others[0].group:
        return None
    outer = others[0]
    if inner not in x.subs or outer in free_indices(x) or inner not in merged.subs:
        return None
    made: list[Value] = []
    parts = _summands(merged, made)
    if len(parts) != 2:
        return None
    factors = [_factors(part.read, made) or _vectors(part.read, made) for part in parts]
    places = [place for place, found in enumerate(factors) if found is not None]
    if len(places) != 1:
        return None
    product, matrix = parts[places[0]], parts[1 - places[0]]
    left, right, middle = factors[places[0]] or (x, x, inner)
    near, far = (left, right) if inner in left.subs else (right, left)
    thin = {middle} if middle.extent is not ONE else set()
    if {*near.subs} != {inner, *thin} or {*far.subs} != {outer, *thin}:
        return None
    if thin and not (_is_matrix(near) and _is_matrix(far)):
        return None
    if not _is_matrix(matrix.read) or not matrix.plain:
        return None
    if {*matrix.read.subs} != {inner, outer} or matrix.negative:
        return None
    return Update(x, matrix, product, near, far, inner, outer, middle, bias, first, tuple(made))


def _summands(read: Read, made: list[Value], depth: int = 0) -> list[Summand]:
    """The matrices whose sum an element is of, through names and views; ``made`` takes what is
    taken apart."""
    inner = definition(read) if depth < _DEEPEST else None
    if isinstance(inner, Read) and inner.value.body is not None:
        found = _summands(inner, made, depth + 1)
        if len(found) > 1:
            made.append(read.value)
        return found
    if not isinstance(inner, Apply) or inner.op not in ("add", "sub"):
        return [Summand(read)]
    made.append(read.value)
    found = []
    for place, arg in enumerate(inner.args):
        part = _scaled(arg, made)
        if part is None:
            return []
        turned = part.negative ^ (inner.op == "sub" and place == 1)
        found.append(replace(part, negative=turned))
    return found


def _scaled(term: Term, made: list[Value], depth: int = 0) -> Summand | None:
    """A matrix with the numbers that it is multiplied with."""
    if depth > _DEEPEST:
        return None
    if isinstance(term, Apply) and term.op == "neg":
        inner = _scaled(term.args[0], made, depth + 1)
        return inner and replace(inner, negative=not inner.negative)
    if isinstance(term, Apply) and term.op == "div":
        over, inner = _number(term.args[1]), _scaled(term.args[0], made, depth + 1)
        if over is None or inner is None:
            return None
        return replace(inner, divisors=(*inner.divisors, over))
    if isinstance(term, Apply) and term.op == "mul" and len(term.args) == 2:
        for number, rest in (term.args, term.args[::-1]):
            scale = _number(number)
            if scale is None:
                continue
            inner = _scaled(rest, made, depth + 1)
            return inner and replace(inner, scales=(scale, *inner.scales))
        return None
    if not isinstance(term, Read):
        return None
    below = definition(term)
    if isinstance(below, Apply) and below.op in ("mul", "div", "neg"):
        inner = _scaled(below, made, depth + 1)
        if inner is not None and (inner.negative or not inner.plain):
            made.append(term.value)
            return inner
    return Summand(term)


def _number(term: Term) -> Value | Const | None:
    """A number, as a value or as it is written; what is given and of which nothing is known is
    supposed to be one."""
    found: Term | Value = term
    if isinstance(term, Read) and (not term.value.axes or supposed(term.value)):
        found = term.value
    return found if isinstance(found, (Value, Const)) else None


def supposed(value: Value) -> bool:
    """Whether something is given of which nothing says how many axes it has, or computed of such
    and of numbers alone."""
    if not value.axes or not all(axis.group for axis in value.axes):
        return False
    return value.kind == "input" or (value.body is not None and bool(unstated(value)))


def unstated(value: Value) -> set[Value]:
    """What is given and supposed to be a number, where a number is computed of it; nothing where
    it is computed of more."""
    if value.kind == "input":
        return {value} if supposed(value) else set()
    found = set[Value]()
    for node in walk(value.body) if value.body is not None else ():
        if isinstance(node, Reduce):
            return set()
        if isinstance(node, Read) and node.value.axes:
            more = unstated(node.value)
            if not more:
                return set()
            found |= more
    return found


def _factors(read: Read, made: list[Value]) -> tuple[Read, Read, Index] | None:
    """The factors of a product of two matrices and the index that it sums over."""
    at, passed = read, [read.value]
    while isinstance(inner := definition(at), Read):
        at = inner
        passed.append(at.value)
    factors = summed_pair(inner) if inner is not None else None
    if factors is not None:
        made.extend(passed)
    return factors


def _vectors(read: Read, made: list[Value]) -> tuple[Read, Read, Index] | None:
    """The two vectors whose outer product a matrix is."""
    at, passed = read, [read.value]
    while isinstance(inner := definition(at), Read):
        at = inner
        passed.append(at.value)
    if not isinstance(inner, Apply) or inner.op != "mul" or len(inner.args) != 2:
        return None
    sides = [_vector(arg, passed) for arg in inner.args]
    left, right = sides
    if left is None or right is None or left.subs == right.subs:
        return None
    made.extend(passed)
    return left, right, Index("r", ONE)


def _vector(term: Term, passed: list[Value]) -> Read | None:
    """The vector that a factor reads, through views of it."""
    while isinstance(term, Read):
        if len(term.subs) == len(term.value.axes) == 1 and not term.aligned:
            plain = isinstance(term.subs[0], Index) and not term.subs[0].group
            return term if plain else None
        passed.append(term.value)
        below = definition(term)
        if below is None:
            return None
        term = below
    return None


def _is_matrix(read: Read) -> bool:
    """Read at two indices of its own; what is only broadcast may have any number of axes."""
    return len(read.subs) == 2 and all(isinstance(s, Index) and not s.group for s in read.subs)


def costs(found: Update, extents: dict[Index, Term]) -> tuple[Cost, Cost] | None:
    """The multiplications with the sum made first, and with the thin products instead, without
    those that both have; None where the rows of ``x`` are not known."""
    rows = [sub for sub in found.x.subs if sub is not found.inner]
    if not all(isinstance(sub, Index) and not sub.group for sub in rows):
        return None
    sizes = {index: extents[index] for index in (found.inner, found.outer, found.middle)}
    count = [extents[sub] for sub in rows if isinstance(sub, Index)]
    merged = _times(*sizes.values())
    apart: Counter[tuple[Term, ...]] = Counter()
    for index in (found.inner, found.outer):
        for names, number in _times(sizes[index], sizes[found.middle], *count).items():
            apart[names] += number
    return merged, apart


def _times(*extents: Term) -> dict[tuple[Term, ...], int]:
    number, names = 1, []
    for extent in extents:
        if isinstance(extent, Const) and isinstance(extent.value, int):
            number *= extent.value
        elif extent is not ONE:
            names.append(extent)
    return {tuple(sorted(names, key=str)): number}
