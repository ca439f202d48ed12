"""Whether a loop computes anything, seen from its syntax: layers that are called in turn, text that
is put together and lists that are filled are no such thing."""

from __future__ import annotations

import ast
from collections.abc import Collection, Set

from auditor.screening.carried import is_looked_up, is_told
from auditor.tree import everything_in


def computes(
    loop: ast.For | ast.While, libraries: Set[str] = frozenset(), local: Collection[str] = ()
) -> bool:
    """Whether a loop does more than call and store: arithmetic, functions of an array library or
    of the same file, or a flag set under a condition. Layers, `x = layer(x)`, are no such thing."""
    grown, chosen = set[str](), set[str]()
    for node in everything_in(loop):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute):
                path = _path(node.func)
                arrays = path[0] in libraries and not path[-1].startswith("is_")
                if arrays and not _ABOUT.intersection(path):
                    return True
                if node.func.attr in _IN_PLACE:
                    return True
                if node.func.attr in _GROWS:
                    grown |= _names(node.func.value)
                    chosen |= {n for arg in node.args if _chooses(arg) for n in _names(arg)}
            elif isinstance(node.func, ast.Name) and node.func.id in (*_BUILTINS, *local):
                chosen |= _names(node)
        if isinstance(node, (ast.BinOp, ast.AugAssign)):
            if not _spells(node):
                return True
            if isinstance(node, ast.AugAssign):
                grown |= _names(node.target)
        elif isinstance(node, ast.If) and any(_decides(inner, node.test) for inner in node.body):
            return True
        elif isinstance(node, ast.Assign):
            if _picks(node) or _of_two(node) or _places(node):
                return True
            choice = _chooses(node.value)
            if isinstance(node.value, ast.Call):
                path = _path(node.value.func)
                names = {target.id for target in node.targets if isinstance(target, ast.Name)}
                choice = path[0] in names if len(path) > 1 else path[0] in (*_BUILTINS, *local)
                # `h = self.step(h, x)` is a recurrence, `x = self.layer(x)` a layer.
                choice |= path[0] == "self" and path[-1] in local and len(node.value.args) > 1
            elif choice:
                chosen |= _names(node.value)
            targets = [part for target in node.targets for part in everything_in(target)]
            if choice and any(holds(node.value, target) for target in targets):  # type: ignore[arg-type]
                return True
    return not grown.isdisjoint(chosen)  # `best.append(max(best[-1], x))`


def _chooses(node: ast.expr) -> bool:
    return isinstance(node, (ast.IfExp, ast.BoolOp))


def _names(node: ast.AST) -> set[str]:
    return {inner.id for inner in everything_in(node) if isinstance(inner, ast.Name)}


def _of_two(node: ast.Assign) -> bool:
    """Whether a cell with two places is set to what a call gives: `m[i][j] = len(a[i] & b[j])`."""
    return any(
        isinstance(target, ast.Subscript) and isinstance(target.value, ast.Subscript)
        for target in node.targets
    ) and any(isinstance(inner, ast.Call) for inner in everything_in(node.value))


def _places(node: ast.Assign) -> bool:
    """Whether cells are set whose places are looked up, or one number is put into cells with two
    places: ``hot[i, y[i]] = 1``, ``table[u, v] = 1``."""
    one = isinstance(node.value, ast.Constant) and type(node.value.value) in (int, float)
    return any(
        is_looked_up(target) and (one or is_told(target.slice))  # type: ignore[attr-defined]
        for target in node.targets
    )


def _picks(node: ast.Assign) -> bool:
    """Whether cells are set to what is compared, or looked up: ``out[i] = x[i, place[i]]``."""
    return any(isinstance(target, ast.Subscript) for target in node.targets) and any(
        isinstance(inner, ast.Compare)
        or (
            isinstance(inner, ast.Subscript)
            and any(isinstance(place, ast.Subscript) for place in everything_in(inner.slice))
        )
        for inner in everything_in(node.value)
    )


# Parts of array libraries that are about programs and devices, not about arrays.
_ABOUT = frozenset("jit cuda compiler utils distributed no_grad autocast save load onnx fx".split())
_IN_PLACE = frozenset("add_ sub_ mul_ div_ lerp_ addcmul_ addcdiv_ maximum_ clamp_".split())
_BUILTINS = ("max", "min", "sum", "abs", "pow", "round")
_GROWS = ("append", "appendleft", "insert", "extend")


def _path(node: ast.expr) -> list[str]:
    """The names of a dotted path or method chain, first to last."""
    names: list[str] = []
    while isinstance(node, (ast.Attribute, ast.Call, ast.Subscript)):
        if isinstance(node, ast.Attribute):
            names.append(node.attr)
        node = node.func if isinstance(node, ast.Call) else node.value
    names.append(node.id if isinstance(node, ast.Name) else "")
    return names[::-1]


def _spells(node: ast.BinOp | ast.AugAssign) -> bool:
    """Text put together with ``+`` or ``%``, and lists extended: ``ids += [i] * n``."""
    whole = node.value if isinstance(node, ast.AugAssign) else node
    sides: tuple[ast.expr, ...] = (whole,)
    if isinstance(whole, ast.BinOp) and (whole is node or isinstance(whole.op, ast.Mult)):
        sides = (whole.left, whole.right)
    return any(
        isinstance(side, (ast.JoinedStr, ast.List, ast.Tuple, ast.ListComp))
        or (isinstance(side, ast.Constant) and isinstance(side.value, (str, bytes)))
        for side in sides
    )


def holds(value: ast.expr, target: ast.expr) -> bool:
    """``m = x if x > m else m``, ``m = max(m, x)``."""
    return isinstance(target, ast.Name) and any(
        isinstance(inner, ast.Name) and inner.id == target.id for inner in everything_in(value)
    )


def _decides(node: ast.stmt, test: ast.expr) -> bool:
    """``if x > best: best = x``, ``found = True`` or ``return False``."""
    if isinstance(node, ast.Return):
        return isinstance(node.value, ast.Constant) and isinstance(node.value.value, bool)
    if not isinstance(node, ast.Assign):
        return False
    if isinstance(node.value, ast.Constant) and isinstance(node.value.value, bool):
        return isinstance(node.targets[0], ast.Name)
    names = {inner.id for inner in everything_in(node.targets[0]) if isinstance(inner, ast.Name)}
    return any(
        isinstance(inner, ast.Name) and inner.id in names
        for compare in everything_in(test)
        if isinstance(compare, ast.Compare)
        for inner in everything_in(compare)
    )
