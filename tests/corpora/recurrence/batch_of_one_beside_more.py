# expect: ASC101 safe scope=gated
# expect: ASC101 safe scope=driven
import torch


def gated(x, gate):
    h = torch.zeros_like(x[:, 0])
    out = []
    for t in range(x.shape[1]):
        h = gate[:, t] * h + x[:, t]
        out.append(h)
    return torch.stack(out, 1)


def driven(x, y):
    h = torch.zeros_like(x[:, 0])
    for t in range(x.shape[1]):
        h = 0.9 * h + x[:, t] * y[:, t]
    return h


def cases(rng):
    def tensor(*shape):
        return torch.tensor(rng.random(shape), dtype=torch.float32, requires_grad=True)

    for mine, theirs in (((2, 5, 3), (1, 5, 3)), ((1, 5, 3), (2, 5, 3)), ((2, 5, 3), (2, 7, 1))):
        yield "gated", (tensor(*mine), tensor(*theirs)), {}
        yield "driven", (tensor(*mine), tensor(*theirs)), {}
