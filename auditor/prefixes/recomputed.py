"""Prefixes that are reduced anew at each step, as one cumulative operation.

torch.stack([x[: i + 1].sum(0) for i in range(n)])     x.cumsum(0)
torch.tril(torch.ones(n, n)) @ x                       x.cumsum(0)
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from auditor.algebra.subterms import computed, element
from auditor.arrays.facts import Arrays, leaves
from auditor.assumed import assuming, reason_of
from auditor.expressions.region import ExpressionRegion, Text, text_of
from auditor.expressions.suppositions import guessed_rank, made_of, vector_perhaps
from auditor.expressions.turned_axes import moved
from auditor.folds.iterables import Iterable, element_type, kind_of
from auditor.lift import extents
from auditor.lift.dtypes import NO_NARROW, WHOLE
from auditor.lift.loops import Loop
from auditor.notation import Apply, Const, Index, Read, Reduce, Term, Value, substitute, walk
from auditor.rewrite import Match, Site
from auditor.syntax import converts
from auditor.tree import everything_in
from auditor.verdict import Edit, Verdict

_WORDS = {"sum": "sum", "prod": "product", "max": "maximum", "min": "minimum",
          "logsumexp": "log-sum-exp", "mean": "mean"}  # fmt: skip
_TORCH = {"sum": ".cumsum({})", "prod": ".cumprod({})", "max": ".cummax({}).values",
          "min": ".cummin({}).values", "logsumexp": ".logcumsumexp({})"}  # fmt: skip
_NUMPY = {"sum": ".cumsum({})", "prod": ".cumprod({})"}
_UFUNCS = {"max": "maximum", "min": "minimum", "logsumexp": "logaddexp"}
_FUNCTIONS = {"sum": [], "prod": ["operator.mul"], "max": ["max"], "min": ["min"]}
_BUILTINS = frozenset(("sum", "max", "min"))
_ORDERED = {"le": (0, 1), "ge": (1, 0)}


@dataclass(frozen=True)
class _Prefixes:
    """What is reduced up to each place: ``row`` reads it at ``index``, which runs to ``upto``, or
    from there on where it is ``reversed``; ``masked`` where a triangle of ones says so."""

    op: str
    row: Read
    index: Index
    upto: Index
    reversed: bool = False
    masked: bool = False

    @property
    def subs(self) -> tuple[Term, ...]:
        """The axes of the row, those of the result in the order of the array's."""
        return tuple(self.upto if self.index in walk(sub) else sub for sub in self.row.subs)


@dataclass(frozen=True)
class _Accumulated:
    """A call of ``itertools.accumulate``, what it imports and assumes."""

    text: str
    imports: tuple[tuple[str, None], ...]
    reasons: tuple[str, ...]


def recomputed(site: Site) -> Match | None:
    """The match of an expression whose items are each a reduction of a longer part of one array, or
    of a loop that writes them, or None. Raises ``Refused``."""
    if site.loop is not None:
        return _filled(site, site.loop) or _appended(site, site.loop)
    value, node = site.value, site.node
    if value is None or node is None or site.statement is None:
        return None
    if not site.inside and value.span != site.lifted.module.span(node):
        return None
    found = _prefixes(value)
    if found is None or not _whole(site, value, found):
        return None
    if isinstance(node, ast.ListComp):
        return _Region(site).listing(node, value, found)
    return None if site.inside else _Region(site).match(value, found)


def _filled(site: Site, loop: Loop) -> Match | None:
    """The match of a loop that does nothing but write one array place by place."""
    node = loop.node
    if not isinstance(node, ast.For) or len(node.body) != 1 or node.orelse or loop.scan.carries:
        return None
    (write,) = node.body
    if not isinstance(write, ast.Assign) or len(loop.results) != 1 or loop.lists:
        return None
    (value,) = loop.results.values()
    found = _prefixes(replace(value, body=_uncast(value.body)))
    if found is None or not _whole(site, value, found):
        return None
    within = replace(site, loop=None, node=write.value, value=value, statement=node)
    return _Region(within).filling(site, loop, value, found)


def _appended(site: Site, loop: Loop) -> Match | None:
    """The match of a loop that does nothing but append such items to one list."""
    node = loop.node
    if not isinstance(node, ast.For) or len(node.body) != 1 or node.orelse or loop.scan.carries:
        return None
    call = node.body[0].value if isinstance(node.body[0], ast.Expr) else None
    if not isinstance(call, ast.Call) or len(call.args) != 1 or len(loop.lists) != 1:
        return None
    ((name, items),) = loop.lists.items()
    if loop.results or items.prefix or items.reverse:
        return None
    value = Value(name, (loop.step, *items.axes), items.element, items.dtype, "derived")
    found = _prefixes(value)
    if found is None or not _whole(site, value, found):
        return None
    within = replace(site, loop=None, node=call.args[0], value=value, statement=node)
    return _Region(within).appending(site, loop, name, value, found)


def _prefixes(value: Value) -> _Prefixes | None:
    """The reduction of prefixes that a value is."""
    if value.body is None:
        return None
    term, count = computed(value.body), None
    op = term.op if isinstance(term, Reduce) else ""
    if isinstance(term, Apply) and term.op in ("log", "div"):
        op = "logsumexp" if term.op == "log" else "mean"
        count = None if term.op == "log" else computed(term.args[1])
        term = computed(term.args[0])
    if not isinstance(term, Reduce) or term.index.group or (count and term.op != "sum"):
        return None
    inner = computed(term.body)
    if op == "logsumexp":
        if term.op != "sum" or not isinstance(inner, Apply) or inner.op != "exp":
            return None
        inner = inner.args[0]
    if op == "sum" and (masked := _masked(inner, term.index)) is not None:
        added, place, backwards, shares = masked
        if shares and backwards:
            return None
        return _Prefixes("mean" if shares else op, added, term.index, place, backwards, masked=True)
    row = element(inner)
    if op not in _WORDS or not isinstance(row, Read):
        return None
    upto = _last(term.index)
    if upto is None:
        return _suffixes(op, row, term.index) if count is None else None
    if count is not None and extents.canonical(count) is not extents.canonical(term.index.extent):
        return None
    return _Prefixes(op, row, term.index, upto)


def _last(index: Index) -> Index | None:
    """The place up to which, itself included, an index runs."""
    extent = extents.canonical(index.extent)
    if not isinstance(extent, Apply) or extent.op != "add" or len(extent.args) != 2:
        return None
    places = [arg for arg in extent.args if isinstance(arg, Index)]
    one = any(isinstance(arg, Const) and arg.value == 1 for arg in extent.args)
    return places[0] if len(places) == 1 and one else None


def _suffixes(op: str, row: Read, index: Index) -> _Prefixes | None:
    """The reduction from each place on: ``x[t + q]`` for q below ``n - t``."""
    for sub, axis in zip(row.subs, row.value.axes, strict=False):
        if not isinstance(sub, Apply) or sub.op != "add" or index not in sub.args:
            continue
        others = [arg for arg in sub.args if arg is not index]
        if len(others) != 1 or not isinstance(first := others[0], Index):
            return None
        if extents.add(index.extent, first) is extents.canonical(axis.extent):
            return _Prefixes(op, row, index, first, True)
    return None


def _masked(term: Term, index: Index) -> tuple[Read, Index, bool, bool] | None:
    """What is added up where a triangle of ones lets it through, up to which place or from which
    on; and whether each row of the triangle is divided by how many ones it has."""
    if not isinstance(term, Apply) or term.op != "mul" or len(term.args) != 2:
        return None
    for mask, other in (term.args, term.args[::-1]):
        whole = computed(mask)
        shares = _shares(whole, index)
        condition, row = _condition(whole if shares is None else shares), element(other)
        if not isinstance(condition, Apply) or condition.op not in _ORDERED:
            continue
        low, high = (computed(condition.args[place]) for place in _ORDERED[condition.op])
        if isinstance(row, Read) and low is index and isinstance(high, Index):
            return row, high, False, shares is not None
        if isinstance(row, Read) and high is index and isinstance(low, Index):
            return row, low, True, shares is not None
    return None


def _shares(mask: Term, index: Index) -> Term | None:
    """The triangle of which a mask is each row, along ``index``, divided by its sum."""
    if not isinstance(mask, Apply) or mask.op != "div":
        return None
    ones, total = map(computed, mask.args)
    if not isinstance(total, Reduce) or total.op != "sum" or total.index.group:
        return None
    above, below = _condition(ones), _condition(computed(total.body))
    if not isinstance(above, Apply) or not isinstance(below, Apply) or above.op != below.op:
        return None
    along = extents.canonical(index.extent) is extents.canonical(total.index.extent)
    row = [computed(substitute(arg, {total.index: index})) for arg in below.args]
    same = along and row == [*map(computed, above.args)]
    return ones if same else None


def _condition(mask: Term) -> Term | None:
    """What decides where a mask is 1; it is 0 elsewhere."""
    if not isinstance(mask, Apply):
        return None
    if mask.op.startswith("cast:"):
        return computed(mask.args[0])
    if mask.op != "where":
        return mask
    condition, one, zero = map(computed, mask.args)
    chosen = isinstance(one, Const) and one.value == 1 and not isinstance(one.value, bool)
    return condition if chosen and isinstance(zero, Const) and zero.value == 0 else None


def _whole(site: Site, value: Value, found: _Prefixes) -> bool:
    """Whether every prefix is of the whole array, and every other axis one of the result."""
    facts, axes = site.lifted.facts, found.row.value.axes
    if found.row.aligned or len(found.subs) != len(axes) or len(axes) != len(value.axes):
        return False
    walked = [sub for sub in found.row.subs if found.index in walk(sub)]
    return (
        len(walked) == 1
        and (walked[0] is found.index or (found.reversed and not found.masked))
        and found.subs.count(found.upto) == 1
        and all(
            isinstance(sub, Index)
            and sub in value.axes
            and sub.group == axis.group
            and facts.certain(axis.extent)
            and facts.extent(sub.extent) is facts.extent(axis.extent)
            for sub, axis in zip(found.subs, axes, strict=True)
        )
    )


def _uncast(term: Term | None) -> Term | None:
    """What is converted to the type of the array that it is put into."""
    cast = isinstance(term, Apply) and term.op.startswith("cast:")
    return term.args[0] if cast and isinstance(term, Apply) else term


class _Region(ExpressionRegion):
    """The expression that reduces the prefixes."""

    def match(self, value: Value, found: _Prefixes) -> Match | None:
        written = self._written(value, found)
        if written is None:
            return None
        collecting = self.collecting([value])
        self.site.require(
            all(self._alike(statement) for statement in collecting),
            "gradients",
            "the items are computed in another `with` block",
        )
        removal = self.removal({self.node: written}, loops=collecting)
        edits = (self.replace(self.node, written.text), *removal.edits)
        return self._match(value, found, edits)

    def _roots(self, value: Value) -> list[ast.AST]:
        """What makes the items and puts them together."""
        return [self.node, *self.collecting([value])]

    def _alike(self, statement: ast.stmt) -> bool:
        """Whether a statement computes under the same conditions as the expression."""
        inner = any(
            isinstance(node, (ast.With, ast.AsyncWith)) for node in everything_in(statement)
        )
        return not inner and self.withs(statement) == self.withs(self.node)

    def filling(self, site: Site, loop: Loop, value: Value, found: _Prefixes) -> Match | None:
        """The loop, as one assignment to the array that it fills."""
        assert isinstance(loop.node, ast.For)
        (array,) = loop.written.values()
        written = self._written(value, found)
        name = self.name_at(array.original, loop.node)
        if written is None or name is None or not name.isidentifier():
            return None
        site.require(loop.blocked is None and not loop.effects, "effects", "the loop does more")
        target = ast.unparse(loop.node.target)
        site.require(
            not self.read_after(loop.node, target), "names", f"`{target}` is used after the loop"
        )
        memory = self.lifted.lifter.memory
        alone = array.original.kind == "derived" and memory(array.original).isdisjoint(
            memory(found.row.value)
        )
        site.require(alone, "aliasing", f"`{name}` may share memory with what the loop reads")
        site.require(array.original.dtype not in WHOLE, "integers", f"`{name}` holds whole numbers")
        line = f"{self.indent(loop.node)}{name}[:] = {written.text}\n"
        return self._match(value, found, (Edit(self.line_span(loop.node), line),))

    def listing(self, node: ast.ListComp, value: Value, found: _Prefixes) -> Match | None:
        """A list of what a list of numbers adds up to, or is at most, up to each place."""
        said = self._accumulated(node, found)
        if said is None:
            return None
        text = f"list({said.text})" + ("[::-1]" if found.reversed else "")
        match = self._match(value, found, (self.replace(node, text),))
        return replace(match, imports=said.imports, reason=assuming(said.reasons))

    def appending(
        self, site: Site, loop: Loop, name: str, value: Value, found: _Prefixes
    ) -> Match | None:
        """The loop, as what it appends all at once."""
        assert isinstance(loop.node, ast.For) and isinstance(self.node, ast.expr)
        said = self._accumulated(self.node, found)
        if said is None or found.reversed or name == found.row.value.name:
            return None
        site.require(loop.blocked is None and not loop.effects, "effects", "the loop does more")
        target = ast.unparse(loop.node.target)
        site.require(
            not self.read_after(loop.node, target), "names", f"`{target}` is used after the loop"
        )
        block = self.siblings(loop.node)
        before, started = block[: block.index(loop.node)], self.binding_before(loop.node, name)
        if started is not None and before and before[-1] is started.statement and started.alone:
            edits = [
                self.drop(started.statement),
                self.replace_lines(loop.node, [f"{name} = list({said.text})"]),
            ]
        else:
            edits = [self.replace_lines(loop.node, [f"{name}.extend({said.text})"])]
        match = self._match(value, found, tuple(edits))
        return replace(match, imports=said.imports, reason=assuming(said.reasons))

    def _accumulated(self, node: ast.expr, found: _Prefixes) -> _Accumulated | None:
        """What gives the items one by one, where ``node`` computes each from a list of numbers."""
        array = found.row.value
        names = [
            n
            for n in everything_in(node)
            if isinstance(n, ast.Name) and self.values.get(n) is array
        ]
        if (
            not names
            or found.op not in _FUNCTIONS
            or kind_of(self, names[0], []) is not Iterable.LIST
        ):
            return None
        name = names[0].id
        self.site.require(
            element_type(self, names[0]) in ("int", "float"),
            "arrays",
            f"nothing says that `{name}` holds numbers",
        )
        self.site.require(
            not self.effects_in(node), "effects", "computing an item does something else too"
        )
        walked = f"reversed({name})" if found.reversed else name
        text = f"itertools.accumulate({', '.join([walked, *_FUNCTIONS[found.op]])})"
        imports = ((("itertools", None),), (("itertools", None), ("operator", None)))
        reasons = [f"`{name}` holds no truth values"]  # `sum` makes numbers of these
        if found.op in ("max", "min"):
            # from the end, the last of equals is what the first was
            turned = [f"`{name}` holds no NaN and numbers of one type"]
            reasons = turned if found.reversed else []
        return _Accumulated(text, imports[found.op == "prod"], tuple(reasons))

    def _written(self, value: Value, found: _Prefixes) -> Text | None:
        """The cumulative operation; None where nothing says that it takes an array."""
        array = found.row.value
        numpy = value.library == "numpy"
        if not (Arrays(self).of_numpy([array], self.origins) if numpy else self.tensors([array])):
            return None
        said = self.say(array)
        text = None if said is None else self._text(value, found, said, numpy)
        if said is None or text is None:
            return None
        self.site.require(
            not found.masked or self.steady(made_of(value), [said]),
            "effects",
            "something in between may change the triangle",
        )
        self.site.require(
            found.masked or not any(map(converts, self._roots(value))),
            "types",
            "the items are made another type on the way",
        )
        self.site.require(
            not self.effects_in(self.node), "effects", "computing an item does something else too"
        )
        self.site.require(
            not self.autocast(), "autocast", "under autocast a product has another dtype"
        )
        return text_of(text, said)

    def _match(self, value: Value, found: _Prefixes, edits: tuple[Edit, ...]) -> Match:
        site, array, stated = self.site, found.row.value, self.lifted.facts.assumptions
        reasons = [stated[name] for name in sorted(leaves(array)) if name in stated]
        precise = found.masked or found.op == "mean"
        walked = [n for root in self._roots(value) for n in everything_in(root)]
        builtin = any(isinstance(n, ast.Name) and n.id in _BUILTINS for n in walked)
        if builtin and array.dtype not in ("float32", "float64", "int64"):
            self.site.require(
                array.dtype not in WHOLE or found.op in ("max", "min"),
                "integers",
                "a builtin adds numbers as wide as the array's, the library wider ones",
            )
            reasons.append(f"`{array.name}` holds no NaN, {NO_NARROW}")
        if precise and array.dtype != "float64":
            double = value.library == "numpy"
            held = "double precision" if double else "single or double precision"
            reasons.append(f"`{array.name}` is of {held}")
        if found.op == "logsumexp" and value.library == "torch":
            real = array.dtype is None or "float" in array.dtype
            self.site.require(real, "dtypes", "`logcumsumexp` takes floating-point numbers only")
            if array.dtype is None:
                reasons.append(f"`{array.name}` holds floating-point numbers")
        vector = found.masked and vector_perhaps(self, array)
        doubt = f"`{array.name}` must not be a vector" if vector else None
        return Match(
            span=site.computation.span,
            message=f"`{array.name}`: the {_WORDS[found.op]} of all elements up to a place is"
            " computed anew for every place, where each follows from the one before and one more"
            " element",
            computation=site.computation,
            edits=tuple(sorted(edits, key=lambda edit: edit.span)),
            numerics="exact" if found.op in ("max", "min") else "reassociated",
            reason=reason_of(assuming([*reasons, f"`{array.name}` is not empty"]), doubt),
            safe=doubt is None,
            verdicts={
                "associativity": Verdict(
                    "holds", "structure", f"a {_WORDS[found.op]} up to t + 1 is that up to t and"
                    " one element"
                )
            },
        )  # fmt: skip

    def _text(self, value: Value, found: _Prefixes, said: Text, numpy: bool) -> str | None:
        """The cumulative operation, with the axes of the result."""
        subs, many = found.subs, any(axis.group for axis in value.axes)
        place = subs.index(found.upto)
        counted = found.masked and guessed_rank(self, found.row.value)
        if counted or any(isinstance(sub, Index) and sub.group for sub in subs[:place]):
            place -= len(subs)  # of batches of matrices as of a matrix
        turn = ""
        if list(subs) != list(value.axes):
            axes = [sub for sub in subs if isinstance(sub, Index)]
            move = None if many else moved(axes, value.axes, "numpy" if numpy else "torch")
            if move is None:
                return None
            turn = move if numpy else f"{move}.contiguous()"
        library = "numpy" if numpy else "torch"
        name = next((n for n, path in self.module.names.items() if path == library), None)
        if name is None:
            return None
        array = said.dotted()
        if found.op == "mean":
            if many and place >= 0:
                return None  # the counts would need as many axes more
            # The counts, with an axis for each one behind that of the steps.
            behind = len(subs) - 1 - subs.index(found.upto)
            counts = f"{name}.arange(1, {array}.shape[{place}] + 1"
            counts += ")" if numpy else f", device={array}.device)"
            counts += f"[:{', None' * behind}]" if behind else ""
            text = f"{array}.cumsum({place}) / {counts}"
            return f"({text}){turn}" if turn else text
        if not numpy:
            flip = f".flip({place})" if found.reversed else ""
            return array + flip + _TORCH[found.op].format(place) + flip + turn
        start = f"{name}.flip({said.text}, {place})" if found.reversed else array
        if found.op in _NUMPY:
            text = start + _NUMPY[found.op].format(place)
        else:
            text = f"{name}.{_UFUNCS[found.op]}.accumulate({start}, {place})"
        return (f"{name}.flip({text}, {place})" if found.reversed else text) + turn
