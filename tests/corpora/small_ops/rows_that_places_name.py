# expect: LOC306 safe scope=embedded
# expect: LOC306 unsafe scope=last_states
import torch


def embedded(ids: torch.Tensor, table: torch.Tensor):
    (n,) = ids.shape
    return torch.stack([table[i] for i in ids])


def last_states(x: torch.Tensor, lengths: torch.Tensor):
    b, t, d = x.shape
    out = []
    for i in range(b):
        out.append(x[i, lengths[i] - 1])
    return torch.stack(out)


def cases(rng):
    for n in (1, 5):
        table = torch.tensor(rng.standard_normal((7, 3)), requires_grad=True)
        yield "embedded", (torch.tensor(rng.integers(0, 7, n)), table), {}
        x = torch.tensor(rng.standard_normal((n, 4, 2)), requires_grad=True)
        yield "last_states", (x, torch.tensor(rng.integers(1, 5, n))), {}
