"""Sums of squared differences over all pairs of rows, as one call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from auditor.nests.code import Code
from auditor.nests.parts import Filled
from auditor.nests.said import Said
from auditor.notation import Apply, Const, Index, Read, Reduce, Term, free_indices, walk

KERNEL = "squared_distances"


@dataclass(frozen=True)
class Squares:
    """``total``, the sum over ``index`` of the squares of what rows of ``left`` and ``right``
    differ by."""

    total: Reduce
    index: Index
    left: Read
    right: Read

    @property
    def roots(self) -> tuple[Term, ...]:
        """Its root, in all spellings."""
        plain = Apply("sqrt", (self.total,)), Apply("pow", (self.total, Const(0.5)))
        return (*plain, Apply("call:norm", (self.total,)))

    def covers_roots(self, filled: Filled) -> bool:
        """Whether no other root is taken, so that the call takes all of them."""
        taken = {n for n in walk(filled.term) if isinstance(n, Apply)
                 and (n.op in ("sqrt", "call:norm") or n in self.roots)}  # fmt: skip
        return taken <= {*self.roots}

    def rooted(self, filled: Filled) -> bool:
        """Whether the root is taken of it."""
        return any(node in self.roots for node in walk(filled.term))


def squares(filled: Filled) -> Iterator[Squares]:
    """The sums of squared differences between one row for each of two axes."""
    for node in walk(filled.term):
        if not isinstance(node, Reduce) or node.op != "sum":
            continue
        difference = squared(node.body)
        if not isinstance(difference, Apply) or difference.op != "sub":
            continue
        left, right = difference.args
        rows = [free_indices(side) - {node.index} for side in (left, right)]
        if not isinstance(left, Read) or not isinstance(right, Read):
            continue
        single = all(node.index in free_indices(side) for side in (left, right))
        if single and all(len(row) == 1 for row in rows) and rows[0] != rows[1]:
            yield Squares(node, node.index, left, right)


def squared(body: Term) -> Term | None:
    """What is squared."""
    if not isinstance(body, Apply):
        return None
    if body.op in ("square", "call:squared"):
        return body.args[0]
    if body.op == "pow" and isinstance(body.args[1], Const) and body.args[1].value == 2:
        return body.args[0]
    return body.args[0] if body.op == "mul" and body.args[0] is body.args[1] else None


def distances(code: Code, term: Term, found: list[Squares]) -> Said:
    """``term`` with a call for each of the sums, and for its root."""
    for one in found:
        rows = [code.said(one.left), code.said(one.right)]
        first, second = (next(a for a in said.axes if a is not one.index) for said in rows)
        if code.ordered({first, second}) != (first, second):
            rows, first, second = rows[::-1], second, first
        left, right = (
            code.turned(said, (axis, one.index)).inside(6)
            for said, axis in zip(rows, (first, second), strict=True)
        )
        call = f"{KERNEL}({left}[:, None], {right}"
        code.known[one.total] = Said(f"{call})", (first, second))
        root = Said(f"{call}, root=True)", (first, second))
        code.known.update(dict.fromkeys(one.roots, root))
    return code.filled(term)
