"""The budget of a question is counted in steps."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from auditor.algebra.evaluate import evaluate
from auditor.algebra.limits import MOST_ELEMENTS, CannotEvaluate, TooLarge, tick, within
from auditor.algebra.sampling import inputs
from auditor.notation import Apply, Const, Index, Read, Reduce, Value


def test_a_question_may_take_so_many_steps() -> None:
    with within(3):
        for _ in range(3):
            tick()
        with pytest.raises(TooLarge):
            tick()


def test_what_one_part_takes_is_missing_for_the_rest() -> None:
    with within(10):
        with within(4):
            tick(3)
        tick(7)
        with pytest.raises(TooLarge):
            tick()


def test_a_part_may_not_take_more_than_the_whole() -> None:
    with within(2), within(100), pytest.raises(TooLarge):
        tick(3)


def test_a_part_that_gave_up_leaves_the_rest_its_steps() -> None:
    with within(10):
        with pytest.raises(TooLarge), within(4):
            tick(5)
        tick(5)


def test_outside_of_questions_nothing_is_counted() -> None:
    with pytest.raises(TooLarge), within(1):
        tick(2)
    tick(10**9)


def test_arrays_of_stated_sizes_are_tried_up_to_a_size() -> None:
    def pairs(n: int) -> Value:
        i, j = Index("i", Const(n)), Index("j", Const(n))
        return Value("pairs", (i, j), Apply("mul", (i, j)))

    side = int(MOST_ELEMENTS**0.5)
    assert evaluate(pairs(4), {}).shape == (4, 4)
    with pytest.raises(CannotEvaluate, match="too large"):
        evaluate(pairs(side + 1), {})
    i, j = Index("i", Const(side)), Index("j", Const(side + 1))
    with pytest.raises(CannotEvaluate, match="too large"):
        evaluate(Reduce("sum", i, Reduce("sum", j, Apply("mul", (i, j)))), {})


def test_no_array_is_drawn_that_is_stated_to_be_large() -> None:
    i, j = Index("i", Const(1 << 16)), Index("j", Const(1 << 16))
    large = Value("weight", (i, j), None, None, "input")
    with pytest.raises(CannotEvaluate, match="weight"):
        inputs([Read(large, (i, j))], 0)


def test_what_lies_outside_is_not_put_together_where_that_is_too_large() -> None:
    x = Value("x", (Index("i", Const(2)), Index("j", Const(2))), None, kind="input")
    axes = Index("k", Const(3_000)), Index("l", Const(3_000))
    shifted = Read(x, tuple(Apply("add", (axis, Const(1))) for axis in axes))
    tracemalloc.start()
    try:
        with pytest.raises(CannotEvaluate, match="too large"):
            evaluate(shifted, {x: np.ones((2, 2))}, axes=axes)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < MOST_ELEMENTS
