"""Accelerations by a tree of boxes against the sum over all pairs: how far they are from it, where
they have to be the same, gradients, and what is no cloud of particles."""

from __future__ import annotations

import importlib

import numpy as np
import pytest
import torch

from auditor import kernels

bodies = importlib.import_module("auditor.kernels.barnes_hut")
octree = importlib.import_module("auditor.kernels.octree")


@pytest.fixture(autouse=True)
def a_deep_tree(monkeypatch):
    monkeypatch.setattr(bodies, "FEW", 0)
    monkeypatch.setattr(bodies, "LEAF", 8)
    torch.manual_seed(0)


def error(found, expected):
    return ((found - expected).norm() / expected.norm()).item()


def ball(count, axes):
    x = torch.randn(count, axes, dtype=torch.float64)
    return x / x.norm(dim=1, keepdim=True) * torch.rand(count, 1) ** (1 / axes)


CLOUDS = {
    "ball": lambda n, d: ball(n, d),
    "cube": lambda n, d: torch.rand(n, d, dtype=torch.float64),
    "normal": lambda n, d: torch.randn(n, d, dtype=torch.float64),
    "disc": lambda n, d: ball(n, d) * torch.tensor([1.0, 1.0, 0.05][:d], dtype=torch.float64),
    "clusters": lambda n, d: torch.cat([0.02 * ball(n // 2, d), 0.1 * ball(n - n // 2, d) + 1]),
    "far off": lambda n, d: ball(n, d) + 100,
}


@pytest.mark.parametrize("cloud", CLOUDS)
@pytest.mark.parametrize("axes", [2, 3])
@pytest.mark.parametrize("softening", [0.0, 0.05])
def test_the_error_is_below_what_is_stated(cloud, axes, softening):
    x, m = CLOUDS[cloud](1500, axes), torch.rand(1500, dtype=torch.float64)
    expected = bodies.reference(x, m, softening=softening)
    for (theta, order), bound in bodies.ERROR.items():
        found = kernels.barnes_hut(x, m, softening=softening, theta=theta, order=order)
        assert error(found, expected) < bound
    assert bodies.ERROR[0.5, 2] < 0.01
    alike = kernels.barnes_hut(x, m, softening=softening, order=1)
    torch.testing.assert_close(
        alike, kernels.barnes_hut(x, m, softening=softening, order=0), rtol=1e-6, atol=1e-6
    )


def test_each_order_and_each_smaller_theta_is_nearer():
    x = torch.rand(2000, 3, dtype=torch.float64)
    m = torch.rand(2000, dtype=torch.float64) - 0.3  # of both signs, so that order 1 counts
    expected = bodies.reference(x, m, softening=0.02)

    def off(theta, order):
        return error(kernels.barnes_hut(x, m, softening=0.02, theta=theta, order=order), expected)

    for theta in (0.3, 0.6):
        assert off(theta, 0) > 2 * off(theta, 1) > 4 * off(theta, 2) > 0
    for order in (0, 1, 2):
        assert off(0.8, order) > 1.5 * off(0.5, order) > 2.25 * off(0.3, order) > 0


def test_boxes_are_taken_as_a_whole(monkeypatch):
    """Without far boxes the result would be exact, and cost all pairs."""
    met = []
    plain = bodies.interactions

    def counted(*given):
        found = plain(*given)
        met.append(sum(int(each.count.sum()) for each in found))
        return found

    monkeypatch.setattr(bodies, "interactions", counted)
    for count in (1000, 8000):
        kernels.barnes_hut(torch.rand(count, 2), torch.rand(count))
    assert met[1] < 16 * met[0]  # groups with their lists: 64 times as many for all pairs


@pytest.mark.parametrize("count", [1, 2, 3, 9, 40])
@pytest.mark.parametrize("axes", [1, 2, 3])
@pytest.mark.parametrize("softening", [0.0, 0.2, torch.tensor(0.1, dtype=torch.float64)])
def test_with_every_box_opened_it_is_the_formula(count, axes, softening):
    x = torch.randn(count, axes, dtype=torch.float64, requires_grad=True)
    m = torch.rand(count, dtype=torch.float64, requires_grad=True)
    found = kernels.barnes_hut(x, m, softening=softening, gravity=1.5, theta=0)
    expected = bodies.reference(x, m, softening=softening, gravity=1.5)
    torch.testing.assert_close(found, expected)
    for some, other in zip(
        torch.autograd.grad(found.square().sum(), (x, m)),
        torch.autograd.grad(expected.square().sum(), (x, m)),
        strict=True,
    ):
        torch.testing.assert_close(some, other)


@pytest.mark.parametrize("dtype", list(bodies.TOLERANCE))
def test_every_dtype(dtype):
    x, m = torch.randn(60, 3).to(dtype), torch.rand(60).to(dtype)
    found = kernels.barnes_hut(x, m, softening=0.1, theta=0)
    expected = bodies.reference(x.double(), m.double(), softening=0.1)
    assert found.dtype == dtype
    bound = bodies.TOLERANCE[dtype] * expected.abs().max()
    assert (found.double() - expected).abs().max() <= bound


@pytest.mark.parametrize("unit", [1e-9, 1e11])
def test_units_neither_over_nor_underflow(unit):
    x, m = torch.rand(500, 3), torch.rand(500)
    found = kernels.barnes_hut(x * unit, m, softening=0.01 * unit)
    expected = bodies.reference(x.double() * unit, m.double(), softening=0.01 * unit)
    assert error(found.double(), expected) < 2e-3


def test_particles_at_one_place():
    x = torch.randn(50, 3, dtype=torch.float64)[torch.arange(400) % 50]
    m = torch.rand(400, dtype=torch.float64)
    expected = bodies.reference(x, m, softening=0.1)
    assert error(kernels.barnes_hut(x, m, softening=0.1), expected) < 1e-2
    torch.testing.assert_close(kernels.barnes_hut(x, m, softening=0.1, theta=0), expected)
    found = kernels.barnes_hut(x, m)
    assert found.isnan().equal(bodies.reference(x, m).isnan())
    one = torch.full((3000, 3), 0.3, dtype=torch.float64)  # no pairs of them: a box at one place
    weights = torch.rand(3000, dtype=torch.float64)
    assert kernels.barnes_hut(one, weights, softening=0.1).abs().max() < 1e-9
    assert kernels.barnes_hut(one, weights).isnan().all()


def test_particles_nearer_than_the_grid_is_fine():
    x = torch.cat([torch.rand(60, 3, dtype=torch.float64) * 1e-9, torch.ones(1, 3)])
    m = torch.rand(61, dtype=torch.float64)
    expected = bodies.reference(x, m, softening=1e-12)
    torch.testing.assert_close(
        kernels.barnes_hut(x, m, softening=1e-12), expected, rtol=1e-6, atol=0
    )


def test_particles_on_a_line():
    x = torch.zeros(900, 3, dtype=torch.float64)
    x[:, 1] = torch.linspace(0, 1, 900)
    m = torch.rand(900, dtype=torch.float64)
    expected = bodies.reference(x, m, softening=0.01)
    found = kernels.barnes_hut(x, m, softening=0.01)
    assert error(found, expected) < 2e-3
    assert not found[:, [0, 2]].any()


def test_masses_of_none_and_of_either_sign():
    x = torch.rand(900, 3, dtype=torch.float64)
    none = torch.zeros(900, dtype=torch.float64)
    assert not kernels.barnes_hut(x, none).any()
    some = none.clone()
    some[:300] = torch.randn(300, dtype=torch.float64)
    expected = bodies.reference(x, some, softening=0.01)
    assert error(kernels.barnes_hut(x, some, softening=0.01), expected) < 5e-3


def test_values_that_are_no_numbers_are_seen():
    x, m = torch.rand(300, 3), torch.rand(300)
    for bad in (torch.nan, torch.inf):
        broken = x.clone()
        broken[7, 1] = bad
        assert kernels.barnes_hut(broken, m).isnan().any(1).all()
    heavy = m.clone()
    heavy[7] = torch.nan
    others = torch.arange(300) != 7
    assert kernels.barnes_hut(x, heavy)[others].isnan().all()


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("order", [0, 1, 2])
@pytest.mark.parametrize("own", [False, True])
def test_gradients_are_those_of_the_approximation(signed, order, own, monkeypatch):
    x = torch.rand(14, 2, dtype=torch.float64, requires_grad=True)
    m = torch.rand(14, dtype=torch.float64) - (0.3 if signed else 0.0)
    m.requires_grad_()
    softening = torch.tensor(0.1, dtype=torch.float64, requires_grad=True)
    pull = (lambda square: 1 / (square**1.5 + softening)) if own else None

    monkeypatch.setattr(bodies, "LEAF", 2)

    def run(x, m, softening):
        return kernels.barnes_hut(x, m, softening=softening, theta=1.0, order=order, pull=pull)

    assert torch.autograd.gradcheck(run, (x, m, softening), atol=1e-5, rtol=1e-4, fast_mode=True)
    if own:
        assert run(x.detach(), m.detach(), 0.1).requires_grad
    elif order == 2 and signed:
        assert torch.autograd.gradgradcheck(
            run, (x, m, softening), atol=1e-4, rtol=1e-3, fast_mode=True
        )


def test_gradients_are_near_those_of_the_sum():
    x = torch.rand(700, 3, dtype=torch.float64, requires_grad=True)
    m = torch.rand(700, dtype=torch.float64, requires_grad=True)
    weight = torch.randn(700, 3, dtype=torch.float64)
    found = kernels.barnes_hut(x, m, softening=0.05)
    expected = bodies.reference(x, m, softening=0.05)
    for some, other in zip(
        torch.autograd.grad((weight * found).sum(), (x, m)),
        torch.autograd.grad((weight * expected).sum(), (x, m)),
        strict=True,
    ):
        assert 0 < error(some, other) < 3e-2
    assert not kernels.barnes_hut(x.detach(), m.detach()).requires_grad


PULLS = {
    "offset": lambda s: 1 / (s**1.5 + 0.01),
    "vortices": lambda s: 1 / (s + 0.01),
    "screened": lambda s: torch.exp(-(s**0.5)) / (s + 0.01) ** 1.5,
    "constant": torch.ones_like,
}


@pytest.mark.parametrize("name", PULLS)
@pytest.mark.parametrize("unit", [1.0, 30.0])
def test_other_pulls(name, unit):
    x = unit * torch.rand(900, 3, dtype=torch.float64)
    m = torch.rand(900, dtype=torch.float64)
    expected = bodies.reference(x, m, pull=PULLS[name])
    found = kernels.barnes_hut(x, m, pull=PULLS[name])
    assert not found.requires_grad
    assert error(found, expected) < 2e-3
    torch.testing.assert_close(kernels.barnes_hut(x, m, pull=PULLS[name], theta=0), expected)


def test_few_particles_are_summed_up_exactly(monkeypatch):
    monkeypatch.setattr(bodies, "FEW", 2048)
    monkeypatch.setattr(bodies, "LEAF", 48)
    x, m = torch.rand(300, 3, dtype=torch.float64), torch.rand(300, dtype=torch.float64)
    torch.testing.assert_close(kernels.barnes_hut(x, m, theta=1.0), bodies.reference(x, m))


def test_arrays_of_numpy():
    rng = np.random.default_rng(0)
    x, m = rng.random((400, 3)), rng.random(400)
    found = kernels.barnes_hut(x[::-1], m[::-1], softening=np.float64(0.1))
    expected = kernels.barnes_hut(torch.tensor(x), torch.tensor(m), softening=0.1)
    assert isinstance(found, np.ndarray)
    assert found.dtype == np.float64
    np.testing.assert_allclose(found[::-1], expected.numpy())
    whole = kernels.barnes_hut(np.arange(12).reshape(4, 3), np.ones(4, dtype=int))
    assert whole.dtype == np.float64
    assert kernels.barnes_hut(x.astype("float32"), m.astype("float32")).dtype == np.float32


def test_other_shapes_are_the_references():
    x, m = torch.rand(8, 3, dtype=torch.float64), torch.rand(8, dtype=torch.float64)
    strange = ((x, m[:3]), (x[0], m), (x, m[None]), (x[:0], m[:0]), (x[:, :0], m), (x[:1], m[:1]),
               (torch.rand(8, 4), m))  # fmt: skip
    for given in strange:
        try:
            expected = bodies.reference(*given)
        except Exception as error:
            with pytest.raises(type(error)):
                kernels.barnes_hut(*given)
        else:
            torch.testing.assert_close(kernels.barnes_hut(*given), expected)
    torch.testing.assert_close(
        torch.vmap(kernels.barnes_hut)(torch.stack([x, x]), torch.stack([m, m])),
        torch.stack([bodies.reference(x, m)] * 2),
    )


@pytest.mark.parametrize("given", [{"theta": -1.0}, {"theta": float("nan")}, {"order": 3}])
def test_options_that_mean_nothing(given):
    with pytest.raises(ValueError, match=next(iter(given))):
        kernels.barnes_hut(torch.rand(4, 3), torch.rand(4), **given)


@pytest.mark.parametrize("axes", [1, 2, 3])
def test_a_tree_holds_each_point_once(axes):
    points = torch.randn(200, axes, dtype=torch.float64)
    points[50:90] = points[50]
    tree = octree.build(points, 4)
    assert sorted(tree.order.tolist()) == list(range(200))
    held = [False] * 200
    for node in range(len(tree.start)):
        inside = range(int(tree.start[node]), int(tree.stop[node]))
        first, count = int(tree.first[node]), int(tree.children[node])
        if count == 0:
            assert not any(held[place] for place in inside)
            held[inside.start : inside.stop] = [True] * len(inside)
            continue
        children = range(first, first + count)
        assert 0 < count <= 2**axes
        assert [int(tree.parents[each]) for each in children] == [node] * count
        parts = [p for c in children for p in range(int(tree.start[c]), int(tree.stop[c]))]
        assert parts == list(inside)
    assert all(held)
    low, high = octree.extents(points[tree.order], tree)
    torch.testing.assert_close(low[0], points.amin(0))
    torch.testing.assert_close(high[0], points.amax(0))
    some = octree.groups(points[tree.order], tree, 8)
    assert int(some.count.sum()) == 200
    assert int(some.count.max()) <= 8


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_the_largest_distances_are_no_error(dtype):
    x, m = torch.randn(9, 3, dtype=dtype), torch.rand(9, dtype=dtype)
    x[0] = 0.9 * torch.finfo(dtype).max
    assert kernels.barnes_hut(x, m, softening=0.1).shape == x.shape
