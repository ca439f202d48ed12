# refuse: ASC105 what is reduced is not all up to a place, or not of what is there at the end
import numpy as np
import torch


def without_itself(x: np.ndarray):
    (n,) = x.shape
    return np.array([x[:i].sum() for i in range(n)])


def in_windows(x: np.ndarray):
    (n,) = x.shape
    return np.array([x[max(0, i - 2) : i + 1].sum() for i in range(n)])


def every_second(x: np.ndarray):
    (n,) = x.shape
    return np.array([x[: i + 1 : 2].sum() for i in range(n)])


def detached(x: torch.Tensor):
    n, d = x.shape
    return torch.stack([x[: i + 1].detach().sum(0) for i in range(n)])


def without_gradients(x: torch.Tensor):
    n, d = x.shape
    out = []
    with torch.no_grad():
        for t in range(n):
            out.append(x[: t + 1].sum(0))
    return torch.stack(out)


def written_between(x: torch.Tensor):
    n, d = x.shape
    out = []
    for t in range(n):
        out.append(x[: t + 1].sum(0))
        x[t] = 0
    return torch.stack(out)


def written_behind(x: torch.Tensor):
    n, d = x.shape
    out = []
    for t in range(n):
        out.append(x[: t + 1].sum(0))
    x += 1
    return torch.stack(out)


def into_itself(x: torch.Tensor):
    n, d = x.shape
    out = x[:]
    for i in range(n):
        out[i] = x[: i + 1].sum(0)
    return out


def rounded(x: np.ndarray):
    (n,) = x.shape
    out = np.zeros(n, dtype=int)
    for i in range(n):
        out[i] = x[: i + 1].sum()
    return out


def other_count(x: torch.Tensor):
    n, d = x.shape
    return torch.stack([x[: i + 1].sum(0) / (i + 2) for i in range(n)])


def below_the_diagonal(x: torch.Tensor):
    n, d = x.shape
    return torch.ones(n, n).tril(-1) @ x


def weighted(x: torch.Tensor):
    n, d = x.shape
    return (0.5 * torch.ones(n, n).tril()) @ x


def over_the_places(x: torch.Tensor):
    n, d = x.shape
    ones = torch.tril(torch.ones(n, n, dtype=x.dtype))
    return (ones[..., None] * x[None]).sum(0)


def over_the_rows(x: np.ndarray):
    (n,) = x.shape
    return (np.tril(np.ones((n, n))) * x).sum(0)


def backwards(x: torch.Tensor):
    n, d = x.shape
    out = []
    for i in range(n - 1, -1, -1):
        out.append(x[i:].sum(0))
    return torch.stack(out)


def from_the_end(x: torch.Tensor):
    n, d = x.shape
    out = []
    for i in range(n):
        out.append(x[-i - 1 :].sum(0))
    return torch.stack(out)


def numbers(x: torch.Tensor):
    n, d = x.shape
    return torch.tensor([x[: i + 1].sum().item() for i in range(n)])


def without_its_gradient(x: torch.Tensor):
    (n,) = x.shape
    out = torch.zeros(n)
    for i in range(n):
        out[i] = x[: i + 1].sum().item()
    return out


def of_stated_type(x: np.ndarray):
    (n,) = x.shape
    return np.array([float(x[: i + 1].sum()) for i in range(n)])


def cases(rng):
    yield "over_the_places", (torch.randn(4, 3),), {}
    yield "over_the_rows", (rng.standard_normal(4),), {}
    yield "backwards", (torch.randn(4, 3),), {}
    yield "from_the_end", (torch.randn(4, 3),), {}
    yield "numbers", (torch.randn(4, 3, dtype=torch.float64),), {}
    yield "without_its_gradient", (torch.randn(4, requires_grad=True),), {}
    yield "of_stated_type", (rng.standard_normal(4).astype(np.float32),), {}
    numbers = rng.standard_normal(5)
    for name in ("without_itself", "in_windows", "every_second", "rounded"):
        yield name, (numbers.copy(),), {}
    for name in ("detached", "without_gradients", "other_count", "below_the_diagonal", "weighted"):
        yield name, (torch.randn(4, 3, requires_grad=True),), {}
    for name in ("written_between", "written_behind", "into_itself"):
        yield name, (torch.randn(4, 3),), {}
