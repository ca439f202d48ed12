# refuse: ASC108 one tensor is scaled by the deviation of another
import torch


def transfer(content: torch.Tensor, style: torch.Tensor) -> torch.Tensor:
    mean = content.mean(-1, keepdim=True)
    spread = ((style - style.mean(-1, keepdim=True)) ** 2).mean(-1, keepdim=True)
    return (content - mean) / torch.sqrt(spread + 1e-5)


def cases(rng):
    a, b = (torch.tensor(rng.standard_normal((3, 9)), requires_grad=True) for _ in "ab")
    yield "transfer", (a, b), {}
