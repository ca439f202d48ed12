"""Loops over the numbers that bytes hold. Bytes themselves are joined and repeated by operators, so
that notation leaves what is annotated so alone; where a function only takes single ones, each is a
number like any other. For verdicts alone: a fix would have to know arrays from bytes.
"""

from __future__ import annotations

import ast
import copy

from auditor.lift import attributes_of, lift
from auditor.rewrite import Site
from auditor.tree import children, everything_in

_BYTES = frozenset(("bytes", "bytearray", "memoryview"))
_WALKS = frozenset(("enumerate", "zip", "reversed", "len", "iter"))


def of_byte_numbers(site: Site) -> Site:
    """The loop's site, read with the numbers of bytes as numbers; ``site`` where there are none."""
    node, loop = site.lifted.node, site.loop
    if loop is None or not isinstance(node, ast.FunctionDef):
        return site
    held = [arg for arg in node.args.args if _is_bytes(arg) and _one_by_one(node, arg.arg)]
    if not held:
        return site
    read = copy.copy(node)
    read.args = copy.copy(node.args)
    read.args.args = [_unannotated(arg) if arg in held else arg for arg in node.args.args]
    lifter = site.lifted.lifter
    lifted = lift(
        site.lifted.module, site.lifted.scope, read, lifter.klass,
        attributes_of(site.lifted.module, lifter.klass),
    )  # fmt: skip
    # the engine's stages ask for verdicts, and only here do verdicts ask for a stage
    from auditor.audit import sites

    same = (one for one in sites(lifted) if one.loop is not None and one.loop.node is loop.node)
    return next(same, site)


def _is_bytes(arg: ast.arg) -> bool:
    return isinstance(arg.annotation, ast.Name) and arg.annotation.id in _BYTES


def _unannotated(arg: ast.arg) -> ast.arg:
    made = copy.copy(arg)
    made.annotation = None
    return made


def _one_by_one(function: ast.FunctionDef, name: str) -> bool:
    """Is a parameter only walked over, measured, or asked for single numbers?"""
    for node in everything_in(function):
        for child in children(node):
            if not isinstance(child, ast.Name) or child.id != name:
                continue
            walked = isinstance(node, (ast.For, ast.comprehension)) and node.iter is child
            counted = (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in _WALKS
            )
            looked = (
                isinstance(node, ast.Subscript)
                and node.value is child
                and isinstance(node.ctx, ast.Load)
                and not isinstance(node.slice, ast.Slice)
            )
            if not (walked or counted or looked):
                return False
    return True
