"""A minimum among maxima: carried values looked at with the other sign."""

from __future__ import annotations

from dataclasses import dataclass, replace

from auditor.algebra.monoid import Part, free, renamed
from auditor.algebra.semirings import negated
from auditor.notation import Apply, Carry, Const, Read, Term, Value, walk


@dataclass(frozen=True, eq=False)
class Turned:
    """Carried values of which some are looked at with the other sign, so that a minimum among
    maxima is a maximum too."""

    carries: list[Carry]
    originals: dict[Value, Carry]

    def back(self, part: Part) -> Part:
        """The part with the values' own signs."""
        by = {c.state: c for c in self.carries}
        starts: dict[Value, Term] = {
            state: Apply("neg", (Read(old.state, ()),)) for state, old in self.originals.items()
        }
        finish = []
        for state, term in zip(part.carries, part.finish, strict=True):
            term = renamed(term, starts)
            finish.append(Apply("neg", (term,)) if state in self.originals else term)
        names = ", ".join(old.name for old in self.originals.values())
        return replace(
            part,
            carries=tuple(
                self.originals[s].state if s in self.originals else by[s].state
                for s in part.carries
            ),
            finish=tuple(finish),
            proof=f"with the sign of {names} turned, {part.proof}",
        )


def turned(carries: list[Carry], taken: set[str]) -> Turned | None:
    """A running minimum among running maxima, as a maximum of the negated values, whose names are
    none of those ``taken``."""

    def least(carry: Carry) -> bool:
        ops = {n.op for n in walk(carry.update) if isinstance(n, Apply)} & {"min", "max"}
        return ops == {"min"} or _keeps_less(carry)

    return _mirrored(carries, [carry for carry in carries if least(carry)], taken)


def turned_most(carries: list[Carry], taken: set[str]) -> Turned | None:
    """A running maximum among running minima, as a minimum of the negated values."""

    def most(carry: Carry) -> bool:
        ops = {n.op for n in walk(carry.update) if isinstance(n, Apply)}
        return ops & {"min", "max"} == {"max"}

    return _mirrored(carries, [carry for carry in carries if most(carry)], taken)


def turned_sums(carries: list[Carry], taken: set[str]) -> Turned | None:
    """Sums among what is compared, as sums of the negated values."""

    def summed(carry: Carry) -> bool:
        ops = {n.op for n in walk(carry.update) if isinstance(n, Apply)}
        return bool(ops) and ops <= {"add", "sub", "neg"}

    return _mirrored(carries, [carry for carry in carries if summed(carry)], taken)


def _mirrored(carries: list[Carry], chosen: list[Carry], taken: set[str]) -> Turned | None:
    """The carried values with the signs of the chosen ones turned, if these are not all."""
    chosen = [carry for carry in chosen if not _is_flag(carry)]
    if not chosen or len(chosen) == len(carries):
        return None
    originals: dict[Value, Carry] = {}
    mirrored: dict[Value, Value] = {}
    for carry in chosen:
        new = Value(free(f"minus_{carry.name}", taken), (), kind="state")
        originals[new], mirrored[carry.state] = carry, new
    made = []
    for carry in carries:
        update = renamed(
            carry.update, {old: Apply("neg", (Read(new, ()),)) for old, new in mirrored.items()}
        )
        state, init = carry.state, carry.init
        if state in mirrored:
            state, update = mirrored[state], Apply("neg", (update,))
            init = negated(init)
        made.append(Carry(state.name, state, init, pushed(update)))
    return Turned(made, originals)


def _is_flag(carry: Carry) -> bool:
    """Does the value begin as a truth value, or as None, which have no sign?"""
    init = carry.init
    return isinstance(init, Const) and (init.value is None or isinstance(init.value, bool))


def _keeps_less(carry: Carry) -> bool:
    """Is it spelled as a branch that keeps the smaller one?"""
    update, mine = carry.update, Read(carry.state, ())
    if not isinstance(update, Apply) or update.op != "where" or update.args[2] is not mine:
        return False
    test = update.args[0]
    return isinstance(test, Apply) and (
        (test.op in ("lt", "le") and test.args == (update.args[1], mine))
        or (test.op in ("gt", "ge") and test.args == (mine, update.args[1]))
    )


_PUSHED = ("max", "min", "where")


def pushed(term: Term) -> Term:
    """``term`` with negations pushed to its leaves."""
    if not isinstance(term, Apply):
        return term
    if term.op == "sub" and isinstance(term.args[1], Apply) and term.args[1].op in _PUSHED:
        return Apply("add", (pushed(term.args[0]), pushed(Apply("neg", (term.args[1],)))))
    if term.op != "neg":
        return Apply(term.op, tuple(map(pushed, term.args)))
    inner = term.args[0]
    if not isinstance(inner, Apply):
        return negated(inner)
    op, args = inner.op, inner.args
    if op == "neg":
        return pushed(args[0])
    if op in ("max", "min"):
        flipped = "min" if op == "max" else "max"
        return Apply(flipped, tuple(pushed(Apply("neg", (a,))) for a in args))
    if op == "where":
        sides = (pushed(Apply("neg", (a,))) for a in args[1:])
        return Apply("where", (pushed(args[0]), *sides))
    if op == "add":
        return Apply("add", tuple(pushed(Apply("neg", (a,))) for a in args))
    if op == "sub":
        return pushed(Apply("sub", (args[1], args[0])))
    return Apply("neg", (pushed(inner),))
