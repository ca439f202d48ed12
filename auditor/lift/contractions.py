"""Contractions: einsum and the matrix products."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace

from auditor.lift.dtypes import library_of, result_dtype
from auditor.lift.ranks import Ranks, Unsupported, many
from auditor.notation import (
    ONE,
    ZERO,
    Apply,
    Index,
    Read,
    Reduce,
    Term,
    Value,
    free_indices,
    substitute,
    walk,
)

LETTERS = "axes of one letter in an einsum"


class Contractions(Ranks):
    """Sums of products over shared axes."""

    def einsum(self, pattern: str, operands: Seq[Value], words: bool = False) -> Value:
        """``torch.einsum``; with ``words`` (einops) labels are separated by spaces."""
        left, arrow, right = pattern.partition("->")
        labels_of = str.split if words else _labels
        inputs = [labels_of(part) for part in left.split(",")]
        if len(inputs) != len(operands):
            raise Unsupported("an einsum pattern with another number of operands")
        output = labels_of(right) if arrow else None
        if any("..." in labels for labels in inputs):
            return self._einsum_dots(inputs, output, operands)
        for labels, operand in zip(inputs, operands, strict=True):
            if self.group_of(operand) is not None:
                self.need_rank(operand, len(labels))
            if len(operand.axes) != len(labels):
                self.recount(operand, len(labels))
                raise Unsupported("an einsum pattern with another number of axes")
        if output is None:
            letters = [label for labels in inputs for label in labels]
            output = sorted(label for label in set(letters) if letters.count(label) == 1)
        return self._sum_of_products(inputs, output, operands)

    def _sum_of_products(
        self, inputs: Seq[list[str]], output: list[str], operands: Seq[Value]
    ) -> Value:
        """One label an axis; labels that are not in the output are summed over."""
        bound: dict[str, Index] = {}
        for labels, operand in zip(inputs, operands, strict=True):
            for label, axis in zip(labels, operand.axes, strict=True):
                extent, known = self.facts.extent(axis.extent), bound.get(label)
                if known is None or (known.extent is ONE and extent is not ONE):
                    bound[label] = Index(axis.name if axis.group else label, extent, axis.group)
                elif known.extent is not extent and extent is not ONE:
                    self._unify_letter(known.extent, extent)
        elements: list[Term] = []
        for labels, operand in zip(inputs, operands, strict=True):
            elements.append(
                self.element(
                    operand,
                    [
                        ZERO if self.facts.extent(axis.extent) is ONE else bound[label]
                        for label, axis in zip(labels, operand.axes, strict=True)
                    ],
                )
            )
        body: Term = elements[0] if len(elements) == 1 else Apply("mul", tuple(elements))
        for label in reversed(list(bound)):
            if label not in output:
                body = Reduce("sum", bound[label], body)
        if not set(output) <= set(bound) or len(set(output)) != len(output):
            raise Unsupported("an einsum pattern whose output has other labels")
        axes = [bound[label] for label in output]
        return self.make(axes, body, result_dtype("mul", operands), library_of(operands))

    def _unify_letter(self, one: Term, other: Term) -> None:
        """Two axes have one letter: one of them may have a single entry, which meets all of the
        other's. That it has not is assumed."""
        if self.facts.unify(one, other):
            self.facts.assume(LETTERS, f"{LETTERS} have one length", "letters")
            if self.span is not None:
                self.facts.lettered.add(self.span)

    def _einsum_dots(
        self, inputs: list[list[str]], output: list[str] | None, operands: Seq[Value]
    ) -> Value:
        """``...`` spelled out: a name for each axis that it stands for, aligned from the right."""
        widths: list[int | None] = []
        groups: set[Term] = set()
        for labels, operand in zip(inputs, operands, strict=True):
            if "..." not in labels:
                if self.group_of(operand) is not None:
                    self.need_rank(operand, len(labels))
                if len(operand.axes) != len(labels):
                    raise Unsupported("an einsum pattern with another number of axes")
                widths.append(None)
                continue
            at = labels.index("...")
            after = len(labels) - at - 1
            if at:
                self.need_lead(operand, at)
            if after:
                self.need_tail(operand, after)
            middle = operand.axes[at : len(operand.axes) - after]
            if len(operand.axes) < at + after:
                raise Unsupported("an einsum pattern with more labels than axes")
            widths.append(len(middle))
            groups |= {axis.extent for axis in middle if axis.group}
        known = {width for width in widths if width is not None}
        if len(groups) > 1 or (groups and len(known) > 1):
            return self._einsum_groups(inputs, output, operands)
        names = [f"_{p}" for p in range(max(known))]

        def spelled(labels: list[str], width: int | None) -> list[str]:
            if width is None:
                return labels
            at = labels.index("...")
            return [*labels[:at], *names[len(names) - width :], *labels[at + 1 :]]

        full = [spelled(labels, width) for labels, width in zip(inputs, widths, strict=True)]
        if output is None:
            letters = [label for labels in inputs for label in labels if label != "..."]
            output = ["...", *sorted(x for x in set(letters) if letters.count(x) == 1)]
        target = spelled(output, len(names)) if "..." in output else output
        return self._sum_of_products(full, target, operands)

    def _einsum_groups(
        self, inputs: list[list[str]], output: list[str] | None, operands: Seq[Value]
    ) -> Value:
        """Leading ``...`` of several operands of unknown rank, broadcast as in ``matmul``."""
        if output is None or any("..." in labels[1:] for labels in (*inputs, output)):
            raise Unsupported("an einsum whose `...` stands for different axes")
        if output[:1] != ["..."]:
            raise Unsupported("an einsum that sums over axes of unknown number")
        place = self.located()
        batch = self.facts.axes(place, place)
        bound: dict[str, Index] = {}
        elements: list[Term] = []
        for labels, operand in zip(inputs, operands, strict=True):
            named = labels[1:] if labels[:1] == ["..."] else labels
            tail = operand.axes[len(operand.axes) - len(named) :]
            for label, axis in zip(named, tail, strict=True):
                extent, seen = self.facts.extent(axis.extent), bound.get(label)
                if seen is None:
                    bound[label] = Index(label, extent)
                elif seen.extent is not extent:
                    self._unify_letter(seen.extent, extent)
            subs = tuple(bound[label] for label in named)
            whole = labels[:1] == ["..."]
            elements.append(
                Read(operand, (*batch, *subs), aligned=True) if whole else Read(operand, subs)
            )
        body: Term = elements[0] if len(elements) == 1 else Apply("mul", tuple(elements))
        for label in reversed(list(bound)):
            if label not in output:
                body = Reduce("sum", bound[label], body)
        axes = (*batch, *(bound[label] for label in output[1:]))
        return self.make(axes, body, result_dtype("mul", operands), library_of(operands))

    def _certain(self, value: Value) -> bool:
        """Whether a value is a part of what certainly has as many axes as it was taken to have."""
        while isinstance(value.body, Read):
            value = value.body.value
        return value.kind == "input" and value.name not in self.facts.assumptions

    def matmul(self, left: Value, right: Value) -> Value:
        """``left @ right`` with the batch axes broadcast."""
        self.take_for_length(left, right)
        if self.group_of(left) is not None and len(right.axes) == 2:
            if self.group_of(right) is None:
                # A matrix on the right takes any number of axes on the left.
                self.facts.multiplied.add(self.owner_of(left))
                self.need_tail(left, 1)
                return self._matvec(left, right)
        for value, other in ((left, right), (right, left)):
            at, rank = self.group_of(value), len(other.axes)
            if at is not None and at > 1 and rank > 1 and self.group_of(other) is None:
                self._need_batch(value, other, told=value is right)
            if at is not None:
                owner, last = self._owner(value.axes[at]), len(value.axes) - at - 1
                if last < 2 or value.kind != "derived":  # which may have been made with two
                    each = "each " if _of_a_step(value) else ""
                    said = f"{each}`{value.name}` has 2 axes or more, as `@` says"
                    self.facts.assume(owner, said, "product")
                put_in = at > 1 and self.facts.extent(value.axes[at - 1].extent) is ONE
                if put_in and not last:  # `k[:, None]`: of a vector, a matrix
                    self.facts.fewest.setdefault(owner, self.facts.of(owner).first)
                self.need_tail(value, 2)
            if at is None and self.group_of(other) is None and rank > 1:
                fewer = len(value.axes) > rank > 2 and self._certain(other)
                if 1 < len(value.axes) < rank or fewer:
                    self.recount(value, rank, met=True)
        if not left.axes or not right.axes:
            raise Unsupported("a matrix product with a scalar")
        if len(left.axes) == 1 or len(right.axes) == 1:
            return self._matvec(left, right)
        a, b = self.fresh(left.axes), self.fresh(right.axes)
        self.facts.unify(a[-1].extent, b[-2].extent)
        inner = Index("k", self.facts.extent(a[-1].extent))
        stub_left = replace(left, axes=a[:-2], body=None)
        stub_right = replace(right, axes=b[:-2], body=None)
        batch, reads = self.align([stub_left, stub_right])
        row = Index(a[-2].name, a[-2].extent)
        column = Index("e" if b[-1].name == a[-2].name else b[-1].name, b[-1].extent)
        terms = []
        for value, read, extra in (
            (left, reads[0], (row, inner)),
            (right, reads[1], (inner, column)),
        ):
            aligned = isinstance(read, Read) and read.aligned
            subs = (*batch, *extra) if aligned else (*_subs(read), *extra)
            terms.append(Read(value, subs, aligned=True) if aligned else self.element(value, subs))
        body = self._summed(inner, Apply("mul", tuple(terms)))
        axes = (*batch, row, column)
        return self.make(axes, body, result_dtype("mul", (left, right)), library_of((left, right)))

    def take_for_length(self, left: Value, right: Value) -> None:
        """Take a part of an array of unknown rank that is multiplied with itself, or a multiple of
        itself, for a vector: this is a squared length rather than the square of a matrix."""
        at = self.group_of(right)
        if at is None or len(right.axes) > 1 or not self.facts.of(self.owner_of(right)).first:
            return
        read = (node for node in walk(left.body or ONE) if isinstance(node, Read))
        if left is right or any(node.value is right for node in read):
            said = f"{self.called(right)} has 1 axis, as its product with itself says"
            self.need_rank(right, 1, said)

    def _need_batch(self, value: Value, other: Value, told: bool) -> None:
        """Take ``value``, of which several first axes are known, to have as many axes as the
        ``other`` factor, or so many that the axis whose size that one is made of is the last but
        one: ``n = x.shape[1]`` and a matrix of n columns before ``x``."""
        rank, known = len(other.axes), len(value.axes) - 1
        why = f"{self.called(value)} has {many(rank)}, as many as what it meets"
        if known > rank:  # the other has more than it was taken to have
            owner = self.owner_of(value)
            whole = self.facts.of(owner).first + self.facts.of(owner).tail
            subject = f"`{owner}`" if owner.isidentifier() else self.called(value)
            said = f"{subject} has {many(whole)}, as its uses say"
            self.need_rank(value, known, said, "uses")
        if told:
            columns = self.facts.extent(other.axes[-1].extent)
            first = value.axes[: self.group_of(value)]
            sizes = [self.facts.extent(axis.extent) for axis in first]
            if sizes.count(columns) == 1 and sizes.index(columns) + 2 > rank:
                rank = sizes.index(columns) + 2
                why = f"{self.called(value)} has {many(rank)}, as its size says that it meets"
        self.need_rank(value, rank, why, "meeting")

    def _summed(self, inner: Index, body: Term) -> Term:
        """The sum over an index; over one element, as of a column and a row, that element."""
        if self.facts.extent(inner.extent) is ONE:
            return substitute(body, {inner: ZERO})
        return Reduce("sum", inner, body)

    def _matvec(self, left: Value, right: Value) -> Value:
        a, b = self.fresh(left.axes), self.fresh(right.axes)
        inner_left, inner_right = a[-1], b[0 if len(b) == 1 else -2]
        self.facts.unify(inner_left.extent, inner_right.extent)
        inner = Index("k", self.facts.extent(inner_left.extent))
        left_subs = (*a[:-1], inner)
        right_subs = tuple(inner if axis is inner_right else axis for axis in b)
        product = Apply("mul", (self.element(left, left_subs), self.element(right, right_subs)))
        body = self._summed(inner, product)
        axes = (*a[:-1], *(axis for axis in b if axis is not inner_right))
        return self.make(axes, body, result_dtype("mul", (left, right)), library_of((left, right)))

    def tensordot(
        self, left: Value, right: Value, over_left: Seq[int], over_right: Seq[int]
    ) -> Value:
        """Summed over pairs of axes; the other axes of ``left``, then those of ``right``."""
        a, b = list(self.fresh(left.axes)), list(self.fresh(right.axes))
        sums: list[Index] = []
        for p, q in zip(over_left, over_right, strict=True):
            self.facts.unify(a[p].extent, b[q].extent)
            shared = Index("k", self.facts.extent(a[p].extent))
            a[p] = b[q] = shared
            sums.append(shared)
        body: Term = Apply("mul", (self.element(left, a), self.element(right, b)))
        for shared in reversed(sums):
            body = Reduce("sum", shared, body)
        axes = [axis for axis in (*a, *b) if axis not in sums]
        return self.make(axes, body, result_dtype("mul", (left, right)), library_of((left, right)))


def _of_a_step(value: Value) -> bool:
    """Whether a name stands for one row after another, as in ``for row in rows``."""
    return value.name.isidentifier() and any(
        not set(free_indices(sub)) <= set(value.axes) for sub in _subs(value.body or ONE)
    )


def _subs(term: Term) -> tuple[Term, ...]:
    return term.subs if isinstance(term, Read) else ()


def _labels(text: str) -> list[str]:
    """The labels of one einsum operand."""
    compact = text.replace(" ", "")
    labels: list[str] = []
    while compact:
        take = 3 if compact.startswith("...") else 1
        labels.append(compact[:take])
        compact = compact[take:]
    return labels
