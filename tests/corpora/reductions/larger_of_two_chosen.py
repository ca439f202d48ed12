# expect: ASC106 safe scope=peaks
# expect: ASC106 safe scope=lowest
# expect: ASC106 safe scope=kept_where_larger
import torch


def peaks(signal: torch.Tensor):
    channels, samples = signal.shape
    best = torch.full((channels,), float("-inf"))
    for s in range(samples):
        best = torch.where(signal[:, s] > best, signal[:, s], best)
    return best


def lowest(x: torch.Tensor):
    least = x[0]
    for row in x[1:]:
        least = torch.where(row < least, row, least)
    return least


def kept_where_larger(x: torch.Tensor):
    best = torch.zeros(3)
    for i in range(len(x)):
        best = torch.where(best >= x[i], best, x[i])
    return best


def cases(rng):
    for steps in (1, 2, 5):
        x = torch.tensor(rng.standard_normal((steps, 3)), dtype=torch.float32)
        for name in ("lowest", "kept_where_larger"):
            yield name, (x.clone().requires_grad_(),), {}
        yield "peaks", (x.T.clone().requires_grad_(),), {}
