"""Order statistics as folds: the k best are a monoid by merging; the median is none, and two
inputs that show it are found by running it."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import cache

import numpy as np

from auditor.algebra.evaluate import evaluate
from auditor.algebra.limits import CannotEvaluate
from auditor.algebra.sampling import leaves
from auditor.algebra.subterms import everything
from auditor.notation import Const, Index, Order, Read, Symbol, Term, Value, substitute
from auditor.properties.subject import Subject
from auditor.verdict import Verdict

_LONGEST = 3
_MANY = (9, 18)
_Statistic = Callable[[tuple[float, ...]], float]


def no_combine(statistic: Order, subject: Subject) -> Verdict:
    """The verdict on a computation that takes the element at some place of an order."""
    extent = statistic.index.extent
    ranks = [n for n in everything([statistic.rank]) if not isinstance(n, Index)]
    rank = statistic.rank
    kept = rank.extent if isinstance(rank, Index) else None
    way, place = _way(statistic), subject.write(rank)
    if kept is not None and subject.form(kept) != subject.form(extent):
        k = subject.write(kept)
        return Verdict(
            "holds", "proof",
            f"the {k} {way} of two parts are the {k} {way} of their {k} {way}; identity: no "
            "elements",
        )  # fmt: skip
    if kept is not None:
        return Verdict("holds", "proof", "sorted parts merge; identity: no elements")
    if isinstance(rank, Const):
        count = rank.value + 1 if isinstance(rank.value, int) else f"{place} + 1"
        return Verdict(
            "holds", "proof",
            f"the element at place {place} is among the first {count} of each part, and sorted "
            "parts merge; identity: no elements",
        )  # fmt: skip
    known = not subject.form(rank).free and any(isinstance(n, Symbol) for n in ranks)
    alone = _of_order(statistic, extent) if known else None
    witness = _witness(_of_result(subject) or alone)
    if witness is None and not known:
        return Verdict("unknown", None, f"the place {place} in the order is not known")
    if witness is None:
        return Verdict(
            "unknown", None, f"no combine is known for the element at place {place} in order"
        )
    return Verdict("fails", "counterexample", witness)


def _way(statistic: Order) -> str:
    return "largest" if statistic.descending else "smallest"


def counted(subject: Subject) -> Verdict:
    """The verdict on a place chosen by what is counted or summed for each place, as a mode."""
    witness = _witness(_of_result(subject))
    if witness is None:
        return Verdict("unknown", None, "no combine is known for a place that a reduction chooses")
    return Verdict("fails", "counterexample", witness)


def _of_result(subject: Subject) -> _Statistic | None:
    """The result as a function of the only array that it reads."""
    (result, *others) = subject.results
    values, symbols = leaves([result.term])
    if others or result.indices or len(values) != 1 or len(values[0].axes) != 1:
        return None
    (value,) = values
    extent = value.axes[0].extent
    if not isinstance(extent, Symbol) or any(symbol is not extent for symbol in symbols):
        return None

    def run(data: tuple[float, ...]) -> float:
        return float(evaluate(result.term, {value: np.array(data)}, {extent: len(data)}))

    return run


def _of_order(statistic: Order, extent: Term) -> _Statistic | None:
    if not isinstance(extent, Symbol):
        return None

    def run(data: tuple[float, ...]) -> float:
        size = Symbol("n")
        values = Value("x", (Index("i", size),), kind="input")
        index = Index("k", size)
        rank = substitute(statistic.rank, {extent: size})
        order = Order(index, Read(values, (index,)), rank, statistic.descending, "values")
        return float(evaluate(order, {values: np.array(data)}, {size: len(data)}))

    return run


def _witness(statistic: _Statistic | None) -> str | None:
    """Two inputs with the same result that differ once the same elements are appended: then no
    function of the two results can be the result of the whole."""
    if statistic is None:
        return None
    run = cache(statistic)
    inputs = [
        tuple(map(float, data))
        for n in range(1, _LONGEST + 1)
        for data in itertools.combinations_with_replacement(range(3), n)
    ]
    many = [(float(value),) * times for times in _MANY for value in range(3)]
    try:
        for one, two in itertools.combinations(inputs, 2):
            if len(one) != len(two) or run(one) != run(two):
                continue
            for more in (*inputs, *many):
                if run(one + more) != run(two + more):
                    return (
                        f"{_list(one)} and {_list(two)} both give {run(one):g}, but with "
                        f"{_list(more)} appended they give {run(one + more):g} and "
                        f"{run(two + more):g}: no function of the parts' results is the whole's"
                    )
    except CannotEvaluate:
        return None
    return None


def _list(data: tuple[float, ...]) -> str:
    if len(data) > _LONGEST:
        return f"{len(data)} times {data[0]:g}"
    return "[" + ", ".join(f"{x:g}" for x in data) + "]"
