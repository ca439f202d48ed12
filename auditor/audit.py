"""One file from text to report: lift, match, decide the properties, predict the gain."""

from __future__ import annotations

import ast
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from typing import Literal

from auditor.again.terms import terms
from auditor.attention.fused import attends_with_mask
from auditor.every_run import in_every_run, of_calls, runs_once
from auditor.findings import best_first, examine, meet, reduces_within, still_standing
from auditor.lift import (
    Contradiction,
    Lifted,
    TooLarge,
    attributes_of,
    functions,
    lift,
    read,
)
from auditor.lift.facts import Facts
from auditor.lift.lambdas import is_lambda
from auditor.lift.loops import Loop
from auditor.lift.module import ClassScope, Module
from auditor.lift.objects import Collected, Instance, Obj, Record
from auditor.lift.runs import LAST, Picked
from auditor.matrices.bags import counted
from auditor.matrices.placed import placed
from auditor.nests.listed import makes_array
from auditor.notation import Computation, Read, Span, Term, Value
from auditor.plain import variants
from auditor.ranks.guessed import Again, confirmed
from auditor.ranks.supposed import supposing
from auditor.ranks.told import fitting, knowing, says_more
from auditor.rewrite import Site
from auditor.screening.functions import Screen
from auditor.syntax import path_of
from auditor.tree import descendants
from auditor.verdict import PROPERTIES, FileReport, Finding, Problem, Verdict
from auditor.whole_file.changed_by_callers import kept_by_callers
from auditor.whole_file.contradicted import agreeing
from auditor.whole_file.hidden_builtins import hidden_builtin
from auditor.whole_file.own_calls import OwnCall, note_arguments, own_calls, same_calls
from auditor.whole_file.own_operations import without_own
from auditor.whole_file.parts import doubted
from auditor.wording import worded
from auditor.writing.brackets import bracketed
from auditor.writing.in_lambdas import within_lambda
from auditor.writing.kept_comments import leaving_comments
from auditor.writing.layout import laid_out
from auditor.writing.repeated_sizes import named


@dataclass(frozen=True)
class Options:
    """What one audit is asked for. ``everything`` fills in the computations without a rewrite;
    ``kernels_allowed`` is False where the project declares its dependencies without the kernels;
    ``sizes`` are numbers and shapes that the gain is predicted for, by the names that have them."""

    target: str = "auto"
    numerics: Literal["exact", "reassociated"] = "reassociated"
    everything: bool = False
    kernels_allowed: bool | None = None
    sizes: Mapping[str, int | tuple[int, ...]] = field(default_factory=dict)


def audit_text(text: str, path: str, options: Options) -> FileReport:
    """Audit one file. Raises SyntaxError."""
    module = read(text)
    screen = Screen(module, options.everything)
    report = _Report(path, options, screen)
    if screen.empty:
        return FileReport(path)
    known: dict[ast.ClassDef, Mapping[str, Obj]] = {}
    try:
        outside = _Report(path, options, screen)
        if screen.wants_module():  # first: what it passes to functions is known then
            outside.add(module, "<module>", module.tree, None, known)
        for scope, node, klass in functions(module):
            wanted, otherwise = screen.wants(node, klass), screen.spelled_otherwise(node, klass)
            if wanted or otherwise:
                spelled = wanted or options.everything
                report.add(module, scope, node, klass, known, spelled, otherwise)
        findings = [_laid_out(module, one) for one in (*report.findings, *outside.findings)]
        others = [_worded(module, one) for one in (*report.computations, *outside.computations)]
    finally:
        module.release()
    return FileReport(
        path,
        tuple(findings),
        tuple(others),
        (*report.problems, *outside.problems),
    )


def _laid_out(module: Module, finding: Finding) -> Finding:
    """A finding with its fixes laid out as formatters would, and what they rest on in words."""
    fix = finding.fix
    if fix is not None and fix.edits:
        edits = bracketed(module.text, fix.edits)
        edits = named(module, finding.scope, leaving_comments(module, edits))
        reason = fix.reason and worded(fix.reason, module.lines)
        fix = replace(fix, edits=laid_out(module, edits), reason=reason)
    others = tuple(_laid_out(module, other) for other in finding.alternatives)
    return _worded(module, replace(finding, fix=fix, alternatives=others))


def _worded(module: Module, finding: Finding) -> Finding:
    """What a finding says, with the names that the code has."""
    said = {
        name: replace(verdict, evidence=worded(verdict.evidence, module.lines))
        for name, verdict in finding.properties.items()
    }
    refused = finding.refused and worded(finding.refused, module.lines)
    message = worded(finding.message, module.lines)
    return replace(finding, message=message, properties=said, refused=refused)


class _Report:
    """Fills in what is found, function by function: a bug met in one leaves the others standing."""

    def __init__(self, path: str, options: Options, screen: Screen) -> None:
        self._path, self._options, self._screen = path, options, screen
        self.findings: list[Finding] = []
        self.computations: list[Finding] = []
        self.problems: list[Problem] = []

    def add(
        self,
        module: Module,
        scope: str,
        node: ast.FunctionDef | ast.Module,
        klass: ClassScope | None,
        known: dict[ast.ClassDef, Mapping[str, Obj]],
        spelled: bool = True,
        otherwise: bool = False,
    ) -> None:
        """Audit one function, or the statements of the file outside of functions: as it is
        ``spelled``, ``otherwise`` in its plainer spellings, or both."""
        try:
            found, others = list[Finding](), list[Finding]()
            if spelled:
                found, others = self._as_spelled(module, scope, node, klass, known)
            if otherwise and isinstance(node, ast.FunctionDef):
                found, others = self._plainly(module, scope, node, found, others)
            if isinstance(node, ast.FunctionDef) and is_lambda(node):
                found = [within_lambda(module, node, one) for one in found]
            self.findings.extend(found)
            self.computations.extend(others)
        except (Contradiction, TooLarge) as refusal:
            self._not_lifted(module, scope, node, str(refusal))
        except RecursionError:
            self._not_lifted(module, scope, node, "the function is nested too deeply")
        except Exception:
            lines = traceback.format_exc().rstrip()
            message = f"internal error in `{scope}`, please report it:\n{lines}"
            line = 1 if isinstance(node, ast.Module) else node.lineno
            self.problems.append(Problem(self._path, line, 1, message))

    def _as_spelled(
        self,
        module: Module,
        scope: str,
        node: ast.FunctionDef | ast.Module,
        klass: ClassScope | None,
        known: dict[ast.ClassDef, Mapping[str, Obj]],
    ) -> tuple[list[Finding], list[Finding]]:
        if klass is not None and klass.node not in known:
            known[klass.node] = attributes_of(module, klass)
        attributes = known[klass.node] if klass is not None else None
        if isinstance(node, ast.FunctionDef):
            module = module.seen_from(node)
        with ExitStack() as read_so_far:
            return self._read(module, scope, node, klass, attributes, read_so_far)

    def _read(
        self,
        module: Module,
        scope: str,
        node: ast.FunctionDef | ast.Module,
        klass: ClassScope | None,
        attributes: Mapping[str, Obj] | None,
        read_so_far: ExitStack,
    ) -> tuple[list[Finding], list[Finding]]:
        calls: tuple[OwnCall, ...] = ()
        held = None if self._options.everything else self._screen.kinds(node)

        def known(ranks: Mapping[str, int]) -> Facts:
            return knowing(module, node, calls, ranks)

        def lifted_with(facts: Facts | None, picked: Picked = LAST) -> Lifted:
            other = lift(module, scope, node, klass, attributes, facts, picked)
            read_so_far.callback(other.release)
            return other

        def examined(
            other: Lifted,
            judged: bool = True,
            codes: tuple[str, ...] | None = None,
            texts: tuple[Span, ...] | None = None,
        ) -> tuple[list[Finding], list[Finding]]:
            there = list(sites(other))
            return examine(other, there, self._path, self._options, held, judged, codes, texts)

        lifted = lifted_with(None)
        if isinstance(node, ast.Module):
            note_arguments(lifted)
        found, others = examined(lifted)
        if isinstance(node, ast.FunctionDef) and (found or lifted.lifter.loops):
            calls = own_calls(module, node, klass)
        told = False
        if says_more(lifted, calls):
            with suppress(Contradiction, TooLarge):
                told_more = lifted_with(known({}))
                found, others = examined(told_more)
                lifted, told = told_more, True  # only once that was examined as well

        def in_runs(picked: Picked) -> tuple[list[Finding], list[Finding]]:
            other = lifted_with(known({}) if told else None, picked)
            return examined(other, texts=tuple(map(module.span, picked.runs)))

        found, others = in_every_run(found, others, lifted, in_runs)
        ways = [[one, *one.alternatives] for one in found]

        def read_again(sealed: bool) -> Again:
            def again(
                ranks: Mapping[str, int], judged: bool, codes: tuple[str, ...] | None = None
            ) -> tuple[Lifted, list[Finding]]:
                facts = known(ranks)
                facts.sealed = sealed
                other = lifted_with(facts)
                read = examined(other, judged, codes, texts=())[0]
                return other, [way for one in read for way in (one, *one.alternatives)]

            return again

        def told_by_the_file(findings: list[Finding], read: Lifted) -> list[Finding]:
            agreed = agreeing(without_own(findings, read), module, node, klass)
            return kept_by_callers(agreed, read)

        def sure(findings: list[Finding], read: Lifted, again: Again) -> list[Finding]:
            certain = fitting(confirmed(findings, read, again), read, calls, again)
            return told_by_the_file(certain, read)

        def sealed(codes: tuple[str, ...]) -> list[Finding]:
            again = read_again(True)
            read, findings = again({}, True, codes)
            return sure(findings, read, again)

        again = read_again(False)
        flat = sure([way for group in ways for way in group], lifted, again)
        every = iter(doubted(flat, lifted, sealed))
        found = [best_first([next(every) for _ in group]) for group in ways]
        supposed = told_by_the_file(supposing(found, lifted, again, held), lifted)
        more = [one for one in supposed if runs_once(one, lifted)]
        for one in more:
            found = still_standing(found, one)
            others = [other for other in others if other.span != one.span]
        return [*found, *more], others

    def _plainly(
        self,
        module: Module,
        scope: str,
        node: ast.FunctionDef,
        found: list[Finding],
        others: list[Finding],
    ) -> tuple[list[Finding], list[Finding]]:
        """What is found in the function's plainer spellings as well."""
        hidden = hidden_builtin(module, node) is not None
        for variant in () if hidden else variants(module, node):
            screen = Screen(variant.module, self._options.everything)
            report = _Report(self._path, self._options, screen)
            for name, inner, klass in functions(variant.module):
                same = name == scope and inner.lineno == node.lineno
                if same and screen.wants(inner, klass):
                    same_calls(node, inner, module)
                    report.add(variant.module, name, inner, klass, {})
            self.problems.extend(report.problems)
            alone = [replace(one, alternatives=()) for one in report.findings]
            for finding in filter(None, map(variant.told, alone)):
                rivals = [one for one in found if meet(one.span, finding.span)]
                if (finding.fix is None and rivals) or any(
                    one.fix is not None and not variant.outdoes(finding, one) for one in rivals
                ):
                    continue
                found = [one for one in found if one not in rivals]
                found = [*still_standing(found, finding), finding]
                others = [one for one in others if not meet(one.span, finding.span)]
            others = _said_plainly(others, filter(None, map(variant.told, report.computations)))
        return sorted(found, key=lambda one: one.span), others

    def _not_lifted(
        self, module: Module, scope: str, node: ast.FunctionDef | ast.Module, reason: str
    ) -> None:
        if self._options.everything and not isinstance(node, ast.Module):
            unknown = dict.fromkeys(PROPERTIES, Verdict("unknown", None, "not lifted"))
            span = module.span(node)
            self.computations.append(
                Finding(self._path, span, scope, "not lifted", unknown, refused=reason)
            )


def _said_plainly(others: list[Finding], plainer: Iterable[Finding]) -> list[Finding]:
    """What has no rewrite, with the answers of its plainer spelling where it had none itself."""
    for plain in plainer:
        if not _answered(plain):
            continue
        mute = [one for one in others if meet(one.span, plain.span) and not _answered(one)]
        if mute:
            others = [*(one for one in others if one not in mute), plain]
    return sorted(others, key=lambda one: one.span)


def _answered(computation: Finding) -> bool:
    return any(each.verdict != "unknown" for each in computation.properties.values())


def sites(lifted: Lifted) -> Iterator[Site]:
    """Every computation of a function that a rewrite or a property may be asked about."""
    for loop in lifted.lifter.loops:
        yield Site(lifted, _loop_computation(lifted, loop), loop)
    yield from expression_sites(lifted)
    yield from again_sites(lifted)


def again_sites(lifted: Lifted) -> Iterator[Site]:
    """What may be computed again: terms of loops, equal terms, and the function as a whole."""
    found, skipped = terms(lifted), of_calls(lifted)
    for node in dict.fromkeys((*found.invariants, *found.groups)):
        if node in skipped:
            continue
        span, value = lifted.module.span(node), lifted.lifter.values.get(node)
        known = value if isinstance(value, Value) and value.body is not None else None
        outputs = () if known is None else (known,)
        computation = Computation("expression", lifted.scope, span, outputs)
        yield Site(lifted, computation, None, node, known,
                   found.statement_of(node), again=True)  # fmt: skip
    if isinstance(lifted.node, ast.FunctionDef):
        whole = Computation("expression", lifted.scope, lifted.module.span(lifted.node), ())
        yield Site(lifted, whole, again=True)


_COMPOUND = (ast.If, ast.For, ast.While, ast.With, ast.Try, ast.FunctionDef, ast.AsyncFunctionDef,
             ast.ClassDef, ast.Match)  # fmt: skip


def expression_sites(lifted: Lifted) -> Iterator[Site]:
    """Array expressions of the function's statements, outermost first: the whole of a statement
    before its parts. Those in the body of a loop come last."""
    inside: list[Site] = []
    looping = {
        inner for loop in lifted.lifter.loops if isinstance(loop.node, ast.stmt)
        for inner in descendants(loop.node)
    }  # fmt: skip
    skipped = of_calls(lifted)
    for statement in lifted.lifter.scopes:
        if isinstance(statement, _COMPOUND):
            continue
        for node in descendants(statement):
            if node in skipped:
                continue
            if not isinstance(
                node, (ast.Call, ast.BinOp, ast.Subscript, ast.Attribute, ast.ListComp)
            ):
                continue
            if not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
                continue  # it is written into, not read
            value = lifted.lifter.values.get(node)
            if isinstance(node, ast.Attribute) and node.attr not in ("values", "indices"):
                continue
            if isinstance(value, Collected) and value.scan is None:
                items = _items(value)
                span = lifted.module.span(node)
                computation = Computation("expression", lifted.scope, span, (items,))
                inside.append(Site(lifted, computation, None, node, items, statement, inside=True))
                continue
            rows = lifted.lifter.rows.get(node)
            if rows is not None:
                computation = Computation(
                    "expression", lifted.scope, lifted.module.span(node), (rows,)
                )
                inside.append(Site(lifted, computation, None, node, None, statement, inside=True))
                continue
            opaque = _places_of_sorts(lifted, node) or _folds(lifted.module, node)
            if not isinstance(value, Value) and makes_array(lifted.module, node):
                span = lifted.module.span(node)
                yield Site(lifted, Computation("expression", lifted.scope, span, ()), None, node,
                           None, statement)  # fmt: skip
            if (opaque and not isinstance(value, Value)) or _layers(lifted, node) or (
                _filters(lifted.module, node) or attends_with_mask(lifted.module, node)
            ):  # fmt: skip
                span = lifted.module.span(node)
                yield Site(lifted, Computation("expression", lifted.scope, span, ()), None, node,
                           None, statement)  # fmt: skip
            if isinstance(value, Record) and node is getattr(statement, "value", None):
                parts = tuple(value.fields.values())
                computation = Computation(
                    "expression", lifted.scope, lifted.module.span(node), parts
                )
                looped = statement in looping
                inside.append(Site(lifted, computation, None, node, None, statement, inside=looped))
            if isinstance(value, Value) and value.kind == "derived":
                span = lifted.module.span(node)
                answer = isinstance(statement, ast.Return) and node is statement.value
                entry = isinstance(node, ast.Subscript)  # of what was computed before
                within = None if answer or entry else span
                if not (value.axes or opaque or reduces_within(value, within)):
                    continue
                computation = Computation("expression", lifted.scope, span, (value,))
                looped = statement in looping
                site = Site(lifted, computation, None, node, value, statement, inside=looped)
                if looped:
                    inside.append(site)
                else:
                    yield site
    yield from inside


def _places_of_sorts(lifted: Lifted, node: ast.expr) -> bool:
    """A slice of what need not be an array, a sort or a name that may hold one; or one place of
    it, where a name holds one."""
    if not isinstance(node, ast.Subscript):
        return False
    items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if not items:
        return False
    base = node.value
    while isinstance(base, ast.Subscript) or getattr(base, "attr", "") in ("values", "indices"):
        base = base.value  # type: ignore[attr-defined]
    if isinstance(base, ast.Call):
        return _called(base) in ("sorted", "sort", "argsort", "flip")
    if not isinstance(base, ast.Name):
        return False
    return isinstance(items[-1], ast.Slice) or base.id in _sorted_names(lifted)


def _called(node: ast.Call) -> str:
    """The last part of the name of what is called."""
    function = node.func
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")


def _sorted_names(lifted: Lifted) -> frozenset[str]:
    """The names that the function gives to what a sort makes, and of what it sorts in place."""
    if "sorted names" not in lifted.once:
        lifted.once["sorted names"] = frozenset(
            inner.id
            for node in descendants(lifted.node)
            if isinstance(node, (ast.Assign, ast.AnnAssign, ast.Expr))
            and node.value is not None
            and any(
                isinstance(part, ast.Call) and _called(part) in ("sorted", "sort")
                for part in descendants(node.value)
            )
            for holder in _holders(node)
            for inner in descendants(holder)
            if isinstance(inner, ast.Name)
        )
    found: frozenset[str] = lifted.once["sorted names"]
    return found


def _holders(node: ast.Assign | ast.AnnAssign | ast.Expr) -> Sequence[ast.expr]:
    """What holds the order that a statement makes: its targets, or what a method sorts."""
    if isinstance(node, ast.Expr):
        call = node.value
        called = call.func if isinstance(call, ast.Call) else None
        return [called.value] if isinstance(called, ast.Attribute) else []
    return node.targets if isinstance(node, ast.Assign) else [node.target]


def _folds(module: Module, node: ast.expr) -> bool:
    """A call that folds what need not be known item by item."""
    path = path_of(module, node.func) if isinstance(node, ast.Call) else None
    return path is not None and path.endswith(("functools.reduce", "math.prod", "multi_dot"))


def _filters(module: Module, node: ast.expr) -> bool:
    """A call that filters an image, which has no notation."""
    path = path_of(module, node.func) if isinstance(node, ast.Call) else None
    return path in ("torch.nn.functional.conv2d", "torch.conv2d") or (
        path is not None and path.startswith("scipy.") and path.endswith(_FILTERS)
    )


_FILTERS = (".convolve", ".correlate", ".convolve2d", ".correlate2d")


def _layers(lifted: Lifted, node: ast.expr) -> bool:
    """A linear layer of what a call without notation gave, which may be another one, or of one-hot
    vectors."""
    if not isinstance(node, ast.Call) or len(node.args) != 1:
        return False
    layer, given = (lifted.lifter.values.get(part) for part in (node.func, node.args[0]))
    return (
        isinstance(layer, Instance) and layer.path == "torch.nn.Linear"
        and isinstance(given, Value)
        and (given.kind == "opaque" or _one_hot(given))
    )  # fmt: skip


def _one_hot(value: Value) -> bool:
    """Whether a value is rows of zeros with a single 1 each, or sums of such."""
    if not value.axes:
        return False
    row, inner = Read(value, value.axes), value.axes[-1]
    return placed(row, inner) is not None or counted(row, inner) is not None


def _items(items: Collected) -> Value:
    """A list built by a comprehension, as a value over its places."""
    axes = (items.step, *items.axes)
    return Value("items", axes, items.element, items.dtype, "derived", "python", items.span)


def _loop_computation(lifted: Lifted, loop: Loop) -> Computation:
    """Of a loop: what it collects and what it writes at each step (``per_step``, in this order),
    and what it leaves behind."""
    collected = tuple(
        Value(name, (loop.step, *items.axes), items.element, items.dtype)
        for name, items in loop.lists.items()
    )
    per_step = (*(items.element for items in loop.lists.values()), *loop.steps)
    outputs = (*collected, *loop.results.values())
    effects = [("carry", f"carries `{name}`, which has no notation") for name in loop.lost]
    for effect in loop.effects:
        effects.append((effect.kind, f"{effect.reason} (line {effect.span.line})"))
    unplaced: list[tuple[Term, ...]] = [()] * (len(loop.scan.carries) + len(loop.lists))
    return Computation(
        "loop", lifted.scope, loop.span, outputs, loop.scan, per_step, (), tuple(effects),
        (*unplaced, *loop.places),
    )  # fmt: skip
