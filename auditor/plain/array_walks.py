"""Sums, products and extrema of a generator over arrays: ``sum(v * v for v in x)``. Over a list
such a generator is as fast as a loop, over an array the whole is one operation."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from auditor.lift.bound import stored_in
from auditor.tree import descendants, everything_in

FOLDED = ("sum", "max", "min", "prod")

_HINT = re.compile(r"(?:sum|max|min|prod)\(\s*[^\n]*\sfor \w")
_ARRAYS = re.compile(r"(?:^|\.)(?:Tensor|ndarray|NDArray(?:\[.*\])?)$")
_ASKED = ("shape", "ndim")
_SAID = (".shape", ".ndim", "Tensor", "ndarray", "NDArray")
"""How a function says that something is an array."""


def folds_arrays(text: str, node: ast.AST) -> bool:
    """Whether a function, whose ``text`` is given, folds a generator over what it says to be an
    array."""
    if not any(f"{word}(" in text for word in FOLDED) or not any(map(text.__contains__, _SAID)):
        return False
    if _HINT.search(text) is None:
        return False
    return any(
        isinstance(inner, ast.Call)
        and getattr(inner.func, "attr", getattr(inner.func, "id", "")) in FOLDED
        and len(inner.args) > 0
        and isinstance(inner.args[0], (ast.GeneratorExp, ast.ListComp))
        and walks_array(node, inner.args[0])
        for inner in descendants(node)
    )


def walks_array(function: ast.AST, node: ast.GeneratorExp | ast.ListComp) -> bool:
    """Whether a comprehension walks an array, itself or by its places, as the function that it
    stands in has it: by an annotation, or because it asks for its shape; and makes no numbers of
    Python's of the elements, which are of another type."""
    if any(_to_python(inner) for inner in everything_in(node)):
        return False
    walked = set(_named(generator.iter for generator in node.generators))
    walked |= set(_named(n.value for n in everything_in(node) if isinstance(n, ast.Subscript)))
    walked -= stored_in(node)  # items of a list of arrays
    return not walked.isdisjoint(said_arrays(function)) if walked else False


def _to_python(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and (
        getattr(node.func, "attr", getattr(node.func, "id", "")) in ("float", "int", "item")
    )


def _named(nodes: Iterable[ast.expr]) -> Iterator[str]:
    for node in nodes:
        for inner in everything_in(node):
            if isinstance(inner, ast.Name):
                yield inner.id


def said_arrays(function: ast.AST) -> set[str]:
    """The names that the function says to be of arrays."""
    found = set[str]()
    for inner in descendants(function):
        if isinstance(inner, ast.arg) and inner.annotation is not None:
            if _ARRAYS.search(ast.unparse(inner.annotation)):
                found.add(inner.arg)
        elif isinstance(inner, ast.Attribute) and inner.attr in _ASKED:
            if isinstance(inner.value, ast.Name):
                found.add(inner.value.id)
    return found
