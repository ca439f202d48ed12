"""Which of the assumptions that a script is read under bear on one of its statements: those of the
names from which what it reads is made."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Mapping

from auditor.tree import everything_in

_WORD = re.compile(r"[^\W\d]\w*")
_PARTS = (ast.Name, ast.Attribute, ast.Subscript)
_PLACE = re.compile(r"expression at (\d+):")
_QUOTED = re.compile(r"`([^`]+)`")


def bearing(
    script: ast.Module, statement: ast.AST, assumptions: Mapping[str, str]
) -> tuple[str, ...]:
    """The sentences of ``assumptions``, by subject, that say something of what ``statement`` rests
    on, or of no name of the script."""
    if not assumptions:
        return ()
    parts = [(_changed(part), _names(part)) for part in script.body]
    names = _names(script) - _modules(script)
    near, before = _names(statement) & names, -1
    while len(near) > before:
        before = len(near)
        for changed, beside in parts:
            if not changed.isdisjoint(near):
                near |= beside & names
    found = []
    for subject, sentence in assumptions.items():
        words = {*_WORD.findall(subject), *_WORD.findall(" ".join(_QUOTED.findall(sentence)))}
        words |= _names_in_lines(script, {int(line) for line in _PLACE.findall(subject)})
        if not words.isdisjoint(near) or words.isdisjoint(names):
            found.append(sentence)
    return tuple(found)


def _names_in_lines(script: ast.Module, lines: set[int]) -> set[str]:
    """The names in some lines, where the subjects stand that have no name of their own."""
    if not lines:
        return set()
    named = (node for node in everything_in(script) if isinstance(node, ast.Name))
    return {node.id for node in named if node.lineno in lines}


def _changed(statement: ast.stmt) -> set[str]:
    """The names that a statement binds, or whose objects it may change or give another name."""
    found: set[str] = set()
    for node in everything_in(statement):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif _may_change(node):
            found |= _names(node)
    return found


def _may_change(node: ast.AST) -> bool:
    if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
        return isinstance(node.ctx, ast.Store)
    if isinstance(node, ast.Call):
        return not _reads_only(node)
    return isinstance(node, ast.Assign) and isinstance(node.value, _PARTS)


def _reads_only(call: ast.Call) -> bool:
    """Whether what is called is Python's own, as ``print`` is."""
    return isinstance(call.func, ast.Name) and hasattr(builtins, call.func.id)


def _names(node: ast.AST) -> set[str]:
    return {inner.id for inner in everything_in(node) if isinstance(inner, ast.Name)}


def _modules(script: ast.Module) -> set[str]:
    """The names of what is imported, and of Python's own functions."""
    aliases = (node for node in everything_in(script) if isinstance(node, ast.alias))
    return {*dir(builtins), *((one.asname or one.name).partition(".")[0] for one in aliases)}
