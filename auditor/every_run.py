"""Text that runs several times in one call, over known items: what is said of it has to hold each
time, and what is written in its place has to be the same each time.

Such text is read run by run (``auditor.lift.runs``): a number that is another one in each run would
else be written as it is in the last.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from math import prod

from auditor.assumed import named_in, not_assuming
from auditor.lift import Lifted
from auditor.lift.runs import Picked
from auditor.notation import Span
from auditor.tree import descendants
from auditor.verdict import Finding, Verdict, Verdicts

Examined = tuple[list[Finding], list[Finding]]
Read = Callable[[Picked], Examined]
_MOST = 16
"""Ways of nested texts to run that are compared."""

_LONGEST = 120_000
"""Expressions read for that, some ten seconds' work."""


def in_every_run(
    found: list[Finding], others: list[Finding], lifted: Lifted, read: Read
) -> Examined:
    """Findings and other computations with what is true of every run: a fix that is another one in
    some run is no fix, what is found in some runs only is not found. ``read`` examines the function
    in the runs that it is given."""
    if not lifted.lifter.repeated:
        return found, others
    runs = _Runs(lifted, read)
    kept: list[Finding] = []
    for one in found:
        ways = [runs.agreed(replace(way, alternatives=())) for way in (one, *one.alternatives)]
        left = [way for way in ways if way is not None]
        if left:
            kept.append(replace(left[0], alternatives=tuple(left[1:])))
    return kept, [runs.said(one) for one in others]


def runs_once(finding: Finding, lifted: Lifted) -> bool:
    """Whether a finding has no part in text that runs several times."""
    return not _around(finding, lifted)


def of_calls(lifted: Lifted) -> frozenset[ast.AST]:
    """The expressions in the bodies of lambdas that read what these are given: known are the values
    of one call, and who else calls them with what is not."""
    found: set[ast.AST] = set()
    for function in descendants(lifted.node):
        if isinstance(function, ast.Lambda):
            given = {arg.arg for arg in descendants(function.args) if isinstance(arg, ast.arg)}
            found.update(
                node for node in descendants(function.body)
                if any(isinstance(n, ast.Name) and n.id in given for n in descendants(node))
            )  # fmt: skip
    return frozenset(found)


class _Runs:
    """What is found in each run of the texts of one function."""

    def __init__(self, lifted: Lifted, read: Read) -> None:
        self._lifted, self._read = lifted, read
        self._known: dict[tuple[bool, tuple[tuple[ast.AST, int], ...]], Examined] = {}

    def agreed(self, finding: Finding) -> Finding | None:
        """A finding as every run has it, its numbers known or, where these are others in each run,
        not; None where some run has none."""
        around = _around(finding, self._lifted)
        if not around:
            return finding
        number = self._number(around)
        if self._too_many(number):
            unsaid = replace(finding, properties=_unsaid(finding.properties, number))
            return _untouched(unsaid, f"its text runs {number} times, more than are compared")
        same = self._same(finding, around, unknown=False)
        if same is not None and same.fix == finding.fix:
            return same
        ends = tuple(self._lifted.lifter.repeated[node] - 1 for node in around)
        last = _twin(finding, self._in(around, ends, True)[0])
        general = None if last is None else self._same(last, around, unknown=True)
        if general is not None and general.fix is not None:
            reason = _without_known(general.fix.reason, self._lifted.lifter.numbers)
            if not _speaks_of(reason or "", _given(around)):
                return replace(general, fix=replace(general.fix, reason=reason))
        return same  # what would be assumed of the numbers is known to hold or not to hold

    def _same(self, finding: Finding, around: tuple[ast.AST, ...], unknown: bool) -> Finding | None:
        """What the last run and all others have in common; None where some run has no such
        finding."""
        number = self._number(around)
        alike: list[Finding] = []
        for examined in self._others(around, unknown):
            twin = _twin(finding, examined[0])
            if twin is None:
                return None
            alike.append(twin)
        verdicts = _in_all(finding.properties, [twin.properties for twin in alike], number)
        finding = replace(finding, properties=verdicts)
        if all(twin.fix == finding.fix for twin in alike):
            return finding
        return _untouched(finding, f"its text runs {number} times, each time as other code")

    def said(self, computation: Finding) -> Finding:
        """A computation with the verdicts of all its runs."""
        around = _around(computation, self._lifted)
        number = self._number(around)
        if not around:
            return computation
        if self._too_many(number):
            return replace(computation, properties=_unsaid(computation.properties, number))
        verdicts = [
            one.properties for examined in self._others(around, False)
            for one in (*examined[0], *examined[1]) if one.span == computation.span
        ]  # fmt: skip
        return replace(computation, properties=_in_all(computation.properties, verdicts, number))

    def _too_many(self, number: int) -> bool:
        return number > _MOST or number * self._lifted.lifter.facts.spent > _LONGEST

    def _number(self, around: Iterable[ast.AST]) -> int:
        return prod(self._lifted.lifter.repeated[node] for node in around)

    def _others(self, around: tuple[ast.AST, ...], unknown: bool) -> Iterator[Examined]:
        """What is found in all runs but the last."""
        every = [range(self._lifted.lifter.repeated[node]) for node in around]
        for places in list(product(*every))[:-1]:
            yield self._in(around, places, unknown)

    def _in(self, around: tuple[ast.AST, ...], places: tuple[int, ...], unknown: bool) -> Examined:
        """What is found in one run."""
        runs = tuple(zip(around, places, strict=True))
        if (unknown, runs) not in self._known:
            self._known[unknown, runs] = self._read(Picked(dict(runs), unknown))
        return self._known[unknown, runs]


def _around(finding: Finding, lifted: Lifted) -> tuple[ast.AST, ...]:
    """The texts that run several times in which a finding stands, or writes something."""
    edits = finding.fix.edits if finding.fix is not None else ()
    spans = [finding.span, *(edit.span for edit in edits)]
    return tuple(
        node for node in lifted.lifter.repeated
        if any(_inside(span, lifted.module.span(node)) for span in spans)
    )  # fmt: skip


def _inside(span: Span, text: Span) -> bool:
    return text.covers(span) and span != text


def _twin(finding: Finding, found: list[Finding]) -> Finding | None:
    ways = (way for one in found for way in (one, *one.alternatives))
    return next((w for w in ways if w.code == finding.code and w.span == finding.span), None)


def _given(around: Iterable[ast.AST]) -> set[str]:
    """The names that the items are given."""
    targets = [node.target for node in around if isinstance(node, ast.For)]
    targets += [
        generator.target for node in around for generator in getattr(node, "generators", ())
    ]
    return {n.id for target in targets for n in descendants(target) if isinstance(n, ast.Name)}


def _without_known(reason: str | None, numbers: Mapping[str, frozenset[float]]) -> str | None:
    """What is assumed, without that numbers are not 0 which are not."""
    known = {f"`{name}` is not 0" for name, items in numbers.items() if 0 not in items}
    return not_assuming(reason, known)


def _speaks_of(reason: str, names: set[str]) -> bool:
    said = set(re.findall(r"\w+", " ".join(named_in(reason))))
    return not said.isdisjoint(names)


def _unsaid(verdicts: Verdicts, number: int) -> Verdicts:
    reason = f"it runs {number} times, which are not compared"
    return dict.fromkeys(verdicts, Verdict("unknown", None, reason))


def _untouched(finding: Finding, reason: str) -> Finding:
    if finding.fix is None:
        return finding
    message = f"{finding.message}; not applied here: {reason}"
    return replace(finding, fix=None, profit=None, message=message)


def _in_all(verdicts: Verdicts, others: list[Verdicts], number: int) -> Verdicts:
    """What the last run and the others have in common."""

    def common(name: str, last: Verdict) -> Verdict:
        said = [other[name] for other in others if name in other]
        if any(one.verdict != last.verdict for one in said):
            return Verdict("unknown", None, f"not the same each of the {number} times that it runs")
        if all(one.evidence == last.evidence for one in said):
            return last
        return replace(last, evidence=f"{last.evidence}; in the last of {number} runs")

    return {name: common(name, last) for name, last in verdicts.items()}
