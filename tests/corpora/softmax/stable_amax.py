# may: ASC107 safe scope=stable_softmax
import torch


def stable_softmax(logits: torch.Tensor, dim: int = -1) -> torch.Tensor:
    peak = logits.amax(dim=dim, keepdim=True)
    e = (logits - peak).exp()
    return e / e.sum(dim=dim, keepdim=True)


def cases(rng):
    logits = torch.tensor(40 * rng.standard_normal((3, 5, 4)), dtype=torch.float32)
    for dim in (-1, 0, 1):
        yield "stable_softmax", (logits.clone().requires_grad_(), dim), {}
