"""What a fix rests on besides what its rewrite says: of arrays, sizes, names and callers, and what
speaks against it elsewhere in the file."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import replace

from auditor.again.steps import certainly_runs
from auditor.arrays.facts import leaves
from auditor.arrays.met_sizes import met_sizes
from auditor.arrays.partly_defined import partly_defined
from auditor.arrays.sparse_operands import sparse_operands
from auditor.arrays.taken_for_arrays import taken_for_arrays
from auditor.arrays.wider_start import A_STEP
from auditor.assumed import assuming_too, reason_of
from auditor.lift.annotations import taken_by_type
from auditor.lift.contractions import LETTERS
from auditor.lift.dtypes import WHOLE
from auditor.lift.objects import Obj
from auditor.notation import Value
from auditor.rewrite import Match, Site
from auditor.surroundings.outliving import assumed_unread
from auditor.surroundings.region import Region
from auditor.tree import everything_in
from auditor.whole_file.elsewhere import doubts
from auditor.whole_file.known_as import caught_in

_NO_ARRAYS = "the file imports no library that has arrays"
_NO_TORCH = "nothing says that these are tensors of torch, which the file does not import"
_OF_NUMPY = frozenset(
    "associative_scan barnes_hut causal_product linear_scan logsumexp nbody online_softmax"
    " pairwise_reduce per_step squared_distances".split()
)
"""The kernels that take arrays of NumPy as well."""
_EXTREMA = re.compile(
    r"\.(amax|amin|cummax|cummin)\(|\b(torch\.(maximum|minimum)|streaming_topk)\("
)
_ORDERED = re.compile(
    r"\.(kthvalue|cummax|cummin)\(|\bstreaming_topk\(|\.(max|min)\((dim=)?-?\w+\)\.values"
)
_TIES = "among equal values the gradient may be shared differently"
_OF_BOTH = re.compile(r"\btorch\.(maximum|minimum)\(")
_ZEROS = "what no step chooses has a gradient of zeros, not none"


def stating(match: Match, site: Site) -> Match:
    """A match with all that it rests on. Raises ``Refused`` where that cannot be said."""
    stated = match
    for said in (_with_arrays, _with_tensors, _with_choices, _with_letters, _with_sizes,
                 _with_blocks, _with_domains, _with_numbers, _with_names, _with_no_steps,
                 _with_ties, _with_callers):  # fmt: skip
        stated = said(stated, site)
    sparse = [f"`{name}` may be a sparse matrix" for name in sparse_operands(site, match)]
    return _doubted(stated, [*sparse, *doubts(site, match)])


def _with_arrays(match: Match, site: Site) -> Match:
    """A fix that takes for arrays what may be lists assumes that these are arrays; in a file that
    has none nothing says so."""
    taken = taken_for_arrays(site, match) if match.edits and match.safe else []
    if not taken:
        return match
    found = _assuming(match, taken)
    return found if site.lifted.module.arrays else _doubted(found, [_NO_ARRAYS])


def _with_tensors(match: Match, site: Site) -> Match:
    """A fix that brings torch into a file without it has only the names of methods to go by, which
    tensors of other libraries and of the project itself have as well."""
    module = site.lifted.module
    known = _OF_NUMPY if "numpy" in module.arrays else frozenset[str]()
    brought = any(
        root in ("torch", "auditor.kernels") and name not in known for root, name in match.imports
    )
    if not brought or module.imports_torch:
        return match
    return _doubted(match, [_NO_TORCH])


def _assuming(match: Match, sentences: Iterable[str]) -> Match:
    return replace(match, reason=assuming_too(match.reason, sentences))


def _with_choices(match: Match, site: Site) -> Match:
    """What stands in for an array that is not given is taken to have its shape, and what a product
    conjugates to be real; in a file that has no arrays numbers stand for numbers."""
    if not match.edits or not match.safe or not site.lifted.module.arrays:
        return match
    told, lines, facts = match.reason or "", site.lifted.module.lines, site.lifted.facts
    spans = [match.span, *(edit.span for edit in match.edits)]
    read = [line for span in spans for line in lines[span.line - 1 : span.end_line]]
    words = set(re.findall(r"\w+", " ".join([*read, *(edit.content for edit in match.edits)])))
    stated = [
        sentence for subject, sentence in facts.assumptions.items()
        if facts.grounds.get(subject) in ("choice", "real") and sentence not in told
        and words & set(re.findall(r"\w+", " ".join(sentence.split("`")[1::2])))
    ]  # fmt: skip
    return _assuming(match, stated) if stated else match


def _with_letters(match: Match, site: Site) -> Match:
    """An axis of one entry is stretched by an einsum, and by hardly anything that takes its place;
    nor do loops over such an axis and over the others take as many steps."""
    facts, module = site.lifted.facts, site.lifted.module
    stated = facts.assumptions.get(LETTERS)
    if stated is None or not match.edits or not match.safe or stated in (match.reason or ""):
        return match
    new = "".join("".join(edit.content for edit in match.edits).split())
    lost = any(
        edit.span.covers(span) and "".join(module.slice(span).split()) not in new
        for edit in match.edits for span in facts.lettered
    )  # fmt: skip
    return _assuming(match, [stated]) if lost or site.loop is not None else match


def _with_blocks(match: Match, site: Site) -> Match:
    """A range whose step is a variable counts up, where it is not there any more, and what a
    ``while`` loop counts to is an integer."""
    if not match.edits or not match.safe:
        return match
    module = site.lifted.module
    new = "".join("".join(edit.content for edit in match.edits).split())
    ranges = [
        module.slice(span) for span in sorted(site.lifted.facts.blocks)
        if any(edit.span.covers(span) for edit in match.edits)
    ]  # fmt: skip
    stated = [f"`{text}` counts up" for text in ranges if "".join(text.split()) not in new]
    stated += [
        sentence for span, sentence in sorted(site.lifted.facts.counted.items())
        if sentence is not None and any(edit.span.covers(span) for edit in match.edits)
    ]  # fmt: skip
    return _assuming(match, stated) if stated else match


def _with_domains(match: Match, site: Site) -> Match:
    """A number for which a function of Python's is not defined raises there, and in no array."""
    stated = partly_defined(site, match) if match.edits and match.safe else []
    return _assuming(match, stated) if stated else match


def _with_numbers(match: Match, site: Site) -> Match:
    """A parameter that is a float by its annotation or its default may be given a whole number,
    and one with a whole number as its default a fraction: what steps make of it has its type."""
    loop, function = site.loop, site.lifted.node
    if loop is None or not match.edits or not match.safe or isinstance(function, ast.Module):
        return match
    read = {node.id for node in everything_in(loop.node) if isinstance(node, ast.Name)}
    made_of = set[str]()
    for name in read:
        held = loop.before.get(name)
        if isinstance(held, Value):
            made_of |= leaves(held)
    stated = [
        f"`{name}` is {'a float' if kind == 'float' else 'an integer'}, as its {where} says"
        for name, (kind, where) in taken_by_type(function).items()
        if name in made_of and not (kind == "int" and name in _counting(function))
    ]
    return _assuming(match, stated) if stated else match


def _counting(function: ast.AST) -> set[str]:
    """The names that stand in subscripts and ranges, where only whole numbers do."""
    places = [
        node.slice if isinstance(node, ast.Subscript) else node
        for node in everything_in(function)
        if isinstance(node, ast.Subscript)
        or (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "range"
        )
    ]
    within = (node for place in places for node in everything_in(place))
    return {node.id for node in within if isinstance(node, ast.Name)}


def _with_sizes(match: Match, site: Site) -> Match:
    """A size that several arrays have is read off one of them."""
    sizes = met_sizes(site) if match.edits and match.safe else []
    return _assuming(match, sizes) if sizes else match


def _with_names(match: Match, site: Site) -> Match:
    """A script's loops leave names behind that nobody reads."""
    if not isinstance(site.lifted.node, ast.Module):
        return match
    stated = assumed_unread(site.lifted.module.tree, [edit.span for edit in match.edits])
    return replace(match, reason=reason_of(match.reason, stated))


def _with_no_steps(match: Match, site: Site) -> Match:
    """A tensor that all steps at once are written into needs gradients from then on, and one that
    no step writes into does not."""
    loop = site.loop
    if loop is None or not match.edits or not match.safe or not site.lifted.module.imports_torch:
        return match
    new = "\n".join(edit.content for edit in match.edits)
    filled = {
        node.value.id for node in everything_in(loop.node)
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name) and _may_need_gradients(loop.before.get(node.value.id))
    }  # fmt: skip
    if A_STEP in (match.reason or "") or not any(_written_at_once(name, new) for name in filled):
        return match
    region = Region(site.lifted)
    loops = (node for node in everything_in(loop.node) if isinstance(node, (ast.For, ast.While)))
    if all(certainly_runs(region, one) for one in loops):
        return match
    return _assuming(match, [A_STEP])


def _may_need_gradients(held: Obj | None) -> bool:
    if not isinstance(held, Value):
        return True
    return held.library != "numpy" and held.dtype not in WHOLE


def _written_at_once(name: str, code: str) -> bool:
    """Whether code writes into what a name stands for, whatever there is to be written."""
    into = rf"{re.escape(name)}(?:\[.*\] *[-+*/@]?=(?!=)| *[-+*/@]=|\.\w+_\()"
    looping = re.search(r"^\s*(?:for|while|if)\b", code, re.MULTILINE) is not None
    return not looping and re.search(rf"^\s*{into}", code, re.MULTILINE) is not None


def _with_callers(match: Match, site: Site) -> Match:
    """A loop may raise at a step, and another exception than what stands in its place, or where
    that raises none: a caller that goes on after what it caught may tell them apart."""
    if site.loop is None or not match.edits:
        return match
    line = caught_in(site.lifted)
    if line is None:
        return match
    stated = f"line {line} catches what a call raises, which may not be the same exceptions"
    return _doubted(match, [stated])


def _doubted(match: Match, against: list[str]) -> Match:
    """A fix that something elsewhere in the file speaks against."""
    if not against:
        return match
    return replace(match, safe=False, reason=reason_of(match.reason, *against))


def _with_ties(match: Match, site: Site) -> Match:
    """A loop that keeps the larger of two values has another subgradient where they are equal than
    the operation that takes the largest of all, and so has a sort of which a place is read."""
    selects = _ORDERED if site.loop is None else _EXTREMA
    if not any(selects.search(edit.content) for edit in match.edits):
        return match
    chosen = site.loop is not None and _chooses(site.loop.node)
    both = chosen and any(_OF_BOTH.search(edit.content) for edit in match.edits)
    stated = (_TIES, _ZEROS) if both else (_TIES,)
    return replace(match, reason=reason_of(match.reason, *stated))


def _chooses(loop: ast.AST) -> bool:
    """Whether steps go on with one of several values, so that the others are no part of what the
    result is computed of."""
    return any(
        isinstance(node, (ast.If, ast.IfExp))
        or (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("max", "min")
        )
        for node in everything_in(loop)
    )
