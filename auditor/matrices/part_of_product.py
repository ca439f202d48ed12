"""Part of a product of matrices, or of what a linear layer gives, used instead of all of it."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from auditor.arrays.facts import leaves
from auditor.assumed import about_ranks, assuming, has_axes
from auditor.expressions.rebound import ReboundRegion
from auditor.expressions.region import Text
from auditor.expressions.suppositions import vector_perhaps
from auditor.lift.objects import Instance
from auditor.notation import Apply, Index, Read, Reduce, Value
from auditor.rewrite import Match
from auditor.tree import ancestors
from auditor.verdict import Verdict

_AROUND = (
    ast.For, ast.AsyncFor, ast.While, ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
)  # fmt: skip


@dataclass(frozen=True)
class Product:
    """A product of two arrays: its value, the index that is summed over, and its factors."""

    value: Value
    inner: Index
    left: Read
    right: Read


def product_of(value: object) -> Product | None:
    """The product of two arrays that a value is."""
    if not isinstance(value, Value) or not isinstance(value.body, Reduce):
        return None
    total = value.body
    if total.op != "sum" or not (isinstance(total.body, Apply) and total.body.op == "mul"):
        return None
    if len(total.body.args) != 2:
        return None
    left, right = total.body.args
    if not isinstance(left, Read) or not isinstance(right, Read):
        return None
    if any(read.aligned and len(read.subs) != 2 for read in (left, right)):
        return None  # of how many axes is not known
    if left.subs.count(total.index) != 1 or right.subs.count(total.index) != 1:
        return None
    return Product(value, total.index, left, right)


class PartRegion(ReboundRegion):
    """The expression that uses a part of a product."""

    def layer_of(self, value: Value) -> tuple[ast.Call, Instance] | None:
        """The call of a linear layer that made an array, and the layer."""
        call = self.origin(value)
        made = self.values.get(call.func) if isinstance(call, ast.Call) else None
        if not isinstance(call, ast.Call) or not isinstance(made, Instance):
            return None
        return (call, made) if made.path == "torch.nn.Linear" else None

    def part(
        self, product: Value, text: str, said: list[Text], message: str, doubts: list[str],
        assumed: list[str], factors: Mapping[Value, int | None],
    ) -> Match | None:  # fmt: skip
        """``factors`` says how many axes the new code takes each to have, where it does."""
        site, made = self.site, self.origin(product)
        if made is None or self._around(made) != self._around(self.node):
            return None  # made once for all steps
        site.require(
            self.same_gradients([product]),
            "gradients",
            "the product is taken under another `with` block",
        )
        site.require(
            self.steady([product], said),
            "effects",
            "something in between may change a factor",
        )
        reads = frozenset().union(*(part.reads for part in said))
        span = self.module.span(self.node)
        removal = self.removal({self.node: Text(text, reads)})
        self.require_gone(removal, [product], self.node, "product-used")
        facts = self.lifted.facts
        for factor, many in factors.items():
            if many is not None and facts.grounds.get(factor.name) == "product":
                assumed = [*assumed, has_axes(factor.name, many)]
            elif many is not None and vector_perhaps(self, factor) and (named := self.say(factor)):
                assumed = [*assumed, has_axes(named.text, many)]
            else:
                assumed = [*assumed, *self._stated(factor)]
        return Match(
            span=span,
            message=message,
            computation=site.computation,
            edits=tuple(
                sorted((self.replace(self.node, text), *removal.edits), key=lambda e: e.span)
            ),
            safe=not doubts,
            reason="; ".join(doubts) or assuming(assumed),
            verdicts={"redundancy": Verdict("holds", "structure", message)},
        )

    def _stated(self, factor: Value) -> list[str]:
        """What is assumed of a factor, or of how many axes the arrays have that make it."""
        stated, grounds = self.lifted.facts.assumptions, self.lifted.facts.grounds
        made = [name for name in sorted(leaves(factor)) if name in stated]
        return [
            stated[name] for name in made
            if name == factor.name or about_ranks(stated[name]) or grounds.get(name) == "meeting"
        ]  # fmt: skip

    def _around(self, node: ast.AST) -> list[ast.AST]:
        """The loops and the like that a node stands in."""
        return [at for at in ancestors(node, self.parents) if isinstance(at, _AROUND)]
