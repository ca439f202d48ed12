"""einops: patterns over named axes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.lift import extents
from auditor.lift.arrays import Unsupported
from auditor.lift.calls import Call, Meaning
from auditor.lift.objects import Collected, Literal, Obj, Sequence
from auditor.lift.subscripts import ravelled
from auditor.lift.tables.joins import stack_values, stacked
from auditor.notation import ONE, ZERO, Apply, Const, Index, Reduce, Term, Value, substitute

if TYPE_CHECKING:
    from auditor.lift.lifter import Lifter

Groups = list[list[str]]
_MERGED = "()"
"""Marks a group that merges what `...` stands for, however few axes that is."""


def _groups(text: str) -> Groups:
    """The names of one side, one list for each axis."""
    groups: Groups = []
    inside: list[str] | None = None
    for token in text.replace("(", " ( ").replace(")", " ) ").split():
        if token == "(":
            inside = []
            groups.append(inside)
        elif token == ")":
            inside = None
        elif inside is not None:
            inside.append("(...)" if token == "..." else token)
        else:
            groups.append([token])
    return [[name for name in group if name != "1"] for group in groups]


def _sides(c: Call) -> tuple[Groups, Groups]:
    left, arrow, right = c.text("pattern").partition("->")
    if not arrow:
        raise Unsupported("an einops pattern without an arrow")
    return _groups(left), _groups(right)


def _sizes(c: Call) -> dict[str, Term]:
    given = c.obj("sizes") if c.has("sizes") else Sequence(())
    assert isinstance(given, Sequence)
    found: dict[str, Term] = {}
    for pair in given.items:
        assert isinstance(pair, Sequence)
        name, size = pair.items
        assert isinstance(name, Literal)
        found[str(name.value)] = c.lifter.as_size(size)
    return found


def _input(c: Call) -> Value:
    """The array; a list of arrays is stacked along a new first axis."""
    obj = c.obj("input")
    if isinstance(obj, Collected):
        return stacked(c, obj, 0)
    if isinstance(obj, Sequence):
        return stack_values(c, [c.lifter.as_value(item) for item in obj.items], 0)
    return c.lifter.as_value(obj)


def _spelled(
    c: Call, value: Value, left: Groups, right: Groups
) -> tuple[Groups, Groups, list[str]]:
    """Both sides with ``...`` replaced by a name for each axis that it stands for."""
    dots = [p for p, group in enumerate(left) if {"...", "(...)"} & set(group)]
    if not dots:
        c.ops.need_rank(value, len(left))
        return left, right, []
    at = dots[0]
    if len(dots) > 1 or left[at] != ["..."]:
        raise Unsupported("an einops pattern with `...` in parentheses on the left")
    after = len(left) - at - 1
    if at:
        c.ops.need_lead(value, at)
    if after:
        c.ops.need_tail(value, after)
    count = len(value.axes) - at - after
    if count < 0:
        raise Unsupported("an einops pattern with more axes than its array")
    names = [f"_{p}" for p in range(count)]

    def spell(groups: Groups) -> Groups:
        found: Groups = []
        for group in groups:
            if group == ["..."]:
                found.extend([name] for name in names)
            elif "(...)" in group:
                place = group.index("(...)")
                found.append([*group[:place], *names, *group[place + 1 :], _MERGED])
            else:
                found.append(group)
        return found

    return spell(left), spell(right), names


def _named_axes(
    c: Call, value: Value, left: Groups, sizes: dict[str, Term]
) -> tuple[dict[str, Index], list[Term]]:
    """An axis for each name on the left, and the subscripts of ``value`` in terms of them."""
    axes: dict[str, Index] = {}
    subs: list[Term] = []
    for group, axis in zip(left, value.axes, strict=True):
        extent = c.lifter.facts.extent(axis.extent)
        if axis.group:
            if len(group) != 1:
                raise Unsupported("an einops pattern that merges axes of unknown number")
            axes[group[0]] = Index(axis.name, extent, group=True)
            subs.append(axes[group[0]])
            continue
        missing = [name for name in group if name not in sizes]
        if len(missing) > 1:
            raise Unsupported("an einops pattern with two unknown sizes in one axis")
        known = extents.mul(ONE, *(sizes[name] for name in group if name in sizes))
        for name in group:
            size = extents.floordiv(extent, known) if name in missing else sizes[name]
            axes[name] = Index(name, c.lifter.facts.extent(size))
        if not missing and extent is not known:
            c.lifter.facts.unify(extent, known)
        subs.append(ravelled([axes[name] for name in group]) if group else ZERO)
    return axes, subs


def _einops(c: Call, op: str | None, new: bool) -> Value:
    value, sizes = _input(c), _sizes(c)
    left, right = _sides(c)
    left, right, _ = _spelled(c, value, left, right)
    axes, subs = _named_axes(c, value, left, sizes)
    target = [name for group in right for name in group if name != _MERGED]
    if new:
        for name in target:
            if name not in axes and name in sizes:
                axes[name] = Index(name, sizes[name])
            elif name not in axes and name.isdigit():
                axes[name] = Index("n", Const(int(name)))
    if not set(target) <= set(axes) or len(target) != len(set(target)):
        raise Unsupported("an einops pattern with an axis of unknown size")
    element = c.ops.element(value, subs)
    dropped = [axes[name] for group in left for name in group if name not in target]
    for axis in reversed(dropped):
        if op is None:
            if axis.extent is not ONE:
                raise Unsupported("an einops pattern that drops an axis")
            element = substitute(element, {axis: ZERO})
        else:
            element = Reduce("sum" if op == "mean" else op, axis, element)
    if op == "mean":
        count = extents.mul(ONE, *(axis.extent for axis in dropped))
        element = Apply("div", (element, count))
    result, by = _merged(c, right, axes)
    return c.ops.make(result, substitute(element, by), value.dtype, value.library)


def _merged(c: Call, right: Groups, axes: dict[str, Index]) -> tuple[list[Index], dict[Term, Term]]:
    """The axes of the result, and what the named axes are in terms of them."""
    result: list[Index] = []
    by: dict[Term, Term] = {}
    for names in right:
        group = [name for name in names if name != _MERGED]
        if len(names) == len(group) == 1:
            result.append(axes[group[0]])
            continue
        if any(axes[name].group for name in group):
            raise Unsupported("an einops pattern that merges axes of unknown number")
        size = extents.mul(ONE, *(axes[name].extent for name in group))
        whole = Index("_".join(group) or "u", c.lifter.facts.extent(size))
        rest: Term = whole
        for position, name in reversed(list(enumerate(group))):
            if position == 0:
                by[axes[name]] = rest
            else:
                by[axes[name]] = extents.mod(rest, axes[name].extent)
                rest = extents.floordiv(rest, axes[name].extent)
        result.append(whole)
    return result, by


def rearrange(c: Call) -> Obj:
    return _einops(c, None, new=False)


def repeat(c: Call) -> Obj:
    return _einops(c, None, new=True)


def reduce(c: Call) -> Obj:
    op = c.text("reduction")
    if op not in ("sum", "mean", "max", "min", "prod", "any", "all"):
        raise Unsupported(f"the reduction `{op}`")
    return _einops(c, op, new=False)


def einsum(c: Call) -> Obj:
    args = c.obj("args")
    assert isinstance(args, Sequence)
    pattern = args.items[-1] if args.items else None
    if not (isinstance(pattern, Literal) and isinstance(pattern.value, str)):
        raise Unsupported("an einsum pattern that is not a literal string")
    return c.ops.einsum(
        pattern.value, [c.lifter.as_value(item) for item in args.items[:-1]], words=True
    )


class Sized(Meaning):
    """einops functions take the sizes of axes as keywords of any name."""

    def call(self, lifter: Lifter, args: list[Obj], keywords: dict[str, Obj]) -> Obj:
        known = {name for names, _ in self.parameters for name in names}
        sizes = [
            Sequence((Literal(name), obj)) for name, obj in keywords.items() if name not in known
        ]
        rest = {name: obj for name, obj in keywords.items() if name in known}
        return super().call(lifter, args, {**rest, "sizes": Sequence(tuple(sizes))})


_EINOPS = "input|tensor, pattern, sizes="

FUNCTIONS: dict[str, Meaning] = {
    "einops.rearrange": Sized(_EINOPS, rearrange),
    "einops.repeat": Sized(_EINOPS, repeat),
    "einops.reduce": Sized("input|tensor, pattern, reduction, sizes=", reduce),
    "einops.einsum": Meaning("*args", einsum),
}
