"""Small questions about the text of an expression: which name, which literal, which import."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from auditor.tree import everything_in, replaced

if TYPE_CHECKING:
    from auditor.lift.module import Module


def path_of(module: Module, node: ast.expr) -> str | None:
    """The dotted path that a name or attribute chain was imported as; None where the file sets
    what is there."""
    if isinstance(node, ast.Name):
        return module.names.get(node.id)
    if isinstance(node, ast.Attribute):
        base = path_of(module, node.value)
        path = None if base is None else f"{base}.{node.attr}"
        return None if path in module.patched else path
    return None


def same(left: ast.AST, right: ast.AST) -> bool:
    """Whether two expressions are spelt alike, up to layout."""
    return _dump(left) == _dump(right)


def _dump(node: ast.AST) -> str:
    return ast.dump(node).replace("Store()", "Load()")


def mentions(node: ast.AST, name: str) -> bool:
    return any(isinstance(inner, ast.Name) and inner.id == name for inner in everything_in(node))


def is_name(node: ast.AST | None, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def is_whole(item: ast.AST) -> bool:
    """Whether a subscript is ``:``."""
    return isinstance(item, ast.Slice) and not (item.lower or item.upper or item.step)


def is_dots(item: ast.AST) -> bool:
    """Whether a subscript is ``...``."""
    return isinstance(item, ast.Constant) and item.value is ...


_TIGHT = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Constant)


@lru_cache(maxsize=4096)
def tight(text: str) -> str:
    """An expression as it stands beside any operator and before a dot: in brackets, unless nothing
    binds more tightly than it does."""
    try:
        body = ast.parse(text, mode="eval").body
    except SyntaxError:  # ``x := 1``, which only stands in brackets
        return f"({text})"
    in_brackets = text.startswith("(") and body.col_offset > 0
    return text if in_brackets or isinstance(body, _TIGHT) else f"({text})"


_LOOSE = (ast.IfExp, ast.BoolOp, ast.Compare, ast.Lambda, ast.NamedExpr)


def beside_comparison(text: str) -> str:
    """An expression as it stands beside a comparison: in brackets where one would bind more
    tightly than it does."""
    try:
        body = ast.parse(text, mode="eval").body
    except SyntaxError:
        return f"({text})"
    negated = isinstance(body, ast.UnaryOp) and isinstance(body.op, ast.Not)
    in_brackets = text.startswith("(") and body.col_offset > 0
    return f"({text})" if not in_brackets and (negated or isinstance(body, _LOOSE)) else text


def changes_gradients(context: ast.expr) -> bool:
    """Whether a block under ``context`` records gradients otherwise than the code around it."""
    text = ast.unparse(context)
    return "_grad" in text or "inference_mode" in text


def walks(node: ast.AST) -> bool:
    """Whether an expression walks something, item by item."""
    comprehensions = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
    return any(isinstance(inner, comprehensions) for inner in everything_in(node))


def constant(node: ast.AST | None) -> object:
    """The value of a literal, a signed one too; ``Ellipsis`` for anything else."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = constant(node.operand)
        if isinstance(inner, (int, float)) and not isinstance(inner, bool):
            return -inner
    return ...


def called_name(call: ast.Call) -> str:
    """The last part of the name of what is called, empty where that has none."""
    function = call.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def part_of(node: ast.AST | None) -> ast.AST | None:
    """What items and attributes are taken of, all of them: ``x`` in ``x.grad[0].T``."""
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    return node


def subscripted(node: ast.expr) -> ast.expr:
    """What items are taken of, all of them: ``x.y`` in ``x.y[0][:, 1]``."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return node


def array_name(node: ast.expr) -> str | None:
    """The name of an array, of which an expression may be an item; None where that has no name."""
    whole = subscripted(node)
    return whole.id if isinstance(whole, ast.Name) else None


def owner(node: ast.AST | None) -> str | None:
    """The name of what an expression is, or is a part of; None where that has no name."""
    whole = part_of(node)
    return whole.id if isinstance(whole, ast.Name) else None


def set_elsewhere(target: ast.AST) -> list[ast.Attribute | ast.Subscript]:
    """The attributes and items that a target sets: ``o.x`` and ``d[k]`` in ``for o.x, d[k] in y``.
    Unlike names, they are of something that outlives the function."""
    return [
        node
        for node in everything_in(target)
        if isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, ast.Store)
    ]


def infinite(module: Module, node: ast.expr | None) -> int:
    """1 for a spelling of infinity, -1 for minus infinity, else 0."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -infinite(module, node.operand)
    if isinstance(node, ast.Call) and is_name(node.func, "float") and len(node.args) == 1:
        text = constant(node.args[0])
        if isinstance(text, str):
            word = text.strip().lower().lstrip("+")
            return {"inf": 1, "infinity": 1, "-inf": -1, "-infinity": -1}.get(word, 0)
    if node is not None and path_of(module, node) in ("math.inf", "numpy.inf", "torch.inf"):
        return 1
    return 0


def lowest(module: Module, node: ast.expr) -> bool:
    """``torch.finfo(dtype).min`` or ``-torch.finfo(dtype).max``."""
    negative = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    asked = node.operand if isinstance(node, ast.UnaryOp) and negative else node
    if not isinstance(asked, ast.Attribute) or not isinstance(asked.value, ast.Call):
        return False
    path = path_of(module, asked.value.func)
    return path in ("torch.finfo", "numpy.finfo") and asked.attr == ("max" if negative else "min")


def renamed(node: ast.expr, name: str, by: ast.expr) -> ast.expr:
    """A copy of ``node`` with a name replaced."""
    copied: ast.expr = ast.parse(ast.unparse(node), mode="eval").body
    changed: ast.expr = replaced(copied, lambda found: by if is_name(found, name) else None)
    return changed


_CONVERSIONS = frozenset(
    "float int bool complex item tolist tensor as_tensor from_numpy fromiter astype numpy".split()
)


def converts(node: ast.AST) -> bool:
    """Whether a call within makes its result another type than that of what it is given: numbers of
    Python, arrays of a stated type."""
    for call in everything_in(node):
        if not isinstance(call, ast.Call):
            continue
        function = call.func
        name = function.attr if isinstance(function, ast.Attribute) else ast.unparse(function)
        if name in _CONVERSIONS or any(word.arg in ("dtype", "out") for word in call.keywords):
            return True
    return False


def is_expression(text: str) -> bool:
    """Whether a text is one expression."""
    try:
        ast.parse(text, mode="eval")
    except SyntaxError:
        return False
    return True


def bindings(function: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What is bound to what, in assignments and loops."""
    for node in everything_in(function):
        if isinstance(node, ast.Assign):
            yield from ((target, node.value) for target in node.targets)
        elif isinstance(node, (ast.AnnAssign, ast.AugAssign, ast.NamedExpr)):
            if node.value is not None:
                yield node.target, node.value
        elif isinstance(node, (ast.For, ast.comprehension)):
            yield node.target, node.iter


def without_idle(items: list[str]) -> list[str]:
    """The texts of a subscript without the whole axes at its end, where it says the same without
    them: behind an ellipsis they count the axes that what comes before them is told by."""
    kept = list(items)
    while kept and kept[-1] in (":", "..."):
        kept.pop()
    return list(items) if "..." in kept else kept


def parsed(text: str) -> ast.AST | None:
    """Code that stands in the place of statements, or of a part of one."""
    for way in (textwrap.dedent(text), text.strip(), f"({text.strip()})"):
        try:
            return ast.parse(way)
        except SyntaxError:
            continue
    return None
