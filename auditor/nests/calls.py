"""Calls in the body of a nest as terms: functions and methods of the libraries, Python's own."""

from __future__ import annotations

import ast
import re
from functools import partial, reduce
from typing import TYPE_CHECKING

from auditor.lift import extents
from auditor.nests import choices, clipping, columns, conditions, counting, listings, named_sums
from auditor.nests.applied import MATRICES, NAMES, applied
from auditor.nests.integers import NoNest, Unmeasured
from auditor.nests.parts import Part, Scope, indices, integers_of
from auditor.notation import (
    ONE,
    ZERO,
    Apply,
    Const,
    Index,
    Read,
    Reduce,
    Term,
    walk,
)
from auditor.syntax import constant, is_name, path_of

if TYPE_CHECKING:
    from auditor.nests.expressions import Expressions

_POINTWISE = {
    "exp": "exp", "log": "log", "sqrt": "sqrt", "sin": "sin", "cos": "cos", "tanh": "tanh",
    "abs": "abs", "absolute": "abs", "square": "square", "sigmoid": "sigmoid", "relu": "relu",
    "log1p": "log1p", "expm1": "expm1", "sign": "sign",
}  # fmt: skip
_EXTREMA = {"max": "max", "amax": "max", "min": "min", "amin": "min"}
_OPERATORS: dict[str, type[ast.operator]] = {
    "add": ast.Add, "sub": ast.Sub, "subtract": ast.Sub, "mul": ast.Mult, "multiply": ast.Mult,
    "div": ast.Div, "divide": ast.Div, "true_divide": ast.Div, "pow": ast.Pow, "power": ast.Pow,
}  # fmt: skip
_PAIRS = {"maximum": "max", "minimum": "min"}
_PRODUCTS = frozenset("dot matmul mv mm".split())
_NORMS = frozenset("norm vector_norm".split())
_HOMES = re.compile(
    rf"^(numpy|torch)\.(?:nn\.functional|linalg(?=\.(?:norm|vector_norm|{'|'.join(MATRICES)})$))\."
)
_WIDE = ("numpy.int64", "numpy.int_", "numpy.intp", "torch.int64", "torch.long")
_OF_LISTS = frozenset("stack array asarray".split())


def call(reading: Expressions, node: ast.Call, scope: Scope, least: int, exactly: bool) -> Part:
    path = path_of(reading.region.module, node.func)
    if path is None and isinstance(node.func, ast.Attribute):
        given = [node.func.value, *node.args]
        return _function(reading, node.func.attr, node, given, scope, least, exactly)
    if path is None:
        return _builtin(reading, node, scope, exactly)
    root, _, name = _HOMES.sub(r"\1.", path).rpartition(".")
    if root == "math":
        if name in _POINTWISE and len(node.args) == 1:
            return _of_numbers(reading, name, node, scope)
        return Part((), reading.integers.number(node, integers_of(scope)))
    if root not in ("numpy", "torch"):
        raise NoNest(f"calls `{path}`")
    return _function(reading, name, node, list(node.args), scope, least, exactly)


def _of_numbers(reading: Expressions, name: str, node: ast.Call, scope: Scope) -> Part:
    """``math.sin(i / n)``: a function of numbers of Python's, some of them loop variables."""
    try:
        return Part((), reading.integers.number(node, integers_of(scope)))
    except NoNest:
        part = reading.part(node.args[0], scope, 0, True)
    if any(isinstance(n, Read) and n.value.axes for n in walk(part.term)):
        raise NoNest("takes numbers out of arrays")
    return Part((), Apply(_POINTWISE[name], (part.term,)))


def _function(
    reading: Expressions,
    name: str,
    node: ast.Call,
    given: list[ast.expr],
    scope: Scope,
    least: int,
    exactly: bool,
) -> Part:
    """A function of a library, or a method whose object is the first of ``given``."""
    if name in _EXTREMA and (len(given) == 1 or name.startswith("a")):
        return _sum(reading, given, node, scope, least, _EXTREMA[name])[0]
    if name in ("sum", "mean"):
        total, count = _sum(reading, given, node, scope, least)
        for value in {n.value for n in walk(total.term) if isinstance(n, Read)}:
            reading.summed[value] = "mean" if reading.summed.get(value) == "mean" else name
        if name == "sum":
            return total
        return Part(total.axes, Apply("div", (total.term, counting.counted(reading, count))))
    if name == "einsum":
        return named_sums.einsum(reading, given, node, scope)
    if name == "zeros" and path_of(reading.region.module, node.func) is not None:
        return _zeros(reading, node, scope)
    if name in _OF_LISTS and path_of(reading.region.module, node.func) is not None:
        return listings.array_of(reading, node, scope, least)
    if name in NAMES:
        return applied(reading, name, node, given, scope)
    if name in clipping.NAMES:
        return clipping.clipped(reading, name, node, given, scope, least)
    words = {word.arg: constant(word.value) for word in node.keywords}
    if name in _NORMS and len(given) == len(words) == 1 and words.keys() <= {"axis", "dim"}:
        return named_sums.norm(reading, given[0], scope, *words.values())
    if node.keywords:
        raise NoNest(f"calls `{reading.region.module.source(node.func)}` with options")
    if name in _NORMS and len(given) == 1:
        return named_sums.norm(reading, given[0], scope)
    if name in columns.NAMES and len(given) > 1:
        return columns.laid_out(reading, given, scope)
    if name == "t" or (name == "transpose" and named_sums.turns(given[1:])):
        return named_sums.turned(reading, given[0], scope, name != "t")
    if name == "trace" and len(given) == 1:
        return named_sums.trace(reading, given[0], scope)
    casts = name in ("astype", "to") and len(given) == 2 and _is_wide(reading, given[1])
    if casts or (name == "long" and len(given) == 1):
        return _integer(reading, given[0], scope)
    if name == "item" and len(given) == 1:
        return _item(reading, given[0], scope)
    if name in _POINTWISE and len(given) == 1:
        inner = reading.part(given[0], scope, least, exactly)
        return Part(inner.axes, Apply(_POINTWISE[name], (inner.term,)))
    if name == "where" and len(given) == 3 and path_of(reading.region.module, node.func):
        return choices.where(reading, given, scope, least)
    if name in conditions.NAMED and len(given) == 2:
        return conditions.combined(reading, name, given, scope)
    if name in _OPERATORS and len(given) == 2:
        spelled = ast.copy_location(ast.BinOp(given[0], _OPERATORS[name](), given[1]), node)
        return reading.part(spelled, scope, least, exactly)
    if name in _PAIRS and len(given) == 2:
        parts = [reading.part(arg, scope, least, exactly) for arg in given]
        return reading.pointwise(_PAIRS[name], *parts)
    if name == "inner" and len(given) == 2:
        if any(len(reading.part(arg, scope, 1).axes) != 1 for arg in given):
            raise NoNest("an inner product of no vectors")
    if name in (*_PRODUCTS, "inner") and len(given) == 2:
        stacks = name == "matmul"
        product = reading._product(given[0], given[1], scope, least, exactly, stacks)
        if isinstance(product.term, Reduce) and reading.evidence.takes_numbers(node.func):
            reading.total(product.term.body, (product.term.index,))
        return product
    if name in ("outer", "ger") and len(given) == 2:
        left, right = (reading.part(arg, scope, 1) for arg in given)
        if len(left.axes) != 1 or len(right.axes) != 1:
            raise NoNest("an outer product of no vectors")
        return Part((*left.axes, *right.axes), Apply("mul", (left.term, right.term)))
    raise NoNest(f"calls `{reading.region.module.source(node.func)}`")


def _zeros(reading: Expressions, node: ast.Call, scope: Scope) -> Part:
    """``np.zeros(n)``, ``torch.zeros(n, m)``: what a step adds up in."""
    sizes = list(node.args)
    if len(sizes) == 1 and isinstance(sizes[0], (ast.Tuple, ast.List)):
        sizes = list(sizes[0].elts)
    if node.keywords or not sizes:
        raise NoNest(f"calls `{reading.region.module.source(node.func)}` with options")
    known = integers_of(scope)
    lengths = [reading.integers.term(size, known) for size in sizes]
    if any(map(indices, lengths)):
        raise NoNest("an array whose size moves with the loops")
    return Part(tuple(reading.index("z", ZERO, length) for length in lengths), ZERO)


def _item(reading: Expressions, node: ast.expr, scope: Scope) -> Part:
    """``x[i].item()``, where that is a place: of integers it is the same."""
    inner = reading.part(node, scope)
    if inner.axes:
        raise NoNest("an item of an array")
    return Part((), Apply("cast:item", (inner.term,)))


def _integer(reading: Expressions, node: ast.expr, scope: Scope) -> Part:
    """``int(x[i])``, ``x[i].long()``: an element without its fraction."""
    inner = reading.part(node, scope)
    if inner.axes:
        raise NoNest("an integer of an array")
    return Part((), Apply("cast:int64", (inner.term,)))


def _is_wide(reading: Expressions, node: ast.expr) -> bool:
    """Whether a type is that of integers of 64 bits."""
    plain = is_name(node, "int") and "int" not in reading.region.module.bound
    return plain or path_of(reading.region.module, node) in _WIDE


def _sum(
    reading: Expressions,
    given: list[ast.expr],
    node: ast.Call,
    scope: Scope,
    least: int,
    op: str = "sum",
) -> tuple[Part, Term]:
    """A sum, or an extremum, and how many elements it has."""
    axis = [*given[1:], *(word.value for word in node.keywords)]
    named = {word.arg for word in node.keywords}
    if len(axis) > 1 or named - {"axis", "dim"} or not given:
        raise NoNest("a sum with options")
    if axis and not all(isinstance(constant(a), int) or isinstance(a, ast.Tuple) for a in axis):
        raise NoNest("a sum over what is not known")
    outside, reading.adding = reading.adding, True
    many = len(axis[0].elts) if axis and isinstance(axis[0], ast.Tuple) else 1
    part = reading.part(given[0], scope, least + many)
    reading.adding = outside
    if axis and op != "sum" and _EXTREMA.get(_called(node)) and _called(node)[0] != "a":
        _values_alone(reading, part)
    reading.no_number(part)
    if not part.axes:
        raise Unmeasured("a sum of what may be a number")
    if not axis:
        if least:
            raise NoNest("a number where an array is wanted")
        reading.total(part.term, part.axes)
        count = extents.mul(*(axis.extent for axis in part.axes)) if part.axes else ONE
        return reading.reduced(part, *part.axes, op=op), count
    places = axis[0].elts if isinstance(axis[0], ast.Tuple) else [axis[0]]
    gone: list[Index] = []
    for place in map(constant, places):
        if type(place) is not int or not -len(part.axes) <= place < len(part.axes):
            raise NoNest("a sum over what is not known")
        gone.append(part.axes[place])
    if len(set(gone)) < len(gone):
        raise NoNest("a sum over one axis twice")
    return reading.reduced(part, *gone, op=op), extents.mul(*(each.extent for each in gone))


def _values_alone(reading: Expressions, part: Part) -> None:
    """torch's ``x.max(1)`` gives places as well."""
    read = {node.value for node in walk(part.term) if isinstance(node, Read)}
    if reading.region.module.library != "numpy" and any(v.library != "numpy" for v in read):
        raise NoNest("an extremum along an axis, which may be two arrays")


def _builtin(reading: Expressions, node: ast.Call, scope: Scope, exactly: bool) -> Part:
    called = node.func.id if isinstance(node.func, ast.Name) else ""
    if called in ("max", "min") and len(node.args) > 1 and not node.keywords:
        if called not in reading.region.module.bound:
            sides = [reading.part(arg, scope) for arg in node.args]
            if reading.free and any(isinstance(side.term, Const) for side in sides):
                raise NoNest("numbers of several types in one list")
            if not any(side.axes for side in sides):
                return reduce(partial(reading.pointwise, called), sides)
    if called in reading.region.module.bound or node.keywords or len(node.args) != 1:
        raise NoNest(f"calls `{reading.region.module.source(node.func)}`")
    (given,) = node.args
    if called == "int":
        return _integer(reading, given, scope)
    if called == "abs":
        inner = reading.part(given, scope)
        return Part(inner.axes, Apply("abs", (inner.term,)))
    if called in named_sums.FOLDS and isinstance(given, (ast.GeneratorExp, ast.ListComp)):
        return named_sums.folded(reading, called, given, scope)
    if called == "sum":
        return named_sums.added_up(reading, given, scope, exactly)
    raise NoNest(f"calls `{reading.region.module.source(node.func)}`")


def _called(node: ast.Call) -> str:
    """The last part of what is called."""
    return node.func.attr if isinstance(node.func, ast.Attribute) else ""
