"""Arrays of all pairs that broadcasting makes only to sum them: what is said of them, and the call
that takes the place of the pull of particles on each other."""

from __future__ import annotations

import ast
import math
from dataclasses import replace

from auditor.algebra.normal import expand, expanded_size
from auditor.algebra.subterms import everything
from auditor.assumed import assuming
from auditor.expressions.region import ExpressionRegion, Text, text_of
from auditor.nests.pairs import squared
from auditor.notation import (
    Apply,
    Const,
    Index,
    Read,
    Reduce,
    Term,
    Value,
    walk,
)
from auditor.pairs.attractions import Attraction, attraction, by_columns
from auditor.rewrite import Match, Refused, Site
from auditor.surroundings.region import Region
from auditor.syntax import tight
from auditor.tree import everything_in

KERNEL = "nbody"
_ROOT = " ** 0.5"
_LARGEST = 400
_CURVED = ("div", "sqrt", "rsqrt", "exp", "log", "abs", "tanh", "sin", "cos", "max", "min")


def _needed_whole(region: Region, node: ast.AST) -> bool:
    """Whether a table that ``node`` reads is returned or given to a call elsewhere, after element
    by element operations at most: then tiles would save nothing."""
    waiting = [
        inner.id for inner in everything_in(node)
        if isinstance(inner, ast.Name) and _axes(region, inner) > 1
    ]  # fmt: skip
    for name in waiting:  # grows while it is walked
        for load in region.loads.get(name, ()):
            at: ast.AST = load
            above = region.parents.get(at)
            while isinstance(above, ast.expr) and _axes(region, above) == _axes(region, load):
                if above is node:
                    break  # it is summed there
                if isinstance(above, ast.BinOp) and isinstance(above.op, ast.MatMult):
                    break
                at, above = above, region.parents.get(above)
            target = above.targets[0] if isinstance(above, ast.Assign) else None
            if isinstance(target, ast.Name) and target.id not in waiting:
                waiting.append(target.id)
            if above is node:
                continue
            called = isinstance(above, ast.Call) and at in above.args and not _axes(region, above)
            if called and not isinstance(region.values.get(above), Value):  # type: ignore[call-overload]
                if not isinstance(region.parents.get(above), ast.Expr):  # type: ignore[arg-type]
                    return True
            if isinstance(above, ast.Return):
                return True
    return False


def _axes(region: Region, node: ast.expr) -> int:
    value = region.values.get(node)
    return len(value.axes) if isinstance(value, Value) else 0


def table_match(site: Site) -> Match | None:
    """What can be said of a sum over an array of all pairs, which is a function of what their
    elements differ by that is no polynomial."""
    value = site.value
    if value is None or value.body is None:
        return None
    joined = _of_columns(site, value)
    if joined is not None:
        return joined
    mean = isinstance(value.body, Apply) and value.body.op == "div"
    total = value.body.args[0] if mean and isinstance(value.body, Apply) else value.body
    if not isinstance(total, Reduce) or total.op != "sum":
        return None
    if site.node is None or value.span != site.lifted.module.span(site.node):
        return None
    if expanded_size(total) > _LARGEST or _needed_whole(Region(site.lifted), site.node):
        return None
    whole = expand(total)
    assert isinstance(whole, Reduce)
    column = whole.index
    for row in value.axes:
        if row.group or column.group:
            continue
        apart = {
            node for node in walk(whole.body)
            if isinstance(node, Apply) and node.op == "sub" and _differ(node, row, column)
        }  # fmt: skip
        curved = any(
            isinstance(node, Apply) and _curved(node) and not apart.isdisjoint(walk(node))
            for node in walk(whole.body)
        )
        if curved:
            met = {value for node in apart for ends in ((row, column), (column, row))
                   for value in read_at(node, *ends)}  # fmt: skip
            names = ", ".join(sorted(f"`{each.name}`" for each in met))
            advice = _advice(site, names)
            found = None if mean or len(value.axes) != 2 else attraction(total, *value.axes)
            if found is None:
                return advice
            try:
                return _Pull(site, advice).match(value, found)
            except Refused as refusal:
                refusal.advice = advice
                raise
    return None


def _advice(site: Site, names: str) -> Match:
    return Match(
        span=site.computation.span,
        message=f"an array of all pairs of {names} is made to be summed: tiles of pairs,"
        " added up one after the other, need no more memory than a few rows",
        computation=site.computation,
    )


def _of_columns(site: Site, value: Value) -> Match | None:
    """The pull of particles of which the coordinates are computed one by one."""
    if site.node is None or value.span != site.lifted.module.span(site.node):
        return None
    found = by_columns(value)
    if found is None:
        return None
    match = _Pull(site, _advice(site, f"`{found.positions.name}`")).match(value, found)
    return match if match.edits else None


class _Pull(ExpressionRegion):
    """The expression that sums up how particles pull on each other."""

    def __init__(self, site: Site, advice: Match) -> None:
        super().__init__(site)
        self.advice = advice

    def match(self, value: Value, found: Attraction) -> Match:
        """The match; without a fix where the kernel cannot say what the code does."""
        passed = _tables(value)
        softening = self._softening(found.softening)
        places = (found.positions, found.masses.value)
        said = [self.say(each) for each in places]
        positions, masses = said
        if positions is None or masses is None or softening is None:
            return self.advice
        self.site.require(not self.autocast(), "autocast", "under autocast sums have another dtype")
        self.site.require(
            self.same_gradients(passed),
            "gradients",
            "the pairs are made under another `with` block",
        )
        self.site.require(
            self.steady(passed, [positions, masses]),
            "effects",
            "something in between may change the particles",
        )
        gravity = self._gravity(found)
        if gravity is None:
            return self.advice
        column = "[:, 0]" if len(found.masses.subs) > 1 else ""
        if found.columns is not None and found.positions.axes[1].extent != Const(found.columns):
            positions = text_of(f"{positions.dotted()}[:, :{found.columns}]")
        arguments = [positions.text, f"{masses.dotted() if column else masses.text}{column}"]
        for word, text in (("softening", softening), ("gravity", gravity)):
            arguments += [f"{word}={text.text}"] if text.text else []
        reads = frozenset({KERNEL}).union(
            *(text.reads for text in (positions, masses, softening, gravity))
        )
        removal = self.removal({self.node: Text("", reads)})
        self.require_gone(removal, passed, self.node, "pairs-used")
        edits = (self.replacement(KERNEL, arguments), *removal.edits)
        return replace(
            self.advice,
            message=f"{self.advice.message}, and what one particle does to another serves both",
            edits=tuple(sorted(edits, key=lambda edit: edit.span)),
            imports=(("auditor.kernels", KERNEL),),
            kernel=f"auditor.kernels.{KERNEL}",
            reason=assuming([*self._told(reads), *self._assumed(found, softening)]),
        )

    def _told(self, reads: frozenset[str]) -> list[str]:
        """What is taken for granted of the particles and numbers."""
        assumptions = self.lifted.facts.assumptions
        return [assumptions[name] for name in sorted(reads & assumptions.keys())]

    def _softening(self, added: Term | None) -> Text | None:
        """What is squared and added to a squared distance, as code; empty for nothing."""
        if added is None:
            return Text("")
        if isinstance(added, Const):
            number = added.value
            if not isinstance(number, (int, float)) or number <= 0:
                return None
            return Text(repr(math.sqrt(number)))
        width = squared(added)
        if isinstance(width, Const):
            return Text(repr(width.value)) if width.value else None
        if isinstance(width, Read) and not width.subs:
            return self.say(width.value)
        if isinstance(added, Read) and not added.subs:
            text = self.say(added.value)
            return None if text is None else text_of(f"{tight(text.text)}{_ROOT}")
        return None

    def _gravity(self, found: Attraction) -> Text | None:
        if found.gravity is None:
            return Text("" if found.sign > 0 else "-1")
        text = self.say(found.gravity.value)
        if text is None or found.sign > 0:
            return text
        return text_of(f"-{tight(text.text)}")

    def _assumed(self, found: Attraction, softening: Text) -> list[str]:
        """A particle is left out of what pulls it, where the code adds its distance of 0, divided
        by the softening alone."""
        if found.guarded:
            root = softening.text.removesuffix(_ROOT)
            unless = f" where `{root}` is 0" if softening.text else ""
            return [f"no two of `{found.positions.name}` are equal{unless}"]
        if found.others or not softening.reads:
            return []
        root = softening.text.removesuffix(_ROOT)
        return [f"`{root}` is {'not 0' if root == softening.text else 'positive'}"]


def _tables(value: Value) -> list[Value]:
    """The arrays of two axes and more that are computed on the way to a value."""
    reads = everything([] if value.body is None else [value.body])
    return list(dict.fromkeys(
        node.value for node in reads
        if isinstance(node, Read) and len(node.value.axes) > 1
        and isinstance(node.value.body, (Apply, Reduce))
    ))  # fmt: skip


def _differ(node: Apply, row: Index, column: Index) -> bool:
    """Whether an element that one step of a pair names is taken from one that the other does."""
    ends = (row, column), (column, row)
    return any(
        read_at(node.args[0], *here) and read_at(node.args[1], *here[::-1])
        and not read_at(node.args[0], *here[::-1]) for here in ends
    )  # fmt: skip


def _curved(node: Apply) -> bool:
    """Whether a function is no polynomial, of which sums over pairs are products of sums."""
    if node.op == "pow":
        exponent = node.args[1]
        whole = isinstance(exponent, Const) and exponent.value in range(10)
        return not whole
    return node.op in _CURVED


def read_at(term: Term, step: Index, other: Index) -> set[Value]:
    """The arrays of which an element is read at one of the steps and not at the other, as no
    element of a matrix is that both count through."""
    found = set()
    for node in walk(term):
        if isinstance(node, Read):
            places = {part for sub in node.subs for part in walk(sub)}
            if step in places and other not in places:
                found.add(node.value)
    return found
