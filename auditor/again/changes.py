"""What some statements bind, write into and call, by the text; and what an expression reads."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable
from dataclasses import dataclass, field

from auditor.again.calls import GROWS, Does, does
from auditor.lift.bound import names_bound
from auditor.lift.module import Module
from auditor.tree import children, descendants

_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_LISTS = (ast.ListComp, ast.SetComp, ast.GeneratorExp)
_PATTERNS = (ast.MatchAs, ast.MatchStar, ast.MatchMapping)
_YIELDS = (ast.Yield, ast.YieldFrom, ast.Await, ast.AsyncFor, ast.AsyncWith)


def dotted(node: ast.AST) -> str | None:
    """``x``, ``self.w``: a name with the attributes below it; None for anything else."""
    below: list[str] = []
    while isinstance(node, ast.Attribute):
        below.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(below)]) if isinstance(node, ast.Name) else None


def base(node: ast.AST) -> str | None:
    """The path of what an item, or an item of an item, is an item of."""
    while isinstance(node, (ast.Subscript, ast.Starred)):
        node = node.value
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return base(node.func.value)  # ``x.view(-1)[0] = 1``
    return dotted(node)


def _bases(node: ast.AST) -> set[str]:
    """The paths of which what is written may be a part: of a call, all that it is given."""
    while isinstance(node, (ast.Subscript, ast.Starred)):
        node = node.value
    given = node.args if isinstance(node, ast.Call) else []  # ``np.squeeze(x)[0] = 1``
    return {base(node) or "", *(path for part in given for path in _bases(part))}


@dataclass
class Changes:
    """``bound`` are names that get another value, ``written`` the paths of what is changed in
    place or set (``grown`` those that items are put into or taken out of), ``calls`` what may do
    anything, ``hands_over`` whether control leaves."""

    bound: set[str] = field(default_factory=set)
    written: set[str] = field(default_factory=set)
    grown: set[str] = field(default_factory=set)
    calls: list[ast.Call] = field(default_factory=list)
    hands_over: bool = False

    def writes_into(self, name: str) -> bool:
        """Whether what a name names, or a part of it, is changed in place."""
        return any(other.partition(".")[0] == name for other in self.written | self.grown)

    def touches(self, path: str) -> bool:
        """Whether what ``path`` names may be another object or another value."""
        if path.partition(".")[0] in self.bound:
            return True
        return any(
            path == other or path.startswith(f"{other}.") or other.startswith(f"{path}.")
            for other in self.written | self.grown
        )


def changes(module: Module, nodes: Iterable[ast.AST]) -> Changes:
    """What executing ``nodes`` changes."""
    found = Changes()
    walks: list[ast.For | ast.AsyncFor | ast.comprehension] = []
    for root in nodes:
        for node in descendants(root):
            _one(module, node, found)
            if isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
                walks.append(node)
    # What is written into an element is written into what is walked: the elements of an array
    # are views. Once for each, as a walk may go over the elements of another.
    for _ in walks:
        for walk in walks:
            if any(
                found.writes_into(n.id) for n in descendants(walk.target) if isinstance(n, ast.Name)
            ):
                found.written |= _bases(walk.iter)
    return found


def _one(module: Module, node: ast.AST, found: Changes) -> None:
    if isinstance(node, _PATTERNS):
        found.bound.update(names_bound(node))
    elif isinstance(node, ast.Name):
        if not isinstance(node.ctx, ast.Load):
            found.bound.add(node.id)
    elif isinstance(node, (ast.Subscript, ast.Attribute)):
        if not isinstance(node.ctx, ast.Load):
            found.written |= _bases(node)
    elif isinstance(node, ast.AugAssign):
        found.written |= _bases(node.target)
    elif isinstance(node, ast.ExceptHandler):
        found.bound.add(node.name or "")
    elif isinstance(node, ast.Expr):
        value = node.value.elt if isinstance(node.value, _LISTS) else node.value
        if isinstance(value, ast.Call):
            _call(module, value, found, True)
    elif isinstance(node, ast.Call):
        _call(module, node, found, False)
    elif isinstance(node, (*_INNER, ast.Import, ast.ImportFrom)):
        names = getattr(node, "names", ())
        found.bound.update((a.asname or a.name).split(".")[0] for a in names)
        found.bound.add(getattr(node, "name", ""))
    elif isinstance(node, _YIELDS):
        found.hands_over = True


def _call(module: Module, call: ast.Call, found: Changes, statement: bool) -> None:
    what = does(module, call, statement)
    if what is Does.WRITES:
        if isinstance(call.func, ast.Attribute):
            into = found.grown if call.func.attr in GROWS else found.written
            into.add(base(call.func.value) or "")
        found.written.update(base(k.value) or "" for k in call.keywords if k.arg == "out")
        if any(k.arg == "inplace" for k in call.keywords):
            found.written.update(base(arg) or "" for arg in call.args[:1])
    elif what is Does.ANYTHING:
        found.calls.append(call)


def reads(module: Module, node: ast.AST) -> set[str]:
    """The paths that evaluating an expression reads, imported names left out. The variables of
    its own comprehensions are no such thing."""
    found: set[str] = set()
    own: set[str] = set()
    waiting = [node]
    while waiting:
        at = waiting.pop()
        path = dotted(at)
        if path is not None:
            if path.partition(".")[0] not in module.names:
                found.add(path)
            continue
        if isinstance(at, ast.Call) and isinstance(at.func, ast.Name):
            waiting += [part for part in children(at) if part is not at.func]
            found |= _read_inside(module, at.func.id)
            continue
        if isinstance(at, ast.Call) and isinstance(at.func, ast.Attribute):
            waiting += [at.func.value, *at.args, *at.keywords]  # not the name of the method
            continue
        if isinstance(at, ast.comprehension):
            own |= {n.id for n in descendants(at.target) if isinstance(n, ast.Name)}
        waiting += children(at)
    return {path for path in found if path.partition(".")[0] not in own}


def _read_inside(module: Module, name: str) -> set[str]:
    """The names of the module that a function of the file reads, other functions left out."""
    if name not in module.functions:
        return set()
    known = module.functions.keys() | module.names.keys() | module.classes.keys()
    return set(module.free_names(module.functions[name]) - known - {*dir(builtins)})


def only_computes(module: Module, node: ast.AST) -> bool:
    """Whether evaluating an expression does nothing but compute a value, and the same one every
    time."""
    for inner in descendants(node):
        if isinstance(inner, (ast.NamedExpr, ast.Lambda, *_YIELDS)):
            return False
        if isinstance(inner, ast.Call):
            if isinstance(inner.func, ast.Name) and inner.func.id in module.functions:
                continue  # whether it computes and nothing else is known once it is read
            if does(module, inner) not in (Does.FRESH, Does.VIEW, Does.REPORTS):
                return False
            if isinstance(inner.func, ast.Name) and inner.func.id in ("print", "id"):
                return False
            if isinstance(inner.func, ast.Name) and inner.func.id in ("iter", "enumerate", "zip"):
                return False
    return True
