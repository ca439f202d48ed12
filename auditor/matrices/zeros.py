"""Products of which one operand is mostly zeros and stored as if it were not."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from auditor.lift.module import ClassScope, Module
from auditor.matrices.placed_entries import at_listed_places, on_diagonals
from auditor.syntax import constant, path_of
from auditor.tree import children, descendants, everything_in

_PRODUCTS = ("matmul", "mm", "bmm", "linear", "dot", "addmm")
_DENSE = ("to_dense", "toarray", "todense")
_VIEWS = ("t", "transpose", "to", "float", "contiguous", "type_as", "permute")
_MANY = 100_000


@dataclass(frozen=True)
class Zeros:
    """``node`` multiplies, or stores, what is zero for a reason of some ``kind``: ``densified``,
    ``blocks``, ``masked``, ``rectified``, ``gradients``, ``diagonals``, ``listed``; ``part`` is the
    text of that."""

    node: ast.expr
    kind: str
    part: str


def stored_zeros(
    module: Module, function: ast.FunctionDef, klass: ClassScope | None
) -> Iterator[Zeros]:
    """The places of a function where zeros are stored and multiplied."""
    bound = _Bound(module, _bound_once(function))
    for node in descendants(function):
        if isinstance(node, (ast.BinOp, ast.Call)):
            for operand in _operands(module, node):
                made = _resolved(operand, bound.once)
                kind = _kind(module, made, klass)
                held = _resolved(operand, {})
                if kind is None and isinstance(held, ast.Name):
                    listed = at_listed_places(module, function, held.id, made)
                    kind, made = ("listed", held) if listed else (None, made)
                if kind is not None and not (kind == "rectified" and _of_weights(made, bound)):
                    yield Zeros(node, kind, module.brief(made, 60))
                    break
        if isinstance(node, ast.Call) and _large_table(module, node):
            yield Zeros(node, "gradients", module.brief(node, 60))


def _bound_once(function: ast.FunctionDef) -> dict[str, ast.expr]:
    """What the names that are bound once are bound to."""
    found: dict[str, list[ast.expr | None]] = {}
    for node in descendants(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.setdefault(node.id, []).append(None)
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            if isinstance(node.targets[0], ast.Name):
                found.setdefault(node.targets[0].id, []).append(node.value)
    return {
        name: values[0] or values[1]  # type: ignore[misc]
        for name, values in found.items()
        if len(values) == 2 and sum(value is not None for value in values) == 1
    }


def _operands(module: Module, node: ast.BinOp | ast.Call) -> list[ast.expr]:
    """The two arrays that a product multiplies."""
    if isinstance(node, ast.BinOp):
        return [node.left, node.right] if isinstance(node.op, ast.MatMult) else []
    function = node.func
    path = path_of(module, function)
    word = path.rpartition(".")[2] if path is not None else getattr(function, "attr", "")
    if word not in _PRODUCTS or any(isinstance(arg, ast.Starred) for arg in node.args):
        return []
    if path is not None:
        return list(node.args[1:3] if word == "addmm" else node.args[:2])
    if not isinstance(function, ast.Attribute) or word in ("linear", "addmm"):
        return []
    return [function.value, *node.args[:1]]


def _resolved(node: ast.expr, bound: dict[str, ast.expr]) -> ast.expr:
    """What an operand was made by, through names and views."""
    for _ in range(8):
        if isinstance(node, ast.Name) and node.id in bound:
            node = bound[node.id]
        elif isinstance(node, ast.Attribute) and node.attr in ("T", "mT"):
            node = node.value
        elif (
            isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
            and node.func.attr in _VIEWS
        ):  # fmt: skip
            node = node.func.value
        else:
            break
    return node


@dataclass(frozen=True)
class _Bound:
    """What the names of a function that are bound ``once`` are bound to."""

    module: Module
    once: dict[str, ast.expr]

    def leaves(self, node: ast.expr, depth: int = 8) -> set[str]:
        """The names and attributes that an expression is made of, through names; what is called,
        and what that is told by keywords, is none of them."""
        if isinstance(node, ast.Name):
            made = self.once.get(node.id) if depth else None
            return {node.id} if made is None else self.leaves(made, depth - 1)
        if isinstance(node, ast.Attribute) and _is_self(node):
            return {f"self.{node.attr}"}
        parts = children(node)
        if isinstance(node, ast.Call):
            method = isinstance(node.func, ast.Attribute) and not path_of(self.module, node.func)
            own = method and not _is_self(node.func)
            parts = [*node.args, *([node.func.value] if own else [])]  # type: ignore[attr-defined]
        return {leaf for part in parts if isinstance(part, ast.expr)
                for leaf in self.leaves(part, depth)}  # fmt: skip


def _of_weights(made: ast.expr, bound: _Bound) -> bool:
    """Whether what is rectified is put together of what the module holds alone: weights, which are
    no more often zero than not."""
    leaves = bound.leaves(made)
    return bool(leaves) and all(leaf.startswith("self.") for leaf in leaves)


def _kind(module: Module, node: ast.expr, klass: ClassScope | None) -> str | None:
    if on_diagonals(module, node):
        return "diagonals"
    if isinstance(node, ast.Call):
        function = node.func
        path = path_of(module, function) or ""
        word = path.rpartition(".")[2] or getattr(function, "attr", "")
        if word in _DENSE and not path and not node.args:
            return "densified"
        if path in ("torch.block_diag", "scipy.linalg.block_diag"):
            return "blocks"
        rectifies = path in ("torch.relu", "torch.nn.functional.relu")
        method = isinstance(function, ast.Attribute) and word == "relu" and not path
        if rectifies or (method and not node.args and not _is_self(function)):
            return "rectified"
        return None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        sides = [_attribute(node.left), _attribute(node.right)]
        if None not in sides and sum(_is_mask(module, klass, side) for side in sides) == 1:
            return "masked"
    return None


def _is_self(function: ast.expr) -> bool:
    return (
        isinstance(function, ast.Attribute)
        and isinstance(function.value, ast.Name)
        and function.value.id == "self"
    )


def _attribute(node: ast.expr) -> str | None:
    """``self.weight``: its name, through conversions."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        node = node.func.value if node.func.attr in _VIEWS else node
    return node.attr if isinstance(node, ast.Attribute) and _is_self(node) else None


def _is_mask(module: Module, klass: ClassScope | None, name: str | None) -> bool:
    """Whether an attribute holds zeros and ones that are not trained: a buffer by that name."""
    maker = klass.methods.get("__init__") if klass is not None else None
    if maker is None or name is None:
        return False
    for node in everything_in(maker):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr == "register_buffer" and len(node.args) > 1:
                if constant(node.args[0]) == name:
                    return _of_ones(module, node.args[1])
    return False


def _of_ones(module: Module, node: ast.expr) -> bool:
    """Ones, a triangle of them, or a comparison; or what the constructor was given as a mask."""
    if isinstance(node, ast.Name):
        return "mask" in node.id
    if isinstance(node, ast.Compare):
        return True
    if isinstance(node, ast.Call):
        path = path_of(module, node.func) or ""
        word = path.rpartition(".")[2] or getattr(node.func, "attr", "")
        if word == "ones":
            return _fills_matrix(node)
        if word in ("ones_like", "bernoulli", "eq", "gt", "lt", "ge", "le", "ne"):
            return True
        inner = node.args[0] if path and node.args else getattr(node.func, "value", None)
        if word in ("tril", "triu", "float", "to", "bool", "clone", "block_diag"):
            return word == "block_diag" or (inner is not None and _of_ones(module, inner))
    return False


def _fills_matrix(node: ast.Call) -> bool:
    """Whether ones are as many as the entries of a matrix: one to a row are its scales."""
    sizes = node.args[0].elts if node.args and isinstance(node.args[0], ast.Tuple) else node.args
    if any(constant(size) == 1 for size in sizes):
        return False
    return len(sizes) > 1 or not all(isinstance(size, (ast.Name, ast.Constant)) for size in sizes)


def _large_table(module: Module, node: ast.Call) -> bool:
    """An embedding of many rows whose gradient is stored dense."""
    if path_of(module, node.func) not in ("torch.nn.Embedding", "torch.nn.EmbeddingBag"):
        return False
    words = {word.arg: word.value for word in node.keywords}
    rows = constant(node.args[0] if node.args else words.get("num_embeddings"))
    dense = constant(words.get("sparse")) in (..., False) and "sparse" not in words
    return dense and isinstance(rows, int) and rows >= _MANY
