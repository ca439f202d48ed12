"""What some statements bind, write into and call, by the text; and what an expression reads."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from auditor.lift.bound import names_bound
from auditor.lift.call_effects import GROWS, Does, does, parts_kept, written_into
from auditor.lift.module import Module
from auditor.syntax import path_of
from auditor.tree import children, descendants, everything_in

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


def paths_bound(target: ast.expr) -> Iterator[str]:
    """The names and attributes that an assignment to ``target`` binds."""
    if isinstance(target, (ast.Tuple, ast.List)):
        yield from (path for part in target.elts for path in paths_bound(part))
    elif isinstance(target, ast.Starred):
        yield from paths_bound(target.value)
    elif (path := dotted(target)) is not None:
        yield path


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
    if not isinstance(node, ast.Call):
        return {base(node) or ""}
    given = [*node.args]  # ``np.squeeze(x)[0] = 1``
    if isinstance(node.func, ast.Attribute):
        given.append(node.func.value)  # ``x.view(-1)[0] = 1``
    return {path for part in given for path in _bases(part)}


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
    every = [node for root in nodes for node in descendants(root)]
    for node in every:
        _one(module, node, found)
    found.written |= _wholes(found.written | found.grown, _views(every))
    return found


def calls_that_write(module: Module, function: ast.AST) -> list[tuple[tuple[int, int], set[str]]]:
    """The calls of a function that change what they are given, by line and column, each with the
    paths of that; methods that say so themselves (``x.add_(1)``) left out. What is made within the
    function and changes something may be what a name of the function calls, or hands on."""
    every = descendants(function)
    made = list(_by_functions_within(module, function, every))
    views: list[_View] | None = None
    for node in every:
        if not isinstance(node, ast.Call) or does(module, node) is not Does.WRITES:
            continue
        if isinstance(node.func, ast.Attribute) and node.func.attr.endswith("_"):
            continue
        found = Changes()
        _call(module, node, found, False)
        if found.written:
            views = _views(every) if views is None else views
            paths = found.written | _wholes(found.written, views)
            made.append(((node.lineno, node.col_offset), paths))
    return made


def _by_functions_within(
    module: Module, function: ast.AST, every: Iterable[ast.AST]
) -> Iterator[tuple[tuple[int, int], set[str]]]:
    """The calls that may be of functions made within one, with all names that these mention which
    change anything in place, under whatever name."""
    inner = [n for n in every if isinstance(n, _INNER) and n is not function]
    words: set[str] = set()
    for one in inner:
        done = changes(module, one.body if isinstance(one.body, list) else [one.body])
        if done.written or done.grown:
            words |= {n.id for n in descendants(one) if isinstance(n, ast.Name)}
    if not words:
        return
    made = {n.name for n in inner if not isinstance(n, ast.Lambda)}
    own = made | {n.id for n in every if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    for node in every:
        if isinstance(node, ast.Call):
            given = [n for part in (*node.args, *node.keywords) for n in descendants(part)]
            names = {n.id for n in given if isinstance(n, ast.Name)}
            calls = isinstance(node.func, ast.Name) and node.func.id in own
            if calls or names & made or any(isinstance(n, ast.Lambda) for n in given):
                yield (node.lineno, node.col_offset), words | names


_View = tuple[set[str], ast.expr]
"""Names of what may be parts of what an expression gives."""


def _views(nodes: Iterable[ast.AST]) -> list[_View]:
    found: list[_View] = []
    for node in nodes:
        if isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
            names = {n.id for n in descendants(node.target) if isinstance(n, ast.Name)}
            found.append((names, node.iter))
        elif isinstance(node, ast.Match):
            parts = (part for case in node.cases for part in descendants(case.pattern))
            found.append(({name for part in parts for name in names_bound(part)}, node.subject))
        elif isinstance(node, ast.Call):
            given = [*node.args, *(word.value for word in node.keywords)]
            names = {
                arg.arg for part in given if isinstance(part, ast.Lambda)
                for arg in everything_in(part.args) if isinstance(arg, ast.arg)
            }  # fmt: skip
            if names:
                found += [(names, part) for part in given if not isinstance(part, ast.Lambda)]
    return found


def _wholes(paths: set[str], views: list[_View]) -> set[str]:
    """What is written where parts are: the elements of an array are views of it. Once for each
    view, as parts may be parts of others."""
    found = set[str]()
    for _ in views:
        for names, whole in views:
            if any(path.partition(".")[0] in names for path in paths | found):
                found.update(*map(_bases, (whole, *parts_kept(whole))))
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
        grows = isinstance(call.func, ast.Attribute) and call.func.attr in GROWS
        into = found.grown if grows and path_of(module, call.func) is None else found.written
        into.update(*map(_bases, written_into(module, call)))
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
