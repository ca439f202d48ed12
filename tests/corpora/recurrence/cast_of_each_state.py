# expect: ASC101 safe scope=smooth
import torch


def smooth(x: torch.Tensor, a: float):
    h = torch.zeros(x.shape[1])
    out = []
    for t in range(x.shape[0]):
        h = (a * h + x[t]).to(torch.float32)
        out.append(h)
    return torch.stack(out)


def cases(rng):
    yield "smooth", (torch.rand(9, 3), 0.5), {}
    yield "smooth", (torch.rand(1, 2).half(), 0.9), {}
    yield "smooth", (torch.rand(300, 2).bfloat16(), 0.9), {}
