"""Values standardised by hand: (x - mean) / sqrt(var + eps), x / sqrt(mean of squares + eps).

The statistics are compared in normal form with those of ``x`` over its last axes, so that
``((x - m) ** 2).mean(-1)``, ``x.var(-1, unbiased=False)`` and ``(x * x).mean(-1) - m * m`` are one.
What a normal form does not see is looked at as well: a cast or a detach between x and its
statistics makes another function of it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from auditor.algebra.normal import Normaliser
from auditor.expressions.region import ExpressionRegion
from auditor.notation import ONE, Apply, Const, Index, Read, Reduce, Symbol, Term, Value
from auditor.syntax import constant, path_of

Body = Callable[[tuple[Term, ...]], Term]
"""A term in terms of subscripts."""

_EXACT = frozenset(("add", "sub", "mul", "div", "pow", "square", "neg", "floordiv"))
_ROOTS = {"sqrt": 0.5, "rsqrt": -0.5}
_POWERS = ("pow", "power", "float_power")
_OPERATIONS: dict[str, type[ast.operator]] = {
    "mul": ast.Mult, "multiply": ast.Mult, "div": ast.Div, "divide": ast.Div,
    "true_divide": ast.Div, "add": ast.Add, "sub": ast.Sub, "subtract": ast.Sub,
}  # fmt: skip


@dataclass(frozen=True)
class Standardised:
    """``kind`` of x over its last ``count`` axes. ``rest`` are the other factors of the product, as
    (expression, power 1 or -1); ``subtracts`` says that the variance is the mean square less the
    squared mean, ``statistics`` are the values that are not needed any more, ``bare`` that the
    library's own standard deviation divides, with no epsilon."""

    kind: str
    x: Value
    count: int
    eps: ast.expr | None
    rest: tuple[tuple[ast.expr, int], ...]
    subtracts: bool
    statistics: tuple[Value, ...]
    bare: bool = False


def standardised(region: ExpressionRegion) -> Standardised | None:
    """What the product or quotient ``region.node`` standardises, or None."""
    parts = list(factors(region, region.node, 1))
    for place, (node, power) in enumerate(parts):
        scale = _scale(region, node, power)
        if scale is None:
            continue
        spread, eps, made = scale
        for other, (numerator, sign) in enumerate(parts):
            if other == place or sign != 1:
                continue
            found = _about(region, numerator, spread)
            if found is None:
                continue
            kind, x, count, subtracts, mean = found
            rest = tuple(f for p, f in enumerate(parts) if p not in (place, other))
            bare = kind == "layer" and deviation(region, node) is not None
            return Standardised(kind, x, count, eps, rest, subtracts, (*made, *mean), bare)
    return None


def factors(region: ExpressionRegion, node: ast.expr, power: int) -> Iterator[tuple[ast.expr, int]]:
    """The factors of a product, each with the power 1 or -1."""
    op, left, right = operation(region, node)
    if op in (ast.Mult, ast.Div):
        yield from factors(region, left, power)
        yield from factors(region, right, power if op is ast.Mult else -power)
    else:
        yield node, power


def operation(
    region: ExpressionRegion, node: ast.expr
) -> tuple[type[ast.operator] | None, ast.expr, ast.expr]:
    """(operator, a, b) of ``a * b``, ``a.mul(b)`` and ``torch.mul(a, b)``; no operator where a node
    is none of these."""
    if isinstance(node, ast.BinOp):
        return type(node.op), node.left, node.right
    name, args = _called(region, node)
    if name in _OPERATIONS and len(args) == 2:
        return _OPERATIONS[name], args[0], args[1]
    return None, node, node


def _called(region: ExpressionRegion, node: ast.expr) -> tuple[str, list[ast.expr]]:
    """What a function of torch or NumPy, or a method, is called and given; else no name."""
    if not isinstance(node, ast.Call) or node.keywords:
        return "", []
    path, args = path_of(region.module, node.func), list(node.args)
    if any(isinstance(arg, ast.Starred) for arg in args):
        return "", []
    library, _, function = (path or "").partition(".")
    if library in ("torch", "numpy"):
        return function, args
    if isinstance(node.func, ast.Attribute):
        return node.func.attr, [node.func.value, *args]
    return "", []


def named_expression(region: ExpressionRegion, node: ast.expr) -> ast.expr:
    """The expression behind a name."""
    value = region.values.get(node)
    if isinstance(node, ast.Name) and isinstance(value, Value):
        return region.origin(value) or node
    return node


def _scale(
    region: ExpressionRegion, node: ast.expr, power: float
) -> tuple[Value, ast.expr | None, tuple[Value, ...]] | None:
    """(v, eps) where the factor is 1 / sqrt(v + eps), and the values that make it."""
    values = [v for v in [region.values.get(node)] if isinstance(v, Value)]
    node = named_expression(region, node)
    flat = _before_last_axis(region, node)
    if flat is not None:
        below = _scale(region, flat, power)
        if below is None:
            return None
        spread_of, eps, made = below
        column = replace(spread_of, axes=(*spread_of.axes, Index("one", ONE)))
        return column, eps, (*values, *made)
    op, left, right = operation(region, node)
    if op is ast.Div:
        if constant(left) in (1, 1.0):
            inner = _scale(region, right, -power)
            return None if inner is None else (inner[0], inner[1], (*values, *inner[2]))
        return None
    deviates = deviation(region, node)
    if deviates is not None:
        return (deviates, None, tuple(values)) if power == -1 else None
    found = root(region, node)
    if found is None or found[1] * power != -0.5:
        return None
    inside = named_expression(region, found[0])
    eps = None
    spread: ast.expr = found[0]
    flat = _before_last_axis(region, inside)
    if flat is not None:
        spread, inside = flat, named_expression(region, flat)
    op, left, right = operation(region, inside)
    if op is ast.Add:
        for first, second in ((left, right), (right, left)):
            if _number(region, second):
                spread, eps = first, second
                break
    value = region.values.get(spread)
    if not isinstance(value, Value) or not value.axes:
        return None
    values += [v for v in [region.values.get(found[0])] if isinstance(v, Value)]
    if flat is not None:
        values += [v for v in [region.values.get(flat)] if isinstance(v, Value)]
        return replace(value, axes=(*value.axes, Index("one", ONE))), eps, (*values, value)
    return value, eps, (*values, value)


def _before_last_axis(region: ExpressionRegion, node: ast.expr) -> ast.expr | None:
    """``a`` of ``a.unsqueeze(-1)``, ``a[..., None]``, and ``a[:, None]`` where it has one axis."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple):
        *before, last = node.slice.elts
        if constant(last) is not None and path_of(region.module, last) != "numpy.newaxis":
            return None
        if [constant(item) for item in before if isinstance(item, ast.Constant)] == [...]:
            return node.value if len(before) == 1 else None
        value = region.values.get(node.value)
        if not isinstance(value, Value) or any(axis.group for axis in value.axes):
            return None
        if any(ast.unparse(item) != ":" for item in before):
            return None
        return node.value if len(value.axes) == len(before) else None
    name, args = _called(region, node)
    return args[0] if name == "unsqueeze" and [constant(a) for a in args[1:]] == [-1] else None


def deviation(region: ExpressionRegion, node: ast.expr) -> Value | None:
    """The variance under a standard deviation that the library computes: ``x.std(-1)`` and what
    ``torch.std_mean`` gives."""
    value, made = region.values.get(node), named_expression(region, node)
    if not isinstance(value, Value) or not value.axes or root(region, made) is not None:
        return None
    body = value.body
    if not isinstance(made, (ast.Call, ast.Name)) or not isinstance(body, Apply):
        return None
    return replace(value, body=body.args[0]) if body.op == "sqrt" else None


def root(region: ExpressionRegion, node: ast.expr) -> tuple[ast.expr, float] | None:
    """(a, p) of a square root or a power of ``a``."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        power = constant(node.right)
        return (node.left, float(power)) if isinstance(power, (int, float)) else None
    name, args = _called(region, node)
    if name in _ROOTS and len(args) == 1:
        return args[0], _ROOTS[name]
    if name in _POWERS and len(args) == 2:
        power = constant(args[1])
        return (args[0], float(power)) if isinstance(power, (int, float)) else None
    return None


def _number(region: ExpressionRegion, node: ast.expr) -> bool:
    if isinstance(constant(node), (int, float)):
        return True
    value = region.values.get(node)
    return isinstance(value, Value) and not value.axes and value.library == "python"


def _about(
    region: ExpressionRegion, node: ast.expr, spread: Value
) -> tuple[str, Value, int, bool, tuple[Value, ...]] | None:
    """Of what ``spread`` is the variance or mean square, where ``node`` is that (centred or not):
    (kind, x, how many last axes, whether squares are subtracted, the values to drop)."""
    whole = region.values.get(node)
    if not isinstance(whole, Value):
        return None
    count = _reduced(spread)
    if count == 0:
        return None
    inside = named_expression(region, node)
    op, left, right = operation(region, inside)
    if op is ast.Sub:
        x, mean = region.values.get(left), region.values.get(right)
        if isinstance(x, Value) and isinstance(mean, Value) and _reduced(mean) == count:
            forms = Moments(region, x, _last(x, count))
            if forms.is_mean(mean) and forms.is_variance(spread):
                return "layer", x, count, not forms.nested(spread), (whole, mean)
    forms = Moments(region, whole, _last(whole, count))
    if forms.is_square(spread):
        return "rms", whole, count, False, ()
    return None


def _reduced(value: Value) -> int:
    """How many last axes are kept with one entry."""
    count = 0
    for axis in reversed(value.axes):
        if axis.group or axis.extent is not ONE:
            break
        count += 1
    return count


def _last(x: Value, count: int) -> tuple[int, ...]:
    """The last axes, as places."""
    return tuple(range(len(x.axes)))[-count:]


class Moments:
    """The moments of a value over ``axes``, to compare with."""

    def __init__(
        self, region: ExpressionRegion, x: Value, axes: tuple[int, ...], keepdim: bool = True
    ) -> None:
        self.facts = region.lifted.facts
        self.x, self.axes, self.keepdim = x, axes, keepdim
        self.normaliser = Normaliser()

    def is_mean(self, value: Value) -> bool:
        return self._same(value, lambda subs: self._mean(subs, self._element))

    def is_square(self, value: Value) -> bool:
        def square(subs: tuple[Term, ...]) -> Term:
            return self._mean(subs, lambda at: Apply("square", (self._element(at),)))

        return self._same(value, square)

    def is_variance(self, value: Value, correction: int = 0) -> bool:
        """Whether ``value`` is the sum of squared deviations by the count less ``correction``."""

        def variance(subs: tuple[Term, ...]) -> Term:
            mean = self._mean(subs, self._element)
            return self._mean(
                subs, lambda at: Apply("square", (Apply("sub", (self._element(at), mean)),)),
                correction,
            )  # fmt: skip

        return self._same(value, variance)

    def nested(self, value: Value) -> bool:
        """Whether deviations from the mean are summed, rather than squares."""
        return any(
            isinstance(inner, Reduce)
            for node in self._walk(value) if isinstance(node, Reduce)
            for inner in self._below(node.body)
        )  # fmt: skip

    def _element(self, subs: tuple[Term, ...]) -> Term:
        return Read(self.x, subs)

    def _mean(self, outer: tuple[Term, ...], body: Body, correction: int = 0) -> Term:
        """``outer`` are the subscripts of the axes that are not reduced."""
        axes = [(p, self.x.axes[p]) for p in self.axes]
        bound = {p: Index(a.name, self.facts.extent(a.extent), a.group) for p, a in axes}
        rest = iter(outer)
        term = body(tuple(bound[p] if p in bound else next(rest) for p in range(len(self.x.axes))))
        count: Term = ONE
        for index in reversed(bound.values()):
            term = Reduce("sum", index, term)
            count = index.extent if count is ONE else Apply("mul", (count, index.extent))
        if correction:
            count = Apply("sub", (count, Const(correction)))
        return Apply("div", (term, count))

    def _same(self, value: Value, reference: Body) -> bool:
        x, axes = self.x, self.axes
        if value.body is None or not axes or not self._plain(value):
            return False
        if len(value.axes) != len(x.axes) - (0 if self.keepdim else len(axes)):
            return False
        if any(x.axes[p].group for p in axes) and len(axes) < len(x.axes):
            return False
        outer = value.axes
        if self.keepdim:
            if any(value.axes[p].extent is not ONE for p in axes):
                return False
            outer = tuple(axis for p, axis in enumerate(value.axes) if p not in axes)
        kept = [axis for p, axis in enumerate(x.axes) if p not in axes]
        if any(mine.group != theirs.group for mine, theirs in zip(outer, kept, strict=True)):
            return False
        return self.normaliser.normal(value.body) == self.normaliser.normal(reference(outer))

    def _plain(self, value: Value) -> bool:
        """Whether only arithmetic lies between x and ``value``."""
        for node in self._walk(value):
            if isinstance(node, Apply) and node.op not in _EXACT:
                return False
            if isinstance(node, Reduce) and node.op != "sum":
                return False
            if isinstance(node, Read) and node.value is not self.x and node.value.axes:
                if node.value.body is None or node.value.dtype not in (None, self.x.dtype):
                    return False
            if not isinstance(node, (Apply, Reduce, Read, Const, Index, Symbol)):
                return False
        return True

    def _walk(self, value: Value) -> Iterator[Term]:
        return self._below(value.body) if value.body is not None else iter(())

    def _below(self, term: Term) -> Iterator[Term]:
        """Subterms through definitions, down to reads of x."""
        stack, seen = [term], set[Term]()
        while stack:
            node = stack.pop()
            if node in seen:
                continue
            seen.add(node)
            yield node
            if isinstance(node, Apply):
                stack.extend(node.args)
            elif isinstance(node, Reduce):
                stack.append(node.body)
            elif isinstance(node, Read) and node.value is not self.x:
                if node.value.body is not None:
                    stack.append(node.value.body)
