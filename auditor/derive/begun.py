"""What names hold when a loop begins."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable

from auditor.algebra.summary import WIDTHS
from auditor.derive.places import Place
from auditor.derive.scopes import leading
from auditor.notation import Const, Term
from auditor.tree import everything_in


def before(place: Place, loop: ast.For) -> dict[str, ast.expr]:
    """What the names hold when the loop begins, where one assignment above it says so."""
    body = place.function.body if place.function is not None else place.tree.body
    found: dict[str, ast.expr] = {}
    for statement in leading(body, loop):
        for name in {n.id for n in everything_in(statement)
                     if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}:  # fmt: skip
            found.pop(name, None)
        for name in {n.id for n in everything_in(statement) if isinstance(n, ast.Name)
                     and isinstance(n.ctx, ast.Load)}:  # fmt: skip
            if name in found and constant(found[name]) is None:
                found.pop(name)  # what can be changed may have been
        if isinstance(statement, ast.Assign):
            if len(statement.targets) > 1 and constant(statement.value) is None:
                continue
            for target in statement.targets:
                if isinstance(target, ast.Name):
                    found[target.id] = statement.value
                elif isinstance(target, ast.Tuple) and isinstance(statement.value, ast.Tuple):
                    for one, value in zip(target.elts, statement.value.elts, strict=False):
                        if isinstance(one, ast.Name):
                            found[one.id] = value
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            if isinstance(statement.target, ast.Name):
                found[statement.target.id] = statement.value
    return found


_ARITHMETIC: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Pow: operator.pow,
}  # fmt: skip


def _small(op: ast.operator, first: int, second: int) -> bool:
    """Is what is made of two whole numbers one of readable size?"""
    return abs(first) < 10**9 and (0 <= second < 64 if isinstance(op, ast.Pow) else True)


def constant(node: ast.expr) -> Term | None:
    """A number, string or None that is written out."""
    if isinstance(node, ast.Constant) and isinstance(
        node.value, (int, float, bool, str, type(None))
    ):
        return Const(node.value)
    if isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC:
        sides = (constant(node.left), constant(node.right))
        numbers = [s.value for s in sides if isinstance(s, Const) and type(s.value) is int]
        fine = len(numbers) == 2 and _small(node.op, *numbers)
        return Const(_ARITHMETIC[type(node.op)](*numbers)) if fine else None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        inner = constant(node.operand)
        if isinstance(inner, Const) and isinstance(inner.value, (int, float)):
            return Const(-inner.value) if isinstance(node.op, ast.USub) else inner
    text = ast.unparse(node)
    if text in (
        "math.inf",
        "np.inf",
        "numpy.inf",
        "torch.inf",
        "float('inf')",
        "float('infinity')",
    ):
        return Const(float("inf"))
    if text in ("float('-inf')",):
        return Const(float("-inf"))
    return None


def width(made: ast.expr | None) -> str | None:
    """The integers of fixed width, which wrap around, that a name begins as: ``np.int64(100)``."""
    for node in everything_in(made) if made is not None else ():
        word = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", None)
        if word in WIDTHS:
            return str(word)
    return None


def called(made: ast.expr, *makers: str) -> bool:
    """Whether a container is made by one of ``makers``, of any length."""
    return (
        isinstance(made, ast.Call)
        and ast.unparse(made.func).rpartition(".")[2] in makers
        and len(made.args) < 2
        and not made.keywords
    )


_EMPTIED = ("list", "tuple", "dict", "set", "deque", "collections.deque")


def empty(made: ast.expr | None) -> str | None:
    """What kind of container is written out with nothing in it, if one is: ``[]``, ``list()``,
    ``set([])`` and the like."""
    if isinstance(made, (ast.List, ast.Tuple)) and not made.elts:
        return "list" if isinstance(made, ast.List) else "tuple"
    if isinstance(made, ast.Dict) and not made.keys:
        return "dict"
    if not isinstance(made, ast.Call) or made.keywords or len(made.args) > 1:
        return None
    name = ast.unparse(made.func)
    known = name in _EMPTIED and all(empty(one) is not None for one in made.args)
    return name.rpartition(".")[2] if known else None


def bounded(made: ast.expr | None) -> tuple[str, ast.expr] | None:
    """What makes an empty deque of limited length, and how long it may be."""
    if not isinstance(made, ast.Call) or maker(made) != "deque":
        return None
    given = [k.value for k in made.keywords if k.arg == "maxlen"] + made.args[1:]
    nothing = not made.args or empty(made.args[0]) is not None
    if len(given) != 1 or len(made.keywords) + len(made.args) > 2 or not nothing:
        return None
    (most,) = given
    limit = most.value if isinstance(most, ast.Constant) else 0
    fine = isinstance(most, ast.Name) or (type(limit) is int and limit > 0)
    return (ast.unparse(made.func), most) if fine else None


def maker(made: ast.Call) -> str:
    """The name of what makes a container, without its module."""
    return ast.unparse(made.func).rpartition(".")[2]
