"""Full sorts of which one place is read, as a minimum, a maximum or a selection.

Finds ``sorted(xs)[0]`` and ``sorted(xs)[-1]``, with a key or reversed, the ends of a new list that
is sorted in place, and one place of ``np.sort(x)``, ``x.sort().values`` or ``x.argsort()``: the
first, the last, the k-th from the end, the middle one; in one expression or through a name that is
read at such places only, be they known only after the sort. Slices and further places of a tensor
from the front are ASC110's.

Legal because the place is determined by the values alone: the first of a sort is the minimum, the
k-th the order statistic that a selection finds without ordering the rest.

Pays: a minimum takes one pass, a selection a few, a sort n log n comparisons. Rows of NumPy that
the code states to have a hundred numbers or fewer stay: they are sorted before a partition has
begun.

Safe means: the same value. ``sorted`` keeps equal elements in their order, and ``min`` and ``max``
give the first of them: that is the same where the place is the first, and at the other end where
the sequence is walked backwards or equal elements are alike (whole numbers, texts); where nothing
is known of the sequence the fix is not safe. Nor is that of a place in ``argsort``, which may be
another one among equals, and with NaN. Sorts of arrays
put NaN last, where ``np.partition`` and ``kthvalue`` put it too and ``max`` finds it: these are
written, never ``np.min`` or ``torch.min``. A list with NaN has no order. An empty list raises
another error, so a place that is read under a condition stays, and where the file looks for that
of a missing place the fix is not safe. Where nothing says that the sorted
axis is the one that is subscripted, or that a parameter which counts the place is not negative, the
fix is unsafe.

Sources: Hoare, "Algorithm 65: Find" (1961); the documentation of ``sorted``, ``min``,
``numpy.partition`` and ``torch.kthvalue``.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from auditor.arrays.facts import Arrays
from auditor.assumed import assuming, assuming_too
from auditor.folds.iterables import Iterable, element_type, kind_of
from auditor.lift.module import Module
from auditor.notation import Computation, Const, Index, Order, Read, Symbol, Term, Value
from auditor.properties.redundancy import ask
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site
from auditor.surroundings.purity import pure_key
from auditor.surroundings.region import Region
from auditor.syntax import constant, is_name, path_of
from auditor.topk.cuts import Cut
from auditor.topk.orderings import (
    Ordering,
    OtherAxis,
    axes_agree,
)
from auditor.topk.read_places import (
    SIMPLE,
    Place,
    Sort,
    certainly_read,
    index_text,
    place_of,
    reading,
    sort_of,
)
from auditor.topk.selections import compared
from auditor.topk.short import is_short
from auditor.topk.subscripts import at_least_zero, is_early, is_index, may_be_index
from auditor.tree import descendants, everything_in
from auditor.verdict import Edit

_ALIKE = ("int", "str", "bytes")


def find(site: Site) -> Match | None:
    """The match of an expression, or None. Raises ``Refused``."""
    if site.loop is not None or not isinstance(site.node, ast.Subscript):
        return None
    place = place_of(site.node)
    region = Region(site.lifted)
    if place is None or not isinstance(region.statement_of(site.node), SIMPLE):
        return None
    found = sort_of(region, place)
    if found is None:
        return None
    if found.ordering.library == "python" and not region.means_builtin("sorted"):
        return None
    site.require(
        certainly_read(region, found),
        "conditional",
        "a place is read under a condition, without which there may be none",
    )
    library = found.ordering.library
    if library == "numpy" and is_short(region, found.ordering):
        return None
    if found.sizes and library not in ("numpy", "torch"):
        return None
    if found.ordering.what == "indices":
        return _indices(site, region, found) if library in ("numpy", "torch") else None
    if library == "python":
        return _python(site, region, found)
    if library == "numpy":
        return _numpy(site, region, found)
    return _torch(site, region, found) if library == "torch" else None


# -- lists


def _python(site: Site, region: Region, found: Sort) -> Match | None:
    ordering = found.ordering
    numbers = {place.number for place in found.places}
    if not numbers <= {0, -1} or any(place.axis or place.added for place in found.places):
        return None
    key = next((k.value for k in ordering.call.keywords if k.arg == "key"), None)
    orders, assumed = compared(region, ordering.operand, key)
    if not orders:
        return None
    doubts: list[str] = []
    calls = {number: _extremum(site, region, ordering, key, number, doubts) for number in numbers
             if number is not None}  # fmt: skip
    if any(call is None for call in calls.values()):
        return None
    edits: list[Edit] = []
    if found.in_place is not None:
        sort = found.in_place.call
        if _right_behind(region, found, sort):
            edits.append(region.drop(sort))
            edits += [region.replace(p.node, str(calls[p.number or 0])) for p in found.places]
        elif len(calls) == 1:
            (call,) = calls.values()
            edits.append(region.replace_lines(sort, [f"{found.name} = {call}"]))
            edits += [region.replace(place.node, found.name) for place in found.places]
        else:
            return None
    elif found.defined is None:
        edits.append(region.replace(found.places[0].node, str(calls[found.places[0].number or 0])))
    elif len(calls) == 1:
        (call,) = calls.values()
        edits.append(region.replace(found.defined.value, str(call)))
        edits += [region.replace(place.node, found.name) for place in found.places]
    else:
        again = kind_of(region, ordering.operand, [])
        site.require(
            again in (Iterable.LIST, Iterable.SET, Iterable.ARRAY, Iterable.UNKNOWN),
            "iterated",
            "nothing says that what is sorted can be walked twice",
        )
        if again is Iterable.UNKNOWN:
            doubts.append(f"`{region.module.source(ordering.operand)}` must be no iterator")
        if not _right_behind(region, found, found.defined):
            return None
        edits.append(region.drop(found.defined))
        edits += [region.replace(p.node, str(calls[p.number or 0])) for p in found.places]
    first = found.places[0]
    reason = "; ".join(dict.fromkeys(doubts)) or assuming([assumed] if assumed else [])
    return _match(site, region, found, edits, reason, "min" if first.number == 0 else "max",
                  safe=not doubts)  # fmt: skip


def _right_behind(region: Region, found: Sort, defined: ast.Assign | ast.Expr) -> bool:
    """Whether the places are read in the statements right behind the sort, of which all but the
    last only give them names, so that none of them changes what is sorted."""
    here = {region.statement_of(place.node): place.node for place in found.places}
    read = {node.id for node in everything_in(defined.value) if isinstance(node, ast.Name)}
    at = region.next_statement(defined)
    while at in here and len(here) > 1:
        node = here.pop(at)
        if not isinstance(at, ast.Assign) or at.value is not node or len(at.targets) != 1:
            return False
        if not isinstance(at.targets[0], ast.Name) or at.targets[0].id in read:
            return False
        at = region.next_statement(at)
    return set(here) == {at}


def _extremum(
    site: Site, region: Region, ordering: Ordering, key: ast.expr | None, number: int,
    doubts: list[str],
) -> str | None:  # fmt: skip
    """The call that gives the first or last element of a sort, the right one of equals."""
    reverse = ordering.descending != ordering.turned
    first = (number == 0) != ordering.turned
    name = "min" if first != reverse else "max"
    operand = region.module.source(ordering.operand)
    if isinstance(ordering.operand, ast.GeneratorExp) and key is None:
        operand = operand[1:-1] if operand.startswith("(") else operand
    if not first:
        kind = kind_of(region, ordering.operand, [])
        alike = key is None and (
            kind is Iterable.SET or element_type(region, ordering.operand) in _ALIKE
        )
        if not alike and key is None and kind is Iterable.UNKNOWN:
            doubts.append("of equal elements the other end is taken, which may be another object")
        elif not alike:
            site.require(
                kind in (Iterable.LIST, Iterable.RANGE),
                "equals",
                "of equal elements the last is taken, which nothing says is like the first",
            )
            if key is not None:
                site.require(
                    pure_key(region.module, key), "effects", "the key function may have effects"
                )
            operand = f"reversed({operand})"
    return f"{name}({operand}" + (f", key={region.module.source(key)})" if key else ")")


# -- arrays


def _indices(site: Site, region: Region, found: Sort) -> Match | None:
    """The place of the first or last in order, or of one in between."""
    ordering, module = found.ordering, region.module
    numbers = {place.number for place in found.places}
    function = ordering.call.func
    spelled = module.source(function)
    if len(numbers) != 1 or not numbers <= {0, -1} or not spelled.endswith("sort"):
        return _numpy(site, region, found, "argsort") if ordering.library == "numpy" else None
    agree = _same_axis(region, found)
    if agree is None or (ordering.dim is not None and constant(ordering.dim) is None):
        return None
    least = (numbers == {0}) != ordering.descending
    called = spelled.removesuffix("sort").removesuffix("arg") + ("argmin" if least else "argmax")
    word = "axis" if ordering.library == "numpy" else "dim"
    dim = "-1" if ordering.dim is None else module.source(ordering.dim)
    arguments = [f"{word}={dim}"]
    if path_of(module, function) is not None:
        arguments.insert(0, module.source(ordering.operand))
    text = f"{called}({', '.join(arguments)})"
    edits: list[Edit] = []
    if found.defined is None:
        edits.append(region.replace(found.places[0].node, text + found.places[0].rest))
    elif is_name(found.defined.targets[0], found.name):
        edits.append(region.replace(found.defined.value, text))
        edits += [region.replace(place.node, found.name + place.rest) for place in found.places]
    else:
        return None
    reason = f"{_TIES}, and a NaN comes first" if least else _TIES
    if ordering.library != "numpy":
        reason = assuming_too(reason, _no_booleans(region, ordering)) or _TIES
    return _match(site, region, found, edits, reason, called.rpartition(".")[2], agree, safe=False)


_TIES = "of equal elements another one may be taken"


def _numpy(site: Site, region: Region, found: Sort, name: str = "sort") -> Match | None:
    ordering = found.ordering
    if (
        ordering.turned
        or ordering.descending
        or (ordering.dim is not None and constant(ordering.dim) is None)
    ):
        return None
    agree = _same_axis(region, found)
    said = dict.fromkeys(index_text(region, found, place.index) for place in found.places)
    texts = [text for text in said if text is not None]
    if agree is None or not all(
        is_index(region, place.index) or may_be_index(region, place.index) for place in found.places
    ):
        return None
    path = path_of(region.module, ordering.call.func)
    spelled = region.module.source(ordering.call.func)
    if path != f"numpy.{name}" or not spelled.endswith(f".{name}"):
        return None
    early = found.defined is None or all(is_early(region, found, p.index) for p in found.places)
    last = None
    if not early or len(texts) != len(said):
        last = reading(region, found) if name == "sort" else None
        if last is None or last.lineno != last.end_lineno:
            return None
        texts = list(dict.fromkeys(region.module.source(p.index) for p in found.places))
    which = texts[0] if len(texts) == 1 else f"({', '.join(texts)})"
    operand = region.module.source(ordering.operand)
    arguments = [operand if last is None else found.name, which]
    if ordering.dim is not None:
        arguments.append(f"axis={region.module.source(ordering.dim)}")
    text = f"{spelled.removesuffix('sort')}partition({', '.join(arguments)})"
    if last is None:
        edits = [region.replace(ordering.call, text)]
    else:  # which places are read is known there alone
        known = Arrays(region).library(ordering.operand) == "numpy"
        kept = operand if known else f"{spelled.removesuffix('sort')}asarray({operand})"
        edits = [region.replace(ordering.call, kept)]
        lines = [f"{found.name} = {text}", region.module.source(last)]
        edits.append(region.replace_lines(last, lines))
    what, plain = f"np.{name.removesuffix('sort')}partition", name == "sort"
    taken = [f"`{ast.unparse(place.index)}` is a whole number" for place in found.places
             if not is_index(region, place.index)]  # fmt: skip
    reason = assuming(list(dict.fromkeys(taken))) if plain else _TIES
    return _match(site, region, found, edits, reason, what, agree, safe=plain)


def _torch(site: Site, region: Region, found: Sort) -> Match | None:
    ordering, module = found.ordering, region.module
    texts = {index_text(region, found, place.index) for place in found.places}
    agree = _same_axis(region, found)
    if agree is not None and len(texts) == 2 and not found.sizes:
        return _both_ends(site, region, found, agree)
    if agree is None or len(texts) != 1:
        return None
    place = found.places[0]
    dim = "-1" if ordering.dim is None else module.source(ordering.dim)
    array = module.source(ordering.operand)
    tight = isinstance(ordering.operand, (ast.Name, ast.Attribute, ast.Call, ast.Subscript))
    array = array if tight else f"({array})"
    (index,) = texts
    defined = found.defined
    late = index is None or bool(found.sizes)
    late = late or (defined is not None and not is_early(region, found, place.index))
    if late:
        if defined is None or reading(region, found) is None:
            return None
        index, array = module.source(place.index), found.name
    assert index is not None
    surely = place.number is not None or at_least_zero(region, place.index)
    behind = isinstance(place.index, ast.UnaryOp) and not surely
    known = not behind and is_index(region, place.index)
    if not (surely or known or may_be_index(region, place.index)):
        return None
    called = _selected(ordering, place, array, dim, index)
    value = Arrays(region).value(ordering.operand)
    site.require(
        ".max(" in called or value is None or value.dtype != "bool",
        "dtypes",
        "`kthvalue` takes no booleans",
    )
    edits: list[Edit] = []
    if found.defined is None:
        edits.append(region.replace(place.node, called + place.rest))
    elif late:
        kept = f"{found.name} = {module.source(ordering.operand)}"
        edits.append(region.replace_lines(found.defined, [kept]))
        edits += [region.replace(part.node, called + part.rest) for part in found.places]
    else:
        (target,) = found.defined.targets
        if isinstance(target, ast.Name):
            edits.append(region.replace(found.defined.value, called))
        else:
            edits.append(region.replace_lines(found.defined, [f"{found.name} = {called}"]))
        edits += [region.replace(part.node, found.name + part.rest) for part in found.places]
    what = "max" if ".max(" in called else "kthvalue"
    if behind:
        assert isinstance(place.index, ast.UnaryOp)
        doubt: str | None = f"`{module.source(place.index.operand)}` must be 1 or more"
    else:
        doubt = None if surely else f"`{index}` must not be negative"
    if what == "kthvalue":
        doubt = assuming_too(doubt, _no_booleans(region, ordering))
    return _match(site, region, found, edits, doubt, what, agree, safe=surely)


def _no_booleans(region: Region, ordering: Ordering) -> list[str]:
    """What is assumed of a tensor of which no text says that it holds numbers: torch sorts truth
    values, but looks for no place among them."""
    value = Arrays(region).value(ordering.operand)
    if value is not None and value.dtype is not None:
        return []
    return [f"`{region.module.brief(ordering.operand)}` holds no truth values"]


def _both_ends(site: Site, region: Region, found: Sort, agree: bool) -> Match | None:
    """The least and the largest, of which each takes one pass."""
    ordering, module = found.ordering, region.module
    if found.defined is None or not isinstance(ordering.operand, ast.Name):
        return None
    if {place.number for place in found.places} != {0, -1}:
        return None
    if not _right_behind(region, found, found.defined):
        return None
    value = Arrays(region).value(ordering.operand)
    site.require(value is None or value.dtype != "bool", "dtypes", "`kthvalue` takes no booleans")
    dim = "-1" if ordering.dim is None else module.source(ordering.dim)
    edits = [region.drop(found.defined)]
    for place in found.places:
        called = _selected(ordering, place, ordering.operand.id, dim, "")
        edits.append(region.replace(place.node, called + place.rest))
    assumed = assuming(_no_booleans(region, ordering))
    return _match(site, region, found, edits, assumed, "max", agree, safe=True)


def _selected(ordering: Ordering, place: Place, array: str, dim: str, index: str) -> str:
    """The call that gives the place of a sort of a tensor."""
    number, down = place.number, ordering.descending
    if number == (0 if down else -1):
        return f"{array}.max(dim={dim}).values"
    size = f"{array}.size({dim})"
    if number is not None:
        from_front = (number >= 0) != down
        which = number + 1 if number >= 0 else -number
        rank = str(which) if from_front else f"{size} - {which - 1}"
        return f"{array}.kthvalue({rank}, dim={dim}).values"
    if isinstance(place.index, ast.UnaryOp):
        index = index.removeprefix("-").lstrip()
        rank = index if down else f"{size} - {_factor(place.index.operand, index)} + 1"
        return f"{array}.kthvalue({rank}, dim={dim}).values"
    rank = f"{size} - {_factor(place.index, index)}" if down else f"{index} + 1"
    return f"{array}.kthvalue({rank}, dim={dim}).values"


def _factor(node: ast.expr, text: str) -> str:
    loose = isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub))
    return f"({text})" if loose else text


def _same_axis(region: Region, found: Sort) -> bool | None:
    """Whether every place certainly is one of the sorted axis; None where one is not."""
    try:
        answers = [
            axes_agree(region, found.ordering, Cut(place.axis, place.index, False))
            for place in found.places
        ]
    except OtherAxis:
        return None
    return all(answers)


# -- both


def _match(
    site: Site, region: Region, found: Sort, edits: Sequence[Edit], reason: str | None,
    what: str, agree: bool = True, safe: bool = True,
) -> Match:  # fmt: skip
    operand = region.module.source(found.ordering.operand)
    if not agree:
        many = f"`{operand}` must have as many axes as are subscripted"
        reason = many if reason is None else f"{many}; {reason}"
    caught = _catches_places(region.module)
    if caught is not None:
        other = f"line {caught} looks for the error of a place that is not there: this is another"
        reason = other if reason is None else f"{reason}; {other}"
    defined = found.defined
    return Match(
        span=region.module.span(found.places[0].node),
        message=f"everything is sorted to get one element: `{what}` finds it in one pass",
        computation=_computation(site, region, found),
        edits=tuple(sorted(set(edits))),
        numerics="exact",
        safe=agree and safe and caught is None,
        reason=reason,
        covers=() if defined is None else (region.module.span(defined),),
    )


def _catches_places(module: Module) -> int | None:
    """The line at which a file names the error of a place that is not there, other than to raise
    it: of nothing at all a selection raises another one."""
    if "IndexError" not in module.text and "LookupError" not in module.text:
        return None
    raised = {
        part for node in module.statements if isinstance(node, ast.Raise)
        for part in everything_in(node)
    }  # fmt: skip
    for node in descendants(module.tree):
        if isinstance(node, ast.Name) and node.id in ("IndexError", "LookupError"):
            if node not in raised:
                return node.lineno
    return None


def _computation(site: Site, region: Region, found: Sort) -> Computation:
    """One place of a row in order, where the notation does not say what is ordered."""
    if site.value is not None and ask(site.computation).verdict == "holds":
        return site.computation
    text = region.module.source(found.ordering.operand)
    row = Index("i", Symbol(f"len({text})"))
    array = Value(text, (row,), None, None, "input")
    place = found.places[0]
    rank: Term = (
        Const(place.number)
        if place.number is not None and place.number >= 0
        else Symbol(ast.unparse(place.index))
    )
    index = Index("i", row.extent)
    order = Order(index, Read(array, (index,)), rank, found.ordering.descending, "values")
    chosen = Value("the place", (), order)
    return Computation("expression", site.computation.scope, site.computation.span, (chosen,))


_LIST = """\
def cheapest(offers: list):
    ranked = sorted(offers, key=lambda offer: offer[1])
    return ranked[0]
"""

_LIST_AFTER = """\
def cheapest(offers: list):
    ranked = min(offers, key=lambda offer: offer[1])
    return ranked
"""

_LAST = """\
def spread(times: list[int]) -> int:
    ordered = sorted(times)
    return ordered[-1] - ordered[0]
"""

_LAST_AFTER = """\
def spread(times: list[int]) -> int:
    return max(times) - min(times)
"""

_LATEST = """\
def latest(events: list):
    return sorted(events, key=lambda event: event.get("time"))[-1]
"""

_LATEST_AFTER = """\
def latest(events: list):
    return max(reversed(events), key=lambda event: event.get("time"))
"""

_NUMPY = """\
import numpy as np


def medians(x: np.ndarray):
    rows, columns = x.shape
    ordered = np.sort(x, axis=1)
    return (ordered[:, (columns - 1) // 2] + ordered[:, columns // 2]) / 2
"""

_NUMPY_AFTER = """\
import numpy as np


def medians(x: np.ndarray):
    rows, columns = x.shape
    ordered = np.partition(x, ((columns - 1) // 2, columns // 2), axis=1)
    return (ordered[:, (columns - 1) // 2] + ordered[:, columns // 2]) / 2
"""

_TORCH = """\
import torch


def span(x: torch.Tensor):
    batch, steps = x.shape
    middle = x.sort(dim=1).values[:, steps // 2]
    return x.sort(dim=1, descending=True)[0][:, 0] - middle
"""

_TORCH_AFTER = """\
import torch


def span(x: torch.Tensor):
    batch, steps = x.shape
    middle = x.kthvalue(steps // 2 + 1, dim=1).values
    return x.max(dim=1).values - middle
"""

REWRITE = Rewrite(
    code="RED505",
    name="full-sort",
    summary="a sort of which one place is read is a minimum, a maximum or a selection",
    doc=__doc__,
    properties=("redundancy",),
    find=find,
    seeks=("order",),
    becomes="min(xs), x.kthvalue(k).values, np.partition(x, k)[k]",
    examples=(
        Example("the first of a sorted list", _LIST, _LIST_AFTER,
                "(([(0, 3), (1, 2), (2, 2)],), ([(0, 1)],))"),
        Example("both ends", _LAST, _LAST_AFTER, "(([3, 1, 2],), ([5],))"),
        Example("the last of equals", _LATEST, _LATEST_AFTER,
                "(([{'time': 3, 'n': 0}, {'time': 3, 'n': 1}, {'time': 1}],),)"),
        Example("medians of rows", _NUMPY, _NUMPY_AFTER,
                "((np.random.rand(3, 6),), (np.random.rand(2, 5),), (np.array([[2, 1, 2]]),),"
                " (np.array([[1.0, np.nan, 0.5]]),))"),
        Example("places of tensors", _TORCH, _TORCH_AFTER,
                "((torch.randn(3, 6),), (torch.randn(2, 1),))"),
    ),
    refused=(
        RefusedExample("conditional", _LIST.replace(
            "    return", "    if not offers:\n        return None\n    return")),
        RefusedExample("equals", _LIST.replace("ranked[0]", "ranked[-1]").replace(": list", "")),
        RefusedExample("effects", _LATEST.replace("event.get", "fetch")),
        RefusedExample("iterated", _LAST.replace("list[int]", "Iterable[int]").replace(
            "def", "from collections.abc import Iterable\n\n\ndef")),
        RefusedExample("dtypes", _TORCH.replace("    middle = x.", "    middle = (x > 0).").replace(
            "return x.sort(dim=1, descending=True)[0][:, 0] - middle", "return middle")),
    ),
    unmatched=(
        _LIST.replace("ranked[0]", "ranked[0], ranked"),
        _LIST.replace("ranked[0]", "ranked[1]"),
        _LIST.replace("ranked[0]", "ranked[len(offers) // 2]"),
        _NUMPY.replace("axis=1", "axis=0"),
        _NUMPY.replace("columns // 2]) / 2", "columns // 2]) / ordered.sum()"),
        _TORCH.replace("steps // 2", "-steps").replace("[0][:, 0]", "[1][:, 1]"),
        _LIST_AFTER,
    ),
    inside=True,
)  # fmt: skip
