# may: ASC109 safe scope=joined
# may: ASC109 safe scope=earlier
# refuse: LOC304 each step takes two queries, which see the same keys
import torch


def joined(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, reach: int):
    batch, steps, size = q.shape
    batch, places, size = k.shape
    batch, places, width = v.shape
    outputs = []
    for t in range(steps - 1):
        low = max(0, t - reach)
        shares = torch.softmax(q[:, t : t + 2] @ k[:, low : t + 1].transpose(1, 2), -1)
        outputs.append(shares @ v[:, low : t + 1])
    return torch.cat(outputs, dim=1)


def earlier(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, reach: int):
    """The keys end before the place of which the values are taken."""
    batch, steps, size = q.shape
    batch, places, size = k.shape
    batch, places, width = v.shape
    outputs = []
    for t in range(1, steps):
        low = max(0, t - reach)
        shares = torch.softmax(q[:, t : t + 1] @ k[:, low:t].transpose(1, 2), -1)
        outputs.append(shares @ v[:, low + 1 : t + 1])
    return torch.cat(outputs, dim=1)


def cases(rng):
    for n in (3, 9):
        yield "joined", tuple(torch.randn(2, n, 4) for _ in range(3)) + (2,), {}
        yield "earlier", tuple(torch.randn(2, n, 4) for _ in range(3)) + (2,), {}
