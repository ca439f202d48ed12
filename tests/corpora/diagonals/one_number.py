# expect: SPA402 safe scope=damped
# expect: SPA402 safe scope=from_the_right
# expect: SPA402 safe scope=halved
# expect: SPA402 safe scope=noise
# expect: SPA402 safe scope=by_mean
# expect: SPA402 safe scope=turned
# expect: SPA402 safe scope=of_arrays
# expect: SPA402 safe scope=of_any_arrays
# expect: SPA402 safe scope=by_letters
import numpy as np
import torch


def damped(x: torch.Tensor, c: float):
    n, m = x.shape
    return c * torch.eye(n) @ x


def from_the_right(x: torch.Tensor, c: float):
    n, m = x.shape
    return x - x @ (torch.eye(m) * c)


def halved(x: torch.Tensor):
    return 0.5 * torch.eye(x.shape[0], dtype=x.dtype, device=x.device) @ x


def noise(x: torch.Tensor, sigma: float):
    n, m = x.shape
    covariance = sigma**2 * torch.eye(m)
    return x @ covariance @ x.T


def by_mean(x: torch.Tensor):
    n, m = x.shape
    scale = x.abs().mean()
    return torch.mm(x, scale * torch.eye(m))


def turned(x: torch.Tensor, c: float):
    n, m = x.shape
    return (c * torch.eye(m) @ x.T).view(-1)


def of_arrays(x, c: float):
    a = np.asarray(x, dtype=float)
    n, m = a.shape
    return a @ (c * np.eye(m))


def of_any_arrays(a: np.ndarray, c: float):
    n, m = a.shape
    return np.dot(c * np.identity(n), a)


def by_letters(x: torch.Tensor, c: float):
    n, m = x.shape
    return torch.einsum("ij,jk->ik", x, c * torch.eye(m))


def cases(rng):
    for n, m in ((3, 4), (1, 1), (2, 1)):

        def x():
            return torch.tensor(rng.normal(size=(n, m)), dtype=torch.float32, requires_grad=True)

        for name in ("damped", "from_the_right", "noise", "turned", "by_letters"):
            yield name, (x(), 0.3), {}
        yield "damped", (x(), 2), {}
        yield "halved", (x(),), {}
        yield "by_mean", (x(),), {}
        yield "of_arrays", (rng.normal(size=(n, m)), -1.5), {}
        yield "of_any_arrays", (rng.normal(size=(n, m)).astype(np.float32), 0.7), {}
        yield "of_any_arrays", (rng.integers(0, 5, (n, m)), 2), {}
