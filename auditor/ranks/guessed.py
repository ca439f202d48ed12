"""Numbers of axes that were guessed from how an array is used.

``x.amax(1)`` and ``e.sum(-1)`` are of one axis where `x` has two, and of two where it has three. A
fix that is another one for one axis more is not safe.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import product

from auditor.algebra.subterms import everything
from auditor.assumed import (
    assuming_too,
    column_in,
    has_axes,
    ranks_in,
    row_of_product_in,
    squeezes,
)
from auditor.lift import Contradiction, Lifted, TooLarge
from auditor.lift.facts import Facts, Ground
from auditor.notation import Index, Read, Span, Symbol, Term, walk
from auditor.verdict import Finding

_CLOSER = ("ASC102", "ASC103")
_PLAIN = ("ASC101", "ASC104", "ASC105")
_PAIRS = "LOC305"
_FITTED: frozenset[Ground | None] = frozenset(("meeting", "reshape"))
_TRIES = 3
_COUNTED = re.compile(r"\.(?:sum|mean|prod|a?max|a?min)\((?:dim=)?\d")
# A reduction over an axis that is counted, other than that of the steps.
_NUMBERED = re.compile(r"\.(?:sum|mean|prod|a?max|a?min|norm|logsumexp|softmax)\((?:dim=)?-?[1-9]")
# The names that an expression is made of, behind its place.
_MADE_OF = re.compile(r"^expression at [\d:-]+ \(([\w., ]+)\)$")
_TURNS = re.compile(r"\.(?:transpose|permute|movedim|swapaxes|moveaxis)\(|\.m?T\b")


def confirmed(findings: list[Finding], lifted: Lifted, again: Again) -> list[Finding]:
    """The findings of a function; ``again`` reads it where other facts hold. Products of matrices
    are left alone: their operands have to fit, but for steps that stand before a matrix."""
    facts = lifted.lifter.facts
    recur = {one.span for one in findings if _recurs(one)}  # before any is found to be doubtful
    for owner, doubt in sorted(facts.numbered.items()):
        if any(map(_of_some_rank, findings)):
            with suppress(Contradiction, TooLarge):
                twins = _twins({owner: (facts.of(owner).rank or 0) + 1}, again, by_dim=True)
                findings = [
                    one if _told(one, owner) else twins.product(one, doubt) for one in findings
                ]
    for owner in sorted(facts.multiplied & facts.guessed):
        rank, by_dim = facts.of(owner).rank, facts.of(owner).by_dim
        if rank is not None and not by_dim and any(map(_is_safe, findings)):
            with suppress(Contradiction, TooLarge):
                twins = _twins({owner: rank + 1}, again, by_dim=False)
                findings = [twins.multiplied(one, owner, rank) for one in findings]
    for owner in sorted(facts.guessed):
        if not any(map(_by_guess, findings)):
            break
        known = facts.of(owner)
        assert known.rank is not None
        twins = _twins({owner: known.rank + 1}, again, known.by_dim)
        findings = [
            twins.instead(one, owner, known.rank) if _by_guess(one) and twins.differ(one) else one
            for one in findings
        ]
    steps = [loop.span for loop in lifted.lifter.loops]
    columns = {
        owner: 1 for owner, span in facts.columns.items() if any(one.covers(span) for one in steps)
    }
    for owner, rank in sorted((columns | facts.fewest).items()):
        if facts.of(owner).rank == rank or not any(map(_is_safe, findings)):
            continue
        with suppress(Contradiction, TooLarge):
            twins = _twins({owner: rank}, again, by_dim=False)
            findings = [twins.fewer(one, owner, rank) for one in findings]
    for owner, rank in sorted(facts.beside.items()):
        if facts.of(owner).rank is None and any(map(_is_safe, findings)):
            with suppress(Contradiction, TooLarge):
                twins = _twins({owner: rank + 1}, again, by_dim=False)
                findings = [twins.beside(one, owner, rank) for one in findings]
    findings = [
        _closer(one, lifted, again) if one.code in _PLAIN and one.span in recur else one
        for one in findings
    ]
    findings = [_lighter(one, lifted, again) if _pairs(one) else one for one in findings]
    for owner, ground in sorted(facts.grounds.items()):
        found = facts.of(owner).rank
        if ground not in ("vector", "sizes") or found is None or not any(map(_plainly, findings)):
            continue
        if found == 1 if ground == "sizes" else _met(facts, owner, found):
            twins = _twins({owner: found + 1}, again, by_dim=True)
            findings = [twins.wider(one, owner, found) for one in findings]
    return [_counted_column(_row_of_product(one), lifted) for one in findings]


def _turns(finding: Finding) -> bool:
    """Whether a fix turns the axes of an array."""
    return any(_TURNS.search(edit.content) for edit in finding.fix.edits) if finding.fix else False


def _met(facts: Facts, owner: str, rank: int) -> bool:
    """Whether a size of an array is known by what it met alone, which may be broadcast to it; one
    that the code makes something else of, such as a start, is no accident."""
    return any(not facts.certain(Symbol(f"{owner}.shape[{place}]")) for place in range(rank))


def written(finding: Finding, name: str) -> bool:
    """Whether the fix writes a name."""
    written = " ".join(edit.content for edit in finding.fix.edits) if finding.fix else ""
    return re.search(rf"\b{name}\b", written) is not None


Again = Callable[[Mapping[str, int], bool, tuple[str, ...] | None], tuple[Lifted, list[Finding]]]
"""From numbers of axes, by owner, to what is found with them: with verdicts or without, of some
rewrites only or of all."""


def _twins(ranks: Mapping[str, int], again: Again, by_dim: bool) -> _Twins:
    return _Twins(*again(ranks, False, None), by_dim, lambda: again(ranks, True, None)[1])


def _closer(finding: Finding, lifted: Lifted, again: Again) -> Finding:
    """What a loop is where some arrays have other numbers of axes, if that is all of a selective
    scan or of linear attention: a recurrence that has those parts has hardly got its axes mixed
    up."""
    facts = lifted.lifter.facts
    fewer = facts.fewest.keys() | facts.columns.keys()  # these may well be narrower
    lone = _meeting(facts) | (facts.guessed - facts.grounds.keys())
    single = [frozenset((owner,)) for owner in sorted(lone - fewer)]
    wider = single[:_TRIES] + _subscripted(facts)[:_TRIES]
    more = [{owner: (facts.of(owner).rank or 0) + 1 for owner in sorted(o)} for o in wider]
    loose, *others = _loose(lifted, finding.span) or [{}]
    tries = [loose, *others] if loose else []
    tries += [{**loose, **ranks} for ranks in more + _rows_as_vectors(facts)[:_TRIES]]
    for given in tries:
        other, read = again(given, False, None)
        if any(other.facts.of(owner).rank != rank for owner, rank in other.facts.fewest.items()):
            continue  # a vector would be as likely
        for one in read:
            if one.code in _CLOSER and one.span == finding.span and _is_safe(one):
                closer = _same(one, again(given, True, None)[1])
                return _stating(_likelier(closer, other.facts, given, again), given)
    return finding


def _likelier(finding: Finding, facts: Facts, given: Mapping[str, int], again: Again) -> Finding:
    """The finding, or the one with an axis more where what it takes of other arrays is a guess."""
    for owner in sorted(facts.guessed - given.keys()):
        known = facts.of(owner)
        if known.rank is None or not _by_guess(finding):
            continue
        twins = _twins({**given, owner: known.rank + 1}, again, known.by_dim)
        if twins.differ(finding):
            finding = twins.instead(finding, owner, known.rank)
    return finding


def _lighter(finding: Finding, lifted: Lifted, again: Again) -> Finding:
    """What a sum over pairs is where one array of which nothing states the axes is a vector and the
    others are numbers, if that is all of the pull of particles: each has one mass."""
    facts = lifted.lifter.facts
    open_ = [owner for owner in sorted(facts.known) if _unstated(facts, owner)]
    for owner in open_[:_TRIES]:
        unknown = {other: 0 for other in open_ if facts.of(other).rank is None}
        ranks = {**unknown, owner: 1}
        with suppress(Contradiction, TooLarge):
            for one in again(ranks, False, (_PAIRS,))[1]:
                if one.span == finding.span and _is_safe(one):
                    used = {owner: 1, **{o: 0 for o in unknown if written(one, o)}}
                    return _stating(_same(one, again(ranks, True, None)[1]), used)
    return finding


def _unstated(facts: Facts, owner: str) -> bool:
    """Whether nothing but what it meets, or is made to fit, says how many axes an array has."""
    known = facts.of(owner)
    if known.integer or owner in facts.stated:
        return False
    return known.rank is None or (facts.grounds.get(owner) in _FITTED and known.rank > 1)


def _pairs(finding: Finding) -> bool:
    """Whether a finding is the advice on an array of all pairs."""
    return finding.code == _PAIRS and finding.fix is None


def _meeting(facts: Facts) -> set[str]:
    """The arrays of which only what they meet, sizes that are read of them, or one subscript say
    how many axes they have."""
    taken = ("meeting", "vector", "sizes", "subscript")
    return {
        owner for owner, ground in facts.grounds.items()
        if ground in taken and facts.of(owner).rank is not None
    }  # fmt: skip


def _subscripted(facts: Facts) -> list[frozenset[str]]:
    """Arrays that may have an axis more together: those with a new axis behind the number of a
    step, alone and with one that has it behind a slice."""
    read = sorted(owner for owner, ground in facts.grounds.items() if ground == "subscript")
    behind = facts.guessed.intersection(read)
    if not behind:
        return []
    groups = [behind, *(behind | {owner} for owner in read if owner not in behind)]
    return [frozenset(group) for group in groups if len(group) > 1]


def _rows_as_vectors(facts: Facts) -> list[dict[str, int]]:
    """Arrays whose rows were taken for matrices since they meet one, with rows that are vectors."""
    return [
        {owner: rank - 1}
        for owner in sorted(facts.guessed)
        if facts.grounds.get(owner) == "product" and (rank := facts.of(owner).rank) is not None
    ]


def _loose(lifted: Lifted, span: Span) -> list[dict[str, int]]:
    """The arrays of unknown rank that the steps of a loop read, with the ranks that they have in a
    selective scan: one axis more than their part of the state, where they are walked; either where
    something that is made of them is."""
    found: dict[str, int] = {}
    within = set[str]()
    facts = lifted.lifter.facts
    for loop in lifted.lifter.loops:
        if not loop.span.covers(span):
            continue
        for carry in loop.scan.carries:
            for node, walked, made in _reads(carry.update, loop.scan.step):
                if node.value.body is None and any(axis.group for axis in node.value.axes):
                    owner = lifted.lifter.ops.owner_of(node.value)
                    found[owner] = len(carry.state.axes) - (not walked)
                    if walked and made:
                        found[owner] -= 1
                        within.add(owner)
            for owner, ground in facts.grounds.items():
                if ground == "product" and facts.of(owner).rank is None:
                    found.setdefault(owner, len(carry.state.axes))
    either = sorted(within)[:2]
    chosen = product((0, 1), repeat=len(either))
    return [
        {**found, **{owner: found[owner] + more for owner, more in zip(either, each, strict=True)}}
        for each in chosen
    ]  # fmt: skip


def _reads(update: Term, step: Index) -> Iterator[tuple[Read, bool, bool]]:
    """What a step reads of arguments and attributes; whether at the place of the step, and whether
    within the definition of what it reads."""
    for outer in walk(update):
        if isinstance(outer, Read):
            walked = len(outer.value.axes) > 1 and step in outer.subs
            for node in everything([outer]):
                if isinstance(node, Read) and node.value.kind in ("input", "attribute"):
                    here = len(node.value.axes) > 1 and step in node.subs
                    yield node, walked or here, node is not outer and not here


def _same(finding: Finding, others: list[Finding]) -> Finding:
    """The finding among others that is of the same place and rule."""
    return next(o for o in others if (o.code, o.span) == (finding.code, finding.span))


def _recurs(finding: Finding) -> bool:
    """Whether a finding is of a plain recurrence, which closer matches go before."""
    if finding.code not in _PLAIN:
        return False
    return finding.fix is None or _by_guess(finding) or _of_row(finding) is not None


@dataclass(frozen=True)
class _Twins:
    """What is found where an array has one axis more than was guessed; ``judged`` gives the
    findings with their verdicts."""

    lifted: Lifted
    findings: list[Finding]
    by_dim: bool
    judged: Callable[[], list[Finding]]

    def differ(self, finding: Finding) -> bool:
        """Whether the fix is another one there."""
        assert finding.fix is not None
        looped = any(loop.span.covers(finding.span) for loop in self.lifted.lifter.loops)
        if looped and self._grows(finding.span):
            return False  # what is carried would not keep its shape
        twin = next(
            (o for o in self.findings if (o.code, o.span) == (finding.code, finding.span)), None
        )
        if twin is None:
            closer = any(o.code in _CLOSER and o.span == finding.span for o in self.findings)
            return closer or (self.by_dim and not self._is_loop(finding.span))
        return twin.fix is not None and twin.fix.edits != finding.fix.edits

    def instead(self, finding: Finding, owner: str, rank: int) -> Finding:
        """The finding whose guess is the likelier: one that needs no axis to have the size 1, which
        nobody would squeeze, or that need not turn axes that the other has to. Otherwise neither is
        safe."""
        twin = next((one for one in self.findings if one.span == finding.span), None)
        assert finding.fix is not None
        if twin is None or twin.fix is None or not _is_safe(twin):
            return _unsafe(finding, owner, rank)
        squeezed = [squeezes(one.fix.reason or "") for one in (finding, twin) if one.fix]
        if squeezed != [True, False] and [*map(_turns, (finding, twin))] != [True, False]:
            return _unsafe(finding, owner, rank)
        return _stating(_same(twin, self.judged()), {owner: rank + 1})

    def wider(self, finding: Finding, owner: str, rank: int) -> Finding:
        """The finding, which is not safe where it is a recurrence and not the same with an axis
        more: a vector that was made before the loop is mostly broadcast to what a step reads. An
        array that is known to have no more axes, read at the same steps, says otherwise."""
        if not _plainly(finding) or self._walked_alike(finding.span, owner, rank):
            return finding
        return self.beside(finding, owner, rank)

    def _walked_alike(self, span: Span, owner: str, rank: int) -> bool:
        """Whether a loop carries on a value with what it reads, at the same place of the same axis,
        of an array and of another that certainly has ``rank`` axes."""
        facts = self.lifted.lifter.facts
        for loop in self.lifted.lifter.loops:
            if not loop.span.covers(span):
                continue
            read: dict[str, set[int]] = {}
            certain = set[str]()
            for carry in loop.scan.carries:
                for node in everything([carry.update]):
                    if isinstance(node, Read) and node.value.kind in ("input", "attribute"):
                        at = {p for p, s in enumerate(node.subs) if loop.step in walk(s)}
                        read.setdefault(node.value.name, set()).update(at)
                        known = facts.of(node.value.name)
                        sure = known.rank == rank and node.value.name not in facts.grounds
                        if sure and node.value.name not in facts.guessed:
                            certain.add(node.value.name)
            mine = read.get(owner, set())
            if mine and any(read[name] == mine for name in certain - {owner}):
                return True
        return False

    def beside(self, finding: Finding, owner: str, rank: int) -> Finding:
        """The finding, which is not safe where it is not the same with an axis more: rows of an
        argument meet a module's vector as often as one of them does."""
        same = (finding.code, finding.span, finding.fix and finding.fix.edits)
        if not _is_safe(finding) or any(
            (o.code, o.span, o.fix and o.fix.edits) == same for o in self.findings
        ):
            return finding
        return _unsafe(finding, owner, rank)

    def product(self, finding: Finding, doubt: str) -> Finding:
        """The finding, which is not safe where it is another with an axis more: batches of matrices
        fit as well as matrices do."""
        if not _of_some_rank(finding) or not self.differ(finding):
            return finding
        assert finding.fix is not None
        return replace(finding, fix=finding.fix.doubted(f"the result differs if {doubt}"))

    def multiplied(self, finding: Finding, owner: str, rank: int) -> Finding:
        """The finding, which is not safe where it is of products and not the same with an axis
        more: a matrix takes rows before it as well as a vector."""
        if not (_is_safe(finding) and _matched(finding)):
            return finding
        same = (finding.code, finding.span, finding.fix and finding.fix.edits)
        if any((o.code, o.span, o.fix and o.fix.edits) == same for o in self.findings):
            return finding
        return _unsafe(finding, owner, rank)

    def fewer(self, finding: Finding, owner: str, rank: int) -> Finding:
        """The finding, which is not safe where it is a recurrence and not the same with fewer axes:
        what is put beside the rows of one is often a vector."""
        if not _plainly(finding):
            return finding
        same = (finding.code, finding.span, finding.fix and finding.fix.edits)
        if any((o.code, o.span, o.fix and o.fix.edits) == same for o in self.findings):
            return finding
        return _unsafe(finding, owner, rank, "has only")

    def _is_loop(self, span: Span) -> bool:
        """Whether what was found is a loop, not an expression within one."""
        return any(span.covers(loop.span) for loop in self.lifted.lifter.loops)

    def _grows(self, span: Span) -> bool:
        """Whether a carried array gets more axes than it began with."""
        return any(
            isinstance(carry.init, Read) and 0 < len(carry.init.subs) < len(carry.state.axes)
            for loop in self.lifted.lifter.loops
            if loop.span.covers(span)
            for carry in loop.scan.carries
        )


def _row_of_product(finding: Finding) -> Finding:
    """The finding of a recurrence, which is not safe where a product with the row that a step reads
    is all that says of this that it is no vector: beside a matrix it mostly is one."""
    said = _of_row(finding) if finding.code in (*_PLAIN, *_CLOSER) else None
    if said is None:
        return finding
    assert finding.fix is not None
    doubt = f"the result differs if `{said}` is a vector"
    return replace(finding, fix=finding.fix.doubted(doubt))


def _of_row(finding: Finding) -> str | None:
    """The row of which a safe fix takes it that it is no vector, since it meets a matrix."""
    if not _is_safe(finding):
        return None
    assert finding.fix is not None
    return row_of_product_in(finding.fix.reason or "")


def _counted_column(finding: Finding, lifted: Lifted) -> Finding:
    """The finding of a recurrence, which is not safe where a column is taken to have the axes of
    what it meets, and axes are reduced that count from the front: which they are depends on it."""
    if not _plainly(finding):
        return finding
    assert finding.fix is not None
    said = column_in(finding.fix.reason or "")
    if said is None or not _COUNTED.search(lifted.module.slice(finding.span)):
        return finding
    doubt = f"the result differs if `{said}` has fewer"
    return replace(finding, fix=finding.fix.doubted(doubt))


def _plainly(finding: Finding) -> bool:
    """Whether a finding is a recurrence with a safe fix."""
    return _is_safe(finding) and finding.code in (*_PLAIN, *_CLOSER)


def _is_safe(finding: Finding) -> bool:
    return finding.fix is not None and finding.fix.applicability == "safe"


def _stating(finding: Finding, ranks: dict[str, int]) -> Finding:
    assert finding.fix is not None
    stated = [has_axes(owner, rank) for owner, rank in sorted(ranks.items())]
    reason = assuming_too(finding.fix.reason, stated)
    return replace(finding, fix=replace(finding.fix, reason=reason))


def _by_guess(finding: Finding) -> bool:
    """Whether a finding has a safe fix that nothing but a guess may carry."""
    return _is_safe(finding) and not _fits_any(finding) and not _matched(finding)


def _of_some_rank(finding: Finding) -> bool:
    """Whether a finding has a safe fix that may be another one for another number of axes."""
    return _is_safe(finding) and not _fits_any(finding)


def _told(finding: Finding, owner: str) -> bool:
    """Whether a fix that is of other things than products states how many axes those arrays have
    that ``owner`` is made of."""
    if finding.fix is None or _matched(finding):
        return False
    made = _MADE_OF.search(owner)
    names = made[1].split(", ") if made is not None else [owner]
    return set(names) <= ranks_in(finding.fix.reason or "").keys()


def _fits_any(finding: Finding) -> bool:
    """Whether a fix is the same for any number of axes."""
    assert finding.fix is not None
    return _any_rank("\n".join(edit.content for edit in finding.fix.edits))


def _matched(finding: Finding) -> bool:
    """Whether what a rewrite looks for is products of matrices."""
    from auditor.rewrites import CATALOG

    rewrite = next(entry for entry in CATALOG if entry.code == finding.code)
    kinds = rewrite.expressions
    always = bool(kinds) and all(each & {"products", "fused"} for each in kinds)
    matched = always or "products" in rewrite.seeks or "separability" in rewrite.properties
    return matched and "loop" not in rewrite.seeks


def _any_rank(text: str) -> bool:
    """Whether code is written for any number of axes; the steps are its first."""
    return (".ndim" in text or "per_step(" in text) and not _NUMBERED.search(text)


def _unsafe(finding: Finding, owner: str, rank: int, has: str = "has more than") -> Finding:
    assert finding.fix is not None
    axes = f"{rank} {'axis' if rank == 1 else 'axes'}"
    doubt = f"the result differs if `{owner}` {has} {axes}"
    return replace(finding, fix=finding.fix.doubted(doubt))
