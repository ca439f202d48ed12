"""Loops over the elements of an axis that have nothing to do with one another, as whole slices.

``for b in range(B): ... out[b, t] = a[b, t] * out[b, t - 1] + x[b, t]`` does for each ``b`` what
``out[:, t] = a[:, t] * out[:, t - 1] + x[:, t]`` does for all: every array that the loop writes is
read and written at ``b`` alone, and what it binds is bound anew for each ``b``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy

from auditor.lift.bound import stored_in
from auditor.plain.text import Body, Written, loads_in
from auditor.syntax import path_of
from auditor.tree import descendants
from auditor.verdict import Edit

_POINTWISE = frozenset(
    ("exp", "log", "sqrt", "sigmoid", "tanh", "abs", "maximum", "minimum", "where", "sin", "cos")
    + ("relu", "softplus", "logaddexp", "square", "log1p", "expm1", "clamp", "clip")
)
_SCALARS = ("zeros", "tensor", "ones", "zeros_like")


def nests(written: Written) -> Iterator[list[Edit]]:
    """One after the other, each loop over an axis of a nest, the innermost first."""
    found: list[tuple[int, list[Edit]]] = []
    for block, place in written.own():
        loop = block[place]
        if isinstance(loop, ast.For) and _in_nest(written, loop):
            body = _whole(written, loop)
            edit = None if body is None else written.replaced([loop], body)
            if edit is not None:
                found.append((-loop.col_offset, [edit]))
    for _, edits in sorted(found, key=lambda pair: pair[0]):
        yield edits


def _in_nest(written: Written, loop: ast.For) -> bool:
    below = any(isinstance(n, ast.For) for s in loop.body for n in descendants(s))
    above = any(isinstance(n, ast.For) for n in written.ancestors(loop, written.node))
    return below or above


def _whole(written: Written, loop: ast.For) -> Body | None:
    """The body with slices for the elements, or None where the steps may depend on each other."""
    source, target = loop.iter, loop.target
    if not isinstance(target, ast.Name) or loop.orelse or not isinstance(source, ast.Call):
        return None
    counts = isinstance(source.func, ast.Name) and source.func.id == "range"
    if not counts or len(source.args) != 1 or source.keywords:
        return None
    index, size = target.id, ast.unparse(source.args[0])
    inside = set(descendants(loop))
    outside = [n for n in written.nodes if isinstance(n, ast.Name) and n not in inside]
    own = stored_in(loop)
    if any(n.id in own and not isinstance(n.ctx, ast.Store) for n in outside):
        return None
    if not _bound_first(loop.body, set()) or _changes_another(loop, index):
        return None
    change = _Slices(written, index, size, _written_arrays(loop))
    body = [change.visit(deepcopy(statement)) for statement in loop.body]
    if change.failed or not change.rests or len(change.rests) > 1 or not change.wrote:
        return None
    return body


def _bound_first(body: Body, bound: set[str]) -> bool:
    """Whether the statements are plain ones that bind every name before they read it, those aside
    that they never bind."""
    own = {name for statement in body for name in stored_in(statement)}
    for statement in body:
        if isinstance(statement, ast.For):
            inner = bound | stored_in(statement.target)
            if loads_in(statement.iter) & (own - bound) or statement.orelse:
                return False
            # what the inner loop carries was bound before it
            carried = {n for s in statement.body for n in stored_in(s)}
            if not _bound_first(statement.body, inner) or not _plain_carries(
                statement.body, carried - inner
            ):
                return False
            bound |= carried | stored_in(statement.target)
            continue
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            read = loads_in(statement.value) | loads_in(statement.targets[0])
        elif isinstance(statement, ast.AugAssign):
            read = loads_in(statement.value) | loads_in(statement.target)
            read |= stored_in(statement.target)
        else:
            return False
        if read & (own - bound):
            return False
        bound |= stored_in(statement)
    return True


def _changes_another(loop: ast.For, index: str) -> bool:
    """Whether ``+=`` may write what a name shares with others, once for each element."""
    changed = {
        n.target.id for n in descendants(loop)
        if isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Name)
    }  # fmt: skip
    shared = (ast.Name, ast.Attribute, ast.Subscript, ast.IfExp)
    return any(
        isinstance(n, ast.Assign) and stored_in(n.targets[0]) & changed
        and isinstance(n.value, shared) and index not in loads_in(n.value)
        for n in descendants(loop)
    )  # fmt: skip


def _plain_carries(body: Body, names: set[str]) -> bool:
    """Whether what is first bound in an inner loop is bound before it is read there."""
    return _bound_first(body, set()) if names else True


def _written_arrays(loop: ast.For) -> frozenset[str]:
    return frozenset(
        n.value.id for n in descendants(loop)
        if isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Store)
        and isinstance(n.value, ast.Name)
    )  # fmt: skip


def _sizes(written: Written) -> dict[str, str]:
    """Names of extents: ``B`` for ``x.shape[0]`` after ``B, T = x.shape``."""
    return {
        shape[p]: f"{array}.shape[{p}]"
        for array, shape in _shapes(written).items()
        for p in range(len(shape))
        if shape[p].isidentifier() and ".shape[" not in shape[p]
    }


def _shapes(written: Written) -> dict[str, list[str]]:
    """The extents of arrays as the function states them, each binding being the only one."""
    bindings: dict[str, list[ast.Assign]] = {}
    for node in written.nodes:
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            for name in stored_in(node.targets[0]):
                bindings.setdefault(name, []).append(node)
    found: dict[str, list[str]] = {}
    for node in (n for n in written.nodes if isinstance(n, ast.Assign)):
        (target, *more), value = node.targets, node.value
        if isinstance(target, ast.Tuple) and not more and _asks_shape(value):
            names = [e.id if isinstance(e, ast.Name) else "" for e in target.elts]
            if all(names) and all(len(bindings[name]) == 1 for name in names):
                found[ast.unparse(value.value)] = names  # type: ignore[attr-defined]
    for name, assigned in bindings.items():
        if len(assigned) != 1 or not isinstance(assigned[0].targets[0], ast.Name):
            continue
        value = assigned[0].value
        if not isinstance(value, ast.Call) or any(k.arg == "size" for k in value.keywords):
            continue
        word = ast.unparse(value.func).split(".")[-1]
        if word in ("zeros", "empty", "ones") and value.args:
            first = value.args[0]
            items = first.elts if isinstance(first, (ast.Tuple, ast.List)) else value.args
            found[name] = [ast.unparse(item) for item in items]
        elif word in ("zeros_like", "empty_like", "ones_like", "clone", "copy"):
            given = value.args[0] if value.args else getattr(value.func, "value", None)
            if isinstance(given, ast.Name) and given.id in written.stored:
                if given.id in found:
                    found[name] = found[given.id]
    return found


def _asks_shape(value: ast.expr) -> bool:
    return isinstance(value, ast.Attribute) and value.attr == "shape" and isinstance(
        value.value, ast.Name
    )  # fmt: skip


class _Slices(ast.NodeTransformer):
    """Slices in place of an index. ``rests`` are the numbers of whole axes behind it."""

    def __init__(self, written: Written, index: str, size: str, arrays: frozenset[str]) -> None:
        self._written, self._index, self._size, self._arrays = written, index, size, arrays
        self._shapes = _shapes(written)
        self._places: dict[str, int] = {}
        self.failed = False
        self.wrote = False
        self.rests: set[int] = set()

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id == self._index or (node.id in self._arrays):
            self.failed = True  # other than as the index, or without it
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        path = path_of(self._written.module, node.func) or ""
        root, word = path.split(".")[0], path.split(".")[-1]
        known = root in ("torch", "numpy") and word in _POINTWISE
        start = root in ("torch", "numpy") and word in _SCALARS
        empty = start and bool(node.args) and ast.unparse(node.args[0]) in ("()", "0.0", "1.0", "0")
        counts = isinstance(node.func, ast.Name) and node.func.id in ("range", "reversed", "len")
        if counts and self._index in loads_in(node):
            self.failed = True
        if counts:
            return node
        if not (known or empty):
            self.failed = True
        node.args = [self.visit(arg) for arg in node.args]
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if not isinstance(node.value, ast.Name):
            self.failed |= not isinstance(node.ctx, ast.Load)  # of whatever array
            if self._index in loads_in(node) or loads_in(node) & self._arrays:
                self.failed = True
            return node
        array = node.value.id
        items = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
        at = [p for p, e in enumerate(items) if isinstance(e, ast.Name) and e.id == self._index]
        mentions = [p for p, e in enumerate(items) if self._index in loads_in(e)]
        if mentions != at or len(at) > 1 or any(isinstance(e, ast.Starred) for e in items):
            self.failed = True
            return node
        if any(loads_in(e) & self._arrays for e in items):
            self.failed = True
        if not at:
            if array in self._arrays:
                self.failed = True
            return node
        (place,) = at
        if any(isinstance(e, ast.Slice) for e in items[:place]):
            self.failed = True  # another axis would come before it
        if self._places.setdefault(array, place) != place:
            self.failed = True
        shape = self._shapes.get(array, [])
        extent = shape[place] if place < len(shape) else f"{array}.shape[{place}]"
        names = _sizes(self._written)
        whole = names.get(self._size, self._size) == names.get(extent, extent)
        whole |= place == 0 and self._size == f"len({array})"
        store = isinstance(node.ctx, ast.Store)
        self.wrote |= store
        if store and not (whole and len(items) == len(shape)):
            self.failed = True  # not one number
        stop = None if whole else ast.parse(self._size, mode="eval").body
        self.rests.add(sum(isinstance(e, ast.Slice) for e in items[place + 1 :]))
        items[place] = ast.Slice(None, stop)
        node.slice = items[0] if len(items) == 1 else ast.Tuple(items, ast.Load())
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.failed |= not isinstance(node.ctx, ast.Load)
        return self.generic_visit(node)

    def generic_visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, (ast.If, ast.IfExp, ast.While, ast.BoolOp, ast.Lambda, ast.Starred)):
            self.failed = True
        if isinstance(node, (ast.ListComp, ast.GeneratorExp, ast.Break, ast.Continue, ast.MatMult)):
            self.failed = True
        return super().generic_visit(node)
