# expect: ASC108 unsafe scope=norm
# torch keeps what its layer norm is given, which the next step of the caller changes in place
import torch


def norm(x):
    mean = x.mean(-1, keepdim=True)
    var = ((x - mean) ** 2).mean(-1, keepdim=True)
    return (x - mean) / torch.sqrt(var + 1e-5)


def steps(x: torch.Tensor):
    h, outs = x * 1, []
    for t in range(3):
        h += t
        outs.append(norm(h))
    return torch.stack(outs)


def cases(rng):
    x = torch.tensor(rng.standard_normal((2, 5))).float().requires_grad_()
    yield "steps", (x,), {}
