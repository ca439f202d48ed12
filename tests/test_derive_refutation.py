"""Counterexamples of ``audit derive``: that they are found, are true, and can be run as printed."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_derive import loops

from auditor.derive.found import Nothing, derive_at
from auditor.derive.places import loop_at
from auditor.derive.refutation import refute

REFUSED = (Path(__file__).parent / "derive" / "refused.py").read_text(encoding="utf-8")
FOLDS = (Path(__file__).parent / "derive" / "folds.py").read_text(encoding="utf-8")
# no such pieces exist, the loop is refused for what it does beside computing, or the search does
# not run what a step asks of a container, or not over text; remainders by such a number have pieces
# that are not told
WITHOUT = frozenset(
    "prints noisy logged popped two_entries growing attribute last_used "
    "attempted_after_a_change attempted_only_at_times attempted_with_what_is_carried "
    "attempted_with_an_earlier_value attempted_sum_of_anything attempted_at_last "
    "attempted_and_told without_the_first_two "
    "attempted_and_kept again_where_it_counts one_of_two_lists_used_later default_of_another_key "
    "emitted orelse unused while_loop shadowed truthy infinite_reset kahan mod_float "
    "slices crowded rationed summed text_around text_of_the_caller "
    "by_a_helper_of_its_own by_a_helper_with_an_effect by_a_function_that_counts whole_root "
    "by_a_function_called_divmod "
    "by_a_helper_that_reads_a_name only_known some_that_are_new "
    "made_by_reading highest_level highest_of_bytes "
    "text_twice lists_around under_two_names array_under_two_names while_shrinking counter_skipped "
    "counter_used_after stale_in_an_empty_row squared_in_a_row "
    "read_of_the_last prefix_in_each_entry "
    "table_with_a_hole table_that_leads_out table_of_the_caller table_that_is_changed "
    "table_in_place_that_leads_out "
    "as_many_as_the_element_says neighbours_after_the_callers neighbours_by_another_measure "
    "entries_of_the_caller entries_that_grow "
    "one_list_in_all_entries product_in_an_entry "
    "from_the_next_place largest_scaled_rows peaks_over_the_mean places_that_are_chosen "
    "rows_that_are_reset keeps_falling_where_higher last_of_a_mask_on_the_state "
    "heap_in_its_order heap_of_the_latest heap_by_another_place heap_asked_at_each_step "
    "numbers_as_truths bits_of_what_is_given with_all_places "
    "counted_from_anywhere merged_tables merged_into_the_callers counters_added "
    "counters_under_another_name "
    "entry_beside_a_count prefixes_of_a_list by_a_function_with_a_memory "
    "new_to_the_caller table_of_many its_own_elements rows_of_the_array_itself "
    "objects_with_a_sum_of_their_own objects_by_inheritance objects_made_by_a_step "
    "entry_replaced_under_its_name entry_left_under_its_name entry_not_always_put_in "
    "entry_of_another_key_by_then entry_beside_its_name halves_in_an_array_of_whole_numbers "
    "counts_in_bytes another_member_taken_out member_that_may_not_be_there "
    "best_no_less_than_nothing another_than_was_compared list_that_grows_where_it_was_put "
    "lists_of_three stretch_that_is_not_left intervals_joined last_entry_by_how_many "
    "three_by_a_key three_sorted_at_times "
    "entry_that_may_stay_none last_three_without_the_new more_and_more_of_the_last "
    "spread longest_by_two other_key negative_modulus modulus_of_one fraction_modulo".split()
)


LOOPS = {name: line for name, line, _ in loops(REFUSED)}
KNOWN = {name: line for name, line, _ in loops(FOLDS)}


@pytest.mark.parametrize("name, line", sorted(LOOPS.items()))
def test_a_refusal_has_a_counterexample_that_can_be_run(name: str, line: int) -> None:
    found = derive_at(REFUSED, line)
    assert isinstance(found, Nothing)
    if name in WITHOUT:
        assert found.refutation is None
        return
    assert found.refutation is not None, found.reason
    assert found.refutation.said
    grows = "polynomial of degree" in found.refutation.said
    asserted = "assert degree(" if grows else "assert loop("
    assert found.refutation.program.count(asserted) == (3 if grows else 2)
    exec(found.refutation.program, {})  # its assertions hold


# one carried value that an operation combines: nothing two pieces leave can be told apart
@pytest.mark.parametrize("name", ["total", "xor", "anyneg"])
def test_what_is_combined_by_its_own_operation_is_not_refuted(name: str) -> None:
    assert refute(loop_at(FOLDS, KNOWN[name])) is None


def test_a_counterexample_is_as_small_as_can_be() -> None:
    text = "def f(xs):\n    s = 0\n    for x in xs:\n        s = s * s + x\n    return s\n"
    found = derive_at(text, 3)
    assert isinstance(found, Nothing) and found.refutation is not None
    assert found.refutation.said == (
        "no combine of what two pieces leave gives the whole: [] and [0] leave the same, and after "
        "[2] they do not"
    )


@pytest.mark.parametrize("mark", ["424242", "'secret'"])
def test_a_rare_branch_is_looked_for_at_its_literal(mark: str) -> None:
    text = (
        "def f(xs):\n    s = 0\n    for x in xs:\n"
        f"        s = s * s + 1 if x == {mark} else s + 1\n    return s\n"
    )
    found = derive_at(text, 3)
    assert isinstance(found, Nothing) and found.refutation is not None
    assert mark in found.refutation.said
    exec(found.refutation.program, {})


def test_a_branch_on_the_state_is_named_with_its_line() -> None:
    text = (
        "def f(xs):\n    s = 0\n    for x in xs:\n        y = s + x\n        if y > 9:\n"
        "            y = 0\n        s = y\n    return s\n"
    )
    found = derive_at(text, 3)
    assert isinstance(found, Nothing)
    assert found.reason.endswith("(line 5: `if y > 9`)")


def test_what_takes_long_or_much_room_is_not_run() -> None:
    for step in ("s = s ** 99999", "s = 'a' * 10 ** 9", "s = s << 10 ** 9", "s = (s + 7) ** 64"):
        text = f"def f(xs):\n    s = 3\n    for x in xs:\n        {step}\n    return s\n"
        refute(loop_at(text, 3))


def test_the_same_is_found_every_time() -> None:
    line = LOOPS["reset"]
    assert refute(loop_at(REFUSED, line)) == refute(loop_at(REFUSED, line))


ENDED_EARLY = {
    "larger": "    m = 0\n    for x in xs:\n        if x > m + 5:\n            return False\n"
    "        m = max(m, x)\n    return True\n",
    "sorted": "    prev = -(10**30)\n    for x in xs:\n        if x < prev:\n"
    "            return False\n"
    "        prev = x\n    return True\n",
    "place": "    s = 0\n    for i, x in enumerate(xs):\n        s += x\n        if s > 10:\n"
    "            return i\n    return -1\n",
    "broken off": "    m, ok = 0, True\n    for x in xs:\n        if x > m + 5:\n"
    "            ok = False\n            break\n        m = m + x\n    return ok\n",
    "nothing returned": "    m = 0\n    for x in xs:\n        if x > m + 5:\n"
    "            return False\n        m = max(m, x)\n",
    "more before it is returned": "    m = 0\n    for x in xs:\n        if x > m + 5:\n"
    "            return False\n        m = max(m, x)\n    print(m)\n    return True\n",
}


@pytest.mark.parametrize("body", ENDED_EARLY.values(), ids=ENDED_EARLY)
def test_what_ends_early_is_told_apart_by_what_is_returned(body: str) -> None:
    refutation = refute(loop_at(f"def f(xs):\n{body}", 3))
    if refutation is None:
        return
    assert refutation.program
    names: dict[str, object] = {}
    exec(refutation.program, names)  # its assertions hold
    exec(f"def f(xs):\n{body}", names)
    f, loop = names["f"], names["loop"]
    assert callable(f) and callable(loop)
    for word in ([], [0], [6], [11], [1, 6], [1, 11], [11, 0], [-1, 11, 0], [3, 2]):
        assert f(word) == loop(word)


def test_some_of_what_ends_early_is_refuted() -> None:
    found = [refute(loop_at(f"def f(xs):\n{body}", 3)) for body in ENDED_EARLY.values()]
    assert [one is not None for one in found] == [True, True, True, True, True, False]
