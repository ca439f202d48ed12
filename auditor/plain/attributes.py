"""An attribute of self that a loop carries, as a name of the function for as long as the loop runs.

``self.h = a * self.h + x`` in a loop is ``h = a * h + x`` with ``h = self.h`` before it and
``self.h = h`` after it, where nothing in the loop can see the attribute otherwise. An array that a
loop fills, ``self.out[t] = h``, is ``out[t] = h`` with ``out = self.out`` before it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.notation import Span
from auditor.plain.text import Body, Written
from auditor.syntax import path_of
from auditor.tree import descendants, everything_in
from auditor.verdict import Edit

_PLAIN_BASES = ("torch.nn.Module", "torch.nn.modules.module.Module", "abc.ABC")


def attributes(written: Written) -> Iterator[list[Edit]]:
    """One after the other, each loop of a method that sets attributes of self."""
    if written.klass is None or not _plain_class(written):
        return
    arguments = written.node.args.args
    if not arguments or arguments[0].arg != "self" or written.node.decorator_list:
        return
    for block, place in written.own():
        loop = block[place]
        if not isinstance(loop, (ast.For, ast.While)) or loop.orelse:
            continue
        edits = _local(written, block, place)
        if edits is not None:
            yield edits


def _plain_class(written: Written) -> bool:
    """Whether setting an attribute is just that."""
    assert written.klass is not None
    special = {"__setattr__", "__getattribute__", "__getattr__", "__slots__"}
    if special & written.klass.methods.keys():
        return False
    return all(
        path_of(written.module, base) in _PLAIN_BASES or ast.unparse(base) == "object"
        for base in written.klass.node.bases
    )


def _local(written: Written, block: Body, place: int) -> list[Edit] | None:
    assert written.klass is not None
    loop = block[place]
    inside = descendants(loop)
    if any(isinstance(n, (ast.Return, ast.Break, ast.Lambda, ast.FunctionDef)) for n in inside):
        return None
    found: dict[str, list[ast.Attribute]] = {}
    for node in inside:
        if isinstance(node, ast.Name) and node.id == "self":
            holder = written.parents[node]
            if not isinstance(holder, ast.Attribute):
                return None
            if isinstance(holder.ctx, ast.Del):
                return None
            if holder.attr in written.klass.methods:
                return None  # it may read the attribute, or be a property
            found.setdefault(holder.attr, []).append(holder)
    carried = [
        each for each, uses in found.items() if any(isinstance(n.ctx, ast.Store) for n in uses)
    ]
    filled = [
        each for each, uses in found.items()
        if each not in carried
        and any(_is_filled(written, n) for n in uses)
        and not _shared(written, each)
    ]  # fmt: skip
    if not (carried or filled):
        return None
    if any(_in_header(written, loop, n) for each in carried for n in found[each]):
        return None
    if any(_watched(written, each) for each in carried):
        return None
    edits: list[Edit] = []
    taken: set[str] = set()
    before = after = ""
    indent = " " * loop.col_offset
    for each in carried:
        made = written.fresh(each.strip("_") or each, taken)
        edits += [written.swapped(node, made) for node in found[each]]
        earlier = _set_before(written, block, place, each)
        if earlier is not None:
            edits.append(written.swapped(earlier, made))
        else:
            before += f"{indent}{made} = self.{each}\n"
        after += f"{indent}self.{each} = {made}\n"
    for each in filled:
        made = written.fresh(each.strip("_") or each, taken)
        edits += [written.swapped(n, made) for n in found[each]
                  if not _in_header(written, loop, n)]  # fmt: skip
        before += f"{indent}{made} = self.{each}\n"
    end = (loop.end_lineno or loop.lineno) + 1
    if before:
        edits.append(Edit(Span(loop.lineno, 1, loop.lineno, 1), before))
    if after:
        edits.append(Edit(Span(end, 1, end, 1), after))
    return edits


def _watched(written: Written, each: str) -> bool:
    """Whether setting an attribute may run code of the class, or of one that derives from it."""
    assert written.klass is not None
    return bool(written.module.setters(each, written.klass.node))


def _shared(written: Written, each: str) -> bool:
    """Whether some method gives an attribute and another one the same array."""
    assert written.klass is not None
    for node in everything_in(written.klass.node):
        if not isinstance(node, ast.Assign):
            continue
        kept = any(not isinstance(target, ast.Name) for target in node.targets)
        if kept and isinstance(node.value, ast.Attribute) and node.value.attr == each:
            return True
        sets = [isinstance(t, ast.Attribute) and t.attr == each for t in node.targets]
        view = isinstance(node.value, (ast.Attribute, ast.Subscript))
        if any(sets) and (len(sets) > 1 or view):
            return True
    return False


def _is_filled(written: Written, node: ast.Attribute) -> bool:
    """Whether an item of an attribute is set."""
    holder = written.parents[node]
    return (
        isinstance(holder, ast.Subscript)
        and holder.value is node
        and isinstance(holder.ctx, ast.Store)
    )


def _in_header(written: Written, loop: ast.stmt, node: ast.AST) -> bool:
    header = loop.iter if isinstance(loop, ast.For) else loop.test  # type: ignore[attr-defined]
    target = getattr(loop, "target", header)
    return any(inner is node for part in (header, target) for inner in descendants(part))


def _set_before(written: Written, block: Body, place: int, word: str) -> ast.Attribute | None:
    """The target of ``self.h = ...`` above the loop, where nothing in between sees it."""
    for statement in reversed(block[:place]):
        selves = [n for n in descendants(statement) if isinstance(n, ast.Name) and n.id == "self"]
        holders = [written.parents[n] for n in selves]
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            if isinstance(target, ast.Attribute) and target.attr == word and target in holders:
                same = [h for h in holders if isinstance(h, ast.Attribute) and h.attr == word]
                return target if len(same) == 1 else None
        if not isinstance(statement, (ast.Assign, ast.AnnAssign)):
            return None
        assert written.klass is not None
        if any(
            not isinstance(h, ast.Attribute) or h.attr == word or h.attr in written.klass.methods
            for h in holders
        ):
            return None
    return None
