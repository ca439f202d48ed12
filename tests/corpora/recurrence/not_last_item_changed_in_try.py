# refuse: the last item of the list is changed in place, in a statement without notation
import torch


def run(x: torch.Tensor):
    h = torch.zeros(x.shape[1])
    out = []
    for t in range(x.shape[0]):
        h = 0.9 * h + x[t]
        out.append(h)
    last = h
    try:
        last += 1
    except TypeError:
        pass
    return torch.stack(out)


def cases(rng):
    for length in (1, 6):
        yield "run", (torch.tensor(rng.standard_normal((length, 3))).float(),), {}
