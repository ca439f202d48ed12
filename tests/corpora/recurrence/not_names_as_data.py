# refuse: the function reads its own names as data
import torch


def run(x: torch.Tensor):
    h = torch.zeros(x.shape[1])
    y = torch.empty_like(x)
    for t in range(x.shape[0]):
        h = 0.9 * h + x[t]
        y[t] = h
    return {name: held for name, held in locals().items() if name in ("h", "t")}


def run_by_text(x: torch.Tensor):
    h = torch.zeros(x.shape[1])
    y = torch.empty_like(x)
    for t in range(x.shape[0]):
        h = 0.9 * h + x[t]
        y[t] = h
    return y, eval("h + t")


def cases(rng):
    x = torch.tensor(rng.standard_normal((5, 3))).float()
    yield "run", (x,), {}
    yield "run_by_text", (x,), {}
