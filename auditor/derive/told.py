"""What ``audit derive`` says of a loop: its state and what it means, the four functions, the proof,
and what was found in three steps."""

from __future__ import annotations

from textwrap import indent

from auditor.algebra.laws import check
from auditor.algebra.summary import Summary
from auditor.algebra.trial import tried
from auditor.audit import Options, audit_text
from auditor.derive.expression import source
from auditor.derive.found import Derived, Nothing, varies
from auditor.derive.functions import Functions
from auditor.derive.program import GRADES, TARGETS
from auditor.verdict import Finding

_STEP = "    "


def account(derived: Derived, text: str, path: str) -> str:
    """All of it, as lines of text."""
    fold, monoid = derived.fold, derived.monoid
    functions = Functions(derived)
    carried = ", ".join(carry.name for carry in fold.scan.carries)
    if fold.keyed is not None:
        carried = f"{fold.keyed.name}[{fold.keyed.key}]"
    does = "folds" if fold.running is None else "scans"
    lines = [f"{path}:{fold.node.lineno}: `{fold.scope}` {does} {carried}", ""]
    lines += ["State of a piece" + (", for each entry" if fold.keyed else ""), ""]
    names = [field.name for field in monoid.fields]
    width = max(map(len, names), default=0)
    marks = [source(field.identity) for field in monoid.fields]
    empty = max(map(len, marks), default=0)
    for field, mark in zip(monoid.fields, marks, strict=True):
        lines.append(f"    {field.name:<{width}}  empty: {mark:<{empty}}  {field.meaning}")
    lines += ["", "Monoid", ""]
    lines += [indent("\n\n".join(functions.functions()), _STEP), ""]
    lines += ["Proof", ""]
    for part in monoid.parts:
        lines.append(f"    {part.algebra}: {part.proof}")
    lines += [f"    {sentence}" for sentence in _laws(derived)]
    lines += ["", f"Floating point: {GRADES[monoid.numerics]}"]
    if fold.assumptions:
        lines += ["", *(f"Assumed: {assumption}" for assumption in fold.assumptions)]
    lines += ["", "Found", ""]
    lines.append(f"    staged scan       {_staged(derived.stages, derived)}")
    algebra = "; ".join(dict.fromkeys(part.algebra for part in monoid.parts))
    per = ", for each entry" if fold.keyed else ""
    lines.append(f"    one-pass summary  {algebra}{per}")
    lines.append(f"    verified rewrite  {_rewrites(text, path, derived)}")
    lines += ["", f"audit derive {path}:{fold.node.lineno} --to {'|'.join(TARGETS)} writes it"]
    return "\n".join(lines) + "\n"


def refusal(nothing: Nothing, path: str) -> str:
    """Why there is no monoid."""
    lines = [f"{path}:{nothing.line}: no monoid: {nothing.reason}"]
    for stage in nothing.stages:
        lines.append(f"    a scan by itself ({stage.domain}): {stage.proof}")
    found = nothing.refutation
    if found is not None:
        lines += ["", f"Counterexample: {found.said}"]
        if found.program:
            lines += ["", indent(found.program, _STEP)]
    return "\n".join(lines) + "\n"


def _laws(derived: Derived) -> list[str]:
    """What was checked: on symbols, and on numbers."""
    shown: dict[str, int] = {}
    left: list[str] = []
    for part in derived.monoid.parts:
        checked = check(part)
        for law in checked.laws:
            shown[law] = shown.get(law, 0) + 1
        left += checked.left
    laws = [law for law in shown if law not in left]
    out = []
    if laws:
        equations = {
            "identity": "combine(init, s) = s = combine(s, init)",
            "associativity": "combine(combine(a, b), c) = combine(a, combine(b, c))",
            "update": "update(combine(a, b), x) = combine(a, update(b, x))",
        }
        out.append("on symbols: " + "; ".join(equations[law] for law in laws))
    trial = tried(derived.fold.scan, derived.monoid, varies(derived.fold))
    if trial.compared:
        out.append(f"on {trial.compared} random inputs, cut at random: the same as the loop")
    return out


def _staged(stages: tuple[Summary, ...], derived: Derived) -> str:
    carries = derived.fold.scan.carries
    if len([s for stage in stages for s in stage.state]) < len(carries):
        return "not known: the stages by themselves are no scans"
    parts = []
    for stage in stages:
        names = ", ".join(carries[slot].name for slot in stage.state)
        parts.append(f"{names} ({stage.domain})")
    return f"{len(stages)} pass{'es' if len(stages) > 1 else ''}: {', then '.join(parts)}"


def _rewrites(text: str, path: str, derived: Derived) -> str:
    """The rewrites of the catalog that apply to the loop."""
    node = derived.fold.node
    report = audit_text(text, path, Options())
    found: list[Finding] = [
        finding
        for finding in report.findings
        if finding.fix is not None
        and finding.span.line <= (node.end_lineno or node.lineno)
        and finding.span.end_line >= node.lineno
    ]
    if not found:
        return "none in the catalog"
    return "; ".join(f"{f.code} {f.rewrite} ({f.fix.applicability})" for f in found if f.fix)
