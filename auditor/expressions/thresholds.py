"""Increasing functions of arrays that are only compared with a number: the same outcomes without
the function, of another number. ``sigmoid(x) > 0.5`` is ``x > 0``, ``norm(x) < r`` is
``(x ** 2).sum() < r ** 2``."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from auditor.arrays.facts import Arrays
from auditor.expressions.region import ExpressionRegion
from auditor.lift.dtypes import kind_of
from auditor.notation import Apply, Const, Read, Reduce, Term, Value, definition
from auditor.syntax import constant, is_name, path_of
from auditor.tree import everything_in

_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_SAME = {"sigmoid": (0.5, "0"), "exp": (1, "0"), "log": (0, "1")}
"""At which number a function is which other one."""
_NORMS = ("numpy.linalg.norm", "torch.norm", "torch.linalg.norm", "torch.linalg.vector_norm")
_ALONG = ("axis", "dim", "keepdims", "keepdim")


@dataclass(frozen=True)
class Compared:
    """``call`` is ``instead``, what the function ``name`` is ``given``, without it; ``numbers`` are
    what it is compared with, each with what the other is compared with; ``doubts`` are what that
    rests on."""

    call: ast.expr
    given: Value | None
    instead: str
    name: str
    numbers: tuple[tuple[ast.expr, str], ...]
    doubts: tuple[str, ...]


def compared(region: ExpressionRegion, value: Value, call: ast.Call) -> Compared | None:
    """The comparisons that an increasing function of an array only serves."""
    logistic = _logistic(value.body)
    name = "sigmoid" if logistic is not None else _name(value.body)
    if name is None or not value.axes or (value.dtype is not None and kind_of(value.dtype) != 2):
        return None
    norm = squares(region, call) if name == "sqrt" else None
    assert isinstance(value.body, Apply)
    inner = logistic or value.body.args[0]
    operand = norm or _operand(region, call, name, inner)
    others = list(_compared_with(region, call))
    if operand is None or not others or None in others:
        return None
    numbers: list[tuple[ast.expr, str]] = []
    doubts = ["elements that rounding puts to the other side of the number come out otherwise"]
    if norm is not None and _perhaps_integers(region, call):
        doubts.append("what is squared must be floating-point numbers")
    for other in others:
        assert other is not None
        if name == "sqrt":
            source = region.module.source(other)
            plain = isinstance(other, (ast.Name, ast.Attribute, ast.Constant))
            least = constant(other)
            squared = f"{source} ** 2" if plain else f"({source}) ** 2"
            numbers.append((other, source if least in (0, 1) else squared))
            if not isinstance(least, (int, float)):
                doubts.append(f"`{source}` must not be negative")
            elif least < 0:
                return None
        else:
            here, instead = _SAME[name]
            if constant(other) != here:
                return None
            numbers.append((other, instead))
    given = inner.value if isinstance(inner, Read) else None
    return Compared(call, given, operand, name, tuple(numbers), tuple(dict.fromkeys(doubts)))


def _perhaps_integers(region: ExpressionRegion, call: ast.Call) -> bool:
    """Whether NumPy's norm may be one of integers, whose squares may be too large for them."""
    given = region.values.get(call.args[0]) if call.args else None
    if not isinstance(given, Value) or given.library == "torch":
        return not isinstance(given, Value)
    return given.dtype is None or kind_of(given.dtype) != 2


def _name(term: Term | None) -> str | None:
    if not isinstance(term, Apply):
        return None
    if term.op == "pow" and isinstance(term.args[1], Const) and term.args[1].value == 0.5:
        return "sqrt"
    return term.op if term.op == "sqrt" or term.op in _SAME else None


def _logistic(term: Term | None) -> Read | None:
    """z of ``1 / (1 + exp(-z))``."""
    for op in ("div", "add"):
        if not isinstance(term, Apply) or term.op != op or len(term.args) != 2:
            return None
        one, rest = term.args
        if op == "add" and isinstance(rest, Const):
            one, rest = rest, one
        if not isinstance(one, Const) or one.value != 1:
            return None
        term = definition(rest) if isinstance(rest, Read) else rest
    for op in ("exp", "neg"):
        if not isinstance(term, Apply) or term.op != op:
            return None
        (rest,) = term.args
        if op == "neg":
            return rest if isinstance(rest, Read) else None
        term = definition(rest) if isinstance(rest, Read) else rest
    return None


def _operand(region: ExpressionRegion, call: ast.Call, name: str, inner: Term) -> str | None:
    """What the function is given, as code."""
    given = call.args[0] if len(call.args) == 1 and not call.keywords else None
    if isinstance(call.func, ast.Attribute) and path_of(region.module, call.func) is None:
        own = is_name(call.func.value, "self")  # a method of the class
        given = call.func.value if not call.args and not call.keywords else given if own else None
    held = region.values.get(given) if given is not None else None
    if given is None or not isinstance(inner, Read) or held is not inner.value:
        return None
    if name in ("sqrt", "log") and not _sum_of_squares(inner):
        return None  # what is below zero is NaN, which is on neither side
    made = definition(inner)
    if isinstance(made, Reduce) and made.op in ("max", "min"):
        return None  # applied to what wins: a few numbers
    if not _array(region, given, call):
        return None
    loose = isinstance(given, (ast.Compare, ast.BoolOp, ast.IfExp, ast.Lambda, ast.NamedExpr))
    source = region.one_line(given)
    return f"({source})" if loose else source


def _array(region: ExpressionRegion, node: ast.expr, call: ast.Call) -> bool:
    """Whether what a function is given is certainly an array: NumPy's take lists as well."""
    path, held = path_of(region.module, call.func), region.values.get(node)
    if path is None or path.startswith("torch.") or Arrays(region).certain(node):
        return True
    return isinstance(held, Value) and held.body is not None


def _sum_of_squares(term: Term) -> bool:
    while isinstance(term, Read) and (inner := definition(term)) is not None:
        term = inner
    if isinstance(term, Reduce):
        return term.op in ("sum", "max", "min") and _sum_of_squares(term.body)
    if not isinstance(term, Apply):
        return isinstance(term, Const) and isinstance(term.value, int) and term.value >= 0
    if term.op in ("add", "mul", "div"):
        same = term.op == "mul" and term.args[0] is term.args[-1]
        return same or all(map(_sum_of_squares, term.args))
    if term.op == "pow":
        return isinstance(term.args[1], Const) and term.args[1].value == 2
    return term.op in ("square", "abs", "exp")


def squares(region: ExpressionRegion, call: ast.Call) -> str | None:
    """The squares that a norm along an axis is the root of, summed up."""
    path = path_of(region.module, call.func)
    args = list(call.args)
    method = isinstance(call.func, ast.Attribute) and path is None and call.func.attr == "norm"
    if method and isinstance(call.func, ast.Attribute):
        args.insert(0, call.func.value)
    elif path not in _NORMS:
        return None
    words = {word.arg: word.value for word in call.keywords}
    order = words.pop("p", words.pop("ord", None))
    if order is not None and constant(order) != 2:
        return None
    along = words.keys() & {"axis", "dim"}
    if len(args) != 1 or len(along) != 1 or not words.keys() <= set(_ALONG):
        return None
    held = region.values.get(args[0])
    if not isinstance(held, Value) or (held.dtype is not None and kind_of(held.dtype) != 2):
        return None
    if not _array(region, args[0], call):
        return None
    if not isinstance(constant(words[next(iter(along))]), int):
        return None  # of two axes it is that of matrices
    source = region.one_line(args[0])
    tight = isinstance(args[0], (ast.Name, ast.Attribute, ast.Call, ast.Subscript))
    rest = ", ".join(f"{name}={region.one_line(word)}" for name, word in words.items())
    return f"({source if tight else f'({source})'} ** 2).sum({rest})"


def _compared_with(region: ExpressionRegion, call: ast.Call) -> Iterator[ast.expr | None]:
    """The numbers that a call, or the name that it is given, is compared with; None for each other
    use."""
    holder = region.parents.get(call)
    if isinstance(holder, ast.Assign) and len(holder.targets) == 1:
        target = holder.targets[0]
        stores = [node for node in region.nodes if isinstance(node, ast.Name)
                  and isinstance(target, ast.Name) and node.id == target.id
                  and not isinstance(node.ctx, ast.Load)]  # fmt: skip
        if not isinstance(target, ast.Name) or len(stores) != 1:
            yield None
            return
        uses: list[ast.expr] = list(region.reads_outside(target.id, (holder,)))
    else:
        uses = [call]
    for use in uses:
        yield _other(region, use)


def _other(region: ExpressionRegion, use: ast.expr) -> ast.expr | None:
    """The number on the other side of a comparison."""
    parent = region.parents.get(use)
    if not isinstance(parent, ast.Compare) or len(parent.ops) != 1:
        return None
    if not isinstance(parent.ops[0], _ORDERS):
        return None
    other = parent.comparators[0] if parent.left is use else parent.left
    held = region.values.get(other)
    number = isinstance(held, Value) and not held.axes and held.dtype in ("int", "float")
    calls = any(isinstance(node, (ast.Call, ast.NamedExpr)) for node in everything_in(other))
    return other if number and not calls else None
