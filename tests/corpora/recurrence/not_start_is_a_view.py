# refuse: the state is a view of the first input row, so writing it changes what later steps read
import torch


def drain(x, keep):
    s = x[0]
    outs = []
    for t in range(x.shape[0]):
        s *= keep
        s += x[t]
        outs.append(s.clone())
    return torch.stack(outs)


def cases(rng):
    yield "drain", (torch.tensor(rng.standard_normal((7, 3)), dtype=torch.float32), 0.9), {}
