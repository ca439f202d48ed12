"""Loops that are spelled without one, or with values kept together: a fold, a tuple or a dict of
states. The same function in plain statements has a loop over names."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.derive.places import NoLoop, Place, loop_in
from auditor.lift.module import read
from auditor.plain import Variant, variants
from auditor.tree import everything_in


def plainly(text: str, line: int) -> Iterator[Place]:
    """The loops that plainer texts of the function around ``line`` have in the place of what stands
    there, with the lines of the text."""
    module = read(text)
    around = [
        node
        for node in everything_in(ast.Module(list(module.statements), []))
        if isinstance(node, ast.FunctionDef)
        and node.lineno <= line <= (node.end_lineno or node.lineno)
    ]
    for node in around:
        for variant in variants(module, node):
            yield from _loops(variant, line)


def _loops(variant: Variant, line: int) -> Iterator[Place]:
    tree = ast.parse(variant.module.text)
    for node in everything_in(tree):
        if not isinstance(node, (ast.For, ast.While)):
            continue
        first, last = variant.lines_of(node.lineno, node.end_lineno or node.lineno)
        if not first <= line <= last:
            continue
        try:
            place = loop_in(tree, node.lineno)
        except NoLoop:
            continue
        if place.loop is node:
            yield place
