"""Which parameters of a constructor are sizes of the layers that it makes: whole numbers."""

from __future__ import annotations

import ast

from auditor.lift.module import Module
from auditor.syntax import path_of
from auditor.tree import descendants

_SIZES = {
    "Linear": 2, "Bilinear": 3, "Embedding": 2, "EmbeddingBag": 2, "Conv1d": 2, "Conv2d": 2,
    "Conv3d": 2, "RNN": 2, "GRU": 2, "LSTM": 2, "RNNCell": 2, "GRUCell": 2, "LSTMCell": 2,
    "MultiheadAttention": 2,
}  # fmt: skip
"""How many of a layer's first arguments are sizes, and nothing else."""


def sizes_of_layers(module: Module, init: ast.FunctionDef) -> frozenset[str]:
    """The parameters that the constructor passes on as sizes and binds to nothing else."""
    found: set[str] = set()
    bound: set[str] = set()
    for node in descendants(init):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            bound.add(node.id)
        elif isinstance(node, ast.Call):
            root, _, layer = (path_of(module, node.func) or "").rpartition(".")
            if root == "torch.nn" and layer in _SIZES:
                found.update(a.id for a in node.args[: _SIZES[layer]] if isinstance(a, ast.Name))
    return frozenset(found - bound)
