"""Variances written by hand: the mean of squared deviations, or the mean square less the squared
mean, over any axes of an array.

Where the text has the form, the value is compared in normal form with the variance of the array
over the axes that the text names, with the divisor n or n - 1.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from auditor.arrays.reached import operations
from auditor.expressions.region import ExpressionRegion
from auditor.expressions.suppositions import made_of
from auditor.lift.objects import Sequence
from auditor.moments.standardised import Moments, factors, named_expression, operation, root
from auditor.notation import Value
from auditor.syntax import constant, is_name, path_of
from auditor.tree import everything_in

_OF_FLOATS = ("var", "std", "var_mean", "std_mean")
"""Functions of torch that whole numbers do not have."""

_WORDS = {"axis": "dim", "keepdims": "keepdim", "ddof": "correction"}
"""What NumPy calls the arguments of torch."""

_MOST = 8
"""How many parts of an expression are looked at."""


@dataclass(frozen=True)
class Reduced:
    """``x.mean(dim, keepdim)`` or ``x.sum(...)``: what is reduced, over which axes (None: all), and
    how the code says these where they have a name."""

    operand: ast.expr
    way: str
    axes: ast.expr | None
    keepdim: bool
    named: ast.expr | None = None


@dataclass(frozen=True)
class Variance:
    """The variance of ``x``; ``subtracts`` says that squares are subtracted, ``called`` that it is
    the library's own operation, ``root`` that this is its standard deviation, ``listed`` that it is
    of what a generator walks, ``whole`` that ``x`` may be of whole numbers, of which torch takes no
    mean."""

    x: Value
    reduced: Reduced
    correction: int
    subtracts: bool
    called: bool = False
    root: bool = False
    listed: bool = False
    whole: bool = False


def variance(region: ExpressionRegion) -> Variance | None:
    """What ``region.node`` is the variance of, or None."""
    value = region.values.get(region.node)
    if not isinstance(value, Value) or value.body is None:
        return None
    made = _called(region, region.node)
    if made is not None:
        return made
    if "fold sum" not in operations(region.lifted, value):
        return None
    listed = _listed(region, region.node)
    found = _candidates(region, region.node) if listed is None else (listed,)
    for reduced, x in found:
        axes = axes_of(x, reduced)
        if axes is None:
            continue
        forms = Moments(region, x, axes, reduced.keepdim)
        for correction in (0, 1):
            if forms.is_variance(value, correction):
                subtracts, whole = not forms.nested(value), may_be_whole(region, x)
                return Variance(
                    x, reduced, correction, subtracts, listed=listed is not None, whole=whole
                )
    return None


def may_be_whole(region: ExpressionRegion, x: Value) -> bool:
    """Whether nothing that the expression computes says that ``x`` is not of whole numbers."""
    if x.dtype is not None:
        return x.dtype.startswith(("int", "uint", "bool"))
    waiting, seen = [region.node], set[ast.expr]()
    while waiting:
        made = named_expression(region, waiting.pop())
        if isinstance(made, ast.Name):  # one of several that a call gives
            made = next(_unpacked(region, made), made)
        for node in everything_in(made):
            if isinstance(node, ast.Name) and node not in seen:
                seen.add(node)
                waiting.append(node)
            if not isinstance(node, ast.Call):
                continue
            if isinstance(node.func, ast.Attribute) and node.func.attr in _OF_FLOATS:
                if any(region.values.get(part) is x for part in (node.func.value, *node.args[:1])):
                    return False
            reduced = reduced_by(region, node)
            if reduced is None or reduced.way != "mean":
                continue
            squared = _squared(region, named_expression(region, reduced.operand))
            parts = [reduced.operand] if squared is None else [reduced.operand, squared]
            if any(region.values.get(part) is x for part in parts):
                return False
    return not _averaged_in_a_call(region, x)


def _averaged_in_a_call(region: ExpressionRegion, x: Value) -> bool:
    """Whether what the expression is made of holds a mean of ``x`` that another function of the
    file took."""
    own, whole = region.lifted.lifter.values, region.values.get(region.node)
    if not isinstance(whole, Value):
        return False
    made = [*made_of(whole)]
    return any(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("mean", *_OF_FLOATS)
        and own.get(node.func.value) is x
        and any(value is one for one in made)
        for node, value in own.items()
    )


def _unpacked(region: ExpressionRegion, name: ast.Name) -> Iterator[ast.expr]:
    """What ``a, b = ...`` takes a name from."""
    for node in region.nodes:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
            if any(is_name(part, name.id) for part in node.targets[0].elts):
                yield node.value


def _listed(region: ExpressionRegion, node: ast.expr) -> tuple[Reduced, Value] | None:
    """What ``sum((x - mean) ** 2 for x in data) / n`` may be the variance of."""
    total = named_expression(region, node.left) if isinstance(node, ast.BinOp) else node
    if not (isinstance(total, ast.Call) and is_name(total.func, "sum") and len(total.args) == 1):
        return None
    walk = total.args[0]
    if not isinstance(walk, (ast.GeneratorExp, ast.ListComp)) or len(walk.generators) != 1:
        return None
    source, squared = walk.generators[0].iter, _squared(region, walk.elt)
    value = region.values.get(source)
    if squared is None or not isinstance(value, Value) or not value.axes:
        return None
    return Reduced(source, "sum", ast.Constant(0), False), value


def _called(region: ExpressionRegion, node: ast.expr) -> Variance | None:
    """``x.var(dim, unbiased=False)``, ``torch.std(x, dim, correction=0)``, ``np.var(x, 0)``."""
    if not isinstance(node, ast.Call):
        return None
    arguments, path = list(node.args), path_of(region.module, node.func)
    if path in ("torch.var", "torch.std", "numpy.var", "numpy.std") and arguments:
        way, operand = path.rpartition(".")[2], arguments.pop(0)
    elif isinstance(node.func, ast.Attribute) and node.func.attr in ("var", "std") and path is None:
        way, operand = node.func.attr, node.func.value
    else:
        return None
    keywords = {_WORDS.get(k.arg or "", k.arg): k.value for k in node.keywords}
    axes = keywords.pop("dim", None) or (arguments.pop(0) if arguments else None)
    unbiased = constant(keywords.pop("unbiased")) if "unbiased" in keywords else ...
    of_numpy = region.module.library == "numpy" or (path or "").startswith("numpy.")
    usual = int(not of_numpy)
    correction = constant(keywords.pop("correction")) if "correction" in keywords else usual
    keepdim = constant(keywords.pop("keepdim")) if "keepdim" in keywords else False
    if isinstance(unbiased, bool):
        correction = int(unbiased)
    x = array_at(region, operand)
    if arguments or keywords or isinstance(constant(axes), bool):
        return None
    if x is None or correction not in (0, 1) or not isinstance(keepdim, bool):
        return None
    assert isinstance(correction, int)
    reduced = Reduced(operand, way, axes, keepdim)
    return Variance(x, reduced, correction, False, called=True, root=way == "std")


def array_at(region: ExpressionRegion, node: ast.expr) -> Value | None:
    """The array that an expression gives, with notation or taken as it is."""
    made = region.stands_for(node) if node in region.values else None
    return made if isinstance(made, Value) else None


def _candidates(region: ExpressionRegion, node: ast.expr) -> Iterator[tuple[Reduced, Value]]:
    """The reductions of squares that a variance may be made of, and what of."""
    waiting, seen, less = [node], 0, False
    while waiting and seen < _MOST:
        made, seen = named_expression(region, waiting.pop()), seen + 1
        op, left, right = operation(region, made)
        if op in (ast.Div, ast.Sub, ast.Mult):
            less |= op is ast.Sub
            waiting += [left] if op is ast.Div else [right, left]
            continue
        reduced = reduced_by(region, made)
        squared = None
        if reduced is None and (reduced := _contracted(region, made)) is not None:
            squared = reduced.operand
        elif reduced is not None:
            squared = _squared(region, named_expression(region, reduced.operand))
        if reduced is None or squared is None:
            continue
        inner = named_expression(region, squared)
        sources = [squared]
        if isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Sub):
            # the mean of squared deviations
            sources = [inner.left, inner.right, *(sources if less else [])]
        for source in sources:
            value = region.values.get(source)
            if isinstance(value, Value) and value.axes:
                yield reduced, value


def reduced_by(region: ExpressionRegion, node: ast.expr) -> Reduced | None:
    """What ``x.mean(dim)`` and ``torch.sum(x, dim)`` reduce."""
    if not isinstance(node, ast.Call):
        return None
    arguments, path = list(node.args), path_of(region.module, node.func)
    if path in ("torch.mean", "torch.sum", "numpy.mean", "numpy.sum") and arguments:
        way, operand = path.rpartition(".")[2], arguments.pop(0)
    elif isinstance(node.func, ast.Attribute) and node.func.attr in ("mean", "sum"):
        way, operand = node.func.attr, node.func.value
        if path is not None:
            return None
    else:
        return None
    keywords = {k.arg: k.value for k in node.keywords}
    axes = keywords.pop("dim", None) or keywords.pop("axis", None)
    kept = [keywords.pop(word) for word in ("keepdim", "keepdims") if word in keywords]
    keepdim = constant(kept[0]) if kept else False
    if arguments and axes is None:
        axes = arguments.pop(0)
    if arguments:
        keepdim = constant(arguments.pop(0))
    if arguments or keywords or not isinstance(keepdim, bool):
        return None
    return Reduced(operand, way, _stated(region, axes), keepdim, axes)


def _stated(region: ExpressionRegion, axes: ast.expr | None) -> ast.expr | None:
    """The axes behind a name."""
    value = region.values.get(axes) if isinstance(axes, ast.Name) else None
    if not isinstance(value, Sequence):
        return axes
    made = [node for node in region.origins.get(value, []) if not isinstance(node, ast.Name)]
    return made[0] if made else axes


def _contracted(region: ExpressionRegion, node: ast.expr) -> Reduced | None:
    """``einsum("ij,ij->j", a, a)``, ``a @ a``, ``dot(a, a)``: a sum of squares of ``a``."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        given, pattern = [node.left, node.right], "i,i->"
    elif isinstance(node, ast.Call) and not node.keywords:
        name = (path_of(region.module, node.func) or "").rpartition(".")[2]
        given, pattern = list(node.args), "i,i->"
        if name == "einsum" and given:
            pattern = constant(given.pop(0))  # type: ignore[assignment]
        elif name not in ("dot", "vdot", "inner"):
            return None
    else:
        return None
    if len(given) != 2 or ast.dump(given[0]) != ast.dump(given[1]) or not isinstance(pattern, str):
        return None
    inputs, _, kept = pattern.replace(" ", "").partition("->")
    first, _, second = inputs.partition(",")
    left = [letter for letter in first if letter in kept]
    if first != second or not first.isalpha() or len(set(first)) < len(first) or left != [*kept]:
        return None
    axes = [ast.Constant(place) for place, letter in enumerate(first) if letter not in kept]
    if not axes:
        return None
    many = axes[0] if len(axes) == 1 else ast.Tuple([*axes], ast.Load())
    return Reduced(given[0], "sum", many, False)


def _squared(region: ExpressionRegion, node: ast.expr) -> ast.expr | None:
    """a of ``a ** 2``, ``a * a``, ``a.pow(2)``, ``torch.square(a)``."""
    if isinstance(node, ast.BinOp):
        if isinstance(node.op, ast.Pow) and constant(node.right) in (2, 2.0):
            return node.left
        if isinstance(node.op, ast.Mult) and ast.dump(node.left) == ast.dump(node.right):
            return node.left
        return None
    if not isinstance(node, ast.Call):
        return None
    arguments, path = list(node.args), path_of(region.module, node.func)
    if path in ("torch.square", "torch.pow", "numpy.square", "numpy.power") and arguments:
        name, operand = path.rpartition(".")[2].replace("power", "pow"), arguments.pop(0)
    elif isinstance(node.func, ast.Attribute) and path is None:
        name, operand = node.func.attr, node.func.value
    else:
        return None
    if name == "square" and not arguments:
        return operand
    return operand if name == "pow" and [constant(a) for a in arguments] in ([2], [2.0]) else None


def axes_of(x: Value, reduced: Reduced) -> tuple[int, ...] | None:
    """The reduced axes as places among those of ``x``; None where that depends on its rank."""
    groups = [place for place, axis in enumerate(x.axes) if axis.group]
    if reduced.axes is None:
        return tuple(range(len(x.axes))) if not reduced.keepdim else None
    many = reduced.axes.elts if isinstance(reduced.axes, (ast.Tuple, ast.List)) else [reduced.axes]
    found: list[int] = []
    for each in many:
        axis = constant(each)
        if not isinstance(axis, int) or isinstance(axis, bool):
            return None
        place = axis if axis >= 0 else len(x.axes) + axis
        if not 0 <= place < len(x.axes):
            return None
        if groups and (place >= groups[0] if axis >= 0 else place <= groups[0]):
            return None
        found.append(place)
    return tuple(sorted(set(found))) if len(set(found)) == len(found) else None


def scales(region: ExpressionRegion, found: Variance, value: Value) -> str | None:
    """How a variance is used to scale: "norm" for a product or quotient with the root of it and an
    epsilon, "other" for one with any other root of it, None where nothing is scaled."""
    answer = None
    for node in region.nodes:
        if not isinstance(node, ast.expr) or operation(region, node)[0] not in (ast.Mult, ast.Div):
            continue
        for factor, _ in factors(region, node, 1):
            made = named_expression(region, factor)
            op, _, divisor = operation(region, made)
            if op is ast.Div:
                made = named_expression(region, divisor)
            rest = next((inner for inner in everything_in(made) if isinstance(inner, ast.expr)
                         and _rooted(region, inner, value) is not None), None)  # fmt: skip
            if rest is None:
                continue
            inside = _rooted(region, rest, value)
            if rest is made and found.correction == 0 and inside:
                answer = answer or "norm"
            else:
                return "other"
    return answer


def divides(region: ExpressionRegion, value: Value) -> bool:
    """Whether anything is divided by a value as it is."""
    for node in region.nodes:
        if isinstance(node, ast.expr):
            op, _, divisor = operation(region, node)
            if op is ast.Div and region.values.get(_viewed(divisor)) is value:
                return True
    return False


def _viewed(node: ast.expr) -> ast.expr:
    """``a`` of ``a[None, :, None]``: all of it, with axes of one entry."""
    if not isinstance(node, ast.Subscript):
        return node
    items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    whole = ast.dump(ast.Slice())
    added = [isinstance(item, ast.Constant) and item.value in (None, ...) for item in items]
    every = [ast.dump(item) == whole for item in items]
    return node.value if all(map(max, added, every)) else node


def _rooted(region: ExpressionRegion, node: ast.expr, value: Value) -> bool | None:
    """Whether a root is of the variance, or of a view of it, and a number; None where it is no root
    of it at all."""
    taken = root(region, node)
    if taken is None or abs(taken[1]) != 0.5:
        if isinstance(node, ast.Name):
            made = named_expression(region, node)
            return None if made is node else _rooted(region, made, value)
        return None
    inside = named_expression(region, taken[0])
    op, left, right = operation(region, inside)
    parts = [left, right] if op is ast.Add else [inside]
    if any(region.values.get(_viewed(part)) is value for part in parts):
        return len(parts) == 2
    every = [n for part in parts for n in everything_in(part) if isinstance(n, ast.expr)]
    return False if any(region.values.get(n) is value for n in every) else None
