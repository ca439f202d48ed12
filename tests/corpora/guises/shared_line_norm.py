# expect: ASC108 safe scope=f
# fmt: off
import torch


def f(x: torch.Tensor):
    m = x.mean(-1, keepdim=True); v = ((x - m)**2).mean(-1, keepdim=True)
    y = (x - m) / torch.sqrt(v + 1e-5); return y
def cases(rng):
    yield "f", (torch.tensor(rng.normal(size=(7,3)), dtype=torch.float32),), {}
