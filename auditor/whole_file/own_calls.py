"""What a file passes to its own functions, where it has made that itself.

Most programs end with calls of their functions on arrays or lists that they have just made. What
such a call passes is told by the file, and need not be assumed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from typing import NamedTuple
from weakref import WeakKeyDictionary

from auditor.lift import Contradiction, Lifted, TooLarge, lift
from auditor.lift.module import ClassScope, Module
from auditor.lift.objects import Collected, Sequence
from auditor.lift.runs import Passed, passed
from auditor.notation import Apply, Const, Library, Read, Value, walk
from auditor.surroundings.region import Region
from auditor.syntax import called_name
from auditor.tree import children, descendants

_Scope = ast.FunctionDef | ast.Module
_CALLED = ("forward", "__call__")
"""Methods that run where an object is called."""
_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


class Array(NamedTuple):
    """What is known of an array that is passed, or of a number, which has no axes."""

    rank: int
    library: Library


@dataclass(frozen=True)
class OwnCall:
    """What a call on a line of the file passes, by parameter: lists or other containers, and arrays
    of a library with so many axes."""

    line: int
    listed: frozenset[str]
    arrays: Mapping[str, Array]


_Known = Mapping[ast.expr, Array | None]
"""What is known of the arguments of a call, in one of the runs of its text: None for containers."""

_known: WeakKeyDictionary[ast.AST, tuple[OwnCall, ...]] = WeakKeyDictionary()
_made: WeakKeyDictionary[ast.AST, Mapping[ast.Call, list[_Known]]] = WeakKeyDictionary()


def own_calls(
    module: Module, node: ast.FunctionDef, klass: ClassScope | None
) -> tuple[OwnCall, ...]:
    """The calls of a function outside of functions and in functions that need no arguments, as far
    as anything is known of what they pass."""
    if node not in _known:
        _known[node] = ()  # for one that calls itself
        found = []
        for scope, call in calls_of(module, node, klass):
            for made in _arguments_in(module, scope).get(call, ()):
                given = {
                    name: made[value]
                    for name, value in by_name(node, klass is not None, call) if value in made
                }  # fmt: skip
                listed = frozenset(name for name, array in given.items() if array is None)
                arrays = {name: array for name, array in given.items() if array is not None}
                found.append(OwnCall(call.lineno, listed, arrays))
        _known[node] = tuple(one for one in found if one.listed or one.arrays)
    return _known[node]


def same_calls(node: ast.FunctionDef, other: ast.FunctionDef, module: Module) -> None:
    """Let ``other``, the same function spelled otherwise, have the calls of ``node``."""
    klass = next((k for k in module.classes.values() if k.methods.get(node.name) is node), None)
    _known[other] = own_calls(module, node, klass)


def calls_of(
    module: Module, node: ast.FunctionDef, klass: ClassScope | None
) -> Iterator[tuple[_Scope, ast.Call]]:
    """The calls of a function, each with where it stands."""
    if klass is None and module.functions.get(node.name) is not node:
        return
    if klass is not None and module.classes.get(klass.node.name) is not klass:
        return
    name = "" if klass is None else klass.node.name
    objects = _objects(module).get(name, frozenset())
    for scope, call in _all_calls(module):
        if isinstance(scope, ast.FunctionDef) and (name or node.name) in module.local_names(scope):
            continue
        if (
            _is_method(call.func, node.name, name, objects)
            if name
            else _is_named(call.func, node.name)
        ):
            yield scope, call


def _all_calls(module: Module) -> list[tuple[_Scope, ast.Call]]:
    if "calls" not in module.once:  # with the module: scopes of the tree would keep the tree
        module.once["calls"] = [
            (scope, call) for scope in _scopes(module) for call in own_nodes(scope)
            if isinstance(call, ast.Call)
        ]  # fmt: skip
    found: list[tuple[_Scope, ast.Call]] = module.once["calls"]
    return found


def _scopes(module: Module) -> Iterator[_Scope]:
    """What makes all that it passes: the statements outside of functions, and functions that need
    no arguments."""
    yield module.tree
    for function in module.functions.values():
        spec = function.args
        given = len(spec.posonlyargs) + len(spec.args) - len(spec.defaults)
        if not given and None not in spec.kw_defaults:
            yield function


def own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a scope in the order of the text, without those of functions and classes in
    it."""
    waiting = children(node)[::-1]
    while waiting:
        part = waiting.pop()
        if not isinstance(part, _INNER):
            yield part
            waiting += reversed(children(part))


def _is_named(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _is_method(called: ast.expr, name: str, klass: str, objects: Set[str]) -> bool:
    if name in _CALLED and _is_object(called, klass, objects):
        return True
    return (
        isinstance(called, ast.Attribute)
        and called.attr == name
        and _is_object(called.value, klass, objects)
    )


def _is_object(node: ast.expr, klass: str, objects: Set[str] = frozenset()) -> bool:
    """Whether an expression is an object of a class: a name bound to one, a call of the class, or
    what a method such as ``to`` hands on."""
    node = _made_by(node)
    if isinstance(node, ast.Call):
        return _is_named(node.func, klass)
    return isinstance(node, ast.Name) and node.id in objects


def _made_by(node: ast.expr) -> ast.expr:
    """What gives an object that methods such as ``to`` hand on."""
    while (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in _HANDED_ON
    ):
        node = node.func.value
    return node


_HANDED_ON = frozenset("to cuda cpu eval train double float half requires_grad_".split())


def _objects(module: Module) -> Mapping[str, Set[str]]:
    """The names that the file binds to objects of a class, by the name of what makes them."""
    if "objects" not in module.once:
        found: dict[str, set[str]] = {}
        for statement in module.statements:
            if not isinstance(statement, ast.Assign):
                continue
            made = _made_by(statement.value)
            if isinstance(made, ast.Call) and isinstance(made.func, ast.Name):
                names = (one.id for one in statement.targets if isinstance(one, ast.Name))
                found.setdefault(made.func.id, set()).update(names)
        module.once["objects"] = found
    objects: dict[str, set[str]] = module.once["objects"]
    return objects


def named_calls(
    module: Module, function: ast.FunctionDef
) -> Iterator[tuple[ast.Call, dict[str, ast.expr]]]:
    """The calls of a file that are of a function by its name, with what they pass by parameter."""
    method = [arg.arg for arg in function.args.args[:1]] == ["self"]
    for call in descendants(module.tree):
        if isinstance(call, ast.Call) and called_name(call) == function.name:
            bound = method and isinstance(call.func, ast.Attribute)
            yield call, dict(by_name(function, bound, call))


def by_name(node: ast.FunctionDef, method: bool, call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    """The arguments of a call by the names of the parameters."""
    static = any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in node.decorator_list)
    names = [arg.arg for arg in (*node.args.posonlyargs, *node.args.args)]
    for name, value in zip(names[method and not static :], call.args, strict=False):
        if isinstance(value, ast.Starred):
            break
        yield name, value
    yield from ((word.arg, word.value) for word in call.keywords if word.arg is not None)


def _arguments_in(module: Module, scope: _Scope) -> Mapping[ast.Call, list[_Known]]:
    """What is known of the arguments of all calls in a scope."""
    if scope not in _made:
        _made[scope] = {}
        inside = scope if isinstance(scope, ast.FunctionDef) else None
        seen = module if inside is None else module.seen_from(inside)
        try:
            lifted = lift(seen, getattr(scope, "name", "<module>"), scope)
        except (Contradiction, TooLarge, RecursionError):
            return _made[scope]
        note_arguments(lifted)
        lifted.release()
    return _made[scope]


def note_arguments(lifted: Lifted) -> None:
    """Keep what is known of the arguments of the calls that were read."""
    if isinstance(lifted.node, ast.AsyncFunctionDef):
        return
    _made[lifted.node] = {}
    region = Region(lifted)
    calls = [node for node in own_nodes(lifted.node) if isinstance(node, ast.Call)]
    _made[lifted.node] = {call: _passed_by(region, call) for call in calls}


def _passed_by(region: Region, call: ast.Call) -> list[_Known]:
    """What is known of the arguments of a call: several times if its text runs several times, each
    time with others."""
    lifter, found = region.lifted.lifter, list[_Known]()
    for given in lifter.passed.get(call, (passed(lifter.values, call),)):
        known = dict(_known_of(region, given))
        if known and known not in found:
            found.append(known)
    return found


def _known_of(region: Region, given: Passed) -> Iterator[tuple[ast.expr, Array | None]]:
    from auditor.arrays.containers import is_container  # which asks in its turn what is passed

    for node, value in given.items():
        if isinstance(value, Value) and value.axes and value.library in ("torch", "numpy"):
            if not any(axis.group for axis in value.axes) and not _assumed(region.lifted, value):
                yield node, Array(len(value.axes), value.library)
        elif isinstance(value, Value) and _is_number(value):
            yield node, Array(0, "python")
        elif isinstance(value, (Sequence, Collected)) or is_container(region, node):
            yield node, None


def _is_number(value: Value) -> bool:
    """Whether a value is a number that is made of those that the text states."""
    if value.axes or value.library != "python" or value.dtype not in ("int", "float"):
        return False
    return value.body is not None and all(
        isinstance(node, (Const, Apply)) for node in walk(value.body)
    )


def _assumed(lifted: Lifted, value: Value) -> bool:
    """Whether the axes of a value, or of what it was made of, are assumed."""
    read = walk(value.body) if value.body is not None else ()
    made_of = {value, *(term.value for term in read if isinstance(term, Read))}
    return any((one.owner or one.name) in lifted.facts.assumptions for one in made_of)
