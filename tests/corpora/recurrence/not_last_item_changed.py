# refuse: the last item of the list is changed in place before they are stacked
import torch


def run(x: torch.Tensor):
    length, width = x.shape
    h = torch.zeros(width)
    ys = []
    for t in range(length):
        h = 0.9 * h + x[t]
        ys.append(h)
    last = h
    last += 1
    return torch.stack(ys)


def run_first(x: torch.Tensor):
    h = x[0]
    ys = []
    for t in range(1, x.shape[0]):
        h = 0.9 * h + x[t]
        ys.append(h)
    h.add_(1)
    return h, torch.stack(ys)


def cases(rng):
    for length in (2, 9):
        x = torch.tensor(rng.standard_normal((length, 3))).float()
        yield "run", (x,), {}
        yield "run_first", (x,), {}
