"""One file from text to report: lift, match, decide the properties, predict the gain."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from auditor.findings import examine
from auditor.lift import Contradiction, Lifted, attributes_of, functions, lift, read
from auditor.lift.loops import Loop
from auditor.lift.module import Module
from auditor.notation import Computation, Value
from auditor.rewrite import Site
from auditor.verdict import FileReport, Finding


@dataclass(frozen=True)
class Options:
    """What one audit is asked for. ``everything`` fills in the computations without a rewrite;
    ``kernels_allowed`` is False where the project declares its dependencies without the kernels."""

    target: str = "auto"
    numerics: Literal["exact", "reassociated"] = "reassociated"
    everything: bool = False
    kernels_allowed: bool | None = None


def audit_text(text: str, path: str, options: Options) -> FileReport:
    """Audit one file. Raises SyntaxError."""
    module = read(text)
    findings: list[Finding] = []
    computations: list[Finding] = []
    for lifted in _lifted(module):
        found, others = examine(lifted, list(sites(lifted)), path, options)
        findings.extend(found)
        computations.extend(others)
    return FileReport(path, tuple(findings), tuple(computations))


def _lifted(module: Module) -> Iterator[Lifted]:
    known: dict[ast.ClassDef, dict[str, object]] = {}
    for scope, node, klass in functions(module):
        attributes = {}
        if klass is not None:
            if klass.node not in known:
                known[klass.node] = attributes_of(module, klass)  # type: ignore[assignment]
            attributes = known[klass.node]
        try:
            yield lift(module, scope, node, klass, attributes)  # type: ignore[arg-type]
        except Contradiction:
            continue
    yield lift(module, "", module.tree)


def sites(lifted: Lifted) -> Iterator[Site]:
    """Every computation of a function that a rewrite or a property may be asked about."""
    for loop in lifted.lifter.loops:
        yield Site(lifted, _loop_computation(lifted, loop), loop)
    yield from expression_sites(lifted)


def expression_sites(lifted: Lifted) -> Iterator[Site]:
    """Array expressions of the function's own statements (not of a loop's body), outermost first:
    the whole of a statement before its parts."""
    looping = {
        inner for loop in lifted.lifter.loops if isinstance(loop.node, ast.stmt)
        for inner in ast.walk(loop.node)
    }  # fmt: skip
    for statement in lifted.lifter.scopes:
        if statement in looping or isinstance(statement, (ast.If, ast.For, ast.While, ast.With)):
            continue
        for node in ast.walk(statement):
            if not isinstance(node, (ast.Call, ast.BinOp, ast.Subscript)):
                continue
            value = lifted.lifter.values.get(node)
            if isinstance(value, Value) and value.kind == "derived" and value.axes:
                span = lifted.module.span(node)
                computation = Computation("expression", lifted.scope, span, (value,))
                yield Site(lifted, computation, None, node, value, statement)


def _loop_computation(lifted: Lifted, loop: Loop) -> Computation:
    outputs = tuple(loop.results.values())
    per_step = tuple(items.element for items in loop.lists.values())
    return Computation("loop", lifted.scope, loop.span, outputs, loop.scan, per_step, ())
