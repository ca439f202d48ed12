"""Arrays of unknown rank whose rows meet in every step: the new code gives them as many axes.

``x[t] * gate[t]`` is aligned from the right, whatever the two are; ``x * gate`` only where both
have as many axes. Where the code does not say that, ``per_step`` sees to it when it runs; it also
makes a tensor of what may be a list of tensors.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from auditor.arrays.wider_start import A_STEP
from auditor.assumed import has_axes
from auditor.notation import ONE, Index, Read, Term, Trace, Value, definition, walk
from auditor.recurrences.walked_tensors import loose_rows
from auditor.syntax import constant
from auditor.tree import children, everything_in
from auditor.writing.pieces import CannotRender

if TYPE_CHECKING:
    from auditor.recurrences.distribution import LoopCode

_END = re.compile(r"\w+\[(?:-1:|:1)\] = ")


@dataclass
class _Read:
    """The arrays that code reads, by the names that they have: row by row, along another axis than
    the first, and the same at every step; and whether a part of one stands beside the steps, of
    which only the code knows the axes."""

    walked: dict[str, Value] = field(default_factory=dict)
    moved: dict[str, Value] = field(default_factory=dict)
    beside: dict[str, Value] = field(default_factory=dict)
    parted: bool = False

    def __or__(self, other: _Read) -> _Read:
        return _Read(
            self.walked | other.walked,
            self.moved | other.moved,
            self.beside | other.beside,
            self.parted or other.parted,
        )


def aligned(
    code: LoopCode, lines: list[str], outputs: list[str]
) -> tuple[str, list[str], list[str]]:
    """The code with such arrays widened first: ``aligned``. Where that cannot be said, the code as
    it is: ``assumed`` where the steps are behind an axis that all of them have, else
    ``uncertain``; ``known`` where nothing had to be assumed. What may be a list of rows is made an
    array in any case."""
    doubtful = code.uncertain or _of_other_axes(code)
    ranks, given = _widened(code, lines, outputs) if doubtful else ("known", None)
    names: dict[str, str] = {}
    first: list[str] = []
    loose = _loose(code)
    like = _start(code) if loose else None
    starts = _wide_starts(code)
    if given is not None:
        walked, beside = given
        names = {name: _widened_name(code, name) for name in sorted(walked)}
        if code.region.of_numpy:
            first.append(_call(names, beside | starts, arrays=_made_arrays(code, walked)))
        else:
            first.append(_call(names, beside | starts, like if loose & walked else None))
    beside, placed = _with_ones(code), _placed([*lines, *outputs])
    for name in sorted((loose | _guessed(code, beside)) - names.keys()):
        names[name] = _new(code, name)
        wide = beside | starts if name in loose - placed else beside
        if code.region.of_numpy:
            arrays = _made_arrays(code, {name})
            made = _call({name: names[name]}, wide, arrays=arrays)
            first.append(made if wide else f"{names[name]} = {arrays.get(name, name)}")
            continue
        first.append(_call({name: names[name]}, wide, like if name in loose else None))
    names = {old: new for old, new in names.items() if new != _UNREAD}
    if not names:
        return ranks, lines, outputs
    return (
        ranks,
        [*first, *_all_renamed(lines, names)],
        [_renamed(output, names) for output in outputs],
    )


def _of_other_axes(code: LoopCode) -> bool:
    """Whether two arrays that are walked meet of which nothing says that they have equally many
    axes."""
    carries = (code.scan.carries[slot].update for slot in code.sequences)
    return any(
        len({_group(code, value) for value in _leaves(code, result).walked.values()}) > 1
        for result in (*code.elements(), *carries)
    )


def _group(code: LoopCode, value: Value) -> Term | None:
    """What says how many axes an array of unknown rank has; None for one of known rank."""
    extent = code.region.lifted.facts.extent
    return next((extent(axis.extent) for axis in value.axes if axis.group), None)


def _new(code: LoopCode, name: str) -> str:
    """A name for an array as all steps read it."""
    return code.fresh(f"{name.rpartition('.')[2]}_")


_UNREAD = "_"


def _widened_name(code: LoopCode, name: str) -> str:
    """A name for what is walked; what is written as well is as wide as its rows in any case, and
    only widens the others."""
    taken = any(isinstance(n, ast.Name) and n.id == _UNREAD for n in code.region.nodes)
    return _UNREAD if name in code.writes and not taken else _new(code, name)


def _is_path(name: str) -> bool:
    return all(part.isidentifier() for part in name.split("."))


def _open(value: Value) -> bool:
    """Whether an array has axes of unknown number."""
    return any(axis.group for axis in value.axes)


def _start(code: LoopCode, whole: bool = False) -> str | None:
    """An array that a carried value starts as: numbers take its dtype. With ``whole``, one that has
    all axes of the value, by certain knowledge."""
    for slot in code.sequences:
        carry = code.scan.carries[slot]
        start = code.region.init_of(carry.name)
        own = start is not None and start.library == code.region.words.library
        name = code.name_at(start) if start is not None and own else None
        if start is None or name is None or not _is_path(name):
            continue
        if not whole or (len(start.axes) == len(carry.state.axes) and not _open(start)):
            return name
    return None


def _wide_starts(code: LoopCode) -> set[str]:
    """The arrays that carried values start as, where these may have more axes than what is walked:
    rows that are numbers widen to them."""
    found = set()
    for slot in code.sequences:
        start = code.region.init_of(code.scan.carries[slot].name)
        name = None if start is None or not start.axes else code.name_at(start)
        if name is not None and _is_path(name) and start is not None and start.library != "python":
            found.add(name)
    return found


def certain_of_axes(code: LoopCode, slot: int, written: tuple[Value, ...] = ()) -> bool:
    """Whether a carried value starts with as many axes as it has after a step (and what it is
    ``written`` into has in a row), by certain knowledge."""
    carry = code.scan.carries[slot]
    start = code.region.init_of(carry.name)
    if start is None or start.library == "python" or not any(a.group for a in carry.state.axes):
        return True
    read = _leaves(code, carry.update)
    met = [start, *written, *read.walked.values(), *read.moved.values(), *read.beside.values()]
    groups = {tuple(axis.extent for axis in value.axes if axis.group) for value in met}
    return len(groups) == 1 and _open(start)


def met_beside(code: LoopCode, slot: int) -> set[str]:
    """The names of the arrays that a carried value meets as a whole at each step."""
    return set(_leaves(code, code.scan.carries[slot].update).beside)


def met_row_by_row(code: LoopCode, slot: int) -> set[str]:
    """The names of the arrays of which a carried value meets one row at each step."""
    return set(_leaves(code, code.scan.carries[slot].update).walked)


def _made_arrays(code: LoopCode, names: Collection[str]) -> dict[str, str]:
    """What may be lists of rows, each as an array of NumPy; of no rows that has one axis. What the
    loop writes is none: it has to stay what it is."""
    certain = {name for name, value in _read(code).walked.items() if value.library == "numpy"}
    certain |= code.writes.keys()
    module = code.region.words.module
    made = [name for name in names if name not in certain]
    walked = _read(code).walked
    if any(len(walked[name].axes) > 1 for name in made if name in walked):
        code.assumptions.append(A_STEP)
    return {name: f"{module}.asanyarray({name})" for name in made}


def _call(
    names: dict[str, str],
    beside: Collection[str],
    like: str | None = None,
    arrays: Mapping[str, str] | None = None,
) -> str:
    """The call that widens rows; ``arrays`` are those that are made arrays of NumPy first."""
    given = ", ".join((arrays or {}).get(name, name) for name in names)
    if beside:
        tail = "," if len(beside) == 1 else ""
        given += f", beside=({', '.join(sorted(beside))}{tail})"
    if like is not None:
        given += f", like={like}"
    left = ", ".join(names.values()) if len(names) > 1 else f"({names[next(iter(names))]},)"
    return f"{left} = per_step({given})"


def _with_ones(code: LoopCode) -> set[str]:
    """The names of what stands beside the rows and has a first axis of extent 1: a row may have
    fewer axes than that."""
    read = _read(code)
    if read.moved or read.parted:
        return set()
    return {name for name, value in read.beside.items() if value.axes[0].extent is ONE}


def _guessed(code: LoopCode, beside: set[str]) -> set[str]:
    """The names of arrays whose rank was taken from what stands ``beside`` their rows."""
    if not beside:
        return set()
    assumed = code.region.lifted.facts.assumptions
    return {name for name in _read(code).walked if name in assumed and _is_path(name)}


def _loose(code: LoopCode) -> set[str]:
    """The names of what may be lists of rows. Raises ``CannotRender`` where one cannot be named."""
    terms = [*code.elements(), *(code.scan.carries[slot].update for slot in code.sequences)]
    names = {code.name_at(value) for value in loose_rows(code.region, terms)}
    for name in names:
        if name in code.writes and code.region.of_numpy:
            continue
        if name is None or not _is_path(name) or name in code.writes:
            raise CannotRender("the loop is not known to walk tensors")
    return {name for name in names if name is not None and name not in code.writes}


def _widened(
    code: LoopCode, lines: list[str], outputs: list[str]
) -> tuple[str, tuple[set[str], set[str]] | None]:
    """How the ranks are met, and the arrays to widen, by name, with those beside them."""
    read = _read(code)
    if read.parted and not read.moved:
        return "uncertain", None
    walked, beside = read.walked, read.beside
    unknown = {name for name, value in walked.items() if _open(value)}
    if read.moved and not unknown:
        return "assumed", None
    if not unknown and not any(map(_open, beside.values())):
        return "known", None
    placed = _placed([*lines, *outputs])
    if placed:
        # An axis that was put in stands for what an array of that rank has there.
        if not unknown <= placed or len(unknown) == len(walked):
            return "uncertain", None
        code.assumptions += [has_axes(name, len(walked[name].axes) - 1) for name in sorted(unknown)]
        return "assumed", None
    shapes = {len(code.scan.carries[slot].state.axes) for slot in code.sequences}
    plain = len(shapes) < 2 and all(map(_is_path, walked))
    bound = {name for line in lines for name in _targets(line)}
    if not walked or not plain or bound & walked.keys() or (code.leading and not read.moved):
        return "uncertain", None
    carries = {carry.name: carry.update for carry in code.scan.carries}
    for result in (*code.elements(), *(carries[name] for name in code.finals)):
        if _leaves(code, result) != read:
            return "uncertain", None  # one of the results may have fewer axes
    if read.moved:
        start = _start(code, whole=True)
        if read.parted or start is None or any(map(_open, read.moved.values())):
            return "uncertain", None
        return "assumed", (unknown, {start})
    named = set(walked)
    if any(value.axes[0].extent is ONE for value in beside.values()):
        named |= code.writes.keys()  # a row that is written drops such axes, all rows do not
    return "aligned", (named, beside.keys() - _set_at_an_end(code, lines))


def _set_at_an_end(code: LoopCode, lines: list[str]) -> set[str]:
    """The names that are only read where the first or the last row of an array is set, which drops
    axes of extent 1 as a row does that the loop writes; nothing else that the loop leaves behind
    has their axes."""
    if code.stacks or code.finals:
        return set()
    ends = [line for line in lines if _END.match(line)]
    others = " ".join(line for line in lines if line not in ends)
    return set(_names(" ".join(line.partition(" = ")[2] for line in ends))) - _names(others)


def _names(text: str) -> set[str]:
    return set(re.findall(r"[A-Za-z_][\w.]*", text))


def _placed(texts: list[str]) -> set[str]:
    """The names in which what gets new axes by a subscript is computed."""
    found = {name for text in texts if "None" in text for name in _given_axes(text)}
    while True:
        more = {
            name
            for text in texts
            if _targets(text) & found
            for name in re.findall(r"[A-Za-z_]\w*", text.partition(" = ")[2])
        }
        if more <= found:
            return found
        found |= more


def _given_axes(text: str) -> set[str]:
    """The names in what a line gives new axes by a subscript."""
    return {
        name
        for node in everything_in(ast.parse(text))
        if isinstance(node, ast.Subscript)
        and any(constant(part) is None for part in everything_in(node.slice)
                if isinstance(part, ast.expr))
        for name in _computed_with(node.value)
    }  # fmt: skip


def _computed_with(node: ast.AST) -> set[str]:
    """The names that an expression computes with, those in places of subscripts aside: a size that
    is read there gets no axes."""
    if isinstance(node, ast.Name):
        return {node.id}
    parts = [node.value] if isinstance(node, ast.Subscript) else children(node)
    return set[str]().union(*map(_computed_with, parts))


def _targets(line: str) -> set[str]:
    target, equals, _ = line.partition(" = ")
    return set(re.findall(r"\w+", target)) if equals and "[" not in target else set()


def _all_renamed(lines: list[str], names: dict[str, str]) -> list[str]:
    """New names in lines of code, but for what functions among them bind to these names."""
    made: list[str] = []
    left = names
    for number, line in enumerate(lines):
        if line.startswith("def "):
            inside = itertools.takewhile(lambda one: not one or one[0] == " ", lines[number + 1 :])
            bound = _bound("\n".join([line, *inside]))
            left = {old: new for old, new in names.items() if old not in bound}
        elif line and line[0] != " ":
            left = names
        made.append(line if line.startswith("def ") else _renamed(line, left))
    return made


def _bound(function: str) -> set[str]:
    """The names that the code of a function binds."""
    nodes = everything_in(ast.parse(function))
    return {node.arg for node in nodes if isinstance(node, ast.arg)} | {
        node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def _renamed(text: str, names: dict[str, str]) -> str:
    """New names on the right of an assignment, or in an expression."""
    target, equals, value = "", "", text
    found = re.match(r"([\w, ()]+|\w+\[[^=]*\])( = )", text)
    if found is not None:
        target, equals, value = found[1], found[2], text[found.end() :]
        name, bracket, place = target.partition("[")
        target = f"{names.get(name, name) if bracket else name}{bracket}{place}"
    for old, new in names.items():
        value = re.sub(rf"(?<![\w.]){re.escape(old)}\b(?!\s*=[^=])", new, value)
    return f"{target}{equals}{value}"


def _read(code: LoopCode) -> _Read:
    """The arrays that all of the code reads."""
    read = _Read()
    for element in [*code.elements(), *(code.scan.carries[slot].update for slot in code.sequences)]:
        read |= _leaves(code, element)
    return read


def _picks(node: Read) -> bool:
    """Whether a read takes one place of an axis that has more."""
    return any(
        not isinstance(sub, Index) and axis.extent is not ONE
        for sub, axis in zip(node.subs, node.value.axes, strict=False)
    )


def _leaves(code: LoopCode, element: Term) -> _Read:
    """As ``_read``, for what one term reads, through the carried values."""
    read = _Read()
    picked: dict[str, bool] = {}
    states = {carry.state: slot for slot, carry in enumerate(code.scan.carries)}
    seen: set[object] = set()
    mixed = False
    every = frozenset({code.step})
    stack: list[tuple[Term, frozenset[Term]]] = [(code.region.inlined(element), every)]

    def carried(slot: int) -> None:
        if slot not in seen:
            seen.add(slot)
            stack.append((code.scan.carries[slot].update, every))

    while stack:
        term, moving = stack.pop()
        for node in walk(term):
            if isinstance(node, Trace) and node.scan is code.scan:
                carried(node.slot)
            if not isinstance(node, Read) or not node.value.axes:
                continue
            if node.value in states:
                carried(states[node.value])
                continue
            name = code.name_at(node.value)
            if name is None:
                inner = definition(node)
                if node.value in seen or (inner or node.value.body) is None:
                    continue
                seen.add(node.value)
                if inner is not None:
                    stack.append((inner, moving))
                elif node.value.body is not None:
                    # The body is one for all places: there its own axes stand for the step. Which
                    # of several arrays has that axis is not known.
                    along = zip(node.subs, node.value.axes, strict=False)
                    turned = {axis for sub, axis in along if moving & set(walk(sub))}
                    stack.append((node.value.body, moving | turned))
                    mixed |= bool(turned) and len(_arrays(node.value.body)) > 1
                continue
            steps = [p for p, sub in enumerate(node.subs) if moving & set(walk(sub))]
            if not steps and _picks(node):
                picked[name] = picked.get(name, True) and not isinstance(node.subs[0], Index)
                continue
            kind = read.beside if not steps else read.walked if steps == [0] else read.moved
            kind[name] = node.value
    # One row of what is walked has the axes that all of its rows have.
    read.parted = mixed or any(name not in read.walked or not row for name, row in picked.items())
    return read


def _arrays(body: Term) -> set[Value]:
    return {node.value for node in walk(body) if isinstance(node, Read) and node.value.axes}
