"""Nests that walk pairs of one range in part: the pairs of ``i <= j``, those of ``i != j``.

What a step writes at ``(i, j)``, at ``(j, i)`` and, beside the pairs, at ``(i, i)`` are three kinds
of cell of one array. Where all of them together are all cells, and what is put into each is one
function that an exchange of its indices leaves as it is, the nest fills the array as a nest through
all pairs would.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from auditor.algebra.normal import equal
from auditor.lift import extents
from auditor.nests.parts import Walk, indices, put
from auditor.notation import ZERO, Apply, Const, Index, Read, Reduce, Term, Value, transform, walk
from auditor.surroundings.region import Region
from auditor.syntax import path_of

Pairs = frozenset[str]
"""Some of the pairs (i, j): those with j before i (``<``), at it (``=``), behind it (``>``)."""

ALL: Pairs = frozenset("<=>")
_OPS: dict[type[ast.cmpop], Callable[[int, int], bool]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.Eq: operator.eq, ast.NotEq: operator.ne,
}  # fmt: skip
_TOTAL = frozenset(("add", "sub", "mul", "neg", "square", "call:squared"))
_HELD = Read(Value("what the cell held", (), None, None, "input"), ())


def flipped(part: Pairs) -> Pairs:
    """The same pairs with their elements exchanged."""
    return frozenset({"<": ">", ">": "<", "=": "="}[sign] for sign in part)


def only(pairs: Pairs, i: Index, j: Index, term: Term) -> Term:
    """``term`` at some pairs of steps, 0 at the others."""
    if pairs == {"="}:
        test = Apply("eq", (j, i))
    elif pairs == {"<", ">"}:
        test = Apply("ne", (j, i))
    else:
        first, last = (j, i) if "<" in pairs else (i, j)
        test = Apply("le" if "=" in pairs else "lt", (first, last))
    return Apply("where", (test, term, ZERO))


def triangle(
    low: Term, high: Term, walks: Mapping[Index, Walk]
) -> tuple[Index, Pairs, Walk] | None:
    """The loop that an inner one over ``range(low, high)`` counts from or up to, which pairs are
    walked, and what both would walk for all pairs."""
    inside = [*indices(low), *indices(high)]
    if len(inside) != 1 or inside[0] not in walks:
        return None
    (outer,) = inside
    around = walks[outer]
    if around.tiles or around.within is not None or extents.constant(around.stride) != 1:
        return None
    if indices(low):
        first, last, apart = around.low, high, extents.constant(extents.sub(low, outer))
        more = extents.constant(extents.sub(high, around.high))
        behind, part = apart == 1, frozenset(">=" if apart == 0 else ">")
    else:
        first, last, apart = low, around.high, extents.constant(extents.sub(high, outer))
        more = extents.constant(extents.sub(around.low, low))
        behind, part = apart == 0, frozenset("<=" if apart == 1 else "<")
    if apart not in (0, 1) or more is None or not 0 <= more <= behind:
        return None
    return outer, part, Walk(outer, first, last, around.stride)


def compared(op: ast.cmpop, left: Term, right: Term) -> tuple[Index, Index, Pairs] | None:
    """Of a comparison of the steps of two loops: the loops, and which pairs it lets through, as
    seen from the first."""
    test = _OPS.get(type(op))
    parts = dict(extents.polynomial(extents.sub(left, right)))
    more = parts.pop((), 0)
    if test is None or abs(more) > 1 or sorted(parts.values()) != [-1, 1]:
        return None
    first, second = sorted(parts, key=lambda monomial: parts[monomial])
    if len(first) != 1 or len(second) != 1:
        return None
    i, j = first[0], second[0]
    if not isinstance(i, Index) or not isinstance(j, Index):
        return None
    let = {apart: test(apart + more, 0) for apart in range(-3, 4)}
    before, behind = {let[apart] for apart in (-3, -2, -1)}, {let[apart] for apart in (1, 2, 3)}
    if len(before) > 1 or len(behind) > 1:
        return None
    said = {"<": before.pop(), "=": let[0], ">": behind.pop()}
    return i, j, frozenset(sign for sign, through in said.items() if through)


def as_loops(region: Region, node: ast.For) -> ast.For | None:
    """A loop over the pairs that ``itertools`` makes of one range, as two loops."""
    if not isinstance(node.iter, ast.Call) or not isinstance(node.target, ast.Tuple):
        return None
    names, call = node.target.elts, node.iter
    ranges = _ranges(region, call)
    if ranges is None or len(names) != 2:
        return None
    outer, inner = names
    if not isinstance(outer, ast.Name) or not isinstance(inner, ast.Name):
        return None
    first, second = ranges
    if second is None:
        begin: ast.expr = ast.Name(outer.id, ast.Load())
        if path_of(region.module, call.func) == "itertools.combinations":
            begin = ast.BinOp(begin, ast.Add(), ast.Constant(1))
        second = ast.Call(first.func, [begin, first.args[-1]], [])
    within = ast.For(inner, second, node.body, [])
    made = ast.For(outer, first, [within], node.orelse)
    for new in (within, made):
        ast.copy_location(new, node)
    return ast.fix_missing_locations(made)


def _ranges(region: Region, call: ast.Call) -> tuple[ast.Call, ast.Call | None] | None:
    """The range of the first elements of pairs, and that of the second ones where it is another."""
    path = path_of(region.module, call.func)
    given = list(call.args)
    words = {word.arg: word.value for word in call.keywords}
    if path == "itertools.product":
        repeat = words.pop("repeat", None)
        if isinstance(repeat, ast.Constant) and repeat.value == 2 and len(given) == 1:
            given = given * 2
        elif repeat is not None:
            return None
        first, second = map(_range, given) if len(given) == 2 else (None, None)
        return None if words or first is None or second is None else (first, second)
    if path in ("itertools.combinations", "itertools.combinations_with_replacement"):
        count = words.pop("r", None) or (given.pop() if len(given) == 2 else None)
        first = _range(given[0]) if len(given) == 1 and not words else None
        if first is None or not isinstance(count, ast.Constant) or count.value != 2:
            return None
        return (first, None) if len(first.args) < 3 else None
    return None


def _range(node: ast.expr) -> ast.Call | None:
    """A call of ``range``."""
    called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    return node if called and node.func.id == "range" and not node.keywords else None  # type: ignore[attr-defined,return-value]


@dataclass(frozen=True, eq=False)
class Cell:
    """What is put into the cells at one kind of place; ``last`` tells in which order kinds were
    last written."""

    place: tuple[Term, ...]
    term: Term
    old: Value
    part: Pairs
    last: int


@dataclass(frozen=True)
class Square:
    """``term`` over all pairs of ``place``. ``bare`` says that the diagonal is left as it was,
    ``half`` that only these pairs are filled; ``zero`` that the array has to hold zeros before,
    ``rooted`` that a root is taken, which is 0 on the diagonal and has no gradient there.
    ``problem`` is what forbids to say so, by its name."""

    term: Term
    place: tuple[Term, ...]
    old: Value
    bare: bool = False
    half: Pairs = ALL
    zero: bool = False
    problem: tuple[str, str] | None = None
    rooted: bool = False


def square(
    pair: tuple[Index, Index], here: Cell, there: Cell | None, along: Cell | None, widened: bool
) -> Square:
    """What is put into ``(i, j)``, ``(j, i)`` and ``(i, i)``, as one function of all pairs."""
    i, j = pair
    term, olds = here.term, {here.old} | ({there.old} if there is not None else set())
    turned = put(term, {i: j, j: i})

    def refused(condition: str, reason: str) -> Square:
        return Square(term, here.place, here.old, problem=(condition, reason))

    if not equal(_evenly(_without(term, olds)), _evenly(_without(turned, olds))):
        return refused("symmetry", "what is put into a cell changes where its two places do")
    zero = False
    if there is not None:
        if not equal(_evenly(_without(there.term, olds)), _evenly(_without(term, olds))):
            return refused("symmetry", "the two triangles are given different values")
        if there.part not in (here.part, here.part - {"="}):
            return refused("order", "the two triangles are filled at different steps")
        if {"<", ">"} <= here.part and (_reads(here.term, olds) or _reads(there.term, olds)):
            return refused("order", "a step needs what another one left")
        if "=" in there.part and _reads(there.term, olds):
            if _reads(there.term, {there.old}) or there.last < here.last:
                return refused("order", "a step writes a cell of the diagonal twice")
        zero = _reads(there.term, {here.old}) or _reads(here.term, {there.old})
    filled = here.part | (flipped(there.part) if there is not None else frozenset())
    if along is not None:
        if "=" in filled or widened:
            return refused("order", "a cell of the diagonal is written twice")
        if not equal(_without(along.term, {along.old}), _without(put(term, {j: i}), olds)):
            return refused("diagonal", "the diagonal is given something else")
        if _reads(along.term, {along.old}) != _reads(term, {here.old}):
            return refused("diagonal", "the diagonal is given something else")
        filled |= {"="}
    if filled == ALL:
        return Square(term, here.place, here.old, zero=zero)
    if "=" not in filled and {"<", ">"} <= filled:
        if not all(_defined(node) for node in walk(term)):
            return refused("diagonal", "what the diagonal would be may not be defined")
        rooted = any(_root(node) is not None for node in walk(term))
        return Square(term, here.place, here.old, bare=True, zero=True, rooted=rooted)
    if filled <= {"="}:
        return refused("diagonal", "only the diagonal is filled")
    return Square(term, here.place, here.old, half=filled, zero=not _reads(term, olds))


def _defined(node: Term) -> bool:
    """Whether something is defined whatever it is made of."""
    if not isinstance(node, Apply) or node.op in _TOTAL:
        return True
    under = _root(node)
    if under is not None:
        return isinstance(under, Reduce) and under.op == "sum" and _even(under.body)
    power = node.args[1] if node.op == "pow" else None
    return isinstance(power, Const) and type(power.value) is int and power.value > 0


def _root(node: Term) -> Term | None:
    """What a root is taken of."""
    if not isinstance(node, Apply):
        return None
    half = node.op == "pow" and node.args[1] is Const(0.5)
    return node.args[0] if half or node.op in ("sqrt", "call:norm") else None


def _even(term: Term) -> bool:
    """A square, of real numbers at least 0."""
    if not isinstance(term, Apply):
        return False
    if term.op == "pow":
        return isinstance(term.args[1], Const) and term.args[1].value == 2
    return term.op in ("square", "call:squared") or (
        term.op == "mul" and len(term.args) == 2 and term.args[0] is term.args[1]
    )


def _evenly(term: Term) -> Term:
    """``term`` with the squares of a norm as such, which do not tell a number from its negative."""
    return transform(
        term, lambda node: Apply("square", node.args)
        if isinstance(node, Apply) and node.op == "call:squared" else node
    )  # fmt: skip


def _reads(term: Term, olds: set[Value]) -> bool:
    return any(isinstance(node, Read) and node.value in olds for node in walk(term))


def _without(term: Term, olds: set[Value]) -> Term:
    """``term`` with one symbol for what the cells held."""
    by: dict[Term, Term] = {
        node: _HELD for node in walk(term) if isinstance(node, Read) and node.value in olds
    }
    return put(term, by)
