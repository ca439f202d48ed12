"""What arrays a function is given, and of how many axes, as the calls of its own file tell."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace

from auditor.lift import Contradiction, Lifted, TooLarge
from auditor.lift.annotations import stated_shapes
from auditor.lift.facts import Facts
from auditor.lift.module import Module
from auditor.ranks.guessed import Again
from auditor.verdict import Finding
from auditor.whole_file.own_calls import OwnCall


def says_more(lifted: Lifted, calls: Sequence[OwnCall]) -> bool:
    """Whether calls tell of arrays more than the function, read by itself, says."""
    known = lifted.facts.known
    return any(
        name in known and (known[name].rank, known[name].library) != array
        for call in calls for name, array in call.arrays.items()
    )  # fmt: skip


def knowing(
    module: Module,
    node: ast.FunctionDef | ast.Module,
    calls: Sequence[OwnCall],
    ranks: Mapping[str, int],
) -> Facts:
    """What is known of a function before it is read: ``ranks``, what it says itself, and what all
    its calls agree on."""
    facts = Facts()
    for owner, rank in ranks.items():
        facts.of(owner).rank = rank
    if not calls or not isinstance(node, ast.FunctionDef):
        return facts
    stated_shapes(facts, node, module.lines)
    for call in calls:
        for name, array in call.arrays.items():
            known = facts.of(name)
            if known.rank is not None or not _agreed(calls, name):
                continue
            known.rank, known.library = array
            facts.stated.add(name)
            count = f"has {array.rank} {'axis' if array.rank == 1 else 'axes'}"
            kind = count if array.rank else "is a number"
            facts.assume(name, f"`{name}` {kind}, as line {call.line} passes it")
    return facts


def _agreed(calls: Sequence[OwnCall], name: str) -> bool:
    """Whether all calls of which that is known pass the same kind of array, and none a list."""
    passed = {call.arrays[name] for call in calls if name in call.arrays}
    return len(passed) == 1 and not any(name in call.listed for call in calls)


def fitting(
    findings: list[Finding], lifted: Lifted, calls: Sequence[OwnCall], again: Again
) -> list[Finding]:
    """The findings of a function; those that are others for what one of its calls passes are not
    safe. ``again`` reads the function where other facts hold."""
    for call in calls:
        if not any(one.fix is not None and one.fix.applicability == "safe" for one in findings):
            break
        others = {
            name: rank for name, (rank, _) in call.arrays.items()
            if name in lifted.facts.known and lifted.facts.of(name).rank != rank
        }  # fmt: skip
        if others:
            findings = [_fits(one, call.line, _found(again, others)) for one in findings]
    return findings


def _found(again: Again, ranks: Mapping[str, int]) -> list[Finding]:
    try:
        return again(ranks, False, None)[1]
    except (Contradiction, TooLarge):
        return []


def _fits(finding: Finding, line: int, others: list[Finding]) -> Finding:
    """A finding, which is not safe where it is none of ``others``, those for what a line passes."""
    if finding.fix is None or any(
        (o.code, o.span, o.fix and o.fix.edits) == (finding.code, finding.span, finding.fix.edits)
        for o in others
    ):
        return finding
    doubt = f"the result differs for what line {line} passes"
    return replace(finding, fix=finding.fix.doubted(doubt))
