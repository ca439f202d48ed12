"""What the uses of a name say of it where the lifter knows nothing: that it is an array and no list
or dictionary, how many axes it has at least."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.array_facts import Arrays
from auditor.nests.memory import swaps
from auditor.region import Region
from auditor.syntax import constant, is_name, path_of
from auditor.tree import everything_in

_MAKERS = frozenset(
    "zeros ones empty full zeros_like ones_like empty_like full_like array asarray arange linspace "
    "eye tensor rand randn copy clone".split()
)
_REDUCING = frozenset("sum mean max min amax amin norm prod std var argmax argmin".split())
_KEEPING = frozenset("copy clone astype reshape contiguous detach float double".split())


class Evidence:
    """The uses of the names of one function."""

    def __init__(self, region: Region) -> None:
        self.region = region
        self.certain = Arrays(region).certain

    def array(self, node: ast.expr, seen: frozenset[str] = frozenset()) -> bool:
        """Whether something is certainly an array."""
        if self.certain(node):
            return True
        if not isinstance(node, ast.Name) or node.id in seen:
            return False
        bound = list(self._bound(node.id))
        if not bound:
            return self._in_pairs(node.id)
        return all(value is not None and self._made(value, seen | {node.id}) for value in bound)

    def _bound(self, name: str) -> Iterator[ast.expr | None]:
        """What a name is bound to, None where that is a part of something."""
        for node in self.region.nodes:
            if isinstance(node, ast.Assign) and not swaps(node):
                for target in node.targets:
                    if is_name(target, name):
                        yield node.value
                    elif _stores(target, name):
                        yield None
            elif isinstance(node, ast.AnnAssign) and is_name(node.target, name):
                yield node.value
            elif isinstance(node, (ast.For, ast.comprehension, ast.NamedExpr)):
                if _stores(node.target, name):
                    yield None

    def _made(self, node: ast.expr, seen: frozenset[str]) -> bool:
        """Whether an expression makes an array."""
        if isinstance(node, ast.Name):
            return self.array(node, seen)
        if isinstance(node, ast.Subscript) and any(
            isinstance(item, ast.Slice) for item in items_of(node)
        ):  # fmt: skip
            return self.array(node.value, seen)
        if isinstance(node, ast.Attribute) and node.attr in ("T", "mT"):
            return self.array(node.value, seen)
        if not isinstance(node, ast.Call):
            return False
        path = path_of(self.region.module, node.func)
        if path is not None:
            root, _, rest = path.partition(".")
            return root in ("torch", "numpy") and rest in _MAKERS
        called = node.func
        return (
            isinstance(called, ast.Attribute) and called.attr in _KEEPING
            and self.array(called.value, seen)
        )  # fmt: skip

    def _in_pairs(self, name: str) -> bool:
        """Whether a parameter that is no dictionary is subscripted with several places."""
        for arg in self.region.nodes:
            if isinstance(arg, ast.arg) and arg.arg == name and arg.annotation is not None:
                if any(word in ast.unparse(arg.annotation).lower() for word in ("dict", "map")):
                    return False
        return any(
            isinstance(n, ast.Subscript) and isinstance(n.slice, ast.Tuple)
            and is_name(n.value, name) for n in self.region.nodes
        )  # fmt: skip

    def axes(self, name: str) -> int:
        """How many axes the function asks for, in subscripts, sizes and loops over rows."""
        found = 0
        for node in self.region.nodes:
            if isinstance(node, ast.Subscript):
                found = max(found, _places(node, name) + self._reduced(node))
            elif isinstance(node, (ast.For, ast.comprehension)):
                for target, source in _walked(node.target, node.iter):
                    if target == name:
                        continue
                    if is_name(source, name):
                        found = max(found, 1 + self.axes(target))
                    elif isinstance(source, ast.Subscript) and (places := _places(source, name)):
                        whole = all(not isinstance(item, ast.Slice) for item in items_of(source))
                        found = max(found, places + whole)
        return found

    def _reduced(self, node: ast.Subscript) -> int:
        """Whether a subscript is of what has axes left: it is added up, or the like."""
        if any(isinstance(item, ast.Slice) for item in items_of(node)):
            return 0
        around = self.region.parents.get(node)
        if isinstance(around, ast.Call):
            path = path_of(self.region.module, around.func) or ""
            root, _, called = path.partition(".")
            return int(
                root in ("numpy", "torch") and called in _REDUCING and around.args[:1] == [node]
            )
        call = self.region.parents.get(around) if isinstance(around, ast.Attribute) else None
        called = around.attr if isinstance(around, ast.Attribute) else ""
        return int(called in _REDUCING and isinstance(call, ast.Call) and call.func is around)


def items_of(node: ast.Subscript) -> list[ast.expr]:
    """The items of a subscript."""
    return list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]


def is_new_axis(node: ast.expr) -> bool:
    """``None``, ``np.newaxis``."""
    if isinstance(node, ast.Attribute):
        return node.attr == "newaxis"
    return isinstance(node, ast.Constant) and node.value is None


def _places(node: ast.Subscript, name: str) -> int:
    """The axes that ``name[i][j]`` or ``name.shape[1]`` ask for."""
    asked = [item for item in items_of(node) if not is_new_axis(item)]
    count, at = len(asked), node.value
    while isinstance(at, ast.Subscript):
        asked = [item for item in items_of(at) if not is_new_axis(item)]
        count, at = count + len(asked), at.value
    if is_name(at, name):
        return count
    if isinstance(at, ast.Attribute) and at.attr == "shape" and is_name(at.value, name):
        place = constant(node.slice)
        return place + 1 if isinstance(place, int) else 0
    return 0


def _walked(target: ast.expr, source: ast.expr) -> list[tuple[str, ast.expr]]:
    """The names that a loop binds to elements, and of what."""
    if (
        isinstance(source, ast.Call) and isinstance(source.func, ast.Name)
        and isinstance(target, ast.Tuple)
    ):  # fmt: skip
        targets = target.elts[1:] if source.func.id == "enumerate" else target.elts
        pairs = zip(targets, source.args, strict=False)
        return [(t.id, s) for t, s in pairs if isinstance(t, ast.Name)]
    return [(target.id, source)] if isinstance(target, ast.Name) else []


def _stores(target: ast.expr, name: str) -> bool:
    return any(
        isinstance(n, ast.Name) and n.id == name and not isinstance(n.ctx, ast.Load)
        for n in everything_in(target)
    )
