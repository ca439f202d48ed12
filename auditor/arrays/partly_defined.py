"""Functions of ``math`` that raise where they are not defined, at which an array gets NaN or
infinity instead."""

from __future__ import annotations

import ast

from auditor.algebra.normal import equal
from auditor.notation import Apply, Const, Read, Reduce, Term, Value, definition
from auditor.rewrite import Match, Site
from auditor.syntax import path_of, tight
from auditor.tree import everything_in

_PARTLY = frozenset(
    f"math.{name}"
    for name in "log log2 log10 log1p sqrt acos asin acosh atanh gamma lgamma pow fmod".split()
)


def partly_defined(site: Site, match: Match) -> list[str]:
    """What is assumed of calls that new code computes in another way."""
    module = site.lifted.module
    if not any(path.split(".")[0] == "math" for path in module.names.values()):
        return []
    new = "".join("".join(edit.content for edit in match.edits).split())
    found = dict[str, None]()
    for node in everything_in(site.lifted.node):
        if not isinstance(node, ast.Call) or path_of(module, node.func) not in _PARTLY:
            continue
        text, span = module.source(node), module.span(node)
        gone = any(edit.span.covers(span) for edit in match.edits)
        if not gone or "".join(text.split()) in new or _defined(site, node):
            continue
        found[f"`{tight(text)}` raises nothing"] = None
    return list(found)


def _defined(site: Site, call: ast.Call) -> bool:
    """Whether a root is of what is never negative, as it is written."""
    if path_of(site.lifted.module, call.func) != "math.sqrt" or len(call.args) != 1:
        return False
    value = site.lifted.lifter.values.get(call.args[0])
    body = value.body if isinstance(value, Value) else None
    return body is not None and _never_negative(body)


def _never_negative(term: Term) -> bool:
    if isinstance(term, Const):
        return isinstance(term.value, (int, float)) and term.value >= 0
    if isinstance(term, Read):
        held: Value = term.value
        made = definition(term) if held.body is not None else None
        return made is not None and _never_negative(made)
    if isinstance(term, Reduce):
        return term.op in ("sum", "max", "min", "prod") and _never_negative(term.body)
    if not isinstance(term, Apply):
        return False
    if term.op in ("abs", "exp", "sqrt"):
        return True
    if term.op == "pow":
        exponent = term.args[1]
        number = exponent.value if isinstance(exponent, Const) else None
        even = isinstance(number, (int, float)) and number % 2 == 0
        return even or _never_negative(term.args[0])
    if term.op == "mul" and equal(term.args[0], term.args[1]):
        return True
    return term.op in ("add", "mul", "max", "min", "div") and all(map(_never_negative, term.args))
