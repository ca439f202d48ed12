"""Loops that keep the k best of what they meet: heaps and lists that never hold more than k.

A step offers one item; what becomes of it is spelled in many ways (push and pop, replace the
least, insert and cut, sort and cut), which all are: of the items kept and the new one, the k best
stay. ``bounded`` reads a loop's body into that; the code that replaces it is a call of ``heapq``.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace

from auditor.surroundings.purity import impurity, pure_key
from auditor.surroundings.region import Region
from auditor.syntax import constant, is_name, mentions, path_of, renamed, same
from auditor.topk.cuts import cut_of
from auditor.tree import everything_in


@dataclass
class Bounded:
    """``name`` holds the ``k`` largest (or smallest) items so far, by ``key``.

    ``sorted`` says how they lie ("ascending", "descending", or "heap": in no order that a reader
    should see); ``last`` that of equal items the last stay; ``replaces`` that an item replaces the
    least only where this comparison holds. ``chunks``: a step offers a list of items; ``sliced``:
    of which a slice keeps the k best, and a negative number all but some. ``walked`` are all items,
    where the loop walks but the rest of them. ``compared``: with the worst of them, of which there
    must be one.
    """

    name: str
    item: ast.expr
    k: ast.expr
    largest: bool = True
    key: ast.expr | None = None
    sorted: str = "heap"
    last: bool = False
    chunks: bool = False
    sliced: bool = False
    walked: ast.expr | None = None
    compared: bool = False
    conditions: list[ast.expr] = field(default_factory=list)


def bounded(region: Region, node: ast.For) -> Bounded | None:
    """What a loop keeps, or None."""
    if node.orelse:
        return None
    reader = Reader(region, node)
    found = reader.block(node.body)
    if found is None or not reader.pure():
        return None
    parts = (found.item, found.k, *([found.key] if found.key is not None else []))
    if any(mentions(part, found.name) for part in (*parts, *found.conditions)):
        return None
    stored = {n.id for n in everything_in(node) if isinstance(n, ast.Name)
              and isinstance(n.ctx, ast.Store)}  # fmt: skip
    moving = {n.id for n in everything_in(found.k) if isinstance(n, ast.Name)} & stored
    return None if moving or mentions(node.iter, found.name) else found


class Reader:
    """Reads the body of a loop that offers items to what it keeps."""

    def __init__(self, region: Region, node: ast.For) -> None:
        self.region, self.module, self.node = region, region.module, node
        self.temporaries: dict[str, ast.expr] = {}
        self.conditions: list[ast.expr] = []
        self.read: list[ast.expr] = []

    def pure(self) -> bool:
        return all(impurity(self.module, node) is None for node in self.read)

    def whole(self, node: ast.expr) -> ast.expr:
        """An expression with the temporaries of the step put in."""
        for name, value in reversed(self.temporaries.items()):
            if mentions(node, name):
                node = renamed(node, name, value)
        return node

    def block(self, body: list[ast.stmt]) -> Bounded | None:
        """Temporaries, guards, and then the update."""
        for position, statement in enumerate(body):
            rest = body[position:]
            found = self.update(rest)
            if found is not None:
                found.item = self.whole(found.item)
                found.conditions = [self.whole(test) for test in self.conditions]
                self.read += [found.item, found.k, *found.conditions]
                if found.key is not None and not pure_key(self.module, found.key):
                    return None
                return found
            if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
                target = statement.targets[0]
                if not isinstance(target, ast.Name) or self.seen(target.id, statement.value):
                    return None
                self.temporaries[target.id] = statement.value
            elif isinstance(statement, ast.If) and not statement.orelse:
                if len(statement.body) == 1 and isinstance(statement.body[0], ast.Continue):
                    self.conditions.append(ast.UnaryOp(ast.Not(), statement.test))
                elif len(rest) == 1:
                    self.conditions.append(statement.test)
                    return self.block(statement.body)
                else:
                    return None
            else:
                return None
        return None

    def seen(self, name: str, value: ast.expr) -> bool:
        """Whether a temporary may be read as an earlier step or the loop itself bound it."""
        earlier = [self.node.target, value, *self.conditions, *self.temporaries.values()]
        return name in self.temporaries or any(mentions(node, name) for node in earlier)

    # -- updates

    def update(self, body: list[ast.stmt]) -> Bounded | None:
        for pattern in (self.branches, self.push_and_pop, self.insertion, self.guarded,
                        self.sorting, self.shortened, self.cut_again):  # fmt: skip
            found = pattern(body)
            if found is not None:
                return found
        return None

    def heap_call(self, node: ast.stmt, *names: str) -> tuple[str, ast.expr] | None:
        """(heap, item) of ``heapq.heappush(heap, item)``; the value is not used."""
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            call = node.value
            path = path_of(self.module, call.func) or ""
            if path in tuple(f"heapq.{name}" for name in names) and not call.keywords:
                if call.args and isinstance(call.args[0], ast.Name):
                    item = call.args[1] if len(call.args) == 2 else call.args[0]
                    return call.args[0].id, item
        return None

    def branches(self, body: list[ast.stmt]) -> Bounded | None:
        """``if len(h) < k: push, elif item > h[0]: replace``, in either order."""
        if len(body) != 1 or not isinstance(body[0], ast.If):
            return None
        test, then, otherwise = body[0].test, body[0].body, body[0].orelse
        for name in _names(test):
            sizes = room(test, name)
            if sizes is None:
                continue
            k, free = sizes
            filling, replacing = (then, otherwise) if free else (otherwise, then)
            if len(filling) == 1 and len(replacing) == 1:
                return self.replaced(name, k, filling[0], replacing[0])
        return None

    def replaced(
        self, name: str, k: ast.expr, filling: ast.stmt, replacing: ast.stmt
    ) -> Bounded | None:
        push = self.heap_call(filling, "heappush")
        if push is None or push[0] != name:
            return None
        names: tuple[str, ...] = ("heappushpop",)
        test: ast.expr | None = None
        if isinstance(replacing, ast.If):
            if replacing.orelse or len(replacing.body) != 1:
                return None
            test, replacing = replacing.test, replacing.body[0]
            names = ("heapreplace", "heappushpop")
        call = self.heap_call(replacing, *names)
        if call is None or call[0] != name or not same(call[1], push[1]):
            return None
        if test is not None and not self.better(test, name, push[1]):
            return None
        return Bounded(name, push[1], k)

    def better(self, test: ast.expr, name: str, item: ast.expr) -> bool:
        """``item > h[0]``: the item is better than the least one kept. By the first part alone
        where an item that comes later loses against its equals anyway."""
        if not (isinstance(test, ast.Compare) and len(test.ops) == 1):
            return False
        left, op, right = test.left, type(test.ops[0]), test.comparators[0]
        if op in (ast.Lt, ast.LtE):
            left, right = right, left
        elif op not in (ast.Gt, ast.GtE):
            return False
        if isinstance(left, ast.UnaryOp) and isinstance(left.op, ast.USub):
            if isinstance(left.operand, ast.Subscript) and is_name(left.operand.value, name):
                # `-h[0] > x`, where -x is what the heap holds
                left, right = ast.UnaryOp(ast.USub(), right), left.operand
        if not isinstance(right, ast.Subscript) or constant(right.slice) != 0:
            return False
        if is_name(right.value, name):
            return same(self.whole(left), self.whole(item))
        least, whole = right.value, self.whole(item)
        return (
            op in (ast.Gt, ast.Lt)
            and isinstance(least, ast.Subscript) and constant(least.slice) == 0
            and is_name(least.value, name)
            and isinstance(whole, ast.Tuple) and len(whole.elts) >= 2
            and same(self.whole(left), whole.elts[0]) and self.falls(whole.elts[1])
        )  # fmt: skip

    def falls(self, node: ast.expr) -> bool:
        """``-i`` where the loop counts i."""
        if not (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)):
            return False
        target, source = self.node.target, self.node.iter
        if not (isinstance(source, ast.Call) and isinstance(node.operand, ast.Name)):
            return False
        if is_name(source.func, "enumerate") and isinstance(target, ast.Tuple):
            return is_name(target.elts[0], node.operand.id)
        steps = constant(source.args[2]) if len(source.args) == 3 else 1
        up = isinstance(steps, int) and steps > 0
        return is_name(source.func, "range") and up and is_name(target, node.operand.id)

    def push_and_pop(self, body: list[ast.stmt]) -> Bounded | None:
        """``push; if len(h) > k: pop``."""
        if len(body) != 2 or not isinstance(body[1], (ast.If, ast.While)):
            return None
        push, shorten = self.heap_call(body[0], "heappush"), body[1]
        if push is None or shorten.orelse or len(shorten.body) != 1:
            return None
        k = over(shorten.test, push[0])
        pop = self.heap_call(shorten.body[0], "heappop")
        if k is None or pop is None or not is_name(pop[1], push[0]):
            return None
        return Bounded(push[0], push[1], k)

    def insertion(self, body: list[ast.stmt]) -> Bounded | None:
        """``bisect.insort(best, item)``, and then the list is cut."""
        if len(body) != 2 or not (
            isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Call)
        ):
            return None
        call = body[0].value
        path = path_of(self.module, call.func) or ""
        if path not in ("bisect.insort", "bisect.insort_right", "bisect.insort_left"):
            return None
        if len(call.args) != 2 or call.keywords or not isinstance(call.args[0], ast.Name):
            return None
        name, item = call.args[0].id, call.args[1]
        cut = shortened(body[1], name)
        if cut is None:
            return None
        k, end = cut
        # insort puts an item after its equals: cut at its end, a list keeps the first of them.
        last = (end == "first") != path.endswith("_left")
        return Bounded(name, item, k, end == "first", None, "ascending", last)

    def guarded(self, body: list[ast.stmt]) -> Bounded | None:
        """``if len(best) < k or item < best[-1]:`` before an insertion, which puts any other item
        at the end that is cut. Of equal items the list keeps those that it has."""
        test = body[0].test if len(body) == 1 and isinstance(body[0], ast.If) else None
        if not (isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or)):
            return None
        assert isinstance(body[0], ast.If)
        found = self.insertion(body[0].body) if not body[0].orelse else None
        if found is None or found.last or len(test.values) != 2:
            return None
        held, beaten = room(test.values[0], found.name), test.values[1]
        if held is None or not held[1] or not same(held[0], found.k):
            return None
        if not (isinstance(beaten, ast.Compare) and len(beaten.ops) == 1):
            return None
        left, op, right = beaten.left, type(beaten.ops[0]), beaten.comparators[0]
        if op in (ast.Gt, ast.GtE):
            left, right = right, left
        elif op not in (ast.Lt, ast.LtE):
            return None
        worst = isinstance(right, ast.Subscript) and is_name(right.value, found.name)
        worst = worst and constant(right.slice) == -1  # type: ignore[attr-defined]
        if not worst or not same(self.whole(left), self.whole(found.item)):
            return None
        return replace(found, compared=True)

    def sorting(self, body: list[ast.stmt]) -> Bounded | None:
        """``best.append(item); best.sort()``, ``best += chunk; best.sort()``, and then the list is
        cut."""
        if len(body) != 3:
            return None
        add, sort = _offered(body[0]), _method(body[1], "sort")
        if add is None or sort is None or add[0] != sort[0]:
            return None
        (name, item, chunks), order = add, _order(sort[1])
        cut = shortened(body[2], name)
        if order is None or cut is None or sort[1].args or (chunks and _takes_one(body[2])):
            return None
        key, reverse = order
        k, end = cut
        way = "descending" if reverse else "ascending"
        largest = reverse != (end == "first")
        return Bounded(name, item, k, largest, key, way, end == "first", chunks, chunks)

    def shortened(self, body: list[ast.stmt]) -> Bounded | None:
        """``best = sorted(best + [item], reverse=True)[:k]``, ``best = heapq.nlargest(k, ...)``."""
        if len(body) != 1 or not isinstance(body[0], ast.Assign):
            return None
        targets, value = body[0].targets, body[0].value
        if len(targets) != 1 or not isinstance(targets[0], ast.Name):
            return None
        name = targets[0].id
        return self.selection(name, value)

    def selection(self, name: str, value: ast.expr) -> Bounded | None:
        """A selection of what ``name`` holds and more."""
        if isinstance(value, ast.Subscript):
            cut, call = cut_of(value), value.value
            if cut is None or cut.axis != 0 or not isinstance(call, ast.Call):
                return None
            order = _order(call) if is_name(call.func, "sorted") else None
            if order is None or len(call.args) != 1 or cut.at_end:
                return None
            offered, (key, largest), k, sliced = call.args[0], order, cut.k, True
        elif isinstance(value, ast.Call) and len(value.args) == 2:
            path = path_of(self.module, value.func)
            if path not in ("heapq.nlargest", "heapq.nsmallest"):
                return None
            if any(each.arg != "key" for each in value.keywords):
                return None
            key = value.keywords[0].value if value.keywords else None
            k, offered, largest = value.args[0], value.args[1], path == "heapq.nlargest"
            sliced = False
        else:
            return None
        more = _added(offered, name)
        if more is None:
            return None
        item, chunks = more
        way = "descending" if largest else "ascending"
        return Bounded(name, item, k, largest, key, way, False, chunks, chunks and sliced)

    def cut_again(self, body: list[ast.stmt]) -> Bounded | None:
        """``best += chunk; best = heapq.nlargest(k, best)``, ``best.extend(chunk); ...``."""
        if len(body) != 2 or not isinstance(body[1], ast.Assign):
            return None
        first, targets = body[0], body[1].targets
        if len(targets) != 1 or not isinstance(targets[0], ast.Name):
            return None
        name, more = targets[0].id, _offered(first)
        if more is None or more[0] != name:
            return None
        _, offered, chunks = more
        held = ast.Name(name, ast.Load())
        joined = ast.BinOp(held, ast.Add(), offered if chunks else ast.List([offered], ast.Load()))
        replaced = _with(body[1].value, name, joined)
        return self.selection(name, replaced) if replaced is not None else None


def _offered(node: ast.stmt) -> tuple[str, ast.expr, bool] | None:
    """(name, more, whether that is a list) of ``name.append(more)``, ``name.extend(more)`` and
    ``name += more``."""
    if isinstance(node, ast.AugAssign):
        if isinstance(node.op, ast.Add) and isinstance(node.target, ast.Name):
            return node.target.id, node.value, True
        return None
    for way in ("append", "extend"):
        found = _method(node, way)
        if found is not None and len(found[1].args) == 1:
            return found[0], found[1].args[0], way == "extend"
    return None


def _with(node: ast.expr, name: str, by: ast.expr) -> ast.expr | None:
    """A selection with what it selects from replaced, where that is ``name`` alone."""
    if isinstance(node, ast.Subscript):
        inner = _with(node.value, name, by)
        return None if inner is None else ast.Subscript(inner, node.slice, node.ctx)
    if isinstance(node, ast.Call) and node.args and is_name(node.args[-1], name):
        return ast.Call(node.func, [*node.args[:-1], by], node.keywords)
    return None


def _added(node: ast.expr, name: str) -> tuple[ast.expr, bool] | None:
    """(more, whether that is a list) of ``best + [item]``, ``[*best, item]``, ``best + chunk``."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and is_name(node.left, name):
        right = node.right
        if isinstance(right, ast.List):
            one = len(right.elts) == 1 and not isinstance(right.elts[0], ast.Starred)
            return (right.elts[0], False) if one else None
        listed = is_name(right.func, "list") if isinstance(right, ast.Call) else False
        return (right, True) if listed or isinstance(right, (ast.Name, ast.ListComp)) else None
    if isinstance(node, ast.List) and len(node.elts) == 2:
        held, more = node.elts
        if isinstance(held, ast.Starred) and is_name(held.value, name):
            if isinstance(more, ast.Starred):
                return more.value, True
            return more, False
    return None


def _order(call: ast.Call) -> tuple[ast.expr | None, bool] | None:
    """The key and the direction of ``sort`` or ``sorted``."""
    keys = {k.arg: k.value for k in call.keywords}
    reverse = constant(keys.pop("reverse")) if "reverse" in keys else False
    if not isinstance(reverse, bool) or not set(keys) <= {"key"}:
        return None
    return keys.get("key"), reverse


def _names(node: ast.expr) -> list[str]:
    """The names whose length an expression takes."""
    return [
        n.args[0].id for n in everything_in(node)
        if isinstance(n, ast.Call) and is_name(n.func, "len") and len(n.args) == 1
        and isinstance(n.args[0], ast.Name)
    ]  # fmt: skip


def _method(node: ast.stmt, method: str) -> tuple[str, ast.Call] | None:
    """(name, call) of the statement ``name.method(...)``."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        function = node.value.func
        if isinstance(function, ast.Attribute) and function.attr == method:
            if isinstance(function.value, ast.Name):
                return function.value.id, node.value
    return None


def _length_against(node: ast.expr, name: str) -> tuple[type, ast.expr] | None:
    """(comparison, other) of ``len(name) < other``, whichever side the length is on."""
    if not (isinstance(node, ast.Compare) and len(node.ops) == 1):
        return None
    left, op, right = node.left, type(node.ops[0]), node.comparators[0]
    for mine, other, way in ((left, right, op), (right, left, _MIRRORED.get(op, op))):
        if isinstance(mine, ast.Call) and is_name(mine.func, "len") and len(mine.args) == 1:
            if is_name(mine.args[0], name):
                return way, other
    return None


_MIRRORED: dict[type, type] = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE}


def room(test: ast.expr, name: str) -> tuple[ast.expr, bool] | None:
    """(k, True) where the test says that fewer than k are held, (k, False) where it says k."""
    found = _length_against(test, name)
    if found is None:
        return None
    op, k = found
    if op is ast.Lt or (op is ast.NotEq and is_positive(k)):
        return k, True
    return (k, False) if op is ast.GtE or (op is ast.Eq and is_positive(k)) else None


def over(test: ast.expr, name: str) -> ast.expr | None:
    """k of ``len(name) > k``."""
    found = _length_against(test, name)
    if found is None:
        return None
    op, k = found
    if op is ast.Gt:
        return k
    plus = isinstance(k, ast.BinOp) and isinstance(k.op, ast.Add) and constant(k.right) == 1
    if op is ast.GtE and plus:
        assert isinstance(k, ast.BinOp)
        return k.left
    return None


def shortened(node: ast.stmt, name: str) -> tuple[ast.expr, str] | None:
    """k, and which end goes, of ``if len(best) > k: best.pop()``, ``best = best[:k]``,
    ``del best[k:]``."""
    if isinstance(node, (ast.If, ast.While)) and len(node.body) == 1 and not node.orelse:
        k, inner = over(node.test, name), node.body[0]
        pop = _method(inner, "pop")
        if k is not None and pop is not None and pop[0] == name and not pop[1].keywords:
            place = constant(pop[1].args[0]) if pop[1].args else -1
            if place in (0, -1) and not isinstance(place, bool):
                return k, "first" if place == 0 else "last"
        if k is not None and isinstance(inner, ast.Delete) and len(inner.targets) == 1:
            at = inner.targets[0]
            if isinstance(at, ast.Subscript) and is_name(at.value, name):
                if constant(at.slice) in (0, -1) and not isinstance(constant(at.slice), bool):
                    return k, "first" if constant(at.slice) == 0 else "last"
        return shortened(inner, name) if k is not None and _same_count(inner, name, k) else None
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target, value = node.targets[0], node.value
        fits = is_name(target, name) or (
            isinstance(target, ast.Subscript) and is_name(target.value, name)
            and isinstance(target.slice, ast.Slice) and ast.unparse(target.slice) == ":"
        )  # fmt: skip
        if fits and isinstance(value, ast.Subscript) and is_name(value.value, name):
            cut = cut_of(value)
            if cut is not None and cut.axis == 0 and (is_positive(cut.k) or not cut.at_end):
                return cut.k, "first" if cut.at_end else "last"
    if isinstance(node, ast.Delete) and len(node.targets) == 1:
        target = node.targets[0]
        if isinstance(target, ast.Subscript) and is_name(target.value, name):
            part = target.slice
            if isinstance(part, ast.Slice) and part.step is None:
                # A list of one item without its last ones is empty, as that of the k best is.
                if part.upper is None and part.lower is not None:
                    return part.lower, "last"
                # `del best[:-k]`
                if part.lower is None and isinstance(part.upper, ast.UnaryOp):
                    k = part.upper.operand
                    if isinstance(part.upper.op, ast.USub) and is_positive(k):
                        return k, "first"
    return None


def _takes_one(node: ast.stmt) -> bool:
    """Whether a cut takes a single item off: ``best.pop()``, ``del best[-1]``."""
    inner = node.body[0] if isinstance(node, (ast.If, ast.While)) else node
    sliced = isinstance(inner, ast.Delete) and isinstance(inner.targets[0], ast.Subscript)
    if sliced:
        return not isinstance(inner.targets[0].slice, ast.Slice)  # type: ignore[attr-defined]
    return not isinstance(inner, ast.Assign)


def _same_count(node: ast.stmt, name: str, k: ast.expr) -> bool:
    """Whether a cut inside ``if len(best) > k`` is to k."""
    found = shortened(node, name)
    return found is not None and same(found[0], k)


def is_positive(node: ast.expr) -> bool:
    """Whether an expression is a whole number above 0."""
    value = constant(node)
    return isinstance(value, int) and not isinstance(value, bool) and value > 0
