# expect: RED512 safe scope=padded
# expect: RED512 safe scope=in_one_expression
# expect: RED512 safe scope=of_arrays
# expect: RED512 safe scope=of_a_triangle
# expect: RED512 safe scope=of_both
# may: SPA404 advice scope=of_a_triangle
import numpy as np
import torch


def padded(error: torch.Tensor, tokens: torch.Tensor, pad: int):
    mask = (tokens != pad).float()
    kept = error * mask
    return (kept * mask).sum() / mask.sum()


def in_one_expression(x: torch.Tensor, u: torch.Tensor):
    m = u > 0.5
    return x * m * m


def of_arrays(x: np.ndarray, ids: np.ndarray):
    m = (ids > 0).astype(np.float64)
    loss = m * x**2
    return np.sum(m * loss, axis=-1)


def of_a_triangle(scores: torch.Tensor):
    n = scores.shape[-1]
    lower = torch.tril(torch.ones(n, n, dtype=scores.dtype))
    causal = scores * lower
    return torch.relu(causal * lower)


def of_both(x: torch.Tensor, a: torch.Tensor, b: torch.Tensor):
    some = ((a > 0) & ~(b > 0)).to(x.dtype)
    h = torch.tanh(x) * some * 2
    return h * some + x


def cases(rng):
    def leaf(*shape):
        return torch.tensor(rng.normal(size=shape), requires_grad=True)

    for shape in ((3, 5), (1, 1), (2, 3, 3)):
        ids = rng.integers(0, 3, shape)
        ids[..., 0] = 1
        yield "padded", (leaf(*shape), torch.tensor(ids), 0), {}
        yield "in_one_expression", (leaf(*shape), torch.rand(shape)), {}
        yield "in_one_expression", (leaf(*shape), torch.rand(shape[-1])), {}
        yield "of_arrays", (rng.normal(size=shape), ids), {}
        yield "of_a_triangle", (leaf(3, 3),), {}
        yield "of_both", (leaf(*shape), leaf(*shape), leaf(*shape)), {}
    # zero times infinity is no number, once or twice
    yield "in_one_expression", (torch.tensor([np.inf, 1.0]), torch.tensor([0.9, 0.1])), {}
