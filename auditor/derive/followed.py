"""A function of a carried value, carried with it: `len(best)` is a number that changes where `best`
does. With such numbers in their places the loop asks nothing of a word or a record but what the
algebras know: which of two numbers is larger, and where the larger one was.

A carried value that begins as a sentinel and is only ever replaced by places in the data says by
the sentinel that nothing was taken yet; so does a companion that begins as None.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace

from auditor.algebra.choices import leaves, settled
from auditor.algebra.monoid import Monoid, start_of
from auditor.derive.expression import source
from auditor.derive.fold import Fold
from auditor.derive.scopes import names_of
from auditor.notation import (
    FALSE,
    NONE,
    TRUE,
    Apply,
    Carry,
    Const,
    Read,
    Scan,
    Term,
    Value,
    rebuild,
    substitute,
    transform,
    walk,
)

_HOLE = "_0"
_QUESTIONS = frozenset(("eq", "ne", "lt", "le", "gt", "ge", "is"))


@dataclass(frozen=True, eq=False)
class Followed:
    """A fold with functions of carried values as carried values of their own; ``functions`` says
    what each of these is."""

    fold: Fold
    functions: dict[Value, Term]

    def restored(self, monoid: Monoid) -> Monoid:
        """The monoid with the functions asked of the values themselves again, after the loop."""
        parts = []
        for part in monoid.parts:
            by: dict[Term, Term] = {Read(k, ()): term for k, term in self.functions.items()}
            kept = [
                (carry, substitute(term, by))
                for carry, term in zip(part.carries, part.finish, strict=True)
                if carry not in self.functions
            ]
            carries, finish = tuple(c for c, _ in kept), tuple(t for _, t in kept)
            parts.append(replace(part, carries=carries, finish=finish))
        return Monoid(tuple(parts))


def followed(fold: Fold) -> Followed | None:
    """The fold with the functions that it asks of its carried values carried along; None where it
    asks none that can be."""
    if fold.keyed is not None or fold.exits:
        return None
    own = {*fold.names, *(n for s in fold.prepare for n in names_of(s))}
    carries = list(fold.scan.carries)
    functions: dict[Value, Term] = {}
    by: dict[Term, Term] = {}
    known = _Known(fold, carries)
    carries = [replace(c, update=known.of(c.update)) for c in carries]
    for asked, carry in _asked(carries):
        if own & {n for node in walk(asked) for n in _names_of(node)} or asked in by:
            continue
        made = _function(carry, asked, known)
        carries.append(made)
        by[asked] = Read(made.state, ())
        start = start_of(carry)
        functions[made.state] = substitute(asked, {Read(carry.state, ()): start})
    carries = [replace(c, update=_with(c.update, by)) for c in carries]
    changed, supposed = _with_none(carries, functions, _places(fold.node))
    if not functions and changed == carries:
        return None
    scan = Scan(fold.scan.step)
    scan.carries = tuple(changed)
    assumptions = (*fold.assumptions, *supposed)
    return Followed(replace(fold, scan=scan, assumptions=assumptions), functions)


def _names_of(node: Term) -> set[str]:
    """The names that the text of a node itself reads."""
    if isinstance(node, Read) and node.value.kind == "input":
        return names_of(node.value.name)
    if isinstance(node, Apply) and node.op.startswith("call:"):
        return names_of(node.op[5:]) - {_HOLE}
    return set()


def _asked(carries: list[Carry]) -> list[tuple[Term, Carry]]:
    """What is compared of one carried value that steps only replace, and is more than itself."""
    replaced = {c.state: c for c in carries if _replaced(c, carries)}
    found: dict[Term, Carry] = {}
    for carry in carries:
        for node in walk(carry.update):
            if not isinstance(node, Apply) or node.op not in _QUESTIONS:
                continue
            for side in node.args:
                read = {n.value for n in walk(side)
                        if isinstance(n, Read) and n.value.kind == "state"}  # fmt: skip
                if isinstance(side, Apply) and len(read) == 1 and read <= replaced.keys():
                    found[side] = replaced[read.pop()]
    return list(found.items())


def _replaced(carry: Carry, carries: list[Carry]) -> bool:
    """Does a step leave the value or put something of the element in its place?"""
    mine = Read(carry.state, ())
    states = {c.state for c in carries}
    return all(
        leaf is mine
        or not any(isinstance(n, Read) and n.value in states for n in walk(leaf))
        for leaf in leaves(carry.update)
    )  # fmt: skip


class _Known:
    """The names that are taken, and the element's parts by their text."""

    def __init__(self, fold: Fold, carries: list[Carry]) -> None:
        self.taken = {*(c.name for c in carries), *fold.names, *fold.parameters}
        self.atoms = {n.value.name: n for c in carries for n in walk(c.update)
                      if isinstance(n, Read) and n.value.kind == "input"}  # fmt: skip
        self.same = _elements(fold.node)
        for statement in (ast.parse(text).body[0] for text in fold.prepare):
            if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
                self.same[ast.unparse(statement.value)] = statement.targets[0].id

    def free(self, name: str) -> str:
        while name in self.taken:
            name += "_"
        self.taken.add(name)
        return name

    def atom(self, text: str) -> Term:
        text = self.same.get(text, text)
        if text not in self.atoms:
            self.atoms[text] = Read(Value(text, (), kind="input"), ())
        return self.atoms[text]

    def of(self, term: Term) -> Term:
        """A term about the element, its opaque parts by their text."""

        def change(node: Term) -> Term:
            if any(isinstance(n, Read) and n.value.kind == "state" for n in walk(node)):
                return node
            called = isinstance(node, Apply) and node.op.startswith("call:")
            text = source(node)
            return self.atom(text) if called or text in self.same else node

        return transform(term, change)


def _function(carry: Carry, asked: Term, known: _Known) -> Carry:
    """The function of a carried value as one more carried value."""
    mine = Read(carry.state, ())
    name = known.free(re.sub(r"\W+", "_", source(asked)).strip("_"))
    state = Value(name, (), kind="state")

    def followed(term: Term) -> Term:
        if isinstance(term, Apply) and term.op == "where":
            test, then, other = term.args
            return rebuild(term, (test, followed(then), followed(other)))
        return Read(state, ()) if term is mine else known.of(substitute(asked, {mine: term}))

    init: Term = NONE if carry.init is NONE else Read(Value(f"{name}_before", (), kind="input"), ())
    text = isinstance(carry.init, Const) and isinstance(carry.init.value, str)
    if text and isinstance(asked, Apply) and asked.op == "call:len(_0)":
        init = Const(len(carry.init.value))  # type: ignore[attr-defined]
    return Carry(name, state, init, followed(carry.update))


def _elements(loop: ast.For) -> dict[str, str]:
    """How an element is spelled by its place, where the loop's target names both."""
    target, walked = loop.target, loop.iter
    if not isinstance(target, ast.Tuple) or len(target.elts) != 2 or not _counts(walked):
        return {}
    assert isinstance(walked, ast.Call)
    place, element = target.elts
    if len(walked.args) != 1 or walked.keywords or not isinstance(walked.args[0], ast.Name):
        return {}
    if not isinstance(place, ast.Name) or not isinstance(element, ast.Name):
        return {}
    return {f"{walked.args[0].id}[{place.id}]": element.id}


def _counts(walked: ast.expr) -> bool:
    called = walked.func if isinstance(walked, ast.Call) else None
    return isinstance(called, ast.Name) and called.id == "enumerate"


def _places(loop: ast.For) -> set[str]:
    """The names that are places in the data, counted from 0."""
    target, walked = loop.target, loop.iter
    if not isinstance(target, ast.Tuple) or not isinstance(target.elts[0], ast.Name):
        return set()
    if not _counts(walked) or not isinstance(walked, ast.Call):
        return set()
    return {target.elts[0].id} if len(walked.args) == 1 and not walked.keywords else set()


# -- nothing taken yet


def _with_none(
    carries: list[Carry], functions: dict[Value, Term], places: set[str]
) -> tuple[list[Carry], list[str]]:
    """The carried values with the question whether anything was taken yet asked of one that is
    replaced in the same steps and begins as None, as a function of what is not there may; and what
    is supposed of what is taken."""
    supposed: list[str] = []
    out = list(carries)
    asked: set[Value] = set()
    for carry in carries:
        when = _when(carry, carries)
        answers = {n: yes for c in out for n in walk(c.update)
                   if (yes := _says_nothing(n, carry, places)) is not None}  # fmt: skip
        with_it = [
            other
            for other in carries
            if other is not carry and _when(other, carries) is when
            and (other.init is NONE or other.state in functions)
        ]  # fmt: skip
        if when is None or not answers or not with_it or carry.state in asked:
            continue
        state = max(with_it, key=lambda other: other.state in functions).state
        asked.add(state)
        taken = [leaf for leaf in leaves(carry.update) if isinstance(leaf, Read)]
        supposed += [
            f"`{leaf.value.name}` is not None"
            for leaf in taken
            if leaf.value is not carry.state and leaf.value.name not in places
        ]
        nothing = Apply("is", (Read(state, ()), NONE))
        by: dict[Term, Term] = {
            question: nothing if yes else Apply("not", (nothing,))
            for question, yes in answers.items()
        }
        out = [
            replace(c, update=_with(c.update, by), init=NONE if c.state is state else c.init)
            for c in out
        ]
    return out, list(dict.fromkeys(supposed))


def _with(term: Term, by: dict[Term, Term]) -> Term:
    return transform(term, lambda node: by.get(node, node))


def _when(carry: Carry, carries: list[Carry]) -> Term | None:
    """In which steps a carried value is replaced; None where it is more than replaced."""
    mine = Read(carry.state, ())
    if not _replaced(carry, carries) or carry.update is mine:
        return None

    def of(term: Term) -> Term:
        if isinstance(term, Apply) and term.op == "where":
            return rebuild(term, (term.args[0], of(term.args[1]), of(term.args[2])))
        return FALSE if term is mine else TRUE

    return of(carry.update)


def _says_nothing(question: Term, carry: Carry, places: set[str]) -> bool | None:
    """The answer to a question by which nothing was taken yet; None where it does not tell."""
    if not isinstance(question, Apply) or question.op not in _QUESTIONS:
        return None
    mine = Read(carry.state, ())
    if mine not in question.args or not isinstance(carry.init, Const):
        return None
    first = settled(question, {carry.state: carry.init})
    (sentinel,) = [arg for arg in question.args if arg is not mine] or (mine,)
    if first not in (TRUE, FALSE) or not isinstance(sentinel, Const):
        return None
    taken = [leaf for leaf in leaves(carry.update) if leaf is not mine]
    if question.op == "is":
        known = carry.init is NONE is sentinel and NONE not in taken
    else:
        least = settled(question, {carry.state: Const(0)})
        known = (
            carry.init is not NONE
            and all(isinstance(leaf, Read) and leaf.value.name in places for leaf in taken)
            and least in (TRUE, FALSE)
            and least is not first
            and sentinel.value in (-1, 0)
            and settled(question, {carry.state: Const(1)}) is least
        )
    return (first is TRUE) if known else None
