"""Lists whose items a loop or a comprehension computes, made arrays: ``np.array([f(row) for row in
x])``, ``rows.append(x[i] * w)`` and then ``torch.stack(rows)``.

They are nests that fill an array of their own: its first axis goes with the steps. What is said of
all cells takes the place of the list, and the call that made an array of it goes.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from auditor.arrays.strides import as_stacked
from auditor.assumed import listed
from auditor.expressions.region import text_of
from auditor.lift import extents
from auditor.lift.dtypes import NO_NARROW, WHOLE
from auditor.lift.module import Module
from auditor.nests import listings
from auditor.nests.cell_types import NARROW
from auditor.nests.choices import require_plain
from auditor.nests.code import Code
from auditor.nests.expressions import Expressions
from auditor.nests.forms import appends
from auditor.nests.integers import CannotSay, Integers, NoNest
from auditor.nests.nest import Nest
from auditor.nests.parts import Filled, Part, lookups
from auditor.nests.plan import Plan, Sayer
from auditor.nests.reader import Reader
from auditor.nests.reading import any_nest_of, nest_of
from auditor.notation import Apply, Const, Index, Library, Read, Reduce, Term, Value, walk
from auditor.rewrite import Match, Site
from auditor.surroundings.region import Region
from auditor.syntax import path_of
from auditor.tree import ancestors, descendants
from auditor.verdict import Edit, Numerics

_MAKERS: dict[str, Library] = {
    "numpy.array": "numpy", "numpy.asarray": "numpy", "numpy.stack": "numpy",
    "torch.stack": "torch",
}  # fmt: skip
_JOINERS: dict[str, Library] = {
    "numpy.concatenate": "numpy", "numpy.hstack": "numpy",
    "torch.cat": "torch", "torch.concat": "torch", "torch.concatenate": "torch",
    "torch.hstack": "torch",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class ListedNest(Nest):
    """A nest whose ``call`` makes an array of a list. The list has a ``name`` where it has one:
    ``node`` is then the loop that fills it or the statement that binds it to ``items``, and
    ``empty`` made it. ``joined`` is the axis along which items are put behind each other."""

    call: ast.Call
    name: str | None = None
    items: ast.expr | None = None
    empty: ast.stmt | None = None
    joined: int | None = None


def makes_array(module: Module, node: ast.expr) -> bool:
    """Whether an expression makes an array of a list that steps fill, by its text."""
    if not isinstance(node, ast.Call) or not node.args:
        return False
    if not isinstance(node.args[0], (ast.ListComp, ast.Name)):
        return False
    path = path_of(module, node.func)
    return path in _MAKERS or path in _JOINERS


def filling(site: Site, partly: bool = False) -> Nest | None:
    """The nest that a site is, be it a loop that fills arrays or an array that is made of a list,
    or None; ``partly`` says that not every cell need be filled."""
    if site.loop is not None:
        return any_nest_of(site) if partly else nest_of(site)
    node = site.node
    if site.statement is None or not isinstance(node, ast.Call):
        return None
    region = Region(site.lifted)
    if not makes_array(region.module, node):
        return None
    known: dict[ast.Call, ListedNest | None]
    known = site.lifted.once.setdefault("nests of lists", {})
    if node not in known:
        try:
            known[node] = _read(region, node, site.statement)
        except NoNest:
            known[node] = None
    return known[node]


def plan(site: Site, nest: Nest, filled: tuple[Filled, ...]) -> Plan:
    """The replacement of a nest."""
    made = ListPlan if isinstance(nest, ListedNest) else Plan
    return made(site, Region(site.lifted), nest, filled)


def square(nest: ListedNest) -> bool:
    """Whether all steps that put items into lists are of one range."""
    walked = [nest.walk(index) for index in nest.expressions.listed]
    ranges = [(held.low, extents.canonical(held.high), held.stride) for held in walked]
    return len(set(ranges)) == 1


def within_loop(site: Site) -> bool:
    """Whether a loop goes around the site's own."""
    return site.loop is not None and any(
        isinstance(above, (ast.For, ast.While))
        for above in ancestors(site.loop.node, site.lifted.parents)
    )


def too_large_around(site: Site) -> bool:
    """Whether the loop around the site's own is a nest whose terms are too many to build at once,
    as those of a row of it need not be."""
    outer, nest = _around(site)
    if nest is None:
        return False
    try:
        plan(outer, nest, nest.filled).lines()
    except CannotSay as problem:
        return problem.condition == "memory"
    return False


def part_of_a_nest(site: Site) -> bool:
    """Whether the loop around the site's own is a nest that does what it does for all steps."""
    return within_loop(site) and _around(site)[1] is not None


def _around(site: Site) -> tuple[Site, Nest | None]:
    """The loop around the site's own as a site, and the nest that it is."""
    assert site.loop is not None
    above = next((n for n in ancestors(site.loop.node, site.lifted.parents)
                  if isinstance(n, (ast.For, ast.While))), None)  # fmt: skip
    around = next((loop for loop in site.lifted.lifter.loops if loop.node is above), None)
    outer = replace(site, loop=around)
    return outer, filling(outer) if around is not None else None


# -- reading


def _read(region: Region, call: ast.Call, statement: ast.stmt) -> ListedNest:
    """The nest of a call. Raises ``NoNest``."""
    given = call.args[0]
    if isinstance(given, ast.ListComp):
        return _comprehended(region, call, statement, given, None)
    assert isinstance(given, ast.Name)
    name = given.id
    bound = [
        n for n in region.nodes
        if isinstance(n, ast.Name) and n.id == name and not isinstance(n.ctx, ast.Load)
    ]  # fmt: skip
    loads = region.loads.get(name, [])
    holder = region.parents[bound[0]] if bound else None
    if not isinstance(holder, ast.Assign) or len(holder.targets) != 1 or given not in loads:
        raise NoNest("a list that is made otherwise")
    if len(bound) == 2 and _takes_name(region, call, bound[1]) is not None:
        if statement not in region.siblings(holder):
            raise NoNest("a list that becomes an array under a condition")
        loads = [load for load in loads if _position(load) < _position(given)] + [given]
    elif len(bound) != 1 or name not in region.stores:
        raise NoNest("a list of several names")
    if (call.lineno, call.col_offset) < (holder.lineno, holder.col_offset):
        raise NoNest("a list that is made later")
    if isinstance(holder.value, ast.ListComp) and len(loads) == 1:
        return _comprehended(region, call, holder, holder.value, name)
    return _appended(region, call, holder, name, loads)


def _takes_name(region: Region, call: ast.Call, name: ast.Name) -> ast.Assign | None:
    """The statement ``rows = np.array(rows)``, where the array takes the name of the list."""
    holder = region.parents[name]
    alone = isinstance(holder, ast.Assign) and holder.value is call and holder.targets == [name]
    return holder if alone and isinstance(holder, ast.Assign) else None


def _position(node: ast.expr) -> tuple[int, int]:
    return (node.lineno, node.col_offset)


def _comprehended(
    region: Region, call: ast.Call, statement: ast.stmt, items: ast.ListComp, name: str | None
) -> ListedNest:
    names = frozenset(
        n.id for n in descendants(items)
        if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)
    )  # fmt: skip
    if any(isinstance(n, ast.NamedExpr) for n in descendants(items)):
        raise NoNest("binds names in a list")
    integers = Integers(region, statement, names, frozenset())
    reading = Expressions(region, integers, names, lambda node, scope: None, doubts=[], free=True)
    if name is not None:
        reading.items = lambda node, scope: listings.listing(
            reading, items, {}, 0, _nests(region, call)
        )
    part, joins = _array(reading, call)
    return _nest(region, call, reading, (part, joins), statement, frozenset(), tuple(reading.walks),
                 name, items)  # fmt: skip


def _appended(
    region: Region, call: ast.Call, empty: ast.Assign, name: str, loads: list[ast.Name]
) -> ListedNest:
    if not isinstance(empty.value, ast.List) or empty.value.elts:
        raise NoNest("a list that is not empty at first")
    block = region.siblings(empty)
    for loop in block[block.index(empty) + 1 :]:
        inside = [load for load in loads if region.within(load, loop)]
        if not inside:
            continue
        before = (loop.lineno, loop.col_offset) < (call.lineno, call.col_offset)
        if not isinstance(loop, ast.For) or len(loads) != len(inside) + 1 or not before:
            break
        adding = [each for each in loop.body if (appends(each) or ("", None))[0] == name]
        if region.within(call, loop) or len(adding) != 1 or not all(
            region.within(load, adding[0]) and _is_added_to(region.parents[load])
            for load in inside
        ):  # fmt: skip
            break
        reader = Reader(region, loop)
        reader.reading.doubts, reader.reading.free = [], True
        reader.list_of(name, _nests(region, call))
        array = _array(reader.reading, call)
        return _nest(region, call, reader.reading, array, loop, reader.names, tuple(reader.loops),
                     name, None, empty)  # fmt: skip
    raise NoNest("a list that more than one loop uses")


def _array(reading: Expressions, call: ast.Call) -> tuple[Part, int | None]:
    """The array that a call makes of a list, and where its items are joined, if they are."""
    if path_of(reading.region.module, call.func) in _JOINERS:
        return listings.joined(reading, call, {})
    return listings.array_of(reading, call, {}), None


def _is_added_to(node: ast.AST) -> bool:
    """``rows.append``"""
    return isinstance(node, ast.Attribute) and node.attr == "append"


def _nests(region: Region, call: ast.Call) -> bool:
    """Whether the items that a call makes an array of may be lists."""
    return path_of(region.module, call.func) in ("numpy.array", "numpy.asarray")


def _nest(
    region: Region,
    call: ast.Call,
    reading: Expressions,
    array: tuple[Part, int | None],
    node: ast.stmt,
    names: frozenset[str],
    loops: tuple[Index, ...],
    name: str | None,
    items: ast.expr | None,
    empty: ast.stmt | None = None,
) -> ListedNest:
    part, joins = array
    path = path_of(region.module, call.func) or ""
    library = _MAKERS.get(path) or _JOINERS[path]
    if any(v.library not in (None, library, "python") for v in reading.nodes):
        raise NoNest("an array of one library made of those of another")
    if any(isinstance(n, Apply) and n.op.startswith("cast:") for n in walk(part.term)):
        raise NoNest("computes with items, which are no tensors")
    if library == "numpy":
        for value in reading.nodes:
            if value.axes and value.library is None and region.module.library != "numpy":
                if reading.arrays.library(reading.nodes[value]) != "numpy":
                    reading.unsure(f"whether `{value.name}` is an array of NumPy is not known")
    made = Value(name or "items", part.axes, None, None, "input", library)
    old = Value(name or "items", (), None, None, "state")
    filled = Filled(made.name, call, made, part.axes, part.term, old, False)
    require_plain(filled)
    return ListedNest(node, reading, (filled,), names, loops, call, name, items, empty, joins)


# -- code


class ListPlan(Plan):
    """The replacement of a list and of the array that is made of it."""

    def match(
        self, message: str, say: Sayer = Code.filled, numerics: Numerics = "reassociated"
    ) -> Match:
        """The match. Raises ``Refused``."""
        nest, region, site = self.nest, self.region, self.site
        assert isinstance(nest, ListedNest)
        (filled,) = self.filled
        if nest.expressions.open or self._alike(filled):
            why = next(iter(nest.expressions.open), "the arrays may have unlike numbers of axes")
            return self.advice(message, why)
        self.names()
        self._kinds(filled)
        self.reasons += self.of_some_steps(filled, True)
        autocast = self.region.under_autocast(self.nest.node)
        site.require(not autocast, "autocast", "under autocast a product has another dtype")
        try:
            code = self.code(filled)
            said = code.said(filled.term) if say is Code.filled else say(code, filled.term)
            missing = set(filled.axes) - set(said.axes) - nest.expressions.inserted
            if missing:
                raise CannotSay("an item is the same at every step", "axes")
            anew = "copy" if self.library(filled) == "numpy" else "contiguous"
            text = self._joined(nest, code.arranged(said, filled.axes).whole)
            text = as_stacked(site.lifted, nest.call, text, anew)
            steps = self._steps(filled)
        except CannotSay as problem:
            site.require(False, problem.condition, str(problem))
        doubts = self._guesses(filled)
        assumed = [*nest.expressions.assumptions, *self.reasons, *self.of_sizes()]
        return Match(
            span=region.module.span(nest.call),
            message=message,
            computation=self.computation(),
            edits=self._edits(nest, text),
            numerics=numerics,
            safe=not doubts and not nest.expressions.doubts,
            reason=self.told([*assumed, *steps], *doubts),
            covers=() if nest.name is None else (region.module.span(nest.node),),
        )

    def _joined(self, nest: ListedNest, text: str) -> str:
        """The items behind each other, where they are joined."""
        if nest.joined is None:
            return text
        if self.library(self.filled[0]) == "numpy":  # which joins the parts of an array as well
            source = self.region.module.source
            words = [f"{word.arg}={source(word.value)}" for word in nest.call.keywords]
            given = [text, *map(source, nest.call.args[1:]), *words]
            return f"{source(nest.call.func)}({', '.join(given)})"
        return text_of(text).call(f".flatten({nest.joined}, {nest.joined + 1})").text

    def _edits(self, nest: ListedNest, text: str) -> tuple[Edit, ...]:
        region, name = self.region, nest.name
        if name is None:
            return (region.replace(nest.call, text),)
        holder = region.parents[nest.call]
        taken = holder.targets[0] if isinstance(holder, ast.Assign) else None
        renamed = isinstance(taken, ast.Name) and taken.id == name and (
            _takes_name(region, nest.call, taken) is not None)  # fmt: skip
        edits = [region.drop(holder) if renamed else region.replace(nest.call, name)]  # type: ignore[arg-type]
        if nest.items is not None:
            edits.append(region.replace(nest.items, text))
        else:
            assert nest.empty is not None
            edits.append(region.drop(nest.empty))
            edits.append(region.replace_lines(nest.node, [f"{name} = {text}"]))
        return tuple(sorted(edits, key=lambda edit: edit.span))

    def _kinds(self, filled: Filled) -> None:
        """Whether all at once comes out in the type that the steps' items have."""
        term = filled.term
        read = self.read(term)
        sums = [n for n in walk(term) if isinstance(n, Apply) and n.op == "add"]
        zeros = [n for one in sums for n in one.args if isinstance(n, Const) and n.value == 0]
        kept = _without_zeros(term)
        self.site.require(
            not isinstance(kept, Read) or any(map(lookups, kept.subs)), "views",
            "what only picks elements would share memory with them",
        )  # fmt: skip
        if any(isinstance(zero.value, float) for zero in zeros):
            self.site.require(
                all(value.dtype not in WHOLE for value in read), "integers",
                "a sum that begins with a fraction is no integer",
            )  # fmt: skip
            floats = [f"`{value.name}`" for value in read if value.dtype is None]
            if floats:
                held = "holds" if len(floats) == 1 else "hold"
                self.reasons.append(f"{' and '.join(floats)} {held} floating-point numbers")
        self.site.require(
            all(value.dtype != "bool" for value in read), "booleans",
            "truth values are counted, which a product of matrices does not do",
        )  # fmt: skip
        if len({value.dtype for value in read}) > 1 or (len(read) > 1 and read[0].dtype is None):
            self.reasons.append(f"{' and '.join(f'`{v.name}`' for v in read)} are of one type")
        summed = any(isinstance(node, Reduce) for node in walk(term))
        unknown = [value for value in read if value.dtype is None]
        if summed:
            self.site.require(
                all(value.dtype not in NARROW for value in read), "integers",
                "sums of narrow integers are wider than products of matrices",
            )  # fmt: skip
        if summed and unknown:
            names = listed(f"`{value.name}`" for value in unknown)
            hold = "hold" if len(unknown) > 1 else "holds"
            self.reasons.append(f"{names} {hold} {NO_NARROW}")

    def _steps(self, filled: Filled) -> list[str]:
        """A list of no items makes no array of the right axes, and steps beyond an axis raise."""
        nest, found = self.nest, list[str]()
        for index in nest.expressions.listed:
            held = nest.walk(index)
            least = extents.constant(extents.sub(held.high, held.low))
            if least is None or least < 1:
                found.append(self._some(held.low, held.high))
        for node in walk(filled.term):
            for place, sub in enumerate(node.subs if isinstance(node, Read) else ()):
                assert isinstance(node, Read)
                if not lookups(sub) and (self.room(node.value, place, sub) or 0) < 1:
                    found.append(f"no step reads beyond the end of `{node.value.name}`")
        return list(dict.fromkeys(found))

    def _some(self, low: Term, high: Term) -> str:
        integers = self.nest.expressions.integers
        text = integers.text(high)
        if extents.constant(low) == 0 and text.endswith(".shape[0]"):
            return f"`{text.removesuffix('.shape[0]')}` is not empty"
        return f"`{text}` is more than {integers.text(low)}"

    def _alike(self, filled: Filled) -> bool:
        """Whether rows may meet numbers: elements of two arrays, of which nothing says what they
        are."""
        guessed = {*self.read(filled.term)} & self.nest.expressions.loose
        summed = any(isinstance(node, Reduce) for node in walk(filled.term))
        return len(guessed) > 1 and not summed

    def _guesses(self, filled: Filled) -> list[str]:
        """What speaks against the numbers of axes that nothing but the uses say."""
        reading = self.nest.expressions
        nodes = [n for n in walk(filled.term) if isinstance(n, Read)]
        guessed = {n.value for n in nodes} & reading.guessed
        if not guessed:
            return []
        arrays = {*self.read(filled.term)}
        summed = any(isinstance(node, Reduce) for node in walk(filled.term))
        if arrays == guessed and len(arrays) == 1 and not summed:
            return []
        placed = all(1 < len(v.axes) == reading.evidence.axes(v.name) for v in guessed)
        if placed and set(filled.axes) <= set(reading.listed):
            return []
        names = listed(sorted(f"`{value.name}`" for value in guessed))
        many = "have" if len(guessed) > 1 else "has"
        return [f"the result may differ if {names} {many} more axes or fewer"]


def _without_zeros(term: Term) -> Term:
    """What is left of a sum where zeros are not added."""
    while isinstance(term, Apply) and term.op == "add":
        rest = [arg for arg in term.args if not (isinstance(arg, Const) and arg.value == 0)]
        if len(rest) != 1:
            break
        (term,) = rest
    return term
