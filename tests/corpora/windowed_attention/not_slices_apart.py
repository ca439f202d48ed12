# refuse: LOC304 the values' slice is not that of the keys
import torch


def apart(q, k, v):
    batch, length, size = q.shape
    outputs = []
    for t in range(2, length):
        shares = (k[:, t - 2 : t + 1] @ q[:, t].unsqueeze(-1)).squeeze(-1).softmax(dim=-1)
        outputs.append((shares.unsqueeze(-1) * v[:, t - 1 : t + 2]).sum(1))
    return torch.stack(outputs, 1)


def cases(rng):
    yield (
        "apart",
        tuple(torch.randn(2, 9, 4)[:, :9] for _ in range(2)) + (torch.randn(2, 10, 4),),
        {},
    )
