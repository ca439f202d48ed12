"""Which names of a function may share memory, by the text of what is bound to them. Wider than what
the lifter knows: it loses a name that a loop has written."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from auditor.lift.bound import names_bound
from auditor.lift.call_effects import GROWS, given_back
from auditor.lift.moved import moves
from auditor.lift.objects import Written
from auditor.lift.sharing import is_array
from auditor.notation import Value
from auditor.syntax import is_name, path_of
from auditor.tree import children, descendants, everything_in

if TYPE_CHECKING:
    from auditor.surroundings.region import Region

_FRESH = frozenset(
    ("zeros", "ones", "empty", "full", "zeros_like", "ones_like", "empty_like", "full_like", "copy")
    + ("clone", "array", "rand", "randn", "random", "arange", "eye", "linspace", "astype", "tensor")
    + ("new_zeros", "new_ones", "new_empty", "new_full", "deepcopy", "normal", "standard_normal")
)
_NUMBERS = frozenset(("shape", "dtype", "device", "ndim"))
_ITEMS = (ast.Subscript, ast.Attribute)


def shared(region: Region, written: str, read: str) -> bool:
    """Whether what two names stand for may have memory in common."""
    return not roots(region, written).isdisjoint(roots(region, read))


def made_anew(region: Region, before: ast.stmt, name: str) -> bool:
    """Whether the statements before a loop make an array that nothing else holds by then."""
    binding = region.binding_before(before, name)
    if binding is None or binding.value is None or not binding.unread:
        return False
    return isinstance(binding.value, ast.Call) and not list(views(region, binding.value))


def roots(region: Region, name: str) -> set[str]:
    """The names and attributes that ``name`` may be a view of, itself among them."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        at = waiting.pop()
        if at not in found:
            found.add(at)
            given = [*bound(region, at), *put_into(region, at)]
            waiting += (root for value in given for root in views(region, value))
            others = (r for v in _set_elsewhere(region, at) for r in views(region, v))
            waiting += (r if r.startswith("self.") else f"{r} of a method" for r in others)
    return found


def _set_elsewhere(region: Region, path: str) -> Iterator[ast.expr]:
    """What the methods of a class give an attribute of ``self``: ``self.flat = self.x.view(-1)``
    shares with another attribute wherever it is set."""
    owner, dot, attribute = path.partition(".")
    if dot:
        around = (
            klass for klass in region.module.every_class
            if klass.lineno <= getattr(region.lifted.node, "lineno", 0) <= (klass.end_lineno or 0)
        )  # fmt: skip
        for node in (inner for klass in around for inner in everything_in(klass)):
            if isinstance(node, ast.Assign) and not moves(node):
                for target in node.targets:
                    if isinstance(target, ast.Attribute) and is_name(target.value, owner):
                        if target.attr == attribute:
                            yield node.value


def paths_in(nodes: Iterable[ast.AST]) -> set[str]:
    """The names that expressions read, with what is an attribute of ``self`` under its path."""
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Attribute) and is_name(node.value, "self"):
            found.add(f"self.{node.attr}")
        elif isinstance(node, ast.Name) and node.id != "self":
            found.add(node.id)
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
        elif isinstance(node, ast.Match):
            patterns = (part for case in node.cases for part in descendants(case.pattern))
            if any(name in names_bound(part) for part in patterns):
                yield node.subject
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            if _binds(node.optional_vars, name):
                yield node.context_expr


def may_be_array(region: Region, node: ast.expr) -> bool:
    """Whether the function gives a name in an expression what a library computes, or may choose
    what a method does: where nothing is known of that, it need not be a number."""
    given = (
        value for name in everything_in(node) if isinstance(name, ast.Name)
        for value in bound(region, name.id)
    )  # fmt: skip
    return any(
        isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute)
        and part.func.attr not in _OF_NUMBERS
        and (isinstance(value, (ast.IfExp, ast.BoolOp)) or _is_library(region, part.func))
        for value in given for part in everything_in(value)
    )  # fmt: skip


_OF_NUMBERS = frozenset("item get pop size dim numel".split())


def _is_library(region: Region, function: ast.expr) -> bool:
    return (path_of(region.module, function) or "").startswith(("numpy.", "torch."))


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


def views(region: Region, node: ast.expr) -> Iterator[str]:
    """What the value of an expression may be a view of."""
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.UnaryOp):
        if isinstance(node.op, ast.UAdd):
            yield from views(region, node.operand)
    elif isinstance(node, ast.BinOp):
        sides = (node.left, node.right)  # of which lists are joined
        if any(isinstance(side, (ast.List, ast.Tuple)) for side in sides):
            yield from (root for side in sides for root in views(region, side))
    elif isinstance(node, (ast.Compare, ast.Constant, ast.JoinedStr)):
        return
    elif isinstance(node, ast.Attribute):
        if node.attr in _NUMBERS:
            return
        if isinstance(node.value, ast.Name) and node.value.id == "self":
            yield f"self.{node.attr}"
        else:
            yield from views(region, node.value)
    elif isinstance(node, ast.Subscript):
        yield from views(region, node.value)
    elif isinstance(node, ast.Call):
        if not _makes_anew(region, node):
            for part in given_back(region.module, node):
                if part is node.func and isinstance(part, ast.Name):
                    yield from _of_function(region, part.id)
                else:
                    yield from views(region, part)
    else:
        parts = (part for part in children(node) if isinstance(part, ast.expr))
        yield from (root for part in parts for root in views(region, part))


def _of_function(region: Region, name: str) -> Iterator[str]:
    """What a function within a function gives back of the names around it."""
    for node in region.nodes:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            own = {arg.arg for arg in descendants(node.args) if isinstance(arg, ast.arg)}
            given = (part.value for part in descendants(node) if isinstance(part, ast.Return))
            for value in given:
                if value is not None:
                    yield from (root for root in views(region, value) if root not in own)


def _makes_anew(region: Region, call: ast.Call) -> bool:
    called = call.func
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    if name in ("range", "len", "int", "float") and isinstance(called, ast.Name):
        return True
    if name in _FRESH and not any(word.arg == "copy" for word in call.keywords):
        return name != "copy" or _copies(region, called)
    return False


def _copies(region: Region, called: ast.expr) -> bool:
    """Whether what is called ``copy`` is the method of an array: the copy of a list holds the same
    arrays, and what ``copy.copy`` makes of a tensor shares its memory."""
    return isinstance(called, ast.Attribute) and is_array(region.values.get(called.value))


def put_into(region: Region, name: str) -> Iterator[ast.expr]:
    """What is put into a container or set on an object; what is assigned to items of an array is
    copied."""
    known = (region.values.get(at) for at in (*region.loads.get(name, ()), *bound(region, name)))
    array = any(isinstance(obj, (Value, Written)) for obj in known)
    for node in region.nodes:
        for holder, parts, item in puts(node):
            if is_name(holder, name) and not (array and item):
                yield from parts


def puts(node: ast.AST) -> Iterator[tuple[ast.expr, list[ast.expr], bool]]:
    """What a node puts something into, what it puts there, and whether as an item by a subscript:
    ``d.update(a=x)``, ``o.a = x``, ``d["a"] = x``."""
    if isinstance(node, ast.Call):
        given = [*node.args, *(word.value for word in node.keywords)]
        if isinstance(node.func, ast.Attribute) and node.func.attr in GROWS | {"setdefault"}:
            yield node.func.value, given, False
        elif is_name(node.func, "setattr") and given:
            yield given[0], given[1:], False
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            at, item = target, True
            while isinstance(at, _ITEMS):
                item = item and isinstance(at, ast.Subscript)
                at = at.value
            if at is not target and not is_name(at, "self"):
                yield at, [node.value], item
