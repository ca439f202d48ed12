# refuse: ASC108 the centred tensor is added again
import torch


def block(x: torch.Tensor, eps: float = 1e-5) -> torch.Tensor:
    x = x - x.mean(-1, keepdim=True)
    spread = x.pow(2).mean(-1, keepdim=True)
    return x / torch.sqrt(spread + eps) + x


def cases(rng):
    for shape in ((1, 2), (3, 5)):
        yield "block", (torch.from_numpy(rng.normal(size=shape)).requires_grad_(),), {}
