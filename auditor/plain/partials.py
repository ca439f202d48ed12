"""Functions with some arguments given beforehand, called with all of them.

``step = partial(cell, decay)`` and then ``h = step(h, x)`` is ``h = cell(decay, h, x)`` where
neither name is bound to anything else.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy

from auditor.plain.text import Written
from auditor.syntax import path_of
from auditor.verdict import Edit


def partials(written: Written) -> Iterator[list[Edit]]:
    """One after the other, each function that is only called."""
    for block, place in written.own():
        statement = block[place]
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            continue
        target, made = statement.targets[0], statement.value
        if not isinstance(target, ast.Name) or not isinstance(made, ast.Call):
            continue
        if path_of(written.module, made.func) != "functools.partial" or not _fixed(written, made):
            continue
        uses = [n for n in written.names[target.id] if n is not target]
        calls = [written.parents.get(n) for n in uses]
        edits = [
            written.swapped(call, ast.unparse(_called(made, call)))
            for use, call in zip(uses, calls, strict=True)
            if isinstance(call, ast.Call) and call.func is use
        ]
        if edits and len(edits) == len(uses):
            yield edits


def _fixed(written: Written, made: ast.Call) -> bool:
    """Whether what is given beforehand stays what it is: numbers, parameters that nothing binds
    again, and a function of the file."""
    given = [*made.args, *(k.value for k in made.keywords)]
    for part in given:
        if isinstance(part, ast.Constant):
            continue
        if not isinstance(part, ast.Name):
            return False
        if any(not isinstance(n.ctx, ast.Load) for n in written.names.get(part.id, [])):
            return False
    return bool(given) and all(k.arg is not None for k in made.keywords)


def _called(made: ast.Call, call: ast.Call) -> ast.Call:
    function, *first = made.args
    named = {k.arg for k in call.keywords}
    kept = [k for k in made.keywords if k.arg not in named]
    return ast.Call(
        deepcopy(function),
        [*deepcopy(first), *deepcopy(call.args)],
        [*deepcopy(kept), *deepcopy(call.keywords)],
    )
