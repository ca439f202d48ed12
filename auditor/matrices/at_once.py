"""Contractions of several arrays that NumPy takes in one nest of loops, unless it is asked to take
them two at a time.

np.einsum("i,ij,jk,k->", a, m, n, b)      a nest over i, j, k
np.einsum(..., optimize=True)[()]         products of two, each over two indices at most

The last of these may leave an array without axes where the nest gives a number.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import combinations
from math import prod

from auditor.arrays.stated_sizes import measured
from auditor.assumed import assuming
from auditor.lift import extents
from auditor.notation import Reduce, Value
from auditor.rewrite import Match, Site
from auditor.syntax import constant, path_of
from auditor.verdict import Edit

_MOST = 6
_FEW = 32**3
_GAINS = {"any": 10.0}
"""Of arrays of 64 places a side; more as they grow."""


def at_once(site: Site) -> Match | None:
    """The match of an ``einsum`` of three arrays or more, or None."""
    node, module = site.node, site.lifted.module
    if not isinstance(node, ast.Call) or not isinstance(site.value, Value) or node.keywords:
        return None
    if path_of(module, node.func) != "numpy.einsum" or len(node.args) < 4:
        return None
    said = constant(node.args[0])
    if not isinstance(said, str) or any(isinstance(arg, ast.Starred) for arg in node.args):
        return None
    terms = _terms(said)
    if terms is None or len(terms[0]) != len(node.args) - 1 or not _nests(*terms):
        return None
    if _is_small(site, site.value):
        return None
    whole = module.source(node)
    if not whole.endswith(")") or "#" in whole:
        return None
    number = not terms[1]
    text = f"{whole[:-1].rstrip().removesuffix(',')}, optimize=True){'[()]' * number}"
    return Match(
        span=site.computation.span,
        message=f"{len(terms[0])} arrays are multiplied in one nest of loops: two at a time, the"
        " products have fewer indices",
        computation=site.computation,
        edits=(Edit(module.span(node), text),),
        reason=assuming(["the arrays hold no objects"]) if number else None,
        gains=_GAINS,
        counted=True,
    )


def _is_small(site: Site, value: Value) -> bool:
    """Whether the code says that all sizes are small: planning the products takes longer then."""
    term, every = value.body, [*value.axes]
    while isinstance(term, Reduce):
        every.append(term.index)
        term = term.body
    sizes = [extents.constant(measured(site.lifted, index.extent)) for index in every]
    known = [size for size in sizes if isinstance(size, int)]
    return len(known) == len(sizes) and prod(known) < _FEW


def _terms(said: str) -> tuple[list[frozenset[str]], frozenset[str]] | None:
    """The letters of each operand, and those of the result."""
    inputs, arrow, output = said.replace(" ", "").partition("->")
    words = inputs.split(",")
    if not arrow or not all(word.isalpha() for word in words) or not (output or "a").isalpha():
        return None
    return [frozenset(word) for word in words], frozenset(output)


def _nests(words: list[frozenset[str]], output: frozenset[str]) -> bool:
    """Whether the nest is over more indices than any product of two needs to be."""
    every = frozenset[str]().union(*words)
    return len(words) <= _MOST and min(_deepest(words, output)) < len(every)


def _deepest(words: list[frozenset[str]], output: frozenset[str]) -> Iterator[int]:
    """For each order of products of two, over how many indices the largest of them is."""
    if len(words) < 2:
        yield 0
        return
    for pair in combinations(range(len(words)), 2):
        left, right = (words[place] for place in pair)
        others = [word for place, word in enumerate(words) if place not in pair]
        kept = (left | right) & output.union(*others)
        yield max(len(left | right), min(_deepest([kept, *others], output)))
