"""Keys and values that a step of generation puts behind those so far by copying all of them."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from auditor.lift.module import Module
from auditor.syntax import path_of
from auditor.tree import descendants

CONCATENATED = re.compile(r"(?:cat|concat|concatenate)\(\s*[\[(][^\])]*(?:past|cache|prev)", re.I)
"""A text without this holds none."""

_BEFORE = re.compile(r"past|cache|prev", re.IGNORECASE)
_JOINS = ("torch.cat", "torch.concat", "torch.concatenate")


@dataclass(frozen=True)
class Grown:
    """``node`` binds ``name`` to what there was, ``before``, with something behind it."""

    node: ast.Assign
    name: str
    before: str
    dim: str


def concatenated(module: Module, function: ast.FunctionDef) -> tuple[Grown, Grown] | None:
    """The keys and the values that a function makes longer by concatenation and hands on to its
    next call; None where it does not."""
    found = [grown for node in descendants(function) for grown in _grown(module, node)]
    for one, other in itertools.pairwise(found):
        if one.dim == other.dim and one.before != other.before and one.name != other.name:
            if all(_handed_on(function, each) for each in (one, other)):
                return one, other
    return None


def _grown(module: Module, node: ast.AST) -> Iterator[Grown]:
    """``keys = torch.cat([past_keys, keys], dim=2)``: two parts, what was kept in front."""
    if not isinstance(node, ast.Assign) or len(node.targets) != 1:
        return
    target, call = node.targets[0], node.value
    if not isinstance(target, (ast.Name, ast.Attribute)) or not isinstance(call, ast.Call):
        return
    if path_of(module, call.func) not in _JOINS or not call.args:
        return
    parts = call.args[0]
    if not isinstance(parts, (ast.List, ast.Tuple)) or len(parts.elts) != 2:
        return
    before, new = (ast.unparse(each) for each in parts.elts)
    named = isinstance(parts.elts[0], (ast.Name, ast.Attribute, ast.Subscript))
    if not named or not _BEFORE.search(before) or _BEFORE.search(new):
        return
    rest = [*call.args[1:], *(word.value for word in call.keywords if word.arg in ("dim", "axis"))]
    if len(rest) == 1:
        yield Grown(node, ast.unparse(target), before, ast.unparse(rest[0]))


def _handed_on(function: ast.FunctionDef, grown: Grown) -> bool:
    """Whether what has grown is kept: as an attribute, in a pair, or among what is returned."""
    if "." in grown.name:
        return grown.name == grown.before
    for node in descendants(function):
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple):
            pairs = node.value.elts  # beside what it computes
        elif isinstance(node, ast.Assign) and node is not grown.node:
            attribute = any(isinstance(each, ast.Attribute) for each in node.targets)
            if attribute and isinstance(node.value, ast.Name) and node.value.id == grown.name:
                return True
            pairs = [node.value]
        else:
            continue
        for pair in pairs:
            sides = [pair.body, pair.orelse] if isinstance(pair, ast.IfExp) else [pair]
            held = [x for side in sides if isinstance(side, ast.Tuple) for x in side.elts]
            if any(isinstance(x, ast.Name) and x.id == grown.name for x in held):
                return True
    return False
