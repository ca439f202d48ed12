"""Layers of which a file sets later what they were made with: ``model.norm.eps = 1e-6``."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from auditor.lift.objects import Instance, Obj, Sequence
from auditor.syntax import bindings
from auditor.tree import everything_in

_LOOKED_UP = {
    "Softmax": "dim", "LogSoftmax": "dim", "Softmin": "dim", "Dropout": "p inplace",
    "LayerNorm": "eps normalized_shape", "RMSNorm": "eps normalized_shape",
    "GroupNorm": "eps num_groups", "Linear": "in_features out_features",
}  # fmt: skip
"""What layers of torch look up at each call, of what they were made with."""
MADE_WITH = frozenset(
    "dim eps p inplace affine momentum approximate alpha beta negative_slope normalized_shape"
    " num_groups in_features out_features stride padding dilation groups start_dim end_dim".split()
)
_EVERY_LAYER = re.compile(r"\b(?:modules|children)\(")


def remade(tree: ast.Module, targets: Iterable[ast.expr]) -> dict[str, set[str]]:
    """The attributes of objects by whose names some ``targets`` set what a layer is made with
    (``dim`` for ``model.weigh.dim``), with what they set; under ``*`` what is set of any layer."""
    found: dict[str, set[str]] = {}
    named: dict[str, set[str]] = {}
    for target in targets:
        for part in everything_in(target):
            if isinstance(part, ast.Attribute) and not isinstance(part.ctx, ast.Load):
                base = part.value
                if part.attr not in MADE_WITH:
                    continue
                if isinstance(base, ast.Name):
                    named.setdefault(base.id, set()).add(part.attr)
                else:
                    name = base.attr if isinstance(base, ast.Attribute) else "*"
                    found.setdefault(name, set()).add(part.attr)
    for target, value in bindings(tree) if named else ():
        words = {
            word for node in everything_in(target)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
            for word in named.get(node.id, ())
        }  # fmt: skip
        if words and isinstance(value, ast.Attribute):
            found.setdefault(value.attr, set()).update(words)
        elif words and (
            isinstance(value, ast.Subscript) or _EVERY_LAYER.search(ast.unparse(value))
        ):
            found.setdefault("*", set()).update(words)
    return found


def looked_up(obj: Obj) -> Iterator[str]:
    """What the layers that an object is or holds look up at each call."""
    if isinstance(obj, Sequence):
        for item in obj.items:
            yield from looked_up(item)
    elif isinstance(obj, Instance):
        yield from _LOOKED_UP.get(obj.path.rpartition(".")[2], "").split() or MADE_WITH
        for part in obj.args:
            yield from looked_up(part)
