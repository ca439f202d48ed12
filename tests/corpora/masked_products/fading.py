# expect: SPA404 safe scope=retention
# expect: SPA404 safe scope=of_one_number
# expect: SPA404 safe scope=of_a_constant
import torch


def retention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, decay: torch.Tensor):
    b, h, n, d = q.shape
    (h,) = decay.shape
    index = torch.arange(n).to(decay)
    mask = torch.tril(torch.ones(n, n).to(decay))
    mask = torch.masked_fill(index[:, None] - index[None, :], ~mask.bool(), float("inf"))
    mask = torch.nan_to_num(torch.exp(mask * decay[:, None, None]))
    return (q @ k.transpose(-1, -2) * mask) @ v


def of_one_number(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, gamma: float):
    b, n, d = q.shape
    at = torch.arange(n)
    steps = torch.where(at[:, None] >= at[None], at[:, None] - at[None], torch.inf)
    return (q @ k.transpose(-1, -2) * gamma**steps) @ v


def of_a_constant(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    b, n, d = q.shape
    at = torch.arange(n)
    steps = (at[:, None] - at[None]).float().masked_fill(at[:, None] < at[None], torch.inf)
    return (q @ k.transpose(-1, -2) * torch.exp(-0.2 * steps)) @ v


def cases(rng):
    for heads, n in ((2, 5), (1, 1), (3, 7)):
        q, k, v = (
            torch.tensor(rng.standard_normal((2, heads, n, 4)), dtype=torch.float32)
            .requires_grad_() for _ in range(3)
        )  # fmt: skip
        decay = torch.log(1 - 2 ** (-1 - torch.arange(heads, dtype=torch.float32)))
        yield "retention", (q, k, v, decay), {}
        yield "retention", (q, k, v, 0 * decay), {}
        yield "of_one_number", (q[:, 0], k[:, 0], v[:, 0], 0.8), {}
        yield "of_a_constant", (q[:, 0], k[:, 0], v[:, 0]), {}
