"""A heap that keeps the k largest, as the sorted list of them: ``heappush`` while there are fewer
than k and ``heappushpop`` after that, or ``heappush`` with a ``heappop`` of what is too many. Where
nothing asks in which order a heap holds the others, the least of them stands first in both."""

from __future__ import annotations

import ast
import copy
from dataclasses import dataclass, replace

from auditor.derive.begun import before, empty
from auditor.derive.called_functions import path_of
from auditor.derive.calls import Purity
from auditor.derive.inner import loop_in_place
from auditor.derive.places import Place
from auditor.tree import everything_in

_UNORDERED = frozenset(("sorted", "len", "min", "max", "nlargest", "nsmallest", "set"))


@dataclass(frozen=True)
class _Kept:
    """What the statements from ``first`` to ``last`` of a body keep: the ``most`` largest of
    ``heap`` and ``item``."""

    heap: str
    item: ast.expr
    most: ast.expr
    first: int
    last: int


def heaped(place: Place) -> Place:
    """The place with a heap of the k largest as a sorted list, in a copy of the file."""
    if not isinstance(place.loop, ast.For) or _kept(place, place.loop) is None:
        return place
    tree = copy.deepcopy(place.tree)
    found = loop_in_place(tree, place.loop)
    kept = None if found is None or not isinstance(found.loop, ast.For) else _kept(
        found, found.loop
    )  # fmt: skip
    if found is None or kept is None:
        return place
    body = found.loop.body
    name, most = kept.heap, ast.unparse(kept.most)
    text = f"{name} = sorted({name} + [{ast.unparse(kept.item)}])[-{most}:]"
    (made,) = ast.parse(text).body
    at = body[kept.first]
    for node in everything_in(made):
        ast.copy_location(node, at)
    body[kept.first : kept.last + 1] = [made]
    said = () if most.isdigit() else (f"`{most}` is at least 1",)
    return replace(found, assumptions=(*place.assumptions, *said))


def _kept(place: Place, loop: ast.For) -> _Kept | None:
    purity = Purity(place.tree, loop)
    for first, statement in enumerate(loop.body):
        found = _by_size(statement, first, purity)
        if found is None and first + 1 < len(loop.body):
            found = _by_popping(statement, loop.body[first + 1], first, purity)
        if found is not None and _is_plain(found, place, loop):
            return found
    return None


def _by_popping(
    push: ast.stmt, pop: ast.stmt, first: int, purity: Purity
) -> _Kept | None:  # fmt: skip
    """``heappush(h, x)`` and ``if len(h) > k: heappop(h)``."""
    pushed = _pushed(push, purity)
    if pushed is None:
        return None
    if not isinstance(pop, ast.If) or pop.orelse or len(pop.body) != 1:
        return None
    heap, item = pushed
    popped = _called(pop.body[0], "heappop", purity)
    most = _size(pop.test, heap.id, (ast.Gt,), (ast.Lt,))
    same = popped is not None and [ast.unparse(one) for one in popped] == [heap.id]
    return _Kept(heap.id, item, most, first, first + 1) if same and most is not None else None


def _by_size(statement: ast.stmt, first: int, purity: Purity) -> _Kept | None:
    """``if len(h) < k: heappush(h, x)``, and otherwise ``heappushpop``, or ``heapreplace`` where it
    is larger than the least."""
    if not isinstance(statement, ast.If) or len(statement.body) != 1 or len(statement.orelse) != 1:
        return None
    pushed = _pushed(statement.body[0], purity)
    if pushed is None:
        return None
    heap, item = pushed
    most = _size(statement.test, heap.id, (ast.Lt,), (ast.Gt,))
    (other,) = statement.orelse
    larger = isinstance(other, ast.If)
    if isinstance(other, ast.If):
        if other.orelse or len(other.body) != 1:
            return None
        spelled, least = ast.unparse(item), f"{heap.id}[0]"
        asked = {f"{spelled} {op} {least}" for op in (">", ">=")}
        asked |= {f"{least} {op} {spelled}" for op in ("<", "<=")}
        if ast.unparse(other.test) not in asked:
            return None
        other = other.body[0]
    words = ("heappushpop", "heapreplace") if larger else ("heappushpop",)
    given = next((g for word in words if (g := _called(other, word, purity)) is not None), None)
    if given is None or most is None:
        return None
    same = [ast.unparse(one) for one in given] == [heap.id, ast.unparse(item)]
    return _Kept(heap.id, item, most, first, first) if same else None


def _pushed(statement: ast.stmt, purity: Purity) -> tuple[ast.Name, ast.expr] | None:
    """The heap that a statement pushes something onto, and what."""
    given = _called(statement, "heappush", purity)
    if given is None or len(given) != 2 or not isinstance(given[0], ast.Name):
        return None
    return given[0], given[1]


def _called(statement: ast.stmt, word: str, purity: Purity) -> list[ast.expr] | None:
    """What a statement gives to a function of heaps, if it is no more than that."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call) or call.keywords:
        return None
    return call.args if path_of(call.func, purity) == f"heapq.{word}" else None


def _size(
    test: ast.expr, heap: str, ops: tuple[type[ast.cmpop], ...], turned: tuple[type[ast.cmpop], ...]
) -> ast.expr | None:
    """The number that the length of a heap is compared with: a name, or one that is written out."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    left, right, length = test.left, test.comparators[0], f"len({heap})"
    most = None
    if ast.unparse(left) == length and isinstance(test.ops[0], ops):
        most = right
    elif ast.unparse(right) == length and isinstance(test.ops[0], turned):
        most = left
    written = isinstance(most, ast.Constant) and type(most.value) is int and most.value > 0
    return most if written or isinstance(most, ast.Name) else None


def _is_plain(kept: _Kept, place: Place, loop: ast.For) -> bool:
    """Does the heap begin empty, and does nothing else ask for its order or change it?"""
    if place.function is None or place.outer or empty(before(place, loop).get(kept.heap)) != "list":
        return False
    mine = {n for s in loop.body[kept.first : kept.last + 1] for n in everything_in(s)}
    changed = {n.id for s in loop.body for n in everything_in(s)
               if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}  # fmt: skip
    named = {n.id for n in everything_in(kept.item) if isinstance(n, ast.Name)}
    if ast.unparse(kept.most) in changed or kept.heap in changed | named:
        return False
    if any(isinstance(n, (ast.Call, ast.Await, ast.NamedExpr)) for n in everything_in(kept.item)):
        return False
    fine: set[ast.AST] = set()
    for node in everything_in(place.function):
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in _UNORDERED:
            fine |= {*node.args}
        if isinstance(node, ast.Subscript) and ast.unparse(node.slice) == "0":
            fine.add(node.value)
    uses = [n for n in everything_in(place.function)
            if isinstance(n, ast.Name) and n.id == kept.heap and n not in mine]  # fmt: skip
    inside = {n for s in loop.body for n in everything_in(s)}
    made = [n for n in uses if isinstance(n.ctx, ast.Store)]
    read = [n for n in uses if isinstance(n.ctx, ast.Load)]
    return len(made) == 1 and all(n in fine and n not in inside for n in read)
