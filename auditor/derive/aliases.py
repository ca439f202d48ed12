"""Other names of what a loop changes in place: whoever looks through one sees each change, which a
reading by names does not follow."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Set

from auditor.tree import everything_in

_CHANGING = frozenset(("append", "add", "extend", "update"))
_ANEW = frozenset(
    "list dict set tuple frozenset sorted sum len min max int float bool str abs round range "
    "copy deepcopy Counter defaultdict OrderedDict deque".split()
)
_FILLED = ("zeros", "ones", "empty", "full", "eye", "arange", "linspace", "rand", "randn")
_ARRAYS = frozenset((*_FILLED, *(f"{name}_like" for name in _FILLED)))
_ANEW_OF_ARRAYS = frozenset(f"new_{name}" for name in _FILLED)
_OF_SHAPES = frozenset("shape ndim size itemsize dtype device requires_grad".split())


def other_name(
    body: ast.AST, loop: ast.For, records: Set[str], modules: Mapping[str, str]
) -> tuple[str, str] | None:
    """A name that the loop changes in place, and another one that may be the same object and is
    looked at in the loop or after it. What is taken out of ``records`` is no part of them: their
    entries are changed value by value. ``modules`` are those that the file imports, by name."""
    once = not _repeated(body, loop)
    bindings = [
        (names, value)
        for names, value in _bindings(body)
        if not _taken(value, records) and not (once and value.lineno > (loop.end_lineno or 0))
    ]
    made = {name for names, value in bindings if _mutable(value) for name in names}
    walked = set(_walked(loop.iter))
    made |= {
        name for names, value in bindings
        if isinstance(value, ast.Name) and value.id in walked for name in names
    }  # fmt: skip
    changes = set(_changed(loop, made))
    changed, within = {name for name, _ in changes}, {name for name, deep in changes if deep}
    if not changed:
        return None
    read = {
        node.id
        for node in everything_in(body)
        if isinstance(node, ast.Name)
        and isinstance(node.ctx, ast.Load)
        and node.lineno >= loop.lineno
    }
    stored = {n.id for n in everything_in(body)
              if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}  # fmt: skip
    imported = modules.keys() - stored
    for names, value in bindings:
        held = set() if _fills(value, modules) else set(_reached(value))
        pairs = []
        for one in changed & (names | held):
            # what is put into a list is another object than the list
            apart = isinstance(value, (ast.List, ast.Tuple)) and one not in within
            others = (names if one in held or apart else names | held) - {one}
            seen = (others & read) - imported
            pairs += [(other not in names, one, other) for other in seen]
        if pairs:
            return min(pairs)[1:]
    return None


def _repeated(body: ast.AST, loop: ast.For) -> bool:
    """Does the loop stand in another one, which takes what comes after it before it again?"""
    return any(
        isinstance(node, (ast.For, ast.While, ast.AsyncFor)) and node is not loop
        and node.lineno <= loop.lineno and (loop.end_lineno or 0) <= (node.end_lineno or 0)
        for node in everything_in(body)
    )  # fmt: skip


def _taken(node: ast.expr, records: Set[str]) -> bool:
    """Is it an entry of a record?"""
    base = node.value if isinstance(node, ast.Subscript) else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        base = node.func.value if node.func.attr == "get" else None
    return isinstance(base, ast.Name) and base.id in records


def _walked(node: ast.expr) -> Iterator[str]:
    """The names of what a loop goes through, which are no numbers."""
    counts = isinstance(node, ast.Call) and ast.unparse(node.func) in ("range", "len")
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Call) and not counts:
        for part in node.args:
            yield from _walked(part)


def _changed(loop: ast.For, made: set[str]) -> Iterator[tuple[str, bool]]:
    """The names, and whether it is what they hold that is changed."""
    for node in everything_in(loop):
        base: ast.expr | None = None
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            base = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            base = node.func.value if node.func.attr in _CHANGING else None
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            base = node.target if node.target.id in made else None
        whole = base
        while isinstance(base, ast.Subscript):
            base = base.value
        if isinstance(base, ast.Name):
            yield base.id, base is not whole


def _mutable(node: ast.expr) -> bool:
    """Is it an object of its own, which an assignment like ``+=`` changes in place?"""
    if isinstance(node, ast.Call):
        return ast.unparse(node.func) not in _ANEW - {"list", "dict", "set", "copy", "deepcopy"}
    kinds = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
    return isinstance(node, kinds)


def _bindings(body: ast.AST) -> Iterator[tuple[set[str], ast.expr]]:
    """Names that are bound together, and to what."""
    for node in everything_in(body):
        if not isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr)) or node.value is None:
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        yield {target.id for target in targets if isinstance(target, ast.Name)}, node.value
        for target in targets:
            if isinstance(target, ast.Tuple):
                yield from _parts(target, node.value)


def _parts(target: ast.Tuple, value: ast.expr) -> Iterator[tuple[set[str], ast.expr]]:
    values: Iterable[ast.expr] = [value] * len(target.elts)
    if isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts):
        values = value.elts
    for one, part in zip(target.elts, values, strict=True):
        if isinstance(one, ast.Name):
            yield {one.id}, part


def _reached(node: ast.expr) -> Iterator[str]:
    """The names of objects that a value may be, share memory with or hold."""
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute) and node.attr in _OF_SHAPES:
        return
    elif isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred)):
        yield from _reached(node.value)
    elif isinstance(node, ast.IfExp):
        yield from _reached(node.body)
        yield from _reached(node.orelse)
    elif isinstance(node, (ast.Tuple, ast.List, ast.BoolOp)):
        for part in node.values if isinstance(node, ast.BoolOp) else node.elts:
            yield from _reached(part)
    elif isinstance(node, ast.Call):
        called = ast.unparse(node.func).rpartition(".")[2]
        if called in _ANEW:
            return
        for part in [node.func, *node.args] if isinstance(node.func, ast.Attribute) else node.args:
            yield from _reached(part)


def _fills(node: ast.expr, modules: Mapping[str, str]) -> bool:
    """Is it an array that a library makes, with memory of its own?"""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    base, called = node.func.value, node.func.attr
    library = isinstance(base, ast.Name) and modules.get(base.id) in ("numpy", "torch")
    return called in _ANEW_OF_ARRAYS or (library and called in _ARRAYS)
