"""Arrays that are changed in place after a rewrite has read or made them.

Autograd keeps some operands and results of an operation for its backward pass, and fails when they
have been changed in place by then. A rewrite exchanges operations, so that what could be changed
before may be kept now.
"""

from __future__ import annotations

import re

from auditor.notation import Trace, Value
from auditor.region import covers
from auditor.rewrite import Match, Site

# What torch's backward keeps (derivatives.yaml): results, and operands as well.
_RESULTS = re.compile(r"\b(softmax|log_softmax|online_softmax)\(")
_BOTH = re.compile(r"\b(amax|amin|prod|cumprod|logsumexp|layer_norm|rms_norm|norm|std)\(")
_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")


def overwritten_later(site: Site, match: Match) -> str | None:
    """Why the backward pass of the new code would fail where that of the old code did not."""
    content = "\n".join(edit.content for edit in match.edits)
    operands, results = bool(_BOTH.search(content)), bool(_RESULTS.search(content))
    lifter = site.lifted.lifter
    if not (operands or results) or not lifter.overwritten:
        return None
    kept = [value for value in _made(site) if value.library != "numpy"]
    if operands:
        statement = site.statement if site.loop is None else site.loop.node
        scope = lifter.scopes.get(statement, {})  # type: ignore[arg-type]
        read = (scope.get(name) for name in _NAME.findall(content))
        kept += [obj for obj in read if isinstance(obj, Value) and obj.library != "numpy"]
    memory = frozenset().union(*map(lifter.memory, kept))
    replaced = [site.computation.span, *(edit.span for edit in match.edits)]
    for touched, span in lifter.overwritten:
        if span.line < site.computation.span.end_line or any(covers(r, span) for r in replaced):
            continue
        left = site.loop is not None and any(_left(value, site) for value in touched)
        if left or not memory.isdisjoint(touched):
            return f"line {span.line} changes in place what the backward pass would need"
    return None


def _made(site: Site) -> list[Value]:
    if site.loop is not None:
        return list(site.loop.results.values())
    return [site.value] if site.value is not None else []


def _left(value: Value, site: Site) -> bool:
    """What a loop collected, made into an array."""
    assert site.loop is not None
    return isinstance(value.body, Trace) and value.body.scan is site.loop.scan
