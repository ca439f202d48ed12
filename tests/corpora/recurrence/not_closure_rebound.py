# refuse: the closure reads what the loop binds again
import torch


def smooth(x: torch.Tensor):
    a = 0.5

    def decay():
        return a

    h = torch.zeros(3)
    for t in range(x.shape[0]):
        h = decay() * h + x[t]
        a = 0.9
    return h


def of_before(x: torch.Tensor):
    h = torch.zeros(3)

    def old():
        return 0.5 * h

    out = []
    for t in range(x.shape[0]):
        h = old() + x[t]
        out.append(h)
    return torch.stack(out)


def cases(rng):
    x = torch.tensor(rng.standard_normal((5, 3))).float()
    yield "smooth", (x,), {}
    yield "of_before", (x,), {}
