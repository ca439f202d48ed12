"""Two loops over all pairs of two sequences, as a function of one pair and where its values go.

``read`` takes the nest apart: how many elements take part, which pairs, the statements that compute
with one element of each of some arrays, and the sums that they are added to. A body of another form
raises ``NotPairs``; what it must not do besides (read what it adds to, call what may have effects,
use the places as numbers) are conditions, stated by their names.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from auditor.pairs.filters import Test, Unasked, both, filtered
from auditor.pairs.walks import is_chain, walk_of
from auditor.surroundings.region import Region
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
    ``rebound`` where that makes a new value of a total, in place of one that is changed. ``start``
    where the sum of a row is made of its own, from this value, and then put into the array. Of a
    row it may be one component, at the place ``part``."""

    name: str
    sign: str
    side: str
    value: ast.expr
    rebound: bool = False
    start: ast.expr | None = None
    part: int | None = None

    def meets(self, other: Sum) -> bool:
        """Whether both may be of one cell."""
        parts = {self.part, other.part}
        return self.name == other.name and (len(parts) == 1 or None in parts)

    @property
    def array(self) -> str:
        """What is added to, as the array of all rows."""
        return self.name if self.part is None else f"{self.name}[:, {self.part}]"


@dataclass
class Pairs:
    """A nest over pairs. ``rows`` and ``columns`` are the arrays of which an element is read, with
    the name of the element where it has one; ``statements`` come before ``sums``. ``row_sums`` are
    those that a row makes of its own, with what they start from. ``tests`` say which pairs count,
    all of them, where the first ``tested`` statements are done."""

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
    row_sums: dict[str, ast.expr] = field(default_factory=dict)
    tests: list[Test] = field(default_factory=list)
    tested: int = 0


_ZEROS = frozenset(("zeros", "zeros_like", "new_zeros"))
_EMPTY = frozenset(("empty", "empty_like", "new_empty"))
_COPIES = frozenset(("copy", "clone"))
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
_BRANCHES = (ast.IfExp, ast.BoolOp, ast.ListComp, ast.GeneratorExp, ast.DictComp, ast.SetComp)
_MORE = (*_BRANCHES, ast.Await, ast.Yield, ast.YieldFrom, ast.Lambda, ast.NamedExpr)
_STATEMENTS = (ast.Assign, ast.AugAssign, ast.AnnAssign)


def read(region: Region, outer: ast.For, require: Require) -> Pairs | None:
    """The nest that ``outer`` is, None where it is no loop over pairs at all. Raises
    ``NotPairs``."""
    inners = [part for part in outer.body if isinstance(part, ast.For)]
    if len(inners) != 1 or outer.orelse or inners[0].orelse:
        return None
    (inner,) = inners
    first, second = walk_of(region, outer), walk_of(region, inner)
    if first is None or second is None or {*first.names} & {*second.names}:
        return None
    row, column = first.place, second.place
    kind, counts = "all", (first.count, second.count)
    if second.start is not None:
        if not _is_next(second.start, row):
            return None
        kind = "above"
    elif is_name(second.stop, row):
        kind, counts = "below", (first.count, second.count if second.elements else first.count)
    elif second.stop is not None and (
        second.elements or any(mentions(second.stop, name) for name in (row, column))
    ):
        return None
    if first.start is not None or (first.stop is not None and first.elements):
        return None
    if not (_elements(outer, row, column) or first.elements):
        return None
    if not (_elements(outer, column, row) or second.elements):
        return None
    try:
        body = filtered(inner.body, row, column)
        kind = both(kind, body.kind)
    except Unasked as reason:
        raise NotPairs("branch", str(reason)) from None
    found = Pairs(outer, inner, row, column, counts, kind, [], [], require, tests=body.tests)
    found.rows.update(first.elements)
    found.columns.update(second.elements)
    at = outer.body.index(inner)
    _before(found, outer.body[:at])
    begun = len(found.statements)
    found.tested = begun + body.tested
    for place, statement in enumerate(body.statements):
        if body.tests and place == body.tested and found.sums:
            raise NotPairs("branch", "some is added before it is asked which pairs count")
        _take(found, statement)
    if not found.sums:
        return None
    _after(found, outer.body[at + 1 :])
    _check(region, found)
    return found


def _before(found: Pairs, statements: list[ast.stmt]) -> None:
    """What a row does before it meets the columns: it starts sums of its own, or computes."""
    summed = {
        n.id
        for s in everything_in(found.inner)
        if isinstance(s, (ast.Assign, ast.AugAssign))
        for n in stored(s)
        if mentions(s, n.id) and (isinstance(s, ast.AugAssign) or mentions(s.value, n.id))
    }
    for statement in statements:
        started = _started(statement)
        if summed.isdisjoint(n.id for n in stored(statement)):
            _take(found, statement)
        elif summed.issuperset(started):
            found.row_sums.update(started)
        else:
            raise NotPairs("statement", f"line {statement.lineno} starts more than a sum")
    if found.sums:
        raise NotPairs("statement", "something is added once a row")


def _started(statement: ast.stmt) -> dict[str, ast.expr]:
    """The names that a statement binds, each with its value; what else it binds has no name."""
    pairs: list[tuple[ast.expr, ast.expr]]
    if isinstance(statement, ast.AnnAssign) and statement.value is not None:
        pairs = [(statement.target, statement.value)]
    elif isinstance(statement, ast.Assign):
        pairs = [(target, statement.value) for target in statement.targets]
    else:
        return {"": ast.Constant(None)}
    first, value = pairs[0]
    if len(pairs) > 1 and not isinstance(constant(value), (int, float)):
        return {"": value}  # one object by several names
    if isinstance(first, ast.Tuple) and isinstance(value, ast.Tuple):
        pairs = list(zip(first.elts, value.elts, strict=False))
    return {getattr(target, "id", ""): value for target, value in pairs}


def _after(found: Pairs, statements: list[ast.stmt]) -> None:
    """What a row does with its own sums: each is put into an array, or added to a total."""
    starts = found.row_sums
    own = {each.name: each for each in found.sums if each.name in starts}
    for name in starts:
        if name not in own or own[name].side != "all":
            raise NotPairs("statement", f"`{name}` is no sum of its row")
    for statement in _one_by_one(statements):
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        value = statement.value if isinstance(statement, (ast.Assign, ast.AugAssign)) else None
        one = own.pop(value.id, None) if isinstance(value, ast.Name) else None
        if one is None:
            raise NotPairs("statement", f"line {statement.lineno} does more than keep a sum")
        place = found.sums.index(one)
        if isinstance(statement, ast.AugAssign):
            added = _added(found, statement)
            if added is None or added.side == "columns" or one.sign == added.sign == "-":
                raise NotPairs("statement", f"line {statement.lineno} does more than keep a sum")
            sign = "-" if "-" in (one.sign, added.sign) else "+"
            if added.side == "rows":
                raise NotPairs("statement", f"line {statement.lineno} adds to a row")
            found.sums[place] = replace(added, sign=sign, value=one.value)
            continue
        cell = _cell(target)
        if cell is None:
            raise NotPairs("statement", f"line {statement.lineno} does more than keep a sum")
        if not is_name(cell.row, found.row):
            raise NotPairs("writes", f"`{ast.unparse(cell.array)}` is not filled at the row")
        found.sums[place] = replace(
            one, name=cell.array.id, side="rows", start=starts[one.name], part=cell.part
        )
    if own:
        raise NotPairs("statement", f"`{next(iter(own))}` is not kept once for each row")


def _elements(loop: ast.For, place: str, other: str) -> bool:
    """Whether the body reads an element at one place that the other has nothing to do with."""
    return any(
        isinstance(node, ast.Subscript)
        and isinstance(node.ctx, ast.Load)
        and mentions(node.slice, place)
        and not mentions(node, other)
        for statement in loop.body
        for node in everything_in(
            statement.value if isinstance(statement, ast.AugAssign) else statement
        )
    )


def _is_next(node: ast.expr, name: str) -> bool:
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add):
        return False
    sides = (node.left, node.right), (node.right, node.left)
    return any(is_name(a, name) and constant(b) == 1 for a, b in sides)


# -- statements


def _take(found: Pairs, statement: ast.stmt) -> None:
    """A statement of the body: a sum that is added to, or a value of the pair's own."""
    if not isinstance(statement, _STATEMENTS):
        raise NotPairs(
            "statement", f"line {statement.lineno} does more than compute a value of a pair"
        )
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
        raise NotPairs(
            "statement", f"line {statement.lineno} does more than compute a value of a pair"
        )
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
        is_name(n, target.id) for s in found.statements for n in stored(s)
    )
    if own:
        return None  # a value of the pair's own that is changed
    if type(op) not in signs:
        name = ast.unparse(target)
        raise NotPairs("operator", f"`{name}` is no sum")
    sign = signs[type(op)]
    if isinstance(target, ast.Name):
        return Sum(target.id, sign, "all", value, isinstance(statement, ast.Assign))
    cell = _cell(target)
    for side, place in (("rows", found.row), ("columns", found.column)):
        if cell is not None and is_name(cell.row, place):
            return Sum(cell.array.id, sign, side, value, part=cell.part)
    raise NotPairs("writes", f"`{ast.unparse(target)}` is not a sum of a row or a column")


@dataclass(frozen=True)
class _Cell:
    """A row of an array, or its component at ``part``."""

    array: ast.Name
    row: ast.expr
    part: int | None = None


def _cell(target: ast.expr | None) -> _Cell | None:
    """``a[i]``, ``a[i, :]``, ``a[i, 0]``, ``a[i][0]``."""
    if not isinstance(target, ast.Subscript):
        return None
    items = list(target.slice.elts) if isinstance(target.slice, ast.Tuple) else [target.slice]
    base = target.value
    if isinstance(base, ast.Subscript) and not isinstance(base.slice, ast.Tuple):
        items, base = [base.slice, *items], base.value
    if not isinstance(base, ast.Name) or not 1 <= len(items) <= 2:
        return None
    if len(items) == 1 or ast.unparse(items[1]) == ":":
        return _Cell(base, items[0])
    part = constant(items[1])
    return _Cell(base, items[0], part) if type(part) is int and part >= 0 else None


def _one_by_one(statements: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements, with a row that is written as a list of its components taken apart."""
    for statement in statements:
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        parts = _listed(statement.value) if isinstance(statement, ast.Assign) else []
        cell = _cell(target)
        if cell is None or cell.part is not None or len(parts) < 2:
            yield statement
            continue
        for place, part in enumerate(parts):
            at = ast.Tuple([cell.row, ast.Constant(place)], ast.Load())
            written = ast.Assign([ast.Subscript(cell.array, at, ast.Store())], part)
            yield ast.fix_missing_locations(ast.copy_location(written, statement))


def _listed(value: ast.expr) -> list[ast.expr]:
    """The items of ``[a, b]``, ``(a, b)``, ``np.array([a, b])``."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        made = value.func.attr in ("array", "asarray") and len(value.args) == 1
        return _listed(value.args[0]) if made and not value.keywords else []
    return list(value.elts) if isinstance(value, (ast.List, ast.Tuple)) else []


def stored(statement: ast.stmt) -> list[ast.Name]:
    """The places where a statement binds a name."""
    return [
        n
        for n in everything_in(statement)
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    ]


# -- what the nest must not do


def _check(region: Region, found: Pairs) -> None:
    own = {name.id for statement in found.statements for name in stored(statement)}
    totals = [*(each.name for each in found.sums), *found.row_sums]
    alone = [each for each in found.sums if each.start is not None]
    if any(each is not other and each.meets(other) for each in alone for other in found.sums):
        found.require(False, "reads-sum", "a row is added to and put away as well")
    for name, value in found.row_sums.items():
        zero = constant(value) == 0 and not isinstance(constant(value), bool)
        if not zero and not (isinstance(value, ast.Call) and _zeros(region, value)):
            found.require(False, "start", f"`{name}` does not start as zeros")
    if len({(each.array, each.side) for each in found.sums}) != len(found.sums):
        found.require(False, "reads-sum", "a sum is added to twice")
    asked = [side for test in found.tests for side in (test.left, test.right)]
    parts = [*found.statements, *asked, *(each.value for each in found.sums)]
    if own & set(totals):
        found.require(False, "reads-sum", "a sum is a value of a pair as well")
    for part in parts:
        for node in everything_in(part):
            _check_node(region, found, node, own)
    _check_values(found, own)
    for each in found.sums:
        _check_start(region, found, each)
    elements = {name for name in (*found.rows.values(), *found.columns.values()) if name}
    if own & elements:
        found.require(False, "place", "an element is bound to something else")
    walked = {text.partition(".")[0] for text in (*found.rows, *found.columns)}
    if walked & {each.name for each in found.sums}:
        found.require(False, "reads-sum", "a sum is walked while it is added to")
    for name in {*own, *elements, *found.row_sums, found.row, found.column} - {""}:
        if region.read_after(found.outer, name):
            found.require(False, "read-later", f"`{name}` is read after the loops")
    inside = {*own, *elements, *found.row_sums, found.row, found.column}
    inside |= {each.name for each in found.sums if each.side == "all"}
    for text in (*found.counts, *found.rows, *found.columns):
        if changed := inside & set(re.findall(r"[^\W\d]\w*", text)):
            found.require(False, "counts", f"`{min(changed)}` is another one at each step")
    for count in found.counts:
        bare = re.sub(r"\b(?:len|min)\(", "", count)
        if not re.fullmatch(r"[\w.\[\]\-+*/ (),]+", count) or "(" in bare:
            found.require(False, "counts", f"`{count}` may not be the same at each step")


def _check_node(region: Region, found: Pairs, node: ast.AST, own: set[str]) -> None:
    if isinstance(node, ast.Name):
        sums = {*(each.name for each in found.sums), *found.row_sums}
        if node.id in sums and isinstance(node.ctx, ast.Load):
            found.require(False, "reads-sum", f"`{node.id}` is read while it is added to")
        if node.id in (found.row, found.column) and not _takes_element(region, found, node):
            found.require(False, "place", f"`{node.id}` is used for more than taking elements")
    if isinstance(node, _MORE) and not isinstance(node, _BRANCHES):
        found.require(False, "effects", "the body does more than compute")
    if isinstance(node, _BRANCHES):
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
    if not is_chain(at.value):
        return False
    array = ast.unparse(at.value)
    root = array.partition(".")[0]
    if any(n.id == root for s in found.statements for n in stored(s)):
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
    if not isinstance(func, ast.Name) or func.id in region.stores:
        return False
    if func.id in _PURE_BUILTINS:
        return func.id not in region.module.names
    return _pure_function(region, func.id)


def _pure_function(region: Region, name: str) -> bool:
    """Whether a function of the file only computes, with the functions of the libraries."""
    known = [n for n in region.module.tree.body if getattr(n, "name", None) == name]
    if len(known) != 1 or not isinstance(known[0], ast.FunctionDef) or known[0].decorator_list:
        return False
    if any(n.id == name for n in everything_in(region.module.tree)
           if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)):  # fmt: skip
        return False
    body = known[0].body[bool(ast.get_docstring(known[0])) :]
    own = {arg.arg for arg in known[0].args.args}
    for statement in body:
        plain = isinstance(statement, ast.Assign) and all(
            isinstance(target, ast.Name) for target in statement.targets
        )
        if not plain and not isinstance(statement, ast.Return):
            return False
        for node in everything_in(statement):
            if isinstance(node, _MORE) or (
                isinstance(node, ast.Call)
                and (
                    (path_of(region.module, node.func) or "").startswith("math.")
                    or not isinstance(node.func, ast.Attribute)
                    or not _pure(region, node, own)
                )
            ):
                return False
        own |= {n.id for n in stored(statement)}
    return True


def _check_values(found: Pairs, own: set[str]) -> None:
    """A value of the pair's own is bound before it is read, and nothing of another pair is; what is
    changed in place is a new value."""
    bound: set[str] = set()
    fresh: set[str] = set()
    asked = [node for test in found.tests for node in (test.left, test.right)]
    for place, statement in enumerate(found.statements):
        if place == found.tested and any(
            mentions(node, name) for node in asked for name in own - bound
        ):
            found.require(False, "carried", "what is asked of a pair is carried from pair to pair")
        value = statement.value
        assert value is not None
        for node in everything_in(value):
            if isinstance(node, ast.Name) and node.id in own - bound:
                found.require(False, "carried", f"`{node.id}` is carried from pair to pair")
        names = {name.id for name in stored(statement)}
        if isinstance(statement, ast.AugAssign) and not names <= fresh:
            found.require(False, "writes", f"line {statement.lineno} may write into an operand")
        bound |= names
        fresh |= names if isinstance(value, (ast.BinOp, ast.Call, ast.UnaryOp)) else set()
        if not isinstance(value, (ast.BinOp, ast.Call, ast.UnaryOp)):
            fresh -= names if not isinstance(statement, ast.AugAssign) else set()


def _check_start(region: Region, found: Pairs, each: Sum) -> None:
    """A sum starts as zeros of its own, or a copy, which nothing else holds; a total as a number or
    so."""
    block = region.siblings(found.outer)
    before = block[: block.index(found.outer)]
    starts = ((s, value) for s in reversed(before)
              if (value := _started(s).get(each.name)) is not None)  # fmt: skip
    start, value = next(starts, (None, None))
    if start is None or value is None:
        found.require(False, "start", f"`{each.name}` may be or hold something that the body reads")
        return
    between = before[before.index(start) + 1 :]
    if any(mentions(s, each.name) for s in between):
        found.require(False, "start", f"`{each.name}` is used before the loops")
    number = isinstance(constant(value), (int, float)) and not isinstance(constant(value), bool)
    fills = _ZEROS if each.start is None else _ZEROS | _EMPTY
    fills |= _COPIES if each.side != "all" and each.start is None else frozenset()
    zeros = isinstance(value, ast.Call) and _zeros(region, value, fills)
    if not (zeros or (each.side == "all" and number)):
        found.require(False, "start", f"`{each.name}` does not start as zeros")


def _zeros(region: Region, call: ast.Call, fills: frozenset[str] = _ZEROS) -> bool:
    path = path_of(region.module, call.func)
    if path is not None:
        return path.partition(".")[0] in ("numpy", "torch") and path.rpartition(".")[2] in fills
    return isinstance(call.func, ast.Attribute) and call.func.attr in fills
