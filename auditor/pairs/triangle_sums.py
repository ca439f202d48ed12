"""Sums over the pairs of a range whose terms are linear in what moves with the earlier of the two.

for i in range(n):                          earlier = 0
    for j in range(i + 1, n):               for j in range(1, n):
        total += f(x[i], y[j])                  earlier = earlier + x[j - 1]
                                                total += f(earlier, y[j])

sum_{i < j} f(x_i, y_j) = sum_j f(sum_{i < j} x_i, y_j)
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass

from auditor.lift.module import Module
from auditor.nests.forms import added_to_itself
from auditor.plain.text import swap
from auditor.syntax import constant, is_name, path_of, same
from auditor.tree import everything_in

_LINEAR = frozenset(
    f"{library}.{name}"
    for library in ("numpy", "torch")
    for name in ("sum", "mean", "dot", "inner", "matmul", "multiply", "mul", "mv", "mm", "bmm")
)
"""Functions that are linear in each of the arrays they are given."""
_METHODS = ("sum", "mean", "dot", "matmul", "mul", "mv", "mm", "bmm")


@dataclass(frozen=True)
class TriangleSum:
    """Two loops over pairs of ``range(stop)`` that add ``step`` up to ``total``. ``later`` is the
    variable of the later of the two, which ``both`` may be; of ``part`` the step is a linear
    function, and it moves with ``earlier`` alone. ``reduced`` says that the function adds up,
    ``walked`` is what was walked by its items."""

    total: str
    step: ast.expr
    earlier: str
    later: str
    stop: ast.expr
    both: bool
    part: ast.expr
    reduced: bool
    walked: ast.expr | None = None

    def written(self, kept: str) -> list[str]:
        """The lines of one loop, where ``kept`` is what is added up so far."""
        before: ast.expr = ast.Name(self.later, ast.Load())
        head = f"range({ast.unparse(self.stop)})"
        if not self.both:
            head = f"range(1, {ast.unparse(self.stop)})"
            before = ast.BinOp(before, ast.Sub(), ast.Constant(1))
        added = swap(self.part, {self.earlier: before})
        step = _Put(self.part, ast.Name(kept, ast.Load())).visit(deepcopy(self.step))
        return [
            f"{kept} = 0",
            f"for {self.later} in {head}:",
            f"    {kept} = {kept} + {ast.unparse(added)}",
            f"    {self.total} += {ast.unparse(step)}",
        ]


def triangle_sum(
    module: Module, outer: ast.For, inner: ast.For, free: Callable[[str], str]
) -> TriangleSum | None:
    """The sum over pairs that two loops are, the one in the other and nothing else; ``free`` makes
    a name one that nothing has."""
    placed = _by_places(outer, inner, free)
    walked = outer.iter.args[0] if placed and isinstance(outer.iter, ast.Call) else None
    outer, inner = placed or (outer, _of_half(outer, inner))
    if not isinstance(outer.target, ast.Name) or not isinstance(inner.target, ast.Name):
        return None
    body = _inlined(inner.body)
    step = (added_to_itself(body[0]) or body[0]) if len(body) == 1 else None
    pairs = _pairs(outer, inner)
    if not isinstance(step, ast.AugAssign) or not isinstance(step.op, (ast.Add, ast.Sub)):
        return None
    if pairs is None or not isinstance(step.target, ast.Name) or isinstance(step.op, ast.Sub):
        return None
    earlier, later, stop, both = pairs
    if _mentions(step.value, step.target.id) or _mentions(stop, step.target.id):
        return None
    term = _together(step.value, earlier, later)
    found = _Linear(module, earlier, later).part(term)
    if found is None or sum(same(node, found[0]) for node in everything_in(term)) != 1:
        return None
    return TriangleSum(step.target.id, term, earlier, later, stop, both, *found, walked)


def _by_places(
    outer: ast.For, inner: ast.For, free: Callable[[str], str]
) -> tuple[ast.For, ast.For] | None:
    """``for i, a in enumerate(x)`` around ``for b in x[i + 1 :]`` as loops over places."""
    call, part = outer.iter, inner.iter
    if not isinstance(call, ast.Call) or not is_name(call.func, "enumerate") or call.keywords:
        return None
    if len(call.args) != 1 or not isinstance(outer.target, ast.Tuple):
        return None
    whole, names = call.args[0], [each for each in outer.target.elts if isinstance(each, ast.Name)]
    rest = part.slice if isinstance(part, ast.Subscript) and same(part.value, whole) else None
    if not isinstance(whole, ast.Name) or len(names) != 2 or not isinstance(inner.target, ast.Name):
        return None
    if not isinstance(rest, ast.Slice) or rest.lower is None or rest.upper or rest.step:
        return None
    place = ast.Name(free("at"), ast.Store())
    length = ast.Call(ast.Name("len", ast.Load()), [whole], [])
    items: dict[str, ast.expr] = {
        name: ast.Subscript(whole, ast.Name(at, ast.Load()), ast.Load())
        for name, at in ((names[1].id, names[0].id), (inner.target.id, place.id))
    }
    body: list[ast.stmt] = [swap(each, items) for each in inner.body]  # type: ignore[misc]
    within = ast.Call(ast.Name("range", ast.Load()), [rest.lower, length], [])
    around = ast.Call(ast.Name("range", ast.Load()), [length], [])
    return ast.For(names[0], around, [], []), ast.For(place, within, body, [])


def _of_half(outer: ast.For, inner: ast.For) -> ast.For:
    """A loop over all of a range that does something for one half of the pairs alone, as one over
    that half."""
    test = inner.body[0] if len(inner.body) == 1 else None
    if not isinstance(test, ast.If) or test.orelse or not same(outer.iter, inner.iter):
        return inner
    compared, walked = test.test, _range(inner.iter)
    if not isinstance(compared, ast.Compare) or len(compared.ops) > 1 or walked is None:
        return inner
    sides, op = [compared.left, compared.comparators[0]], compared.ops[0]
    if isinstance(op, (ast.Gt, ast.GtE)):
        sides, op = sides[::-1], ast.Lt() if isinstance(op, ast.Gt) else ast.LtE()
    if not isinstance(op, (ast.Lt, ast.LtE)) or not _zero(walked[0]):
        return inner
    strict = isinstance(op, ast.Lt)
    if same(sides[0], outer.target) and same(sides[1], inner.target):
        ends = [_plus_one(sides[0]) if strict else sides[0], walked[1]]
    elif same(sides[1], outer.target) and same(sides[0], inner.target):
        ends = [sides[1] if strict else _plus_one(sides[1])]
    else:
        return inner
    half = ast.Call(ast.Name("range", ast.Load()), ends, [])
    return ast.For(inner.target, half, test.body, [])


def _plus_one(node: ast.expr) -> ast.expr:
    return ast.BinOp(node, ast.Add(), ast.Constant(1))


def _pairs(outer: ast.For, inner: ast.For) -> tuple[str, str, ast.expr, bool] | None:
    """The variable of the earlier of two, that of the later, the end of both, and whether they may
    be one."""
    around, within = _range(outer.iter), _range(inner.iter)
    if around is None or within is None or not _zero(around[0]):
        return None
    assert isinstance(outer.target, ast.Name) and isinstance(inner.target, ast.Name)
    one, other, (low, high) = outer.target.id, inner.target.id, within
    if _zero(low):  # up to where the outer one is
        both = _more(high, one) == 1
        return (other, one, around[1], both) if both or is_name(high, one) else None
    both = is_name(low, one)
    whole = same(around[1], high) or (not both and _less_one(around[1], high))
    if not whole or (not both and _more(low, one) != 1) or _mentions(high, one):
        return None
    return one, other, high, both


def _range(node: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    if not isinstance(node, ast.Call) or not is_name(node.func, "range") or node.keywords:
        return None
    if len(node.args) == 1:
        return ast.Constant(0), node.args[0]
    return (node.args[0], node.args[1]) if len(node.args) == 2 else None


def _zero(node: ast.expr) -> bool:
    return constant(node) == 0 and type(constant(node)) is int


def _more(node: ast.expr, name: str) -> int | None:
    """k of ``name + k``."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add):
        return None
    for side, other in ((node.left, node.right), (node.right, node.left)):
        number = constant(other)
        if is_name(side, name) and type(number) is int:
            return number
    return None


def _less_one(node: ast.expr, whole: ast.expr) -> bool:
    return (
        isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub)
        and constant(node.right) == 1 and same(node.left, whole)
    )  # fmt: skip


def _mentions(node: ast.AST, name: str) -> bool:
    return any(is_name(each, name) for each in everything_in(node))


def _together(node: ast.expr, earlier: str, later: str) -> ast.expr:
    """A product with all factors that move with ``earlier`` alone in front, where several do."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        return ast.BinOp(_together(node.left, earlier, later), ast.Div(), node.right)
    factors = _factors(node)
    mine = [each for each in factors if _mentions(each, earlier)]
    if len(mine) < 2 or any(_mentions(each, later) for each in mine):
        return node
    return _product([_product(mine), *(each for each in factors if each not in mine)])


def _factors(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return [*_factors(node.left), *_factors(node.right)]
    return [node]


def _product(factors: list[ast.expr]) -> ast.expr:
    made = factors[0]
    for each in factors[1:]:
        made = ast.BinOp(made, ast.Mult(), each)
    return made


def _inlined(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements of a step without names that are given elements first."""
    *first, last = body
    held: dict[str, ast.expr] = {}
    for statement in first:
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        if not isinstance(target, ast.Name) or not isinstance(statement, ast.Assign):
            return body
        if len(statement.targets) > 1 or target.id in held:
            return body
        if not isinstance(statement.value, ast.Subscript):
            return body
        held[target.id] = statement.value
    made = last
    for name, value in reversed(held.items()):
        made = swap(made, {name: value})  # type: ignore[assignment]
    return [made]


@dataclass(frozen=True)
class _Linear:
    """Looks for the part of a term that moves with ``earlier`` alone, of which it is linear."""

    module: Module
    earlier: str
    later: str

    def part(self, node: ast.expr) -> tuple[ast.expr, bool] | None:
        """The part, and whether what it is in is added up."""
        if not _mentions(node, self.earlier):
            return None
        if not _mentions(node, self.later):
            return node, False
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return self.part(node.operand)
        if isinstance(node, ast.BinOp):
            return self._binary(node)
        if isinstance(node, ast.Call):
            return self._called(node)
        return None

    def _binary(self, node: ast.BinOp) -> tuple[ast.expr, bool] | None:
        if isinstance(node.op, (ast.Mult, ast.MatMult)):
            return self._one_of([node.left, node.right], isinstance(node.op, ast.MatMult))
        if isinstance(node.op, ast.Div) and not _mentions(node.right, self.earlier):
            return self.part(node.left)
        return None

    def _called(self, node: ast.Call) -> tuple[ast.expr, bool] | None:
        path, function = path_of(self.module, node.func), node.func
        given = list(node.args)
        if any(_mentions(word.value, self.earlier) for word in node.keywords):
            return None
        if path is None and isinstance(function, ast.Attribute) and function.attr in _METHODS:
            given.insert(0, function.value)
            name = function.attr
        elif path in _LINEAR:
            name = path.rpartition(".")[2]
        else:
            return None
        return self._one_of(given, name not in ("multiply", "mul"))

    def _one_of(self, given: list[ast.expr], reduced: bool) -> tuple[ast.expr, bool] | None:
        moving = [each for each in given if _mentions(each, self.earlier)]
        found = self.part(moving[0]) if len(moving) == 1 else None
        return None if found is None else (found[0], found[1] or reduced)


class _Put(ast.NodeTransformer):
    """Puts an expression in the place of another."""

    def __init__(self, old: ast.expr, new: ast.expr) -> None:
        self._old, self._new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.expr) and same(node, self._old):
            return deepcopy(self._new)
        return self.generic_visit(node)
