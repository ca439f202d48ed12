"""What ``audit derive`` says of a loop: its state and what it means, the four functions, the proof,
and what was found in three steps."""

from __future__ import annotations

from textwrap import indent

from auditor.algebra.laws import check
from auditor.algebra.summary import Summary
from auditor.algebra.trial import tried
from auditor.audit import Options, audit_text
from auditor.derive.beside import beside_functions
from auditor.derive.expression import source
from auditor.derive.found import Derived, Nothing, varies
from auditor.derive.program import GRADES, TARGETS
from auditor.derive.several import functions_of
from auditor.verdict import Finding

_STEP = "    "


def account(derived: Derived, text: str, path: str) -> str:
    """All of it, as lines of text."""
    fold, monoid = derived.fold, derived.monoid
    functions = functions_of(derived)
    parts = derived.parts or (derived,)
    carried = ", ".join(name for part in parts for name in _carried(part))
    does = "folds" if fold.running is None else "scans"
    lines = [f"{path}:{fold.node.lineno}: `{fold.scope}` {does} {carried}"]
    for part in parts:
        lines += ["", *_state(part)]
    lines += ["", "Monoid", ""]
    four = "\n\n".join(functions.functions())
    written = "\n\n".join([*beside_functions(fold, four), four])
    lines += [indent(written, _STEP), ""]
    lines += ["Proof", ""]
    lines += [f"    {one.algebra}: {one.proof}" for one in monoid.parts]
    laws = dict.fromkeys(sentence for part in parts for sentence in _laws(part))
    lines += [f"    {sentence}" for sentence in laws]
    lines += ["", f"Floating point: {GRADES[monoid.numerics]}"]
    if fold.assumptions:
        lines += ["", *(f"Assumed: {assumption}" for assumption in fold.assumptions)]
    lines += ["", "Found", ""]
    for part in parts:
        lines.append(f"    staged scan       {_staged(part.stages, part)}")
    algebra = "; ".join(dict.fromkeys(part.algebra for part in monoid.parts))
    per = ", for each entry" if fold.containers else ""
    lines.append(f"    one-pass summary  {algebra}{per}")
    lines.append(f"    verified rewrite  {_rewrites(text, path, derived)}")
    lines += ["", f"audit derive {path}:{fold.node.lineno} --to {'|'.join(TARGETS)} writes it"]
    return "\n".join(lines) + "\n"


def _carried(derived: Derived) -> list[str]:
    keyed = derived.fold.keyed
    if keyed is not None:
        return [f"{keyed.name}[{keyed.key}]"]
    return [carry.name for carry in derived.fold.scan.carries]


def _state(derived: Derived) -> list[str]:
    """The components of a piece's state, what each is of no elements, and what it means."""
    monoid, keyed = derived.monoid, derived.fold.keyed
    lines = ["State of a piece" + (f", for each entry of {keyed.name}" if keyed else ""), ""]
    width = max((len(field.name) for field in monoid.fields), default=0)
    marks = [source(field.identity) for field in monoid.fields]
    empty = max(map(len, marks), default=0)
    for field, mark in zip(monoid.fields, marks, strict=True):
        lines.append(f"    {field.name:<{width}}  empty: {mark:<{empty}}  {field.meaning}")
    return lines


def refusal(nothing: Nothing, text: str, path: str, line: int) -> str:
    """Why there is no monoid of the loop at a line."""
    lines = [f"{path}:{nothing.line}: no monoid: {nothing.reason}"]
    for stage in nothing.stages:
        lines.append(f"    a scan by itself ({stage.domain}): {stage.proof}")
    found = nothing.refutation
    if found is not None:
        lines += ["", f"Counterexample: {found.said}"]
        if found.program:
            lines += ["", indent(found.program, _STEP)]
    elif (refuted := _refuted(text, path, line)) is not None:
        lines += ["", f"Refuted: {refuted}"]
    return "\n".join(lines) + "\n"


def _refuted(text: str, path: str, line: int) -> str | None:
    """What the audit saw as it ran the loop, where that shows that there is no summary."""
    report = audit_text(text, path, Options(everything=True))
    asked = (
        one.properties["associativity"]
        for one in (*report.computations, *report.findings)
        if one.span.line == line and one.properties
    )
    shown = (verdict for verdict in asked if verdict.basis == "counterexample")
    return next((verdict.evidence for verdict in shown if verdict.verdict == "fails"), None)


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
