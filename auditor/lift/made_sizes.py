"""Which parameters of a constructor are sizes of the layers and arrays that it makes: whole
numbers."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.lift.module import Module
from auditor.syntax import path_of
from auditor.tree import descendants

_SIZES = {
    "Linear": 2, "Bilinear": 3, "Embedding": 2, "EmbeddingBag": 2, "Conv1d": 2, "Conv2d": 2,
    "Conv3d": 2, "RNN": 2, "GRU": 2, "LSTM": 2, "RNNCell": 2, "GRUCell": 2, "LSTMCell": 2,
    "MultiheadAttention": 2,
}  # fmt: skip
"""How many of a layer's first arguments are sizes, and nothing else."""

_FILLED = frozenset(("zeros", "ones", "empty", "rand", "randn"))
"""What makes an array of the sizes that it is given, one by one or in a tuple."""


def made_sizes(module: Module, init: ast.FunctionDef) -> frozenset[str]:
    """The parameters that the constructor passes on as sizes and binds to nothing else."""
    found: set[str] = set()
    bound: set[str] = set()
    for node in descendants(init):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            bound.add(node.id)
        elif isinstance(node, ast.Call):
            root, _, made = (path_of(module, node.func) or "").rpartition(".")
            if root == "torch.nn" and made in _SIZES:
                found.update(a.id for a in node.args[: _SIZES[made]] if isinstance(a, ast.Name))
            elif root in ("torch", "numpy") and made in _FILLED:
                found.update(name for size in _sizes(node, root) for name in _counted(size))
    return frozenset(found - bound)


def _sizes(call: ast.Call, library: str) -> list[ast.expr]:
    """The sizes that an array is made of, where these are several: one alone may be a tuple."""
    given = call.args
    if given and isinstance(given[0], (ast.Tuple, ast.List)):
        given = given[0].elts
    elif library == "numpy":
        return []
    return given if len(given) > 1 else []


def _counted(size: ast.expr) -> Iterator[str]:
    """The names that a size is the sum or difference of."""
    if isinstance(size, ast.Name):
        yield size.id
    elif isinstance(size, ast.BinOp) and isinstance(size.op, (ast.Add, ast.Sub)):
        yield from _counted(size.left)
        yield from _counted(size.right)
