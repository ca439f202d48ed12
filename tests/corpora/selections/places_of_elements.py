# expect: RED505 unsafe scope=argbest
import torch


def argbest(x: torch.Tensor):
    return x.sort(dim=-1).indices[..., -1]


def cases(rng):
    yield "argbest", (torch.tensor([[1, 3, 3], [2, 2, 2]]),), {}
