# refuse: ASC108 what was centred is changed before the result is made
import torch


def block(x: torch.Tensor, eps: float = 1e-5) -> torch.Tensor:
    first = x
    x = x - x.mean(-1, keepdim=True)
    first.zero_()
    spread = x.pow(2).mean(-1, keepdim=True)
    return x / torch.sqrt(spread + eps)


def noted(x: torch.Tensor, seen: list, eps: float = 1e-5) -> torch.Tensor:
    x = x - x.mean(-1, keepdim=True)
    for each in seen:
        each.add_(1)
    spread = x.pow(2).mean(-1, keepdim=True)
    return x / torch.sqrt(spread + eps)


def cases(rng):
    for shape in ((1, 2), (3, 5)):
        yield "block", (torch.from_numpy(rng.normal(size=shape)),), {}
        x = torch.from_numpy(rng.normal(size=shape))
        yield "noted", (x, [x]), {}
