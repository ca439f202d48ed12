"""What new code keeps for its backward pass, by its text: results and operands of operations, and
the places that a look-up or a choice is made by."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterable, Iterator

from auditor.lift.call_effects import VIEWS
from auditor.lift.tables.gradients import KEPT, KEPT_AS_MADE, PLACES, Kept
from auditor.nests.memory import views
from auditor.surroundings.region import Region
from auditor.syntax import called_name
from auditor.tree import everything_in
from auditor.verdict import Edit

# What Python and NumPy compute has no backward pass.
_CALLED = re.compile(r"(?<!\bmath\.)(?<!\bnp\.)(?<!\bnumpy\.)\b([A-Za-z_]\w*)\(")
_BINDING = (ast.Assign, ast.AnnAssign, ast.Expr, ast.Return)


def kept_by(edits: Iterable[Edit]) -> set[Kept]:
    """What the operations of new code keep."""
    found = {KEPT[name] for edit in edits for name in _CALLED.findall(edit.content) if name in KEPT}
    if any(map(_keeps_itself, edits)):
        found.add("results")
    return found


def places_kept(region: Region, edits: Iterable[Edit]) -> set[str]:
    """The names, and attributes of ``self``, by which new code looks up or chooses."""
    return {
        path for edit in edits for statement in _statements(edit)
        for node in everything_in(statement) for place in _places(node)
        for path in views(region, place)
    }  # fmt: skip


def _statements(edit: Edit) -> list[ast.stmt]:
    try:
        return ast.parse(textwrap.dedent(edit.content)).body
    except SyntaxError:
        return []


def _keeps_itself(edit: Edit) -> bool:
    """Whether what new code makes is the result of an operation that keeps it, or a view of one."""
    return any(
        isinstance(one, _BINDING) and one.value is not None
        and not any(isinstance(target, ast.Subscript) for target in getattr(one, "targets", ()))
        and _is_kept(one.value)
        for one in _statements(edit)
    )  # fmt: skip


def _is_kept(made: ast.expr) -> bool:
    while isinstance(made, (ast.Attribute, ast.Subscript)) or (
        isinstance(made, ast.Call) and called_name(made) in VIEWS
    ):
        made = made.func if isinstance(made, ast.Call) else made.value
    if isinstance(made, ast.BinOp):  # a power of a number
        return isinstance(made.op, ast.Pow) and isinstance(made.left, ast.Constant)
    return isinstance(made, ast.Call) and called_name(made) in KEPT_AS_MADE


def _places(node: ast.AST) -> Iterator[ast.expr]:
    """The places in a look-up."""
    if isinstance(node, ast.Subscript):
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        yield from (part for part in parts if not isinstance(part, (ast.Slice, ast.Constant)))
    elif isinstance(node, ast.Call) and called_name(node) in PLACES:
        yield from node.args[PLACES[called_name(node)] :][:1]
