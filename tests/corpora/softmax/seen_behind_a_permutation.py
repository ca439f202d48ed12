# expect: ASC107 unsafe scope=flat
import torch


def flat(x: torch.Tensor):
    e = torch.exp(x)
    y = e / e.sum(-1, keepdim=True)
    return y.t().view(-1)


def cases(rng):
    yield "flat", (torch.from_numpy(rng.standard_normal((5, 3))).t().requires_grad_(),), {}
