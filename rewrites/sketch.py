"""Exact counts over a stream of which approximate ones are enough, in fixed memory.

Finds a count for each different item of a stream (``counts[x] += 1`` in a loop over an iterator,
``Counter(stream)``, ``len(set(stream))``) in functions that say, by their name, a comment or their
docstring, that approximate is enough: heavy hitters, "approximate", "need not be exact".

Legal only because it is said: a summary of fixed size cannot hold every count. What is left out is
bounded. Of n items, Space-Saving with m counters gives every count to within n / m and misses no
item that is more frequent than that; a Count-Min sketch of width w and depth d is too high by at
most e n / w, with a probability of 1 - exp(-d); HyperLogLog with m registers tells how many
different items there are to within 1.04 / sqrt(m), one standard deviation.

Pays in memory, where there are many different items: m counters instead of one for each. All three
are monoids, so that parts of a stream can be summarised apart.

Advice only: how large an error is right is the user's choice, and the counts are other ones.

Sources: Metwally, Agrawal and El Abbadi, "Efficient Computation of Frequent and Top-k Elements in
Data Streams" (2005); Cormode and Muthukrishnan, "An improved data stream summary: the Count-Min
sketch" (2005); Flajolet et al., "HyperLogLog" (2007).
"""

from __future__ import annotations

import ast

from auditor.again.counting import counted, declared
from auditor.notation import Computation
from auditor.rewrite import Match, Rewrite, Site
from auditor.surroundings.region import Region

_INSTEAD = {
    "largest": "Space-Saving with m counters finds the most frequent in fixed memory, each count to"
    " within n / m of n items",
    "single": "a Count-Min sketch of width w gives each count in fixed memory, too high by at most"
    " 2.72 n / w of n items, and of depth d with a probability of 1 - exp(-d)",
    "different": "HyperLogLog with m registers tells how many there are in fixed memory, to within"
    " 1.04 / sqrt(m)",
}


def find(site: Site) -> Match | None:
    """The match of a function, or None."""
    function = site.lifted.node
    if not site.again or site.node is not None or not isinstance(function, ast.FunctionDef):
        return None
    said = declared(site.lifted.module, function)
    found = counted(Region(site.lifted), function) if said is not None else None
    if found is None:
        return None
    span = site.lifted.module.span(found.node)
    return Match(
        span=span,
        message=f'`{found.name}` holds every different item, where the code says "{said}":'
        f" {_INSTEAD[found.what]}",
        computation=Computation("expression", site.lifted.scope, span, ()),
        gains={"any": 2.0},
    )


_HEAVY = """\
from collections import Counter


def heavy_hitters(stream, k):
    counts = Counter()
    for item in stream:
        counts[item] += 1
    return counts.most_common(k)
"""

REWRITE = Rewrite(
    code="RED510",
    name="sketch",
    summary="approximate counts of a stream in fixed memory, where the code says that they will do",
    doc=__doc__,
    properties=("redundancy",),
    find=find,
    seeks=("again",),
    fix="advice",
    becomes="Space-Saving, Count-Min, HyperLogLog",
    unmatched=(
        _HEAVY.replace("heavy_hitters", "frequencies"),
        _HEAVY.replace("(stream, k)", "(stream: list, k)"),
        _HEAVY.replace("    counts =", '    """The exact counts."""\n    counts ='),
        _HEAVY.replace("counts[item] += 1", "counts[item] += item"),
    ),
    again=True,
)
