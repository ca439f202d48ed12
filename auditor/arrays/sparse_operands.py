"""Sparse matrices of SciPy, which have the products and the shape of arrays but not the functions
of NumPy, and whose parts and products are matrices again."""

from __future__ import annotations

import ast
import re

from auditor.lift.module import Module
from auditor.rewrite import Match, Site
from auditor.syntax import parsed, path_of
from auditor.tree import everything_in

_OF_SPARSE = re.compile(r"\.to(?:array|dense|csr|csc|coo|lil)\(|\b(?:is)?spars\w*\(")
_DENSE = frozenset("numpy.asarray numpy.array numpy.ascontiguousarray numpy.atleast_2d".split())


def sparse_operands(site: Site, match: Match) -> list[str]:
    """The arguments that nothing says to be arrays and that the file, which works with sparse
    matrices, multiplies as one would multiply these; those that the new code names."""
    module = site.lifted.module
    if not match.edits or not _has_sparse(module):
        return []
    trees = (tree for edit in match.edits if (tree := parsed(edit.content)) is not None)
    named = {
        node.id for tree in trees for node in everything_in(tree) if isinstance(node, ast.Name)
    }
    leaves = site.lifted.lifter.leaves
    unknown = {
        name for name in named & leaves.keys()
        if leaves[name].kind == "input" and leaves[name].library is None
    }  # fmt: skip
    if not unknown:
        return []
    nodes = everything_in(site.lifted.node)
    annotated = {
        node.arg for node in nodes if isinstance(node, ast.arg) and node.annotation is not None
    }
    dense = {
        given.id for node in nodes
        if isinstance(node, ast.Call) and path_of(module, node.func) in _DENSE
        for given in node.args if isinstance(given, ast.Name)
    }  # fmt: skip
    return sorted((unknown & _multiplied(nodes)) - annotated - dense)


def _has_sparse(module: Module) -> bool:
    """Whether the file imports what makes sparse matrices, or calls what only these have or a
    function that is named for them."""
    paths = module.names.values()
    return (
        any(path.startswith("scipy.sparse") for path in paths)
        or ("scipy" in paths and "scipy.sparse." in module.text)
        or _OF_SPARSE.search(module.text) is not None
    )


def _multiplied(nodes: list[ast.AST]) -> set[str]:
    """The names that are operands of a matrix product, transposed or not."""
    found = set[str]()
    for node in nodes:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            found |= _operand(node.left) | _operand(node.right)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr == "dot":
                found |= _operand(node.func.value).union(*map(_operand, node.args))
    return found


def _operand(node: ast.expr) -> set[str]:
    while isinstance(node, ast.Attribute) and node.attr in ("T", "H"):
        node = node.value
    return {node.id} if isinstance(node, ast.Name) else set()
