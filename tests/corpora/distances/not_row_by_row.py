# refuse: SEP205 each row has its own partner: nothing is paired
import torch


def errors(found: torch.Tensor, true: torch.Tensor):
    if found.dim() == 1:
        found, true = found[None], true[None]
    return (found - true).norm(dim=-1)


def cases(rng):
    for shape in ((3,), (2, 3), (1, 1)):
        x, y = (torch.from_numpy(rng.normal(size=shape)) for _ in range(2))
        yield "errors", (x.requires_grad_(), y), {}
