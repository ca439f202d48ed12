"""Sums over pairs and N-body forces against the plain loops: which pairs, where their values go,
dtypes, shapes, gradients of any order, and what the tiles cannot do."""

from __future__ import annotations

import importlib
import math

import numpy as np
import pytest
import torch
from auditor.kernels.pair_array import PairArray, Unsupported

from auditor import kernels
from tests.compiled_paths import both_paths, native, path  # noqa: F401

tiles = importlib.import_module("auditor.kernels.pairwise_reduce")
bodies = importlib.import_module("auditor.kernels.nbody")


@pytest.fixture(autouse=True, params=[1, 8, 1 << 16])
def pairs_a_tile(request, monkeypatch):
    for module in (tiles, bodies):
        monkeypatch.setattr(module, "PAIRS_A_TILE", {"cpu": request.param})
        monkeypatch.setattr(module, "PAIRS_KEPT", 0 if request.param == 8 else 1 << 20)
        monkeypatch.setattr(module, "FEW_PAIRS", 0)
    monkeypatch.setattr(bodies, "FEW_PAIRS_IN_TILES", 0)
    torch.manual_seed(0)


@pytest.fixture
def no_loops(monkeypatch):
    """The plain loops, and a kernel that must do without them."""
    plain = tiles.reference

    def forbidden(*_, **__):
        raise AssertionError("the plain loops ran")

    monkeypatch.setattr(tiles, "reference", forbidden)
    return plain


def pull(x_i, x_j, m_j):
    r = x_j - x_i
    return m_j * r / ((r * r).sum() + 0.1)


def particles(count, library, dtype="float64"):
    rng = np.random.default_rng(count)
    x, m = rng.standard_normal((count, 3)), rng.uniform(1, 2, count)
    if library == "torch":
        return torch.tensor(x).to(getattr(torch, dtype)), torch.tensor(m).to(getattr(torch, dtype))
    return x.astype(dtype), m.astype(dtype)


def close(found, expected, atol=1e-10):
    assert type(found) is type(expected)
    if isinstance(found, tuple):
        for some, other in zip(found, expected, strict=True):
            close(some, other, atol)
        return
    found, expected = (
        each.detach().numpy() if isinstance(each, torch.Tensor) else np.asarray(each)
        for each in (found, expected)
    )
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, atol=atol, rtol=1e-10, equal_nan=True)


@pytest.mark.parametrize("library", ["numpy", "torch"])
@pytest.mark.parametrize("pairs", ["all", "others", "above", "below"])
@pytest.mark.parametrize("counts", [(2, 2), (5, 5), (9, 9), (7, 9), (9, 7), (4, 1), (3, 9)])
def test_sums_are_those_of_the_loops(library, pairs, counts, no_loops):
    if pairs == "above" and counts[1] < 2:
        return
    x, m = particles(9, library)
    for options in (
        {"to_rows": (x,)},
        {"to_columns": (x,)},
        {"totals": (0.0,)},
    ):
        found = kernels.pairwise_reduce(pull, counts, (x,), (x, m), pairs=pairs, **options)
        close(found, no_loops(pull, counts, (x,), (x, m), pairs=pairs, **options))

    def several(x_i, x_j, m_j):
        value = pull(x_i, x_j, m_j)
        return value, -value, value.sum(), (value * value).sum()

    options = {"to_rows": (x, m), "to_columns": (x,), "totals": (0.0,), "pairs": pairs}

    def ordered(*given):
        value, minus, one, two = several(*given)
        return value, one, minus, two

    found = kernels.pairwise_reduce(ordered, counts, (x,), (x, m), **options)
    close(found, no_loops(ordered, counts, (x,), (x, m), **options))


def close_by(x_i, x_j, *_):
    return ((x_i - x_j) ** 2).sum() < 2


def counted(x_i, x_j, m_j):
    return pull(x_i, x_j, m_j), 1


@pytest.mark.parametrize("library", ["numpy", "torch"])
@pytest.mark.parametrize("pairs", ["all", "others", "above", "below"])
def test_pairs_that_are_not_near_are_left_out(library, pairs, no_loops):
    x, m = particles(13, library)
    options = {"pairs": pairs, "near": close_by, "to_rows": (x,), "totals": (0,)}
    found = kernels.pairwise_reduce(counted, (13, 13), (x,), (x, m), **options)
    close(found, no_loops(counted, (13, 13), (x,), (x, m), **options))
    assert type(found[1]) is int
    assert 0 < found[1] < 13 * 12 / 2


@pytest.mark.parametrize("library", ["numpy", "torch"])
def test_where_nothing_is_near_the_sums_are_zero(library, no_loops):
    x, m = particles(9, library)
    for options in ({"to_rows": (x,)}, {"totals": (0.0,)}, {"totals": (0,)}):
        options |= {"near": lambda x_i, x_j, _: (x_i - x_j).sum() > 1000}
        found = kernels.pairwise_reduce(pull, (9, 9), (x,), (x, m), **options)
        close(found, no_loops(pull, (9, 9), (x,), (x, m), **options))


def test_what_is_not_near_has_no_part_in_a_gradient(no_loops):
    x, m = particles(9, "torch")
    x.requires_grad_()

    def sharp(x_i, x_j, m_j):
        return m_j / (x_j - x_i).norm()

    def apart(x_i, x_j, _):
        return (x_j - x_i).norm() > 0

    found = kernels.pairwise_reduce(sharp, (9, 9), (x,), (x, m), totals=(0,), near=apart)
    (grad,) = torch.autograd.grad(found, x)
    assert grad.isfinite().all()
    expected = no_loops(sharp, (9, 9), (x,), (x, m), totals=(0,), pairs="others")
    close(found.detach(), expected.detach())


@pytest.mark.parametrize("library", ["numpy", "torch"])
@pytest.mark.parametrize("counts", [(0, 0), (0, 4), (4, 0), (1, 1), (-2, 3)])
def test_without_pairs_the_sums_are_zero(library, counts):
    x, m = particles(4, library)
    for pairs in ("others", "above", "below"):
        for options in ({"to_rows": (x,)}, {"totals": (0.0,)}):
            found = kernels.pairwise_reduce(pull, counts, (x,), (x, m), pairs=pairs, **options)
            close(found, tiles.reference(pull, counts, (x,), (x, m), pairs=pairs, **options))


def test_a_pair_that_is_left_out_is_never_computed(no_loops):
    x, m = particles(9, "torch")
    x.requires_grad_()

    def sharp(x_i, x_j, m_j):
        r = x_j - x_i
        return m_j * r / r.norm() ** 3

    for pairs in ("others", "above"):
        found = kernels.pairwise_reduce(sharp, (9, 9), (x,), (x, m), to_rows=(x,), pairs=pairs)
        (grad,) = torch.autograd.grad(found.square().sum(), x)
        assert found.isfinite().all()
        assert grad.isfinite().all()


FUNCTIONS = {
    "norm": lambda a, b: np.linalg.norm(a - b),
    "dot": lambda a, b: np.dot(a, b) * a,
    "at": lambda a, b: (a @ b) * b,
    "matrix": lambda a, b: np.arange(9.0).reshape(3, 3) @ (a - b),
    "cross": lambda a, b: np.cross(a, b),
    "parts": lambda a, b: a[0] * b[2] - a[-1],
    "unpacked": lambda a, b: sum(x * y for x, y in zip(a, b, strict=True)),
    "stacked": lambda a, b: np.stack([a[0] - b[0], a[1] * b[1]]),
    "slices": lambda a, b: (a[:2] * b[1:]).sum(),
    "where": lambda a, b: np.where(a > b, a, 0.0),
    "near": lambda a, b: np.abs(a - b).max() < 1,
    "one side": lambda a, b: b * 2,
    "keepdims": lambda a, b: a / b.sum(keepdims=True),
    "mean": lambda a, b: (a - b).mean(axis=0),
    "power": lambda a, b: ((a - b) ** 2).sum() ** 0.5,
    "hypot": lambda a, b: np.hypot(a[0] - b[0], a[1] - b[1]),
    "extrema": lambda a, b: np.minimum(a, b).min() + np.maximum(a, b).prod(),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_numpy_on_tiles_is_numpy_on_elements(name, no_loops):
    pair = FUNCTIONS[name]
    x, _ = particles(7, "numpy")
    for pairs in ("all", "others"):
        found = kernels.pairwise_reduce(pair, (7, 7), (x,), (x,), totals=(0.0,), pairs=pairs)
        close(found, no_loops(pair, (7, 7), (x,), (x,), totals=(0.0,), pairs=pairs))


REFUSED = {
    "constant": lambda a, b: 1.5,
    "branch": lambda a, b: a if a[0] > b[0] else b,
    "math": lambda a, b: math.sqrt(abs(a[0] - b[0])) * a,
    "array": lambda a, b: np.array([a[0], b[1]]),
    "sorted": lambda a, b: np.sort(a - b),
    "wider": lambda a, b: a[:, None] * b,
    "extrema": lambda a, b: max(a[0], b[0]),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_tiles_cannot_do_the_loops_do(name):
    pair = REFUSED[name]
    x, _ = particles(5, "numpy")
    close(
        kernels.pairwise_reduce(pair, (5, 5), (x,), (x,), totals=(0.0,)),
        tiles.reference(pair, (5, 5), (x,), (x,), totals=(0.0,)),
    )


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64", "uint8", "bool"])
@pytest.mark.parametrize("library", ["numpy", "torch"])
@pytest.mark.parametrize("into", ["float32", "float64", "int64"])
def test_dtypes_are_those_of_the_loops(dtype, library, into):
    x, _ = particles(6, "numpy")
    x = (x * 3).astype(dtype)
    like = np.zeros((6, 3), into)
    if library == "torch":
        x, like = torch.tensor(x), torch.tensor(like)

    def pair(a, b):
        return a * b

    outcomes = []
    for function in (kernels.pairwise_reduce, tiles.reference):
        start = like.clone() if library == "torch" else like.copy()
        try:
            start += function(pair, (6, 6), (x,), (x,), to_rows=(like,))
        except Exception as error:
            outcomes.append(type(error))
        else:
            outcomes.append(start)
    if isinstance(outcomes[1], type):
        assert outcomes[0] is outcomes[1]
    else:
        close(*outcomes, atol=1e-4)


@pytest.mark.parametrize("library", ["numpy", "torch"])
def test_sums_are_taken_in_the_dtype_of_what_they_are_for(library):
    x, m = particles(300, library, "float32")
    exact = particles(300, library)
    wide = exact[0] * 0
    found = kernels.pairwise_reduce(pull, (300, 300), (x,), (x, m), to_rows=(wide,))
    total = kernels.pairwise_reduce(pull, (300, 300), (x,), (x, m), totals=(wide[0],))
    assert found.dtype == total.dtype == wide.dtype

    def rounded(x_i, x_j, m_j):
        return pull(x_i, x_j, m_j) * 1

    close(found.sum(0), total, atol=1e-9)
    close(found[:3], tiles.reference(rounded, (3, 300), (x,), (x, m), to_rows=(wide,))[:3], 1e-5)


def test_operands_of_other_kinds_take_the_loops():
    x, m = particles(5, "numpy")
    given = x.tolist(), m.tolist()

    def pair(a, b, m):
        return m * (a[0] - b[0])

    close(
        kernels.pairwise_reduce(pair, (5, 5), given[:1], given, totals=(0.0,)),
        tiles.reference(pair, (5, 5), given[:1], given, totals=(0.0,)),
    )
    with pytest.raises(IndexError):
        kernels.pairwise_reduce(pull, (9, 9), (x,), (x, m), totals=(0.0,))


@pytest.mark.parametrize("pairs", ["all", "others", "above", "below"])
def test_sums_over_pairs_have_gradients_of_gradients(pairs):
    x, m = (each[:4].requires_grad_() for each in particles(4, "torch"))
    softening = torch.tensor(0.3, dtype=torch.float64, requires_grad=True)

    def run(x, m, softening):
        def pair(x_i, x_j, m_j):
            r = x_j - x_i
            return m_j * r / ((r * r).sum() + softening)

        return kernels.pairwise_reduce(pair, (4, 4), (x,), (x, m), to_rows=(x,), pairs=pairs)

    assert torch.autograd.gradcheck(run, (x, m, softening))
    assert torch.autograd.gradgradcheck(run, (x, m, softening))


def test_a_pair_array_holds_no_single_value():
    many = PairArray(np.ones((2, 3)), 2)
    for ask in (bool, float, int, np.asarray, len, math.sqrt):
        with pytest.raises(Unsupported):
            ask(many)
    with pytest.raises(Unsupported):
        np.add(many, 1, where=True)


# ------------------------------------------------------------------------------------- N-body


@both_paths
@pytest.mark.parametrize("count", [0, 1, 2, 3, 9, 20])
@pytest.mark.parametrize("axes", [1, 2, 3])
@pytest.mark.parametrize("softening", [0.0, 0.2, torch.tensor(0.1, dtype=torch.float64)])
def test_nbody_is_the_formula(count, axes, softening):
    x = torch.randn(count, axes, dtype=torch.float64, requires_grad=True)
    m = torch.rand(count, dtype=torch.float64, requires_grad=True)
    found = kernels.nbody(x, m, softening=softening, gravity=1.5)
    expected = bodies.reference(x, m, softening=softening, gravity=1.5)
    assert found.is_contiguous()
    torch.testing.assert_close(found, expected)
    for some, other in zip(
        torch.autograd.grad(found.square().sum(), (x, m)),
        torch.autograd.grad(expected.square().sum(), (x, m)),
        strict=True,
    ):
        torch.testing.assert_close(some, other)


@both_paths
@pytest.mark.parametrize("dtype", list(bodies.TOLERANCE))
def test_nbody_in_every_dtype(dtype):
    x, m = torch.randn(20, 3).to(dtype), torch.rand(20).to(dtype)
    exact = [each.double().requires_grad_() for each in (x, m)]
    given = [each.requires_grad_() for each in (x, m)]
    found = kernels.nbody(*given, softening=0.1)
    expected = bodies.reference(*exact, softening=0.1)
    assert found.dtype == dtype
    bounds = [bodies.TOLERANCE[dtype][0]] + [bodies.TOLERANCE[dtype][1]] * 2
    pairs = [(found, expected)]
    pairs += zip(
        torch.autograd.grad(found.sum(), given),
        torch.autograd.grad(expected.sum(), exact),
        strict=True,
    )
    for (some, other), bound in zip(pairs, bounds, strict=True):
        assert (some.double() - other).abs().max() <= bound * other.abs().max()


@both_paths
def test_nbody_has_gradients_of_gradients():
    x = torch.randn(4, 2, dtype=torch.float64, requires_grad=True)
    m, soft, gravity = (
        torch.rand(shape, dtype=torch.float64, requires_grad=True) for shape in ((4,), (), ())
    )

    def run(x, m, soft, gravity):
        return kernels.nbody(x, m, softening=soft, gravity=gravity)

    assert torch.autograd.gradcheck(run, (x, m, soft, gravity))
    assert torch.autograd.gradgradcheck(run, (x, m, soft, gravity))


@both_paths
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
@pytest.mark.parametrize("softening", [0.1, np.float64(0.1)], ids=["number", "scalar"])
def test_nbody_of_arrays_is_the_formula(dtype, softening):
    rng = np.random.default_rng(0)
    x, m = (rng.normal(size=shape) * 5 for shape in ((7, 6), 7))
    x, m = x.astype(dtype)[::-1, ::2], m.astype(dtype)[::-1]
    away = x[None] - x[:, None]
    square = (away**2).sum(-1) + softening**2
    expected = (m[None, :, None] * away * square[..., None] ** -1.5).sum(1)
    found = kernels.nbody(x, m, softening=softening)
    assert type(found) is np.ndarray and found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected, rtol=1e-4 if dtype == "float32" else 1e-11)


@both_paths
def test_nbody_with_two_at_one_place_is_the_formula():
    x = torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 0.0]])
    m = torch.ones(3)
    torch.testing.assert_close(kernels.nbody(x, m), bodies.reference(x, m), equal_nan=True)
    torch.testing.assert_close(
        kernels.nbody(x, m, softening=0.1), bodies.reference(x, m, softening=0.1)
    )


@both_paths
def test_nbody_of_other_shapes_and_layouts():
    x, m = torch.randn(3, 8, dtype=torch.float64).T, torch.rand(16, dtype=torch.float64)[::2]
    torch.testing.assert_close(kernels.nbody(x, m), bodies.reference(x, m))
    torch.testing.assert_close(kernels.nbody(x, m.float()), bodies.reference(x, m.float()))
    for given in ((x, m[:3]), (x[0], m), (x, m[None])):
        try:
            expected = bodies.reference(*given)
        except Exception as error:
            with pytest.raises(type(error)):
                kernels.nbody(*given)
        else:
            torch.testing.assert_close(kernels.nbody(*given), expected)


@both_paths
def test_nbody_inside_of_transforms():
    x, m = torch.randn(2, 5, 3, dtype=torch.float64), torch.rand(2, 5, dtype=torch.float64)
    torch.testing.assert_close(
        torch.vmap(kernels.nbody)(x, m),
        torch.stack([bodies.reference(*g) for g in zip(x, m, strict=True)]),
    )


@both_paths
def test_nbody_with_what_overflows_is_the_formula():
    inf, nan = float("inf"), float("nan")
    for value in (inf, nan, 1e20, 1e30, 1e-30):
        x, m = torch.randn(40, 3), torch.rand(40)
        x[7, 1] = value
        torch.testing.assert_close(kernels.nbody(x, m), bodies.reference(x, m), equal_nan=True)
        x, m = torch.randn(40, 3), torch.rand(40)
        m[3] = value
        torch.testing.assert_close(kernels.nbody(x, m), bodies.reference(x, m), equal_nan=True)


@both_paths
@pytest.mark.parametrize("count", [257, 600])
def test_nbody_across_tiles(count):
    x, m, soft = torch.randn(count, 3), torch.rand(count), torch.tensor(0.3)
    weights = torch.randn(count, 3, dtype=torch.float64)
    found, want = [], []
    for into, dtype in ((found, torch.float32), (want, torch.float64)):
        run = kernels.nbody if into is found else bodies.reference
        leaves = [each.to(dtype).requires_grad_() for each in (x, m, soft)]
        forces = run(*leaves[:2], softening=leaves[2], gravity=1.5)
        into += [forces, *torch.autograd.grad(forces, leaves, weights.to(dtype))]
    values, gradients = bodies.TOLERANCE[torch.float32]
    for some, other, bound in zip(found, want, [values] + [gradients] * 3, strict=True):
        assert (some.double() - other).abs().max() <= bound * other.abs().max()


@both_paths
def test_nbody_may_have_its_masses_overwritten_where_the_formula_may():
    x, m = torch.randn(9, 3), torch.rand(9, requires_grad=True)
    grads = []
    for run in (kernels.nbody, bodies.reference):
        found = run(x.clone(), m, softening=0.1)
        with torch.no_grad():
            m += 1
        grads += torch.autograd.grad(found.sum(), m)
    torch.testing.assert_close(*grads)


@both_paths
def test_nbody_compiles_and_passes_as_an_operator():
    x, m = torch.randn(9, 3, requires_grad=True), torch.rand(9, requires_grad=True)
    compiled = torch.compile(kernels.nbody, fullgraph=True, backend="aot_eager")
    found, want = compiled(x, m, softening=0.2), kernels.nbody(x, m, softening=0.2)
    torch.testing.assert_close(found, want)
    for some, other in zip(
        torch.autograd.grad(found.square().sum(), (x, m)),
        torch.autograd.grad(want.square().sum(), (x, m)),
        strict=True,
    ):
        torch.testing.assert_close(some, other)


@pytest.mark.skipif(native.LIBRARY is None, reason="the C kernels were not built")
def test_opcheck_of_nbody():
    x, m, soft = (torch.rand(shape, requires_grad=True) for shape in ((3, 9), (9,), ()))
    torch.library.opcheck(torch.ops.auditor.nbody.default, (x, m, soft))
