# expect: ASC110 safe|advice scope=chunked_top
import torch


def chunked_top(x, chunk=32):
    """Top five of a long vector, chunk by chunk."""
    best = x[:0]
    for start in range(0, x.shape[0], chunk):
        merged = torch.cat([best, x[start : start + chunk]])
        best = merged.sort(descending=True)[0][:5]
    return best


def cases(rng):
    for n in (3, 32, 150):
        x = torch.tensor(rng.permutation(n), dtype=torch.float32, requires_grad=True)
        yield "chunked_top", (x,), {}
