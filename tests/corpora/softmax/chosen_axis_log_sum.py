# expect: ASC107 safe scope=log_sum_exp
import torch


def log_sum_exp(x: torch.Tensor, dim: int = -1):
    m, _ = torch.max(x, dim=dim, keepdim=True)
    return (m + torch.log(torch.sum(torch.exp(x - m), dim=dim, keepdim=True))).squeeze(dim)


def cases(rng):
    for shape in ((3, 5), (1, 2), (2, 3, 4)):
        x = torch.tensor(rng.standard_normal(shape), requires_grad=True)
        yield "log_sum_exp", (x,), {}
        yield "log_sum_exp", (x, 0), {}
        yield "log_sum_exp", (x, -2), {}
