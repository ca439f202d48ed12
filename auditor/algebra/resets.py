"""Factors that are nothing but one or nothing, as truth values.

Where a step either lets go of a carried value or keeps it as a summand, what a piece multiplies to
the value from before it is 1 or 0. As a truth value it chooses instead of multiplying: nothing
times infinity is no number, and what is not multiplied neither rounds nor overflows.
"""

from __future__ import annotations

from dataclasses import replace

from auditor.algebra.choices import leaves
from auditor.algebra.monoid import Field, Part, field, grade
from auditor.algebra.semirings import same_number
from auditor.notation import ONE, TRUE, ZERO, Apply, Const, Read, Term, Value, transform


def with_flags(part: Part) -> Part:
    """The same summary with such factors as truth values; the same part where there are none."""
    flags = {
        one: _flag(part, one)
        for one, step, both in zip(part.fields, part.update, part.combine, strict=True)
        if _keeps_or_drops(one, step, both)
    }
    if not flags:
        return part
    by = {old.own: new.left for old, new in flags.items()}
    by |= {old.other: new.right for old, new in flags.items()}

    def told(terms: tuple[Term, ...]) -> tuple[Term, ...]:
        return tuple(
            _as_truth(term, by) if one in flags else _choosing(term, by)
            for one, term in zip(part.fields, terms, strict=True)
        )

    combine = told(part.combine)
    return replace(
        part,
        fields=tuple(flags.get(one, one) for one in part.fields),
        update=told(part.update),
        combine=combine,
        numerics=grade(combine),
        finish=tuple(_choosing(term, by) for term in part.finish),
    )


def _keeps_or_drops(one: Field, step: Term, both: Term) -> bool:
    if not same_number(one.identity, ONE):
        return False
    ends = leaves(step)
    drops = [leaf for leaf in ends if same_number(leaf, ZERO)]
    if not drops or len(drops) + ends.count(one.left) < len(ends):
        return False
    return isinstance(both, Apply) and both.op == "mul" and {*both.args} == {one.left, one.right}


def _flag(part: Part, one: Field) -> Field:
    """A name and a meaning for what was a factor."""
    name = f"{one.name.removesuffix('_scale')}_kept"
    if name in {other.name for other in part.fields}:
        name = one.name
    before = one.meaning.removeprefix("what is multiplied to ")
    return field(name, f"does {before} still count?", TRUE)


def _as_truth(term: Term, by: dict[Value, Term]) -> Term:
    """A factor's own update or combine."""

    def change(node: Term) -> Term:
        if isinstance(node, Read):
            return by.get(node.value, node)
        if isinstance(node, Apply) and node.op == "mul" and set(node.args) <= set(by.values()):
            return Apply("and", node.args)
        if isinstance(node, Apply) and node.op == "where":
            ends = [Const(False) if same_number(arg, ZERO) else arg for arg in node.args[1:]]
            return Apply("where", (node.args[0], *ends))
        return node

    return transform(term, change)


def _choosing(term: Term, by: dict[Value, Term]) -> Term:
    """A term with choices where such factors stood."""
    flags = set(by.values())

    def asked(node: Term) -> Term | None:
        """The flag, where a term is what one is as a number."""
        if isinstance(node, Apply) and node.op == "where" and node.args[1:] == (ONE, ZERO):
            return node.args[0] if node.args[0] in flags else None
        return None

    def change(node: Term) -> Term:
        if isinstance(node, Read):
            return Apply("where", (by[node.value], ONE, ZERO)) if node.value in by else node
        if not isinstance(node, Apply):
            return node
        if node.op == "mul":
            found = next((arg for arg in node.args if asked(arg) is not None), None)
            if found is None:
                return node
            rest = list(node.args)
            rest.remove(found)
            product = rest[0] if len(rest) == 1 else change(Apply("mul", tuple(rest)))
            return Apply("where", (asked(found) or found, product, ZERO))
        if node.op == "add" and len(node.args) == 2:
            for one, other in (node.args, node.args[::-1]):
                if isinstance(one, Apply) and one.op == "where" and one.args[0] in flags:
                    if one.args[2] is ZERO and asked(one) is None:
                        ends = (one.args[1], other) if one is node.args[0] else (other, one.args[1])
                        return Apply("where", (one.args[0], Apply("add", ends), other))
        return node

    return transform(term, change)
