"""From the sites of one function to findings: which rewrites match, which of two that meet wins,
what is said about each."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from auditor.algebra.limits import TooLarge
from auditor.algebra.subterms import everything
from auditor.arrays.labelled import labelled
from auditor.arrays.of_objects import of_objects
from auditor.arrays.overwritten import overwritten_later
from auditor.cost.profit import predict
from auditor.lift import Lifted
from auditor.lift.objects import Sequence
from auditor.notation import Order, Read, Reduce, Span, Value, walk
from auditor.rewrite import Match, Refused, Rewrite, Site
from auditor.stating import stating
from auditor.surroundings.handled import divided
from auditor.surroundings.outliving import (
    bound_in_passing,
    declared_elsewhere,
    set_in_passing,
    unbound,
)
from auditor.surroundings.region import beyond_text
from auditor.tree import everything_in
from auditor.verdict import Edit, Finding, Fix, Profit, Verdict, Verdicts
from auditor.whole_file.compiled import compiled_from_source, loops_are_compiled
from auditor.whole_file.elsewhere import replaced_function
from auditor.whole_file.hidden_builtins import hidden_builtin
from auditor.wording import worded
from auditor.writing.edits import Unapplicable, apply_edits, joined
from auditor.writing.kept_comments import with_comments
from auditor.writing.pieces import ENTANGLED

if TYPE_CHECKING:
    from auditor.audit import Options

_ROWS = "numbers or rows"
"""What is said of arrays of which nothing says whether their elements are rows."""

MARGIN = 2.0
"""Most predicted gains are within this factor of the measured ones (``benchmarks.profit``)."""

NOTICED = 1e-3
"""Seconds. Sizes at which less is at stake are those of samples and tests."""

_NO_KERNELS = (
    "the project declares its dependencies without the kernels; `[tool.audit] kernels = true`"
    " makes this safe"
)


@dataclass(frozen=True)
class _Found:
    rewrite: Rewrite
    match: Match
    site: Site
    rank: int
    others: tuple[_Found, ...] = ()


@dataclass(frozen=True)
class _Rejected:
    site: Site
    reason: str
    named: bool = False


def examine(
    lifted: Lifted,
    sites: list[Site],
    path: str,
    options: Options,
    held: frozenset[str] | None = None,
    judged: bool = True,
    codes: tuple[str, ...] | None = None,
    texts: tuple[Span, ...] | None = None,
) -> tuple[list[Finding], list[Finding]]:
    """The findings of one function and, where asked for, its other computations: those in
    ``texts``, where that is given. ``held`` are the kinds of expressions that it may have
    (``auditor.screening``), ``codes`` the only rewrites that are asked. Verdicts take most of the
    time: ``judged`` False leaves them and the predicted gain out."""
    from auditor.rewrites import CATALOG

    found: list[_Found] = []
    rejected: list[_Rejected] = []
    hidden = hidden_builtin(lifted.module, lifted.node)
    for site in sites:
        if hidden is not None:
            rejected.append(_Rejected(site, f"`{hidden}` is no builtin here"))
            continue
        one = _match(site, _asked(CATALOG, site.inside, site.again, held, codes))
        if isinstance(one, _Found):
            found.append(one)
        else:
            rejected.append(one)
    loops = {site.computation.span: site for site in sites if site.loop is not None}
    findings: list[Finding] = []
    shown: list[Span] = []
    chosen = _without_overlaps(found)
    told = {id(way.site) for one in chosen for way in (one, *one.others)}
    for one in found:
        if id(one.site) not in told and one.site.loop is not None:
            reason = (
                f"{one.rewrite.name} is only reported where nothing inside the loop is rewritten"
            )
            rejected.append(_Rejected(one.site, reason))
    for one in chosen:
        ways = [_finding(way, path, options, loops, judged) for way in (one, *one.others)]
        paying = [way for way in ways if not _known_to_lose(way.profit)]
        perhaps = [way for way in ways if not _known_to_lose(way.profit, MARGIN)]
        if paying or perhaps:
            findings.append(best_first(paying) if paying else _not_applied(best_first(perhaps)))
            shown.append(one.match.span)
        else:
            reason = f"{one.rewrite.name} is not predicted to pay on {options.target}"
            rejected.append(_Rejected(one.site, reason))
    if not options.everything or texts == ():
        return findings, []
    returned = _returned(lifted)
    listed: list[_Rejected] = []
    for one in sorted(rejected, key=lambda r: _outermost(r.site.computation.span)):
        span, site = one.site.computation.span, one.site
        if texts is not None and not any(text.covers(span) for text in texts):
            continue
        answer = site.node is not None and lifted.lifter.values.get(site.node) in returned
        answer = answer or site.node in lifted.lifter.rows
        if (site.inside and not answer) or any(whole.covers(span) for whole in shown):
            continue
        if answer or _worth_listing(site):
            listed.append(_with_reason(one, rejected))
            if site.loop is None:
                shown.append(span)
    return findings, [_computation(one, path) for one in listed]


def _outermost(span: Span) -> tuple[int, int, int, int]:
    return (span.line, span.column, -span.end_line, -span.end_column)


def _with_reason(one: _Rejected, rejected: list[_Rejected]) -> _Rejected:
    """What is said of an expression is what was said of a part of it that nearly matched."""
    if one.named or one.site.loop is not None:
        return one
    whole = one.site.computation.span
    parts = (other for other in rejected if other.named and other.site.loop is None)
    near = (other for other in parts if whole.covers(other.site.computation.span))
    return replace(one, reason=next((other.reason for other in near), one.reason))


@lru_cache(maxsize=1 << 10)
def _asked(
    catalog: tuple[Rewrite, ...],
    inside: bool,
    again: bool,
    held: frozenset[str] | None,
    codes: tuple[str, ...] | None,
) -> tuple[tuple[int, Rewrite], ...]:
    """The rewrites that a site is shown to, each with its place in the catalog, by whether it
    stands in a loop and whether it is one of what is computed again. Few functions differ in it."""
    return tuple(
        (rank, rewrite)
        for rank, rewrite in enumerate(catalog)
        if rewrite.may_find(inside, again, held) and (codes is None or rewrite.code in codes)
    )


def _match(site: Site, asked: Iterable[tuple[int, Rewrite]]) -> _Found | _Rejected:
    refused: str | None = None  # the reason alone: an error holds the frames that it passed
    advice: _Found | None = None
    fixes: list[_Found] = []
    for rank, rewrite in asked:
        try:
            match = rewrite.find(site)
        except Refused as refusal:
            refused = refused or refusal.reason
            match = refusal.advice
        except TooLarge as large:
            refused = refused or str(large)
            match = None
        if match is None:
            continue
        if _compiled(site.lifted):
            refused = refused or "the function is compiled to machine code"
            continue
        match = replace(match, edits=joined(site.lifted.module.lines, match.edits))
        foreign = match.edits and (match.imports or not _of_library(match))
        if foreign and compiled_from_source(site.lifted):
            refused = refused or "a compiler reads the function's source"
            continue
        beyond = None
        if match.edits:
            beyond = (
                beyond_text(site.lifted)
                or overwritten_later(site, match)
                or _shown(site, match)
                or of_objects(site.lifted.module, site.lifted.node, match.edits)
                or _labelled(site, match, rewrite)
                or replaced_function(site, match)
                or divided(site.lifted.module, site.lifted.node, match.edits)
                or _taken(site, match)
            )
        elif site.loop is not None:
            whole = [Edit(match.span, "")]
            beyond = set_in_passing(site.lifted.module, site.lifted.node, whole)
        if beyond is not None:
            refused = refused or beyond
            continue
        try:
            stated = stating(match, site)
        except Refused as refusal:
            refused = refused or refusal.reason
            continue
        stated = replace(stated, edits=with_comments(site.lifted.module, stated.edits))
        found = _Found(rewrite, stated, site, rank)
        if match.edits:
            fixes.append(found)
        else:
            advice = advice or found
    if fixes:
        return replace(fixes[0], others=tuple(fixes[1:]))
    if advice is not None or refused is None:
        return advice or _Rejected(site, _why_not(site))
    return _Rejected(site, refused, named=True)


def _labelled(site: Site, match: Match, rewrite: Rewrite) -> str | None:
    """What the new code takes for an array that goes by labels; what is only computed at another
    time is the same."""
    if rewrite.code in ("RED501", "RED502"):
        return None
    return labelled(site.lifted.module, site.lifted.node, match.edits)


_PYTHON = re.compile(r"\bfor\b|\b(?:sum|max|min|any|all|sorted|next|map|set|len|reversed)\(")


def _of_library(match: Match) -> bool:
    """Whether the new code is calls and operators of a library alone, which a compiler that reads
    the function's text knows as well as those before."""
    return not any(_PYTHON.search(edit.content) for edit in match.edits)


def _compiled(lifted: Lifted) -> bool:
    if "compiled" not in lifted.once:
        lifted.once["compiled"] = loops_are_compiled(lifted)
    return bool(lifted.once["compiled"])


_SHOWN = re.compile(r"[^=!<>]=\s*[}!:]")


def _shown(site: Site, match: Match) -> str | None:
    """Text of the program that it prints: ``f"{x + 1=}"``."""
    module = site.lifted.module
    if _SHOWN.search(module.text) is None:
        return None
    for node in everything_in(site.lifted.node):
        if isinstance(node, ast.JoinedStr) and _SHOWN.search(module.source(node)):
            whole = module.span(node)
            if any(whole.covers(edit.span) for edit in match.edits):
                return f"line {whole.line} prints the expression itself"
    return None


def _taken(site: Site, match: Match) -> str | None:
    """A name that the edits would take from those who may read it."""
    module, spans = site.lifted.module, [edit.span for edit in match.edits]
    function = site.lifted.node
    passing = (
        bound_in_passing(module, function, match.edits)
        or set_in_passing(module, function, match.edits)
        or _called_no_more(site, match)
    )
    if passing is not None:
        return passing
    if not isinstance(function, ast.Module) and all(
        module.span(function).covers(span) for span in spans
    ):
        return declared_elsewhere(module, spans)
    try:
        after = ast.parse(apply_edits(module.text, match.edits))
    except (SyntaxError, Unapplicable):
        return None  # told where it is applied
    return unbound(module.tree, after, spans) or declared_elsewhere(module, spans)


def _called_no_more(site: Site, match: Match) -> str | None:
    """A call within a replaced expression that may do more than compute its value, and is not in
    the new text."""
    module = site.lifted.module
    if site.loop is not None or site.node is None:
        return None
    whole = module.span(site.node)
    new = "".join("".join(edit.content for edit in match.edits).split())
    lost: Counter[str] = Counter()
    spans = set[Span]()
    for effect in site.lifted.lifter.effects:
        if effect.kind != "call" or not whole.covers(effect.span):
            continue
        if effect.span in match.computing:
            continue
        if any(edit.span.covers(effect.span) for edit in match.edits):
            called = "".join(module.slice(effect.span).split())
            lost[called] += effect.span not in spans
            spans.add(effect.span)
            if new.count(called) < lost[called]:
                return f"what is replaced also {effect.reason}"
    return None


def _why_not(site: Site) -> str:
    loop = site.loop
    if loop is not None and loop.blocked is not None:
        return f"the loop {loop.blocked[0]}"
    return "no rewrite of the catalog matches it"


def _without_overlaps(found: list[_Found]) -> list[_Found]:
    """Where two matches touch the same text, the one that the catalog tries first, then the larger
    one; a match without edits gives way to one with them. One of the very same place is another way
    to compute it. What can safely be kept, of what is computed again, is told beside a match that
    is not safe, which may never be applied."""
    kept: list[_Found] = []
    for one in sorted(found, key=_precedence):
        mine = _touched(one.match)
        rivals = [
            place for place, other in enumerate(kept)
            if any(meet(a, b) for a in mine for b in _touched(other.match))
        ]  # fmt: skip
        if not rivals:
            kept.append(one)
            continue
        other = kept[rivals[0]]
        if one.site.again and _is_safe(one) and not any(_is_safe(kept[at]) for at in rivals):
            kept.append(one)
        elif one.match.edits and other.match.edits and one.match.span == other.match.span:
            kept[rivals[0]] = replace(other, others=(*other.others, one))
    return sorted(kept, key=lambda f: f.match.span)


def _is_safe(one: _Found) -> bool:
    return bool(one.match.edits) and one.match.safe


def _precedence(one: _Found) -> tuple[bool, int, int, int]:
    match = one.match
    lines = max(span.end_line - span.line for span in (match.span, *match.covers))
    return (not match.edits, one.rank, -lines, -len(match.covers))


def _touched(match: Match) -> list[Span]:
    return [match.span, *match.covers, *(edit.span for edit in match.edits if _removes(edit))]


def _removes(edit: Edit) -> bool:
    span = edit.span
    return (span.line, span.column) != (span.end_line, span.end_column)


def meet(a: Span, b: Span) -> bool:
    """Whether two spans have some text in common."""
    return (a.line, a.column) < (b.end_line, b.end_column) and (b.line, b.column) < (
        a.end_line,
        a.end_column,
    )


def still_standing(found: list[Finding], fixed: Finding) -> list[Finding]:
    """The findings beside another one: not the advice on code that its fix replaces."""
    edits = () if fixed.fix is None else fixed.fix.edits
    return [
        one for one in found
        if one.fix is not None or not any(edit.span.covers(one.span) for edit in edits)
    ]  # fmt: skip


def _returned(lifted: Lifted) -> set[object]:
    """What the function's return statements give back, arrays one by one."""
    found: list[object] = []
    for statement in lifted.lifter.scopes:
        if isinstance(statement, ast.Return) and statement.value is not None:
            found.append(lifted.lifter.values.get(statement.value))
    every = set(found)
    every.update(item for one in found if isinstance(one, Sequence) for item in one.items)
    return every - {None}


def _worth_listing(site: Site) -> bool:
    """Loops, and expressions that reduce or order something themselves, not through a name."""
    if site.loop is not None:
        return True
    return site.value is not None and reduces_within(site.value, site.computation.span)


def reduces_within(value: Value, whole: Span | None) -> bool:
    """Does the expression at ``whole`` reduce or order something itself to make ``value``? With
    None, what it reads may do so as well."""
    stack = [value]
    while stack:
        body = stack.pop().body
        for node in walk(body) if body is not None else ():
            if isinstance(node, (Reduce, Order)):
                return True
            if isinstance(node, Read) and node.value.span is not None:
                if whole is None or whole.covers(node.value.span):
                    stack.append(node.value)
    return False


def best_first(ways: list[Finding]) -> Finding:
    """One finding of several fixes of one place, the others as its alternatives: safe before
    unsafe, then by the predicted gain where the code states the sizes. Where it does not, the
    catalog's order, from the special to the general, knows better than typical sizes do."""
    different: dict[object, Finding] = {}
    for way in ways:
        different.setdefault(way.fix and (way.fix.edits, way.fix.imports), way)
    known = all(way.profit is not None and way.profit.certain for way in different.values())

    def place(way: Finding) -> tuple[bool, float]:
        unsafe = way.fix is None or way.fix.applicability != "safe"
        return unsafe, -way.profit.predicted_speedup if known and way.profit else 0.0

    first, *others = sorted(different.values(), key=place)
    return replace(first, alternatives=tuple(others))


def _known_to_lose(profit: Profit | None, by: float = 1.0) -> bool:
    """Whether a fix is told to be more than so many times slower at the sizes that the code states,
    where anyone would notice."""
    slower = profit is not None and profit.certain and profit.predicted_speedup < 1 / by
    return slower and profit is not None and profit.lost > NOTICED


def _not_applied(finding: Finding) -> Finding:
    """A finding without its fix, which is told to lose, if by no more than predictions are mostly
    off."""
    message = f"{finding.message}; not applied: predicted to be slower at the sizes of the code"
    return replace(finding, fix=None, alternatives=(), message=message)


def _finding(
    one: _Found, path: str, options: Options, loops: dict[Span, Site], judged: bool
) -> Finding:
    """A match as it is reported."""
    match, rewrite = one.match, one.rewrite
    lines = one.site.lifted.module.lines
    profit = None
    if judged:
        profit = predict(one.site.lifted, match, options.target, options.sizes)
    fix = None
    if match.edits:
        safe, reason = match.safe, match.reason
        if options.kernels_allowed is False and any(
            module == "auditor.kernels" for module, _ in match.imports
        ):
            safe, reason = False, _NO_KERNELS
        reason = reason and worded(reason, lines)
        fix = Fix("safe" if safe else "unsafe", match.numerics, match.edits, match.imports, reason)
    return Finding(
        path,
        match.span,
        one.site.computation.scope,
        worded(match.message, lines),
        _verdicts(one, loops) if judged else {},
        rewrite.code,
        rewrite.name,
        match.kernel,
        fix,
        profit,
    )


def _verdicts(one: _Found, loops: dict[Span, Site]) -> Verdicts:
    """What is said of the properties is said of the loop at a match's place, also where the match
    was found by a loop within it."""
    from auditor.derive.streams import kinds, verdicts
    from auditor.properties import audit_table
    from auditor.surroundings.each_step import at_each_step
    from auditor.written import written

    match = one.match
    # A match that says itself what is computed knows more than the loop's notation.
    whole = loops.get(match.span) if match.computation is one.site.computation else None
    if whole is not None:
        table = verdicts(whole)
    else:
        given = kinds(one.site.lifted.node)
        table = audit_table(at_each_step(one.site, match.computation), given, written(one.site))
    shown = {name: v for name, v in match.verdicts.items() if table[name].verdict != "holds"}
    return _if_numbers(match, {**table, **shown})


def _if_numbers(match: Match, table: Verdicts) -> Verdicts:
    """The verdicts with what they rest on, where what is taken for a number may be a row."""
    said = f"{match.message} {match.reason or ''}"
    names = {
        node.value.name
        for value in match.computation.outputs if value.body is not None and _ROWS in said
        for node in everything([value.body])
        if isinstance(node, Read) and node.value.kind == "input" and not node.value.axes
        and f"`{node.value.name}`" in said
    }  # fmt: skip
    if not names:
        return table
    listed = " and ".join(f"`{name}`" for name in sorted(names))
    proviso = f"; if {listed} {'is a number' if len(names) == 1 else 'are numbers'}"
    return {
        name: replace(v, evidence=f"{v.evidence}{proviso}")
        if v.verdict in ("holds", "partial") else v
        for name, v in table.items()
    }  # fmt: skip


def _computation(one: _Rejected, path: str) -> Finding:
    from auditor.derive.streams import verdicts

    computation, properties = one.site.computation, verdicts(one.site)
    reason = one.reason
    if one.site.loop is not None and (not one.named or reason == ENTANGLED):
        reason = _not_composed(properties["associativity"]) or reason
    return Finding(
        path,
        computation.span,
        computation.scope,
        _kind(one.site),
        properties,
        refused=worded(reason, one.site.lifted.module.lines),
    )


def _not_composed(verdict: Verdict) -> str | None:
    """What keeps the steps of a loop from being taken together, where that is known."""
    if verdict.verdict != "fails" or verdict.evidence.startswith("not applicable"):
        return None
    return f"its steps do not compose: {verdict.evidence}"


def _kind(site: Site) -> str:
    if site.loop is not None:
        return "a loop"
    return "a reduction" if _worth_listing(site) else "an expression"
