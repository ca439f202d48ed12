# expect: ASC101 safe scope=scaled_first
# expect: ASC101 safe scope=scaled_last
# expect: ASC101 safe scope=in_one_call
# expect: ASC101 safe scope=in_two_calls
"""What is added stands before or behind what is scaled, and nothing says how many axes it has."""

import torch


def scaled_first(x, gate):
    h = torch.zeros_like(x[:, 0])
    out = []
    for t in range(x.size(1)):
        h = gate[:, t] * h + x[:, t]
        out.append(h)
    return torch.stack(out, 1)


def scaled_last(x, gate):
    h = torch.zeros_like(x[:, 0])
    out = []
    for t in range(x.size(1)):
        h = x[:, t] + gate[:, t] * h
        out.append(h)
    return torch.stack(out, 1)


def in_one_call(x, gate):
    h = torch.zeros_like(x[:, 0])
    out = []
    for t in range(x.size(1)):
        h = torch.addcmul(x[:, t], gate[:, t], h)
        out.append(h)
    return torch.stack(out, 1)


def in_two_calls(x, gate):
    h = torch.zeros_like(x[:, 0])
    out = []
    for t in range(x.size(1)):
        h = torch.add(x[:, t], torch.mul(gate[:, t], h))
        out.append(h)
    return torch.stack(out, 1)


def cases(rng):
    for shape in [(2, 5, 3), (1, 1, 2), (3, 2), (2, 4, 2, 3)]:
        for name in ("scaled_first", "scaled_last", "in_one_call", "in_two_calls"):
            x, gate = (
                torch.tensor(rng.standard_normal(shape), dtype=torch.float32, requires_grad=True)
                for _ in range(2)
            )
            yield name, (x, gate), {}
