# refuse: LOC304 before the third place the slice begins at a place counted from the end
import torch


def last(q, k, v):
    batch, length, size = q.shape
    outputs = []
    for t in range(length):
        shares = (k[:, t - 2 :] @ q[:, t].unsqueeze(-1)).squeeze(-1).softmax(dim=-1)
        outputs.append((shares.unsqueeze(-1) * v[:, t - 2 :]).sum(1))
    return torch.stack(outputs, 1)


def cases(rng):
    yield "last", tuple(torch.randn(2, 6, 4) for _ in range(3)), {}
