# refuse: ASC101 the list is read after the loop by what follows as well
import torch


def kept(x: torch.Tensor, whole: bool):
    h = torch.zeros_like(x[0])
    out = []
    for t in range(x.shape[0]):
        h = 0.7 * h + x[t]
        out.append(h)
    if whole:
        return torch.stack(out)
    return out


def shared(x: torch.Tensor):
    out = []

    def found():
        return out

    h = torch.zeros_like(x[0])
    for t in range(x.shape[0]):
        h = 0.7 * h + x[t]
        out.append(h)
    return torch.stack(out), found()


def counted(x: torch.Tensor, lengths: list):
    out = []
    h = torch.zeros_like(x[0])
    try:
        for t in range(x.shape[0]):
            h = 0.7 * h + x[t]
            out.append(h)
        return torch.stack(out)
    finally:
        lengths.append([float(h.sum()) for h in out])


def cases(rng):
    x = torch.tensor(rng.random((5, 3)), requires_grad=True)
    yield "kept", (x, True), {}
    yield "kept", (x, False), {}
    yield "shared", (x,), {}
    yield "counted", (x, []), {}
