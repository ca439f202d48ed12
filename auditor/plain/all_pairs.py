"""Loops over all pairs or places at once, as loops within loops.

``for i, j in itertools.product(range(n), range(m))`` and ``for i, j in np.ndindex(n, m)`` are
``for i in range(n)`` around ``for j in range(m)``; of ``itertools.combinations(range(n), 2)`` the
inner loop begins at ``i + 1``. Pairs of items, ``combinations(points, 2)``, are those of their
places.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass

from auditor.lift.bound import stored_in
from auditor.plain.text import Body, Written, assign, loads_in, name, swap
from auditor.syntax import constant, owner, path_of
from auditor.tree import children, descendants, everything_in
from auditor.verdict import Edit

AT_ONCE = (r"product\(", r"combinations(?:_with_replacement)?\(", r"nd(?:index|enumerate)\(")
"""What such loops walk."""

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp)


@dataclass(frozen=True)
class _Levels:
    """The loops, each with its variable and what it walks, and the names that a step binds to
    items."""

    loops: tuple[tuple[str, ast.expr], ...]
    items: tuple[tuple[str, ast.expr], ...] = ()


def all_pairs(written: Written) -> Iterator[list[Edit]]:
    """One loop or comprehension after the other."""
    for block, place in written.own():
        loop = block[place]
        if isinstance(loop, ast.For) and not loop.orelse and not _leaves(loop.body):
            levels = _levels(written, loop.target, loop.iter, loop)
            if levels is not None and not _known_later(written, loop, loop.target):
                edit = written.replaced([loop], [_within(levels, loop.body)])
                if edit is not None:
                    yield [edit]
    for node in written.nodes:
        if isinstance(node, _COMPREHENSIONS):
            made = _comprehension(written, node)
            if made is not None:
                yield [written.swapped(node, made)]


def _within(levels: _Levels, body: Body) -> ast.stmt:
    """The loops around the body."""
    inner = [*(assign(item, value) for item, value in levels.items), *map(deepcopy, body)]
    for variable, walked in reversed(levels.loops):
        inner = [ast.For(name(variable, ast.Store()), deepcopy(walked), inner, [])]
    return inner[0]


def _comprehension(
    written: Written, node: ast.ListComp | ast.SetComp | ast.GeneratorExp
) -> str | None:
    """A comprehension with one generator a loop, of which items are said by their places."""
    first, *rest = node.generators
    levels = None if first.is_async else _levels(written, first.target, first.iter, node)
    if levels is None:
        return None
    by = dict(levels.items)
    (*outer, last) = (ast.comprehension(name(variable, ast.Store()), walked, [], 0)
                      for variable, walked in levels.loops)  # fmt: skip
    last.ifs = [swap(deepcopy(test), by) for test in first.ifs]  # type: ignore[misc]
    made = deepcopy(node)
    made.elt = swap(made.elt, by)  # type: ignore[assignment]
    behind = [swap(deepcopy(each), by) for each in rest]
    made.generators = [*outer, last, *behind]  # type: ignore[list-item]
    return ast.unparse(ast.fix_missing_locations(made))


def _leaves(body: Body) -> bool:
    """Whether a step may leave the loop: that would be the inner one."""
    stack: list[ast.AST] = [*body]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Break):
            return True
        if isinstance(node, (ast.For, ast.While)):
            stack += node.orelse
        elif not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            stack += children(node)
    return False


def _known_later(written: Written, loop: ast.For, target: ast.expr) -> bool:
    """Whether the names of a step are read elsewhere: another step is the last one."""
    own, inside = stored_in(target), set(descendants(loop))
    return any(
        node not in inside and not isinstance(node.ctx, ast.Store)
        for each in own for node in written.names.get(each, ())
    )  # fmt: skip


# -- what is walked


def _levels(
    written: Written, target: ast.expr, source: ast.expr, around: ast.AST
) -> _Levels | None:
    """The loops that a call of a library stands for."""
    if not isinstance(source, ast.Call) or not isinstance(target, ast.Tuple):
        return None
    path = path_of(written.module, source.func)
    if path == "numpy.ndenumerate":
        return _enumerated(target, source)
    names = _names(target)
    if names is None:
        return None
    if path == "numpy.ndindex":
        sizes = _sizes(source, len(names))
        loops = None if sizes is None else zip(names, map(_range, sizes), strict=True)
        return None if loops is None else _Levels(tuple(loops))
    if path == "itertools.product":
        return _product(names, source, around)
    if path in ("itertools.combinations", "itertools.combinations_with_replacement"):
        return _pairs(written, names, source, around, path == "itertools.combinations")
    return None


def _names(target: ast.Tuple) -> list[str] | None:
    found = [each.id for each in target.elts if isinstance(each, ast.Name)]
    return found if len({*found}) == len(target.elts) else None


def _range(*bounds: ast.expr) -> ast.expr:
    return ast.Call(name("range"), [*bounds], [])


def _product(names: list[str], source: ast.Call, around: ast.AST) -> _Levels | None:
    words = {word.arg: constant(word.value) for word in source.keywords}
    times = words.pop("repeat", 1)
    if words or type(times) is not int:
        return None
    walked = list(source.args) * times
    if len(walked) != len(names) or not all(_again(each, around) for each in walked):
        return None
    return _Levels(tuple(zip(names, walked, strict=True)))


def _pairs(
    written: Written, names: list[str], source: ast.Call, around: ast.AST, strictly: bool
) -> _Levels | None:
    """Each place with those behind it (or, not ``strictly``, itself as well)."""
    if len(source.args) != 2 or source.keywords or constant(source.args[1]) != 2:
        return None
    given = source.args[0]
    if len(names) != 2 or not _again(given, around):
        return None
    first, second = names
    bounds = given.args if isinstance(given, ast.Call) else [_length(given)]
    if len(bounds) > 2:
        return None
    items: tuple[tuple[str, ast.expr], ...] = ()
    if not isinstance(given, ast.Call):
        taken: set[str] = set()
        first, second = (written.fresh(each, taken) for each in ("i", "j"))
        items = tuple(
            (item, ast.Subscript(given, name(at), ast.Load()))
            for item, at in zip(names, (first, second), strict=True)
        )
    behind: ast.expr = name(first)
    if strictly:
        behind = ast.BinOp(name(first), ast.Add(), ast.Constant(1))
    return _Levels(((first, _range(*bounds)), (second, _range(behind, bounds[-1]))), items)


def _enumerated(target: ast.Tuple, source: ast.Call) -> _Levels | None:
    """``for (i, j), v in np.ndenumerate(x)``."""
    if len(target.elts) != 2 or len(source.args) != 1 or source.keywords:
        return None
    places, item = target.elts
    array = source.args[0]
    names = _names(places) if isinstance(places, ast.Tuple) else None
    if names is None or not isinstance(item, ast.Name) or not isinstance(array, ast.Name):
        return None
    if item.id in names:
        return None
    sizes = [_size(ast.Attribute(array, "shape", ast.Load()), n) for n in range(len(names))]
    at = ast.Tuple([name(each) for each in names], ast.Load())
    element = ast.Subscript(array, at, ast.Load())
    return _Levels(tuple(zip(names, map(_range, sizes), strict=True)), ((item.id, element),))


def _sizes(source: ast.Call, count: int) -> list[ast.expr] | None:
    """How long each axis is that ``np.ndindex`` goes through."""
    given = list(source.args)
    if source.keywords or not given:
        return None
    whole = given[0].value if isinstance(given[0], ast.Starred) else given[0]
    if len(given) == 1 and isinstance(whole, (ast.Tuple, ast.List)):
        given = list(whole.elts)
    elif len(given) == 1 and isinstance(whole, ast.Attribute) and whole.attr == "shape":
        return [_size(whole, place) for place in range(count)]
    plain = not any(isinstance(each, ast.Starred) for each in given)
    return given if plain and len(given) == count else None


def _size(shape: ast.expr, place: int) -> ast.expr:
    return ast.Subscript(shape, ast.Constant(place), ast.Load())


def _length(of: ast.expr) -> ast.expr:
    return ast.Call(name("len"), [of], [])


def _again(walked: ast.expr, around: ast.AST) -> bool:
    """Whether the same is walked each time: the numbers of a range, the items of a name, neither of
    which the steps change."""
    ranges = isinstance(walked, ast.Call) and isinstance(walked.func, ast.Name)
    if ranges and (walked.func.id != "range" or walked.keywords):  # type: ignore[attr-defined]
        return False
    if not ranges and not isinstance(walked, ast.Name):
        return False
    return not loads_in(walked) & _changed(around, items=not ranges)


def _changed(around: ast.AST, items: bool) -> set[str]:
    """The names that code binds, or whose objects it may make longer; with ``items`` also those in
    which it puts another item."""
    found = set(stored_in(around))
    for node in everything_in(around):
        base: ast.AST = node
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            base = node.func.value
        elif not isinstance(node, (ast.Subscript, ast.Attribute)) or isinstance(node.ctx, ast.Load):
            continue
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and not items:
            if not isinstance(node.slice, ast.Slice):
                continue
        if (name := owner(base)) is not None:
            found.add(name)
    return found
