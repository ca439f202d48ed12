"""What a rewrite is: a statement about computations with a replacement, and where it may apply.

A rewrite's ``find`` looks at one *site* (a loop or an expression of a lifted function) and returns
a ``Match``, or None where its pattern does not occur, or raises ``Refused`` where it does and a
side condition forbids it. Side conditions are stated with ``site.require(...)`` under a name, so
that a test can lift one and see that nothing else stands in the way.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from auditor.lift import Lifted
from auditor.lift.loops import Loop
from auditor.notation import Computation, Span, Term, Value
from auditor.surroundings.script_assumptions import bearing
from auditor.verdict import Edit, Numerics, Verdict


class Refused(Exception):
    """The pattern is there and a side condition forbids the rewrite. ``advice`` is what can be said
    of the pattern all the same."""

    def __init__(self, condition: str, reason: str) -> None:
        super().__init__(reason)
        self.condition = condition
        self.reason = reason
        self.advice: Match | None = None


@dataclass(frozen=True)
class Example:
    """A program before and after; ``cases`` is the text of an expression, a tuple of the argument
    tuples that ``f`` is called with."""

    title: str
    before: str
    after: str
    cases: str = ""


@dataclass(frozen=True)
class RefusedExample:
    """A program that the rewrite refuses because of ``condition`` alone."""

    condition: str
    source: str


@dataclass(frozen=True)
class Match:
    """A place where a rewrite applies. Without ``edits`` it is advice. ``gains`` are speed-ups as
    measured, or as counted by operations, by target (``any``: on all), where the model of
    ``auditor.cost`` does not see what is saved: where there are no edits, or the gain is
    ``counted``. ``typical`` are the sizes that extents have in such code, where the gain is
    predicted and nothing states them. ``verdicts`` are those that the match itself has shown, of
    properties that notation may not tell. ``computing`` are calls that it has read as computing
    and nothing else, where the reading of the file leaves that open."""

    span: Span
    message: str
    computation: Computation
    edits: tuple[Edit, ...] = ()
    imports: tuple[tuple[str, str | None], ...] = ()
    numerics: Numerics = "reassociated"
    safe: bool = True
    reason: str | None = None
    kernel: str | None = None
    covers: tuple[Span, ...] = ()
    gains: Mapping[str, float] = field(default_factory=dict)
    counted: bool = False
    typical: Mapping[Term, int] = field(default_factory=dict)
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    computing: frozenset[Span] = frozenset()


@dataclass(frozen=True)
class Site:
    """One computation of a lifted function, with what a rewrite may ask of its surroundings.

    ``loop`` is set for a loop; otherwise ``node`` is an expression and ``value`` what it computes;
    ``inside`` says that it stands in the body of a loop or is a comprehension, where only rewrites
    that ask for it look. ``again`` sites are for those rewrites alone that ask what is computed
    again: an expression that may be, or the whole function (``node`` is None).
    """

    lifted: Lifted
    computation: Computation
    loop: Loop | None = None
    node: ast.expr | None = None
    value: Value | None = None
    statement: ast.stmt | None = None
    waived: frozenset[str] = field(default_factory=frozenset)
    inside: bool = False
    again: bool = False

    def require(self, holds: bool, condition: str, reason: str) -> None:
        """State a side condition. Raises ``Refused`` unless it holds."""
        if not holds and condition not in self.waived:
            raise Refused(condition, reason)

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the function is read under; of a script what bears on this statement."""
        stated, script = self.lifted.facts.assumptions, self.lifted.node
        place = self.loop.node if self.loop is not None else self.statement
        if not isinstance(script, ast.Module) or place is None:
            return tuple(stated.values())
        return bearing(script, place, stated)


@dataclass(frozen=True, eq=False)
class Rewrite:
    """One row of the catalog, equal to itself alone. ``inside`` rewrites also see the expressions
    in the bodies of loops, ``again`` ones nothing but what may be computed again.
    ``seeks`` says where it looks (``auditor.screening``): ``loop``, and expressions with an
    ``exponential``, a ``wave``, a ``softmax``, a ``logarithm``, a ``root``, a ``norm``,
    ``moments``, ``windows``, any ``sums``, an ``order``, a ``product``, several ``products``, a
    fold of a ``repetition``, an ``extremum``, an ``inverse``, a ``solution`` of equations, a
    ``diagonal`` or ``identity`` matrix, a ``one-hot`` vector, a ``trace``, a ``part`` of a
    product, ``distances`` of places, places that are ``ordered``, a ``filter`` of an image,
    ``constants`` of an object, ``routing`` to modules of a list, products with what was
    ``chosen``, a ``triangle`` or a mask, a product that is ``cut`` to one or to blocks, stored
    ``zeros``, ``listed`` products, ``tables`` of sums, names that are ``masked`` with twice,
    windows that are ``slid`` along, ``prefixes`` of an array, what is computed ``again``, or any
    ``operation``; with a tuple, those that hold all of its kinds.
    ``kernel`` is the name in ``auditor.kernels``, or None where the ecosystem's own operation is
    called; ``fix`` is ``safe``, ``unsafe`` or ``advice``."""

    code: str
    name: str
    summary: str
    doc: str
    properties: tuple[str, ...]
    find: Callable[[Site], Match | None]
    fix: str = "safe"
    kernel: str | None = None
    becomes: str = ""
    examples: tuple[Example, ...] = ()
    refused: tuple[RefusedExample, ...] = ()
    unmatched: tuple[str, ...] = ()
    inside: bool = False
    again: bool = False
    seeks: tuple[str | tuple[str, ...], ...] = ("loop", "operation")

    @property
    def applicability(self) -> str:
        return self.fix

    @cached_property
    def expressions(self) -> tuple[frozenset[str], ...]:
        """What it looks for in expressions, each time all of several kinds."""
        every = ({kinds} if isinstance(kinds, str) else set(kinds) for kinds in self.seeks)
        return tuple(frozenset(kinds - {"operation"}) for kinds in every
                     if not kinds <= {"loop", "again"})  # fmt: skip

    def may_find(self, inside: bool, again: bool, held: frozenset[str] | None) -> bool:
        """Whether it looks at such sites at all; ``held`` are the kinds of expressions that the
        function may have, and ``loop`` where it has loops (None: any)."""
        if again != self.again or (inside and not self.inside):
            return False
        if held is None or not self.expressions or ("loop" in self.seeks and "loop" in held):
            return True
        return any(kinds <= held for kinds in self.expressions)
