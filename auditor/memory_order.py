"""How a result lies in memory. Elementwise code leaves it as its operand lies; one operation
instead lays it out anew, which a ``.view`` of what was permuted sees."""

from __future__ import annotations

import ast
from dataclasses import replace

from auditor.again.results import uses
from auditor.lift import Lifted
from auditor.syntax import is_name
from auditor.tree import children, descendants
from auditor.verdict import Finding, Fix

_ELEMENTWISE = frozenset(("ASC107", "ASC108"))
_TURNS = frozenset(
    "permute transpose movedim moveaxis swapaxes swapdims t T mT H mH adjoint rollaxis".split()
)
_ASSUMED = "nothing depends on the strides of the result"


def ordered(findings: list[Finding], lifted: Lifted) -> list[Finding]:
    """The findings of a function, with what is assumed of the order in memory; fixes on which a
    view depends are not safe."""
    return [_ordered(finding, lifted) for finding in findings]


def _ordered(finding: Finding, lifted: Lifted) -> Finding:
    fix = finding.fix
    if fix is None or fix.applicability != "safe" or finding.code not in _ELEMENTWISE:
        return finding
    statements = [
        node for node in descendants(lifted.node)
        if isinstance(node, (ast.Assign, ast.Return)) and node.value is not None
        and finding.span.line <= node.lineno <= finding.span.end_line
    ]  # fmt: skip
    if not statements or not _turned(fix, lifted):
        return finding
    parents = {child: node for node in descendants(lifted.node) for child in children(node)}
    results = [statement.value for statement in statements if statement.value is not None]
    found = uses(lifted.module, lifted.node, parents, lifted.lifter.values, results)
    if found.laid:
        doubt = "the result lies in memory in another order, which a view of it depends on"
        return replace(finding, fix=fix.doubted(doubt))
    reason = f"{fix.reason}; {_ASSUMED}" if fix.reason else f"assumes that {_ASSUMED}"
    return replace(finding, fix=replace(fix, reason=reason))


def _turned(fix: Fix, lifted: Lifted) -> bool:
    """Whether an operand of the new code is seen to be permuted: where it stands, or where the
    function gives it its name."""
    for edit in fix.edits:
        try:
            tree = ast.parse(edit.content.strip())
        except SyntaxError:
            continue
        for node in descendants(tree):
            if isinstance(node, ast.Call) and any(map(_turns, node.args[:1])):
                return True
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                if any(_turns(value) for value in _values(lifted.node, node.id)):
                    return True
    return False


def _values(function: ast.AST, name: str) -> list[ast.expr]:
    """What a function assigns to a name."""
    return [
        node.value for node in descendants(function)
        if isinstance(node, ast.Assign) and any(is_name(t, name) for t in node.targets)
    ]  # fmt: skip


def _turns(node: ast.expr) -> bool:
    """``x.permute(0, 2, 3, 1)``, ``x.mT``, ``torch.transpose(x, 0, 1)``."""
    called = node.func if isinstance(node, ast.Call) else node
    return isinstance(called, ast.Attribute) and called.attr in _TURNS
