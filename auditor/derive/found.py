"""The loop at a line as a fold, and its monoid or why there is none."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache

from auditor.algebra.capped import FIRST_FEW
from auditor.algebra.choices import leaves, settled
from auditor.algebra.derivation import NoMonoid, derive
from auditor.algebra.domains import summarise
from auditor.algebra.limits import TooLarge
from auditor.algebra.monoid import Monoid, renamed
from auditor.algebra.states import Dependence
from auditor.algebra.summary import Summary
from auditor.algebra.trial import disagreement
from auditor.derive.array_functions import library_needed
from auditor.derive.attempts import asking
from auditor.derive.counted import counting
from auditor.derive.ends import with_ends
from auditor.derive.expression import source
from auditor.derive.filled import filling
from auditor.derive.fold import ANSWER, STOPPED, Fold, NotAFold
from auditor.derive.followed import followed
from auditor.derive.given import given
from auditor.derive.heaps import heaped
from auditor.derive.indexed import elementwise
from auditor.derive.inner import flat
from auditor.derive.kept_items import puts_at_times
from auditor.derive.last_entries import with_last_entries
from auditor.derive.last_kept import with_last
from auditor.derive.marked import marked
from auditor.derive.matched import branching
from auditor.derive.named_entries import unnamed
from auditor.derive.nested_entries import paired
from auditor.derive.ordered_best import replaces, with_orders
from auditor.derive.places import NoLoop, Place, loop_at
from auditor.derive.placewise import placewise
from auditor.derive.previous_rows import previous_rows
from auditor.derive.reading import read, scan_of
from auditor.derive.refutation import Refutation, refute
from auditor.derive.renaming import under_another_name
from auditor.derive.reserved import clashing
from auditor.derive.respelled import plainly
from auditor.derive.scopes import stored_names, target_names
from auditor.derive.windows import sliced
from auditor.derive.yielded import listing
from auditor.notation import (
    FALSE,
    NONE,
    ONE,
    TRUE,
    ZERO,
    Apply,
    Carry,
    Const,
    Read,
    Scan,
    Term,
    Value,
    transform,
    walk,
)
from auditor.tree import everything_in


@dataclass(frozen=True, eq=False)
class Derived:
    """A loop with its monoid. ``stages`` are what the abstract domains say of it, scan by scan;
    ``parts`` what is found of containers and what is changed beside them, each for itself."""

    fold: Fold
    monoid: Monoid
    stages: tuple[Summary, ...]
    parts: tuple[Derived, ...] = ()


@dataclass(frozen=True)
class Nothing:
    """Why there is no monoid, and the line that says so. ``stages`` as far as they are scans."""

    reason: str
    line: int
    stages: tuple[Summary, ...] = ()
    refutation: Refutation | None = None


def derive_at(text: str, line: int) -> Derived | Nothing:
    """The monoid of the loop at ``line``, or why there is none, with a counterexample where one is
    found. Raises ``NoLoop`` and ``SyntaxError``."""
    missing: NoLoop | None = None
    try:
        place = _plainer(loop_at(text, line))
        found = derive_loop(place)
    except NoLoop as reason:
        missing = reason
    if missing is None and isinstance(found, Derived):
        return _with_elements(found, text, line)
    refused: Nothing | None = None
    for other in plainly(text, line):
        plain = derive_loop(other)
        if isinstance(plain, Derived):
            plain.fold.node.lineno = line  # where it stands in the file
            return _with_elements(plain, text, line)
        refused = refused or replace(plain, line=line)
    if missing is not None and refused is not None:
        return refused
    if missing is not None:
        raise missing
    return replace(found, refutation=refute(place)) if isinstance(found, Nothing) else found


def _with_elements(found: Derived, text: str, line: int) -> Derived:
    """The monoid with what its elements are, where the loop that is read is not the one that
    stands there: places counted along, what is left behind a first element."""
    loop = found.fold.node
    read = f"for {ast.unparse(loop.target)} in {ast.unparse(loop.iter)}"
    written = (n for n in everything_in(ast.parse(text)) if isinstance(n, ast.For))
    own = (
        f"for {ast.unparse(n.target)} in {ast.unparse(n.iter)}" for n in written if n.lineno == line
    )
    if read in own:
        return found
    said = f"the elements are what `{read}` goes through"
    fold = replace(found.fold, assumptions=(*found.fold.assumptions, said))
    return replace(found, fold=fold)


_MOST_RENAMED = 4


def _plainer(place: Place) -> Place:
    """The place in the spellings that are read."""
    place = asking(unnamed(branching(listing(heaped(place)))))
    return paired(sliced(elementwise(filling(previous_rows(flat(counting(place)))))))


def derive_loop(place: Place) -> Derived | Nothing:
    """The monoid of a loop, or why there is none."""
    place = _plainer(place)
    found = _derived(place)
    if isinstance(found, Derived):
        return found
    if (other := with_last(place)) is not place:
        with_name = _derived(other)
        return with_name if isinstance(with_name, Derived) else found
    if (other := with_last_entries(place)) is not place:
        with_name = _derived(other)
        # what is appended as it changes is more than what each step appends
        whole = isinstance(with_name, Derived) and with_name.fold.running is None
        return with_name if whole else found
    if (other := marked(place)) is not place:
        as_one = _derived(other)
        return as_one if isinstance(as_one, Derived) else found
    return found


def _derived(place: Place, renamed: int = 0) -> Derived | Nothing:
    """The monoid of a place as it is spelled, of which so many names are other ones already."""
    own = next((name for name in (STOPPED, ANSWER) if name in stored_names([place.loop])), None)
    if own is not None:
        other = under_another_name(place, own)
        if other is None:
            said = f"`{own}` is what an exit is kept as: another name is wanted"
            return Nothing(said, place.loop.lineno)
        return _derived(other, renamed)
    try:
        fold = read(place)
    except NotAFold as reason:
        return _of_kept(place) or Nothing(reason.reason, reason.line)
    except RecursionError:
        return Nothing("the loop is nested too deeply", place.loop.lineno)
    taken = clashing(fold)
    if taken is not None:
        other = under_another_name(place, taken) if renamed < _MOST_RENAMED else None
        if other is not None:
            return _derived(other, renamed + 1)
        said = f"`{taken}` is what a part of the module is called: another name is wanted"
        return Nothing(said, place.loop.lineno)
    if fold.parts:
        return _of_parts(fold)
    if fold.running is not None and (held := _of_kept(place)) is not None:
        return held
    found = _of_fold(fold)
    if isinstance(found, Derived) and _asks_early(found):
        found = _of_fold(read(place, lazily=True))
    if isinstance(found, Nothing) and fold.running is None:
        with suppress(NotAFold):
            scan = scan_of(place)
            kept = None if scan is None else _of_fold(scan)
            return kept if isinstance(kept, Derived) else found
    return found


def _of_kept(place: Place) -> Derived | None:
    """The monoid where lists hold what has been carried until then, if there is one."""
    if not isinstance(place.loop, ast.For) or not puts_at_times(place.loop):
        return None
    try:
        fold = read(place, keeping=True)
    except NotAFold:
        return None
    if fold.running is not None or fold.parts or clashing(fold) is not None:
        return None
    found = _of_fold(fold)
    return found if isinstance(found, Derived) else None


def _asks_early(found: Derived) -> bool:
    """Does a piece keep more of its first element than the element's own parts?"""
    names = set(found.fold.names)
    return any(
        isinstance(term, Apply)
        and term.op == "where"
        and isinstance(term.args[2], Read)
        and term.args[2].value.kind == "input"
        and term.args[2].value.name not in names
        for part in found.monoid.parts
        if part.algebra.endswith(" late")
        for term in part.update
    )


def _of_parts(fold: Fold) -> Derived | Nothing:
    """The monoids of the parts side by side, or the part that has none."""
    found: list[Derived] = []
    for part in fold.parts:
        one = _of_fold(part)
        if isinstance(one, Nothing):
            return one
        found.append(one)
    whole = Monoid(tuple(p for one in found for p in one.monoid.parts))
    told = replace(fold, parts=tuple(one.fold for one in found))
    return Derived(told, whole, (), tuple(found))


def _of_fold(fold: Fold) -> Derived | Nothing:
    varying = varies(fold)
    candidates = [fold, *_with_number(fold), *with_ends(fold), *_filled(fold)]
    if fold.keyed is not None:
        candidates += _with_absent(fold)
    why = ""
    for candidate in candidates:
        monoid = derive(candidate.scan, varying)
        if isinstance(monoid, NoMonoid):
            why = why or _question(candidate, monoid) or monoid.reason
            continue
        beside = _looked_at(monoid, candidate)
        if beside is not None:
            why = why or f"what combines two pieces looks at `{beside}`, which is in neither"
            continue
        wrong = disagreement(candidate.scan, monoid, varying)
        if wrong is not None:
            why = why or f"the summary found is not the loop: {wrong}"
            continue
        rows: Monoid | None = monoid
        if candidate.rows is not None:
            rows = placewise(monoid, candidate)
        if rows is None:
            why = why or "what combines two pieces asks what a place of a row holds"
            continue
        monoid = rows
        if candidate.arrays is not None and _needs_library(monoid, candidate.arrays):
            why = why or "the file names no library of arrays"
            continue
        told = replace(candidate, assumptions=(*candidate.assumptions, *_supposed(fold, monoid)))
        return Derived(told, monoid, _stages(candidate.scan, varying))
    if fold.rows is not None:
        return Nothing(why, fold.node.lineno)
    along = followed(fold)
    if along is not None:
        monoid = derive(along.fold.scan, varying)
        if isinstance(monoid, Monoid) and not disagreement(along.fold.scan, monoid, varying):
            told = replace(fold, assumptions=along.fold.assumptions)
            return Derived(told, along.restored(monoid), ())
    there = given(fold)
    if there is not None:
        monoid = derive(there.fold.scan, varying)
        if isinstance(monoid, Monoid) and not _looked_at(monoid, there.fold):
            restored = there.restored(monoid)
            if not disagreement(fold.scan, restored, varying):
                return Derived(replace(fold, assumptions=there.fold.assumptions), restored, ())
    by_keys = with_orders(fold.scan, varying) if replaces(fold.scan) else None
    if by_keys is not None and not _looked_at(by_keys, fold):
        if not disagreement(fold.scan, by_keys, varying):
            supposed = (f"`{text}` is not None" for text in dict.fromkeys(_put_first(fold)))
            told = replace(fold, assumptions=(*fold.assumptions, *supposed))
            return Derived(told, by_keys, _stages(fold.scan, varying))
    return Nothing(_with_place(why, fold), fold.node.lineno, _stages(fold.scan, varying))


def _needs_library(monoid: Monoid, library: str) -> bool:
    """Does what combines pieces call what only a library has?"""
    terms = (term for part in monoid.parts for term in (*part.update, *part.combine, *part.finish))
    return library_needed(library, " ".join(source(term) for term in terms))


def _supposed(fold: Fold, monoid: Monoid) -> list[str]:
    """What is taken of elements that the loop may not come to look at."""
    taken = [
        node.value.name
        for part in monoid.parts if part.algebra == FIRST_FEW
        for term in part.update for node in walk(term)
        if isinstance(node, Read) and node.value.kind == "input" and "(" in node.value.name
    ]  # fmt: skip
    return [
        *(f"`{text[1:-1]}` can be taken of each element" for text in dict.fromkeys(taken)),
        *(f"`{text}` is not None" for text in dict.fromkeys(_put_in(fold))),
    ]


def _put_in(fold: Fold) -> Iterator[str]:
    """What a step puts into a container as it is, where an entry that is None counts as none."""
    keyed = fold.keyed
    absents = () if keyed is None else (keyed.absent, *keyed.others)
    for carry, absent in zip(fold.scan.carries, absents, strict=False):
        if absent is NONE:
            yield from (
                leaf.value.name for leaf in leaves(carry.update)
                if isinstance(leaf, Read) and leaf.value.kind == "input"
            )  # fmt: skip


def _put_first(fold: Fold) -> Iterator[str]:
    """What is put where there was nothing, as it is: if that is None, there still is nothing."""
    yield from _put_in(fold)
    for carry in fold.scan.carries if fold.keyed is None else ():
        if any(isinstance(n, Apply) and n.op == "is" for n in walk(carry.update)):
            yield from (
                leaf.value.name for leaf in leaves(carry.update)
                if isinstance(leaf, Read) and leaf.value.kind == "input"
                and leaf.value.name.isidentifier()
            )  # fmt: skip


def _looked_at(monoid: Monoid, fold: Fold) -> str | None:
    """What the loop takes from around it that a combine would need."""
    texts = (ast.parse(source(term)) for part in monoid.parts for term in part.combine)
    read = set().union(*map(_read_names, texts)) - {field.name for field in monoid.fields}
    return next((name for name in fold.parameters if name in read), None)


def _filled(fold: Fold) -> list[Fold]:
    """The fold place by place, with what the arrays that it begins with hold in every place."""
    library = fold.rows or fold.library
    if not fold.begun or library != fold.library or fold.keyed is not None:
        return []
    scan = Scan(fold.scan.step)
    scan.carries = tuple(
        replace(carry, init=fold.begun.get(carry.name, carry.init)) for carry in fold.scan.carries
    )
    said = (f"`{name}` begins as {source(what)} in every place"
            for name, what in fold.begun.items())  # fmt: skip
    return [
        replace(fold, scan=scan, rows=library, chosen=True,
                assumptions=(*fold.assumptions, *said))
    ]  # fmt: skip


def _with_number(fold: Fold) -> list[Fold]:
    """The fold with what it returns from inside begun as 0, which is looked at only where it has
    returned."""
    if not any(carry.name == ANSWER for carry in fold.scan.carries):
        return []
    scan = Scan(fold.scan.step)
    scan.carries = tuple(
        replace(carry, init=ZERO) if carry.name == ANSWER else carry for carry in fold.scan.carries
    )
    return [replace(fold, scan=scan)]


def _with_place(reason: str, fold: Fold) -> str:
    """The reason with the line of the branch that asks for the state."""
    if not reason.startswith("a branch that depends on the state"):
        return reason
    moving = {carry.name for carry in fold.scan.carries}
    for node in sorted(everything_in(fold.node), key=lambda n: getattr(n, "lineno", 0)):
        if isinstance(node, ast.Assign) and moving & _read_names(node.value):
            moving |= {n for target in node.targets for n in target_names(target) or ()}
        if isinstance(node, (ast.If, ast.IfExp)) and moving & _read_names(node.test):
            return f"{reason} (line {node.lineno}: `if {ast.unparse(node.test)}`)"
    return reason


def _read_names(node: ast.AST) -> set[str]:
    return {n.id for n in everything_in(node) if isinstance(n, ast.Name)}


def _question(fold: Fold, missing: NoMonoid) -> str | None:
    """What is asked of a carried value that no algebra knows, where that is the reason."""
    for carry in fold.scan.carries:
        for node in walk(carry.update) if carry.name in missing.names else ():
            if isinstance(node, Apply) and node.op.startswith("call:"):
                states = sorted(state.name for state in Dependence().states(node))
                return f"`{source(node)}` looks at the carried `{', '.join(states)}`"
    return None


def _stages(scan: Scan, varying: Callable[[Value], bool]) -> tuple[Summary, ...]:
    """The stages that are scans; a modulus that differs from element to element makes none."""

    def fixed(stage: Summary) -> bool:
        modulus = stage.elements.get("modulus")
        reads = () if modulus is None else (n for n in walk(modulus) if isinstance(n, Read))
        return not any(varying(read.value) for read in reads)

    try:
        found = [stage for stage in summarise(scan) if isinstance(stage, Summary)]
    except TooLarge:
        return ()
    return tuple(stage for stage in found if fixed(stage))


def varies(fold: Fold) -> Callable[[Value], bool]:
    """Does an opaque value depend on the element?"""
    own = set(fold.names)
    for statement in fold.prepare:
        own |= {n.id for n in everything_in(ast.parse(statement)) if isinstance(n, ast.Name)
                and isinstance(n.ctx, ast.Store)}  # fmt: skip

    @cache
    def differs(value: Value) -> bool:
        names = {n.id for n in everything_in(ast.parse(value.name)) if isinstance(n, ast.Name)}
        return not own.isdisjoint(names)

    return differs


# -- entries of containers

_MOST_EMPTY = 9
_EMPTY: tuple[Term, ...] = (
    ZERO, ONE, Read(Value("[]", (), kind="input"), ()), Read(Value("set()", (), kind="input"), ()),
    Const(""), FALSE, TRUE, Const(float("-inf")), Const(float("inf")),
)  # fmt: skip


def _with_absent(fold: Fold) -> list[Fold]:
    """The fold with an absent entry counted as each value that makes its first change the same
    as its later ones."""
    keyed, carries = fold.keyed, fold.scan.carries
    if keyed is None or keyed.absent is not NONE:
        return []
    asked = Apply("is", (Read(carries[0].state, ()), NONE))
    later = [_asked(carry.update, asked, FALSE) for carry in carries]
    first = [_asked(carry.update, asked, TRUE) for carry in carries]
    empties: list[tuple[Term, ...]] = [()]
    for carry, then, begun in zip(carries, later, first, strict=True):
        mine = carry.state
        fitting = [
            (*before, empty) for before in empties for empty in _EMPTY
            if _plain(renamed(then, {
                **{c.state: e for c, e in zip(carries, before, strict=False)}, mine: empty
            })) is _plain(begun)
        ]  # fmt: skip
        # what no empty value stands for is asked of each value by itself
        alone = [(*before, NONE) for before in empties] if keyed.record is not None else []
        empties = (fitting or alone)[:_MOST_EMPTY]
    found = []
    for empty, *others in empties:
        scan = Scan(fold.scan.step)
        scan.carries = tuple(
            Carry(c.name, c.state, one if keyed.fresh else c.init,
                  _by_itself(c, begun, then) if one is NONE else then)
            for c, one, begun, then in zip(carries, (empty, *others), first, later, strict=True)
        )  # fmt: skip
        held = replace(keyed, absent=empty, others=tuple(others))
        found.append(replace(fold, scan=scan, keyed=held))
    return found


def _by_itself(carry: Carry, begun: Term, later: Term) -> Term:
    """What becomes of a value that is None until it is there."""
    return Apply("where", (Apply("is", (Read(carry.state, ()), NONE)), begun, later))


def _asked(term: Term, question: Term, answer: Term) -> Term:
    return settled(transform(term, lambda node: answer if node is question else node), {})


def _plain(term: Term) -> Term:
    """``term`` with empty values out of it; lists, sets and numbers alike by their text."""

    def change(node: Term) -> Term:
        if not isinstance(node, Apply) or len(node.args) != 2:
            return node
        a, b = node.args
        if a is b and node.op in ("max", "min", "and", "or", "union", "bitor", "bitand"):
            return a
        nothing = {
            "add": (0, ""), "concat": ("[]", ""), "union": ("set()",), "mul": (1,), "or": (False,),
            "and": (True,), "max": (float("-inf"),), "min": (float("inf"),), "bitor": (0,),
        }.get(node.op, ())  # fmt: skip
        for one, other in ((a, b), (b, a)):
            if isinstance(one, Const) and one.value in nothing and one.value is not None:
                return other
            if isinstance(one, Read) and one.value.name in nothing:
                return other
        return node

    out = transform(term, change)
    return transform(out, lambda n: _BY_TEXT.setdefault(n.value.name, n)
                     if isinstance(n, Read) and n.value.kind == "input" else n)  # fmt: skip


_BY_TEXT: dict[str, Term] = {}
