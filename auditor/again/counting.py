"""Exact counts over a stream, and whether the code says that approximate ones are enough."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import Literal

from auditor.folds.iterables import Iterable, kind_of
from auditor.lift.module import Module
from auditor.surroundings.region import Region
from auditor.syntax import constant, is_name, path_of
from auditor.tree import descendants

_ENOUGH = re.compile(
    r"approx\w*|heavy.?hitters?|roughly|(?:need|do|does|have) ?(?:n[o']t|not) (?:have to )?be exact"
    r"|(?:close|good) enough|rough count|error of (?:up to|at most)",
    re.IGNORECASE,
)
_WORDS = ("approx", "hitter", "roughly", "exact", "enough", "rough count", "error of")
_EXACT = re.compile(r"\bexact(?:ly)?\b|not approx|never approx|no approx", re.IGNORECASE)
_NEED_NOT = re.compile(r"n[o']t (?:have to )?be exact", re.IGNORECASE)
_STREAMS = (Iterable.ITERATOR, Iterable.UNKNOWN, Iterable.VIEW)


@dataclass(frozen=True)
class Counts:
    """``what`` is asked of the counts kept under ``name``: the largest ones, single ones, or how
    many different items there are."""

    node: ast.AST
    name: str
    what: Literal["largest", "single", "different"]


def may_declare(text: str) -> bool:
    """Whether a file may say that approximate is enough: one of these words is in all that say so,
    and found sooner."""
    lower = text.lower()
    return any(word in lower for word in _WORDS)


def declared(module: Module, function: ast.FunctionDef) -> str | None:
    """The words of a function's name, comments or docstring by which approximate is enough."""
    first = function.lineno - 1
    while first > 0 and module.lines[first - 1].lstrip().startswith("#"):
        first -= 1
    lines = module.lines[first : function.end_lineno]
    comments = [line.partition("#")[2] for line in lines if "#" in line]
    told = " ".join([function.name.replace("_", " "), ast.get_docstring(function) or "", *comments])
    told = " ".join(told.split())
    if _EXACT.search(told) and not _NEED_NOT.search(told):
        return None
    found = _ENOUGH.search(told)
    return found.group() if found else None


def counted(region: Region, function: ast.FunctionDef) -> Counts | None:
    """The counts of a stream that a function keeps, one for each different item."""
    module = region.module
    for node in descendants(function):
        if isinstance(node, ast.For) and kind_of(region, node.iter, []) in _STREAMS:
            for inner in descendants(node):
                name = _counts_one(inner)
                if name is not None:
                    return Counts(node, name, _asked(module, function, name))
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            path = path_of(module, node.value.func) or ""
            target = node.targets[0]
            if path == "collections.Counter" and node.value.args and isinstance(target, ast.Name):
                if kind_of(region, node.value.args[0], []) in _STREAMS:
                    return Counts(node, target.id, _asked(module, function, target.id))
        if isinstance(node, ast.Call) and is_name(node.func, "len") and len(node.args) == 1:
            made = node.args[0]
            if isinstance(made, ast.Call) and is_name(made.func, "set") and made.args:
                if _compared(region.parents.get(node)):
                    continue
                if kind_of(region, made.args[0], []) in _STREAMS:
                    return Counts(node, "the set", "different")
    return None


def _compared(above: ast.AST | None) -> bool:
    """Whether a number is compared for equality, for which a close one will not do."""
    return isinstance(above, ast.Compare) and any(
        isinstance(op, (ast.Eq, ast.NotEq)) for op in above.ops
    )


def _counts_one(node: ast.AST) -> str | None:
    """``counts[x] += 1``, ``counts[x] = counts.get(x, 0) + 1``: of items, not of one key that the
    text states."""
    target: ast.AST | None = None
    if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add):
        target = node.target if constant(node.value) == 1 else None
    elif isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp):
        if isinstance(node.value.op, ast.Add) and constant(node.value.right) == 1:
            target = node.targets[0]
    if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
        one = isinstance(target.slice, (ast.Slice, ast.Tuple, ast.Constant))
        return None if one else target.value.id
    return None


def _asked(
    module: Module, function: ast.AST, name: str
) -> Literal["largest", "single", "different"]:
    for node in descendants(function):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func).rpartition(".")[2]
            if called in ("most_common", "nlargest", "sorted"):
                if any(is_name(inner, name) for inner in descendants(node)):
                    return "largest"
            if called == "len" and node.args and is_name(node.args[0], name):
                return "different"
    return "single"
