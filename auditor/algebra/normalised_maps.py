"""A carried vector that a step multiplies by a matrix and divides by its own sum or norm, and the
logarithms of the divisors, added up beside it: the scaled forward algorithm, the power method.

What is divided by scales with the vector, so that the vector is the product without divisions,
divided once, and the logarithms add up to that of the last divisor: log c1 + ... + log cn =
log |h M1 ... Mn|. A piece keeps the product of its matrices, divided by their size so that it does
not vanish, and the logarithm of that.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from auditor.algebra.matrix_maps import ALGEBRA, NotLinear, Summary, call, takes_matrices
from auditor.algebra.monoid import Field, Part, field, free, start_of
from auditor.algebra.states import Dependence
from auditor.notation import NONE, ZERO, Apply, Carry, Read, Term


def normalised_maps(carries: list[Carry], dependence: Dependence, taken: set[str]) -> Part | None:
    """The summary of a vector that is divided by its own size, and of what adds up logarithms."""
    held = [c for c in carries if takes_matrices(c.update) and dependence.mentions(
        c.update, (c.state,))]  # fmt: skip
    vectors = [c for c in held if _divided(c.update) is not None]
    if len(vectors) != 1 or len(carries) > 2 or not isinstance(vectors[0].init, Read):
        return None
    (vector,) = vectors
    counted = next((c for c in carries if c is not vector), None)
    found = _divided(vector.update)
    assert found is not None
    product, size = found
    if counted is not None and _adds_logarithm(counted, size) is None:
        return None
    try:
        under = Summary(replace(vector, update=product), dependence, set(taken)).part()
    except NotLinear:
        return None
    if len(under.fields) != 1:
        return None
    return _with_divisor(under, vector, counted, size, set(taken))


def _divided(term: Term) -> tuple[Term, Apply] | None:
    """What is divided by its own size, and that size."""
    if not isinstance(term, Apply) or term.op != "div":
        return None
    product, size = term.args
    own = isinstance(size, Apply) and size.args == (product,) and _is_size(size.op)
    return (product, size) if own and isinstance(size, Apply) else None


def _is_size(op: str) -> bool:
    """Is it a sum or a norm of all places, which scales with them?"""
    if not op.startswith("call:"):
        return False
    node = ast.parse(op.removeprefix("call:"), mode="eval").body
    if not isinstance(node, ast.Call) or node.keywords:
        return False
    word = ast.unparse(node.func)
    given = [ast.unparse(arg) for arg in node.args]
    if word in ("_0.sum", "_0.norm"):
        return not given
    return given == ["_0"] and word.rpartition(".")[2] in ("sum", "norm", "vector_norm")


def _adds_logarithm(carry: Carry, size: Apply) -> str | None:
    """How a step adds the logarithm of a size: as a sum or a difference."""
    update, own = carry.update, Read(carry.state, ())
    log = Apply("log", (size,))
    if update is Apply("add", (own, log)) or update is Apply("add", (log, own)):
        return "add"
    return "sub" if update is Apply("sub", (own, log)) else None


def _with_divisor(
    under: Part, vector: Carry, counted: Carry | None, size: Apply, taken: set[str]
) -> Part:
    """The part with matrices of size 1, and the logarithm of what they were divided by."""
    (matrix,) = under.fields
    fields: list[Field] = [matrix]
    update, combine = (_rescaled(terms[0]) for terms in (under.update, under.combine))
    (product,) = under.finish
    # what is divided is the product of what is begun with, once there is one
    whole = product.args[2] if isinstance(product, Apply) else product
    divisor = Apply(size.op, (whole,))
    nothing = Apply("is", (matrix.left, NONE))
    begun: Term = Read(vector.state, ())
    finish = {vector: Apply("where", (nothing, begun, Apply("div", (whole, divisor))))}
    updates, combines = [update], [combine]
    if counted is not None:
        op = _adds_logarithm(counted, size)
        assert op is not None
        name = free(f"{vector.name}_log_size", taken | {matrix.name})
        log = field(name, f"the logarithm of what {matrix.name} was divided by", ZERO)
        fields.append(log)
        updates.append(Apply("add", (log.left, _size_of(under.update[0]))))
        both = Apply("add", (log.left, log.right))
        combines.append(Apply("add", (both, _size_of(under.combine[0]))))
        all_of_it = Apply("add", (log.left, Apply("log", (divisor,))))
        start = start_of(counted)
        finish[counted] = Apply("where", (nothing, start, Apply(op, (start, all_of_it))))
    carries = [c for c in (vector, counted) if c is not None]
    return replace(
        under, carries=tuple(c.state for c in carries), fields=tuple(fields),
        update=tuple(updates), combine=tuple(combines), finish=tuple(finish[c] for c in carries),
        algebra=f"{ALGEBRA}(+, *), normalised", numerics="conditioned",
        proof=f"{under.proof}; what {vector.name} is divided by scales with it, so that dividing "
        "once is enough and the logarithms of the divisors add up to that of the last",
    )  # fmt: skip


def _rescaled(term: Term) -> Term:
    return call("rescaled(_0)", term)


def _size_of(term: Term) -> Term:
    return call("log_size(_0)", term)
