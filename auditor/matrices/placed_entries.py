"""Matrices that are zero but where the code puts something: on a few diagonals, or at places that
data lists, as the edges of a graph."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.lift.module import Module
from auditor.syntax import constant, is_name, path_of
from auditor.tree import descendants, everything_in

_LIBRARIES = ("numpy", "torch")
_MAKES = frozenset(f"{library}.{name}" for library in _LIBRARIES for name in ("eye", "diag"))
_ZEROS = frozenset(f"{library}.zeros" for library in _LIBRARIES)


def on_diagonals(module: Module, node: ast.expr) -> bool:
    """Whether a matrix is made of diagonals of which not all are the middle one: a sum of them, or
    one alone whose entries are the same."""
    leaves = list(_leaves(node))
    places = [_place(module, leaf) for leaf in leaves]
    if None in places or not any(places):
        return False
    alone = leaves[0]
    if len(leaves) > 1 or not isinstance(alone, ast.Call):
        return len(leaves) > 1
    made = path_of(module, alone.func) or ""
    inner = alone.args[0] if alone.args else None
    of_ones = isinstance(inner, ast.Call) and (path_of(module, inner.func) or "").endswith(".ones")
    return made.endswith(".eye") or of_ones


def _leaves(node: ast.expr) -> Iterator[ast.expr]:
    """What is added up, without numbers that multiply it."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield from _leaves(node.operand)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        yield from _leaves(node.left)
        yield from _leaves(node.right)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.Div)):
        number = isinstance(constant(node.left), (int, float))
        yield from _leaves(node.right if number and isinstance(node.op, ast.Mult) else node.left)
    else:
        yield node


def _place(module: Module, node: ast.expr) -> int | None:
    """Which diagonal a call fills; None for what is no such call."""
    if not isinstance(node, ast.Call) or not node.args or path_of(module, node.func) not in _MAKES:
        return None
    eye = str(path_of(module, node.func)).endswith(".eye")
    said = {word.arg: word.value for word in node.keywords}
    given = said.get("k") or said.get("diagonal")
    behind = node.args[2:3] if eye else node.args[1:2]
    given = behind[0] if given is None and behind else given
    number = 0 if given is None else constant(given)
    return number if type(number) is int else None


def at_listed_places(module: Module, function: ast.FunctionDef, name: str, made: ast.expr) -> bool:
    """Whether a name is zeros over two axes into which the function writes at listed places alone:
    those that arrays hold, or pairs that a loop walks."""
    if not isinstance(made, ast.Call) or path_of(module, made.func) not in _ZEROS:
        return False
    shape = made.args[0] if len(made.args) == 1 else ast.Tuple(made.args[:2])
    if not isinstance(shape, ast.Tuple) or len(shape.elts) != 2:
        return False
    nodes = list(descendants(function))
    written = [
        node.slice for node in nodes
        if isinstance(node, ast.Subscript) and is_name(node.value, name)
        and isinstance(node.ctx, ast.Store)
    ]  # fmt: skip
    put = [place for node in nodes if (place := _put(module, node, name)) is not None]
    loops = [node for node in nodes if isinstance(node, ast.For)]
    pairs = [
        {each.id for each in everything_in(loop.target) if isinstance(each, ast.Name)}
        for loop in loops if isinstance(loop.target, ast.Tuple) and _lists(loop.iter)
    ]  # fmt: skip
    steps = {each.id for loop in loops for each in everything_in(loop.target)
             if isinstance(each, ast.Name)}  # fmt: skip
    return bool(written or put) and all(
        _pair(place) is not None and _listed(_pair(place) or (), pairs, steps) for place in written
    )


def _pair(place: ast.expr) -> tuple[ast.expr, ...] | None:
    pair = isinstance(place, ast.Tuple) and len(place.elts) == 2
    return tuple(place.elts) if isinstance(place, ast.Tuple) and pair else None


def _put(module: Module, node: ast.AST, name: str) -> tuple[ast.expr, ...] | None:
    """The two places of ``np.add.at(a, (i, j), x)``, ``a.index_put_((i, j), x)``."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    if path_of(module, node.func) == "numpy.add.at" and len(node.args) > 1:
        return _pair(node.args[1]) if is_name(node.args[0], name) else None
    if node.func.attr == "index_put_" and is_name(node.func.value, name) and node.args:
        return _pair(node.args[0])
    return None


def _lists(source: ast.expr) -> bool:
    """Whether a loop walks what lists pairs, not places that are counted."""
    if isinstance(source, ast.Call):
        return is_name(source.func, "zip")
    return isinstance(source, (ast.Name, ast.Attribute, ast.Subscript))


def _listed(pair: tuple[ast.expr, ...], pairs: list[set[str]], steps: set[str]) -> bool:
    """Whether two places are those of a pair that a loop walks, or two items at one step."""
    names = {sub.id for sub in pair if isinstance(sub, ast.Name)}
    if len(names) == len(pair):
        return any(names <= both for both in pairs)
    held = all(isinstance(sub, ast.Subscript) for sub in pair)
    moving = {each.id for sub in pair for each in everything_in(sub)
              if isinstance(each, ast.Name)} & steps  # fmt: skip
    return held and len(moving) <= 1
