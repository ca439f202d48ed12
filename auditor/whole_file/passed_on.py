"""Functions of a file that pass what they are given on to a function, or give back what it gives.

``def step(x): return norm(x)``: who changes what `step` took or gave changes what `norm` did.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from auditor.lift import Lifted
from auditor.lift.module import Module
from auditor.syntax import called_name, path_of
from auditor.tree import descendants
from auditor.whole_file.known_as import bound_to, called_as, entered_as
from auditor.whole_file.own_calls import by_name, own_nodes

_TURNS = frozenset("transpose permute swapaxes swapdims movedim t T mT".split())
_LAID_OUT = frozenset("reshape reshape_as flatten contiguous".split())
"""What is no view where axes have been turned: that is copied."""
_VIEWS = _TURNS | _LAID_OUT | frozenset(
    "view view_as squeeze unsqueeze unflatten expand expand_as narrow select diagonal detach "
    "to float double half bfloat16 type type_as cpu cuda requires_grad_".split()
)  # fmt: skip


_READ = frozenset("T mT data".split())


class Taken(NamedTuple):
    """A function whose call hands the arguments ``arriving`` to the one that is asked about, and
    may give what that gives."""

    node: ast.FunctionDef
    method: bool
    arriving: frozenset[str]
    gives: bool


Passing = Mapping[str, list[Taken]]


def passing_on(lifted: Lifted, arriving: frozenset[str]) -> Passing:
    """By the names that the file may call them: the function, which takes ``arriving``, and those
    that pass on to it or give what it gives."""
    node = lifted.node
    assert isinstance(node, ast.FunctionDef)
    first = Taken(node, lifted.lifter.klass is not None, arriving, True)
    known = {name: [first] for name in called_as(lifted)}
    rest = [one for one in _functions(lifted.module) if one.node is not node]
    before = -1
    while len(rest) != before:
        before = len(rest)
        for one in list(rest):
            taken = _taken(lifted.module, one, known)
            if taken is None:
                continue
            rest.remove(one)
            names = entered_as(one.node, one.klass)
            for name in bound_to(names, lifted.module.statements):
                known.setdefault(name, []).append(taken)
    return known


def taken_by(module: Module, call: ast.Call, known: Passing) -> list[Taken]:
    """What a call may run of the functions known; none where it is one of a library."""
    found = known.get(called_name(call), [])
    return [] if found and path_of(module, call.func) is not None else found


def handed(module: Module, call: ast.Call, known: Passing) -> Iterator[ast.expr]:
    """The arguments of a call that arrive."""
    for taken in taken_by(module, call, known):
        for name, value in by_name(taken.node, taken.method, call):
            if name in taken.arriving:
                yield viewed(value)


def viewed(node: ast.expr) -> ast.expr:
    """What an expression is a view of, as far as its text says."""
    while True:
        below = _below(node)
        if below is None or (_method(node) in _LAID_OUT and _method(below) in _TURNS):
            return node
        node = below


def _below(node: ast.expr) -> ast.expr | None:
    """What an item, an attribute or a method that views something is taken of."""
    if isinstance(node, ast.Call) and _method(node) in _VIEWS:
        return node.func.value if isinstance(node.func, ast.Attribute) else None
    if isinstance(node, ast.Attribute) and node.attr in _READ:
        return node.value
    return node.value if isinstance(node, ast.Subscript) else None


def _method(node: ast.expr) -> str:
    named = node.func if isinstance(node, ast.Call) else node
    return named.attr if isinstance(named, ast.Attribute) else ""


class _Function(NamedTuple):
    node: ast.FunctionDef
    klass: ast.ClassDef | None
    parts: tuple[ast.AST, ...]


def _functions(module: Module) -> list[_Function]:
    """The functions of a file with what is asked of their statements."""
    if "passing" not in module.once:
        methods = {m: k for k in module.every_class for m in k.body}
        module.once["passing"] = [
            _Function(node, methods.get(node), tuple(filter(_asked, own_nodes(node))))
            for node in module.statements
            if isinstance(node, ast.FunctionDef)
        ]
    found: list[_Function] = module.once["passing"]
    return found


def _asked(node: ast.AST) -> bool:
    return isinstance(node, (ast.Assign, ast.Return, ast.Call))


def _taken(module: Module, function: _Function, known: Passing) -> Taken | None:
    """What a function passes on; None where it does not."""
    spec = function.node.args
    own = {arg.arg for arg in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)}
    anew = set[str]()
    made = set[str]()
    arriving = set[str]()
    gives = False
    for node in function.parts:
        inner = descendants(node.value) if isinstance(node, ast.Assign) else [node]
        for call in inner:  # those of a value before what it is bound to
            if isinstance(call, ast.Call):
                roots = [r.id for r in handed(module, call, known) if isinstance(r, ast.Name)]
                arriving.update(name for name in roots if name in own - anew)
        if isinstance(node, ast.Return) and node.value is not None:
            parts = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
            gives = gives or any(_is_made(module, part, known, made) for part in parts)
        elif isinstance(node, ast.Assign):
            names = {target.id for target in node.targets if isinstance(target, ast.Name)}
            if _is_made(module, node.value, known, made):
                made |= names
            root = viewed(node.value)
            if not (isinstance(root, ast.Name) and root.id in names):
                anew |= names
    if not arriving and not gives:
        return None
    return Taken(function.node, function.klass is not None, frozenset(arriving), gives)


def _is_made(module: Module, node: ast.expr, known: Passing, made: set[str]) -> bool:
    root = viewed(node)
    if isinstance(root, ast.Call):
        return any(taken.gives for taken in taken_by(module, root, known))
    return isinstance(root, ast.Name) and root.id in made
