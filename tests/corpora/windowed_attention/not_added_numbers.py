# refuse: LOC304 what is added is no large number, or leaves some queries without a key of their own
import torch


def small(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, reach: int):
    n = q.shape[1]
    near = torch.tril(torch.ones(n, n)) * torch.triu(torch.ones(n, n), -reach)
    scores = torch.einsum("bid,bjd->bij", q, k) - 3.0 * (1 - near)
    return torch.einsum("bij,bjd->bid", torch.softmax(scores, dim=-1), v)


def behind(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, reach: int):
    """The first query sees no key at all."""
    n = q.shape[1]
    near = torch.tril(torch.ones(n, n), -1) * torch.triu(torch.ones(n, n), -reach)
    scores = torch.einsum("bid,bjd->bij", q, k) - 1e9 * (1 - near)
    return torch.einsum("bij,bjd->bid", torch.softmax(scores, dim=-1), v)


def cases(rng):
    for n in (1, 2, 9):
        yield "small", (*(torch.randn(2, n, 4) for _ in range(3)), 2), {}
        yield "behind", (*(torch.randn(2, n, 4) for _ in range(3)), 2), {}
