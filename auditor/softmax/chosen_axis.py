"""Functions that reduce over an axis which their caller chooses.

``x.amax(dim=dim, keepdim=True)`` has no notation while ``dim`` is unknown. But where an expression
is built from one array by pointwise functions, numbers and reductions over ``dim`` that keep the
axis, moving that axis to the end, computing, and moving it back changes nothing: what is proven for
the last axis holds for every one. So the function is read again with the last axis for ``dim``, and
``only`` says whether an expression is of that kind. An axis that the code fixes, wherever it does
so (in a function that it calls, in a subscript, in a pattern), may be that last one: read once more
with the last but one, it is another.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

from auditor.algebra.normal import expand
from auditor.lift import Contradiction, Lifted, Module, TooLarge, lift
from auditor.notation import ONE, ZERO, Index, Read, Term, Value, walk
from auditor.syntax import constant, is_name, path_of
from auditor.tree import descendants

_WORDS = ("dim", "axis")
_DEEP = 2
"""How deep calls are followed."""
_OF_AN_AXIS = frozenset(
    "sum max amax min amin mean prod logsumexp softmax log_softmax squeeze unsqueeze expand_dims"
    " transpose permute movedim flip cumsum".split()
)


def parameters(lifted: Lifted) -> tuple[str, ...]:
    """Parameters and attributes of ``self`` that are only used as the axis of calls. Where the
    function numbers an axis itself as well, the last one read for one of these could be that one.
    """
    if "chosen axes" not in lifted.once:
        lifted.once["chosen axes"] = tuple(_parameters(lifted.node, lifted.module))
    found: tuple[str, ...] = lifted.once["chosen axes"]
    return found


def _parameters(function: ast.AST, module: Module, depth: int = 0) -> Iterator[str]:
    if not isinstance(function, ast.FunctionDef) or any(map(_numbers, descendants(function))):
        return
    names = {arg.arg for arg in _arguments(function)}
    for name, found in _uses(function, module, depth).items():
        if all(found) and (name in names or name.startswith("self.")):
            yield name


def _arguments(function: ast.FunctionDef) -> list[ast.arg]:
    given = function.args
    return [*given.posonlyargs, *given.args, *given.kwonlyargs]


def _numbers(node: ast.AST) -> bool:
    """Whether a call names an axis by a number."""
    if not isinstance(node, ast.Call):
        return False
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    given = [*node.args, *(k.value for k in node.keywords if k.arg in _WORDS)]
    numbers = (arg for arg in given if not isinstance(constant(arg), bool))
    return name in _OF_AN_AXIS and any(isinstance(constant(arg), int) for arg in numbers)


def _uses(function: ast.FunctionDef, module: Module, depth: int) -> dict[str, list[bool]]:
    """For each name that some call takes for an axis, whether each of its uses is as an axis."""
    axes: set[ast.expr] = set()
    for node in descendants(function):
        axes.update(_handed_on(node, module, depth) if _own(node, module) else _axes(node))
    words = {ast.unparse(axis) for axis in axes if _spelled(axis) is not None}
    found: dict[str, list[bool]] = {}
    for node in descendants(function):
        name = _spelled(node)
        if name in words and isinstance(node, (ast.Name, ast.Attribute)):
            found.setdefault(name, []).append(node in axes and isinstance(node.ctx, ast.Load))
    return found


def _axes(node: ast.AST) -> Iterator[ast.expr]:
    """The arguments of a call that say an axis, or may: all but the array of a function."""
    if not isinstance(node, ast.Call):
        return
    yield from (word.value for word in node.keywords if word.arg in _WORDS)
    if isinstance(node.func, ast.Attribute) and node.func.attr in _OF_AN_AXIS:
        yield from node.args


def _own(node: ast.AST, module: Module) -> bool:
    """Whether a function that is no library's is called, or a method of ``self``."""
    return (
        isinstance(node, ast.Call)
        and _spelled(node.func) is not None
        and path_of(module, node.func) is None
    )


def _handed_on(node: ast.AST, module: Module, depth: int) -> Iterator[ast.expr]:
    """The arguments of a call of a function of the file that takes them for axes alone."""
    assert isinstance(node, ast.Call)
    called = module.functions.get(node.func.id) if isinstance(node.func, ast.Name) else None
    if called is None or depth == _DEEP or any(isinstance(a, ast.Starred) for a in node.args):
        return
    chosen = {*_parameters(called, module, depth + 1)}
    names = [arg.arg for arg in (*called.args.posonlyargs, *called.args.args)]
    yield from (arg for arg, name in zip(node.args, names, strict=False) if name in chosen)
    yield from (word.value for word in node.keywords if word.arg in chosen)


def _spelled(node: ast.AST) -> str | None:
    """A name or an attribute of ``self``."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and is_name(node.value, "self"):
        return f"self.{node.attr}"
    return None


def with_axis(lifted: Lifted, name: str, place: int) -> Lifted | None:
    """The function read again with the axis ``place``, counted from the last, which is 1, for the
    parameter ``name``."""
    key = f"axis {place} for {name}"
    if key not in lifted.once:
        lifted.once[key] = _again(lifted, name, place)
    found: Lifted | None = lifted.once[key]
    return found


def _again(lifted: Lifted, name: str, place: int) -> Lifted | None:
    function = copy.deepcopy(lifted.node)
    assert isinstance(function, ast.FunctionDef)
    made = _Fixed(name, place).visit(function)
    klass = lifted.lifter.klass
    try:
        return lift(lifted.module, lifted.scope, made, klass)
    except (Contradiction, TooLarge):
        return None


class _Fixed(ast.NodeTransformer):
    def __init__(self, name: str, place: int) -> None:
        self._name, self._place = name, place

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id == self._name and isinstance(node.ctx, ast.Load):
            place = ast.copy_location(ast.Constant(self._place), node)
            return ast.copy_location(ast.UnaryOp(ast.USub(), place), node)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if _spelled(node) == self._name and isinstance(node.ctx, ast.Load):
            return self.visit_Name(ast.copy_location(ast.Name(self._name, node.ctx), node))
        self.generic_visit(node)
        return node


def only(term: Term, array: Value) -> bool:
    """Whether ``term`` is built from ``array`` alone, without moving its axes."""
    for node in walk(expand(term, frozenset((array,)))):
        if not isinstance(node, Read) or not node.value.axes:
            continue
        if node.value is not array or len(node.subs) != len(array.axes):
            return False
        for sub, axis in zip(node.subs, array.axes, strict=True):
            plain = isinstance(sub, Index) and sub.group == axis.group
            if not plain and not (sub is ZERO and axis.extent is ONE):
                return False
    return True
