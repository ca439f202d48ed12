"""What the text says of linear layers and of inference: the sizes that a constructor gives its
layers, and where gradients are switched off."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from auditor.lift.module import ClassScope, Module
from auditor.syntax import constant, is_name, path_of
from auditor.tree import children, descendants, every_statement

OFF = ("torch.no_grad", "torch.inference_mode")


@dataclass(frozen=True)
class Linear:
    """``self.name`` is a linear layer of stated sizes; ``dtype`` is the last part of its name."""

    name: str
    inputs: int
    outputs: int
    dtype: str | None


@dataclass(frozen=True)
class Application:
    """A layer applied to one operand where no gradient is wanted."""

    node: ast.Call
    layer: Linear


def linear_layers(module: Module, klass: ClassScope) -> dict[str, Linear]:
    """The linear layers that a class makes once, in its constructor, of sizes that are numbers."""
    constructor = klass.methods.get("__init__")
    if constructor is None:
        return {}
    bound: dict[str, int] = {}
    for node in descendants(klass.node):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, (ast.Store, ast.Del)):
            if is_name(node.value, "self"):
                bound[node.attr] = bound.get(node.attr, 0) + 1
    found = {}
    for node in descendants(constructor):
        if not isinstance(node, ast.Assign) or len(node.targets) != 1:
            continue
        target, call = node.targets[0], node.value
        if not isinstance(target, ast.Attribute) or not is_name(target.value, "self"):
            continue
        if not isinstance(call, ast.Call) or path_of(module, call.func) != "torch.nn.Linear":
            continue
        given = {word.arg: word.value for word in call.keywords}
        sizes = [
            _number(module, part)
            for part in (*call.args[:2], *map(given.get, ("in_features", "out_features")))
            if part is not None
        ]
        if len(sizes) == 2 and sizes[0] is not None and sizes[1] is not None:
            if bound[target.attr] == 1:
                dtype = path_of(module, given["dtype"]) if "dtype" in given else None
                last = None if dtype is None else dtype.rpartition(".")[2]
                found[target.attr] = Linear(target.attr, sizes[0], sizes[1], last)
    return found


def _number(module: Module, node: ast.expr, depth: int = 4) -> int | None:
    """An integer of the text: a literal, a constant of the file, or a product of such."""
    value = constant(node)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(node, ast.Name) and node.id in module.constants and depth:
        return _number(module, module.constants[node.id], depth - 1)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and depth:
        left, right = (_number(module, side, depth - 1) for side in (node.left, node.right))
        return None if left is None or right is None else left * right
    return None


def without_gradients(module: Module, function: ast.FunctionDef) -> list[ast.AST]:
    """The parts of a function in which it says itself that no gradient is wanted."""
    if any(_switches_off(module, each) for each in function.decorator_list):
        return [function]
    return [
        node
        for node in every_statement(function.body)
        if isinstance(node, ast.With)
        and any(_switches_off(module, item.context_expr) for item in node.items)
    ]


def _switches_off(module: Module, node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        return path_of(module, node.func) in OFF and not node.args and not node.keywords
    return path_of(module, node) in OFF


def applications(
    module: Module, klass: ClassScope, function: ast.FunctionDef, least: int
) -> Iterator[Application]:
    """Where a method applies layers of at least so many weights without gradients, outermost
    calls only."""
    parts = without_gradients(module, function)
    if not parts:
        return
    layers = linear_layers(module, klass)
    waiting: list[ast.AST] = parts[::-1]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            layer = layers.get(node.func.attr)
            plain = len(node.args) == 1 and not node.keywords
            plain = plain and not isinstance(node.args[0], ast.Starred)
            if layer is not None and is_name(node.func.value, "self") and plain:
                if layer.inputs * layer.outputs >= least:
                    yield Application(node, layer)
                    continue
        if not isinstance(node, (ast.Lambda, ast.ClassDef)):
            waiting += reversed(list(children(node)))
