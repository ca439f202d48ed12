"""Names that the text uses as dictionaries: walking one gives its keys, which are no elements.

Nothing tells a dictionary from an array in ``for v in d``, but an annotation does, and so does a
loop that takes ``d[k]`` for the ``k`` that it gets from walking ``d``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from auditor.notation import Value
from auditor.tree import everything_in

if TYPE_CHECKING:
    from auditor.lift.lifter import Env, Lifter

_MAPPINGS = frozenset(
    ("dict", "Dict", "Mapping", "MutableMapping", "defaultdict", "DefaultDict", "OrderedDict")
    + ("Counter", "ModuleDict", "ParameterDict")
)
_PASSING = frozenset(("list", "tuple", "sorted", "reversed", "iter"))


def is_mapping(annotation: ast.expr | None) -> bool:
    """Whether an annotation says that its name is a dictionary, or may be None."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            annotation = ast.parse(annotation.value, mode="eval").body
        except SyntaxError:
            return False
    if isinstance(annotation, ast.BinOp):
        return is_mapping(annotation.left) or is_mapping(annotation.right)
    if isinstance(annotation, ast.Subscript):
        if _last(annotation.value) == "Optional":
            return is_mapping(annotation.slice)
        annotation = annotation.value
    return annotation is not None and _last(annotation) in _MAPPINGS


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def learn(
    lifter: Lifter, target: ast.expr, items: ast.expr, parts: Iterable[ast.AST], env: Env
) -> None:
    """Note what a loop walks and takes its items from by what it gets: a dictionary."""
    for key, path in _walked(target, items):
        held = env.get(path)
        if _takes(parts, path, key):
            lifter.keyed.add(held.name if isinstance(held, Value) else path)


def _walked(target: ast.expr, items: ast.expr) -> Iterator[tuple[str, str]]:
    """The names that get items, and how the text writes what has these."""
    if isinstance(target, ast.Name) and isinstance(items, (ast.Name, ast.Attribute)):
        yield target.id, ast.unparse(items)
    if not isinstance(items, ast.Call) or not isinstance(items.func, ast.Name):
        return
    several = target.elts if isinstance(target, ast.Tuple) else []
    if items.func.id in _PASSING and items.args:
        yield from _walked(target, items.args[0])
    elif items.func.id == "enumerate" and items.args and len(several) == 2:
        yield from _walked(several[1], items.args[0])
    elif items.func.id == "zip" and len(several) == len(items.args):
        for one, given in zip(several, items.args, strict=True):
            yield from _walked(one, given)


def _takes(parts: Iterable[ast.AST], path: str, key: str) -> bool:
    """Whether ``path[key]`` stands there."""
    return any(
        isinstance(node, ast.Subscript)
        and isinstance(node.slice, ast.Name)
        and node.slice.id == key
        and ast.unparse(node.value) == path
        for part in parts
        for node in everything_in(part)
    )


def walked(lifter: Lifter, value: Value) -> Value:
    """What walking a value gives the elements of: of a dictionary its keys."""
    if value.body is not None or value.name not in lifter.keyed:
        return value
    keys = lifter._leaf(f"`{value.name}.keys()`", f"{value.name}.keys()", "opaque")
    lifter.viewed[f"{value.name}.keys()"] = (value,)
    lifter.origins.passed_on(value, keys)
    return keys
