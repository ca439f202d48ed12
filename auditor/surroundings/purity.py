"""Whether evaluating an expression does anything besides computing a value."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from auditor.syntax import path_of
from auditor.tree import everything_in

if TYPE_CHECKING:
    from auditor.lift.module import Module

PURE_BUILTINS = frozenset(
    ("abs", "len", "float", "int", "bool", "complex", "round", "min", "max", "sum", "ord", "chr")
    + ("isinstance", "range", "pow", "divmod", "str", "tuple", "hasattr", "all", "any")
)
PURE_METHODS = frozenset(
    ("sum", "mean", "abs", "exp", "log", "sqrt", "square", "pow", "item", "float", "double", "int")
    + ("long", "bool", "half", "to", "astype", "gather", "squeeze", "unsqueeze", "max", "min")
    + ("prod", "norm", "dot", "matmul", "transpose", "permute", "reshape", "view", "flatten", "t")
    + ("clamp", "tanh", "sigmoid", "relu", "sin", "cos", "softmax", "log_softmax", "any", "all")
    + ("amax", "amin", "type", "get", "lower", "upper", "strip", "startswith", "endswith", "count")
    + ("size", "dim", "numel", "contiguous", "tolist", "is_floating_point", "argmax", "argmin")
    + ("isdigit", "isalpha", "items", "keys", "values", "detach", "clone", "conj", "real", "log1p")
    + ("ravel", "swapaxes", "swapdims", "movedim", "expand")
)
PURE_MODULES = ("torch.", "numpy.", "math.", "operator.", "cmath.")
IMPURE_PATHS = (
    ("torch.rand", "torch.normal", "torch.bernoulli", "torch.multinomial", "numpy.random")
    + ("torch.manual_seed", "torch.save", "torch.nn.init", "numpy.save", "torch.dropout")
    + ("torch.nn.functional.dropout", "torch.empty", "torch.distributed")
)


def impurity(module: Module, node: ast.expr) -> str | None:
    """What evaluating ``node`` may do besides computing a value, or None."""
    for inner in everything_in(node):
        if isinstance(inner, (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)):
            return f"binds or waits: `{module.source(inner)}`"
        if isinstance(inner, ast.Call) and not is_pure(module, inner):
            return f"calls `{module.source(inner.func)}`"
        if isinstance(inner, ast.Attribute) and changes_when_read(module, inner.attr):
            return f"reads `{module.source(inner)}`, a property that does more"
    return None


def changes_when_read(module: Module, attribute: str) -> bool:
    """Whether a class of the file has a property of that name that does not merely compute, or
    answers to any name in such a way."""
    functions = [*module.properties.get(attribute, ())]
    functions += [
        function for klass, function in module.answering
        if function.name == "__getattribute__" or attribute not in _set_on_self(module, klass)
    ]  # fmt: skip
    return any(does_more(module, function) for function in functions)


def _set_on_self(module: Module, klass: ast.ClassDef) -> set[str]:
    """The attributes that a class sets, and its methods: what ``__getattr__`` is not asked for.
    Worked out once: it is asked of each attribute that is read."""
    known: dict[ast.ClassDef, set[str]] = module.once.setdefault("set on self", {})
    if klass not in known:
        known[klass] = {
            node.attr if isinstance(node, ast.Attribute) else node.name
            for node in everything_in(klass)
            if isinstance(node, ast.FunctionDef)
            or (isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store))
        }
    return known[klass]


def does_more(module: Module, function: ast.FunctionDef) -> bool:
    """Whether a function may do more than compute a value."""
    inside = [node for statement in function.body for node in everything_in(statement)]
    stores = (
        isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load)
        for node in inside
    )
    other = (ast.Global, ast.Nonlocal, ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr)
    return (
        any(stores)
        or any(isinstance(node, other) for node in inside)
        or any(
            isinstance(node, ast.Call) and not (is_pure(module, node) or _asks_further(node))
            for node in inside
        )
    )


def _asks_further(call: ast.Call) -> bool:
    """``getattr(self.module, name)``, ``super().__getattr__(name)``: another attribute is read."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    return name in ("getattr", "super", "AttributeError", "__getattr__", "__getattribute__")


def is_pure(module: Module, call: ast.Call) -> bool:
    """Whether a call computes a value and does nothing else, its arguments left aside."""
    path = path_of(module, call.func)
    if path is not None:
        pure = path.startswith(PURE_MODULES) and not path.startswith(IMPURE_PATHS)
        pure = pure and not path.rsplit(".", 1)[-1].endswith("_")
    elif isinstance(call.func, ast.Name):
        pure = call.func.id in PURE_BUILTINS and call.func.id not in module.bound
    else:
        pure = isinstance(call.func, ast.Attribute) and call.func.attr in PURE_METHODS
    return pure and not any(k.arg == "out" for k in call.keywords)


def pure_key(module: Module, key: ast.expr) -> bool:
    """A lambda without effects, a getter, a look-up, or a builtin."""
    if isinstance(key, ast.Lambda):
        return impurity(module, key.body) is None
    if isinstance(key, ast.Call):
        path = path_of(module, key.func) or ""
        return path in ("operator.itemgetter", "operator.attrgetter")
    if isinstance(key, ast.Name):
        builtin = key.id in ("len", "abs", "str", "int", "float", "ord", "sum", "max", "min")
        return builtin and key.id not in module.bound
    if isinstance(key, ast.Attribute) and key.attr in ("get", "__getitem__"):
        return isinstance(key.value, ast.Name)
    text = ast.unparse(key)
    return text in ("str.lower", "str.casefold", "str.upper")
