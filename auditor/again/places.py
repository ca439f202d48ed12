"""Where a value can be computed before it was: the place before a statement, whether what stands
there is computed whenever the statement runs, a name for the value."""

from __future__ import annotations

import ast
import builtins
import keyword

from auditor.lift import Lifted
from auditor.lift.call_effects import Does, does
from auditor.notation import Span
from auditor.surroundings.region import Region
from auditor.tree import descendants
from auditor.verdict import Edit

_DEFERRED = (
    ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.FunctionDef,
    ast.AsyncFunctionDef, ast.ClassDef,
)  # fmt: skip
_NAMES = {
    "matmul": "product", "mm": "product", "bmm": "product", "mv": "product", "dot": "product",
    "einsum": "product", "linear": "projected", "sum": "total", "max": "largest",
    "min": "smallest", "amax": "largest", "amin": "smallest", "sorted": "ordered",
    "sort": "ordered", "any": "found", "all": "every", "share": "shares", "softmax": "weights",
    "arange": "positions", "exp": "exponentials", "log": "logarithms", "inv": "inverse",
    "tensor": "constant", "set": "members", "frozenset": "members", "array": "constant",
    "pow": "powers",
}  # fmt: skip


def certainly_evaluated(region: Region, node: ast.expr, statement: ast.stmt) -> bool:
    """Whether executing ``statement`` evaluates ``node`` once, whatever the values."""
    at: ast.AST = node
    while at is not statement:
        above = region.parents[at]
        if isinstance(above, _DEFERRED):
            first = getattr(above, "generators", [None])[0]
            if not isinstance(first, ast.comprehension) or at is not first:
                return False
        if isinstance(above, ast.comprehension) and above.iter is not at:
            return False
        if isinstance(above, ast.BoolOp) and above.values[0] is not at:
            return False
        if isinstance(above, ast.IfExp) and above.test is not at:
            return False
        if isinstance(above, ast.Compare) and len(above.ops) > 1 and at in above.comparators[1:]:
            return False
        if isinstance(above, ast.Assert):
            return False
        at = above
    return True


def comes_first(region: Region, node: ast.expr, statement: ast.stmt) -> bool:
    """Whether nothing that a statement does before it evaluates ``node`` has an effect."""
    start = (node.lineno, node.col_offset)
    for inner in descendants(statement):
        if isinstance(inner, (ast.NamedExpr, ast.Yield, ast.YieldFrom, ast.Await)):
            return False
        if isinstance(inner, ast.Call) and (inner.lineno, inner.col_offset) <= start:
            ends = (inner.end_lineno or 0, inner.end_col_offset or 0)
            if ends > start:
                continue  # what it is a part of
            if does(region.module, inner) not in (Does.FRESH, Does.VIEW, Does.REPORTS):
                if region.effects_in(inner):
                    return False
    return True


def begins_line(region: Region, statement: ast.stmt) -> bool:
    """Whether a line can be put before a statement."""
    line = region.module.lines[statement.lineno - 1]
    if line[: statement.col_offset].strip():
        return False
    return not line.strip().startswith("elif")


def line_before(region: Region, statement: ast.stmt, text: str) -> Edit:
    """A line of its own before a statement."""
    line = statement.lineno
    return Edit(Span(line, 1, line, 1), f"{region.indent(statement)}{text}\n")


def new_name(lifted: Lifted, word: str, key: object) -> str:
    """A name that the file does not use, the same each time for one ``key``."""
    given: dict[object, str] = lifted.once.setdefault("new names", {})
    if key not in given:
        plain = _NAMES.get(word, word)
        taken = _names(lifted) | set(given.values()) | {*dir(builtins), *keyword.kwlist}
        tries = [plain, f"{plain}_once", *(f"{plain}_{n}" for n in range(2, 100))]
        given[key] = next(name for name in tries if name not in taken)
    return given[key]


def _names(lifted: Lifted) -> set[str]:
    """The names that the file uses, other than as attributes."""
    found: set[str] = set()
    for node in descendants(lifted.module.tree):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.alias):
            found.add((node.asname or node.name).split(".")[0])
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            found.update(node.names)
    return found
