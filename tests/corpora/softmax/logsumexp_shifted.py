# expect: ASC107 safe scope=log_partition
import torch


def log_partition(energies):
    """log sum exp(-E) over the last axis."""
    neg = -energies
    c = neg.max(dim=-1).values
    return c + torch.log(torch.sum(torch.exp(neg - c[..., None]), dim=-1))


def cases(rng):
    for shape in ((1,), (4, 8), (2, 3, 21)):
        energies = torch.tensor(50 * rng.random(shape), dtype=torch.float32, requires_grad=True)
        yield "log_partition", (energies,), {}
