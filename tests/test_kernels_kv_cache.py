"""Keys and values kept in memory of their own against concatenation."""

from __future__ import annotations

import pytest
import torch
from auditor.kernels import kv_cache

from auditor import kernels


@pytest.fixture(autouse=True)
def unwritten_memory_shows(monkeypatch):
    plain = torch.Tensor.new_empty

    def filled(self, *given, **options):
        return plain(self, *given, **options).fill_(-77)

    monkeypatch.setattr(torch.Tensor, "new_empty", filled)
    torch.manual_seed(0)


@pytest.mark.parametrize("capacity", [None, 200])
@pytest.mark.parametrize("dim", [1, -2, 0])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.int8])
@pytest.mark.parametrize("steps", [[1] * 70, [0, 3, 1, 0, 66, 1], [150, 1], [0]])
@pytest.mark.parametrize("few", [0, 9, 1 << 15])
def test_it_is_concatenation(capacity, dim, dtype, steps, few, monkeypatch):
    monkeypatch.setattr(kv_cache, "FEW_BYTES", {"cpu": few * 12 * dtype.itemsize})
    cache = kernels.KVCache(capacity, dim=dim)
    parts = []
    for count in steps:
        shape = [2, 3, 4]
        shape[dim] = count
        part = tuple(torch.randn(*shape).mul(9).to(dtype) for _ in range(2))
        parts.append(part)
        found = cache.append(*part)
        expected = [torch.cat(each, dim) for each in zip(*parts, strict=True)]
        for some, kept, other in zip(found, (cache.keys, cache.values), expected, strict=True):
            assert some.equal(other)
            assert kept.equal(other)
            assert some.dtype == dtype
    assert len(cache) == sum(steps)


def test_a_step_writes_its_own_places_only(monkeypatch):
    monkeypatch.setattr(kv_cache, "FEW_BYTES", {"cpu": 10 * 2 * 5 * 4})
    cache, made = kernels.KVCache(), []
    first = cache.append(torch.ones(1, 2, 1, 4), torch.ones(1, 2, 1, 5))
    for step in range(2, 1001):
        keys, values = cache.append(torch.full((1, 2, 1, 4), float(step)), torch.zeros(1, 2, 1, 5))
        made.append(keys.untyped_storage())  # alive, so that each has a place of its own
        assert keys.shape == (1, 2, step, 4)
        assert values.shape == (1, 2, step, 5)
    places = [storage.data_ptr() for storage in made]
    assert len(set(places[:9])) == 9  # up to 10 places in tensors of their own
    assert len(set(places[9:])) == 7  # 22, 44, 88, 176, 352, 704, 1408 places
    assert first[0].equal(torch.ones(1, 2, 1, 4))  # what was given before is as it was
    fixed = kernels.KVCache(1000)
    places = {fixed.append(torch.ones(1, 1, 1), torch.ones(1, 1, 1))[0].data_ptr()
              for _ in range(1000)}  # fmt: skip
    assert len(places) == 1


def test_what_is_appended_may_change_afterwards():
    cache, keys = kernels.KVCache(), torch.ones(1, 2, 3)
    cache.append(keys, keys)
    keys.zero_()
    assert cache.keys.equal(torch.ones(1, 2, 3))


@pytest.mark.parametrize("inference", [False, True])
def test_places_of_few_bytes_can_be_forgotten(inference):
    """In what was concatenated the next step writes, in any mode."""
    cache, rows = kernels.KVCache(), torch.arange(8.0).reshape(8, 1)
    with torch.inference_mode(inference):
        for row in rows.split(1):
            cache.append(row, row)
        cache.truncate(5)
    more = cache.append(torch.full((2, 1), 9.0), torch.full((2, 1), 9.0))
    assert more[0].squeeze(1).tolist() == [0, 1, 2, 3, 4, 9, 9]
    more = cache.append(torch.zeros(2, 1), torch.ones(2, 1))
    assert more[1].squeeze(1).tolist() == [0, 1, 2, 3, 4, 9, 9, 1, 1]


def test_places_can_be_forgotten():
    cache = kernels.KVCache()
    cache.append(torch.arange(6.0).reshape(6, 1), torch.arange(6.0).reshape(6, 1))
    cache.truncate(2)
    keys, _ = cache.append(torch.full((1, 1), 9.0), torch.full((1, 1), 9.0))
    assert keys.squeeze(1).tolist() == [0, 1, 9]
    with pytest.raises(ValueError, match="4 of 3 places"):
        cache.truncate(4)


ONE = torch.ones(2, 1, 4)
WRONG = {
    "batch": (torch.ones(3, 1, 4), ONE),
    "head dimension": (ONE, torch.ones(2, 1, 5)),
    "dtype": (ONE.double(), ONE),
    "axes": (torch.ones(1, 2, 1, 4), ONE),
    "no axis": (torch.ones(()), ONE),
    "lengths": (ONE, torch.ones(2, 2, 4)),
    "gradient": (ONE, torch.ones(2, 1, 4, requires_grad=True)),
    "device": (ONE.to("meta"), ONE),
    "too many": (torch.ones(2, 3, 4), torch.ones(2, 3, 4)),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_does_not_fit_is_told_and_changes_nothing(wrong):
    cache = kernels.KVCache(3)
    cache.append(ONE, ONE)
    with pytest.raises(ValueError, match=r"keys|values|places"):
        cache.append(*WRONG[wrong])
    assert len(cache) == 1
    assert cache.keys.equal(ONE)


def test_parameters_are_taken_where_no_gradient_is_wanted():
    cache, weight = kernels.KVCache(), torch.nn.Parameter(torch.ones(2, 1, 4))
    with torch.no_grad():
        assert not cache.append(weight, weight)[0].requires_grad
    with torch.inference_mode():
        cache = kernels.KVCache()
        cache.append(weight, weight)
        assert len(cache) == 1
    more = cache.append(torch.zeros(2, 1, 4), torch.zeros(2, 1, 4))  # outside of that mode
    assert more[0].shape == (2, 2, 4)
    with torch.inference_mode():
        made = torch.zeros(2, 1, 4)
        cache.append(made, made)  # outside of it made, inside of it written to
    assert cache.append(made, made)[0].shape == (2, 4, 4)
    with pytest.raises(ValueError, match="capacity"):
        kernels.KVCache(-1)
    with pytest.raises(ValueError, match="nothing"):
        kernels.KVCache().keys  # noqa: B018
