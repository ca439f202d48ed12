# refuse: a case changes the scores in place
import torch


def f(x, kind):
    weights = torch.exp(x - x.max(dim=-1, keepdim=True).values)
    match kind:
        case "log":
            x.exp_()
        case _:
            pass
    return weights / torch.exp(x - x.max(dim=-1, keepdim=True).values).sum(-1, keepdim=True)


def cases(rng):
    yield "f", (torch.randn(3, 5), "log"), {}
    yield "f", (torch.randn(3, 5), ""), {}
