"""Carried vectors that need each other, each made of all of them by matrices, weights of their
places and numbers: one vector, one after the other, that a step multiplies by a matrix of blocks.

With z = (h, y, ...) a step is z -> B z + b, and two in turn are (B2 B1, B2 b1 + b2). What a block
is (a matrix, the weights of places, one number for all of them) and how long each vector is shows
only as it runs: the functions that put the blocks together check it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from auditor.algebra.matrix_maps import ALGEBRA, NotLinear, call
from auditor.algebra.monoid import Part, field, free
from auditor.algebra.states import Dependence
from auditor.notation import NONE, ONE, ZERO, Apply, Carry, Const, Read, Term, Value

_MOST = 4


@dataclass(frozen=True)
class _Row:
    """What one vector becomes: a block for each that it is made of, and what is added."""

    blocks: dict[Value, Term]
    added: Term | None = None

    def through(self, block: Callable[[Term], Term], added: Callable[[Term], Term]) -> _Row:
        return _Row(
            {state: block(one) for state, one in self.blocks.items()},
            None if self.added is None else added(self.added),
        )


def block_maps(carries: list[Carry], dependence: Dependence, taken: set[str]) -> Part | None:
    """The summary of several carried vectors."""
    if not 1 < len(carries) <= _MOST or not all(isinstance(c.init, Read) for c in carries):
        return None
    reader = _Reader([carry.state for carry in carries], dependence)
    try:
        rows = [reader.of(carry.update) for carry in carries]
    except NotLinear:
        return None
    return _part(carries, rows, set(taken))


class _Reader:
    """Reads updates as sums of the carried vectors, each under a matrix or a weight."""

    def __init__(self, states: list[Value], dependence: Dependence) -> None:
        self.states, self._dependence = states, dependence

    def free(self, term: Term) -> bool:
        return not self._dependence.mentions(term, self.states)

    def of(self, term: Term) -> _Row:
        if self.free(term):
            return _Row({}, term)
        if isinstance(term, Read) and term.value in self.states:
            return _Row({term.value: ONE})
        if not isinstance(term, Apply):
            raise NotLinear("it is put in again as a whole")
        op, args = term.op, term.args
        if op == "neg":
            return _weighted(self.of(args[0]), Const(-1))
        if op in ("add", "sub") and len(args) == 2:
            second = self.of(args[1])
            return _sum(self.of(args[0]), _weighted(second, Const(-1)) if op == "sub" else second)
        if op == "mul" and len(args) == 2 and any(map(self.free, args)):
            weight, inner = args if self.free(args[0]) else args[::-1]
            return _weighted(self.of(inner), weight)
        if op == "div" and self.free(args[1]):
            return _weighted(self.of(args[0]), Apply("div", (ONE, args[1])))
        if op == "matmul" and self.free(args[0]):
            matrix = call("matrix(_0)", args[0])
            return self.of(args[1]).through(
                lambda block: (
                    matrix if block is ONE else call("after_block(_0, _1)", matrix, block)
                ),
                lambda added: call("_0 @ _1", matrix, added),
            )
        raise NotLinear("parts of it are multiplied otherwise")


def _multiplied(matrix: Term, row: _Row) -> _Row:
    return row.through(
        lambda block: matrix if block is ONE else call("after_block(_0, _1)", matrix, block),
        lambda added: call("_0 @ _1", matrix, added),
    )


def _weighted(row: _Row, weight: Term) -> _Row:
    weight = weight if isinstance(weight, Const) else call("weight(_0)", weight)
    return row.through(
        lambda block: weight if block is ONE else call("weighted_block(_0, _1)", weight, block),
        lambda added: Apply("mul", (weight, added)),
    )


def _sum(a: _Row, b: _Row) -> _Row:
    blocks = dict(a.blocks)
    for state, block in b.blocks.items():
        both = blocks.get(state)
        blocks[state] = block if both is None else call("both_blocks(_0, _1)", both, block)
    if a.added is None or b.added is None:
        return _Row(blocks, a.added if b.added is None else b.added)
    return _Row(blocks, Apply("add", (a.added, b.added)))


def _part(carries: list[Carry], rows: list[_Row], taken: set[str]) -> Part:
    names = [carry.name for carry in carries]
    count = len(carries)
    blocks = [row.blocks.get(carry.state, ZERO) for row in rows for carry in carries]
    made = [call(_text("block_rows", count, len(blocks)), *blocks)]
    whole = f"({', '.join(names)})"
    matrix = field(free(f"{names[0]}_blocks", taken), f"what {whole} is multiplied by", NONE)
    fields = [matrix]
    if any(row.added is not None for row in rows):
        given = [*blocks, *(row.added or ZERO for row in rows)]
        made.append(call(_text("block_sums", count, len(given)), *given))
        fields.append(field(free(f"{names[0]}_added", taken), f"what is added to {whole}", NONE))

    def in_turn(own: list[Term], new: list[Term]) -> list[Term]:
        both = [call("_0 @ _1", new[0], own[0])]
        if len(own) > 1:
            both.append(call("added(_0, _1)", call("_0 @ _1", new[0], own[1]), new[1]))
        return both

    left, right = ([one.left for one in fields], [one.right for one in fields])
    combine = _where_empty(right[0], left, _where_empty(left[0], right, in_turn(left, right)))
    starts: list[Term] = [Read(carry.state, ()) for carry in carries]
    moved = call("_0 @ _1", left[0], call(_text("vectors_joined", None, count), *starts))
    if len(fields) > 1:
        moved = call("added(_0, _1)", moved, left[1])
    cut = [call(_text("vector_at", place, count + 1), moved, *starts) for place in range(count)]
    return Part(
        tuple(carry.state for carry in carries), tuple(fields),
        tuple(_where_empty(left[0], made, in_turn(left, made))), tuple(combine),
        tuple(_where_empty(left[0], starts, cut)), f"{ALGEBRA}(+, *), of blocks",
        f"{whole}' = B {whole}{' + b' if len(fields) > 1 else ''}; two steps in turn are "
        f"{'(B2 B1, B2 b1 + b2)' if len(fields) > 1 else 'B2 B1'}",
        "conditioned",
    )  # fmt: skip


def _text(name: str, first: int | None, count: int) -> str:
    given = [*([] if first is None else [str(first)]), *(f"_{n}" for n in range(count))]
    return f"{name}({', '.join(given)})"


def _where_empty(asked: Term, then: Iterable[Term], other: Iterable[Term]) -> list[Term]:
    nothing = Apply("is", (asked, NONE))
    return [Apply("where", (nothing, a, b)) for a, b in zip(then, other, strict=True)]
