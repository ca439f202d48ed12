"""A value that is set to one constant once something happens: a flag that chooses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from auditor.algebra.monoid import Part, free, renamed, start_of
from auditor.algebra.states import Dependence
from auditor.notation import FALSE, Apply, Carry, Const, Read, Term, Value


@dataclass(frozen=True, eq=False)
class Raised:
    """Carried values with flags for some, by the flag: the value and what it is set to."""

    carries: list[Carry]
    flags: dict[Value, tuple[Carry, Const]]

    def back(self, part: Part) -> Part:
        """The part with the values in the place of the flags."""
        by: dict[Value, Term] = {}
        for state, term in zip(part.carries, part.finish, strict=True):
            if state not in self.flags:
                by[state] = term
                continue
            carry, to = self.flags[state]
            start = start_of(carry)
            by[carry.state] = Apply("where", (renamed(term, {state: FALSE}), to, start))
        return replace(part, carries=tuple(by), finish=tuple(by.values()))


def raised(carries: Sequence[Carry], dependence: Dependence, taken: set[str]) -> Raised | None:
    """The carried values with a flag for each that is only ever set to one constant; ``taken`` are
    names that the flags may not have."""
    made: list[Carry] = []
    flags: dict[Value, tuple[Carry, Const]] = {}
    for carry in carries:
        others = (c for c in carries if c is not carry)
        found = _set_when(carry, dependence)
        if found is None or any(dependence.mentions(c.update, (carry.state,)) for c in others):
            made.append(carry)
            continue
        condition, to = found
        flag = Value(free(f"{carry.name}_set", taken), (), kind="state")
        flags[flag] = (carry, to)
        made.append(Carry(flag.name, flag, FALSE, Apply("or", (Read(flag, ()), condition))))
    return Raised(made, flags) if flags else None


def _set_when(carry: Carry, dependence: Dependence) -> tuple[Term, Const] | None:
    """When a value is set, and to what, if it is left alone otherwise."""
    update, own = carry.update, Read(carry.state, ())
    if not isinstance(update, Apply) or update.op != "where" or carry.init is FALSE:
        return None
    condition, then, other = update.args
    if then is own:
        condition, then, other = Apply("not", (condition,)), other, then
    if other is not own or not isinstance(then, Const) or isinstance(then.value, bool):
        return None
    return None if dependence.mentions(condition, (carry.state,)) else (condition, then)
