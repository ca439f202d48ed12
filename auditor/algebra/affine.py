"""Affine interpretation of a loop body: ``update = sum_s a_s * s + b`` with ``a`` and ``b`` free of
the states, as terms in the user's own structure (so that they can be printed as code).

This is the abstract domain of affine maps with diagonal coefficients: every state is read at its
own element. What leaves the domain is named.
"""

from __future__ import annotations

from dataclasses import dataclass

from auditor.notation import ONE, ZERO, Apply, Const, Read, Reduce, Term, Trace, Value, walk


class NotAffine(Exception):
    """The body leaves the domain; the message names the term."""


@dataclass(frozen=True)
class Affine:
    """Coefficients by state and the rest; an absent coefficient is zero."""

    coefficients: dict[Value, Term]
    rest: Term


def reads_state(term: Term, states: set[Value]) -> bool:
    """Whether ``term`` depends on a state, through the definitions of the values it reads and the
    bodies of loops whose results it uses."""
    seen: set[object] = set()
    stack: list[Term] = [term]
    while stack:
        for node in walk(stack.pop()):
            if isinstance(node, Read):
                if node.value in states:
                    return True
                if node.value.body is not None and node.value not in seen:
                    seen.add(node.value)
                    stack.append(node.value.body)
            elif isinstance(node, Trace) and id(node.scan) not in seen:
                seen.add(id(node.scan))
                for carry in node.scan.carries:
                    stack.extend((carry.init, carry.update))
    return False


def affine(term: Term, states: set[Value]) -> Affine:
    """Interpret ``term``. Raises ``NotAffine``."""
    done: dict[Term, Affine] = {}

    def visit(node: Term) -> Affine:
        if node not in done:
            done[node] = _interpret(node, states, visit)
        return done[node]

    return visit(term)


def _interpret(node: Term, states: set[Value], visit) -> Affine:  # type: ignore[no-untyped-def]
    if not reads_state(node, states):
        return Affine({}, node)
    if isinstance(node, Read) and node.value in states:
        if node.subs != node.value.axes:
            raise NotAffine(f"`{node}` reads another element of the state")
        return Affine({node.value: ONE}, ZERO)
    if isinstance(node, Read):
        from auditor.notation import definition

        inner = definition(node)
        if inner is None:
            raise NotAffine(f"`{node}` depends on the state in an unknown way")
        return visit(inner)  # type: ignore[no-any-return]
    if isinstance(node, Apply):
        return _apply(node, [visit(arg) for arg in node.args], states)
    if isinstance(node, Reduce):
        raise NotAffine(f"`{node}` mixes the elements of the state")
    raise NotAffine(f"`{node}` is not affine in the state")


def _apply(node: Apply, parts: list[Affine], states: set[Value]) -> Affine:
    op = node.op
    if op in ("add", "sub"):
        total = parts[0]
        for part in parts[1:]:
            total = _combine(op, total, part)
        return total
    if op == "neg":
        return _scale(parts[0], lambda term: ZERO if term is ZERO else Apply("neg", (term,)))
    if op == "mul":
        return _product(node, parts)
    if op == "div" and not parts[1].coefficients:
        below = parts[1].rest
        return _scale(parts[0], lambda term: term if term is ZERO else Apply("div", (term, below)))
    if op == "where" and not parts[0].coefficients:
        return _choice(parts)
    raise NotAffine(f"`{node}` is not linear in the state")


def _scale(part: Affine, change) -> Affine:  # type: ignore[no-untyped-def]
    coefficients = {state: change(term) for state, term in part.coefficients.items()}
    return Affine(coefficients, change(part.rest))


def _combine(op: str, left: Affine, right: Affine) -> Affine:
    def join(a: Term, b: Term) -> Term:
        if b is ZERO:
            return a
        if a is ZERO:
            return b if op == "add" else Apply("neg", (b,))
        return Apply(op, (a, b))

    coefficients = {
        state: join(left.coefficients.get(state, ZERO), right.coefficients.get(state, ZERO))
        for state in {**left.coefficients, **right.coefficients}
    }
    return Affine(coefficients, join(left.rest, right.rest))


def _product(node: Apply, parts: list[Affine]) -> Affine:
    with_state = [part for part in parts if part.coefficients]
    if len(with_state) != 1:
        raise NotAffine(f"`{node}` multiplies the state by itself")
    by = [part.rest for part in parts if not part.coefficients]

    def times(term: Term) -> Term:
        if term is ZERO or _is_zero(term):
            return ZERO
        factors = [term if part.coefficients else part.rest for part in parts]
        if term is ONE:
            factors = by
        return factors[0] if len(factors) == 1 else Apply("mul", tuple(factors))

    return _scale(with_state[0], times)


def _is_zero(term: Term) -> bool:
    return isinstance(term, Const) and term.value == 0


def _choice(parts: list[Affine]) -> Affine:
    condition, then, otherwise = parts[0].rest, parts[1], parts[2]

    def choose(a: Term, b: Term) -> Term:
        return a if a is b else Apply("where", (condition, a, b))

    states = {**then.coefficients, **otherwise.coefficients}
    coefficients = {
        state: choose(then.coefficients.get(state, ZERO), otherwise.coefficients.get(state, ZERO))
        for state in states
    }
    return Affine(coefficients, choose(then.rest, otherwise.rest))
