"""Two loops over all pairs of two sequences, as a function of one pair and where its values go.

``read`` takes the nest apart: how many elements take part, which pairs, the statements that compute
with one element of each of some arrays, and the sums that they are added to. A body of another form
raises ``NotPairs``; what it must not do besides (read what it adds to, call what may have effects,
use the places as numbers) are conditions, stated by their names.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from auditor.region import Region
from auditor.syntax import constant, is_name, mentions, path_of, same
from auditor.tree import everything_in

Require = Callable[[bool, str, str], None]
"""States a condition under a name, with the reason where it does not hold."""


class NotPairs(Exception):
    """The nest does something besides adding up a function of pairs."""

    def __init__(self, condition: str, reason: str) -> None:
        super().__init__(reason)
        self.condition = condition
        self.reason = reason


@dataclass(frozen=True)
class Sum:
    """``name`` is added to, or taken from with ``sign`` -; for each row, each column, or all.
    ``rebound`` where that makes a new value of a total, in place of one that is changed."""

    name: str
    sign: str
    side: str
    value: ast.expr
    rebound: bool = False


@dataclass
class Pairs:
    """A nest over pairs. ``operands`` maps the text of an element (``x[i]``) to the array and the
    name of the element; ``statements`` come before ``sums``."""

    outer: ast.For
    inner: ast.For
    row: str
    column: str
    counts: tuple[str, str]
    kind: str
    statements: list[ast.Assign | ast.AugAssign | ast.AnnAssign]
    sums: list[Sum]
    require: Require
    rows: dict[str, str] = field(default_factory=dict)
    columns: dict[str, str] = field(default_factory=dict)


_ZEROS = frozenset(("zeros", "zeros_like", "new_zeros"))
_PURE = frozenset(
    "sqrt rsqrt exp exp2 expm1 log log1p log2 log10 sin cos tan tanh sinh cosh arctan2 atan2 hypot"
    " abs absolute fabs square power pow sum mean prod dot inner vdot norm cross where maximum"
    " minimum clip clamp sign floor reciprocal stack linalg.norm linalg.vector_norm linalg.cross"
    " special.erf erf erfc sigmoid max min amax amin subtract add multiply divide true_divide"
    " float64 float32 cdist".split()
)
_PURE_METHODS = frozenset(
    "sum mean prod dot norm sqrt rsqrt exp log sin cos tanh abs square pow max min amax amin clamp"
    " clip copy clone reciprocal cross float double sigmoid".split()
)
_PURE_BUILTINS = frozenset(("abs", "pow", "sum"))
MATH = {
    "sqrt": ("sqrt", 1), "exp": ("exp", 1), "log": ("log", 1), "sin": ("sin", 1),
    "cos": ("cos", 1), "tanh": ("tanh", 1), "fabs": ("fabs", 1), "pow": ("power", 2),
    "hypot": ("hypot", 2),
}  # fmt: skip
"""Functions of numbers, as NumPy calls them, with how many arguments both take."""
_STATEMENTS = (ast.Assign, ast.AugAssign, ast.AnnAssign)


def read(region: Region, outer: ast.For, require: Require) -> Pairs | None:
    """The nest that ``outer`` is, None where it is no loop over pairs at all. Raises
    ``NotPairs``."""
    inner = outer.body[0] if len(outer.body) == 1 else None
    if not isinstance(inner, ast.For) or outer.orelse or inner.orelse:
        return None
    if not isinstance(outer.target, ast.Name) or not isinstance(inner.target, ast.Name):
        return None
    row, column = outer.target.id, inner.target.id
    first, second = _range(region, outer.iter), _range(region, inner.iter)
    if first is None or second is None or row == column:
        return None
    (start, rows), (after, columns) = first, second
    kind = "all"
    if after is not None:
        if not _is_next(after, row):
            return None
        kind = "above"
    if start is not None or any(mentions(columns, name) for name in (row, column)):
        return None
    if not (_elements(inner, row, column) and _elements(inner, column, row)):
        return None
    body, guard = _guarded(inner.body, row, column)
    if guard is not None:
        kind = guard if kind == "all" else kind
    counts = ast.unparse(rows), ast.unparse(columns)
    found = Pairs(outer, inner, row, column, counts, kind, [], [], require)
    for statement in body:
        _take(found, statement)
    if not found.sums:
        return None
    _check(region, found)
    return found


def _elements(inner: ast.For, place: str, other: str) -> bool:
    """Whether the body reads an element at one place that the other has nothing to do with."""
    return any(
        isinstance(node, ast.Subscript)
        and isinstance(node.ctx, ast.Load)
        and mentions(node.slice, place)
        and not mentions(node, other)
        for statement in inner.body
        for node in everything_in(
            statement.value if isinstance(statement, ast.AugAssign) else statement
        )
    )


def _range(region: Region, node: ast.expr) -> tuple[ast.expr | None, ast.expr] | None:
    """The start (None: 0) and the end of a ``range`` with step 1."""
    if not isinstance(node, ast.Call) or not is_name(node.func, "range") or node.keywords:
        return None
    if "range" in region.stores or "range" in region.module.names:
        return None  # something else by that name
    if len(node.args) == 1:
        return None, node.args[0]
    if len(node.args) == 2:
        return (None if constant(node.args[0]) == 0 else node.args[0]), node.args[1]
    return None


def _is_next(node: ast.expr, name: str) -> bool:
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add):
        return False
    sides = (node.left, node.right), (node.right, node.left)
    return any(is_name(a, name) and constant(b) == 1 for a, b in sides)


def _guarded(body: list[ast.stmt], row: str, column: str) -> tuple[list[ast.stmt], str | None]:
    """The body without a guard over the places, and the pairs that the guard leaves."""
    first = body[0]
    if not isinstance(first, ast.If) or first.orelse:
        return body, None
    skips = len(first.body) == 1 and isinstance(first.body[0], ast.Continue)
    left = _compared(first.test, row, column)
    if skips and len(body) > 1:
        kept = {"==": "others", ">=": "above"}.get(left or "")
        return (body[1:], kept) if kept else (body, None)
    if not skips and len(body) == 1:
        kept = {"!=": "others", "<": "above"}.get(left or "")
        return (first.body, kept) if kept else (body, None)
    return body, None


_OPERATORS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
_TURNED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def _compared(test: ast.expr, row: str, column: str) -> str | None:
    """How a condition compares the row's place with the column's."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = _compared(test.operand, row, column)
        return None if inner is None else _OPPOSITE[inner]
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    operator = _OPERATORS.get(type(test.ops[0]))
    if operator is None:
        return None
    if is_name(test.left, row) and is_name(test.comparators[0], column):
        return operator
    if is_name(test.left, column) and is_name(test.comparators[0], row):
        return _TURNED[operator]
    return None


# -- statements


def _take(found: Pairs, statement: ast.stmt) -> None:
    """A statement of the body: a sum that is added to, or a value of the pair's own."""
    if not isinstance(statement, _STATEMENTS):
        raise NotPairs("statement", f"line {statement.lineno} is more than a value of a pair")
    added = _added(found, statement)
    if added is not None:
        found.sums.append(added)
        return
    if found.sums:
        read = {n.id for n in everything_in(statement) if isinstance(n, ast.Name)}
        if read & {each.name for each in found.sums}:
            raise NotPairs("reads-sum", f"line {statement.lineno} reads a sum")
        bound = {
            n.id
            for n in everything_in(statement)
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
        }
        for each in found.sums:
            if bound & {n.id for n in everything_in(each.value) if isinstance(n, ast.Name)}:
                raise NotPairs("order", f"line {statement.lineno} changes what was added before")
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    for target in targets:
        names = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
        if not all(isinstance(name, ast.Name) for name in names):
            raise NotPairs("writes", f"line {statement.lineno} writes into an array")
        if any(is_name(name, found.row) or is_name(name, found.column) for name in names):
            raise NotPairs("place", f"line {statement.lineno} changes the place")
    if isinstance(statement, ast.AnnAssign) and statement.value is None:
        raise NotPairs("statement", f"line {statement.lineno} is more than a value of a pair")
    found.statements.append(statement)


def _added(found: Pairs, statement: ast.stmt) -> Sum | None:
    """``a[i] += e``, ``a[j] -= e``, ``total += e``; written out too."""
    target: ast.expr
    if isinstance(statement, ast.AugAssign):
        target, value, op = statement.target, statement.value, statement.op
    elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target, written = statement.targets[0], statement.value
        if not isinstance(written, ast.BinOp) or not isinstance(target, (ast.Name, ast.Subscript)):
            return None
        op = written.op
        if same(written.left, target):
            value = written.right
        elif isinstance(op, ast.Add) and same(written.right, target):
            value = written.left
        else:
            return None
    else:
        return None
    signs = {ast.Add: "+", ast.Sub: "-"}
    own = isinstance(target, ast.Name) and any(
        is_name(n, target.id) for s in found.statements for n in _bound(s)
    )
    if own:
        return None  # a value of the pair's own that is changed
    if type(op) not in signs:
        name = ast.unparse(target)
        raise NotPairs("operator", f"`{name}` is no sum")
    sign = signs[type(op)]
    if isinstance(target, ast.Name):
        return Sum(target.id, sign, "all", value, isinstance(statement, ast.Assign))
    if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
        at = target.slice
        if isinstance(at, ast.Tuple) and len(at.elts) == 2 and ast.unparse(at.elts[1]) == ":":
            at = at.elts[0]
        for side, place in (("rows", found.row), ("columns", found.column)):
            if is_name(at, place):
                return Sum(target.value.id, sign, side, value)
    raise NotPairs("writes", f"`{ast.unparse(target)}` is not a sum of a row or a column")


def _bound(statement: ast.stmt) -> list[ast.Name]:
    return [
        n
        for n in everything_in(statement)
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    ]


# -- what the nest must not do


def _check(region: Region, found: Pairs) -> None:
    own = {name.id for statement in found.statements for name in _bound(statement)}
    totals = [each.name for each in found.sums]
    if len({(each.name, each.side) for each in found.sums}) != len(found.sums):
        found.require(False, "reads-sum", "a sum is added to twice")
    parts = [*found.statements, *(each.value for each in found.sums)]
    if own & set(totals):
        found.require(False, "reads-sum", "a sum is a value of a pair as well")
    for part in parts:
        for node in everything_in(part):
            _check_node(region, found, node, own)
    _check_values(found, own)
    for each in found.sums:
        _check_start(region, found, each)
    for name in {*own, found.row, found.column}:
        if region.read_after(found.outer, name):
            found.require(False, "read-later", f"`{name}` is read after the loops")
    for count in found.counts:
        if not re.fullmatch(r"[\w.\[\]\-+*/ ()]+", count) or "(" in count.replace("len(", ""):
            found.require(False, "counts", f"`{count}` may not be the same at each step")


def _check_node(region: Region, found: Pairs, node: ast.AST, own: set[str]) -> None:
    if isinstance(node, ast.Name):
        if node.id in (each.name for each in found.sums) and isinstance(node.ctx, ast.Load):
            found.require(False, "reads-sum", f"`{node.id}` is read while it is added to")
        if node.id in (found.row, found.column) and not _takes_element(region, found, node):
            found.require(False, "place", f"`{node.id}` is used for more than taking elements")
    if isinstance(node, (ast.Await, ast.Yield, ast.YieldFrom, ast.Lambda, ast.NamedExpr)):
        found.require(False, "effects", "the body does more than compute")
    if isinstance(node, (ast.IfExp, ast.BoolOp, ast.ListComp, ast.GeneratorExp, ast.DictComp)):
        found.require(False, "branch", "what is computed depends on a value, a pair at a time")
    if isinstance(node, ast.Call) and not _pure(region, node, own):
        found.require(False, "effects", f"`{ast.unparse(node.func)}` may do more than compute")


def _takes_element(region: Region, found: Pairs, name: ast.Name) -> bool:
    """``x[i]``, ``x[i, 0]`` or ``self.x[i]``: the subscript's array is bound outside of the loops.
    Notes the operand."""
    at: ast.AST | None = region.parents.get(name)
    first: ast.AST = name
    if isinstance(at, ast.Tuple) and at.elts and at.elts[0] is name:
        first, at = at, region.parents.get(at)
        assert isinstance(first, ast.Tuple)
        if any(mentions(each, n) for each in first.elts[1:] for n in (found.row, found.column)):
            return False
    if not isinstance(at, ast.Subscript) or at.slice is not first:
        return False
    if not re.fullmatch(r"[^\W\d]\w*(\.[^\W\d]\w*)*", array := ast.unparse(at.value)):
        return False
    root = array.partition(".")[0]
    if any(n.id == root for s in found.statements for n in _bound(s)):
        return False
    operands = found.rows if name.id == found.row else found.columns
    operands.setdefault(array, "")
    return True


def _pure(region: Region, call: ast.Call, own: set[str]) -> bool:
    """Whether a call does nothing besides computing: a function of the libraries, or a method of a
    value of the pair's."""
    func = call.func
    if any(word.arg in ("out", None) for word in call.keywords):
        return False
    if any(isinstance(arg, ast.Starred) for arg in call.args):
        return False
    path = path_of(region.module, func)
    if path is not None:
        library, _, name = path.partition(".")
        if library == "math":
            return MATH.get(name, ("", 0))[1] == len(call.args) and not call.keywords
        return library in ("numpy", "torch") and name in _PURE
    if isinstance(func, ast.Attribute):
        computed = isinstance(func.value, (ast.BinOp, ast.UnaryOp, ast.Call, ast.Subscript))
        mine = isinstance(func.value, ast.Name) and func.value.id in own
        return func.attr in _PURE_METHODS and (computed or mine)
    if not isinstance(func, ast.Name) or func.id not in _PURE_BUILTINS:
        return False
    return func.id not in region.stores and func.id not in region.module.names


def _check_values(found: Pairs, own: set[str]) -> None:
    """A value of the pair's own is bound before it is read, and nothing of another pair is; what is
    changed in place is a new value."""
    bound: set[str] = set()
    fresh: set[str] = set()
    for statement in found.statements:
        value = statement.value
        assert value is not None
        for node in everything_in(value):
            if isinstance(node, ast.Name) and node.id in own - bound:
                found.require(False, "carried", f"`{node.id}` is carried from pair to pair")
        names = {name.id for name in _bound(statement)}
        if isinstance(statement, ast.AugAssign) and not names <= fresh:
            found.require(False, "writes", f"line {statement.lineno} may write into an operand")
        bound |= names
        fresh |= names if isinstance(value, (ast.BinOp, ast.Call, ast.UnaryOp)) else set()
        if not isinstance(value, (ast.BinOp, ast.Call, ast.UnaryOp)):
            fresh -= names if not isinstance(statement, ast.AugAssign) else set()


def _check_start(region: Region, found: Pairs, each: Sum) -> None:
    """A sum starts as zeros of its own, which nothing else holds; a total as a number or so."""
    block = region.siblings(found.outer)
    before = block[: block.index(found.outer)]
    start = next((s for s in reversed(before) if _binds_alone(s, each.name)), None)
    if start is None:
        found.require(False, "start", f"`{each.name}` may be or hold something that the body reads")
        return
    assert isinstance(start, ast.Assign)
    between = before[before.index(start) + 1 :]
    if any(mentions(s, each.name) for s in between):
        found.require(False, "start", f"`{each.name}` is used before the loops")
    value = start.value
    number = isinstance(constant(value), (int, float)) and not isinstance(constant(value), bool)
    zeros = isinstance(value, ast.Call) and _zeros(region, value)
    if not (zeros or (each.side == "all" and number)):
        found.require(False, "start", f"`{each.name}` does not start as zeros")


def _binds_alone(statement: ast.stmt, name: str) -> bool:
    return (
        isinstance(statement, ast.Assign)
        and len(statement.targets) == 1
        and is_name(statement.targets[0], name)
    )


def _zeros(region: Region, call: ast.Call) -> bool:
    path = path_of(region.module, call.func)
    if path is not None:
        return path.partition(".")[0] in ("numpy", "torch") and path.rpartition(".")[2] in _ZEROS
    return isinstance(call.func, ast.Attribute) and call.func.attr in _ZEROS
