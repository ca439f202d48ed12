# expect: LOC304 safe scope=joined
# expect: LOC304 safe scope=stacked
# expect: LOC304 safe scope=rows_alone
import torch


def joined(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, reach: int):
    """Each query is taken as a slice of one place, and the results are joined along it."""
    batch, steps, size = q.shape
    batch, places, size = k.shape
    batch, places, width = v.shape
    outputs = []
    for t in range(steps):
        low = max(0, t - reach)
        shares = torch.softmax(q[:, t : t + 1] @ k[:, low : t + 1].transpose(1, 2), -1)
        outputs.append(shares @ v[:, low : t + 1])
    return torch.cat(outputs, dim=1)


def stacked(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, reach: int):
    batch, steps, size = q.shape
    batch, places, size = k.shape
    batch, places, width = v.shape
    outputs = []
    for t in range(steps):
        low = max(0, t - reach)
        scores = q[:, t : t + 1] @ k[:, low : t + 1].mT / size**0.5
        outputs.append((scores.softmax(-1) @ v[:, low : t + 1]).squeeze(1))
    return torch.stack(outputs, 1)


def rows_alone(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, reach: int):
    steps, size = q.shape
    places, size = k.shape
    places, width = v.shape
    near = [
        torch.softmax(q[t] @ k[max(0, t - reach) : t + 1].T, -1) @ v[max(0, t - reach) : t + 1]
        for t in range(steps)
    ]
    return torch.stack(near)


def cases(rng):
    for n in (1, 2, 9):
        for reach in (0, 2):
            batches = [torch.randn(2, n, 4, requires_grad=True) for _ in range(3)]
            yield "joined", (*batches, reach), {}
            yield "stacked", (*batches, reach), {}
            rows = [torch.randn(n, 4, requires_grad=True) for _ in range(3)]
            yield "rows_alone", (*rows, reach), {}
