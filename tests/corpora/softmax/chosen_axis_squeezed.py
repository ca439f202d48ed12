# expect: ASC107 safe scope=log_mean
# expect: ASC107 safe scope=log_sum
import torch


def log_mean(x, dim=0):
    m = x.max(dim, keepdim=True).values
    return m.squeeze(dim) + (x - m).exp().mean(dim).log()


def log_sum(x: torch.Tensor, dim: int):
    m, _ = x.max(dim, keepdim=True)
    return torch.log(torch.sum(torch.exp(x - m), dim)) + m.squeeze(dim)


def cases(rng):
    for shape in ((3, 5), (1, 2), (4, 1), (2, 3, 5)):
        for name in ("log_mean", "log_sum"):
            for dim in (0, -1):
                x = torch.tensor(rng.standard_normal(shape), requires_grad=True)
                yield name, (x, dim), {}
