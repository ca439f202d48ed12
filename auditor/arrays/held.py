"""What is changed in place of what an expression makes, by the text.

The lifter knows which memory a value has, until a loop has run, or the value is put into a
container or set on an object. From there on it is followed by names: through what is bound to it, a
view of it or what holds it, and into functions of the file that change what they are given. What is
written in functions within the function, and before the expression in a loop around both, may come
later.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from auditor.lift.call_effects import GROWS, given_back
from auditor.lift.module import Module
from auditor.nests.memory import roots, views
from auditor.notation import Value
from auditor.surroundings.region import Region
from auditor.syntax import called_name, constant, is_name
from auditor.tree import ancestors, descendants, everything_in
from auditor.whole_file.own_calls import by_name

# Named by torch and by its users' conventions: `init_hidden` may run before every call.
_SETS_UP = frozenset("__init__ reset_parameters init_weights _init_weights".split())
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_STACKS = frozenset("stack cat concat concatenate array asarray vstack hstack tensor".split())
_HOLDING = (ast.Tuple, ast.List, ast.Dict, ast.Set, ast.IfExp, ast.Starred, ast.keyword,
            ast.Subscript, ast.Attribute)  # fmt: skip


def holders(region: Region, made: ast.AST, results: Iterable[str] = ()) -> set[str]:
    """The names, and attributes of ``self``, that may hold what ``made`` makes or a view of it; of
    a loop with ``results``, those and arrays of them, which the loop's replacement makes."""
    found = {*results}
    if not isinstance(made, ast.expr):
        return found | _stacked(region, found)
    at: ast.AST = made
    while True:
        above = region.parents.get(at)
        if isinstance(above, ast.NamedExpr):
            found |= _paths(above.target)
        elif isinstance(above, ast.Call):
            if isinstance(above.func, ast.Attribute) and above.func.attr in GROWS:
                return found | _paths(above.func.value)
            given = at.value if isinstance(at, (ast.keyword, ast.Attribute)) else at
            if not {at, given} & {*given_back(region.module, above)}:
                return found
        elif isinstance(above, (ast.Assign, ast.AnnAssign)):
            targets = above.targets if isinstance(above, ast.Assign) else [above.target]
            return found.union(*map(_paths, targets))
        elif isinstance(above, ast.AugAssign):
            listed = isinstance(at, (ast.List, ast.Tuple))
            return found | _paths(above.target) if listed else found
        elif not isinstance(above, _HOLDING) or at is getattr(above, "slice", None):
            return found
        at = above


def _stacked(region: Region, lists: set[str]) -> set[str]:
    """What the function binds to arrays that it makes of lists."""
    bound = (node for node in region.nodes if isinstance(node, ast.Assign))
    return {
        path for node in bound for call in everything_in(node.value)
        if isinstance(call, ast.Call) and called_name(call) in _STACKS
        and any(is_name(given, name) for given in call.args for name in lists)
        for target in node.targets for path in _paths(target)
    }  # fmt: skip


def _paths(target: ast.expr) -> set[str]:
    """What a target binds or puts something into."""
    if isinstance(target, (ast.Tuple, ast.List)):
        return set[str]().union(*map(_paths, target.elts))
    while isinstance(target, (ast.Subscript, ast.Starred, ast.Attribute)):
        if isinstance(target, ast.Attribute) and is_name(target.value, "self"):
            return {f"self.{target.attr}"}
        target = target.value
    return {target.id} if isinstance(target, ast.Name) else set()


def written_by(node: ast.AST) -> list[ast.expr]:
    """What a node writes into: ``x.add_(1)``, ``x += 1``, ``x[0] = 1``, ``init.zeros_(x)``,
    ``F.relu(x, inplace=True)``."""
    if isinstance(node, ast.Call):
        found = [k.value for k in node.keywords if k.arg == "out"]
        told = any(k.arg == "inplace" and constant(k.value) is not False for k in node.keywords)
        if isinstance(node.func, ast.Attribute) and node.func.attr.endswith("_"):
            found.append(node.func.value)
            told = True
        return [*found, *node.args[:told]]
    if isinstance(node, ast.AugAssign):
        return [node.target]
    targets = node.targets if isinstance(node, (ast.Assign, ast.Delete)) else []
    return [target for target in targets if isinstance(target, ast.Subscript)]


def changed_later(region: Region, held: set[str], made: ast.AST) -> Iterator[int]:
    """Lines that change in place what one of the names ``held`` stands for, where the lifter does
    not know what that is, once ``made`` has run."""
    known = {span.line for _, span in region.lifted.lifter.overwritten}
    for node, changed in _changes(region):
        if not _may_follow(region, node, made):
            continue
        if node.lineno in known and all(_known(region, one, held) for one in changed):
            continue
        if any(held & roots(region, path) for one in changed for path in views(region, one)):
            yield node.lineno
    yield from _elsewhere(region, held)


def _known(region: Region, written: ast.expr, held: set[str]) -> bool:
    """Whether the lifter knows of which array's memory something is written: that of what a name
    is bound to there."""
    base = written.value if isinstance(written, ast.Subscript) else written
    value = region.values.get(base)
    named = isinstance(base, ast.Name) and base.id in held
    return named and isinstance(value, Value) and value.kind != "opaque"


def _changes(region: Region) -> Iterator[tuple[ast.stmt | ast.expr, list[ast.expr]]]:
    """What the function changes in place, itself or by a function of the file."""
    for node in region.nodes:
        if isinstance(node, (ast.stmt, ast.expr)):
            changed = written_by(node)
            if isinstance(node, ast.Call):
                changed += _handed(region.module, node, frozenset())
            if changed:
                yield node, changed


def _may_follow(region: Region, node: ast.stmt | ast.expr, made: ast.AST) -> bool:
    """Whether ``node`` may run after ``made`` has."""
    if made in everything_in(node):
        return isinstance(node, ast.Call)  # which changes what it is given
    own = everything_in(made)
    if node in own:
        return False
    line, end = node.lineno, getattr(made, "end_lineno", 0)
    around = list(ancestors(node, region.parents))
    return (
        line > end
        or any(isinstance(one, _LOOPS) and made in everything_in(one) for one in around)
        or any(isinstance(one, _SCOPES) and one is not region.lifted.node for one in around)
    )


def _handed(module: Module, call: ast.Call, seen: frozenset[str]) -> list[ast.expr]:
    """What a call gives to a function of the file that changes it in place."""
    name, found = called_name(call), list[ast.expr]()
    if name in seen:
        return found
    for function in module.called(name):
        method = isinstance(call.func, ast.Attribute)
        changed = _parameters_changed(module, function, seen | {name})
        found += [value for given, value in by_name(function, method, call) if given in changed]
    return found


def _parameters_changed(
    module: Module, function: ast.FunctionDef, seen: frozenset[str]
) -> frozenset[str]:
    """The parameters of a function that it changes in place, by their names."""
    found: set[str] = set()
    for node in descendants(function):
        for written in written_by(node):
            found |= _paths(written)
        if isinstance(node, ast.Call):
            found |= set[str]().union(*map(_paths, _handed(module, node, seen)))
    return frozenset(found)


def _elsewhere(region: Region, held: set[str]) -> Iterator[int]:
    """Lines of other functions of the file that change in place an attribute, or a name of the
    module, that is held. Those that set a module up run before it is called."""
    attributes = {path.partition(".")[2] for path in held if path.startswith("self.")}
    shared = {path for path in held if path in region.module.bound and path not in region.stores}
    if not attributes and not shared:
        return
    own = set(region.nodes)
    for node, written in _written_in(region.module):
        if node not in own and _named(everything_in(written), attributes, shared):
            yield written.lineno


def _written_in(module: Module) -> list[tuple[ast.AST, ast.expr]]:
    """What the file writes into where no module is set up, each with what does so."""
    if "written" not in module.once:
        setting: set[ast.AST] = set()
        for function in module.statements:
            if isinstance(function, ast.FunctionDef) and function.name in _SETS_UP:
                setting.update(everything_in(function))
        module.once["written"] = [
            (node, written)
            for node in descendants(module.tree)
            if isinstance(node, (ast.Call, ast.AugAssign, ast.Assign, ast.Delete))
            and node not in setting
            for written in written_by(node)
        ]
    found: list[tuple[ast.AST, ast.expr]] = module.once["written"]
    return found


def _named(nodes: Iterable[ast.AST], attributes: set[str], names: set[str]) -> bool:
    return any(
        (isinstance(node, ast.Attribute) and node.attr in attributes)
        or (isinstance(node, ast.Name) and node.id in names)
        for node in nodes
    )
