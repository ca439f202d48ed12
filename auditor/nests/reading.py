"""The nest that a loop is, read in the ways in which it may be meant: with loop variables as
numbers or not, steps written out, and what nothing says supposed."""

from __future__ import annotations

import ast
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from weakref import WeakKeyDictionary

from auditor.nests import (
    spelled,
)
from auditor.nests.counting import Counting
from auditor.nests.integers import NoNest, TooWide, Unmeasured, Unsure
from auditor.nests.nest import Copied, Nest
from auditor.nests.reader import Reader
from auditor.notation import (
    Scan,
)
from auditor.rewrite import Site
from auditor.surroundings.region import Region

_READ: WeakKeyDictionary[Scan, Nest | None] = WeakKeyDictionary()
_GUARDED: WeakKeyDictionary[Scan, Nest | None] = WeakKeyDictionary()


def nest_of(site: Site) -> Nest | None:
    """The nest that the loop of a site is, where it fills whole arrays, or None."""
    nest = any_nest_of(site)
    return None if nest is None or any(filled.partly for filled in nest.filled) else nest


def any_nest_of(site: Site) -> Nest | None:
    """The nest that the loop of a site is, or None. Read once, however many rewrites ask."""
    if site.loop is None or not isinstance(site.loop.node, ast.For):
        return None
    scan = site.loop.scan
    if scan not in _READ:
        try:
            _READ[scan] = read(Region(site.lifted), site.loop.node)
        except NoNest:
            _READ[scan] = None
    return _READ[scan]


def guarded_nest_of(site: Site) -> Nest | None:
    """The nest that the loop of a site is, of which not every pair of steps need be made: see
    ``auditor.nests.guarded``."""
    if site.loop is None or not isinstance(site.loop.node, ast.For):
        return None
    scan = site.loop.scan
    if scan not in _GUARDED:
        try:
            _GUARDED[scan] = read(Region(site.lifted), site.loop.node, guarded=True)
        except NoNest:
            _GUARDED[scan] = None
    return _GUARDED[scan]


def read(region: Region, node: ast.For, guarded: bool = False) -> Nest:
    """The nest that ``node`` is. What nothing says of the arrays it reads may be supposed, and is
    said (``Expressions.doubts``). Raises ``NoNest``."""
    try:
        return _supposing(partial(Reader, region, node, guarded))
    except NoNest as problem:
        counts = isinstance(problem, Counting)
        steps = not guarded and spelled.has_steps(region, node)
        if not (counts or steps):
            raise
    if steps:
        try:
            return Reader(region, node, spelled=True, counts=counts).nest()
        except NoNest:
            if not counts:
                raise
    return _supposing(partial(Reader, region, node, guarded, counts=True))


def _supposing(reader: Callable[[], Reader]) -> Nest:
    """``read`` in one way of reading steps."""
    try:
        return reader().nest()
    except (Unsure, Unmeasured):
        pass
    try:
        nest = _doubting(reader(), False)
    except Unmeasured:
        return _doubting(reader(), True)
    except TooWide:
        return _doubting(reader(), False, numbers=True)
    if nest.expressions.open:
        with suppress(NoNest):
            other = _doubting(reader(), True)
            return nest if other.expressions.open else other
    return nest


def _doubting(reader: Reader, meeting: bool, numbers: bool = False) -> Nest:
    """What a nest is where its arrays have as many axes as the nest asks of them, or as all that
    they meet in the function says (``meeting``), and elements that are walked are ``numbers``."""
    reader.reading.doubts, reader.reading.meeting = [], meeting
    reader.reading.numbers = numbers
    return reader.nest()


def copied(region: Region, node: ast.For) -> Copied | None:
    """What a nest copies from one triangle to the other, if that is all it does."""
    try:
        return Reader(region, node).copied()
    except NoNest:
        return None
