"""What is worth computing once: products, reductions, orders, exponentials and solutions of
arrays. Numbers, attributes, shapes and arithmetic element by element are not."""

from __future__ import annotations

import ast
import math
import re

from auditor.again.costly import BUILDERS, CALLED, FOLDS, MAPS, SOLVERS, STATISTICS, costly_word
from auditor.again.walked import may_be_walked_again
from auditor.arrays.facts import Arrays
from auditor.findings import reduces_within
from auditor.folds.iterables import Iterable, kind_of
from auditor.lift.call_effects import PRODUCTS
from auditor.lift.changes import dotted
from auditor.lift.objects import Record
from auditor.notation import Const, Order, Read, Reduce, Span, Value, walk
from auditor.surroundings.region import Region
from auditor.syntax import path_of
from auditor.tree import descendants

_FEW = 16
_PYTHON = ("sum", "max", "min", "sorted", "any", "all", "set", "frozenset")
_SHAPE = re.compile(r"(?:shape|size|dims|stride|kernel|resolution)s?$")
_WALKED = (Iterable.LIST, Iterable.SET, Iterable.RANGE, Iterable.ARRAY, Iterable.VIEW)


def is_costly(region: Region, node: ast.expr, word: str) -> bool:
    """Whether computing ``node``, which is an operation ``word``, costs more than a few numbers."""
    value = region.values.get(node)
    if word in _PYTHON and isinstance(node, ast.Call):
        if isinstance(node.func, ast.Name) and node.func.id == word:
            return region.means_builtin(word) and _walks_again(region, node)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id != word:
        return isinstance(value, Value) and (word == CALLED or _made_costly(value, word))
    if isinstance(value, Value) and value.body is not None:
        folded = _folded(value, region.module.span(node))
        if not value.axes and not folded:
            return False
        return math.prod(_size(axis.extent) for axis in value.axes) * math.prod(folded) > _FEW
    if isinstance(value, Record):
        return True
    if word in SOLVERS or word in PRODUCTS or isinstance(node, ast.BinOp):
        return True
    path = path_of(region.module, node.func) if isinstance(node, ast.Call) else None
    if path is not None and path.startswith(f"{STATISTICS}."):
        assert isinstance(node, ast.Call)
        return bool(node.args) and _walks_again(region, node)
    if path is not None:
        return word in FOLDS or word in BUILDERS or ".linalg." in path or ".fft." in path
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return word in ("softmax", "log_softmax") or Arrays(region).certain(node.func.value)
    return False


def _made_costly(value: Value, word: str) -> bool:
    """Whether a function of the file, the first costly operation of which is ``word``, takes more
    than a few numbers to make ``value``."""
    if reduces_within(value, None):
        return True
    sized = math.prod(_size(axis.extent) for axis in value.axes) > _FEW
    return bool(value.axes) and sized and word in (*MAPS, *SOLVERS, *PRODUCTS)


def _folded(value: Value, whole: Span) -> list[float]:
    """How many numbers each fold and order goes through that the expression at ``whole`` does
    itself to make ``value``; infinite where nobody says."""
    found: list[float] = []
    waiting, seen = [value], set[Value]()
    while waiting:
        at = waiting.pop()
        for node in walk(at.body) if at.body is not None else ():
            if isinstance(node, (Reduce, Order)):
                found.append(_size(node.index.extent))
            if isinstance(node, Read) and node.value not in seen:
                seen.add(node.value)
                if node.value.span is None or whole.covers(node.value.span):
                    waiting.append(node.value)
    return found


def _walks_again(region: Region, node: ast.Call) -> bool:
    """A fold of Python over what can be walked again, is not written out and is not a shape, which
    has a few numbers."""
    given = node.args[0]
    if _SHAPE.search(dotted(given) or "") or _fixed(region, given):
        return False
    if isinstance(given, (ast.GeneratorExp, ast.ListComp)):
        return all(kind_of(region, g.iter, []) in _WALKED for g in given.generators)
    return kind_of(region, given, []) in _WALKED or may_be_walked_again(region, given)


def _fixed(region: Region, node: ast.expr) -> bool:
    """Whether an annotation says how many items a tuple has."""
    for inner in region.nodes:
        if isinstance(inner, ast.arg) and isinstance(node, ast.Name) and inner.arg == node.id:
            stated = ast.unparse(inner.annotation) if inner.annotation is not None else ""
            return stated.lower().startswith("tuple[") and "..." not in stated
    return False


def _size(extent: object) -> float:
    if isinstance(extent, Const) and isinstance(extent.value, int):
        return extent.value
    return math.inf


def costly_parts(region: Region, node: ast.expr) -> list[tuple[ast.expr, str]]:
    """The costly operations that an expression holds."""
    found: list[tuple[ast.expr, str]] = []
    for inner in descendants(node):
        word = costly_word(region.module, inner)
        if word is not None and isinstance(inner, ast.expr) and is_costly(region, inner, word):
            found.append((inner, word))
    return found
