"""Whether a loop runs at least one step, and whether a term could raise where it runs none."""

from __future__ import annotations

import ast
import builtins
import itertools

from auditor.again.candidates import COMPREHENSIONS, Loop
from auditor.arrays.facts import Arrays
from auditor.lift.changes import dotted
from auditor.surroundings.region import Region
from auditor.syntax import bindings, constant, is_name, path_of, same
from auditor.tree import ancestors, children, descendants, everything_in

_TOTAL = frozenset(
    "sum mean exp tanh sigmoid sin cos erf abs softmax log_softmax square relu silu gelu float"
    " double detach clone norm std var exp2 expm1 log log1p sqrt logsumexp cumsum softplus".split()
)
_OF_NOTHING = frozenset(("sum", "sorted", "any", "all", "set", "frozenset"))
_MADE = frozenset("arange zeros ones eye full linspace".split())
_LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def certainly_runs(region: Region, loop: Loop) -> bool:
    """Whether the body of a loop is executed at least once."""
    if isinstance(loop, ast.While):
        return bool(constant(loop.test)) and constant(loop.test) is not ...
    if isinstance(loop, COMPREHENSIONS):
        first = loop.generators[0]
        if first.ifs or len(loop.generators) > 1 or isinstance(loop, ast.GeneratorExp):
            return False
        return _has_items(region, first.iter, region.statement_of(loop))
    return _has_items(region, loop.iter, loop)


def _has_items(region: Region, node: ast.expr, statement: ast.stmt) -> bool:
    if isinstance(node, (ast.Tuple, ast.List)):
        return any(not isinstance(item, ast.Starred) for item in node.elts)
    if isinstance(node, ast.Constant):
        return isinstance(node.value, (str, bytes)) and bool(node.value)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        name, args = node.func.id, node.args
        if not region.means_builtin(name):
            return False
        if name in ("enumerate", "reversed", "list", "tuple", "sorted", "set") and args:
            return _has_items(region, args[0], statement)
        if name == "zip":
            return bool(args) and all(_has_items(region, arg, statement) for arg in args)
        if name == "range":
            return _range(region, args, statement)
    if isinstance(node, ast.Name) and (made := Arrays(region).assigned(node.id)) is not None:
        if isinstance(made, (ast.List, ast.Tuple)) and not _grows(region, node.id):
            return _has_items(region, made, statement)
    return _known_filled(region, node, statement)


def _range(region: Region, args: list[ast.expr], statement: ast.stmt) -> bool:
    numbers = [_number(region, arg) for arg in args]
    if None not in numbers and numbers:
        return bool(range(*numbers))  # type: ignore[arg-type]
    if len(args) == 1 or (len(args) == 2 and numbers[0] == 0):
        stop = args[-1]
        if isinstance(stop, ast.Call) and ast.unparse(stop.func) == "len" and stop.args:
            if _known_filled(region, stop.args[0], statement):
                return True
        return _at_least_one(region, stop, statement)
    return False


def _number(region: Region, node: ast.expr) -> int | None:
    found = constant(node)
    if isinstance(node, ast.Name):
        made = Arrays(region).assigned(node.id) if node.id in region.stores else None
        given = {n.arg for n in region.nodes if isinstance(n, ast.arg)}
        if made is None and node.id not in region.stores and node.id not in given:
            made = region.module.constants.get(node.id)
        found = constant(made)
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def _grows(region: Region, name: str) -> bool:
    return any(
        isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        and node.value.id == name and node.attr in ("pop", "clear", "remove")
        for node in region.nodes
    ) or any(isinstance(node, ast.Delete) for node in region.nodes)  # fmt: skip


def _before(region: Region, statement: ast.stmt) -> list[ast.stmt]:
    """The statements that are executed before one, in the blocks around it."""
    found: list[ast.stmt] = []
    at: ast.AST = statement
    while at in region.parents and at is not region.lifted.node:
        if isinstance(at, ast.stmt):
            block = region.siblings(at)
            if at in block:
                found += block[: block.index(at)]
        at = region.parents[at]
    return found


def _at_least_one(region: Region, node: ast.expr, statement: ast.stmt) -> bool:
    """``assert n > 0``, ``if n < 1: raise ...`` before the loop, of a name that stays."""
    if dotted(node) is None or _rebound(region, node):
        return False
    for earlier in _before(region, statement):
        if isinstance(earlier, ast.Assert) and _says_positive(earlier.test, node):
            return True
        if isinstance(earlier, ast.If) and not earlier.orelse:
            if isinstance(earlier.body[-1], _LEAVES) and _says_none(earlier.test, node):
                return True
    return False


def _rebound(region: Region, node: ast.expr) -> bool:
    path = dotted(node)
    stores = [
        inner for inner in region.nodes
        if isinstance(inner, (ast.Name, ast.Attribute)) and not isinstance(inner.ctx, ast.Load)
        and dotted(inner) == path
    ]  # fmt: skip
    given = any(isinstance(inner, ast.arg) and inner.arg == path for inner in region.nodes)
    return len(stores) + given > 1


def _says_positive(test: ast.expr, node: ast.expr) -> bool:
    """``n > 0``, ``n >= 1``, ``n``."""
    if same(test, node):
        return True
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return any(_says_positive(part, node) for part in test.values)
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not same(test.left, node):
        return False
    bound = constant(test.comparators[0])
    if not isinstance(bound, int):
        return False
    return (isinstance(test.ops[0], ast.Gt) and bound >= 0) or (
        isinstance(test.ops[0], ast.GtE) and bound >= 1
    )


def _says_none(test: ast.expr, node: ast.expr) -> bool:
    """``n < 1``, ``n <= 0``; not ``n == 0``, for a count may be negative."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or):
        return any(_says_none(part, node) for part in test.values)
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not same(test.left, node):
        return False
    bound = constant(test.comparators[0])
    if not isinstance(bound, int):
        return False
    return (isinstance(test.ops[0], ast.Lt) and bound >= 1) or (
        isinstance(test.ops[0], ast.LtE) and bound >= 0
    )


def _known_filled(region: Region, node: ast.expr, statement: ast.stmt) -> bool:
    """A sequence whose first item was read before, or that a guard says is not empty."""
    if not isinstance(node, ast.Name) or _rebound(region, node) or _grows(region, node.id):
        return False
    for earlier in _before(region, statement):
        if isinstance(earlier, ast.Assert) and _says_filled(earlier.test, node):
            return True
        if isinstance(earlier, ast.If) and not earlier.orelse:
            if isinstance(earlier.body[-1], _LEAVES) and _says_empty(earlier.test, node):
                return True
        if isinstance(earlier, (ast.Assign, ast.Expr)):
            for inner in descendants(earlier.value):
                if isinstance(inner, ast.Subscript) and same(inner.value, node):
                    if constant(inner.slice) == 0 and not _guarded(region, inner, earlier):
                        return True
    return False


def _guarded(region: Region, node: ast.AST, statement: ast.stmt) -> bool:
    guards = (ast.IfExp, ast.BoolOp, ast.Lambda, *COMPREHENSIONS)
    within = itertools.takewhile(lambda at: at is not statement, ancestors(node, region.parents))
    return any(isinstance(above, guards) for above in within)


def _says_filled(test: ast.expr, node: ast.expr) -> bool:
    if same(test, node):
        return True
    return (
        isinstance(test, ast.Compare) and len(test.ops) == 1
        and ast.unparse(test) in (f"len({ast.unparse(node)}) > 0", f"len({ast.unparse(node)}) >= 1")
    )  # fmt: skip


def _says_empty(test: ast.expr, node: ast.expr) -> bool:
    name = ast.unparse(node)
    return ast.unparse(test) in (f"not {name}", f"len({name}) == 0", f"len({name}) < 1")


# -- what cannot raise


def nothing_to_fold(region: Region, node: ast.expr, loop: Loop) -> bool:
    """Whether ``node`` folds what the loop walks, so that it gives the value of no elements where
    the loop takes no step."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
        return False
    if node.func.id not in _OF_NOTHING or node.func.id in region.module.bound or node.keywords:
        return False
    if len(node.args) != 1 or not isinstance(node.args[0], ast.Name):
        return False
    if isinstance(loop, ast.While) or Arrays(region).certain(node.args[0]):
        return False
    walked = loop.iter if isinstance(loop, ast.For) else loop.generators[0].iter
    plain = isinstance(loop, ast.For) or len(loop.generators) == 1
    return plain and any(same(one, node.args[0]) for one in _walked(walked))


def counted_by(loop: Loop) -> list[ast.expr]:
    """What says how many steps a loop takes."""
    if isinstance(loop, ast.For):
        return [loop.iter]
    if isinstance(loop, ast.While):
        return [loop.test]
    return [part for each in loop.generators for part in (each.iter, *each.ifs)]


def made_of_one(region: Region, node: ast.expr, others: list[ast.expr]) -> bool:
    """Whether an expression and ``others`` are made of something that is the same."""
    made = [_made_of(region, one) for one in (node, *others)]
    return not made[0].isdisjoint(set().union(*made[1:]))


def _made_of(region: Region, node: ast.expr) -> set[str]:
    """The names that an expression reads, and those that the function makes them of."""
    found: set[str] = set()
    stack: list[ast.AST] = [node]
    while stack:
        at = stack.pop()
        name = dotted(at) if isinstance(at, (ast.Name, ast.Attribute)) else None
        if name is None:
            stack.extend(children(at))
        elif name not in found:
            found.add(name)
            stack += [made for target, made in _bindings(region) if target == name]
            if isinstance(at, ast.Attribute) and not is_name(at.value, "self"):
                stack.append(at.value)  # `x.shape` is made of `x`
    known = {*region.module.names, *({*dir(builtins)} - region.module.bound.keys())}
    return {name for name in found if name.partition(".")[0] not in known - region.stores}


def _bindings(region: Region) -> list[tuple[str, ast.expr]]:
    """The names that the function binds, with what to."""
    if "bindings" not in region.lifted.once:
        region.lifted.once["bindings"] = [
            (name, value)
            for target, value in bindings(region.lifted.node)
            for part in everything_in(target)
            if isinstance(part, (ast.Name, ast.Attribute)) and (name := dotted(part)) is not None
        ]
    found: list[tuple[str, ast.expr]] = region.lifted.once["bindings"]
    return found


def _walked(node: ast.expr) -> list[ast.expr]:
    """What has no elements if the loop over ``node`` takes no step."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return [node]
    if node.func.id in ("enumerate", "reversed") and node.args:
        return _walked(node.args[0])
    if node.func.id == "range" and len(node.args) == 1:
        (length,) = node.args
        if isinstance(length, ast.Call) and ast.unparse(length.func) == "len" and length.args:
            return [length.args[0]]
    return []


def cannot_raise(region: Region, node: ast.expr) -> bool:
    """Whether evaluating an expression raises for no arrays: each operation takes one array and
    goes with any shape."""
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, (ast.Name, ast.Attribute)) and dotted(node) is not None:
        return Arrays(region).certain(node)
    if isinstance(node, ast.UnaryOp):
        return cannot_raise(region, node.operand)
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.Add, ast.Sub, ast.Div)):
        sides = (node.left, node.right)
        return any(isinstance(constant(s), (int, float)) for s in sides) and all(
            cannot_raise(region, s) for s in sides
        )
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    name = node.func.attr
    named = all(constant(k.value) is not ... or k.arg in ("dtype", "device") for k in node.keywords)
    if path_of(region.module, node.func) == "numpy.arange":  # of fewer than 0 steps there are none
        return named and all(map(Arrays(region).whole, node.args))
    if name in _MADE:
        return named and all(isinstance(constant(arg), int) or _is_size(arg) for arg in node.args)
    if name not in _TOTAL or not named:
        return False
    arrays = node.args[:1] if path_of(region.module, node.func) else [node.func.value]
    rest = node.args[1:] if path_of(region.module, node.func) else node.args
    places = [*rest, *(k.value for k in node.keywords if k.arg in ("dim", "axis"))]
    return (
        bool(arrays)
        and all(cannot_raise(region, array) for array in arrays)
        and all(constant(place) in (-1, None) for place in places)
    )


def _is_size(node: ast.expr) -> bool:
    """``x.shape[0]`` is no count below 0."""
    return (
        isinstance(node, ast.Subscript)
        and isinstance(node.value, ast.Attribute)
        and node.value.attr == "shape"
    )
