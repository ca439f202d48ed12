"""Windows that are cut at the ends of an array, as whole windows of the array with more around it.

``x[max(0, i - w) : i + w + 1]`` for each i of ``range(len(x))`` holds what there is of ``padded[i :
i + 2 * w + 1]``, where ``padded`` is ``x`` with more around it: zeros, which add nothing, or what
is no larger than anything in the window (``auditor.plain.surroundings``). A mean is the sum over
how many elements there are.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field

from auditor.plain.bounds import Place, size_of
from auditor.plain.surroundings import Surrounds, surrounds
from auditor.plain.text import Body, Swap, Written, name
from auditor.syntax import constant, is_name, is_whole, path_of, subscripted
from auditor.tree import everything_in
from auditor.verdict import Edit

CUT = r"max\((?:0, ?\w+ ?-|\w+ ?- ?[^,()]+, ?0\))"
"""Where a window may be cut at the beginning."""

_FOLDS = ("sum", "mean", "max", "min", "amax", "amin")
_MAKES = frozenset(
    f"{library}.{made}{like}"
    for library in ("numpy", "torch")
    for made in ("zeros", "ones", "empty", "full")
    for like in ("", "_like")
)
_COMPUTE = frozenset(f"torch.{name}" for name in (*_FOLDS, "stack", "abs", "exp", "log", "sqrt"))
_WRITE = frozenset(f"numpy.{word}" for word in ("copyto", "put", "place", "putmask"))
_CALLED = ("range", "len", "min", "max", "sum", "abs", "float", "int")
_REPEATS = (ast.For, ast.While, ast.AsyncFor)


class _Unread(Exception):
    """The windows are other ones."""


def _sum(node: ast.expr) -> Place:
    """The parts of a sum: names and other texts."""
    number = constant(node)
    if type(number) is int:
        return Place(frozenset(), number)
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        sign = 1 if isinstance(node.op, ast.Add) else -1
        return _sum(node.left).plus(_sum(node.right), sign)
    if isinstance(node, (ast.Name, ast.Attribute)):
        return Place(frozenset({(ast.unparse(node), 1)}), 0)
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.FloorDiv, ast.Mult)):
        return Place(frozenset({(f"({ast.unparse(node)})", 1)}), 0)
    raise _Unread


def clipped(written: Written) -> Iterator[list[Edit]]:
    """One outermost loop, or statement with a comprehension, after the other."""
    around_arrays = surrounds(written)
    if around_arrays is None:
        return
    for block, place in written.own():
        statement = block[place]
        around = written.ancestors(statement, written.node)
        if any(isinstance(above, _REPEATS) for above in around):
            continue
        text = ast.unparse(statement) if "max(" in written.module.source(statement) else ""
        if "max(" not in text or not isinstance(statement, (ast.For, ast.Assign, ast.Return)):
            continue
        try:
            yield _Windows(written, statement, around_arrays).edits()
        except _Unread:
            continue


@dataclass(frozen=True)
class _Window:
    """A window of ``array`` that is cut: what has to be put around each axis for it to be whole,
    at ``sub``, how many elements there are in it, and which of its axes are ``cut``."""

    array: str
    ends: tuple[tuple[str, str], ...]
    sub: ast.expr
    count: str
    cut: tuple[bool, ...]


@dataclass
class _Windows:
    """A loop whose steps look at windows. ``over`` says of which axis each loop variable has all
    places, ``made`` the names of arrays with more around them, by what they are called with."""

    written: Written
    statement: ast.stmt
    library: Surrounds
    over: dict[str, tuple[str, int]] = field(default_factory=dict)
    made: dict[str, str] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)

    def edits(self) -> list[Edit]:
        """The loop with whole windows, behind the arrays that these are of. Raises ``_Unread``."""
        self._require_plain()
        whole = deepcopy(self.statement)
        for node in everything_in(whole):
            if isinstance(node, (ast.For, ast.comprehension)):
                self._walked(node)
            if isinstance(node, ast.For):
                node.body = _inlined(self.written, [_summed(each) for each in node.body])
        whole = _Folds(self).visit(whole)
        if not self.made or any(_cut(node) for node in everything_in(whole)):
            raise _Unread
        padded: Body = [
            ast.Assign([name(word, ast.Store())], ast.parse(call, mode="eval").body, lineno=0)
            for call, word in self.made.items()
        ]
        edit = self.written.replaced([self.statement], [*padded, whole])
        if edit is None:
            raise _Unread
        return [edit]

    def _walked(self, node: ast.For | ast.comprehension) -> None:
        """``for i in range(len(x))``: all places of an axis."""
        call, target = node.iter, node.target
        if not isinstance(target, ast.Name) or len(self._stores(target.id)) != 1:
            return
        if isinstance(call, ast.Call) and is_name(call.func, "range") and len(call.args) == 1:
            size = self._size(call.args[0])
            if size is not None:
                self.over[target.id] = size

    def _stores(self, word: str) -> list[ast.Name]:
        return [n for n in self.written.names.get(word, ()) if not isinstance(n.ctx, ast.Load)]

    def _size(self, node: ast.expr) -> tuple[str, int] | None:
        """The axis that a number is the length of."""
        found = size_of(node)
        if found is not None or not isinstance(node, ast.Name):
            return found
        stores = self._stores(node.id)
        if len(stores) != 1 or node.id in self.written.arguments:
            return None
        value = self.written.bound(stores[0])
        if value is not None:
            return self._size(value) if not isinstance(value, ast.Name) else None
        row = self.written.parents[stores[0]]
        made = self.written.parents[row] if isinstance(row, ast.Tuple) else None
        if not isinstance(made, ast.Assign) or not isinstance(made.value, ast.Attribute):
            return None
        held = made.value.value
        if made.value.attr != "shape" or not isinstance(held, ast.Name):
            return None
        return (held.id, row.elts.index(stores[0])) if isinstance(row, ast.Tuple) else None

    def _same_array(self, array: str) -> bool:
        """Whether a name stands for one array, from before the loop on."""
        stores = self._stores(array)
        if len(stores) > 1 or not (stores or array in self.written.arguments):
            return False
        first = [n for n in self.written.node.body if isinstance(n, ast.Assign)]
        return all(
            any(store in node.targets and node.lineno < self.statement.lineno for node in first)
            for store in stores
        )

    def _require_plain(self) -> None:
        """A step writes nothing but into what is made here, and calls nothing that may: what has
        more around it is a copy. Raises ``_Unread``."""
        for node in everything_in(self.statement):
            if isinstance(node, (ast.Subscript, ast.Attribute)) and not isinstance(
                node.ctx, ast.Load
            ):
                held = node.value
                if not isinstance(held, ast.Name) or not self._made_here(held.id):
                    raise _Unread
            if isinstance(node, ast.Call) and not self._harmless(node.func):
                raise _Unread
            if isinstance(node, ast.keyword) and node.arg == "out":
                raise _Unread

    def _harmless(self, function: ast.expr) -> bool:
        """Whether a call of a function computes a number or an array, or fills a list."""
        module = self.written.module
        if isinstance(function, ast.Name):
            plain = function.id in _CALLED and function.id not in self.written.stored
            return plain and function.id not in module.bound
        path = path_of(module, function)
        if path is not None:
            of_numpy = path.startswith("numpy.") and path.count(".") == 1 and path not in _WRITE
            return of_numpy or path in _COMPUTE or path in _MAKES
        return isinstance(function, ast.Attribute) and function.attr in (*_FOLDS, "append")

    def _made_here(self, array: str) -> bool:
        """Whether a name is bound once in the function, to a new array."""
        stores = self._stores(array)
        value = self.written.bound(stores[0]) if len(stores) == 1 else None
        if not isinstance(value, ast.Call) or array in self.written.arguments:
            return False
        return path_of(self.written.module, value.func) in _MAKES

    # -- windows

    def window(self, node: ast.expr, along: bool) -> _Window | None:
        """A window that is cut, as a whole one; None where it is something else. It may have more
        axes than are named where it is folded ``along`` one. Raises ``_Unread``."""
        if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
            return None
        array = node.value.id
        items = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
        if not any(map(_cut, everything_in(node.slice))):
            return None
        if array in self.over or not self._same_array(array):
            raise _Unread
        rank = self._rank(array, len(items), along)
        ends: list[tuple[str, str]] = []
        counts: list[str] = []
        said: list[ast.expr] = []
        cut: list[bool] = []
        for axis, item in enumerate(items):
            if not isinstance(item, ast.Slice) or is_whole(item):
                ends.append(("0", "0"))
                said.append(item)
                cut += [False] if isinstance(item, ast.Slice) else []
                continue
            around, count, whole = self._slice(array, axis, item)
            ends.append(around)
            counts.append(count)
            said.append(whole)
            cut.append(True)
        ends += [("0", "0")] * (rank - len(items))
        sub = said[0] if len(said) == 1 else ast.Tuple(said, ast.Load())
        return _Window(array, tuple(ends), sub, " * ".join(counts), tuple(cut))

    def of_whole(self, window: _Window, fold: str) -> ast.expr:
        """The window as one of what has more around it."""
        return self._part(window, self.library.around(window.array, window.ends, fold), "padded")

    def counted(self, window: _Window, way: Callable[[ast.expr], ast.expr]) -> ast.expr:
        """How many elements there are in a window, be it by adding up ones."""
        ones = self.library.ones(window.array, window.ends)
        if ones is None:
            return ast.parse(window.count, mode="eval").body
        return way(self._part(window, ones, "counted"))

    def _part(self, window: _Window, call: str, word: str) -> ast.expr:
        if call not in self.made:
            self.made[call] = self.written.fresh(word, self.taken)
        return ast.Subscript(name(self.made[call]), window.sub, ast.Load())

    def _slice(
        self, array: str, axis: int, item: ast.Slice
    ) -> tuple[tuple[str, str], str, ast.Slice]:
        """What is put around an axis, how many elements the part of the window along it has, and
        the whole part."""
        if item.step is not None or item.lower is None or item.upper is None:
            raise _Unread
        low, cut = _without(item.lower, "max", lambda other: constant(other) == 0)
        high, _ = _without(item.upper, "min", lambda other: self._size(other) == (array, axis))
        first, stop = _sum(low), _sum(high)
        steps = [word for word in self.over if first.often(word) and stop.often(word)]
        if len(steps) != 1 or self.over[steps[0]] != (array, axis):
            raise _Unread
        (step,) = steps
        if first.often(step) != 1 or stop.often(step) != 1:
            raise _Unread
        moved = Place(frozenset({(step, 1)}), 0)
        before, behind = moved.plus(first, -1), stop.plus(moved, -1).shifted(-1)
        if (before.times or before.number) and not cut:
            raise _Unread  # a place before the first counts from the end
        if not all(self._fixed(each) for each in (before, behind)):
            raise _Unread
        whole = f"{step} : {stop.plus(before).text}"
        size = f"{array}.shape[{axis}]" if axis else f"len({array})"
        count = f"(min({stop.text}, {size}) - max({first.text}, 0))"
        parsed = ast.parse(f"x[{whole}]", mode="eval").body
        assert isinstance(parsed, ast.Subscript) and isinstance(parsed.slice, ast.Slice)
        return (before.text, behind.text), count, parsed.slice

    def _fixed(self, amount: Place) -> bool:
        """Whether no step changes an amount, and a number in it alone is not negative."""
        words = {n.id for text in amount.names
                 for n in everything_in(ast.parse(text)) if isinstance(n, ast.Name)}  # fmt: skip
        inside = {n.id for n in everything_in(self.statement)
                  if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}  # fmt: skip
        return words.isdisjoint(inside) and (bool(amount.times) or amount.number >= 0)

    def _rank(self, array: str, count: int, more: bool) -> int:
        """How many axes an array has, which are ``count`` where nothing says otherwise; whether it
        may have ``more``. Raises ``_Unread``."""
        rank = count
        for node in self.written.names.get(array, ()):
            above = self.written.parents.get(node)
            if isinstance(above, ast.Subscript) and above.value is node:
                many = len(above.slice.elts) if isinstance(above.slice, ast.Tuple) else 1
                if many > count:
                    raise _Unread
            if not isinstance(above, ast.Attribute) or above.attr != "shape":
                continue
            use = self.written.parents.get(above)
            if isinstance(use, ast.Assign) and isinstance(use.targets[0], ast.Tuple):
                rank = max(rank, len(use.targets[0].elts))
                if len(use.targets[0].elts) != rank or (rank > count and not more):
                    raise _Unread
            place = constant(use.slice) if isinstance(use, ast.Subscript) else 0
            if type(place) is int and not -count <= place < count:
                raise _Unread
        return rank


class _Folds(ast.NodeTransformer):
    """Writes the folds of windows that are cut as those of whole ones."""

    def __init__(self, windows: _Windows) -> None:
        self._windows = windows

    def visit_Call(self, node: ast.Call) -> ast.expr:
        function, given, fold = node.func, node.args, ""
        if isinstance(function, ast.Attribute):
            path = path_of(self._windows.written.module, function)
            fold = function.attr
            if path is None:
                given = [function.value, *given]
            elif path not in (f"numpy.{fold}", f"torch.{fold}"):
                fold = ""
        elif is_name(function, "len"):  # builtins fold otherwise: types, what is no number
            fold = "len"
        if not given or fold not in (*_FOLDS, "len"):
            return self.generic_visit(node)  # type: ignore[return-value]
        along = len(given) > 1 or bool(node.keywords)
        window = self._windows.window(given[0], along)
        if window is None or not self._takes(node, given[1:], fold, window):
            return self.generic_visit(node)  # type: ignore[return-value]
        if fold == "len":
            return ast.parse(window.count, mode="eval").body

        def folded(part: ast.expr) -> ast.expr:
            way = "sum" if fold == "mean" else fold if along else fold.removeprefix("a")
            return ast.Call(ast.Attribute(part, way, ast.Load()), given[1:], node.keywords)

        total = folded(self._windows.of_whole(window, fold.removeprefix("a")))
        if fold != "mean":
            return total
        return ast.BinOp(total, ast.Div(), self._windows.counted(window, folded))

    def _takes(self, call: ast.Call, places: list[ast.expr], fold: str, window: _Window) -> bool:
        """Whether a fold takes just what is cut: all of a window, or the one axis that is."""
        named = [word.value for word in call.keywords if word.arg in ("axis", "dim")]
        if not places and not call.keywords:
            return all(window.cut)
        if len(places) + len(named) != 1 or len(named) < len(call.keywords) or fold == "len":
            return False
        place = constant((places + named)[0])
        alone = [at for at, cut in enumerate(window.cut) if cut] == [place]
        return alone and (self._windows.library.numpy or fold not in ("max", "min"))


def _cut(node: ast.AST) -> bool:
    """Whether a slice begins where it is cut."""
    return isinstance(node, ast.Slice) and node.lower is not None and _without(
        node.lower, "max", lambda other: constant(other) == 0
    )[1]  # fmt: skip


def _without(node: ast.expr, function: str, known) -> tuple[ast.expr, bool]:  # type: ignore[no-untyped-def]
    """What is bounded by ``max(0, ..)`` or ``min(n, ..)``, and whether it is."""
    if isinstance(node, ast.Call) and is_name(node.func, function) and len(node.args) == 2:
        for one, other in (node.args, node.args[::-1]):
            if known(other) and not node.keywords:
                return one, True
    return node, False


def _summed(node: ast.stmt) -> ast.stmt:
    """``for j in range(lo, hi): s += x[i, j]`` as ``s += x[i, lo:hi].sum()``, where the range is
    cut; one loop in the other as well."""
    if not isinstance(node, ast.For) or len(node.body) != 1 or node.orelse:
        return node
    step, call = _summed(node.body[0]), node.iter
    if not isinstance(step, ast.AugAssign) or not isinstance(step.op, ast.Add):
        return node
    if not isinstance(call, ast.Call) or not is_name(call.func, "range") or len(call.args) != 2:
        return node
    part = ast.Slice(call.args[0], call.args[1])
    if not _cut(part) or not isinstance(node.target, ast.Name):
        return node
    word, value = node.target.id, step.value
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        value = value.func.value  # of the loop inside
    items = _items(value) if isinstance(value, ast.Subscript) else []
    uses = [n for n in everything_in(step) if is_name(n, word)]
    if len(uses) != 1 or not any(is_name(item, word) for item in items):
        return node
    base = subscripted(value)
    taken: list[ast.expr] = [part if is_name(item, word) else item for item in items]
    sub = taken[0] if len(taken) == 1 else ast.Tuple(taken, ast.Load())
    total = ast.Attribute(ast.Subscript(base, sub, ast.Load()), "sum", ast.Load())
    return ast.AugAssign(step.target, step.op, ast.Call(total, [], []))


def _items(node: ast.expr) -> list[ast.expr]:
    """``[i, j]`` and ``[i][j]``."""
    if not isinstance(node, ast.Subscript):
        return []
    own = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    return [*_items(node.value), *own]


def _inlined(written: Written, body: Body) -> Body:
    """The statements of a step without the names of windows and of their ends."""
    names: dict[str, ast.expr] = {}
    rest: Body = []
    for statement in (one for each in body for one in _one_by_one(each)):
        changed = Swap(names).visit(deepcopy(statement)) if names else statement
        if isinstance(changed, ast.Assign) and len(changed.targets) == 1 and not rest:
            target = changed.targets[0]
            if isinstance(target, ast.Name) and _of_window(changed.value) and _local(
                written, target.id, body
            ):  # fmt: skip
                names[target.id] = changed.value
                continue
        rest.append(changed)
    return rest if rest else body


def _one_by_one(node: ast.stmt) -> Body:
    """``low, high = max(i - r, 0), i + r + 1`` as a statement for each name."""
    if not isinstance(node, ast.Assign) or len(node.targets) != 1:
        return [node]
    target, value = node.targets[0], node.value
    if not isinstance(target, ast.Tuple) or not isinstance(value, ast.Tuple):
        return [node]
    words = {each.id for each in target.elts if isinstance(each, ast.Name)}
    read = {inner.id for inner in everything_in(value) if isinstance(inner, ast.Name)}
    if len(words) != len(target.elts) or len(words) != len(value.elts) or words & read:
        return [node]
    pairs = zip(target.elts, value.elts, strict=True)
    return [ast.Assign([to], given, lineno=node.lineno) for to, given in pairs]


def _of_window(node: ast.expr) -> bool:
    """Whether an expression is an end of a window, or a window."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in ("max", "min") and len(node.args) == 2 and not node.keywords
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, (ast.Add, ast.Sub)) and not any(
            isinstance(inner, (ast.Call, ast.Subscript)) for inner in everything_in(node)
        )
    return isinstance(node, ast.Subscript) and any(map(_cut, everything_in(node)))


def _local(written: Written, word: str, body: Body) -> bool:
    """Whether a name is bound once, and read in the step alone."""
    uses = written.names.get(word, ())
    stored = [node for node in uses if not isinstance(node.ctx, ast.Load)]
    lines = {
        (n.lineno, n.col_offset) for s in body for n in everything_in(s) if isinstance(n, ast.Name)
    }
    return len(stored) == 1 and word not in written.arguments and all(
        (node.lineno, node.col_offset) in lines for node in uses
    )  # fmt: skip
