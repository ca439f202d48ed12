"""What a loop collects, writes and leaves behind, as code over all its steps, and the edits."""

from __future__ import annotations

import ast
import re
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from auditor.again.aliases import aliases
from auditor.arrays.overwritten import multiplied
from auditor.arrays.strides import as_stacked
from auditor.arrays.wider_start import A_STEP
from auditor.assumed import has_axes
from auditor.lift import extents
from auditor.lift.call_effects import Does, does, given_back
from auditor.lift.loop_arrays import ArrayWrite
from auditor.notation import ZERO, Apply, Const, Index, Read, Term, Trace, Value, substitute, walk
from auditor.recurrences.recurrence import canonical_subscripts, reversed_step
from auditor.recurrences.row_ranks import (
    aligned,
    certain_of_axes,
    met_beside,
    met_row_by_row,
)
from auditor.recurrences.shortened import folded
from auditor.recurrences.stacked_lists import Stacked
from auditor.syntax import called_name, is_name
from auditor.tree import everything_in
from auditor.verdict import Edit
from auditor.writing.pieces import CannotRender, Piece

if TYPE_CHECKING:
    from auditor.recurrences.distribution import LoopCode, Special


def _list_text(code: LoopCode, stacked: Stacked, special: Special | None = None) -> str:
    """What the stack call becomes."""
    items = stacked.items
    order = stacked.order(code.step)
    element, words = items.element, code.region.words
    _need_typed_start(code, element, listed=True)
    if stacked.joined is not None:
        element = substitute(element, {items.axes[stacked.joined]: ZERO})
        element = canonical_subscripts(element)
    if code.reverse:
        element = reversed_step(element, code.step)
    piece = _whole(code, element, order, special)
    if code.leading and stacked.position:
        piece = replace(piece, text=words.contiguous(piece.inside(6)), strength=6)
    dim = code.layouts.dim(order)
    if code.reverse != items.reverse:
        piece = Piece(words.flipped(piece.inside(6), dim), order)
    for place in reversed(stacked.merged):
        order = (*order[: place + 1], *order[place + 2 :])
        piece = Piece(words.merged(piece.inside(6), place), order)
    if code.region.of_numpy and not stacked.items.prefix and A_STEP not in code.assumptions:
        if not isinstance(code.step.extent, Const):
            # of no rows NumPy stacks none, or makes an array of one axis
            code.assumptions.append(A_STEP)
    text = _prefixed(code, stacked, piece, dim)
    if stacked.dtype is not None:
        # each of the rows is put into an array of that type
        text = f"{_bracketed(text)}.astype({code.region.module.source(stacked.dtype)})"
    if code.region.of_numpy:
        return as_stacked(code.region.lifted, stacked.call, text, "copy")
    return as_stacked(code.region.lifted, stacked.call, text)


def _bracketed(text: str) -> str:
    node = ast.parse(text, mode="eval").body
    bare = isinstance(node, (ast.Name, ast.Call, ast.Attribute, ast.Subscript))
    return text if bare else f"({text})"


def _need_typed_start(code: LoopCode, element: Term, *, listed: bool) -> None:
    """A number of Python that a value starts as, kept as it is among NumPy's, is in double
    precision whatever these are in. Raises ``CannotRender``."""
    if not code.region.of_numpy or not isinstance(element, Trace) or element.scan is not code.scan:
        return
    if extents.canonical(element.step) is code.step:
        return
    name = code.scan.carries[element.slot].name
    start = code.region.init_of(name)
    zero = start is not None and isinstance(start.body, Const) and start.body.value == 0
    if start is not None and (start.library == "numpy" or start.axes or (zero and not listed)):
        return
    raise CannotRender(f"`{name}` starts as a number, which is kept as it is")


def _whole(
    code: LoopCode, element: Term, order: tuple[Index, ...], special: Special | None
) -> Piece:
    """An output over all steps, laid out in ``order``."""
    inside = order
    if code.leading:
        inside = (code.step, *(axis for axis in order if axis is not code.step))
    renderer = code.renderer(inside, special)
    piece = renderer.array(element)
    code.collect(renderer)
    if piece.axes != inside:
        raise CannotRender("an output without one of its axes")
    return code.outside(order).arranged(piece)


def _prefixed(code: LoopCode, stacked: Stacked, piece: Piece, dim: int) -> str:
    """The items from before the loop in front of the others."""
    if not stacked.items.prefix:
        return piece.text
    if stacked.items.reverse:
        raise CannotRender("a list with items from before the loop, reversed")
    firsts, words = [], code.region.words
    lifter, region = code.region.lifted.lifter, code.region
    memory = frozenset[Value]().union(*map(lifter.memory, stacked.items.prefix))
    for touched, span in lifter.overwritten:
        between = (region.node.end_lineno or 0) < span.line <= stacked.call.lineno
        if between and not memory.isdisjoint(touched):
            raise CannotRender("an item from before the loop is changed before the list is joined")
    for value in stacked.items.prefix:
        name = code.name_at(value)
        if name is None:
            first = code.outside(value.axes).array(Read(value, value.axes))
            if first.axes != value.axes:
                raise CannotRender("an item from before the loop that has no name")
            name = first.inside(6)
        firsts.append(name if stacked.joined is not None else words.with_axis(name, dim))
    if A_STEP not in code.assumptions:
        # without steps the items before the loop are alone, in their own type
        code.assumptions.append(A_STEP)
    return words.joined([*firsts, piece.text], dim)


def _write_text(
    code: LoopCode, name: str, write: ArrayWrite, special: Special | None = None
) -> str:
    """The assignment that does all of the loop's writes of an array."""
    assert write.value is not None
    axes = code.region.lifted.lifter.ops.fresh(write.value.axes)
    element = code.region.traced(write.value, axes)
    if code.region.of_numpy and isinstance(element, Apply) and element.op.startswith("cast:"):
        element = element.args[0]  # an assignment casts
    _need_typed_start(code, element, listed=False)
    if code.reverse:
        element = reversed_step(element, code.step)
    traces = {n.slot for n in walk(element) if isinstance(n, Trace) and n.scan is code.scan}
    for slot in sorted(traces):  # one row drops axes of extent 1 that come first, all do not
        if not certain_of_axes(code, slot, (write.original,)):
            key = code.scan.carries[slot].name.partition("[")[0]
            # what is carried may be the rows themselves: then it is what they meet
            wider = [key] if key != name else sorted(met_beside(code, slot))
            code.assumptions += [
                f"`{key}` has no more axes than a row of `{name}`" for key in wider
            ]
            if key == name and not wider:
                met = sorted(met_row_by_row(code, slot) - {name})
                code.assumptions += [
                    f"a row of `{one}` has no more axes than one of `{name}`" for one in met
                ]
    if any(axis.group for axis in write.original.axes) and not any(axis.group for axis in axes):
        # one row is broadcast to more axes, all at once would be to others
        code.assumptions.append(has_axes(name, len(axes) + 1))
    layout = [*axes]
    layout.insert(write.axis, code.step)
    piece = _whole(code, element, tuple(layout), special)
    renderer = code.region.renderer((), code.region.node)
    covered = code.region.written_slice(write, code.reverse, renderer)
    code.collect(renderer)
    text = piece.text
    if _of_torch(code, write) and multiplied(code.region.inlined(element), write.original):
        text = _cloned(name, text)
    return f"{name}[{covered}] = {text}"


def _of_torch(code: LoopCode, write: ArrayWrite) -> bool:
    """Whether what the loop writes into may be a tensor, through which gradients are passed."""
    return not code.region.of_numpy and write.original.library != "numpy"


def _cloned(name: str, text: str) -> str:
    """Code that takes an array's values before it is overwritten, as the backward pass of a
    product needs them."""
    return re.sub(rf"(?<![\w.]){re.escape(name)}\b(?!\.clone\(\))", f"{name}.clone()", text)


def _kept_apart(code: LoopCode, line: str) -> str:
    """A line of the new code, in which a part of an array that the loop writes is no factor but by
    a copy."""
    target, equals, text = line.partition(" = ")
    for name, write in code.writes.items():
        kept = equals and _of_torch(code, write)
        if kept and name in text and _is_factor(name, text):
            text = _cloned(name, text)
    return f"{target}{equals}{text}"


def _is_factor(name: str, text: str) -> bool:
    """Whether code multiplies a part of an array with something."""
    return any(
        isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.Div, ast.MatMult))
        and any(_part_of(side, name) for side in (node.left, node.right))
        for node in everything_in(ast.parse(text, mode="eval"))
    )  # fmt: skip


def _part_of(node: ast.expr, name: str) -> bool:
    while isinstance(node, (ast.Subscript, ast.Attribute, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return is_name(node, name)


def edits_of(code: LoopCode, special: Special | None = None) -> tuple[Edit, ...]:
    """All edits: the loop goes, what it left behind is computed at once."""
    region = code.region
    texts = _apart(code, [_list_text(code, stacked, special) for stacked in code.stacks])
    writes = [_write_text(code, name, write, special) for name, write in code.writes.items()]
    single = len(texts) == 1 and not writes and not code.outliving
    inline = single and not code.closing and region.adjoins(code.stacks[0].call)
    names, outputs = [], texts
    if not inline:
        bound = [_bound(code, one, text) for one, text in zip(code.stacks, texts, strict=True)]
        names, outputs = [name for name, _ in bound], [line for _, found in bound for line in found]
    lines, outputs = folded(code.introduced, [*code.lines], [*outputs, *writes])
    lines, outputs = ([_kept_apart(code, line) for line in each] for each in (lines, outputs))
    code.ranks, lines, outputs = aligned(code, lines, outputs)
    outputs = [text for text in outputs if inline or not re.fullmatch(r"(\w+) = \1", text)]
    edits: list[Edit] = []
    for stacked in code.stacks:
        edits.extend(region.drop_list(stacked))
        edits.extend(region.drop(statement) for statement in stacked.dropped)
    gone = (region.node, *(stacked.call for stacked in code.stacks))
    for name in sorted(code.loop.nothing):
        edits.extend(region.drop_binding(name, gone))
    edits.extend(region.drop_dead(gone, [*lines, *outputs]))
    if inline:
        edits.append(region.replace_lines(region.node, lines))
        edits.append(region.replace(code.stacks[0].call, outputs[0]))
        return tuple(edits)
    whole = _where_it_steps(code, [*lines, *outputs, *code.closing])
    edits.append(region.replace_lines(region.node, whole))
    for stacked, name in zip(code.stacks, names, strict=True):
        statement = region.statement_of(stacked.call)
        kept = not (isinstance(statement, ast.Assign) and statement.value is stacked.call
                    and all(is_name(target, name) for target in statement.targets))  # fmt: skip
        edits.append(region.replace(stacked.call, name) if kept else region.drop(statement))
    return tuple(edits)


def _where_it_steps(code: LoopCode, lines: list[str]) -> list[str]:
    """What reads elements that are there if the loop takes a step is done only then, where nothing
    but writes is left of the loop."""
    walked = code.region.node.iter if isinstance(code.region.node, ast.For) else None
    asked = {each for each in code.assumptions if each in code.elements_read}
    if (
        not asked or code.stacks or code.finals or code.closing
        or not isinstance(walked, ast.Call) or called_name(walked) != "range"
        or len(walked.args) != 2 or walked.keywords
    ):  # fmt: skip
        return lines
    first, behind = map(code.region.module.source, walked.args)
    code.assumptions[:] = [each for each in code.assumptions if each not in asked]
    return [f"if {behind} > {first}:", *(f"    {line}" if line else line for line in lines)]


def _apart(code: LoopCode, texts: list[str]) -> list[str]:
    """What is stacked is an array of its own: what only looks at one from before the loop, or at
    one that another list looks at, is copied."""
    behind = _behind(code)
    taken, apart = set[str](), []
    for text in texts:
        seen = _looked_at(code, ast.parse(text, mode="eval").body)
        bases = {base for name in seen for base in behind.get(name, {""})}
        apart.append(_copied(code, text) if bases & (taken | {""}) else text)
        taken |= bases
    return apart


def _behind(code: LoopCode) -> dict[str, set[str]]:
    """In whose memory the names that the new code binds may lie: their own, that of others, or
    that of what is from before the loop, which is empty."""
    found: dict[str, set[str]] = {}
    for statement in ast.parse("\n".join(code.lines)).body:
        if not isinstance(statement, ast.Assign):
            continue
        seen = _looked_at(code, statement.value)
        bases = {base for name in seen for base in found.get(name, {""})}
        for node in everything_in(statement.targets[0]):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found[node.id] = bases or {node.id}
    return found


def _looked_at(code: LoopCode, node: ast.expr) -> set[str]:
    """The names of the arrays in whose memory the value of new code may lie."""
    if isinstance(node, ast.Name):
        return {node.id}
    parts: list[ast.expr] = []
    if isinstance(node, (ast.Subscript, ast.Attribute)):
        parts = [node.value]
    elif isinstance(node, ast.IfExp):
        parts = [node.body, node.orelse]
    elif isinstance(node, ast.Call) and does(code.region.module, node) is Does.VIEW:
        copies = called_name(node) == "flip"  # in torch
        parts = [] if copies else given_back(code.region.module, node)
    return {name for part in parts for name in _looked_at(code, part)}


def _copied(code: LoopCode, text: str) -> str:
    if text.endswith(".contiguous()"):
        words = f"memory_format={code.region.torch_name()}.contiguous_format"
        return f"{text.removesuffix('.contiguous()')}.clone({words})"
    return code.region.words.copied(_bracketed(text))


def _bound(code: LoopCode, stacked: Stacked, text: str) -> tuple[str, list[str]]:
    """The name for what a stack call becomes, and what binds it. A list that another file may read
    is made of it again."""
    if stacked.name not in code.outliving:
        return stacked.name, [f"{stacked.name} = {text}"]
    call = stacked.call
    whole = call.args[0] if isinstance(call, ast.Call) and call.args else None
    dim = code.layouts.dim(stacked.order(code.step))
    if not is_name(whole, stacked.name) or stacked.joined is not None or stacked.merged:
        raise CannotRender(f"`{stacked.name}` may be read by whoever imports this file")
    if _changed_later(code, stacked):
        raise CannotRender(
            f"the items of `{stacked.name}` are no rows of the array that is changed"
        )
    lines, name = [], text
    if not text.isidentifier():
        name = code.fresh(f"{stacked.name}_stacked")
        lines.append(f"{name} = {text}")
    elif text in code.introduced:
        code.introduced.remove(text)  # it is read twice
    rows = code.region.words.rows(name, dim)
    return name, [*lines, f"{stacked.name} = list({rows})"]


def _changed_later(code: LoopCode, stacked: Stacked) -> bool:
    """Whether the list, what it holds or the array that is made of it is changed in place later:
    the items of the new list are rows of that array."""
    region, end = code.region, stacked.call
    statement = region.statement_of(end)
    stored = {
        node.id for node in everything_in(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }  # fmt: skip
    after = (end.end_lineno or 0, end.end_col_offset or 0)
    return aliases(region).changed({stacked.name, *stored}, after, (sys.maxsize, 0))
