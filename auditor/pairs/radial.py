"""What a pair of particles does to each other, as a mass times a function of the squared distance
times the way between them.

The body of a loop over pairs is run once on abstract values: the difference of two elements of one
array (a ``Way``), its products with itself, and functions of its square (``Radial``) in the names
that the body does not bind. What is anything else (a place, another element, a comparison) has no
value here, and the pair is not radial.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from auditor.lift.module import Module
from auditor.pairs.loops import Pairs
from auditor.syntax import constant, path_of

_SUM, _PRODUCT, _POWER, _ATOM = range(4)


class NotRadial(Exception):
    """The pair is no such product."""


@dataclass(frozen=True)
class Radial:
    """A function of the squared distance: as ``text`` in the name ``square`` (``level`` says how
    tightly it binds; ``power`` is a base and its exponent) and as ``at`` for numbers, with each
    free name taken for 0.1. ``rows`` and ``columns`` are arrays of which an element is a factor."""

    text: str
    at: Callable[[float], float]
    level: int = _ATOM
    power: tuple[str, float] | None = None
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()

    def inside(self, level: int) -> str:
        return self.text if self.level >= level else f"({self.text})"


@dataclass(frozen=True)
class Way:
    """``factor`` times the difference of two elements of ``array``, the column's less the row's;
    ``squared`` where that is multiplied with itself, component by component."""

    array: str
    factor: Radial
    squared: bool = False


@dataclass
class _Pair:
    """The values of a pair's own names, and what it reads."""

    module: Module
    pairs: Pairs
    known: dict[str, Radial | Way] = field(default_factory=dict)


@dataclass(frozen=True)
class _Element:
    """An element of an array, at the row's place or the column's."""

    array: str
    side: str


_ONE = Radial("1", lambda _: 1.0)
_SQUARE = Radial("square", lambda s: s)


def radial(module: Module, pairs: Pairs, value: ast.expr) -> Way:
    """The way that ``value`` is, given the statements before it. Raises ``NotRadial``."""
    pair = _Pair(module, pairs)
    for statement in pairs.statements:
        if isinstance(statement, ast.AugAssign):
            if not isinstance(statement.target, ast.Name):
                raise NotRadial
            name = ast.copy_location(ast.Name(statement.target.id, ast.Load()), statement)
            whole = ast.BinOp(name, statement.op, statement.value)
            pair.known[statement.target.id] = _value(pair, ast.copy_location(whole, statement))
            continue
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        found = _value(pair, statement.value) if statement.value is not None else None
        for target in targets:
            if found is None or not isinstance(target, ast.Name):
                raise NotRadial
            pair.known[target.id] = found
    way = _value(pair, value)
    if not isinstance(way, Way) or way.squared:
        raise NotRadial
    return way


def decays(factor: Radial) -> bool:
    """Whether the pull gets weaker with the distance: to a tenth of what it is at 1 at 100."""
    try:
        near, far = abs(factor.at(1.0)), abs(factor.at(1e4)) * 1e2
    except (ArithmeticError, ValueError):
        return False
    return near > 0 and far < near / 10


def _value(pair: _Pair, node: ast.expr) -> Radial | Way:
    found = _any(pair, node)
    if isinstance(found, _Element):
        side = {"rows": found.array} if found.side == "rows" else {}
        columns = () if side else (found.array,)
        return replace(_ONE, rows=tuple(side.values()), columns=columns)
    return found


def _any(pair: _Pair, node: ast.expr) -> Radial | Way | _Element:
    number = constant(node)
    if isinstance(number, (int, float)) and not isinstance(number, bool):
        return Radial(repr(number), lambda _: float(number))
    if isinstance(node, ast.Name) and node.id in pair.known:
        return pair.known[node.id]
    element = _element(pair, node)
    if element is not None:
        return element
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return _negated(_value(pair, node.operand))
    if isinstance(node, ast.BinOp):
        return _operation(pair, node)
    if isinstance(node, ast.Call):
        return _call(pair, node)
    if isinstance(node, (ast.Name, ast.Attribute)) and path_of(pair.module, node) is None:
        text = ast.unparse(node)
        own = {pair.pairs.row, pair.pairs.column, *pair.pairs.rows, *pair.pairs.columns}
        if text not in own and text.replace(".", "").isidentifier():
            return Radial(text, lambda _: 0.1)
    raise NotRadial


def _element(pair: _Pair, node: ast.expr) -> _Element | None:
    pairs = pair.pairs
    if isinstance(node, ast.Name):
        for side, arrays in (("rows", pairs.rows), ("columns", pairs.columns)):
            for array, name in arrays.items():
                if name == node.id:
                    return _Element(array, side)
    if not isinstance(node, ast.Subscript):
        return None
    at = node.slice
    if isinstance(at, ast.Tuple) and len(at.elts) == 2 and ast.unparse(at.elts[1]) == ":":
        at = at.elts[0]
    array = ast.unparse(node.value)
    if isinstance(at, ast.Name) and at.id == pairs.row and array in pairs.rows:
        return _Element(array, "rows")
    if isinstance(at, ast.Name) and at.id == pairs.column and array in pairs.columns:
        return _Element(array, "columns")
    return None


def _negated(value: Radial | Way) -> Radial | Way:
    if isinstance(value, Way):
        factor = _negated(value.factor)
        assert isinstance(factor, Radial)
        return replace(value, factor=factor)
    at = value.at
    if value.text.startswith("-") and value.level == _PRODUCT:
        return replace(value, text=value.text[1:], at=lambda s: -at(s), power=None)
    return replace(value, text=f"-{value.inside(_PRODUCT)}", at=lambda s: -at(s),
                   level=_PRODUCT, power=None)  # fmt: skip


def _unsigned(value: Radial) -> Radial:
    positive = _negated(value)
    assert isinstance(positive, Radial)
    return positive


def _operation(pair: _Pair, node: ast.BinOp) -> Radial | Way:
    if isinstance(node.op, ast.Sub):
        left, right = _any(pair, node.left), _any(pair, node.right)
        if isinstance(left, _Element) and isinstance(right, _Element):
            return _difference(left, right)
    left, right = _value(pair, node.left), _value(pair, node.right)
    op = type(node.op)
    if op is ast.MatMult:
        return _dot(left, right)
    if op is ast.Pow:
        return _power(left, right)
    if isinstance(left, Way) or isinstance(right, Way):
        return _with_way(op, left, right)
    if op in (ast.Mult, ast.Div):
        return _product(left, right, op is ast.Div)
    if op in (ast.Add, ast.Sub):
        return _sum(left, right, op is ast.Sub)
    raise NotRadial


def _difference(left: _Element, right: _Element) -> Way:
    if left.array != right.array or left.side == right.side:
        raise NotRadial
    way = Way(left.array, _ONE)
    if left.side == "columns":
        return way
    turned = _negated(way)
    assert isinstance(turned, Way)
    return turned


def _with_way(op: type[ast.operator], left: Radial | Way, right: Radial | Way) -> Way:
    if isinstance(left, Way) and isinstance(right, Way):
        if op is not ast.Mult or left.array != right.array or left.squared or right.squared:
            raise NotRadial
        one, other = left.factor, right.factor
        if one.text == other.text and one.text.startswith("-"):
            one = other = _unsigned(one)
        return Way(left.array, _product(one, other, False), True)
    if isinstance(left, Way) and isinstance(right, Radial) and op in (ast.Mult, ast.Div):
        return replace(left, factor=_product(left.factor, right, op is ast.Div))
    if isinstance(right, Way) and isinstance(left, Radial) and op is ast.Mult:
        return replace(right, factor=_product(left, right.factor, False))
    raise NotRadial


def _product(left: Radial, right: Radial, divided: bool) -> Radial:
    if divided and (right.rows or right.columns):
        raise NotRadial
    rows, columns = left.rows + right.rows, left.columns + right.columns
    a, b = left.at, right.at
    if right.text == "1":
        return replace(left, rows=rows, columns=columns)
    if left.text == "1" and not divided:
        return replace(right, rows=rows, columns=columns)
    if divided:
        text = f"{left.inside(_PRODUCT)} / {right.inside(_POWER)}"
        return Radial(text, lambda s: a(s) / b(s), _PRODUCT, None, rows, columns)
    text = f"{left.inside(_PRODUCT)} * {right.inside(_POWER)}"
    if " / " in right.text and right.level == _PRODUCT and not left.text.startswith("-"):
        text = f"{left.inside(_PRODUCT)} * ({right.text})"
    return Radial(text, lambda s: a(s) * b(s), _PRODUCT, None, rows, columns)


def _sum(left: Radial, right: Radial, minus: bool) -> Radial:
    if left.rows or left.columns or right.rows or right.columns:
        raise NotRadial
    a, b = left.at, right.at
    text = f"{left.text} {'-' if minus else '+'} {right.inside(_PRODUCT)}"
    return Radial(text, lambda s: a(s) - b(s) if minus else a(s) + b(s), _SUM)


def _power(base: Radial | Way, exponent: Radial | Way) -> Radial | Way:
    if not isinstance(exponent, Radial) or exponent.rows or exponent.columns:
        raise NotRadial
    try:
        number = float(exponent.text)
    except ValueError:
        raise NotRadial from None
    if isinstance(base, Way):
        if number != 2:
            raise NotRadial
        return _with_way(ast.Mult, base, base)
    return _raised(base, number)


def _raised(base: Radial, number: float) -> Radial:
    if base.rows or base.columns:
        raise NotRadial
    inner, before = base.power or (base.inside(_ATOM), 1.0)
    if inner != "square" and before == int(before) and number != int(number):
        inner, before = base.inside(_ATOM), 1.0  # the root of a square may have lost a sign
    whole, at = before * number, base.at
    shown = repr(int(whole)) if whole == int(whole) else repr(whole)
    mark = "**" if inner.replace(".", "").isidentifier() else " ** "
    text = inner if whole == 1 else f"{inner}{mark}{shown}"
    level = _ATOM if whole == 1 else _POWER
    return Radial(text, lambda s: math.pow(at(s), number), level, (inner, whole))


def _dot(left: Radial | Way, right: Radial | Way) -> Radial:
    """The product of two ways, summed over the components."""
    if not isinstance(left, Way) or not isinstance(right, Way):
        raise NotRadial
    return _summed(_with_way(ast.Mult, left, right))


def _summed(way: Radial | Way) -> Radial:
    if not isinstance(way, Way) or not way.squared or way.factor.text.startswith("-"):
        raise NotRadial
    return _product(way.factor, _SQUARE, False)


_ROOTS = frozenset(("sqrt", "rsqrt"))
_NORMS = frozenset(("norm", "linalg.norm", "linalg.vector_norm"))
_DOTS = frozenset(("dot", "inner", "vdot"))


def _call(pair: _Pair, node: ast.Call) -> Radial | Way:
    if any(each.arg not in ("axis", "dim") or constant(each.value) not in (0, -1)
           for each in node.keywords):  # fmt: skip
        raise NotRadial
    path = path_of(pair.module, node.func)
    if path is not None:
        library, _, name = path.partition(".")
        given = node.args
        if library not in ("numpy", "torch", "math"):
            raise NotRadial
    elif isinstance(node.func, ast.Attribute):
        name, given = node.func.attr, [node.func.value, *node.args]
    elif isinstance(node.func, ast.Name) and node.func.id == "sum":
        name, given = "sum", node.args
    else:
        raise NotRadial
    values = [_value(pair, each) for each in given]
    first = values[0] if values else None
    if len(values) == 1 and name == "sum" and first is not None:
        return _summed(first)
    if len(values) == 1 and name in _NORMS and isinstance(first, Way):
        return _raised(_dot(first, first), 0.5)
    if len(values) == 1 and isinstance(first, Radial):
        if name in _ROOTS:
            return _raised(first, -0.5 if name == "rsqrt" else 0.5)
        if name == "exp" and not (first.rows or first.columns):
            at = first.at
            return Radial(f"({first.text}).exp()", lambda s: math.exp(at(s)))
        if name == "square":
            return _raised(first, 2.0)
    if len(values) == 1 and name == "square" and isinstance(first, Way):
        return _with_way(ast.Mult, first, first)
    if len(values) == 2 and name in _DOTS:
        return _dot(values[0], values[1])
    if len(values) == 2 and name in ("pow", "power"):
        return _power(values[0], values[1])
    raise NotRadial
