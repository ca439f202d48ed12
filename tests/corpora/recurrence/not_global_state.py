# refuse: the state belongs to the module
import torch

h = None


def smooth(x: torch.Tensor):
    global h
    h = torch.zeros(4)
    out = []
    for t in range(x.shape[0]):
        h = 0.9 * h + x[t]
        out.append(h)
    return torch.stack(out)


def cases(rng):
    x = torch.tensor(rng.standard_normal((5, 4))).float()
    yield "lambda x: (smooth(x), h)", (x,), {}
