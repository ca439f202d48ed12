"""Loops over the rest of a list that keep its k best in a heap which starts as its first k items:

heap = items[:k]
heapq.heapify(heap)
for x in items[k:]:
    if x > heap[0]:
        heapq.heapreplace(heap, x)
"""

from __future__ import annotations

import ast

from auditor.surroundings.region import Region
from auditor.syntax import constant, is_name, mentions, renamed, same
from auditor.topk.bounded import Bounded, Reader
from auditor.tree import everything_in


def seeded(region: Region, node: ast.For) -> tuple[Bounded, tuple[ast.stmt, ast.stmt]] | None:
    """What a loop keeps, and the two statements before it that fill the heap; None for others."""
    block = region.siblings(node)
    at = block.index(node)
    if node.orelse or at < 2:
        return None
    start, made = block[at - 2 : at]
    reader = Reader(region, node)
    heap = reader.heap_call(made, "heapify")
    if heap is None or not isinstance(start, ast.Assign) or len(start.targets) != 1:
        return None
    name = heap[0]
    seed = _seed(start.value)
    if not is_name(start.targets[0], name) or seed is None:
        return None
    whole, k, item = seed
    walked = _rest(node, whole.id, k)
    stored = {n.id for n in everything_in(node) if isinstance(n, ast.Name)
              and isinstance(n.ctx, ast.Store)}  # fmt: skip
    read = _names(whole, k) | (_names(item[1]) - {item[0]} if item is not None else set())
    if walked is None or name in read or stored & read:
        return None
    offered = _offered(reader, node.body, name)
    if offered is None:
        return None
    expected = walked if item is None else renamed(item[1], item[0], walked)
    if not same(offered, expected) or mentions(offered, name):
        return None
    reader.read += [offered]
    if not reader.pure():
        return None
    spelled = whole if item is None else _generator(*item, whole)
    return Bounded(name, offered, k, walked=spelled), (start, made)


_Item = tuple[str, ast.expr]


def _seed(value: ast.expr) -> tuple[ast.Name, ast.expr, _Item | None] | None:
    """(items, k, how an item of the heap is made) of ``items[:k]``, ``list(items[:k])``,
    ``[-x for x in items[:k]]``."""
    item: _Item | None = None
    if isinstance(value, ast.ListComp) and len(value.generators) == 1:
        inner = value.generators[0]
        if inner.ifs or inner.is_async or not isinstance(inner.target, ast.Name):
            return None
        item, value = (inner.target.id, value.elt), inner.iter
    elif isinstance(value, ast.Call) and is_name(value.func, "list") and len(value.args) == 1:
        value = value.args[0]
    if not isinstance(value, ast.Subscript) or not isinstance(value.value, ast.Name):
        return None
    part = value.slice
    if not isinstance(part, ast.Slice) or part.lower is not None or part.step is not None:
        return None
    if not isinstance(part.upper, ast.Name) and type(constant(part.upper)) is not int:
        return None
    assert part.upper is not None
    return value.value, part.upper, item


def _rest(node: ast.For, whole: str, k: ast.expr) -> ast.expr | None:
    """What stands for an item in a loop over all but the first k."""
    source = node.iter
    if not isinstance(node.target, ast.Name):
        return None
    if isinstance(source, ast.Subscript) and is_name(source.value, whole):
        part = source.slice
        if not isinstance(part, ast.Slice) or part.upper is not None or part.step is not None:
            return None
        fits = part.lower is not None and same(part.lower, k)
        return ast.Name(node.target.id, ast.Load()) if fits else None
    counts = isinstance(source, ast.Call) and is_name(source.func, "range")
    if not counts or len(source.args) != 2 or source.keywords:  # type: ignore[attr-defined]
        return None
    first, stop = source.args  # type: ignore[attr-defined]
    sized = isinstance(stop, ast.Call) and is_name(stop.func, "len") and len(stop.args) == 1
    if not same(first, k) or not sized or not is_name(stop.args[0], whole):
        return None
    place = ast.Name(node.target.id, ast.Load())
    return ast.Subscript(ast.Name(whole, ast.Load()), place, ast.Load())


def _offered(reader: Reader, body: list[ast.stmt], name: str) -> ast.expr | None:
    """The item that a step puts in the place of the least one, if it is better."""
    while body and (binding := _temporary(reader, body[0])):
        reader.temporaries[binding[0]] = binding[1]
        body = body[1:]
    guard: ast.expr | None = None
    names: tuple[str, ...] = ("heappushpop",)
    if len(body) == 1 and isinstance(body[0], ast.If) and not body[0].orelse:
        guard, body = body[0].test, body[0].body
        names = ("heapreplace", "heappushpop")
    call = reader.heap_call(body[0], *names) if len(body) == 1 else None
    if call is None and len(body) == 2 and guard is not None:
        for push, pop in (body, body[::-1]):
            call, popped = reader.heap_call(push, "heappush"), reader.heap_call(pop, "heappop")
            if call is not None and popped is not None and is_name(popped[1], name):
                break
        else:
            return None
    if call is None or call[0] != name:
        return None
    if guard is not None and not reader.better(guard, name, call[1]):
        return None
    return reader.whole(call[1])


def _temporary(reader: Reader, statement: ast.stmt) -> _Item | None:
    """``v = items[i]``."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    target = statement.targets[0]
    if not isinstance(target, ast.Name) or reader.seen(target.id, statement.value):
        return None
    return target.id, statement.value


def _generator(target: str, value: ast.expr, whole: ast.expr) -> ast.GeneratorExp:
    store = ast.Name(target, ast.Store())
    return ast.GeneratorExp(value, [ast.comprehension(store, whole, [], 0)])


def _names(*nodes: ast.expr) -> set[str]:
    return {n.id for node in nodes for n in everything_in(node) if isinstance(n, ast.Name)}
