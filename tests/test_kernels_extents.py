"""Every kernel on operands of any extent: none, one, a prime number. It gives what its reference
gives, shape, dtype and gradients included, and fails where that fails."""

from __future__ import annotations

import itertools

import pytest
import torch

from tests.kernel_calls import CALLS, gate, lower_the_guards, normal, several

AXES = {
    "linear scan": "btd btd bd",
    "linear scan by numbers": "btd",
    "selective scan": "btd btd dn btn btn bdn",
    "linear attention": "bthd bthd bthe bthd1",
    "linear attention by a number": "bthd bthd bthe",
    "delta rule": "bthd bthd bthe bth bth",
    "delta rule by numbers": "bthd bthd bthe",
    "associative scan": "btd btd",
    "recurrence": "btd btd bd",
    "recurrence of numbers": "btd",
    "reduce": "btd btd",
    "softmax": "bt",
    "logsumexp": "bt",
    "welford": "bt",
    "attention": "bhqd bhkd bhke qk",
    "top-k": "bt",
    "top-k of equals": "bt",
    "top-k of chunks": "bt",
    "local attention": "bhtd bhtd bhte",
    "causal product": "bhtd bhtd bhte",
    "convolution": "bt m",
    "separable filter": "bctw m m",
    "particles": "nc n",
    "particles in boxes": "nc n",
    "squared distances": "n1c mc",
    "distances": "bn1c b1mc",
}
"""What the axes of the operands are, by letter: those of one letter are of one extent."""

EXTENTS = {"b": 2, "t": 7, "d": 3, "n": 4, "h": 2, "e": 4, "q": 5, "k": 6, "c": 3, "m": 3, "w": 5}

POSITIVE = {"delta rule": (3, 4), "particles": (1,), "particles in boxes": (1,)}
"""Operands that are rates or masses."""


@pytest.fixture(autouse=True)
def fast_paths_at_small_sizes(monkeypatch):
    lower_the_guards(monkeypatch)


def cases():
    for call, axes in AXES.items():
        for letter in sorted({*axes} - {*" 1"}):
            for extent in (0, 1, 13):
                yield call, letter, extent


def operands(call, letter, extent):
    extents = {**EXTENTS, "1": 1, letter: extent}
    if call.startswith("selective"):
        extents["n"] = extent if letter == "n" else 2
    for place, axes in enumerate(AXES[call].split()):
        draw = gate if place in POSITIVE.get(call, ()) else normal
        yield draw(*(extents[axis] for axis in axes)) / (3 if call == "delta rule" else 1)


def outcome(function, given):
    """Results with their gradients, or the error."""
    leaves = [each.clone().requires_grad_() for each in given]
    try:
        results = tuple(map(torch.as_tensor, several(function(*leaves))))
    except Exception as error:
        return error, ()
    needs = [each for each in results if each.requires_grad]
    if not needs:
        return results, ()
    return results, torch.autograd.grad(
        [each.sin().sum() for each in needs], leaves, materialize_grads=True, allow_unused=True
    )


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("call, letter, extent", list(cases()))
def test_any_extent(call, letter, extent):
    kernel, reference, called, _ = CALLS[call]
    given = [*operands(call, letter, extent)]
    found, grads = outcome(called(kernel), given)
    expected, wanted = outcome(called(reference), given)
    if isinstance(expected, Exception):
        assert isinstance(found, type(expected)), found
        return
    assert not isinstance(found, Exception), found
    for some, other in itertools.zip_longest((*found, *grads), (*expected, *wanted)):
        assert (some.shape, some.dtype) == (other.shape, other.dtype)
        torch.testing.assert_close(some, other, rtol=1e-6, atol=1e-9, equal_nan=True)
