"""Which names of a function may share memory, by the text of what is bound to them. Wider than what
the lifter knows: it loses a name that a loop has written."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.region import Region
from auditor.tree import children

_FRESH = frozenset(
    ("zeros", "ones", "empty", "full", "zeros_like", "ones_like", "empty_like", "full_like", "copy")
    + ("clone", "array", "rand", "randn", "random", "arange", "eye", "linspace", "astype", "tensor")
    + ("new_zeros", "new_ones", "new_empty", "new_full", "deepcopy", "normal", "standard_normal")
)
_NUMBERS = frozenset(("shape", "dtype", "device", "ndim"))


def shared(region: Region, written: str, read: str) -> bool:
    """Whether what two names stand for may have memory in common."""
    return not _roots(region, written).isdisjoint(_roots(region, read))


def made_anew(region: Region, before: ast.stmt, name: str) -> bool:
    """Whether the statements before a loop make an array that nothing else holds by then."""
    binding = region.binding_before(before, name)
    if binding is None or binding.value is None or not binding.unread:
        return False
    return isinstance(binding.value, ast.Call) and not list(views(binding.value))


def _roots(region: Region, name: str) -> set[str]:
    """The names and attributes that ``name`` may be a view of, itself among them."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        at = waiting.pop()
        if at not in found:
            found.add(at)
            waiting += (root for value in bound(region, at) for root in views(value))
    return found


def bound(region: Region, name: str) -> Iterator[ast.expr]:
    for node in region.nodes:
        if isinstance(node, ast.Assign):
            if not swaps(node):
                yield from (v for target in node.targets for v in _given(target, node.value, name))
        elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and _binds(node.target, name):
            if node.value is not None:
                yield node.value
        elif isinstance(node, (ast.For, ast.comprehension)) and _binds(node.target, name):
            yield node.iter
        elif isinstance(node, ast.ClassDef) and node.name == name:
            yield from (s.value for s in node.body if isinstance(s, ast.Assign))
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            if _binds(node.optional_vars, name):
                yield node.context_expr


def _given(target: ast.expr, value: ast.expr, name: str) -> Iterator[ast.expr]:
    """What an assignment gives a name, part by part where both sides are taken apart."""
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        if len(target.elts) == len(value.elts):
            for one, other in zip(target.elts, value.elts, strict=True):
                yield from _given(one, other, name)
            return
    if _binds(target, name):
        yield value


def swaps(node: ast.Assign) -> bool:
    """``a, b = b, a``: what was apart stays apart."""
    parts = (*node.targets, node.value)
    if not all(isinstance(part, ast.Tuple) for part in parts):
        return False
    names = [sorted(ast.unparse(e) for e in part.elts) for part in parts]  # type: ignore[attr-defined]
    plain = all(isinstance(e, ast.Name) for part in parts for e in part.elts)  # type: ignore[attr-defined]
    return plain and all(each == names[0] for each in names) and len(set(names[0])) == len(names[0])


def _binds(target: ast.expr, name: str) -> bool:
    if isinstance(target, (ast.Tuple, ast.List)):
        return any(_binds(part, name) for part in target.elts)
    target = target.value if isinstance(target, ast.Starred) else target
    return isinstance(target, ast.Name) and target.id == name


def views(node: ast.expr) -> Iterator[str]:
    """What the value of an expression may be a view of."""
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Compare, ast.Constant, ast.JoinedStr)):
        return
    elif isinstance(node, ast.Attribute):
        if node.attr in _NUMBERS:
            return
        if isinstance(node.value, ast.Name) and node.value.id == "self":
            yield f"self.{node.attr}"
        else:
            yield from views(node.value)
    elif isinstance(node, ast.Subscript):
        yield from views(node.value)
    elif isinstance(node, ast.Call):
        called = node.func
        name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        if name in ("range", "len", "int", "float") and isinstance(called, ast.Name):
            return
        if name in _FRESH and not any(word.arg == "copy" for word in node.keywords):
            if name != "copy" or not _shallow(called):
                return
        if isinstance(called, ast.Attribute):
            yield from views(called.value)
        for part in (*node.args, *(word.value for word in node.keywords)):
            yield from views(part)
    else:
        yield from (root for p in children(node) if isinstance(p, ast.expr) for root in views(p))


def _shallow(called: ast.expr) -> bool:
    """``copy.copy`` or ``copy`` of the module of that name: what it makes of a tensor shares its
    memory."""
    owner = called.value if isinstance(called, ast.Attribute) else called
    return isinstance(owner, ast.Name) and owner.id == "copy"
