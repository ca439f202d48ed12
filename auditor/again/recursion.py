"""Functions that call themselves with arguments that meet again: by how much each call moves each
parameter, and whether calls of one path come by the same arguments.

Two calls of one execution overlap where their moves can be exchanged: ``f(n - 1)`` and
``f(n - 2)`` both come to ``f(n - 3)``. Moves by constants, by the variable of a loop, by whole
divisors, by slices off an end and by exchanging parameters are such, and so are calls for every
place of a range: ``f(i, k)`` and ``f(k, j)`` for all ``k`` between ``i`` and ``j``. Calls that set
a parameter to a number are not counted among them.
"""

from __future__ import annotations

import ast
import copy
import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from auditor.syntax import constant, mentions
from auditor.tree import ancestors, children, descendants

_MOST_PATHS = 200
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp)


@dataclass(frozen=True)
class Recursion:
    """The calls of itself that one execution of a function may come to, of which at least two
    overlap. ``thin`` says that few calls may go deep: several parameters are moved, or some way
    makes one call alone."""

    calls: tuple[ast.Call, ...]
    thin: bool


def parameters(function: ast.FunctionDef) -> list[str] | None:
    """The names of plain parameters; None where there are others."""
    spec = function.args
    if spec.vararg or spec.kwarg:
        return None
    return [arg.arg for arg in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)]


def as_function(function: ast.FunctionDef, reading: bool = False) -> ast.FunctionDef:
    """A method that uses its object for nothing but to call itself as the function that it is, or
    with ``reading`` to read attributes of it as well; others as they are."""
    given = [*function.args.posonlyargs, *function.args.args]
    if function.args.posonlyargs or not given or given[0].arg != "self" or function.args.defaults:
        return function
    names = [n for n in descendants(function) if isinstance(n, ast.Name)]
    own = [n for n in map(_own_object, descendants(function)) if n is not None]
    calls = [n for n in own if n.attr == function.name]
    mentions = sum(name.id == "self" for name in names)
    read = sum(map(_reads_own_object, descendants(function))) if reading else len(calls)
    other = len(own) - len(calls) if reading else 0
    if not calls or other or read != mentions or any(n.id == function.name for n in names):
        return function  # most methods, of which no copy is needed
    plain: ast.FunctionDef = _Alone(function.name).visit(copy.deepcopy(function))
    plain.args.args = plain.args.args[1:]
    return plain


def _own_object(node: ast.AST) -> ast.Attribute | None:
    """The attribute of ``self`` that a call calls."""
    func = node.func if isinstance(node, ast.Call) else None
    if isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name):
        return func if func.value.id == "self" else None
    return None


def _reads_own_object(node: ast.AST) -> bool:
    """``self.weights``"""
    held = node.value if isinstance(node, ast.Attribute) else None
    own = isinstance(held, ast.Name) and held.id == "self"
    return own and isinstance(node.ctx, ast.Load)  # type: ignore[attr-defined]


class _Alone(ast.NodeTransformer):
    """``self.name(...)`` as ``name(...)``."""

    def __init__(self, name: str) -> None:
        self.name = name

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        func = _own_object(node)
        if func is not None and func.attr == self.name:
            node.func = ast.copy_location(ast.Name(self.name, ast.Load()), func)
        return node


def own_calls(function: ast.FunctionDef) -> list[ast.Call]:
    """The calls of a function by its own name within it."""
    return [
        node for node in descendants(function)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        and node.func.id == function.name
    ]  # fmt: skip


def overlapping(function: ast.FunctionDef) -> Recursion | None:
    """The recursion of a function whose calls overlap, or None."""
    names = parameters(function)
    calls = own_calls(function)
    if not names or not calls:
        return None
    moves: dict[ast.Call, tuple[str, ...]] = {}
    for call in calls:
        move = _move(function, names, call)
        if move is None:
            return None  # may come by anything
        moves[call] = move
    if any(not any(part for part in move) for move in moves.values()):
        return None  # the same call again has no end
    own = set(calls)
    own -= {call for call, move in moves.items() if any(part.startswith("=") for part in move)}
    ways = (tuple(call for call in path if call in own) for path, _ in _paths(function.body))
    weights = {_weight(path, function) for path in ways}
    if max(weights, default=0) < 2:
        return None
    moved = {place for move in moves.values() for place, part in enumerate(move) if part}
    thin = len(moved) > 1 or 1 in weights or any(_left_out(call, function) for call in own)
    return Recursion(tuple(calls), thin)


def _weight(path: tuple[ast.Call, ...], function: ast.FunctionDef) -> int:
    """How many calls a path makes, where one in a loop counts for many."""
    return sum(2 if any(map(_is_loop, _around(call, function))) else 1 for call in path)


def _left_out(call: ast.Call, function: ast.FunctionDef) -> bool:
    """Whether a loop may leave out a call at most of its steps."""
    around = list(_around(call, function))
    loop = next((place for place, at in enumerate(around) if _is_loop(at)), None)
    if loop is None:
        return False
    inner = around[loop]
    filtered = isinstance(inner, _COMPREHENSIONS) and any(g.ifs for g in inner.generators)
    return filtered or any(isinstance(at, (ast.If, ast.IfExp, ast.BoolOp)) for at in around[:loop])


def _around(call: ast.Call, function: ast.FunctionDef) -> Iterator[ast.AST]:
    """What a call stands in, innermost first."""
    parents = {child: node for node in descendants(function) for child in children(node)}
    return itertools.takewhile(lambda at: at is not function, ancestors(call, parents))


def _is_loop(node: ast.AST) -> bool:
    return isinstance(node, (ast.For, ast.While, *_COMPREHENSIONS))


# -- moves


def _move(function: ast.FunctionDef, names: list[str], call: ast.Call) -> tuple[str, ...] | None:
    """How a call changes each parameter, as text; empty where one stays. None for other ways."""
    given: dict[str, ast.expr] = {}
    positional = [arg.arg for arg in (*function.args.posonlyargs, *function.args.args)]
    if len(call.args) > len(positional) or any(isinstance(a, ast.Starred) for a in call.args):
        return None
    given.update(zip(positional, call.args, strict=False))
    for keyword in call.keywords:
        if keyword.arg is None or keyword.arg in given:
            return None
        given[keyword.arg] = keyword.value
    if set(given) != set(names):
        return None
    found: list[str] = []
    taken: set[str] = set()
    for name in names:
        if isinstance(constant(given[name]), int):
            found.append(f"={constant(given[name])}")
            continue
        moved = _moved(function, names, given[name])
        if moved is None:
            return None
        source, how = moved
        if source in taken and source in names:
            return None
        taken.add(source)
        found.append(how if source == name else f"{source}{how}")
    return tuple(found)


def _moved(function: ast.FunctionDef, names: list[str], node: ast.expr) -> tuple[str, str] | None:
    """The parameter that an argument is made of, and how."""
    node = _behind(function, node)
    if isinstance(node, ast.Name) and node.id in names:
        return node.id, ""
    counter = _counter(function, node)
    if counter is not None:
        return f"each {ast.unparse(node)}", " "
    shifted = _shifted(node, function.name)
    if isinstance(shifted, ast.Name) and shifted.id in names:
        return shifted.id, ast.unparse(node).removeprefix(shifted.id)
    if isinstance(node, ast.BinOp) and isinstance(node.left, ast.Name) and node.left.id in names:
        divisor = constant(node.right)
        if isinstance(node.op, ast.FloorDiv) and isinstance(divisor, int) and divisor > 1:
            return node.left.id, f"//{divisor}"
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        cut = node.slice
        if node.value.id in names and isinstance(cut, ast.Slice) and cut.step is None:
            first, last = constant(cut.lower), constant(cut.upper)
            off_front = isinstance(first, int) and first > 0 and cut.upper is None
            off_back = isinstance(last, int) and last < 0 and cut.lower is None
            if cut.lower is not None and cut.upper is None:
                off_front |= _counter(function, cut.lower) is not None
            if off_front or off_back:
                return node.value.id, ast.unparse(node.slice)
    return None


def _shifted(node: ast.expr, name: str) -> ast.expr:
    """What other things are added to or taken from, none of them a result of the function."""
    while isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Sub, ast.Add)):
        if mentions(node.right, name):
            return node
        node = node.left
    return node


def _counter(function: ast.FunctionDef, node: ast.expr) -> str | None:
    """The variable of a loop over a range that an argument is, up to a constant."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        return _counter(function, node.left) if isinstance(constant(node.right), int) else None
    if not isinstance(node, ast.Name):
        return None
    for inner in descendants(function):
        if isinstance(inner, (ast.For, ast.comprehension)) and isinstance(inner.iter, ast.Call):
            called = inner.iter.func.id if isinstance(inner.iter.func, ast.Name) else ""
            target: ast.expr = inner.target
            if called == "enumerate" and isinstance(target, ast.Tuple) and len(target.elts) == 2:
                target = target.elts[0]
            elif called != "range":
                continue
            if isinstance(target, ast.Name) and target.id == node.id:
                return node.id
    return None


def _behind(function: ast.FunctionDef, node: ast.expr) -> ast.expr:
    """What a name stands for that one assignment gives it."""
    if not isinstance(node, ast.Name):
        return node
    made = [
        inner for inner in descendants(function)
        if isinstance(inner, ast.Name) and inner.id == node.id
        and not isinstance(inner.ctx, ast.Load)
    ]  # fmt: skip
    values = [
        inner.value for inner in descendants(function)
        if isinstance(inner, ast.Assign) and len(inner.targets) == 1
        and isinstance(inner.targets[0], ast.Name) and inner.targets[0].id == node.id
    ]  # fmt: skip
    return values[0] if len(made) == len(values) == 1 else node


# -- paths


_Way = tuple[tuple[ast.Call, ...], bool]


def _paths(body: list[ast.stmt]) -> list[_Way]:
    """The calls by plain names that each way through some statements makes, and whether it comes to
    their end."""
    found: list[_Way] = [((), True)]
    for statement in body:
        new: list[_Way] = []
        for path, on in found:
            if on:
                new += [(path + more, goes) for more, goes in _ways(statement)]
            else:
                new.append((path, on))
        found = new[:_MOST_PATHS]
    return found


def _ways(node: ast.stmt) -> Iterator[_Way]:
    """The ways through one statement."""
    if isinstance(node, (ast.If, ast.Match)):
        branches = [node.body, node.orelse] if isinstance(node, ast.If) else [
            case.body for case in node.cases
        ]  # fmt: skip
        for head in _evaluations(node.test if isinstance(node, ast.If) else node.subject):
            for branch in branches:
                for path, goes in _paths(branch):
                    yield head + path, goes
    elif isinstance(node, (ast.For, ast.While, ast.With, ast.Try)):
        first = getattr(node, "iter", getattr(node, "test", None))
        heads = list(_evaluations(first)) if first is not None else [()]
        for path, _ in _paths(node.body):
            for head in heads:
                yield head + path, True
    elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        yield (), True
    else:
        parts = [part for part in children(node) if isinstance(part, ast.expr)]
        ways: list[tuple[ast.Call, ...]] = [()]
        for part in parts:
            ways = [way + more for way in ways for more in _evaluations(part)][:_MOST_PATHS]
        for way in ways:
            yield way, not isinstance(node, (ast.Return, ast.Raise))


def _evaluations(node: ast.AST) -> list[tuple[ast.Call, ...]]:
    """The calls by plain names that each way to evaluate an expression makes."""
    if isinstance(node, ast.IfExp):
        return [
            test + way
            for test in _evaluations(node.test)
            for branch in (node.body, node.orelse)
            for way in _evaluations(branch)
        ][:_MOST_PATHS]
    ways: list[tuple[ast.Call, ...]] = [()]
    for part in children(node):
        ways = [way + more for way in ways for more in _evaluations(part)][:_MOST_PATHS]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        ways = [(*way, node) for way in ways]
    return ways
