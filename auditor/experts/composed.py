"""Experts whose parts are in several lists of modules, as one function of the rows.

self.down[e](F.relu(self.up[e](x)))                   lambda rows, up=up, down=down:
                                                          down(F.relu(up(rows)))
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from auditor.experts.stacks import ACTIVATIONS
from auditor.experts.values import Composed, Expert, Mixture, Outputs
from auditor.syntax import tight
from auditor.tree import everything_in

if TYPE_CHECKING:
    from auditor.experts.operands import Called

_ROWS = "rows"
_METHODS = frozenset(("relu", "tanh", "sigmoid"))


def applied(expert: Expert, given: Outputs, node: ast.expr) -> Outputs | None:
    """What one more module of an expert makes of what the ones before it give."""
    if not _is_of_one(given) or given.place is not expert.place:
        return None
    before = _composed(given)
    lists = tuple(dict.fromkeys((*before.lists, expert.of)))
    made = Composed(lists, f"{expert.of}({before.code})", before.reads)
    return replace(given, node=node, composed=made)


def passed(call: Called, given: Outputs) -> Outputs | None:
    """What a pointwise function makes of what a part of an expert gives."""
    if not _is_of_one(given) or len(call.given) != 1 or call.node.keywords:
        return None
    if call.word not in (_METHODS if call.method else ACTIVATIONS):
        return None
    before, reads = _composed(given), frozenset[str]()
    code = f"{tight(before.code)}.{call.word}()"
    if not call.method:
        code = f"{call.operations.module.source(call.node.func)}({before.code})"
        reads = frozenset(n.id for n in everything_in(call.node.func) if isinstance(n, ast.Name))
    made = Composed(before.lists, code, before.reads | reads)
    return replace(given, node=call.node, composed=made)


def multiplied(left: Outputs, right: Outputs, node: ast.expr) -> Outputs | None:
    """What two parts of an expert give for the same rows, one times the other."""
    if not (_is_of_one(left) and _is_of_one(right)):
        return None
    if left.place is not right.place or left.tokens is not right.tokens:
        return None
    if left.layout != right.layout or left.hit is not right.hit:
        return None
    one, other = _composed(left), _composed(right)
    lists = tuple(dict.fromkeys((*one.lists, *other.lists)))
    made = Composed(lists, f"{one.code} * {tight(other.code)}", one.reads | other.reads)
    return replace(left, node=node, composed=made)


def functions(composed: Composed, walked: Mapping[str, str]) -> str | None:
    """All experts as a list of functions, by what is ``walked`` for each list; None where the names
    that it takes mean other things in it already."""
    if not composed.reads.isdisjoint((_ROWS, *composed.lists)) or _ROWS in composed.lists:
        return None
    given = "".join(f", {name}={name}" for name in composed.lists)
    names = ", ".join(composed.lists)
    held = ", ".join(walked[name] for name in composed.lists)
    each = f"zip({held})" if len(composed.lists) > 1 else held
    return f"[lambda {_ROWS}{given}: {composed.code} for {names} in {each}]"


def _is_of_one(made: Outputs) -> bool:
    """Whether it is what modules of one expert give, weighted by nothing yet."""
    plain = made.stack is None and made.routing is None and not isinstance(made, Mixture)
    return plain and made.place is not None


def _composed(made: Outputs) -> Composed:
    return made.composed or Composed((made.of,), f"{made.of}({_ROWS})")
