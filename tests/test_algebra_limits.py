"""The budget of a question is counted in steps."""

from __future__ import annotations

import pytest

from auditor.algebra.limits import TooLarge, tick, within


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
