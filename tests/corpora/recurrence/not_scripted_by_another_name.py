# refuse: TorchScript reads the functions, under other names too
import torch
from torch import jit

compiled = torch.jit.script


def smoothed(x: torch.Tensor):
    h = torch.zeros(x.shape[1])
    out = []
    for t in range(x.shape[0]):
        h = 0.9 * h + x[t]
        out.append(h)
    return torch.stack(out)


smooth = smoothed
fast = compiled(smooth)


class Filter(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        h = torch.zeros(x.shape[1])
        out = []
        for t in range(x.shape[0]):
            h = 0.9 * h + x[t]
            out.append(h)
        return torch.stack(out)


model = Filter().eval()
scripted = jit.script(model)


def cases(rng):
    for n in (5, 1):
        yield "fast", (torch.randn(n, 3),), {}
        yield "scripted", (torch.randn(n, 3),), {}
