"""What the code that replaces a loop of folds shares: where each carried name starts, which
statements go with the loop, what is assumed, and the edits."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from auditor.arrays.facts import Arrays
from auditor.assumed import assuming
from auditor.folds.between import same_at
from auditor.folds.loop import Fold, FoldLoop
from auditor.folds.notation import computation_of
from auditor.notation import Value
from auditor.rewrite import Match, Site
from auditor.surroundings.region import Binding, Region
from auditor.syntax import constant, infinite, path_of
from auditor.tree import everything_in
from auditor.verdict import Numerics

_WORDS = {"sum": "a sum", "prod": "a product", "max": "a maximum", "min": "a minimum",
          "any": "whether any element is true", "all": "whether all elements are true",
          "set": "a flag", "argmax": "the place of the maximum",
          "argmin": "the place of the minimum"}  # fmt: skip
_FRESH = ("zeros", "ones", "full", "zeros_like", "ones_like", "full_like", "tensor", "array",
          "new_zeros", "new_ones", "new_full", "clone", "copy")  # fmt: skip


@dataclass
class Start:
    """What a name holds before the loop. ``statement`` may be dropped once the value is taken."""

    binding: Binding | None
    value: ast.expr | None
    text: str
    number: bool
    fresh: bool

    @property
    def literal(self) -> object:
        return constant(self.value)


@dataclass
class Plan:
    site: Site
    region: Region
    loop: FoldLoop
    reasons: list[str] = field(default_factory=list)
    imports: list[tuple[str, str | None]] = field(default_factory=list)
    taken: dict[ast.stmt, set[str]] = field(default_factory=dict)
    exact: bool = True
    gains: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.module = self.region.module
        self.arrays = Arrays(self.region)

    def require(self, holds: bool, condition: str, reason: str) -> None:
        self.site.require(holds, condition, reason)

    def assume(self, sentence: str) -> None:
        if sentence not in self.reasons:
            self.reasons.append(sentence)

    def start(self, name: str) -> Start:
        binding = self.region.binding_before(self.loop.node, name)
        value = binding.value if binding is not None else None
        held = self.region.scope(self.loop.node).get(name)
        literal = constant(value)
        number = isinstance(literal, (int, float)) and not isinstance(literal, bool)
        number = number or bool(infinite(self.module, value))
        if not number and isinstance(held, Value) and not held.axes:
            number = held.library == "python" and held.dtype in ("int", "float")
        fresh = isinstance(value, (ast.BinOp, ast.UnaryOp))
        if isinstance(value, ast.Call):
            path = path_of(self.module, value.func) or ""
            last = value.func.attr if isinstance(value.func, ast.Attribute) else path
            copied = not any(word.arg == "copy" for word in value.keywords)
            fresh = copied and last.rsplit(".", 1)[-1] in _FRESH
        if binding is not None and not same_at(self.region, binding, self.loop.node):
            # The name still holds it; what it was bound to may be something else by now.
            binding = value = None
        text = self.module.source(value) if value is not None else name
        return Start(binding, value, text, number, fresh)

    def take(self, name: str, start: Start) -> None:
        """The start has gone into the new code: its statement is not needed any more."""
        if start.binding is not None and start.binding.unread:
            self.taken.setdefault(start.binding.statement, set()).add(name)

    def movable(self, start: Start) -> bool:
        """Whether the start's own text may stand where the loop stands."""
        return start.binding is not None and (
            isinstance(start.literal, (int, float))
            or infinite(self.module, start.value) != 0
            or start.literal is None
        )

    def finish(self, lines: list[str]) -> Match:
        loop, region = self.loop, self.region
        gone = [
            statement for statement, taken in self.taken.items()
            if _bound(statement) == taken and region.siblings(statement) != [statement]
        ]  # fmt: skip
        if loop.counter_start is not None:
            name = next(iter(_bound(loop.counter_start)), "")
            binding = region.binding_before(loop.node, name)
            if binding is not None and binding.alone and binding.unread:
                gone.append(loop.counter_start)
        if loop.returns is not None:
            after = region.next_statement(loop.node)
            assert after is not None
            gone.append(after)
        edits = region.drops(gone)
        edits.append(region.replace_lines(loop.node, lines))
        numerics: Numerics = "exact" if self.exact else "reassociated"
        computation = computation_of(self.site, loop)
        self.require(computation is not None, "scan", "the loop is no scan in its notation")
        return Match(
            span=region.module.span(loop.node),
            message=self._message(),
            computation=computation or self.site.computation,
            edits=tuple(sorted(edits)),
            imports=tuple(self.imports),
            gains=self.gains,
            counted=bool(self.gains),
            numerics=numerics,
            reason=assuming(self.reasons),
        )

    def advice(self, why: str) -> Match | None:
        """What the loop computes, where the code for it depends on what is not known. Sums of text
        and tuples are none, and a flag is found no sooner otherwise."""
        computation = computation_of(self.site, self.loop)
        if computation is None or not all(map(self._of_numbers, self.loop.folds)):
            return None
        return Match(
            span=self.module.span(self.loop.node),
            message=f"{self._message()}; not applied here: {why}",
            computation=computation,
        )

    def _of_numbers(self, fold: Fold) -> bool:
        if fold.op in ("any", "all", "set"):
            return False
        scope = self.region.scope(self.loop.node)
        return all(
            self.start(name).number
            or (isinstance(held := scope.get(name), Value) and held.library in ("torch", "numpy"))
            for name in fold.names
        )

    def _message(self) -> str:
        names = [name for fold in self.loop.folds for name in fold.names]
        what = " and ".join(dict.fromkeys(_WORDS[fold.op] for fold in self.loop.folds))
        said = f"`{'`, `'.join(names)}`: " if names else ""
        return f"{said}the loop computes {what}, one step at a time"


def _bound(statement: ast.stmt) -> set[str]:
    """The names that a statement binds."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [
        getattr(statement, "target", statement)
    ]  # fmt: skip
    return {n.id for t in targets for n in everything_in(t) if isinstance(n, ast.Name)}
