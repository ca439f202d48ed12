"""Containers of containers, ``counts[user][page] += 1``, as one container with pairs for keys."""

from __future__ import annotations

import ast
import copy
from dataclasses import dataclass, replace

from auditor.derive.begun import before, empty, maker
from auditor.derive.inner import loop_in_place
from auditor.derive.places import Place
from auditor.tree import everything_in, replaced

_MADE = ("dict", "Counter", "defaultdict", "OrderedDict")


@dataclass(frozen=True)
class Pairs:
    """Of a loop with pairs for keys the loop as it stands, and for each container how the loop
    makes what that holds: as source, nothing where it makes that itself, and as what it is."""

    written: ast.For
    inner: dict[str, tuple[str, ast.expr]]


def pairs_of(loop: ast.AST) -> Pairs | None:
    """What is told of a loop with pairs for keys."""
    found = getattr(loop, "pairs", None)
    return found if isinstance(found, Pairs) else None


def paired(place: Place) -> Place:
    """The place with ``d[a][b]`` as ``d[a, b]``, in a copy of the file, for each container that is
    used in no other way; the same place where there is none."""
    if not isinstance(place.loop, ast.For) or pairs_of(place.loop) or not _names(place.loop):
        return place
    tree = copy.deepcopy(place.tree)
    found = loop_in_place(tree, place.loop)
    if found is None or not isinstance(found.loop, ast.For):
        return place
    begun, loop = before(found, found.loop), found.loop
    made = ast.copy_location(ast.For(loop.target, loop.iter, copy.deepcopy(loop.body), []), loop)
    told = Pairs(loop, {})
    for name in sorted(_names(loop)):
        inner = _inner(begun.get(name))
        if inner is not None and (body := _rewritten(made.body, name, inner)) is not None:
            made.body, told.inner[name] = body
    if not told.inner:
        return place
    made.pairs = told  # type: ignore[attr-defined]
    for node in everything_in(tree):
        for _, value in ast.iter_fields(node):
            if isinstance(value, list) and loop in value:
                value[value.index(loop)] = made
    return replace(found, loop=ast.fix_missing_locations(made), assumptions=place.assumptions)


def _names(loop: ast.For) -> set[str]:
    """The containers of which what they hold is changed."""
    return {
        node.value.value.id
        for node in everything_in(loop)
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Subscript) and isinstance(node.value.value, ast.Name)
        and not isinstance(node.slice, (ast.Slice, ast.Constant))
    }  # fmt: skip


def _inner(made: ast.expr | None) -> ast.expr | str | None:
    """What a container that begins empty makes where it has no entry; "" if it makes nothing."""
    if empty(made) == "dict":
        return ""
    if not isinstance(made, ast.Call) or maker(made) != "defaultdict" or len(made.args) != 1:
        return None
    (given,) = made.args
    if isinstance(given, ast.Lambda):
        inner = given.body if not given.args.args else None
    else:
        inner = ast.Call(given, [], [])
    return inner if inner is not None and _is_made(inner) else None


def _is_made(inner: ast.expr) -> bool:
    """Is it an empty mapping?"""
    if isinstance(inner, ast.Dict):
        return not inner.keys
    fits = isinstance(inner, ast.Call) and maker(inner) in _MADE and not inner.keywords
    return fits and len(inner.args) == (maker(inner) == "defaultdict")  # type: ignore[attr-defined,arg-type]


def _rewritten(
    body: list[ast.stmt], name: str, inner: ast.expr | str
) -> tuple[list[ast.stmt], tuple[str, ast.expr]] | None:
    """The statements with pairs for keys, and how what is held is made; None where the container
    is looked at in another way."""
    own, made = "", inner
    statements = [copy.deepcopy(one) for one in body]
    for statement in body:
        new = _makes(statement, name)
        if new is not None and made == "":
            made, own = new[1], ast.unparse(new[1])
            statements.pop(body.index(statement))
            if not _stores(statements, name, new[0]):
                return None
    if not _kept(statements, name):
        return None
    defaults: list[ast.expr] = []

    def held(node: ast.AST) -> ast.expr | None:
        """The key under which a container within the container is held."""
        if isinstance(node, ast.Subscript) and _is_name(node.value, name):
            return node.slice
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            default = node.func.attr == "setdefault" and len(node.args) == 2
            if default and _is_name(node.func.value, name) and _is_made(node.args[1]):
                defaults.append(node.args[1])
                return node.args[0]
        return None

    def pair(first: ast.expr, second: ast.expr) -> ast.expr:
        return ast.Tuple([copy.deepcopy(first), copy.deepcopy(second)], ast.Load())

    def change(node: ast.AST) -> ast.AST | None:
        container = ast.Name(name, ast.Load())
        if isinstance(node, ast.Subscript) and (key := held(node.value)) is not None:
            return ast.copy_location(
                ast.Subscript(container, pair(key, node.slice), node.ctx), node
            )
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            asked = isinstance(node.ops[0], (ast.In, ast.NotIn))
            if asked and (key := held(node.comparators[0])) is not None:
                return ast.copy_location(
                    ast.Compare(pair(key, node.left), node.ops, [container]), node
                )
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            if node.func.attr == "get" and (key := held(node.func.value)) is not None:
                get = ast.Attribute(container, "get", ast.Load())
                args = [pair(key, node.args[0]), *node.args[1:]]
                return ast.copy_location(ast.Call(get, args, node.keywords), node)
        return None

    changed = [replaced(one, change) for one in statements]
    kinds = {ast.unparse(one) for one in defaults}
    if kinds and (made != "" or len(kinds) > 1):
        return None
    if kinds:
        made, own = defaults[0], kinds.pop()
    left = [n for s in changed for n in everything_in(s) if _is_name(n, name)]
    pairs = [n for s in changed for n in everything_in(s) if isinstance(n, ast.Tuple)
             and len(n.elts) == 2]  # fmt: skip
    if made == "" or isinstance(made, str) or len(left) > len(pairs):
        return None
    ok = all(_stands(n, changed) for n in left)
    return (changed, (own, made)) if ok else None


def _kept(body: list[ast.stmt], name: str) -> bool:
    """Does each step that looks at what is held, which makes it, put something into it?"""
    return any(_puts(one, name) for one in body) or all(_only_puts(one, name) for one in body)


def _puts(statement: ast.stmt, name: str) -> bool:
    """Does it put something into what the container holds?"""
    if not isinstance(statement, (ast.Assign, ast.AugAssign)):
        return False
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return any(isinstance(t, ast.Subscript) and isinstance(t.value, (ast.Subscript, ast.Call))
               and any(_is_name(n, name) for n in everything_in(t.value))
               for t in targets)  # fmt: skip


def _only_puts(statement: ast.stmt, name: str) -> bool:
    """Is the container looked at only where something is put into what it holds?"""
    if _puts(statement, name) or not any(_is_name(n, name) for n in everything_in(statement)):
        return True
    if not isinstance(statement, ast.If):
        return False
    if any(_is_name(n, name) for n in everything_in(statement.test)):
        first = statement.test
        if isinstance(first, ast.BoolOp) and isinstance(first.op, ast.Or):
            first = first.values[0]
        # where there is nothing, that is what the branch is for
        asks = isinstance(first, ast.Compare) and isinstance(first.ops[0], ast.NotIn)
        if not asks or not any(_puts(one, name) for one in statement.body):
            return False
    return all(_only_puts(one, name) for one in (*statement.body, *statement.orelse))


def _stands(name: ast.AST, body: list[ast.stmt]) -> bool:
    """Does a name stand for the container with pairs for keys?"""
    for statement in body:
        for node in everything_in(statement):
            if isinstance(node, ast.Subscript) and node.value is name:
                return isinstance(node.slice, ast.Tuple)
            if isinstance(node, ast.Compare) and node.comparators[0] is name:
                return isinstance(node.left, ast.Tuple)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                if node.func.value is name:
                    return node.func.attr == "get" and isinstance(node.args[0], ast.Tuple)
    return False


def _makes(statement: ast.stmt, name: str) -> tuple[str, ast.expr] | None:
    """The key and the value of ``if a not in d: d[a] = {}``."""
    if not isinstance(statement, ast.If) or statement.orelse or len(statement.body) != 1:
        return None
    test, (set_,) = statement.test, statement.body
    if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], ast.NotIn):
        return None
    if not _is_name(test.comparators[0], name) or not isinstance(set_, ast.Assign):
        return None
    (target, *more) = set_.targets
    if more or not isinstance(target, ast.Subscript) or not _is_name(target.value, name):
        return None
    same = ast.unparse(target.slice) == ast.unparse(test.left)
    return (ast.unparse(test.left), set_.value) if same and _is_made(set_.value) else None


def _stores(statements: list[ast.stmt], name: str, key: str) -> bool:
    """Does each step put something into what is held under a key?"""
    return any(
        isinstance(target, ast.Subscript) and ast.unparse(target.value) == f"{name}[{key}]"
        for one in statements if isinstance(one, (ast.Assign, ast.AugAssign))
        for target in (one.targets if isinstance(one, ast.Assign) else [one.target])
    )  # fmt: skip


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
